"use strict";
// Space holds and Escape stops, wherever the focus is; only a field that is typed in keeps its spaces. A button
// that has the focus is pressed by Enter: after a click on Float the space bar must not mean Float again.
const TYPED = "input:not([type=range]):not([type=checkbox]), textarea, select, [contenteditable]";

function onKey(event) {
  if (event.key === "Escape") {
    letGo("");
    dropDrag("");
    send({ verb: "stop" });
  } else if (event.key === " " && !event.target.closest?.(TYPED)) {
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    letGo("");
    send({ verb: "hold" });
  } else if (event.key === "Enter" && event.target.type === "checkbox") {
    event.target.click();
  } else if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
    event.stopPropagation();  // viser's own commands
  }
}

window.addEventListener("keydown", onKey, true);
window.addEventListener("keyup", (event) => {  // which would press a button
  if (event.key === " " && !event.target.closest?.(TYPED)) event.preventDefault();
}, true);
