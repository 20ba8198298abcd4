// Simulation: its terms, who moves the tip, how it keeps its time, curves; the variables and parameters beside it.
import { Parameters, Variables } from "/web/browser.js";
import { el, find, put } from "/web/dom.js";
import { Jog } from "/web/jog.js";
import { Plots } from "/web/plots.js";

const INPUTS = { page: "jog or gamepad here", spacemouse: "space mouse at the host" };
const INVERSES = { "passive-chain": "passive chain", lagrange: "Lagrange optimisation" };
const FOLLOWED = 0.5;  // [ms] of lateness that is not worth a word

export class Run {
  constructor({ send, toast, where, onFrame, onChange }) {
    Object.assign(this, { send, toast, where, onFrame, onChange });
    this.running = false;
    this.jog = new Jog((axes) => send({ jog: axes }));
    this.variables = new Variables((names) => { this.wanted = names; send({ do: "choose", names }); });
    this.parameters = new Parameters((name, value) => send({ do: "set", name, value }));
    this.terms = { inverse: "passive-chain", weightless: false, free: false };
    this.#build();
  }

  toggle() {
    if (this.running || this.preparing) { this.preparing = false; this.send({ do: "rest" }); } else this.begin();
  }

  begin() {
    this.preparing = true;
    this.#mode();
    put(this.time, "preparing; the first time it compiles kernels for a minute or two");
    const q = this.running ? [] : this.where();  // from where the sliders are, if somebody has moved them
    if (!this.send({ do: "simulate", ...this.terms, q: q.some((x) => Math.abs(x) > 1e-9) ? q : [] })) this.lost();
  }

  begun(facts) {
    const anew = !this.running;
    const chosen = anew && this.wanted?.length ? this.wanted.filter((name) => facts.variables.includes(name)) : facts.chosen;
    this.running = true; this.preparing = false;
    this.terms = facts.terms;
    put(this.event, "");
    if (anew) { this.plots.clear(); this.parameters.rows.clear(); }
    this.input.replaceChildren(...facts.inputs.map((name) => el("option", { value: name, selected: name === facts.input }, INPUTS[name] || `path: ${name}`)));
    this.inverse.value = facts.terms.inverse;
    this.weightless.checked = facts.terms.weightless || facts.terms.free;
    this.weightless.disabled = facts.terms.free;
    this.free.checked = facts.terms.free;
    if (anew) this.variables.show(facts.variables, chosen); else this.variables.tick(chosen);
    if (anew && chosen !== facts.chosen) this.send({ do: "choose", names: chosen });
    this.facts = facts;
    this.parameters.show(facts.parameters);
    this.jog.active = facts.input === "page";
    this.#mode();
    if (anew) { find("tab-variables").click(); this.place.querySelector("button")?.focus({ preventScroll: true }); }
  }

  // without a reason it ends because another one is being prepared, or because it was asked to
  ended(why) {
    this.running = false;
    if (why) this.preparing = false;
    this.jog.active = false;
    this.jog.release();
    this.#mode();
    if (this.preparing) return;
    if (why) this.toast(why, true);
    find("tab-figures").click();
  }

  lost() { if (this.running || this.preparing) this.over(); }

  over() { this.preparing = false; this.ended(""); }

  refused(told) {
    if (told.do === "simulate") this.over();
    if (told.do === "set" && this.facts) this.parameters.restore(this.facts.parameters);
    if (told.do === "input") this.input.value = this.facts?.input;
  }

  frame(told) {
    if (!this.running) return;
    this.onFrame(told);
    const late = told.late_ms > FOLLOWED ? `, ${told.late_ms.toFixed(1)} ms late` : ", on time";
    put(this.time, `${told.t.toFixed(1)} s · ${told.factor.toFixed(2)} × real time${late} · worst ${told.worst_ms.toFixed(0)} ms`);
    this.reach.hidden = told.reachable;
    if (told.input !== this.input.value && document.activeElement !== this.input) { this.input.value = told.input; this.jog.active = told.input === "page"; }
    for (const event of told.events) {
      if (/gone|pulled|rest$/.test(event)) this.toast(event, true);
      else if (!/reach/.test(event)) put(this.event, event);  // reach has its own place
    }
    this.plots.take(told.names, told.samples);
    if (told.values) this.variables.values(told.values);
  }

  #build() {
    const again = () => { this.terms = { inverse: this.inverse.value, weightless: this.weightless.checked, free: this.free.checked }; this.begin(); };
    this.input = el("select", { "aria-label": "who moves the tip", onchange: () => { this.send({ do: "input", name: this.input.value }); this.jog.active = this.input.value === "page"; } });
    this.following = el("label", { class: "tick", hidden: true }, "tip follows ", this.input);
    this.inverse = el("select", { "aria-label": "inverse kinematics", onchange: again }, ...Object.entries(INVERSES).map(([value, words]) => el("option", { value }, words)));
    this.weightless = el("input", { type: "checkbox", onchange: again });
    this.free = el("input", { type: "checkbox", onchange: again });
    this.time = el("p", { id: "pace" });
    this.reach = el("p", { class: "bad", id: "reach", hidden: true }, "out of reach: closest pose");
    this.event = el("p", { id: "event", class: "quiet", "aria-live": "polite" });
    const charts = el("div", { id: "plots" });
    this.plots = new Plots(charts);
    this.place = find("run");
    this.place.replaceChildren(
      el("div", { class: "bar" }, el("h2", {}, "Simulation"), this.time, this.reach, el("button", { type: "button", class: "small", onclick: () => this.toggle() }, "End it")),
      el("div", { class: "terms" }, this.following, el("label", { class: "tick" }, "by ", this.inverse),
        el("label", { class: "tick" }, this.weightless, "weightless"), el("label", { class: "tick", title: "as on a satellite of 500 kg; weightless" }, this.free, "base floats"), this.event),
      el("div", { class: "both" }, this.jog.pad(), charts),
    );
  }

  #mode() {
    const on = this.running || Boolean(this.preparing);
    document.body.dataset.mode = on ? "simulate" : "assemble";
    document.body.dataset.run = this.running ? "running" : this.preparing ? "preparing" : "none";
    this.place.hidden = !on;
    find("deck").hidden = on;
    this.following.hidden = !this.running;
    find("simulate").setAttribute("aria-pressed", String(on));
    put(find("simulate"), on ? "End simulation" : "Simulate");
    this.onChange(on);
  }
}


