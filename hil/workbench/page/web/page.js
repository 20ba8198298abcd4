// The page shows what it is told and asks for what is clicked; what may be done, the workbench decides.
import { Catalogue } from "/web/catalogue.js";
import { el, find, put } from "/web/dom.js";
import { Joints, showTip } from "/web/joints.js";
import { Ledger } from "/web/ledger.js";
import { Mating } from "/web/mating.js";
import { hint, note, Parts } from "/web/parts.js";
import { Run } from "/web/run.js";
import { Stage } from "/web/stage.js";
import { Talk } from "/web/talk.js";

const TOAST_MS = 6000, SLOW_MS = 1500;
let state = null, insertion = null, asking = false, askAgain = false, shownParts = -1, saving = false, followed = false, slow = 0;

const edit = (told) => {
  if (!talk.send(told)) toast("Not done: the workbench does not answer.", true);
};

let stage = null;
try {
  stage = new Stage(find("stage"), (part) => parts.choose(part));
} catch (error) {
  note(find("flat"), `No 3D here: ${error.message}. All the rest works.`);
}
const catalogue = new Catalogue({
  onChoose: (component) => { edit({ do: "add", component: component.name, ...(insertion === null ? {} : { at: insertion }) }); },
  onLook: (component) => { if (insertion === null) stage?.suggest(component && fits(component) ? component : null); },
  onDetail: detail,
});
const parts = new Parts({
  onChoose: (part) => stage?.choose(part),
  onEdit: edit,
  onInsert: (at) => insertAt(at),
  cardOf: (name) => catalogue.cards.get(name)?.component,
});
const joints = new Joints(askPosture);
const ledger = new Ledger((part) => parts.choose(part));
const run = new Run({ send: (told) => talk.send(told), toast, where: () => joints.q, onFrame: showFrame, onChange: simulating });

const mating = new Mating({ send: (told) => talk.send(told), toast });

const talk = new Talk({
  facts(told) {
    catalogue.fill(told);
    parts.all = told.components;
    formats = told.formats;
  },
  state: take,
  fits(told) {
    if (told.revision === state.revision && told.at === insertion) catalogue.judge(told.misfits);
  },
  posture(told) {
    asking = false;
    clearTimeout(slow);
    find("hint").textContent = hint(state, insertion);
    if (told && told.revision === state?.revision) pose(told);
    if (askAgain) askPosture();
  },
  ledger(told) { if (state && told.revision === state.revision) ledger.judge(told); },
  said: answer,
  begun(told) { run.begun(told); },
  frame(told) { run.frame(told); },
  ended(why) { run.ended(why); },
  mating(told) { mating.hear(told); },
  lost() { mating.lost(); asking = askAgain = false; clearTimeout(slow); run.lost(); put(find("kept"), "no connection"); },
});
let formats = [];

async function take(told) {
  const fresh = !state || told.revision !== state.revision;
  if (told.notice && told.notice !== state?.notice) toast(told.notice, true);
  state = told;
  document.title = `${told.name} – workbench`;
  if (document.activeElement !== find("name")) find("name").value = told.name;
  const kept = told.saved ? (told.file ? `${told.file}, saved` : "") : `${told.file ? `${told.file}, changed` : "not saved yet"}; a draft is kept`;
  put(find("kept"), kept);
  for (const [id, deed] of [["undo", told.undo], ["redo", told.redo]]) {
    find(id).disabled = !deed;
    find(id).title = deed ? `${id}: ${deed}` : "";
  }
  for (const id of ["name", "clear", "open"]) find(id).disabled = false;
  for (const id of ["save", "export"]) find(id).disabled = !told.parts.length;
  find("simulate").disabled = !told.joints.length;
  find("offer").hidden = !told.offer;
  put(find("offered"), told.offer);
  if (!fresh) return;
  insertion = null;
  note(find("place"), "");
  catalogue.judge(told.misfits);
  catalogue.reveal();
  parts.show(told);
  joints.show(told.joints);
  ledger.show(told);
  find("hint").textContent = hint(told, insertion);
  stage?.suggest(null);
  const missing = (await stage?.show(told)) ?? [];
  if (state.revision !== told.revision) return;
  if (missing.length) toast(`No picture of ${missing.join(", ")}: the workbench sends none. All else of it is there.`, true);
  if (!told.parts.length) { showTip(null); if (stage) stage.tip = null; stage?.redraw(); }
  document.body.dataset.usable = "yes";
  askPosture();
}

