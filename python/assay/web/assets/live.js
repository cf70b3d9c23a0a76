// The live page: draws what the stream tells, lets a person freeze it, note something, and ask the lab to stop.

import { change } from "./web.js";
import { Columns, Readings, number } from "./live-data.js";
import { Feed } from "./live-feed.js";
import { HeatMap } from "./live-heat.js";
import { RateChart, SignalChart } from "./live-lines.js";

const page = document.getElementById("live");
const settings = JSON.parse(page.dataset.settings);
const words = settings.words;
const by = (id) => document.getElementById(id);
const said = (key, figures = {}) => words[key].replace(/\{(\w+)\}/g, (_all, name) => figures[name] ?? "");

const WORRIED_S = 3;
const LOST_S = 10;
const SUMMARY_MS = 15000;
const MOST_FROZEN = 3600;
const TABLE_ROWS = 60;
const SERIES = [
  ["rate", (one) => one.n / one.d],
  ["p50", (one) => one.ms[0]],
  ["p95", (one) => one.ms[1]],
  ["p99", (one) => one.ms[2]],
  ["longest", (one) => one.ms[3]],
];

const columns = new Columns();
const readings = new Readings();
let rung = null;
let cursor = null; // number of a column
let series = 0; // of the readout: rate, p50, p95, p99, longest
let frozen = null; // messages that wait while the page is frozen
let tick = { behind: 0, at: performance.now() };
let speaks = true;
let speaking = 0; // a timer
let dirty = true;
const seen = new Set();
const announced = new Set();

const heat = new HeatMap(by("heat-canvas"), settings);
const rate = new RateChart(by("rate-plot"), words.rate, (index) => {
  if (index !== cursor) point(index, false);
});
const charts = settings.charts.map((chart) => new SignalChart(by(`signal-${chart.key}`), chart));

// What the stream tells.

const hearers = {
  rung(told) {
    if (rung !== null && rung.run === told.run && rung.rung === told.rung && rung.began === told.began) return;
    if (rung === null || rung.run !== told.run) readings.clear();
    rung = told;
    columns.clear();
    cursor = null;
    rate.before = [];
    same(told);
  },
  second(told) {
    columns.push(told);
  },
  signals(told) {
    readings.push(told);
  },
  part(told) {
    const place = by(`part-${told.part}`);
    if (place !== null) place.innerHTML = told.html;
    if (told.part === "doubts") markSeen();
  },
  tick(told) {
    tick = { behind: told.behind, at: performance.now() };
    showLink();
  },
  end(told) {
    if (!told.over) return;
    showLink(true);
    if (told.whole && frozen === null && document.querySelector("dialog[open]") === null) {
      setTimeout(() => location.assign(page.dataset.result), 1500);
    }
  },
};

function hear(kind, told) {
  if (frozen !== null && kind !== "tick" && kind !== "end") {
    if (frozen.length < MOST_FROZEN) frozen.push([kind, told]);
    else frozen.full = true;
    by("freeze-count").textContent = said("waiting", { count: number(frozen.length) });
    return;
  }
  hearers[kind]?.(told);
  dirty = true;
}

/** The same load point in the blocks before, as thin lines. */
async function same(of) {
  const answer = await fetch(`${page.dataset.same}?${new URLSearchParams({ run: of.run, rung: of.rung })}`);
  if (answer.ok && rung === of) {
    rate.before = await answer.json();
    dirty = true;
  }
}

/** What lies before the seconds that the page began with, merged to few. */
async function earlier() {
  const found = / ([^ ]+)\/([^/ ]+)\/events\.jsonl:(\d+)#/.exec(page.dataset.place);
  if (found === null || found[3] === "0") return;
  const query = new URLSearchParams({ run: found[1], rung: found[2], before: found[3] });
  const answer = await fetch(`${page.dataset.before}?${query}`);
  if (answer.ok && rung !== null && rung.rung === found[2] && rung.run === found[1]) {
    columns.prepend(await answer.json());
    dirty = true;
  }
}

// Drawing: at most once a frame, and only what changed.

