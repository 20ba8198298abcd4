// A slider for each joint, and what each has to hold where it stands.
import { el, find, put, shown } from "/web/dom.js";

export class Joints {
  constructor(onMove) {
    this.onMove = onMove;
    this.kept = new Map();  // positions by the joint's name: a joint that comes back stands where it stood
    this.joints = [];
    this.q = [];
    find("zero").onclick = () => this.set(this.joints.map((joint) => clip(0, joint)));
    find("middle").onclick = () => this.set(this.joints.map((joint) => (joint.lower + joint.upper) / 2));
  }

  show(joints) {
    const same = JSON.stringify(joints) === JSON.stringify(this.joints);
    this.joints = joints;
    this.q = joints.map((joint) => clip(this.kept.get(joint.name) ?? 0, joint));
    for (const button of [find("zero"), find("middle")]) button.disabled = !joints.length;
    if (!same || !joints.length) {
      find("joints").replaceChildren(...(joints.length ? joints.map((joint, k) => this.#row(joint, k))
        : [el("p", { class: "quiet" }, "An arm with joints has a slider for each here.")]));
      this.rows = [...find("joints").children];
    }
    this.#place();
  }

  set(q) {
    this.q = q;
    this.joints.forEach((joint, k) => this.kept.set(joint.name, q[k]));
    this.#place();
    this.onMove(q);
  }

  // a run moves the joints: sliders follow
  follow(q, driven) {
    this.q = q;
    this.joints.forEach((joint, k) => this.kept.set(joint.name, q[k]));
    for (const row of this.rows || []) for (const input of row.querySelectorAll("input")) input.disabled = driven;
    this.#place();
  }

  #row(joint, k) {
    const [scale, unit] = shown(joint), id = `joint-${k}`;
    const limits = { min: scale * joint.lower, max: scale * joint.upper, step: "any" };
    const slider = el("input", { type: "range", id, ...limits, "data-joint": joint.name });
    const exact = el("input", { type: "number", ...limits, "aria-label": `${joint.name}, ${unit}` });
    const move = (value) => { const q = [...this.q]; q[k] = clip(value / scale, joint); this.set(q); };
    slider.oninput = () => move(Number(slider.value));
    exact.onchange = () => (exact.value === "" ? this.#place() : move(Number(exact.value)));
    return el("div", { class: "joint" }, el("label", { for: id }, joint.name), slider, exact, el("i", {}, unit));
  }

  #place() {
    (this.rows || []).forEach((row, k) => {
      const joint = this.joints[k];
      if (!joint) return;
      const [slider, exact] = row.querySelectorAll("input"), value = shown(joint)[0] * this.q[k];
      slider.value = value;
      if (document.activeElement !== exact || exact.value === "") exact.value = Number(value.toFixed(1));
    });
  }
}

function clip(value, joint) { return Math.min(joint.upper, Math.max(joint.lower, value)); }

export function tipInWords(tip) {
  if (!tip) return "";
  const turn = Math.acos(Math.max(-1, Math.min(1, tip[10]))) * (180 / Math.PI);
  return `tip ${[tip[3], tip[7], tip[11]].map((x) => (1000 * x).toFixed(0)).join("  ")} mm, ${turn.toFixed(0)}° from upright`;
}

export function showTip(tip) { put(find("tip"), tipInWords(tip)); }


