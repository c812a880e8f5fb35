/* A click on a row opens its chart below it, another one closes it. Links of the row lead away as they always do. */
(() => {
  "use strict";
  const widthOf = (line) => [...line.cells].reduce((sum, cell) => sum + (cell.matches(".section-name") ? 0 : cell.colSpan), 0);
  const nameOf = (line) => line.closest("tbody").querySelector("[rowspan]");

  const close = (line) => {
    delete line.dataset.open;
    line.classList.remove("is-chosen");
    const opened = line.nextElementSibling;
    if (!opened?.matches(".glance-row")) return;
    const name = nameOf(line);
    if (name) name.rowSpan -= 1;
    opened.remove();
  };

  const open = async (line) => {
    const opened = document.createElement("tr");
    opened.className = "glance-row";
    const cell = opened.insertCell();
    cell.colSpan = widthOf(line);
    const address = new URL(line.querySelector("th a.name").href);
    address.pathname += "/glance";
    const answer = await fetch(address, { headers: { "HX-Request": "true" } });
    if (!answer.ok || !line.dataset.open) return;
    cell.innerHTML = await answer.text();
    const name = nameOf(line);
    if (name) name.rowSpan += 1;
    line.after(opened);
  };

  const toggle = (line) => {
    const isOpen = Boolean(line.dataset.open);
    document.querySelectorAll("tr[data-open]").forEach(close);
    if (isOpen) return;
    line.dataset.open = "true";
    line.classList.add("is-chosen");
    open(line);
  };

  document.addEventListener("click", (event) => {
    if (event.target.closest("thead, .table-tools")) document.querySelectorAll("tr[data-open]").forEach(close);
    const line = event.target.closest("table[data-glance] tbody tr");
    if (!line?.querySelector("th a.name") || event.target.closest("a, button, input, label, summary") || String(getSelection())) return;
    if (event.metaKey || event.ctrlKey) return;
    event.stopPropagation(); // the row opens here, and nowhere else
    toggle(line);
  }, true);

  document.addEventListener("keydown", (event) => {
    const line = event.target.closest?.("table[data-glance] tbody tr");
    if (!line || event.key !== " " || !event.target.matches("a")) return;
    event.preventDefault();
    toggle(line);
  });
})();
