/* Dragging across the chart of a forecast chooses how much history goes into it and how far it looks ahead. */
(() => {
  "use strict";
  const place = document.querySelector("[data-chart=forecast-figure]");
  const form = document.getElementById("forecast-form");
  const hint = document.getElementById("drag-hint");
  if (!place || !form || !hint || !place.on) return;
  const day = 86400000;
  const on = Date.parse(hint.dataset.on);
  const within = (value, field) => Math.max(Number(field.min), Math.min(Number(field.max), Math.round(value)));
  place.on("plotly_relayout", (change) => {
    const from = Date.parse(change["xaxis.range[0]"]);
    const until = Date.parse(change["xaxis.range[1]"]);
    if (Number.isNaN(from) || Number.isNaN(until)) return;
    if (from < on) form.elements.window.value = within((on - from) / day + 1, form.elements.window);
    if (until > on) form.elements.horizon.value = within((until - on) / day, form.elements.horizon);
    form.requestSubmit();
  });
})();
