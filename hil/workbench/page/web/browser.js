// The browser of variables, and the parameters of the running model: names by groups, live values.
import { el, find, number } from "/web/dom.js";
import { plainName, unitOf } from "/web/plots.js";

function grouped(names) {
  const groups = new Map();
  for (const name of names) {
    const dot = name.indexOf("."), group = dot < 0 ? "" : name.slice(0, dot);
    groups.set(group, [...(groups.get(group) || []), name]);
  }
  return groups;
}

function sifted(input, place) {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const group of place.querySelectorAll("details")) {
    const rows = [...group.querySelectorAll("[data-name]")];
    for (const row of rows) row.hidden = !words.every((word) => row.dataset.name.toLowerCase().includes(word));
    group.hidden = rows.every((row) => row.hidden);
    if (words.length) group.open = true;
  }
}

export class Variables {
  constructor(onChoose) { this.onChoose = onChoose; this.rows = new Map(); }

  show(names, chosen) {
    const search = el("input", { type: "search", placeholder: "Search the variables", "aria-label": "search the variables" });
    const groups = [...grouped(names)].map(([group, own]) => el("details", { open: own.some((name) => chosen.includes(name)) },
      el("summary", {}, group || "run", " ", el("small", {}, own.length)), ...own.map((name) => this.#row(name, chosen.includes(name)))));
    const list = el("div", { class: "list" }, ...groups);
    search.oninput = () => sifted(search, list);
    const none = el("button", { type: "button", class: "small", onclick: () => {
      for (const { box } of this.rows.values()) box.checked = false;
      this.onChoose([]);
    } }, "None");
    find("variables").replaceChildren(el("div", { class: "bar" }, search, none),
      el("p", { class: "quiet" }, "What is ticked is drawn below the arm."), list);
  }

  // what is drawn is ticked, whoever has chosen it
  tick(chosen) { for (const [name, { box }] of this.rows) box.checked = chosen.includes(name); }

  values(values) {
    for (const [name, { output }] of this.rows) if (name in values) output.textContent = number(values[name], 4);
  }

  #row(name, on) {
    const box = el("input", { type: "checkbox", checked: on, onchange: () => this.onChoose([...this.rows].filter(([, row]) => row.box.checked).map(([key]) => key)) });
    const output = el("output"), short = plainName(name.slice(name.indexOf(".") + 1));
    this.rows.set(name, { box, output });
    return el("label", { class: "variable", "data-name": name, title: name }, box, el("span", {}, short), output, el("i", {}, unitOf(name)));
  }
}

export class Parameters {
  constructor(onSet) { this.onSet = onSet; this.rows = new Map(); }

  show(parameters) {
    this.kept = parameters;
    if ([...this.rows.keys()].join() === Object.keys(parameters).join()) {
      for (const [name, input] of this.rows) if (document.activeElement !== input) input.value = parameters[name];
      return;
    }
    this.rows.clear();
    const search = el("input", { type: "search", placeholder: "Search the parameters", "aria-label": "search the parameters" });
    const groups = [...grouped(Object.keys(parameters))].map(([group, own], k) => el("details", { open: k < 2 },
      el("summary", {}, group || "run", " ", el("small", {}, own.length)), ...own.map((name) => this.#row(name, parameters[name]))));
    const list = el("div", { class: "list" }, ...groups);
    search.oninput = () => sifted(search, list);
    find("parameters").replaceChildren(el("div", { class: "bar" }, search), el("p", { class: "quiet" }, "A changed value acts at once in the running model."), list);
  }

  // what was refused shows its old value again
  restore(parameters) { for (const [name, input] of this.rows) if (name in parameters) input.value = parameters[name]; }

  #row(name, value) {
    const input = el("input", { type: "number", step: "any", value, "data-parameter": name, onchange: () => { if (input.value === "") input.value = this.kept[name]; else this.onSet(name, Number(input.value)); } });
    this.rows.set(name, input);
    return el("label", { class: "variable parameter", "data-name": name, title: name }, el("span", {}, plainName(name.slice(name.indexOf(".") + 1))), input, el("i", {}, unitOf(name)));
  }
}