function pose(told) {
  showTip(told.tip);
  ledger.hold(told.holding);
  if (!stage) return;
  stage.place(told);
  if (stage.revision === state.revision && state.parts.length !== shownParts) {
    stage.fit(shownParts >= 0);
    shownParts = state.parts.length;
  }
}

function showFrame(told) {
  joints.follow(told.q, true);
  ledger.hold(told.holding);
  if (!stage) return;
  stage.goal = told.goal;
  stage.place(told);
  if (!followed && !stage.touched) stage.fit();  // it begins somewhere else than it stood
  followed = true;
}

// the arm that is shown is the one that runs; afterwards it stands where it was left
function simulating(on) {
  put(find("held"), on ? "Joints now " : "Joints at rest here ");
  joints.follow(joints.q, on);
  if (stage) stage.goal = null;
  find("hint").textContent = on || !state ? "" : hint(state, insertion);
  if (!on) { followed = false; askPosture(); }
}

// one question at a time; of those that wait only the newest is asked
function askPosture() {
  if (!state?.parts.length) { shownParts = state ? 0 : -1; return; }
  if (run.running) return;
  askAgain = asking;
  if (asking) return;
  asking = talk.send({ pose: joints.q, revision: state.revision });
  clearTimeout(slow);
  slow = setTimeout(() => { find("hint").textContent = "The picture comes in a moment: a first start compiles its kernels."; }, SLOW_MS);
}

function fits(component) { return !(state?.misfits[component.name] ?? ""); }

function insertAt(at) {
  insertion = at;
  talk.send({ look: at });
  note(find("place"), `to be put before ${state.parts[at].name}`);
  find("hint").textContent = hint(state, at);
  find("search").focus();
}

function answer(told) {
  if (told.accepted) {
    if (find("toast").className) toast("");  // what was wrong is mended
    if (told.do === "save") { toast(told.text); saving = false; find("dialog").close(); }
    return;
  }
  if (told.do === "save") {
    if (!saving) askForFile(state.file);
    return refuseSaving(told);
  }
  run.refused(told);
  toast(told.text, true);
  const [what, which] = told.spot.split(" ");
  if (what === "component") catalogue.mark(which);
  const spot = document.querySelector(`[data-spot="${CSS.escape(told.spot).replaceAll("\\ ", " ")}"]`);
  if (spot) {
    spot.classList.remove("refused");
    void spot.offsetWidth;  // so the mark is seen anew
    spot.classList.add("refused");
    if (told.spot === "name") find("name").value = state.name;
  }
}

find("toast").onclick = () => toast("");
let toasted = 0;
function toast(text, refused = false) {
  const place = find("toast");
  place.className = refused ? "wrong" : "";
  place.textContent = text;
  clearTimeout(toasted);
  toasted = setTimeout(() => { place.textContent = ""; }, refused ? 2 * TOAST_MS : TOAST_MS);
}

function dialog(title, ...content) {
  const place = find("dialog");
  place.replaceChildren(el("div", { class: "bar" }, el("h2", { id: "dialog-title" }, title),
    el("button", { type: "button", class: "small", title: "close (Escape)", onclick: () => place.close() }, "✕")), ...content);
  place.showModal();
}

function detail(component) {
  const rows = component.rows.map(([label, value]) => el("tr", {}, el("th", { scope: "row" }, label), el("td", {}, value)));
  const picture = el("canvas", { width: 352, height: 264, "aria-hidden": "true" });
  if (component.solid) catalogue.painter?.paint(component.name, picture);
  const assumed = component.assumed.length ? el("p", {}, el("strong", {}, "Assumed: "), component.assumed.join(", ").replaceAll("_", " ")) : null;
  dialog(component.name, el("p", {}, component.text), component.solid ? picture : null, el("table", {}, ...rows),
    el("p", { class: "quiet" }, "Source: ", component.source), assumed);
}

function save() {
  if (!state?.parts.length) return;
  if (state.file) edit({ do: "save", file: state.file }); else askForFile(`${state.name}.toml`);
}

function askForFile(file) {
  saving = true;
  const name = el("input", { value: file, "aria-label": "file", spellcheck: "false" });
  const why = el("p", { class: "bad", role: "alert" });
  const form = el("form", { onsubmit: (event) => {
    event.preventDefault();
    edit({ do: "save", file: name.value, overwrite: form.dataset.overwrite === name.value });
  } }, el("label", { class: "field" }, "file", name), why, el("div", { class: "row" }, el("button", { class: "main" }, "Save"),
    el("a", { class: "button", href: "/arm.toml", download: "" }, "Download it")));
  dialog("Save the arm", el("p", { class: "quiet" }, "A small text file, in the folder in which the workbench was started."), form);
  find("dialog").onclose = () => { saving = false; };
  name.select();
}

