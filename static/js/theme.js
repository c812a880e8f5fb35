/* Light, dark or as the system says; loaded in the head so that the page is drawn once. */
(() => {
  "use strict";
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");

  const remembered = () => {
    try {
      return localStorage.getItem("headroom.theme");
    } catch {
      return null;
    }
  };

  const paint = (theme) => {
    if (theme === root.dataset.themeShown) return;
    root.dataset.bsTheme = theme;
    root.dataset.themeShown = theme;
    document.dispatchEvent(new CustomEvent("headroom:theme"));
  };
  const show = () => paint(remembered() ?? (system.matches ? "dark" : "light"));

  const choose = () => {
    const other = root.dataset.themeShown === "dark" ? "light" : "dark";
    try {
      // the system's own choice needs no memory
      if (other === (system.matches ? "dark" : "light")) localStorage.removeItem("headroom.theme");
      else localStorage.setItem("headroom.theme", other);
    } catch {
      paint(other);
      return;
    }
    show();
  };

  addEventListener("beforeprint", () => paint("light")); // paper is light
  addEventListener("afterprint", show);

  root.dataset.scripts = "";
  show();
  system.addEventListener("change", show);
  addEventListener("storage", show);
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-theme-button]")) choose();
  });
})();
