// The cut through the parts at one instant: outlines, contact points, forces on the moving part as arrows.
import { el, find, number, put } from "/web/dom.js";

const SPACE = "http://www.w3.org/2000/svg", LONGEST = 0.3, POINT_PX = 4.5, TEXT_PX = 12, HEAD_PX = 9, LEAST_PX = 3;

function shape(tag, attributes, ...children) {
  const made = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const outline = (points, kind) => shape("polygon", { points: points.map(([x, y]) => `${x},${-y}`).join(" "), class: kind });

export class Cut {
  constructor(place) {
    this.place = place; this.last = null; this.picture = null;
    new ResizeObserver(() => { if (this.last) this.draw(this.last); }).observe(place);
  }

  none(why) {
    this.last = null;
    this.place.replaceChildren();
    put(find("mating-legend"), why);
  }

  // the box and the longest arrow stay the same all the way
  begin(picture) { this.picture = picture; }

  draw(cut) {
    this.last = cut;
    const [x0, y0, x1, y1] = this.picture.box, wide = x1 - x0, tall = y1 - y0, room = 0.04 * Math.max(wide, tall);
    this.place.setAttribute("viewBox", `${x0 - room} ${-y1 - room} ${wide + 2 * room} ${tall + 2 * room}`);
    const pixel = 1 / Math.max(1e-9, Math.min(this.place.clientWidth / (wide + 2 * room), this.place.clientHeight / (tall + 2 * room)));
    const length = (LONGEST * Math.min(wide, tall)) / Math.max(1e-12, this.picture.strongest);
    const arrows = cut.points.flatMap((point, k) => this.#arrow(point, cut.forces[k], length, pixel));
    this.place.replaceChildren(...cut.resting.map((points) => outline(points, "rests")), ...cut.moving.map((points) => outline(points, "moves")), ...arrows);
    const touching = cut.forces.filter((force) => Math.hypot(...force) > 0).length, nearest = this.picture.everywhere ? "" : "the nearest instant that is drawn: ";
    this.place.setAttribute("aria-label", `cut through the parts: ${cut.title}, ${touching} contacts`);
    find("mating-legend").replaceChildren(el("b", { class: "rests" }), "rests ", el("b", { class: "moves" }), "moves ", el("b", { class: "force" }),
      `contact force on the moving part, at most ${number(this.picture.strongest)} N · ${nearest}${cut.title}`);
  }

  #arrow([x, y], [fx, fy], length, pixel) {
    const size = Math.hypot(fx, fy);
    if (!(size > 0)) return [];
    const point = shape("circle", { cx: x, cy: -y, r: POINT_PX * pixel, class: "touch" }), long = size * length;
    if (long < LEAST_PX * pixel) return [point];
    const ux = fx / size, uy = fy / size, tx = x + ux * long, ty = y + uy * long, head = Math.min(HEAD_PX * pixel, long), half = 0.42 * head;
    const bx = tx - ux * head, by = ty - uy * head;
    return [
      shape("line", { x1: x, y1: -y, x2: bx, y2: -by, class: "force" }),
      shape("polygon", { points: `${tx},${-ty} ${bx - uy * half},${-(by + ux * half)} ${bx + uy * half},${-(by - ux * half)}`, class: "force" }),
      point,
      shape("text", { x: tx + ux * TEXT_PX * pixel, y: -(ty + uy * TEXT_PX * pixel), "font-size": TEXT_PX * pixel, class: "force" }, `${number(size)} N`),
    ];
  }
}