function refuseSaving(told) {
  const form = find("dialog").querySelector("form"), name = form.querySelector("input");
  form.querySelector(".bad").textContent = told.text;
  name.classList.add("wrong");
  name.focus();
  if (told.spot === "overwrite") form.dataset.overwrite = name.value;
}

function exportModels() {
  if (!state?.parts.length) return;
  const boxes = formats.map(({ name, text, usual }) => el("label", { class: "tick" }, el("input", { type: "checkbox", value: name, checked: usual }), el("span", {}, el("strong", {}, name), " ", text)));
  const why = el("p", { class: "bad", role: "alert" }), go = el("button", { class: "main", type: "submit" }, "Export");
  const form = el("form", { onsubmit: async (event) => {
    event.preventDefault();
    const wanted = boxes.map((box) => box.querySelector("input")).filter((box) => box.checked).map((box) => box.value);
    go.disabled = true; why.textContent = ""; put(go, "Exporting …");
    const said = await download(`/models.zip?formats=${wanted.join()}`, `${state.name}.zip`);
    go.disabled = false; put(go, "Export");
    why.textContent = said;
    if (!said) { find("dialog").close(); toast(`${state.name}.zip is with your downloads: all its models say the same arm.`); }
  } }, el("div", { class: "formats" }, ...boxes), why, el("div", { class: "row" }, go));
  dialog("Export all models", form);
  go.focus();
}

async function download(address, name) {
  try {
    const response = await fetch(address);
    if (!response.ok) return await response.text();
    const link = el("a", { href: URL.createObjectURL(await response.blob()), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    return "";
  } catch {
    return "The workbench does not answer.";
  }
}

find("undo").onclick = () => edit({ do: "undo" });
find("redo").onclick = () => edit({ do: "redo" });
find("clear").onclick = () => edit({ do: "clear" });
find("resume").onclick = () => edit({ do: "resume" });
find("dismiss").onclick = () => edit({ do: "dismiss" });
find("save").onclick = save;
find("export").onclick = exportModels;
find("open").onclick = () => find("file").click();
find("file").onchange = async (event) => {
  const [file] = event.target.files;
  if (file) edit({ do: "open", file: file.name, text: await file.text() });
  event.target.value = "";
};
find("name").onchange = (event) => edit({ do: "name", name: event.target.value });
find("simulate").onclick = () => run.toggle();
const tabs = [...find("tabs").children];
for (const tab of tabs) {
  tab.onclick = () => {
    for (const other of tabs) {
      other.setAttribute("aria-selected", String(other === tab));
      other.tabIndex = other === tab ? 0 : -1;
      find(other.getAttribute("aria-controls")).hidden = other !== tab;
    }
  };
  tab.onkeydown = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step) { const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length]; next.click(); next.focus(); }
  };
}
find("fit").onclick = () => stage?.fit();
find("frames").onchange = (event) => { if (stage) { stage.frames = event.target.checked; stage.redraw(); } };

document.addEventListener("keydown", (event) => {
  if (mating.shown) { mating.key(event); return; }
  const typing = event.target.matches("input:not([type=range]):not([type=checkbox]), textarea, select"), key = event.key.toLowerCase();
  if ((event.ctrlKey || event.metaKey) && key === "s") { event.preventDefault(); save(); return; }
  if (typing || find("dialog").open) return;
  if (event.ctrlKey || event.metaKey) {
    const deed = key === "z" ? (event.shiftKey ? "redo" : "undo") : key === "y" ? "redo" : "";
    if (deed) { event.preventDefault(); edit({ do: deed }); }
  } else if (key === "/") {
    event.preventDefault(); find("search").focus();
  } else if (key === "f") {
    stage?.fit();
  } else if (key === "escape") {
    if (insertion !== null) { insertion = null; note(find("place"), ""); catalogue.judge(state.misfits); find("hint").textContent = hint(state, null); }
    parts.choose(-1);
  } else if (key === "delete" && parts.chosen >= 0 && event.target === find("stage")) {
    edit({ do: "remove", at: parts.chosen });
  }
});
history.replaceState(null, "", "/");