function range() {
  const end = columns.length > 0 ? columns.last.t + columns.last.d : 0;
  const planned = rung === null ? 0 : rung.warmup + rung.measure;
  const start = columns.length > 0 ? Math.min(columns.all[0].t, 0) : 0;
  return [start, Math.max(end, planned > 0 && planned < 4 * end + 60 ? planned : end, 10)];
}

function draw() {
  requestAnimationFrame(draw);
  if (!dirty || document.hidden) return;
  dirty = false;
  page.dataset.seconds = columns.length;
  const [from, to] = range();
  rate.draw(columns.all, [from, to], rung === null ? 0 : rung.warmup);
  heat.at = cursor;
  heat.draw(columns.all, from, to);
  for (const chart of charts) chart.draw(readings);
  by("heat-scale").textContent = heat.darkest > 0 ? said("darkest", { share: number(Math.round(100 * heat.darkest)) }) : said("no-data");
  by("grain").textContent = columns.grain > 1.5 ? said("grain", { seconds: number(Math.round(columns.grain)) }) : "";
  showErrors();
  if (by("rate-table").open) fillTable();
}

function showErrors() {
  const codes = Object.entries(columns.errors);
  by("errors").hidden = codes.length === 0;
  const body = by("errors").tBodies[0];
  body.replaceChildren(
    ...codes.map(([code, count]) => {
      const row = document.createElement("tr");
      for (const text of [code === "0" ? words["lost-connection"] : code, number(count)]) row.insertCell().textContent = text;
      return row;
    }),
  );
}

function fillTable() {
  const body = by("rate-table").querySelector("tbody");
  body.replaceChildren(
    ...columns.all.slice(-TABLE_ROWS).reverse().map((one) => {
      const row = document.createElement("tr");
      const cells = [number(Math.round(one.t)), words[one.p] ?? one.p, number(Math.round(one.n / one.d)), ...[0, 1, 2, 3].map((at) => number(one.ms[at])), number(one.f)];
      for (const text of cells) row.insertCell().textContent = text;
      return row;
    }),
  );
}

// A cursor that the keyboard moves, too: one for both charts.

function point(index, moves = true) {
  cursor = index === null || columns.length === 0 ? null : Math.min(Math.max(index, 0), columns.length - 1);
  if (moves) rate.point(cursor);
  heat.at = cursor;
  dirty = true;
  clearTimeout(speaking);
  if (cursor === null) return;
  const one = columns.all[cursor];
  const [name, value] = SERIES[series];
  const text = said("at", { second: number(Math.round(one.t)), phase: words[one.p] ?? one.p, name: words[name], value: number(value(one)) });
  by("readout").textContent = text;
  speaking = setTimeout(() => (by("say").textContent = text), 250);
}

for (const figure of document.querySelectorAll("figure[data-cursor]")) {
  figure.addEventListener("keydown", (event) => {
    const here = cursor ?? columns.length - 1;
    const moves = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: columns.length - 1 };
    if (event.key in moves) point(moves[event.key]);
    else if (event.key === "ArrowUp") series = (series + SERIES.length - 1) % SERIES.length;
    else if (event.key === "ArrowDown") series = (series + 1) % SERIES.length;
    else return;
    if (event.key.startsWith("Arrow") && !(event.key in moves)) point(here);
    event.preventDefault();
  });
  figure.addEventListener("focusout", () => point(null));
}

// How old what is shown is: never frozen silently.

function showLink(over = false) {
  const place = by("link");
  const behind = tick.behind + Math.max((performance.now() - tick.at) / 1000 - 1, 0);
  const state = over || feed.over ? "over" : behind > LOST_S ? "lost" : behind > WORRIED_S ? "behind" : "connected";
  place.className = `link ${state}`;
  place.textContent = state === "connected" || state === "behind" ? said(state, { seconds: behind.toFixed(1) }) : said(state);
  page.classList.toggle("stale", state === "lost");
}

// What a person does.

const feed = new Feed(page.dataset.stream, page.dataset.place, `assay-live ${page.dataset.stream}`, hear);

function freeze() {
  const button = by("freeze");
  if (frozen === null) {
    frozen = [];
    button.setAttribute("aria-pressed", "true");
    by("freeze-count").textContent = said("frozen");
    return;
  }
  const waited = frozen;
  frozen = null;
  button.setAttribute("aria-pressed", "false");
  by("freeze-count").textContent = "";
  if (waited.full) location.reload(); // more than is worth keeping: all of it is on the disk
  for (const [kind, told] of waited) hear(kind, told);
}

