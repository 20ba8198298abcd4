"use strict";
// The calibration of the load: how far the motion is, and what it showed.
document.addEventListener("told", ({ detail: { load } }) => {
  if (!load) return;
  find("shown").hidden = load.progress === null;
  find("shown").value = load.progress || 0;
  put("found", load.found);
  put("table", load.table);
});
