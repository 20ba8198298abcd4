// The preview: the arm as it stands, a ghost of what would be joined, the camera; drawn only when something has changed.
import { camera, product, turnAboutZ, UNIT } from "/web/matrix.js";
import { Renderer } from "/web/renderer.js";
import { bodiesOf, extent, frame } from "/web/solids.js";

const FIELD = 0.6, CHOSEN = [0.04, 0.42, 0.82], GHOST = [0.1, 0.55, 0.35], EASE_MS = 90;

export class Stage {
  constructor(canvas, onPick) {
    this.canvas = canvas;
    this.renderer = new Renderer(canvas);
    this.eye = { azimuth: -0.95, elevation: 0.32, distance: 2.4, target: [0, 0, 0.45] };
    this.wanted = null;  // where the eye is on its way to
    this.bodies = [];    // { mesh, corners, unit, T, part }
    this.poses = [UNIT];
    this.tip = null;
    this.goal = null;
    this.chosen = -1;
    this.ghost = null;
    this.frames = true;
    this.meshes = new Map();
    this.arrows = this.renderer.mesh(frame(0.16, 0.0035));
    this.smallArrows = this.renderer.mesh(frame(0.1, 0.003));
    this.asked = false;
    this.touched = false;  // whoever has moved the camera keeps it, until all is to be shown again
    this.revision = -1;    // of the arm whose bodies are here
    this.#listen(onPick);
    new ResizeObserver(() => { if (!this.touched) this.fit(); this.redraw(); }).observe(canvas);
  }

  // parts with the bodies that they have in each unit; returns the names of those that cannot be drawn
  async show(state) {
    const loaded = new Map(), missing = [];
    this.wantedRevision = state.revision;
    await Promise.all([...new Set(state.parts.map((part) => part.component))].map(async (name) => {
      loaded.set(name, await this.#meshesOf(name).catch(() => { missing.push(name); return []; }));
    }));
    if (this.wantedRevision !== state.revision) return [];  // another arm has come meanwhile
    const bodies = [], count = new Map();
    state.units.forEach((unit, k) => {
      for (const placed of unit) {
        const n = count.get(placed.part) || 0;
        count.set(placed.part, n + 1);
        const solid = loaded.get(state.parts[placed.part].component)[n];
        if (solid && solid.corners.length) bodies.push({ ...solid, unit: k, T: placed.T, part: placed.part });
      }
    });
    this.bodies = bodies;
    this.revision = state.revision;
    this.redraw();
    return missing;
  }

  place(posture) {
    this.poses = posture.poses;
    this.tip = posture.tip;
    this.redraw();
  }

  choose(part) { this.chosen = part; this.redraw(); }

  // show what would be joined at the tip; null: nothing
  async suggest(card, turn = 0) {
    this.ghostWanted = card ? card.name : null;
    if (!card || !card.solid) { this.ghost = null; this.redraw(); return; }
    const solids = await this.#meshesOf(card.name).catch(() => []);
    if (this.ghostWanted !== card.name) return;
    const marker = this.tip && card.T_input_inverse ? product(product(this.tip, turnAboutZ(turn)), card.T_input_inverse) : UNIT;
    this.ghost = solids.map((solid) => ({ mesh: solid.mesh, T: product(marker, solid.T), tint: GHOST, tinted: 0.55, opacity: 0.55 }));
    this.redraw();
  }

  fit(slowly = true) {
    const drawn = this.bodies.filter((body) => this.poses[body.unit]);
    if (!drawn.length) return;
    const [low, high] = extent(drawn.map((body) => ({ corners: body.corners, T: product(this.poses[body.unit], body.T) })));
    const target = low.map((x, i) => (x + high[i]) / 2), size = Math.max(0.25, Math.hypot(...high.map((x, i) => x - low[i])));
    target[2] += 0.035 * size;  // the parts' names lie over the upper edge
    const { clientWidth, clientHeight } = this.canvas, narrow = Math.min(1, clientWidth / Math.max(1, clientHeight));
    this.wanted = { target, distance: (0.6 * size) / Math.tan(FIELD / 2) / narrow };
    this.eased = performance.now();
    this.touched = false;
    if (!slowly) { Object.assign(this.eye, this.wanted); this.wanted = null; }
    this.redraw();
  }

  redraw() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => { this.asked = false; this.#draw(); });
  }

  #draw() {
    if (this.wanted) {
      const { target, distance } = this.wanted, { eye } = this, now = performance.now();
      const share = 1 - Math.exp((this.eased - now) / EASE_MS);  // by the clock: slow machines get there as soon
      this.eased = now;
      eye.target = eye.target.map((x, i) => x + share * (target[i] - x));
      eye.distance += share * (distance - eye.distance);
      if (Math.abs(eye.distance - distance) < 0.002 * distance) this.wanted = null; else this.redraw();
    }
    const view = this.#view();
    if (!view) return;
    const things = this.#solids();
    if (this.frames) {
      things.push({ mesh: this.arrows, T: UNIT });
      if (this.tip) things.push({ mesh: this.smallArrows, T: this.tip });
    }
    if (this.goal) things.push({ mesh: this.smallArrows, T: this.goal, tint: CHOSEN, tinted: 0.6, opacity: 0.6 });
    this.renderer.draw(view, [...things, ...(this.ghost || [])], Math.max(1.5, 1.3 * this.eye.distance));
    this.canvas.dataset.drawn = this.bodies.length;
  }

