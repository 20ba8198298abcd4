"use strict";
// The arm moves only while a finger is on a button: heartbeats, numbered and with their time, of which
// none may wait. Whatever takes the finger or the page away ends them; only another press begins anew.
const BEAT_MS = 50;
const HELD = new Set([...document.querySelectorAll(".holdable")].map((button) => button.dataset.control));
let held = null;
let unanswered = 0;  // presses that the daemon has not answered yet

function hold(event) {
  const button = event.currentTarget;
  if (!event.isTrusted || event.button !== 0 || held || !socket || socket.readyState !== WebSocket.OPEN) return;
  event.target.releasePointerCapture(event.pointerId);  // a finger that slides off the button has let go
  held = { button, verb: button.dataset.control, session: null, number: 0, timer: setInterval(beat, BEAT_MS) };
  button.classList.add("held");
  unanswered += 1;
  send({ verb: held.verb });
}

function granted(told) {
  unanswered -= 1;
  if (unanswered) return;  // of an earlier press, and perhaps of another button: this finger asked for none of it
  if (!told.accepted) return letGo(told.text);
  const { session, way } = JSON.parse(told.text);
  if (held) held.session = session;
  say(way, false);
}

function beat(released = false) {
  if (!held || held.session === null || socket.readyState !== WebSocket.OPEN || socket.bufferedAmount > 0) return;
  held.number += 1;
  socket.send(JSON.stringify({ verb: "beat", arguments: {
    session: held.session, number: held.number, sent_ms: performance.now(), released: released === true,
  } }));
}

function letGo(why) {
  if (why) say(why, true);
  if (!held) return;
  beat(true);
  clearInterval(held.timer);
  held.button.classList.remove("held");
  held = null;
}

for (const button of document.querySelectorAll(".holdable")) {
  button.addEventListener("pointerdown", hold);
  for (const lost of ["pointerup", "pointercancel", "pointerleave", "contextmenu"]) {
    button.addEventListener(lost, () => letGo(""));
  }
}
for (const lost of ["blur", "pagehide", "pointerup", "pointercancel"]) window.addEventListener(lost, () => letGo(""));
document.addEventListener("visibilitychange", () => { if (document.hidden) letGo(""); });
