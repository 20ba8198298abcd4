// Curves of the chosen variables, the last seconds of them: one chart a unit.
import { el, number } from "/web/dom.js";

const SPAN = 10;  // [s]
const COLOURS = ["#0a5eb5", "#c2561b", "#1a7444", "#8a3ab9", "#a4161a", "#00707c", "#6b5900", "#44505c"];
const UNITS = Object.entries({
  _n_m_s_per_rad: "N m s/rad", _a_s_per_rad: "A s/rad", _n_m_per_rad: "N m/rad", _n_m_per_a: "N m/A", _n_s_per_m: "N s/m", _n_per_m: "N/m", _k_per_w: "K/W", _j_per_k: "J/K",
  _kg_m2_rad_s: "kg m²/s", _kg_m2_s: "kg m²/s", _kg_m_s: "kg m/s", _kg_m2: "kg m²", _rad_s2: "rad/s²", _rad_s: "rad/s", _m_s2: "m/s²", _m_s: "m/s", _n_m_s: "N m s", _n_s: "N s", _n_m: "N m",
  _rad: "rad", _ohm: "Ω", _kg: "kg", _hz: "Hz", _mm: "mm", _ms: "ms", _mm_s: "mm/s", _deg: "°", _mpa: "MPa", _n_per_mm2: "N/mm²", _n_per_mm3: "N/mm³", _um_per_n: "µm/N", _m: "m", _n: "N", _k: "K", _a: "A", _v: "V", _w: "W", _j: "J", _h: "H", _s: "s",
}).sort(([a], [b]) => b.length - a.length);

export function unitOf(name) { return (UNITS.find(([ending]) => name.endsWith(ending)) || ["", ""])[1]; }

export function plainName(name) {
  const ending = (UNITS.find(([e]) => name.endsWith(e)) || [""])[0];
  return ending ? name.slice(0, -ending.length) : name;
}

export class Plots {
  constructor(place) {
    this.place = place;
    this.names = []; this.times = []; this.values = [];
    this.charts = [];
    new ResizeObserver(() => this.redraw()).observe(place);
  }

  clear() { this.names = []; this.times = []; this.values = []; this.charts = []; this.place.replaceChildren(); }

  take(names, samples) {
    if (names.join() !== this.names.join()) this.#choose(names);
    if (!samples.length) return;
    for (const [t, ...values] of samples) {
      if (this.times.length && t < this.times[this.times.length - 1]) this.#empty();
      this.times.push(t);
      values.forEach((value, k) => this.values[k].push(value));
    }
    const old = this.times.findIndex((t) => t >= this.times[this.times.length - 1] - SPAN);
    if (old > 200) {
      this.times.splice(0, old);
      for (const row of this.values) row.splice(0, old);
    }
    this.redraw();
  }

  redraw() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => { this.asked = false; for (const chart of this.charts) this.#draw(chart); });
  }

  #empty() { this.times = []; this.values = this.names.map(() => []); }

