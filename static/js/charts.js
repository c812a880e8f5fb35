/* Draws the Plotly figures of the page in the colours of the theme, and again when the theme changes. */
(() => {
  "use strict";
  const probe = document.createElement("span");
  probe.hidden = true;
  document.body.append(probe);

  const colour = (name) => {
    probe.style.color = name;
    return getComputedStyle(probe).color;
  };

  /* "var(--measure)" becomes the colour of the theme; "var(--measure) 35%" the same, let through at 35 % */
  const coloured = (part) => {
    if (typeof part === "string") {
      const match = /^(var\(--[a-z0-9]+\))(?: (\d+(?:\.\d+)?)%)?$/.exec(part);
      if (!match) return part;
      const rgb = colour(match[1]).match(/[\d.]+/g).slice(0, 3).join(", ");
      return `rgba(${rgb}, ${match[2] ? Number(match[2]) / 100 : 1})`;
    }
    if (Array.isArray(part)) return part.map(coloured);
    if (part && typeof part === "object") {
      return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, coloured(value)]));
    }
    return part;
  };

  /* the reader's months and weekdays; the marks of numbers stand in each figure */
  const { language, names } = document.documentElement.dataset;
  const spoken = names ? { locale: language, locales: { [language]: { dictionary: {}, format: JSON.parse(names) } } } : {};

  const charts = [...document.querySelectorAll("[data-chart]")];
  const draw = () => {
    for (const place of charts) {
      const source = document.getElementById(place.dataset.chart);
      if (!source || !window.Plotly) continue;
      const figure = coloured(JSON.parse(source.textContent));
      place.querySelector(".loading")?.remove();
      Plotly.react(place, figure.data, figure.layout, { displayModeBar: false, responsive: true, ...spoken });
      if (!place.dataset.scales) {
        place.dataset.scales = "true";
        place.on("plotly_afterplot", () => scale(place));
        scale(place);
      }
      if (figure.layout.xaxis?.rangeslider && !place.dataset.listens) {
        place.dataset.listens = "true";
        place.on("plotly_relayout", (change) => remember(place, change));
      }
    }
  };

  /* drawn for the width of the window, a chart shrinks with the paper that it is printed on */
  const scale = (place) => place.querySelectorAll(".main-svg").forEach((layer) => {
    layer.setAttribute("viewBox", `0 0 ${layer.getAttribute("width")} ${layer.getAttribute("height")}`);
  });

  /* the part of a chart that is looked at stands in the address, so that it can be sent to somebody */
  const remember = (place, change) => {
    if (!Object.keys(change).some((key) => key.startsWith("xaxis."))) return;
    const [from, to] = place.layout.xaxis.range.map((moment) => String(moment).slice(0, 10));
    const [first, last] = place.layout.xaxis.rangeslider.range.map((moment) => String(moment).slice(0, 10));
    const address = new URL(location.href);
    const isAll = change["xaxis.autorange"] || (from <= first && to >= last);
    for (const [name, day] of [["from", from], ["to", to]]) {
      if (isAll) address.searchParams.delete(name);
      else address.searchParams.set(name, day);
    }
    history.replaceState(history.state, "", address);
  };
  draw();
  document.addEventListener("headroom:theme", draw);
})();
