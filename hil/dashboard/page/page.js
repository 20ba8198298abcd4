"use strict";
// The page shows what it is told and asks for what is pressed; what is allowed the daemon decides.
const STALE_MS = 1000, RETRY_MS = 500, GROWN_MS = 10000;
const SYMBOLS = { STOPPED: "■", READY: "●", APPROACHING: "➜", CALIBRATING: "↻", FLOATING: "▶", HOLDING: "❚❚", FAULT: "✖", "NO CONNECTION": "?" };
const QUALITY = ["unacceptable", "bad", "ok", "perfect"];
const LOST = {
  state: "NO CONNECTION", reason: "", meaning: "The dashboard does not answer. What is shown is old.",
  next: "Use the emergency stop if the arm must stand. This page comes back by itself.", forbidden: null,
};
const find = (id) => document.getElementById(id);
const risen = {};  // counters: the last value, and when it has grown
let socket = null, heard = -Infinity, ticked = -Infinity;
let facts = {}, newest = LOST;  // what was told once, and last

function connect() {
  socket = new WebSocket(`ws://${location.host}/news`);
  socket.onmessage = (event) => take(JSON.parse(event.data));
  socket.onclose = () => {
    letGo("");
    unanswered = 0;
    show(LOST);
    setTimeout(connect, RETRY_MS);
    fetch("/page.js", { cache: "no-store" }).then((answer) => {
      if (answer.status === 403) say("This page belongs to another run: open the address that the run prints.", true);
    }, () => {});
  };
}

function take(told) {
  if ("facts" in told) return begin(told.facts);
  if (HELD.has(told.verb)) return granted(told);
  if (told.verb === "beat") return told.accepted ? undefined : letGo(told.text);
  if ("accepted" in told) return say(told.text || "done", !told.accepted);
  if (!("state" in told)) return;
  heard = performance.now();
  show(told);
}

function begin(told) {
  facts = told;
  document.dispatchEvent(new CustomEvent("begun", { detail: told }));
  find("caps").textContent = `at most ${told.max_speed_mm_s.toFixed(0)} mm/s, ${told.max_spin_deg_s.toFixed(0)} deg/s`;
  wakeDrawing();
}

function show(told) {
  const state = told.state;
  newest = told;
  if (document.body.dataset.state !== state) document.body.dataset.state = state;
  put("word", state);
  put("symbol", SYMBOLS[state] || "");
  put("reason", told.reason ? `${told.reason}.` : "");
  put("meaning", told.meaning);
  put("next", told.next);
  put("warning", told.warning ? `Warning: ${told.warning}.` : "");
  document.title = `${state} – zero-g emulator`;
  for (const control of document.querySelectorAll("[data-control]")) {
    const why = whyNot(control.dataset.control);
    control.disabled = Boolean(why) && control !== held?.button;
    if (control.tagName === "BUTTON") control.title = why;
  }
  // news that left before the box was ticked are not to untick it
  if (told.axes !== undefined && performance.now() - ticked > STALE_MS) find("axes").checked = told.axes;
  if (told.live) count(told);
  followDrag();
  document.dispatchEvent(new CustomEvent("told", { detail: told }));
}

// why a control does nothing now, in words; empty where it does
const whyNot = (control) => (newest.forbidden ? newest.forbidden[control] : "no connection");

