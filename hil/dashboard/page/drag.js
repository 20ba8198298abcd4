"use strict";
// A push by dragging on the mock-up: an arrow of our own over the picture, from where it is grabbed to the
// pointer. Its force lies in the picture's plane; what becomes of it the daemon decides. Elsewhere, with another
// button, and where nothing can be pushed, dragging turns the picture as always.
const N_PER_PX = 0.5, LEAST_PX = 8, FAR_PX = 6;
let drag = null;

// where a pixel of the picture meets the mock-up, in the object's axes; null where it does not
function grabbed(inner, pixel) {
  const eye = eyeOf(inner), object = newest.object;
  if (!eye || !object) return null;
  const from = turnedBack(object.quat, add(eye.place, object.p, -1));
  const way = turnedBack(object.quat, wayThrough(eye, pixel));
  const hits = facts.mockup.map((solid) => reach(solid, from, way)).filter((t) => t !== null);
  return hits.length ? add(from, way, Math.min(...hits)) : null;
}

const pixelAt = (event) => [event.clientX, event.clientY];

function takeHold(event) {
  const plain = event.button === 0 && !(event.shiftKey || event.ctrlKey || event.altKey || event.metaKey);
  const inner = event.view;
  if (!plain || event.target !== (inner.__viserMutable || {}).canvas || drag) return;
  const at = grabbed(inner, pixelAt(event));
  if (!at) return;
  const why = whyNot("push");
  if (why) {  // said once somebody drags: a click is none
    drag = { refused: why, begin: pixelAt(event), pointer: event.pointerId };
    return;
  }
  drag = { at, inner, tip: pixelAt(event), pointer: event.pointerId };
  event.stopPropagation();
  event.target.setPointerCapture(event.pointerId);
  drawDrag();
}

function moveHold(event) {
  if (!drag) {
    const canvas = (event.view.__viserMutable || {}).canvas, over = event.target === canvas && !event.buttons;
    if (over) canvas.style.cursor = !whyNot("push") && grabbed(event.view, pixelAt(event)) ? "grab" : "";
    return;
  }
  if (event.pointerId !== drag.pointer) return;
  if (drag.refused) {
    if (Math.hypot(...pixelAt(event).map((x, k) => x - drag.begin[k])) > FAR_PX) {
      say(`push: ${drag.refused}`, true);
      drag = null;
    }
    return;
  }
  event.stopPropagation();
  drag.tip = pixelAt(event);
  drawDrag();
}

// the push that letting go would ask for now; null where the picture is not there
function dragged() {
  const eye = eyeOf(drag.inner), object = newest.object;
  if (!eye || !object) return null;
  const tail = pixelOf(eye, add(object.p, turned(object.quat, drag.at)));
  const [x, y] = drag.tip.map((value, k) => value - tail[k]), length = Math.hypot(x, y);
  const newtons = Math.min(N_PER_PX * length, facts.max_push_n);
  const duration = Number(find("push").elements.duration.value);
  const way = add(eye.right.map((c) => (x / length) * c), eye.up, -y / length);
  return { tail, length, newtons, duration, force: way.map((c) => newtons * c) };
}

function letPush(event) {
  if (!drag || event.pointerId !== drag.pointer) return;
  if (drag.refused) { drag = null; return; }
  event.stopPropagation();
  const push = dragged(), at = drag.at;
  dropDrag("");
  if (!push) return say("push: the picture is not there", true);
  if (push.length < LEAST_PX) return say("no push: drag farther, half a newton a pixel", false);
  send({ verb: "push", arguments: {
    force_n: push.force, duration_ms: push.duration, at_mm: at.map((x) => 1000 * x),
  } });
}

function dropDrag(why) {
  if (why && drag && !drag.refused) say(why, true);
  drag = null;
  find("tug").toggleAttribute("hidden", true);
  find("tugged").hidden = true;
}

// the object moves on while the pointer rests, and the state may forbid what was begun
function followDrag() {
  if (!drag || drag.refused) return;
  const why = whyNot("push");
  if (why) return dropDrag(`push: ${why}`);
  drawDrag();
}

function drawDrag() {
  const push = dragged();
  if (!push) return;
  const frame = drawing.getBoundingClientRect(), main = drawing.parentElement.getBoundingClientRect();
  const [tail, tip] = [push.tail, drag.tip].map(([x, y]) => [x + frame.left - main.left, y + frame.top - main.top]);
  const way = [0, 1].map((k) => (tip[k] - tail[k]) / Math.max(push.length, 1)), side = [-way[1], way[0]];
  const corner = (s) => tip.map((x, k) => x - 16 * way[k] + 7 * s * side[k]).join(" ");
  const line = find("tug").querySelector("line");
  for (const [k, name] of ["x", "y"].entries()) {
    line.setAttribute(`${name}1`, tail[k]);
    line.setAttribute(`${name}2`, tip[k]);
  }
  find("tug").querySelector("path").setAttribute("d", `M ${tip.join(" ")} L ${corner(1)} L ${corner(-1)} Z`);
  find("tug").toggleAttribute("hidden", false);
  const most = push.newtons >= facts.max_push_n ? " (the most)" : "";
  const label = find("tugged");
  label.textContent = `${push.newtons.toFixed(0)} N${most} for ${push.duration} ms`;
  label.hidden = false;
  label.style.left = `${Math.min(Math.max(tip[0] + 12, 4), main.width - label.offsetWidth - 4)}px`;
  label.style.top = `${Math.min(Math.max(tip[1] + 12, 4), main.height - label.offsetHeight - 4)}px`;
}

function grabIn(inner) {
  inner.addEventListener("pointerdown", takeHold, true);
  inner.addEventListener("pointermove", moveHold, true);
  inner.addEventListener("pointerup", letPush, true);
  for (const lost of ["pointercancel", "blur"]) inner.addEventListener(lost, () => dropDrag(""), true);
}