  #solids() {
    return this.bodies.filter((body) => this.poses[body.unit]).map((body) => ({
      mesh: body.mesh, T: product(this.poses[body.unit], body.T), part: body.part,
      tint: CHOSEN, tinted: body.part === this.chosen ? 0.55 : 0,
    }));
  }

  #view() {
    const scale = Math.min(2, window.devicePixelRatio || 1);
    const width = Math.round(scale * this.canvas.clientWidth), height = Math.round(scale * this.canvas.clientHeight);
    if (!width || !height) return null;
    const { azimuth, elevation, distance, target } = this.eye, flat = Math.cos(elevation);
    const eye = [flat * Math.cos(azimuth), flat * Math.sin(azimuth), Math.sin(elevation)].map((x, i) => target[i] + distance * x);
    return { ...camera(eye, target, FIELD, width / height, 0.02 * distance, 40 * distance), eye, width, height, scale };
  }

  async #meshesOf(name) {
    if (!this.meshes.has(name)) {
      const bodies = await bodiesOf(name);
      if (!this.meshes.has(name)) this.meshes.set(name, bodies.map((body) => ({ ...body, mesh: this.renderer.mesh(body) })));
    }
    return this.meshes.get(name);
  }

  #listen(onPick) {
    const { canvas } = this;
    let last = null, way = 0;
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      last = [event.clientX, event.clientY]; way = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!last) return;
      const dx = event.clientX - last[0], dy = event.clientY - last[1];
      last = [event.clientX, event.clientY]; way += Math.abs(dx) + Math.abs(dy);
      if (way < 4) return;
      if (event.buttons & 2 || event.shiftKey) this.pan(dx, dy); else this.turn(-0.008 * dx, 0.008 * dy);
    });
    canvas.addEventListener("pointerup", (event) => {
      if (last && way < 4 && event.button === 0) onPick(this.#partAt(event.offsetX, event.offsetY));
      last = null;
    });
    canvas.addEventListener("pointercancel", () => { last = null; });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => { event.preventDefault(); this.zoom(Math.exp(0.0012 * event.deltaY)); }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, 0.08], ArrowDown: [0, -0.08] }[event.key];
      if (step && event.shiftKey) this.pan(-300 * step[0], 300 * step[1]);
      else if (step) this.turn(...step);
      else if (event.key === "+" || event.key === "=") this.zoom(0.9);
      else if (event.key === "-") this.zoom(1.1);
      else return;
      event.preventDefault();
    });
  }

  turn(azimuth, elevation) {
    this.eye.azimuth += azimuth;
    this.eye.elevation = Math.max(-1.45, Math.min(1.5, this.eye.elevation + elevation));
    this.redraw();
  }

  pan(dx, dy) {
    const view = this.#view();
    if (!view) return;
    const scale = (2 * this.eye.distance * Math.tan(FIELD / 2)) / this.canvas.clientHeight;
    this.eye.target = this.eye.target.map((x, i) => x - scale * dx * view.right[i] + scale * dy * view.up[i]);
    this.touched = true; this.wanted = null;
    this.redraw();
  }

  zoom(factor) {
    this.eye.distance = Math.max(0.05, Math.min(60, this.eye.distance * factor));
    this.touched = true; this.wanted = null;
    this.redraw();
  }

  #partAt(x, y) {
    const view = this.#view(), things = this.#solids();
    const hit = this.renderer.at(view, things, Math.round(view.scale * x), Math.round(view.scale * y));
    this.redraw();
    return hit < 0 ? -1 : things[hit].part;
  }
}

// small pictures of components, one after the other in a canvas that nobody sees
export class Painter {
  constructor(width, height) {
    this.renderer = new Renderer(Object.assign(document.createElement("canvas"), { width, height }));
    this.width = width; this.height = height;
  }

  async paint(name, canvas) {
    const bodies = await bodiesOf(name);
    if (!bodies.some((body) => body.corners.length)) return false;
    const [low, high] = extent(bodies), target = low.map((x, i) => (x + high[i]) / 2);
    const size = Math.max(0.02, Math.hypot(...high.map((x, i) => x - low[i]))), distance = (0.52 * size) / Math.tan(0.22);
    const eye = [0.62, -0.66, 0.42].map((x, i) => target[i] + distance * x);
    const view = { ...camera(eye, target, 0.44, this.width / this.height, 0.05 * distance, 10 * distance), eye, width: this.width, height: this.height };
    const made = bodies.map((body) => ({ mesh: this.renderer.mesh(body), T: body.T }));
    this.renderer.draw(view, made, 0);
    canvas.getContext("2d").drawImage(this.renderer.canvas, 0, 0, canvas.width, canvas.height);
    for (const { mesh } of made) this.renderer.forget(mesh);
    return true;
  }
}