function count(told) {
  put("pushes", told.pushes); put("holds", told.holds); put("faults", told.faults, grown("faults", told.faults));
  put("floated", fixed(told.floated_s, 0, "s"));
  put("rate", fixed(told.rate, 2, ""));
  put("speed", fixed(told.speed_mm_s, 0, told.capped ? "mm/s, CUT" : "mm/s"), told.capped);
  put("spin", fixed(told.spin_deg_s, 1, "deg/s"));
  find("dock").hidden = !told.docking;
  put("docking", told.docking || "–", told.docking === "jammed" || told.docking === "lost");
  find("fasten").hidden = !told.fastened;
  put("fastened", told.fastened || "–");
  for (const id of ["acts", "touching", "timed"]) find(id).hidden = !told.force_acts;
  put("force_acts", told.force_acts);
  put("contact", told.touch);
  put("drives", told.drives);
  find("carried").hidden = !told.base;
  put("base", told.base === "well" ? fixed(told.base_error_mm, 1, "mm off its path") : told.base, told.base !== "well");
  find("grasps").hidden = !told.grasp;
  put("grasp", told.grasp_told || told.grasp, !!told.grasp_why);
  put("gap", fixed(told.gap_mm, 2, "mm"));
  put("quality", told.quality === null ? "–" : QUALITY[told.quality], told.quality === 0);
  put("missed", told.missed, grown("missed", told.missed));
  find("busy").hidden = !(told.waited_s >= 0.1);
  find("paced").hidden = !(typeof told.pace === "number" && told.pace < 0.95);
  put("pace", fixed(told.pace, 2, "of real time"));
  put("waited", fixed(told.waited_s, 1, "s waited"), grown("waited", told.waited_s));
  put("lost", told.lost_packets, grown("lost", told.lost_packets));
  put("own", fixed(told.sample_to_command_p50_us, 0, "µs"));
  put("ring", told.ring_p50_us ? fixed(told.ring_p50_us / 1000, 1, "ms") : "–");
  put("threshold", fixed(told.derivative_threshold_n_per_s, 0, ""));
  for (const [name, value] of Object.entries(told.thresholds || {})) {
    const slider = find("thresholds").elements[name];
    if (document.activeElement !== slider) slide(slider, value);
  }
}

// true for a while after a count of something unwanted has grown before the operator's eyes
function grown(name, value) {
  const last = risen[name] || { value, at: -Infinity };
  risen[name] = value > last.value ? { value, at: performance.now() } : { value, at: last.at };
  return performance.now() - risen[name].at < GROWN_MS;
}

function put(id, value, bad = false) {
  const text = value === null || value === undefined ? "–" : String(value), place = find(id);
  if (place.textContent !== text) place.textContent = text;
  place.classList.toggle("bad", bad);
}

function fixed(value, digits, unit) {
  return value === null || value === undefined ? "–" : `${value.toFixed(digits)} ${unit}`.trim();
}

function slide(slider, value) {
  slider.value = value;
  slider.parentElement.querySelector("output").textContent = Number(slider.value);
}

function say(text, refused) {
  find("answer").textContent = text;
  find("answer").classList.toggle("refused", refused);
}

function send(asked) {
  if (socket.readyState !== WebSocket.OPEN) {
    say("Not sent: no connection. Use the emergency stop if the arm must stand.", true);
    return;
  }
  socket.send(JSON.stringify(asked));
}

const numbers = (form, names) => names.map((name) => Number(form.elements[name].value));

function push(form) {
  const direction = numbers(form, ["x", "y", "z"]), length = Math.hypot(...direction);
  if (!(length > 0)) return say("push: the direction must not be zero", true);
  const [force, duration] = numbers(form, ["force", "duration"]);
  send({ verb: "push", arguments: {
    force_n: direction.map((x) => (force * x) / length), duration_ms: duration, at_mm: numbers(form, ["px", "py", "pz"]),
  } });
}

find("stop").onclick = () => send({ verb: "stop" });
for (const button of find("verbs").children) button.onclick = () => send({ verb: button.dataset.control });
find("push").onsubmit = (event) => { event.preventDefault(); push(event.target); };
find("motion").onsubmit = (event) => {
  event.preventDefault();
  const form = event.target;
  send({ verb: "float", arguments: {
    velocity_mm_s: numbers(form, ["vx", "vy", "vz"]), spin_deg_s: numbers(form, ["wx", "wy", "wz"]),
  } });
};
find("thresholds").onsubmit = (event) => event.preventDefault();
for (const slider of document.querySelectorAll(".slide input")) {
  slide(slider, slider.value);
  slider.oninput = () => slide(slider, slider.value);
}
for (const slider of find("thresholds").elements) {
  slider.onchange = () => send({ verb: "thresholds", arguments: { [slider.name]: Number(slider.value) } });
}
find("axes").onchange = (event) => { ticked = performance.now(); send({ axes: event.target.checked }); };
history.replaceState(null, "", "/");
document.addEventListener("DOMContentLoaded", () => {  // when the other files are there
  setInterval(() => { if (performance.now() - heard > STALE_MS) show(LOST); }, 200);
  connect();
});
