/* A field that finds a statistic by any of its names, and buttons that fill a field in. Without scripts the name is typed whole. */
(() => {
  "use strict";
  const changed = (field) => field.dispatchEvent(new Event("input", { bubbles: true }));

  for (const box of document.querySelectorAll("[data-picks]")) {
    const form = box.form;
    const list = document.createElement("ul");
    list.className = "picker";
    list.id = `${box.id}-options`;
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Statistics");
    list.hidden = true;
    box.after(list);
    box.setAttribute("role", "combobox");
    box.setAttribute("aria-autocomplete", "list");
    box.setAttribute("aria-controls", list.id);
    box.setAttribute("aria-expanded", "false");
    let asked = 0;
    let timer = 0;
    let at = -1;

    const options = () => [...list.querySelectorAll("[role=option]")];
    const close = () => {
      list.hidden = true;
      at = -1;
      box.setAttribute("aria-expanded", "false");
      box.removeAttribute("aria-activedescendant");
    };
    const point = (to) => {
      const all = options();
      if (!all.length) return;
      at = (to + all.length) % all.length;
      all.forEach((option, index) => option.setAttribute("aria-selected", String(index === at)));
      all[at].scrollIntoView({ block: "nearest" });
      box.setAttribute("aria-activedescendant", all[at].id);
    };
    const choose = (option) => {
      const component = form?.elements.namedItem("component");
      box.value = option.dataset.component ? `${option.dataset.name} (${option.dataset.key})` : option.dataset.name;
      if (component && option.dataset.component) component.value = option.dataset.component;
      close();
      changed(box);
    };
    const ask = async () => {
      const mine = ++asked;
      const query = new URLSearchParams({ q: box.value, target: form?.elements.namedItem("target")?.value ?? "" });
      const answer = await fetch(`${box.dataset.picks}?${query}`, { headers: { "HX-Request": "true" } });
      if (mine !== asked || !answer.ok || document.activeElement !== box) return;
      list.innerHTML = await answer.text();
      list.hidden = false;
      at = -1;
      box.setAttribute("aria-expanded", "true");
    };

    box.addEventListener("input", (event) => {
      if (!event.isTrusted) return;
      clearTimeout(timer);
      timer = setTimeout(ask, 150);
    });
    box.addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        event.preventDefault();
        if (list.hidden) ask();
        else point(at + (event.key === "ArrowDown" ? 1 : -1));
      } else if (event.key === "Enter" && !list.hidden && at >= 0) {
        event.preventDefault();
        choose(options()[at]);
      } else if (event.key === "Escape" && !list.hidden) {
        event.preventDefault();
        close();
      }
    });
    list.addEventListener("mousedown", (event) => {
      const option = event.target.closest("[role=option]");
      event.preventDefault();
      if (option) choose(option);
    });
    box.addEventListener("blur", () => {
      asked += 1;
      clearTimeout(timer);
      close();
    });
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-fills]");
    const field = button && document.getElementById(button.dataset.fills);
    if (!field) return;
    field.value = button.dataset.value;
    changed(field);
    field.focus();
  });
})();
