"use strict";
// A recording on the page: a bar with a time slider below the picture. It is loaded before the page's own
// scripts, so that keys are the player's; what acts on an arm is out of sight, and refused by who is asked.
const KIND_NAMES = { push: "push", contact: "contact", hold: "hold", fault: "fault" };
const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 5, 10];
const STATE_COLOURS = { S: "#57606a", R: "#0b5cad", A: "#6b3fa0", F: "#1a7431", H: "#8a5a00", X: "#a4161a", D: "#000", ".": "#d0d7de" };
const MARK_COLOURS = { push: "#d9660a", contact: "#dc1e1e", hold: "#8a5a00", fault: "#a4161a" };
const SEEK_MS = 60, STEP_S = 1, WAIT_MS = 400;  // between two seeks of a drag; of an arrow key; a seek's echo
const player = { told: null, bar: null, sought: -Infinity, due: null, drawn: "" };

const made = (tag, attributes = {}, ...inside) => {
  const node = Object.assign(document.createElement(tag), attributes);
  node.append(...inside);
  return node;
};
const clockOf = (t) => {
  const whole = Math.floor(t / 60);
  return `${whole}:${(t - 60 * whole).toFixed(2).padStart(5, "0")}`;
};

function buildBar() {
  const button = (id, text, title, act) => made("button", { id, type: "button", textContent: text, title, onclick: act });
  const play = button("play", "❚❚", "play or pause (space)", playOrPause);
  const slider = made("input", { id: "time", type: "range", min: 0, step: 0.01, value: 0 });
  slider.setAttribute("aria-label", "time in the recording");
  slider.oninput = () => seek(Number(slider.value));
  const line = made("canvas", { id: "line", width: 600, height: 12 });
  line.setAttribute("aria-hidden", "true");
  const speed = made("select", { id: "speedup", title: "how fast (- and +)" },
    ...SPEEDS.map((x) => made("option", { value: x, textContent: `${x}×`, selected: x === 1 })));
  speed.onchange = () => send({ verb: "speed", arguments: { factor: Number(speed.value) } });
  const jumps = Object.entries(KIND_NAMES).map(([kind, name]) => made("span", { className: `jump ${kind}` },
    button(`${kind}-back`, "◀", `the ${name} before`, () => jump(kind, true)), made("b", { textContent: name }),
    button(`${kind}-on`, "▶", `the next ${name}`, () => jump(kind, false))));
  const bar = made("section", { id: "player" },
    made("div", { id: "track" }, line, slider),
    made("div", { id: "handles" }, play, made("output", { id: "clock", textContent: "–" }), speed, ...jumps,
      made("small", { id: "looked" })));
  bar.setAttribute("aria-label", "player");
  return bar;
}

function beginRecording(recording) {
  document.body.classList.add("recorded");
  if (player.bar) return;
  Object.assign(LOST, {
    meaning: "The player does not answer: it has ended, or is busy.", next: "start `zerog show` again; this page comes back by itself.",
  });
  player.bar = buildBar();
  document.querySelector("main").append(player.bar);
  find("time").max = recording.length_s;
  document.querySelector("#see .path").nextSibling.textContent = "its way, 2 s on";
  find("stopping").replaceChildren(made("strong", { id: "inert", textContent: "RECORDING" }),
    made("small", { textContent: "nothing here acts on an arm" }));
  const lacks = recording.lacks.map((text) => made("li", { textContent: text }));
  document.querySelector("aside").prepend(made("section", { id: "recording" },
    made("h2", { textContent: recording.name }), made("p", { textContent: `${recording.how}, ${recording.length_s.toFixed(1)} s` }),
    made("p", { id: "lost-part", hidden: true }), ...(lacks.length ? [made("h3", { textContent: "Not in it" }), made("ul", {}, ...lacks)] : [])));
  if (recording.undrawn) {
    document.querySelector("main").append(made("div", { id: "undrawn" }, made("strong", { textContent: "Neither picture nor curves can be drawn." }),
      made("span", { textContent: recording.undrawn })));
  }
}