  #choose(names) {
    this.names = names;
    this.#empty();
    const groups = new Map();
    names.forEach((name, k) => groups.set(unitOf(name), [...(groups.get(unitOf(name)) || []), k]));
    this.charts = [...groups].map(([unit, rows]) => {
      // seven joints' torques are one word and seven joints
      const tails = new Set(rows.map((k) => plainName(names[k]).replace(/^[^.]*\./, ""))), common = rows.length > 1 && tails.size === 1;
      const label = (k) => (common ? names[k].slice(0, names[k].indexOf(".")) : plainName(names[k]));
      const canvas = el("canvas", { role: "img", "aria-label": `curves of ${rows.map((k) => names[k]).join(", ")}` });
      const legend = el("p", {}, ...rows.map((k, n) => {
        const dot = el("b", {}), value = el("output");
        dot.style.background = COLOURS[n % COLOURS.length];
        return el("span", { title: names[k] }, dot, label(k), " ", value);
      }));
      canvas.onpointermove = (event) => { this.pointed = event.offsetX / canvas.clientWidth; this.redraw(); };
      canvas.onpointerleave = () => { this.pointed = null; this.redraw(); };
      const box = el("figure", { "data-unit": unit }, el("figcaption", {}, el("strong", {}, [common ? [...tails][0] : "", unit].filter(Boolean).join(", ") || "–"), legend), canvas);
      return { unit, rows, canvas, legend, box };
    });
    this.place.replaceChildren(...(this.charts.length ? this.charts.map((chart) => chart.box)
      : [el("p", { class: "quiet" }, "Choose variables on the right: they are drawn here.")]));
  }

  #draw({ rows, canvas, legend }) {
    const scale = Math.min(2, window.devicePixelRatio || 1), width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width || !height || !this.times.length) return;
    if (canvas.width !== Math.round(scale * width) || canvas.height !== Math.round(scale * height)) {
      canvas.width = Math.round(scale * width); canvas.height = Math.round(scale * height);
    }
    const pen = canvas.getContext("2d"), last = this.times[this.times.length - 1], first = Math.max(0, last - SPAN);
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    pen.clearRect(0, 0, width, height);
    const [low, high] = this.#range(rows), LEFT = 52, BOTTOM = 15, inner = width - LEFT - 6, tall = height - BOTTOM - 5;
    const x = (t) => LEFT + (inner * (t - first)) / SPAN, y = (v) => 5 + tall * (1 - (v - low) / (high - low));
    pen.font = "11px system-ui, sans-serif"; pen.fillStyle = "#546475"; pen.strokeStyle = "#dfe6ec"; pen.lineWidth = 1;
    pen.textAlign = "right"; pen.textBaseline = "middle";
    for (const tick of ticks(low, high, Math.max(2, Math.floor(tall / 26)))) {
      pen.beginPath(); pen.moveTo(LEFT, y(tick)); pen.lineTo(width - 6, y(tick)); pen.stroke();
      pen.fillText(number(tick), LEFT - 5, y(tick));
    }
    pen.textAlign = "center"; pen.textBaseline = "alphabetic";
    for (let t = Math.ceil(first / 2) * 2; t <= first + SPAN + 1e-9; t += 2) pen.fillText(`${t} s`, Math.min(width - 14, x(t)), height - 3);
    const shown = this.#shown(first, width, LEFT, inner);
    if (this.pointed != null) { pen.strokeStyle = "#546475"; pen.beginPath(); pen.moveTo(x(this.times[shown]), 5); pen.lineTo(x(this.times[shown]), 5 + tall); pen.stroke(); }
    pen.lineWidth = 1.6; pen.lineJoin = "round";
    rows.forEach((k, n) => {
      pen.strokeStyle = COLOURS[n % COLOURS.length];
      pen.beginPath();
      let begun = false;
      this.times.forEach((t, i) => {
        if (t < first) return;
        if (begun) pen.lineTo(x(t), y(this.values[k][i])); else pen.moveTo(x(t), y(this.values[k][i]));
        begun = true;
      });
      pen.stroke();
      legend.children[n].querySelector("output").textContent = number(this.values[k][shown]);
    });
  }

  // the sample whose values are told: the newest, or the one under the pointer, in all charts alike
  #shown(first, width, left, inner) {
    const newest = this.times.length - 1;
    if (this.pointed == null) return newest;
    const t = first + (SPAN * (this.pointed * width - left)) / inner, found = this.times.findIndex((one) => one >= t);
    return found < 0 ? newest : found;
  }

  #range(rows) {
    let low = Infinity, high = -Infinity;
    for (const k of rows) for (const v of this.values[k]) { low = Math.min(low, v); high = Math.max(high, v); }
    if (!Number.isFinite(low)) return [-1, 1];
    const room = Math.max(0.08 * (high - low), 1e-6 + 0.02 * Math.max(Math.abs(low), Math.abs(high)));
    return [low - room, high + room];
  }
}

export function ticks(low, high, about) {
  const rough = (high - low) / about, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((m) => m * power >= rough) || 10), found = [];
  for (let k = Math.ceil(low / step); k * step <= high; k += 1) found.push(Number((k * step).toPrecision(12)));
  return found;
}


