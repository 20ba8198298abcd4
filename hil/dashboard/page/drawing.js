"use strict";
// viser's page within ours: kept awake, tidied, and its curves beside the picture or out of sight.
const drawing = find("drawing");

// viser tries again only while its own frame has the focus: ours is the page that the operator looks at
function wakeDrawing() {
  const inner = drawing.contentWindow;
  inner.document.hasFocus = () => true;
  inner.dispatchEvent(new Event("focus"));
}

function tidyDrawing() {
  if (drawing.contentWindow.isTidy) return;
  drawing.contentWindow.isTidy = true;
  const inner = drawing.contentDocument, style = inner.createElement("style");
  // a hint about slow graphics lies over the picture; what is wrong in earnest stays
  // (it and viser's own settings: all floating windows but one that somebody made of the charts)
  style.textContent = `#webgl-software-rendering { display: none !important; }
    [data-floating-window]:not(:has(.uplot)) { display: none !important; }
    .uplot .u-title { font: 600 12px system-ui, sans-serif; }
    .uplot .u-legend { font-size: 11px; margin: 0; } .uplot .u-legend th { padding: 0 3px; font-weight: 500; }`;
  inner.head.append(style);
  drawing.contentWindow.addEventListener("keydown", onKey, true);
  grabIn(drawing.contentWindow);
  wakeDrawing();
}

// a chart gets its size after it has been made, and its axis of time is then left out until a scale changes
const laidOut = new WeakSet();
function layOutCharts() {
  for (const { chart } of Object.values((drawing.contentWindow.__viserTestpoints || {}).uplots || {})) {
    if (laidOut.has(chart) || !(chart.width > 0)) continue;
    laidOut.add(chart);
    chart.redraw(false, true);
  }
}

// where there is no room for both, the picture is all that shows until the curves are asked for
function showCurves(shown) {
  document.body.classList.toggle("curves", shown);
  find("curves").setAttribute("aria-pressed", shown);
}

find("curves").onclick = () => showCurves(!document.body.classList.contains("curves"));
document.addEventListener("DOMContentLoaded", () => {  // when the other files are there: the picture may be sooner
  drawing.addEventListener("load", tidyDrawing);
  const inner = drawing.contentDocument;
  if (inner?.readyState === "complete" && inner.URL !== "about:blank") tidyDrawing();
});
document.addEventListener("DOMContentLoaded", () => {  // it may have been there before us
  const inner = drawing.contentDocument;
  if (inner.readyState === "complete" && inner.location.pathname.startsWith("/drawing")) tidyDrawing();
});
setInterval(layOutCharts, 300);
