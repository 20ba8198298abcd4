// The chain of parts above the preview, and what can be done with the one that is chosen.
import { el, find, put } from "/web/dom.js";

export class Parts {
  constructor({ onChoose, onEdit, onInsert, cardOf }) {
    Object.assign(this, { onChoose, onEdit, onInsert, cardOf });
    this.chosen = -1;
    this.state = { parts: [] };
    find("chain").addEventListener("keydown", (event) => this.#walk(event));
  }

  show(state) {
    this.state = state;
    const grown = state.parts.length > find("chain").children.length;
    find("chain").replaceChildren(...state.parts.map((part, k) => el("button", {
      type: "button", "data-spot": `part ${k}`, "data-kind": part.kind, "aria-pressed": String(k === this.chosen),
      title: `${part.component}${part.turn ? `, turned ${part.turn}°` : ""}`, onclick: () => this.choose(k === this.chosen ? -1 : k),
    }, part.name)));
    if (grown) find("chain").lastElementChild?.scrollIntoView({ inline: "end", block: "nearest" });
    if (this.chosen >= state.parts.length) this.choose(-1); else this.#detail();
  }

  choose(k) {
    this.chosen = k;
    for (const [i, chip] of [...find("chain").children].entries()) chip.setAttribute("aria-pressed", String(i === k));
    find("chain").children[k]?.scrollIntoView({ inline: "nearest", block: "nearest" });
    this.#detail();
    this.onChoose(k);
  }

  #detail() {
    const place = find("part"), k = this.chosen, part = this.state.parts[k];
    place.hidden = !part;
    if (!part) { place.replaceChildren(); this.drawn = ""; return; }
    const drawn = JSON.stringify([k, part, this.state.parts.length]);
    if (drawn === this.drawn) return;  // a slider that is being dragged stays
    this.drawn = drawn;
    const edit = (told) => this.onEdit({ at: k, ...told });
    const name = el("input", { value: part.name, "aria-label": "name of the part", spellcheck: "false", onchange: () => edit({ do: "name_part", name: name.value }) });
    const card = this.cardOf(part.component), alike = this.#alike(card);
    const others = el("select", { "aria-label": "replace by", onchange: () => edit({ do: "replace", component: others.value }) },
      ...alike.map((other) => el("option", { value: other.name, selected: other.name === part.component }, other.name)));
    const rows = [el("div", { class: "bar" }, name, el("button", { type: "button", class: "small", title: "close (Escape)", onclick: () => this.choose(-1) }, "✕")),
      el("p", { class: "quiet" }, card ? card.brief : ""),
      el("label", { class: "field" }, "component", others)];
    if (k > 0) rows.push(this.#turning(part, edit));
    rows.push(el("div", { class: "row" },
      k > 0 ? el("button", { type: "button", class: "small", onclick: () => this.onInsert(k) }, "Insert before it …") : null,
      el("button", { type: "button", class: "small", onclick: () => edit({ do: "remove" }) }, "Remove"),
      k < this.state.parts.length - 1 ? el("button", { type: "button", class: "small", onclick: () => edit({ do: "remove", rest: true }) }, "Remove it and the rest") : null));
    place.replaceChildren(...rows);
  }

  #turning(part, edit) {
    const slider = el("input", { type: "range", min: -180, max: 180, step: 15, value: part.turn, "aria-label": "turn about the marker, degrees" });
    const exact = el("input", { type: "number", min: -360, max: 360, step: "any", value: part.turn, "aria-label": "turn, degrees" });
    slider.oninput = () => { exact.value = slider.value; };
    slider.onchange = () => edit({ do: "turn", turn: Number(slider.value) });
    exact.onchange = () => { if (exact.value === "") exact.value = part.turn; else edit({ do: "turn", turn: Number(exact.value) }); };
    return el("label", { class: "field turn" }, "turn", slider, exact, "°");
  }

  // components of the same kind that could stand here by their connectors
  #alike(card) {
    if (!card) return [];
    return this.all.filter((other) => other.kind === card.kind && other.ends.join() === card.ends.join());
  }

  #walk(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) event.target.parentElement.children[[...event.target.parentElement.children].indexOf(event.target) + step]?.focus();
    if (event.key === "Delete") this.onEdit({ do: "remove", at: [...find("chain").children].indexOf(event.target) });
  }
}

export function hint(state, insertion) {
  const { parts, joints } = state, last = parts[parts.length - 1];
  if (insertion !== null) return `Choose what shall come before ${parts[insertion]?.name}. Escape: not now.`;
  if (!parts.length) return "Begin with a base: the parts on the left that fit have a green edge.";
  if (last.kind === "tool") return joints.length ? "The arm ends with its tool. Export it, or simulate it." : "A tool on a stick: take it away and put a joint before it.";
  if (!joints.length) return `Now a joint or a link that fits ${last.name}: click it, and it is joined at the tip.`;
  return "";
}

export function note(place, text) {
  place.hidden = !text;
  put(place, text);
}
