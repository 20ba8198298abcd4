// The view of mating: choose an experiment, change its values, run it, go through it.
import { el, find, put } from "/web/dom.js";
import { Curve } from "/web/mating_curve.js";
import { Cut } from "/web/mating_cut.js";
import { plainName, unitOf } from "/web/plots.js";
import { Verdict } from "/web/mating_verdict.js";

const PLAYED_S = 8;  // from the first row to the last

export class Mating {
  constructor({ send, toast }) {
    this.send = (told) => send({ mating: told });
    this.toast = toast;
    this.shown = false; this.busy = false; this.result = null; this.row = 0; this.playing = false;
    this.inputs = new Map();
    this.curve = new Curve(find("mating-curve"), (row) => { this.pause(); this.go(row); });
    this.cut = new Cut(find("mating-cut"));
    this.verdict = new Verdict();
    find("mating-which").onchange = () => this.send({ ask: "form", name: find("mating-which").value });
    find("mating-form").onsubmit = (event) => { event.preventDefault(); this.run(); };
    find("mating-stop").onclick = () => this.send({ ask: "stop" });
    find("mating-reset").onclick = () => { for (const field of this.fields) this.inputs.get(field.key).value = field.value; this.#wrong("", ""); this.#marked(); };
    find("mating-play").onclick = () => (this.playing ? this.pause() : this.play());
    find("mating-at").oninput = (event) => { this.pause(); this.go(Number(event.target.value)); };
    for (const id of ["mating-course", "mating-across"]) find(id).onchange = () => this.#draw();
    find("view-assemble").onclick = () => this.show(false);
    find("view-mating").onclick = () => this.show(true);
  }

  show(on) {
    this.shown = on;
    document.body.dataset.view = on ? "mating" : "assemble";
    find("mating").hidden = !on;
    for (const place of [find("left"), find("right"), document.querySelector("main"), find("offer"), ...document.querySelectorAll("header .assembling")]) place.inert = on;
    find("view-assemble").setAttribute("aria-pressed", String(!on));
    find("view-mating").setAttribute("aria-pressed", String(on));
    if (!on) this.pause();
    else this.send({ ask: "experiments" });  // a file may have come into the folder
  }

  // what is told under the name of the question
  hear(told) {
    if (told.experiments) this.#list(told.experiments);
    if (told.form) this.#fill(told.form);
    if (told.progress !== undefined && this.busy) this.#far(told.progress);
    if (told.compiling !== undefined && this.busy) this.#compiling(told);
    if (told.run) { this.#rest(); this.#take(told.run); }
    if ("cut" in told) this.#cutCame(told.cut);
    if (told.refused) this.#refused(told.refused);
  }

  lost() {
    this.asking = false; this.waiting = null;
    if (this.busy) { this.#rest(); this.#wrong("the workbench does not answer: run it again", ""); }
  }

  key(event) {
    if (event.key === " " && !event.target.matches("button, select, input:not([type=range]), summary, a")) {
      event.preventDefault();
      if (this.result) find("mating-play").click();
    }
  }

  run() {
    if (this.busy || !this.fields) return;
    this.#wrong("", "");
    const values = {};
    for (const { key, value } of this.fields) if (this.inputs.get(key).value !== value) values[key] = this.inputs.get(key).value;
    if (!this.send({ ask: "run", name: this.name, values })) return this.#wrong("the workbench does not answer", "");
    this.pause();
    this.busy = true;
    find("mating").dataset.run = "running";
    find("mating-run").disabled = true;
    find("mating-stop").hidden = find("mating-progress").hidden = false;
    find("mating-progress").removeAttribute("value");  // until it is told how far it is
  }

  play() {
    if (!this.result) return;
    const last = this.result.rows.length - 1;
    let at = this.row >= last ? 0 : this.row, before = null;
    this.playing = true;
    put(find("mating-play"), "Pause");
    const step = (now) => {
      if (!this.playing) return;
      at += before === null ? 0 : ((now - before) / 1000 / PLAYED_S) * last;
      before = now;
      this.go(Math.min(last, Math.round(at)));
      if (this.row >= last) this.pause(); else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  pause() { this.playing = false; put(find("mating-play"), "Play"); }

  go(row) {
    if (!this.result) return;
    const { rows, series, bands, picture } = this.result;
    this.row = Math.max(0, Math.min(rows.length - 1, row));
    find("mating-at").value = this.row;
    this.curve.point(this.row);
    const phase = bands.find(({ end }) => this.row < end)?.name || "apart", told = (name, unit, digits) => (name in series ? `${(series[name][this.row] ?? NaN).toFixed(digits)} ${unit}` : "");
    const where = [told("depth_mm", "mm", 2), told("t_s", "s", 3), told("force_n", "N", 1), phase].filter(Boolean).join(" · ");
    put(find("mating-where"), where);
    find("mating-at").setAttribute("aria-valuetext", where);
    this.verdict.at(series, this.row);
    if (picture) this.#ask(rows[this.row]);
  }

  // one question at a time; of those that wait only the newest is asked
  #ask(row) {
    if (this.asking) { this.waiting = row; return; }
    this.waiting = null;
    this.asking = this.send({ ask: "cut", run: this.result.run, row });
  }

  #cutCame(cut) {
    this.asking = false;
    if (cut && cut.run === this.result?.run) {
      this.cut.draw(cut);
      find("mating").dataset.cut = cut.row;
    }
    if (this.waiting !== null && this.waiting !== undefined) this.#ask(this.waiting);
  }

  #list(all) {
    const select = find("mating-which"), names = all.map((one) => one.name);
    if (names.join() === this.listed) return;
    this.listed = names.join();
    const group = (label, shipped) => {
      const own = all.filter((one) => one.shipped === shipped).map((one) => el("option", { value: one.name }, one.name));
      return own.length ? el("optgroup", { label }, ...own) : null;
    };
    select.replaceChildren(...[group("shipped", true), group("in this folder", false)].filter(Boolean));
    select.value = names.includes(this.name) ? this.name : names[0];
    select.disabled = false;
    if (!names.includes(this.name)) select.onchange();
  }

  #fill(form) {
    this.name = form.name;
    this.fields = form.fields;
    this.inputs.clear();
    this.#wrong("", "");
    put(find("mating-words"), form.words);
    find("mating-words").title = form.words;
    const groups = new Map([["", []]]);
    for (const field of form.fields) {
      const dot = field.key.lastIndexOf("."), group = dot < 0 ? "" : field.key.slice(0, dot);
      groups.set(group, [...(groups.get(group) || []), field]);
    }
    find("mating-fields").replaceChildren(...[...groups].filter(([, own]) => own.length).map(([group, own]) => el("fieldset", { "data-group": group || "experiment" },
      el("legend", {}, (group || "experiment").replaceAll("_", " ").replaceAll(".", " · ")), ...own.map((field) => this.#field(field)))));
    find("mating-run").disabled = this.busy;
    find("mating-reset").disabled = false;
    find("mating").dataset.form = form.name;
  }

  #field(field) {
    const short = field.key.slice(field.key.lastIndexOf(".") + 1);
    const common = { "data-key": field.key, title: [field.key, field.bounds].filter(Boolean).join(": "), oninput: () => this.#marked() };
    const input = field.kind === "choice"
      ? el("select", common, ...field.choices.map((one) => el("option", { value: one }, one)))
      : el("input", { ...common, inputmode: field.kind === "number" ? "decimal" : "text", spellcheck: "false", autocomplete: "off", placeholder: field.optional ? "not given" : "", maxlength: 200 });
    input.value = field.value;
    this.inputs.set(field.key, input);
    const name = field.unit ? short.slice(0, -field.unit.length - 1) : short;  // `shore_a` is no unit
    return el("label", { class: "value", "data-kind": field.kind }, el("span", {}, name.replaceAll("_", " ")), input, el("i", {}, field.unit ? unitOf(`_${field.unit}`) || field.unit.replaceAll("_", " ") : ""));
  }

  // what is not as in the file is seen to be so
  #marked() {
    for (const { key, value } of this.fields) this.inputs.get(key).classList.toggle("changed", this.inputs.get(key).value !== value);
  }

  #far(share) {
    find("mating-progress").value = share;
    if (share > 0) this.#news("");
  }

  #compiling({ compiling, kernel }) {
    find("mating-progress").removeAttribute("value");
    this.#news(`First run: the program is being compiled, which takes minutes; later runs begin at once. ${compiling} kernel${compiling > 1 ? "s" : ""} so far.`);
    find("mating-news").title = kernel;
  }

  #news(text) {
    put(find("mating-news"), text);
    find("mating-news").hidden = !text;
  }

  #rest() {
    this.#news("");
    this.busy = false;
    find("mating").dataset.run = "done";
    find("mating-run").disabled = !this.fields;
    find("mating-stop").hidden = find("mating-progress").hidden = true;
  }