async function told(answer, place) {
  if (answer.ok) return true;
  const reason = answer.status === 401 ? words["needs-token"] : ((await answer.json().catch(() => ({}))).error ?? `${answer.status}`);
  place.textContent = reason;
  return false;
}

function ask(what) {
  return change(page.dataset.ask, { what });
}

let noteOf = null;

function openNote(id = null, text = "") {
  noteOf = id;
  const one = cursor === null ? undefined : columns.all[cursor];
  by("note-dialog").dataset.at = one === undefined || id !== null ? "" : String(one.w * 1e6);
  by("note-remove").hidden = id === null;
  by("note-text").value = text;
  by("note-error").textContent = "";
  by("note-dialog").showModal();
}

async function saveNote(text) {
  const at = by("note-dialog").dataset.at;
  const content = { text, author: by("note-author").value, replaces: noteOf, run: rung?.run ?? null };
  if (at !== "") content.from_wall_ns = Math.round(Number(at));
  if (await told(await change(page.dataset.note, content), by("note-error"))) by("note-dialog").close();
}

by("freeze").addEventListener("click", freeze);
by("note").addEventListener("click", () => openNote());
by("stop").addEventListener("click", () => {
  by("stop-error").textContent = "";
  by("stop-dialog").showModal();
});
by("stop-form").addEventListener("submit", async (event) => {
  if (event.submitter?.value === "close") return;
  event.preventDefault();
  const what = new FormData(by("stop-form")).get("what");
  if (await told(await ask(what), by("stop-error"))) by("stop-dialog").close();
});
by("note-form").addEventListener("submit", (event) => {
  if (event.submitter?.value === "close") return;
  event.preventDefault();
  saveNote(event.submitter?.value === "remove" ? "" : by("note-text").value);
});
page.addEventListener("click", async (event) => {
  const asks = event.target.closest("[data-ask]");
  if (asks !== null && asks !== page) await told(await ask(asks.dataset.ask), by("say"));
  const edits = event.target.closest("[data-note-edit]");
  if (edits !== null) openNote(edits.dataset.noteEdit, edits.closest("li").querySelector(".text").textContent);
});
for (const box of document.querySelectorAll("input[data-quantile]")) {
  box.addEventListener("change", () => {
    heat.lines[box.dataset.quantile] = box.checked;
    dirty = true;
  });
}

function markSeen() {
  for (const item of document.querySelectorAll("#part-doubts li")) {
    const text = item.querySelector("strong").textContent;
    const news = `${text}: ${item.querySelector(".state").textContent}`;
    if (seen.has(text)) item.classList.add("seen");
    else if (speaks && !announced.has(news)) by("say").textContent = news;
    announced.add(news);
  }
}
by("seen").addEventListener("click", () => {
  for (const item of document.querySelectorAll("#part-doubts li strong")) seen.add(item.textContent);
  markSeen();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]") !== null) return;
  if (event.target.closest("input, select, textarea, button, a, summary, [contenteditable]") !== null) return;
  if (event.key === " ") freeze();
  else if (event.key === "n") openNote();
  else if (event.key === "m") {
    speaks = !speaks;
    by("say").textContent = said(speaks ? "speaks" : "silent");
  } else return;
  event.preventDefault();
});
document.addEventListener("visibilitychange", () => (document.hidden ? feed.stop() : feed.start()));
addEventListener("pagehide", () => feed.stop());
addEventListener("pageshow", () => feed.start());
new ResizeObserver(() => {
  rate.resize();
  for (const chart of charts) chart.resize();
  dirty = true;
}).observe(page);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  rate.recolour();
  for (const chart of charts) chart.recolour();
  dirty = true;
});
setInterval(() => {
  if (speaks && frozen === null && !feed.over) by("say").textContent = by("part-now").textContent.trim();
}, SUMMARY_MS);
setInterval(showLink, 500);
feed.start();
setTimeout(earlier, 500);
requestAnimationFrame(draw);
