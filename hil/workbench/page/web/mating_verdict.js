// What a mating run came to: the paper's statements ticked or crossed, features, values at the row, downloads.
import { el, find, number, put } from "/web/dom.js";
import { plainName, unitOf } from "/web/plots.js";

const words = (name) => plainName(name).replaceAll("_", " ");

export class Verdict {
  show(result) {
    const said = result.statements.map(({ text, holds, seen }) => el("li", { class: holds ? "calm" : "grave" },
      el("span", { class: "unseen" }, holds ? "so here: " : "not here: "), text, el("small", {}, ` ${seen}`)));
    const warned = result.warnings.map((text) => el("li", { class: "warned" }, text));
    this.outputs = new Map(Object.keys(result.series).map((name) => [name, el("output")]));
    const row = (name, value, unit) => el("tr", {}, el("th", { scope: "row" }, words(name)), el("td", {}, value), el("td", {}, unit));
    const changed = result.settings.length ? el("p", { class: "quiet" }, `with ${result.settings.join(", ")}`) : null;
    put(find("mating-title"), result.name);
    find("mating-verdict").replaceChildren(...[
      changed,
      el("div", { class: "row" }, link(`/mating/${result.run}.csv`, "CSV"), link(`/mating/${result.run}.zip`, "Report")),
      said.length + warned.length ? el("h2", {}, "What the paper says") : null,
      el("ul", { class: "judged" }, ...warned, ...said),
      el("h2", {}, "Features"),
      el("table", { id: "mating-features" }, ...result.features.map(([name, value]) => row(name, value, unitOf(name)))),
      el("h2", {}, "At this instant"),
      el("table", {}, ...[...this.outputs].map(([name, output]) => row(name, output, unitOf(name)))),
    ].filter(Boolean));
  }

  at(series, row) { for (const [name, output] of this.outputs) put(output, number(series[name][row], 4)); }
}

function link(href, text) { return el("a", { class: "button", href, download: "" }, text); }