function showPlayer(told) {
  if (!told || !player.bar) return;
  player.told = told;
  find("play").textContent = told.playing ? "❚❚" : "▶";
  find("play").setAttribute("aria-pressed", told.playing);
  // what was sought a moment ago is not to be taken back by news that left before
  if (performance.now() - player.sought > WAIT_MS) find("time").value = told.t_s;
  find("clock").textContent = `${clockOf(Number(find("time").value))} / ${clockOf(told.length_s)}`;
  find("time").setAttribute("aria-valuetext", find("clock").textContent);
  if (document.activeElement !== find("speedup")) find("speedup").value = told.speed;
  find("looked").textContent = told.looked < 1 ? `looking through: ${Math.floor(100 * told.looked)} %` : "";
  const part = find("lost-part");
  part.hidden = !told.lost;
  part.textContent = `Lost: ${told.lost}.`;
  for (const kind of Object.keys(KIND_NAMES)) {
    const none = !told.marks[kind].length;
    for (const end of ["back", "on"]) find(`${kind}-${end}`).disabled = none;
    if (kind === "contact") find("contact-on").parentElement.hidden = none;  // where force acts as pushes
  }
  drawLine(told);
}

// the states as colours, and above them a tick for each push, contact, hold and fault
function drawLine(told) {
  const now = told.states + JSON.stringify(told.marks);
  if (now === player.drawn) return;
  player.drawn = now;
  const pen = find("line").getContext("2d");
  pen.clearRect(0, 0, 600, 12);
  [...told.states].forEach((letter, cell) => {
    pen.fillStyle = STATE_COLOURS[letter];
    pen.fillRect(cell, 7, 1, 5);
  });
  for (const [kind, cells] of Object.entries(told.marks)) {
    pen.fillStyle = MARK_COLOURS[kind];
    for (const cell of cells) pen.fillRect(cell - 0.5, 0, 2, 7);
  }
}

function seek(t) {
  for (const name of Object.keys(risen)) delete risen[name];  // a count of another time has not grown
  player.sought = performance.now();
  find("clock").textContent = `${clockOf(t)} / ${clockOf(player.told ? player.told.length_s : 0)}`;
  if (player.due !== null) { player.wanted = t; return; }
  send({ verb: "seek", arguments: { t_s: t } });
  player.wanted = null;
  player.due = setTimeout(() => {
    player.due = null;
    if (player.wanted !== null) seek(player.wanted);
  }, SEEK_MS);
}

function jump(kind, back) {
  player.sought = -Infinity;
  send({ verb: "jump", arguments: { kind, back } });
}

const playOrPause = () => send({ verb: player.told && player.told.playing ? "pause" : "play" });

function step(by) {
  const t = Math.min(Math.max(Number(find("time").value) + by, 0), player.told.length_s);
  find("time").value = t;
  seek(t);
}

function faster(by) {
  const at = SPEEDS.findIndex((x) => x >= player.told.speed - 1e-9);
  const factor = SPEEDS[Math.min(Math.max(at + by, 0), SPEEDS.length - 1)];
  find("speedup").value = factor;
  send({ verb: "speed", arguments: { factor } });
}

const KEYS = {
  " ": playOrPause, ArrowLeft: () => step(-STEP_S), ArrowRight: () => step(STEP_S), "+": () => faster(1), "-": () => faster(-1),
  Escape: () => {}, Home: () => seek(0),
};

function onPlayerKey(event) {
  if (!player.bar || event.ctrlKey || event.altKey || event.metaKey || !(event.key in KEYS)) return;
  if (event.target.closest && event.target.closest("select")) return;
  event.preventDefault();
  event.stopImmediatePropagation();  // on the live page the same keys stop and hold an arm
  if (player.told) KEYS[event.key]();
}

function listenIn(inner) {
  if (inner.isListened) return;
  inner.isListened = true;
  inner.addEventListener("keydown", onPlayerKey, true);
}

window.addEventListener("keydown", onPlayerKey, true);
document.getElementById("drawing").addEventListener("load", (event) => listenIn(event.target.contentWindow));
document.addEventListener("DOMContentLoaded", () => listenIn(document.getElementById("drawing").contentWindow));
document.addEventListener("begun", (event) => { if (event.detail.recording) beginRecording(event.detail.recording); });
document.addEventListener("told", (event) => showPlayer(event.detail.player));
