/*
 * Tables of the class "sorts": sorted by their heads, filtered by words, copied for a spreadsheet; the address keeps it.
 * A cell may carry in data-v what it is sorted by and copied as. Without this script they are read as they are.
 */
(() => {
  "use strict";
  const MISSING = new Set(["", "–", "none", "never", "no data", "not present", "not measurable", "nobody yet", "no plan"]);
  const NUMBER = /^[<>≤≥=~+]*\s*(-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)\s*(%|[a-zµ/]{1,12})?$/i;
  const LEAST_FILTERED = 15; // rows; fewer are seen at once
  const BYTES = { kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3, tb: 1024 ** 4, pb: 1024 ** 5 };
  const words = new Intl.Collator(document.documentElement.lang || "en", { numeric: true, sensitivity: "base" });
  const narrow = matchMedia("(max-width: 44.99rem)");

  const textOf = (cell) => cell.textContent.replace(/\s+/g, " ").trim();
  const headOf = (head) => textOf(head).replace(/[*]/g, "");
  const isUnseen = (head) => [...head.querySelectorAll(".unseen")].some((part) => textOf(part) === textOf(head));
  const keyOf = (head) => head.dataset.key ?? headOf(head).toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  const marked = (cell) => cell.dataset.v ?? cell.querySelector("[data-v]")?.dataset.v;

  /* what is written in the reader's marks, with a comma between thousands and a point before decimals */
  const { decimal = ".", thousands = "," } = document.documentElement.dataset;
  const between = new RegExp(`(?<=\\d)${thousands.trim() ? `[${thousands}]` : "\\s"}(?=\\d{3})`, "g");
  const plainly = (text) => (decimal === "." && thousands === "," ? text
    : text.replace(between, "\u0001").replaceAll(decimal, ".").replaceAll("\u0001", ","));

  /* a number, a text, or null for what is missing */
  const valueOf = (cell) => {
    const given = marked(cell);
    const text = (given ?? textOf(cell)).replace(/\u2212/g, "-").trim();
    if (MISSING.has(text.toLowerCase())) return null;
    const found = NUMBER.exec((given === undefined ? plainly(text) : text).replace(/\u00a0/g, " "));
    return found ? Number(found[1].replace(/,/g, "")) * (BYTES[found[2]?.toLowerCase()] ?? 1) : text;
  };

  /* the unit of a figure that says it itself; sizes are all in bytes */
  const unitIn = (cell) => {
    if (marked(cell) !== undefined) return "";
    const unit = NUMBER.exec(plainly(textOf(cell)).replace(/[\u00a0\u2212]/g, " ").trim())?.[2]?.toLowerCase() ?? "";
    return unit in BYTES ? "bytes" : unit;
  };

  /* figures of different units do not stand between each other: those of the unit that comes first on the page lead */
  const compare = (one, other, sign) => {
    if (one.value === null || other.value === null) return (one.value === null) - (other.value === null);
    const isNumber = typeof one.value === "number";
    if (isNumber !== (typeof other.value === "number")) return isNumber ? -1 : 1;
    if (!isNumber) return sign * words.compare(one.value, other.value);
    return one.rank - other.rank || sign * (one.value - other.value);
  };

  /* a text that a spreadsheet, where it is pasted, does not take for a formula */
  const harmless = (text) => (/^[=+\-@]/.test(text) ? `'${text}` : text);
  const copied = (cell) => {
    if (cell.querySelector(".state")) return textOf(cell);
    const value = valueOf(cell);
    if (typeof value === "number" && /^[−-]?[\d,]+(\.\d+)?$/.test(plainly(textOf(cell)))) return String(value);
    return harmless(cell.dataset.v && typeof value === "string" ? value : textOf(cell));
  };

  const toClipboard = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const box = document.createElement("textarea"); // an address without https has no clipboard of its own
    box.value = text;
    box.className = "unseen";
    document.body.append(box);
    box.select();
    const isDone = document.execCommand("copy");
    box.remove();
    if (!isDone) throw new Error("not copied");
    return undefined;
  };

  const keep = (name, value) => {
    const address = new URL(location.href);
    if (value) address.searchParams.set(name, value);
    else address.searchParams.delete(name);
    history.replaceState(history.state, "", address);
  };

  class Table {
    constructor(table) {
      this.table = table;
      this.heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells];
      // a section's name spans its rows: it goes to whichever row is first
      this.bodies = [...table.tBodies].map((body) => {
        const name = body.querySelector(":scope > tr > [rowspan]");
        return { body, name, rows: [...body.rows].filter((row) => !row.classList.contains("group-row")) };
      });
      this.names = new Set(this.bodies.map((one) => one.name).filter(Boolean));
      this.size = this.bodies.reduce((sum, one) => sum + one.rows.length, 0);
      this.bodies.forEach((one) => one.name?.remove());
      this.sorted = { head: null, sign: 1 };
      this.sought = "";
      this.tools = table.id ? document.querySelector(`[data-tools-of="${CSS.escape(table.id)}"]`) : null;
      this.said = this.tools?.querySelector(".said-rows");
      this.addHeads();
      this.addTools();
      this.recall();
      this.show();
    }

    addHeads() {
      for (const head of this.heads) {
        if (!headOf(head) || head.dataset.sorts === "no" || isUnseen(head)) continue;
        const button = document.createElement("button");
        button.type = "button";
        button.className = "sort";
        button.append(...head.childNodes);
        head.append(button);
        button.addEventListener("click", () => this.turn(head));
      }
      const reach = () => this.heads.forEach((head) => {
        const button = head.querySelector(".sort");
        if (button) button.tabIndex = narrow.matches ? -1 : 0;
      });
      narrow.addEventListener("change", reach);
      reach();
    }

    addTools() {
      if (!this.tools) return;
      const find = this.tools.querySelector("input");
      find.closest(".table-find").hidden = this.size < LEAST_FILTERED;
      find.addEventListener("input", () => {
        this.sought = find.value;
        keep(`${this.table.id}-find`, find.value.trim());
        this.show();
      });
      const choose = this.tools.querySelector("select");
      for (const head of this.heads) {
        if (head.querySelector(".sort")) choose.add(new Option(headOf(head), keyOf(head)));
      }
      choose.addEventListener("change", () => {
        const head = this.heads.find((one) => keyOf(one) === choose.value) ?? null;
        this.sort(head, head ? this.first(head) : 1);
      });
      this.tools.querySelector("[data-copy-table]").addEventListener("click", (event) => this.copy(event.currentTarget));
    }

    recall() {
      const asked = new URLSearchParams(location.search);
      const sort = asked.get(`${this.table.id}-sort`) ?? "";
      const head = this.heads.find((one) => one.querySelector(".sort") && keyOf(one) === sort.replace(/^-/, ""));
      if (head && sort) this.sorted = { head, sign: sort.startsWith("-") ? -1 : 1 };
      const find = this.tools?.querySelector("input");
      this.sought = find && !find.closest(".table-find").hidden ? asked.get(`${this.table.id}-find`) ?? find.value : "";
      if (find) find.value = this.sought;
    }

    /* figures from the largest, states from the worst, words from a to z */
    first(head) {
      return head.classList.contains("num") || this.isOfStates(head) ? -1 : 1;
    }

    isOfStates(head) {
      return this.bodies.some((one) => one.rows.some((row) => this.cell(row, head)?.querySelector(".state")));
    }

    turn(head) {
      const first = this.first(head);
      if (this.sorted.head !== head) this.sort(head, first);
      else if (this.sorted.sign === first) this.sort(head, -first);
      else this.sort(null, 1);
    }

    sort(head, sign) {
      this.sorted = { head, sign };
      keep(`${this.table.id}-sort`, head ? (sign < 0 ? "-" : "") + keyOf(head) : "");
      this.show();
      if (this.said) {
        const [most, least] = head && this.isOfStates(head) ? ["worst", "best"] : ["largest", "smallest"];
        const way = `${sign < 0 ? most : least} first`;
        this.said.textContent = head ? `sorted by ${headOf(head)}, ${way}${this.counted(", ")}` : `as given${this.counted(", ")}`;
      }
    }

    counted(before) {
      return this.sought.trim() ? `${before}${this.shown} of ${this.size} rows` : "";
    }

    /* null where a note takes the place of several cells; the name of a section is no cell of its row */
    cell(row, head) {
      const cells = [...row.cells].filter((cell) => !this.names.has(cell));
      let at = this.heads.length - cells.reduce((sum, cell) => sum + cell.colSpan, 0);
      for (const cell of cells) {
        if (at === head.cellIndex && cell.colSpan === 1) return cell;
        at += cell.colSpan;
      }
      return null;
    }

    /* what a row is sorted by, and its unit: that of the cell, or of the column of units beside it */
    entry(row, head) {
      const cell = head && this.cell(row, head);
      if (!cell) return { value: null, unit: "" };
      const units = head.dataset.unit ? this.heads.find((other) => headOf(other) === "unit") : null;
      const beside = units && this.cell(row, units);
      return { value: valueOf(cell), unit: beside ? textOf(beside) : unitIn(cell) };
    }

    show() {
      const { head, sign } = this.sorted;
      const parts = this.sought.toLowerCase().split(/\s+/).filter(Boolean);
      this.shown = 0;
      for (const { body, name, rows } of this.bodies) {
        name?.remove();
        const section = name ? textOf(name).toLowerCase() : "";
        const isShown = (row) => {
          const text = `${section} ${row.textContent.toLowerCase()}`;
          return parts.every((part) => text.includes(part));
        };
        let order = rows.map((row) => ({ row, isHidden: !isShown(row), ...this.entry(row, head) }));
        if (head) {
          const units = [...new Set(order.filter(({ value }) => typeof value === "number").map(({ unit }) => unit))];
          order.forEach((entry) => { entry.rank = units.indexOf(entry.unit); });
          order = [...order].sort((one, other) => compare(one, other, sign));
        }
        const visible = order.filter((one) => !one.isHidden);
        this.shown += visible.length;
        order.forEach((one) => { one.row.hidden = one.isHidden; });
        body.append(...visible.map((one) => one.row), ...order.filter((one) => one.isHidden).map((one) => one.row));
        body.hidden = !visible.length;
        if (name && visible.length) {
          name.rowSpan = visible.length;
          visible[0].row.prepend(name);
        }
      }
      for (const one of this.heads) {
        if (one === head) one.setAttribute("aria-sort", sign < 0 ? "descending" : "ascending");
        else one.removeAttribute("aria-sort");
      }
      const choose = this.tools?.querySelector("select");
      if (choose) choose.value = head ? keyOf(head) : "";
      if (this.said) this.said.textContent = this.counted("");
    }

    async copy(button) {
      const said = button.querySelector("[data-said]");
      // boxes to tick have a head for the ear alone; of a table in sections that is the head of their names
      const left = this.bodies.some((one) => one.name) ? [] : this.heads.filter(isUnseen).map((head) => head.cellIndex);
      const lines = [this.heads.filter((head) => !left.includes(head.cellIndex)).map(headOf)];
      for (const { name, rows, body } of this.bodies) {
        for (const row of [...body.rows].filter((one) => rows.includes(one) && !one.hidden)) {
          const cells = [...row.cells].filter((cell) => cell !== name && !left.includes(cell.cellIndex)).map(copied);
          lines.push(name ? [textOf(name.firstChild ?? name), ...cells] : cells);
        }
      }
      try {
        await toClipboard(lines.map((line) => line.join("\t")).join("\n"));
        said.textContent = "Copied";
        if (this.said) this.said.textContent = `${lines.length - 1} rows copied`;
      } catch {
        said.textContent = "Not copied";
        if (this.said) this.said.textContent = "this browser does not let a page copy; take the CSV";
      }
      setTimeout(() => { said.textContent = "Copy"; }, 3000);
    }
  }

  const known = new WeakSet();
  const begin = (within) => {
    within.querySelectorAll("table.sorts").forEach((table) => {
      if (known.has(table) || !table.tHead || !table.tBodies.length) return;
      known.add(table);
      new Table(table);
    });
  };
  begin(document);
  document.addEventListener("htmx:load", (event) => begin(event.target.parentElement ?? document));
})();
