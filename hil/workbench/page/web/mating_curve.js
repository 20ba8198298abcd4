// A course over depth or time, below it the phases as a band; a click or a drag leads to a row.
import { number } from "/web/dom.js";
import { ticks } from "/web/plots.js";

const BAND = ["#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#0072b2", "#999999"];
const LEFT = 54, RIGHT = 12, TOP = 8, STRIP = 18, BOTTOM = 18;

export class Curve {
  constructor(canvas, onRow) {
    this.canvas = canvas; this.onRow = onRow; this.row = 0; this.data = null;
    const lead = (event) => {
      if (!this.data || (event.type === "pointermove" && !event.buttons)) return;
      if (event.type === "pointerdown") canvas.setPointerCapture(event.pointerId);
      this.onRow(this.#nearest(event.offsetX));
    };
    canvas.onpointerdown = lead;
    canvas.onpointermove = lead;
    canvas.onkeydown = (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -50, PageDown: 50, Home: -Infinity, End: Infinity }[event.key];
      if (!step || !this.data) return;
      event.preventDefault();
      this.onRow(Math.max(0, Math.min(this.data.x.length - 1, this.row + step)));
    };
    new ResizeObserver(() => this.redraw()).observe(canvas);
  }

  show(data) {
    this.data = data;
    this.canvas.setAttribute("aria-label", `${data.label}; arrow keys go through it`);
    this.redraw();
  }

  point(row) { this.row = row; this.redraw(); }

  redraw() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => { this.asked = false; this.#draw(); });
  }

  #scales() {
    const { x, y } = this.data, width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    const [x0, x1] = range(x, 0), [y0, y1] = range(y, 0.06), inner = width - LEFT - RIGHT, tall = height - TOP - STRIP - BOTTOM;
    return { width, height, x0, x1, y0, y1, inner, tall, px: (v) => LEFT + (inner * (v - x0)) / (x1 - x0), py: (v) => TOP + tall * (1 - (v - y0) / (y1 - y0)) };
  }

  #nearest(offset) {
    const { x0, x1, inner } = this.#scales(), at = x0 + ((offset - LEFT) / inner) * (x1 - x0);
    return this.data.x.reduce((best, v, k, all) => (Math.abs(v - at) < Math.abs(all[best] - at) ? k : best), 0);
  }

  #draw() {
    const scale = Math.min(2, window.devicePixelRatio || 1), { canvas } = this;
    if (!this.data || !canvas.clientWidth || !canvas.clientHeight) return;
    const s = this.#scales(), { x, y, bands, unit } = this.data;
    if (canvas.width !== Math.round(scale * s.width) || canvas.height !== Math.round(scale * s.height)) {
      canvas.width = Math.round(scale * s.width); canvas.height = Math.round(scale * s.height);
    }
    const pen = canvas.getContext("2d");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, s.width, s.height);
    pen.font = "11px system-ui, sans-serif";
    this.#band(pen, s, x, bands);
    pen.lineWidth = 1; pen.textAlign = "right"; pen.textBaseline = "middle";
    for (const tick of ticks(s.y0, s.y1, Math.max(2, Math.floor(s.tall / 30)))) {
      pen.strokeStyle = tick === 0 ? "#7c8b99" : "#dfe6ec";
      pen.beginPath(); pen.moveTo(LEFT, s.py(tick)); pen.lineTo(s.width - RIGHT, s.py(tick)); pen.stroke();
      pen.fillStyle = "#546475";
      pen.fillText(number(tick), LEFT - 5, s.py(tick));
    }
    pen.textAlign = "center"; pen.textBaseline = "alphabetic";
    for (const tick of ticks(s.x0, s.x1, Math.max(3, Math.floor(s.inner / 90)))) pen.fillText(`${number(tick)} ${unit}`, Math.max(LEFT + 12, Math.min(s.width - 22, s.px(tick))), s.height - 4);
    pen.strokeStyle = "#0a5eb5"; pen.lineWidth = 1.8; pen.lineJoin = "round";
    pen.beginPath();
    let begun = false;
    x.forEach((v, k) => {
      if (v === null || y[k] === null) { begun = false; return; }
      if (begun) pen.lineTo(s.px(v), s.py(y[k])); else pen.moveTo(s.px(v), s.py(y[k]));
      begun = true;
    });
    pen.stroke();
    const at = s.px(x[this.row]), high = y[this.row];
    pen.strokeStyle = "#14202e"; pen.lineWidth = 1.2;
    pen.beginPath(); pen.moveTo(at, TOP); pen.lineTo(at, TOP + s.tall + STRIP); pen.stroke();
    if (high !== null) { pen.fillStyle = "#a4161a"; pen.beginPath(); pen.arc(at, s.py(high), 4.5, 0, 2 * Math.PI); pen.fill(); }
  }

  #band(pen, s, x, bands) {
    const names = [...new Set(bands.map((band) => band.name).filter(Boolean))];
    pen.textAlign = "center"; pen.textBaseline = "middle";
    for (const { name, begin, end } of bands) {
      if (!name) continue;
      const low = s.px(x[begin]), wide = s.px(x[Math.min(end, x.length - 1)]) - low, top = TOP + s.tall;
      pen.fillStyle = BAND[names.indexOf(name) % BAND.length];
      pen.globalAlpha = 0.1; pen.fillRect(low, TOP, wide, s.tall);
      pen.globalAlpha = 0.45; pen.fillRect(low, top, wide, STRIP);
      pen.globalAlpha = 1;
      pen.fillStyle = "#14202e";
      if (pen.measureText(name).width < wide - 4) pen.fillText(name, low + wide / 2, top + STRIP / 2);
    }
  }
}

function range(values, room) {
  let low = Infinity, high = -Infinity;
  for (const v of values) if (v !== null) { low = Math.min(low, v); high = Math.max(high, v); }
  if (!Number.isFinite(low)) return [-1, 1];
  const more = high > low ? room * (high - low) : Math.max(1e-9, 0.1 * Math.abs(high));
  return [low - more, high + more];
}
