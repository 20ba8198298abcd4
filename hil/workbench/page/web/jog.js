// The page's own 6-D jog and the browser's gamepad: six deflections, said again and again while something is held.
import { el } from "/web/dom.js";

const EVERY_MS = 50, DEAD = 0.12;
// keys by their place on the keyboard, so that they lie alike on every layout
const KEYS = { KeyD: [0, 1], KeyA: [0, -1], KeyW: [1, 1], KeyS: [1, -1], KeyE: [2, 1], KeyQ: [2, -1], KeyL: [4, 1], KeyJ: [4, -1], KeyI: [3, -1], KeyK: [3, 1], KeyO: [5, -1], KeyU: [5, 1] };
const ROWS = [
  ["move", [["x", 0, "A", "D"], ["y", 1, "S", "W"], ["z", 2, "Q", "E"]]],
  ["turn", [["x", 3, "I", "K"], ["y", 4, "J", "L"], ["z", 5, "O", "U"]]],
];

export class Jog {
  constructor(onPush) {
    this.onPush = onPush;
    this.held = new Map();  // what holds an axis: a button or a key
    this.strength = 0.5;
    this.active = false;
    this.moving = false;
    for (const lost of ["blur", "pagehide"]) window.addEventListener(lost, () => this.release());
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.release(); });
    document.addEventListener("keydown", (event) => {
      if (!this.active || document.body.dataset.view === "mating" || event.ctrlKey || event.metaKey || event.altKey || !(event.code in KEYS)) return;
      if (event.target.matches("input:not([type=range]):not([type=checkbox]), select, textarea") || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      this.held.set(event.code, KEYS[event.code]);
    });
    document.addEventListener("keyup", (event) => this.held.delete(event.code));
    setInterval(() => this.#say(), EVERY_MS);
  }

  pad() {
    const strength = el("input", { type: "range", min: 0.05, max: 1, step: 0.05, value: this.strength, "aria-label": "strength", oninput: (event) => { this.strength = Number(event.target.value); } });
    this.told = el("p", { class: "quiet", id: "gamepad" });
    return el("div", { id: "jog", role: "group", "aria-label": "jog" },
      ...ROWS.map(([words, axes]) => el("div", { class: "axes" }, el("span", {}, words), ...axes.flatMap(([name, axis, minus, plus]) => [
        this.#button(`${name} −`, axis, -1, minus, `${words} ${name}, negative`), this.#button(`${name} +`, axis, 1, plus, `${words} ${name}, positive`)]))),
      el("label", { class: "axes" }, el("span", {}, "strength"), strength), this.told);
  }

  release() { this.held.clear(); }

  #button(text, axis, sign, key, label) {
    const button = el("button", { type: "button", "aria-label": label, title: `${label}: hold, or key ${key}`, "data-axis": `${axis}${sign > 0 ? "+" : "-"}` }, text, el("kbd", {}, key));
    button.onpointerdown = (event) => {
      if (event.button !== 0) return;
      button.setPointerCapture(event.pointerId);
      this.held.set(button, [axis, sign]);
    };
    for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) button.addEventListener(end, () => this.held.delete(button));
    button.onkeydown = (event) => { if (event.key === " " || event.key === "Enter") { event.preventDefault(); this.held.set(button, [axis, sign]); } };
    button.onkeyup = () => this.held.delete(button);
    button.onblur = () => this.held.delete(button);
    return button;
  }

  #say() {
    const axes = [0, 0, 0, 0, 0, 0];
    if (!this.active) { this.moving = false; return; }
    for (const [axis, sign] of this.held.values()) axes[axis] += sign * this.strength;
    const pad = [...(navigator.getGamepads?.() || [])].find((one) => one && one.connected);
    if (pad) stick(pad).forEach((value, k) => { axes[k] += value; });
    if (this.told) this.told.textContent = pad ? `gamepad: ${pad.id.slice(0, 40)}` : "a gamepad moves it too: press one of its buttons";
    const pushed = axes.some((value) => value !== 0);
    if (pushed || this.moving) this.onPush(axes.map((value) => Math.max(-1, Math.min(1, value))));
    this.moving = pushed;
  }
}

// sticks move, triggers lift; with the left shoulder button held the sticks turn
function stick(pad) {
  const live = (value) => (Math.abs(value) > DEAD ? value : 0), [lx, ly, rx, ry] = pad.axes.map(live);
  const lift = live((pad.buttons[7]?.value || 0) - (pad.buttons[6]?.value || 0));
  return pad.buttons[4]?.pressed ? [0, 0, 0, -(ly || 0), -(lx || 0), -(rx || 0)] : [-(ly || 0), -(lx || 0), lift, 0, -(ry || 0), -(rx || 0)];
}
