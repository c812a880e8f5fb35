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

  const show = () => {
    const theme = remembered() ?? (system.matches ? "dark" : "light");
    if (theme === root.dataset.themeShown) return;
    root.dataset.bsTheme = theme;
    root.dataset.themeShown = theme;
    document.dispatchEvent(new CustomEvent("headroom:theme"));
  };

  const choose = () => {
    const other = root.dataset.themeShown === "dark" ? "light" : "dark";
    try {
      // the system's own choice needs no memory
      if (other === (system.matches ? "dark" : "light")) localStorage.removeItem("headroom.theme");
      else localStorage.setItem("headroom.theme", other);
    } catch {
      root.dataset.bsTheme = root.dataset.themeShown = other;
      document.dispatchEvent(new CustomEvent("headroom:theme"));
      return;
    }
    show();
  };

  root.dataset.scripts = "";
  show();
  system.addEventListener("change", show);
  addEventListener("storage", show);
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-theme-button]")) choose();
  });
})();
