// The right side: what the arm comes to, what its joints hold, what is wrong with it.
import { el, find, number, put, shown } from "/web/dom.js";

const WARM = 0.7;  // of a joint's effort, from which on a bar is no longer calm

export class Ledger {
  constructor(onSpot) {
    this.onSpot = onSpot;
    this.tiles = {};
    const tile = (name, words, unit) => {
      this.tiles[name] = el("dd", {}, "–");
      return el("div", { "data-figure": name }, el("dt", {}, words), this.tiles[name], el("i", {}, unit));
    };
    this.findings = el("ul", { id: "findings", "aria-live": "polite" });
    this.margins = el("div", { id: "margins" });
    this.worst = el("div", { id: "worst" });
    this.masses = el("div", { id: "masses" });
    this.state = null;
    find("figures").replaceChildren(
      el("dl", { id: "tiles" }, tile("joints", "joints", ""), tile("mass_kg", "mass", "kg"), tile("reach_m", "reach", "m"), tile("payload_kg", "payload", "kg")),
      el("h2", {}, "Findings ", el("small", { id: "judged" })), this.findings,
      el("h2", {}, "Torque margins ", el("small", {}, "worst pose, of what lasts")), this.worst,
      el("h2", {}, el("span", { id: "held" }, "Joints at rest here "), el("small", {}, "of the peak")), this.margins,
      el("h2", {}, "Masses ", el("small", {}, "kg")), this.masses,
    );
  }

  show(state) {
    this.state = state;
    this.tiles.joints.textContent = state.joints.length;
    this.tiles.mass_kg.textContent = state.parts.length ? number(state.mass, 3) : "–";
    for (const name of ["reach_m", "payload_kg"]) this.tiles[name].classList.add("old");
    put(find("judged"), state.parts.length ? "reckoning …" : "");
    if (state.parts.length && this.bare) this.findings.replaceChildren(el("li", { class: "quiet" }, "Being reckoned: a first start compiles its kernels."));
    this.bare = !state.parts.length;
    if (!state.parts.length) this.findings.replaceChildren(el("li", { class: "calm" }, "Nothing yet: the arm has no parts."));
    this.#masses(state.parts);
    this.bars = state.joints.map((joint) => bar(joint.name));
    this.limits = state.joints.map((joint) => bar(joint.name));
    this.worst.replaceChildren(...(this.limits.length ? this.limits.map((b) => b.place) : [el("p", { class: "quiet" }, "No joint yet.")]));
    this.margins.replaceChildren(...(this.bars.length ? this.bars.map((b) => b.place) : [el("p", { class: "quiet" }, "No joint yet.")]));
  }

  judge({ figures, findings }) {
    for (const name of ["reach_m", "payload_kg"]) {
      this.tiles[name].classList.remove("old");
      this.tiles[name].textContent = number(figures[name] ?? NaN, 3);
    }
    put(find("judged"), "");
    (figures.margins || []).forEach(({ static: asked, continuous }, k) => {
      const unit = this.state.joints[k] ? shown(this.state.joints[k])[2] : "";
      this.limits[k]?.set(clean(asked / continuous), `${number(clean(asked / continuous) * continuous, 2)} of ${number(continuous, 3)} ${unit}`);
    });
    const rows = findings.map(({ text, grave, part }) => el("li", { class: grave ? "grave" : "warned" },
      part === null ? text : el("button", { type: "button", onclick: () => this.onSpot(part) }, text)));
    if (!rows.length && this.state.parts.length) rows.push(el("li", { class: "calm" }, "Nothing is wrong with it."));
    if (rows.length) this.findings.replaceChildren(...rows);
  }

  hold(holding) {
    holding.forEach((effort, k) => {
      const joint = this.state?.joints[k], place = this.bars?.[k];
      if (!joint || !place) return;
      const share = clean(Math.abs(effort) / joint.effort), unit = shown(joint)[2];
      place.set(share, `${number(share * joint.effort, 2)} of ${number(joint.effort, 3)} ${unit}`);
    });
  }

  #masses(parts) {
    const most = Math.max(1e-9, ...parts.map((part) => part.mass));
    this.masses.replaceChildren(...parts.map((part) => {
      const made = bar(part.name);
      made.set(part.mass / most, number(part.mass, 3), false);
      return made.place;
    }));
    if (!parts.length) this.masses.append(el("p", { class: "quiet" }, "No part yet."));
  }
}

// what is nothing but rounding is nothing
function clean(share) { return share < 1e-4 ? 0 : share; }

function bar(name) {
  const fill = el("b"), value = el("output"), place = el("div", { class: "share" }, el("span", { title: name }, name), el("i", {}, fill), value);
  return {
    place,
    set(share, text, judged = true) {
      fill.style.width = `${100 * Math.min(1, share)}%`;
      place.className = `share ${judged ? (share > 1 ? "over" : share > WARM ? "warm" : "") : "plain"}`;
      value.textContent = text;
    },
  };
}
