// The catalogue on the left: a card a component, by type; those that fit stand out, the others say why not.
import { el, find, put } from "/web/dom.js";
import { Painter } from "/web/stage.js";

const WIDTH = 176, HEIGHT = 132;
// what has no body of its own is shown by a sign
const SIGNS = {
  motor: "M24 12h30v24H24zM54 21h12v6H54M14 16v16M18 16v16M24 42h30",
  gear: "M40 8v6m0 20v6M24 24h6m20 0h6M29 13l4 4m14 14 4 4m0-22-4 4M33 31l-4 4M50 24a10 10 0 1 1-20 0 10 10 0 0 1 20 0z",
  brake: "M40 8a16 16 0 1 1 0 32 16 16 0 0 1 0-32zm0 6a10 10 0 1 0 0 20 10 10 0 0 0 0-20zM20 14l6 4M20 34l6-4m34-16-6 4m6 16-6-4",
  torque_sensor: "M14 24h10l4-10 8 20 8-20 8 20 4-10h10",
};

export class Catalogue {
  constructor({ onChoose, onLook, onDetail }) {
    Object.assign(this, { onChoose, onLook, onDetail });
    this.cards = new Map();
    this.kind = "";
    try { this.painter = new Painter(WIDTH, HEIGHT); } catch { this.painter = null; }
    this.waiting = [];
    find("search").oninput = () => this.sift();
    find("fitting").onchange = () => this.sift();
    find("cards").addEventListener("keydown", (event) => this.#walk(event));
    find("search").addEventListener("keydown", (event) => {
      if (event.key === "ArrowDown" || event.key === "Enter") { event.preventDefault(); this.#seen()[0]?.choose.focus(); }
      if (event.key === "Escape") { event.target.value = ""; this.sift(); }
    });
  }

  fill({ kinds, components }) {
    const place = find("cards");
    place.textContent = "";
    this.sections = kinds.map(([kind, words]) => {
      const count = el("small"), section = el("section", { "data-kind": kind }, el("h2", {}, words, " ", count));
      for (const component of components.filter((c) => c.kind === kind)) section.append(this.#card(component));
      place.append(section);
      return { kind, section, count };
    });
    const tabs = [["", "all"], ...kinds].map(([kind, words]) => el("button", {
      type: "button", "aria-pressed": String(kind === this.kind), "data-kind": kind, onclick: () => this.show(kind),
    }, words, " ", el("b")));
    find("kinds").replaceChildren(...tabs);
    this.#watch();
  }

  show(kind) {
    this.kind = kind;
    for (const tab of find("kinds").children) tab.setAttribute("aria-pressed", String(tab.dataset.kind === kind));
    find("cards").scrollTop = 0;
    this.sift();
  }

  // what fits, and why not
  judge(misfits) {
    for (const [name, card] of this.cards) {
      const why = misfits[name] ?? "";
      card.fits = !why;
      card.place.classList.toggle("fits", !why);
      card.choose.setAttribute("aria-disabled", String(Boolean(why)));
      put(card.why, why);
    }
    const fitting = (kind) => [...this.cards.values()].filter((card) => card.fits && (!kind || card.component.kind === kind)).length;
    for (const { kind, count } of this.sections) put(count, fitting(kind) ? `${fitting(kind)} fit` : "none fits here");
    for (const tab of find("kinds").children) put(tab.querySelector("b"), fitting(tab.dataset.kind) || "");
    this.sift();
  }

  sift() {
    const words = find("search").value.toLowerCase().split(/\s+/).filter(Boolean), only = find("fitting").checked;
    for (const card of this.cards.values()) {
      const { component } = card, text = card.text;
      card.place.hidden = (this.kind && component.kind !== this.kind) || (only && !card.fits) || !words.every((word) => text.includes(word));
    }
    for (const { section } of this.sections) section.hidden = ![...section.querySelectorAll("article")].some((card) => !card.hidden);
    const none = !this.#seen().length;
    find("cards").classList.toggle("none", none);
  }

  mark(name) {
    const card = this.cards.get(name);
    if (!card) return;
    card.place.scrollIntoView({ block: "nearest" });
    card.place.classList.remove("refused");
    void card.place.offsetWidth;  // so the mark is seen anew
    card.place.classList.add("refused");
  }

  #card(component) {
    const picture = el("canvas", { width: WIDTH, height: HEIGHT, "aria-hidden": "true" });
    const why = el("span", { class: "why" });
    const choose = el("button", {
      type: "button", class: "choose", "data-component": component.name,
      onclick: () => this.onChoose(component), onpointerenter: () => this.onLook(component), onfocus: () => this.onLook(component),
      onpointerleave: () => this.onLook(null), onblur: () => this.onLook(null),
    }, picture, el("span", { class: "words" }, el("strong", {}, component.name), el("span", {}, component.brief),
      el("span", { class: "quiet" }, component.text), why));
    const more = el("button", { type: "button", class: "more", title: `all data of ${component.name}`, "aria-label": `all data of ${component.name}`, onclick: () => this.onDetail(component) }, "i");
    const place = el("article", {}, choose, more);
    const text = [component.name, component.kind, component.text, component.brief, ...component.ends].join(" ").toLowerCase();
    this.cards.set(component.name, { component, place, choose, picture, why, text, fits: false });
    if (!component.solid) sign(picture, SIGNS[component.kind]);
    return place;
  }

  // pictures are drawn when their cards come into sight, one a frame
  #watch() {
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        this.waiting.push(this.cards.get(target.dataset.component));
      }
      this.#paint();
    }, { root: find("cards"), rootMargin: "300px" });
    for (const card of this.cards.values()) if (card.component.solid && this.painter) observer.observe(card.choose);
  }

  async #paint() {
    if (this.painting) return;
    this.painting = true;
    while (this.waiting.length) {
      const card = this.waiting.shift();
      await this.painter.paint(card.component.name, card.picture).catch(() => sign(card.picture, SIGNS.gear));
      card.picture.dataset.painted = "yes";
      await new Promise(requestAnimationFrame);
    }
    this.painting = false;
  }

  #seen() { return [...this.cards.values()].filter((card) => !card.place.hidden); }

  #walk(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !event.target.classList.contains("choose")) return;
    event.preventDefault();
    const seen = this.#seen(), now = seen.findIndex((card) => card.choose === event.target);
    if (now + step < 0) find("search").focus(); else seen[now + step]?.choose.focus();
  }
}

function sign(canvas, path) {
  const pen = canvas.getContext("2d");
  pen.scale(WIDTH / 80, HEIGHT / 60);
  pen.translate(0, 6);
  pen.strokeStyle = "#5a6b7d"; pen.lineWidth = 2; pen.lineJoin = pen.lineCap = "round";
  pen.stroke(new Path2D(path));
}
