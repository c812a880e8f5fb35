/* The keyboard, rows that open on a click, filters that apply themselves. Everything here also works without it. */
(() => {
  "use strict";
  const places = { e: "estate", v: "violations", t: "targets", r: "weekly_report", c: "collection" };
  let isGoing = false;
  let row = -1;

  const follow = (selector) => {
    const link = document.querySelector(selector);
    if (link) link.click();
    return Boolean(link);
  };
  const rows = () => [...document.querySelectorAll("table[data-rows] tbody tr")].filter((line) => !line.hidden && line.querySelector("a"));

  const step = (by) => {
    const all = rows();
    if (!all.length) return;
    all[row]?.classList.remove("at-keyboard");
    row = Math.max(0, Math.min(all.length - 1, row + by));
    all[row].classList.add("at-keyboard");
    all[row].scrollIntoView({ block: "nearest" });
    (all[row].querySelector("th a") ?? all[row].querySelector("a")).focus({ preventScroll: true });
  };

  /* the arrows walk from the box through the answers below it, and back */
  const walkAnswers = (event) => {
    const box = event.target.closest?.(".find");
    const answers = box ? [...box.querySelectorAll("#quick-answers a")] : [];
    if (!answers.length) return false;
    const at = answers.indexOf(event.target) + (event.key === "ArrowDown" ? 1 : -1);
    (answers[Math.min(at, answers.length - 1)] ?? box.querySelector("[data-find]")).focus();
    return true;
  };

  const isTyping = (target) => target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName);

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (/^Arrow(Down|Up)$/.test(event.key) && walkAnswers(event)) {
      event.preventDefault();
      return;
    }
    if (event.key === "Escape") {
      document.getElementById("quick-answers")?.replaceChildren();
      document.querySelectorAll("details.person[open]").forEach((menu) => menu.removeAttribute("open"));
      if (event.target.matches?.("[data-find]")) event.target.blur();
      return;
    }
    if (isTyping(event.target) || document.documentElement.dataset.keys === "off") return;
    if (isGoing) {
      isGoing = false;
      if (places[event.key]) follow(`.menu [data-place="${places[event.key]}"]`);
      return;
    }
    const acts = {
      "/": () => document.querySelector("[data-find]")?.focus(),
      g: () => { isGoing = true; setTimeout(() => { isGoing = false; }, 1500); },
      j: () => step(1),
      k: () => step(-1),
      u: () => follow(".crumbs li:nth-last-child(2) a"),
      "[": () => follow("a[data-day=previous]"),
      "]": () => follow("a[data-day=next]"),
      d: () => follow("a[data-density]"),
      "?": () => document.getElementById("keys")?.showModal?.(),
    };
    if (acts[event.key]) {
      event.preventDefault();
      acts[event.key]();
    }
  });

  document.addEventListener("click", (event) => {
    document.querySelectorAll("details.person[open]").forEach((menu) => {
      if (!menu.contains(event.target)) menu.removeAttribute("open");
    });
    const copy = event.target.closest("[data-copy]");
    if (copy) {
      const text = document.getElementById(copy.dataset.copy)?.textContent ?? "";
      navigator.clipboard?.writeText(text.trim()).then(() => {
        copy.querySelector("[data-said]").textContent = "copied";
      });
      return;
    }
    if (event.target.closest("[data-print]")) {
      print();
      return;
    }
    const line = event.target.closest("table[data-rows] tbody tr");
    if (!line || event.target.closest("a, button, input, select, textarea, label, summary, form")) return;
    if (String(getSelection())) return;
    const link = line.querySelector("th a") ?? line.querySelector("a");
    if (!link) return;
    if (event.metaKey || event.ctrlKey) open(link.href, "_blank", "noopener");
    else link.click();
  });

  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-applies] select")) event.target.form.requestSubmit();
  });

  // one answer per question: a form that was sent cannot be sent again while it is on its way
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post") return;
    setTimeout(() => {
      form.querySelectorAll("button").forEach((button) => { button.disabled = true; });
      const sender = event.submitter;
      if (sender?.dataset.busy) sender.textContent = sender.dataset.busy;
    });
  });
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });

  document.querySelector("[aria-invalid=true]")?.focus();

  /* what was typed before the scripts came is answered as if it were typed now */
  document.addEventListener("DOMContentLoaded", () => {
    for (const field of document.querySelectorAll("main input:not([type=checkbox], [type=radio]), main textarea"))
      if (field.value !== field.defaultValue) field.dispatchEvent(new Event("input", { bubbles: true }));
  });
})();