  #refused({ text, spot, ask }) {
    if (ask === "cut") { this.asking = false; this.waiting = null; this.pause(); this.result.picture = null; this.cut.none(text); return; }
    if (this.busy && ask === "run") this.#rest();
    this.#wrong(text, spot);
  }

  #wrong(text, spot) {
    put(find("mating-wrong"), text);
    find("mating-wrong").hidden = !text;
    for (const input of this.inputs.values()) { input.classList.remove("wrong"); input.removeAttribute("aria-invalid"); }
    for (const group of find("mating-fields").children) group.classList.remove("wrong");
    const input = this.inputs.get(spot);
    if (input) {
      input.classList.add("wrong");
      input.setAttribute("aria-invalid", "true");
      input.focus();
    } else if (spot) {
      const group = find("mating-fields").querySelector(`[data-group="${CSS.escape(spot)}"]`);
      group?.classList.add("wrong");
      group?.scrollIntoView({ block: "nearest" });
    }
  }

  #take(result) {
    this.result = result;
    const courses = Object.keys(result.series).filter((name) => name !== "t_s" && name !== "depth_mm"), select = find("mating-course");
    const chosen = courses.includes(select.value) ? select.value : "force_n";
    select.replaceChildren(...courses.map((name) => el("option", { value: name }, `${plainName(name).replaceAll("_", " ")}${unitOf(name) ? ` [${unitOf(name)}]` : ""}`)));
    select.value = chosen;
    for (const id of ["mating-course", "mating-across", "mating-play", "mating-at"]) find(id).disabled = false;
    find("mating-at").max = result.rows.length - 1;
    this.verdict.show(result);
    this.asking = false; this.waiting = null;
    if (result.picture) this.cut.begin(result.picture); else this.cut.none("This experiment draws no cut: its curves and values are all there.");
    this.#draw();
    this.go(this.#strongest());
    find("mating").dataset.shown = result.run;
  }

  // where a look begins: at the greatest force
  #strongest() {
    const force = this.result.series.force_n;
    return force.reduce((best, value, k) => (value > force[best] ? k : best), 0);
  }

  #draw() {
    const { series, bands } = this.result, across = find("mating-across").value, course = find("mating-course").value;
    this.curve.show({ x: series[across], y: series[course], bands, unit: across === "t_s" ? "s" : "mm", label: `${plainName(course).replaceAll("_", " ")} ${unitOf(course)}, over ${across === "t_s" ? "time" : "depth"}` });
    this.curve.point(this.row);
  }
}
