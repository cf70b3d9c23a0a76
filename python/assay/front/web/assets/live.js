// The live page: draws what the stream tells; a person may freeze it, note something, and stop the study.

import { HeatChart, RateChart, SignalChart } from "./live-charts.js";
import { Columns, Readings, number } from "./live-data.js";
import { Feed } from "./live-feed.js";
import { Speech } from "./live-speech.js";
import { openNote } from "./notes.js";
import { by, change, onKeys } from "./web.js";

const page = document.getElementById("live");
const settings = JSON.parse(page.dataset.settings);
const words = settings.words;
const every = (selector) => document.querySelectorAll(selector);
const said = (key, figures = {}) => words[key].replace(/\{(\w+)\}/g, (_all, name) => figures[name] ?? "");
const isAsked = () => document.querySelector("dialog[open]") !== null;

const WORRIED_S = 3;
const LOST_S = 10;
const SUMMARY_MS = 15000;
const MOST_FROZEN = 3600;
const TABLE_ROWS = 60;
const PERCENTILES = ["p50", "p95", "p99", "longest"];
const SERIES = ["rate", ...PERCENTILES];

const columns = new Columns();
const readings = new Readings();
let rung = null;
let cursor = null; // number of a column
let series = 0; // of the readout
let frozen = null; // messages that wait while the page is frozen
let tick = { behind: 0, step: "", since: 0, at: performance.now() };
let isLost = false;
let speaks = true;
let speaking = 0; // a timer
let dirty = true;
const seen = new Set();
const announced = new Set();

const moved = (index) => index !== cursor && point(index);
const rate = new RateChart(by("rate-plot"), words.rate, moved);
const heat = new HeatChart(by("heat-plot"), settings, moved, (darkest) => {
  const share = number(Math.round(100 * darkest));
  by("heat-scale").textContent = darkest > 0 ? said("darkest", { share }) : said("no-data");
});
const signals = settings.charts.map((chart) => new SignalChart(by(`signal-${chart.key}`), chart));
const timed = [rate, heat];
const charts = [...timed, ...signals];
const speech = new Speech(by("say"));

// What the stream tells.

const hearers = {
  rung(told) {
    if (rung !== null && ["run", "rung", "began"].every((name) => rung[name] === told[name])) return;
    if (rung === null || rung.run !== told.run) readings.clear();
    rung = told;
    columns.clear();
    cursor = null;
    rate.before = [];
    got("same", told, {}, (lines) => (rate.before = lines)); // the same load in the blocks before
  },
  steps: (told) => timed.forEach((chart) => (chart.steps = told)),
  second: (told) => columns.push(told),
  signals: (told) => readings.push(told),
  part(told) {
    const place = by(`part-${told.part}`);
    if (place !== null) place.innerHTML = told.html;
    if (told.part === "doubts") markSeen();
  },
  tick(told) {
    tick = { ...told, at: performance.now() };
    showLink();
  },
  end(told) {
    if (!told.over) return;
    showLink();
    if (told.whole && frozen === null && !isAsked()) {
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

/** Asks for what the stream does not tell of a load point, and takes it unless another one has begun. */
async function got(name, { run, rung: at }, more, take) {
  const answer = await fetch(`${page.dataset[name]}?${new URLSearchParams({ run, rung: at, ...more })}`);
  if (!answer.ok || rung?.run !== run || rung.rung !== at) return;
  take(await answer.json());
  dirty = true;
}

/** What lies before the seconds that the page began with, merged to few. */
function earlier() {
  const found = / ([^ ]+)\/([^/ ]+)\/events\.jsonl:(\d+)#/.exec(page.dataset.place);
  if (found === null || found[3] === "0") return;
  const [, run, at, before] = found;
  got("before", { run, rung: at }, { before }, (seconds) => columns.prepend(seconds));
}

// Drawing: at most once a frame, and only what changed.

function range() {
  const end = columns.length > 0 ? columns.last.t + columns.last.d : 0;
  const planned = rung === null ? 0 : rung.warmup + rung.measure;
  const start = columns.length > 0 ? Math.min(columns.all[0].t, 0) : 0;
  return [start, Math.max(end, planned < 4 * end + 60 ? planned : end, 10)];
}

function draw() {
  requestAnimationFrame(draw);
  if (!dirty || document.hidden) return;
  dirty = false;
  page.dataset.seconds = columns.length;
  rate.warm = rung?.warmup ?? 0;
  for (const chart of timed) chart.draw(columns.all, range());
  for (const chart of signals) chart.draw(readings);
  const { grain } = columns;
  by("grain").textContent = grain > 1.5 ? said("grain", { seconds: number(Math.round(grain)) }) : "";
  const codes = Object.entries(columns.errors);
  by("errors").hidden = codes.length === 0;
  const named = (code) => (code === "0" ? words["lost-connection"] : code);
  fill("errors", codes.map(([code, count]) => [named(code), number(count)]));
  if (by("rate-table").open) fill("rate-table", columns.all.slice(-TABLE_ROWS).reverse().map(cells));
}

/** Returns a column's rate, percentiles and longest time, as in `SERIES`. */
const values = (one) => [one.n / one.d, ...PERCENTILES.map((_name, at) => one.ms[at])];

function cells(one) {
  const [first, ...times] = values(one);
  const whole = (value) => number(Math.round(value));
  return [whole(one.t), phase(one), whole(first), ...times.map(number), number(one.f)];
}

const phase = (one) => words[one.p] ?? one.p;

/** Fills the rows of the table in a place with texts. */
function fill(id, rows) {
  const made = rows.map((texts) => {
    const row = document.createElement("tr");
    for (const text of texts) row.insertCell().textContent = text;
    return row;
  });
  by(id).querySelector("tbody").replaceChildren(...made);
}

// A cursor that the keyboard moves, too: one for both charts.

function point(index) {
  cursor = index === null || columns.length === 0 ? null : Math.min(Math.max(index, 0), columns.length - 1);
  for (const chart of timed) chart.point(cursor);
  clearTimeout(speaking);
  if (cursor === null) return;
  const one = columns.all[cursor];
  const text = said("at", {
    second: number(Math.round(one.t)),
    phase: phase(one),
    name: words[SERIES[series]],
    value: number(values(one)[series]),
  });
  by("readout").textContent = text;
  speaking = setTimeout(() => speech.answer(text), 250);
}

for (const figure of every("figure[data-cursor]")) {
  figure.addEventListener("keydown", (event) => {
    const here = cursor ?? columns.length - 1;
    const moves = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: columns.length - 1 };
    const turns = { ArrowUp: SERIES.length - 1, ArrowDown: 1 };
    if (!(event.key in moves || event.key in turns)) return;
    series = (series + (turns[event.key] ?? 0)) % SERIES.length;
    point(moves[event.key] ?? here);
    event.preventDefault();
  });
  figure.addEventListener("focusout", () => point(null));
}

// How old what is shown is: never frozen silently. Only ticks that stay away are a lost connection: a study may say nothing for minutes.

function showLink() {
  const silent = Math.max((performance.now() - tick.at) / 1000 - 1, 0);
  const behind = tick.behind + silent;
  const isHere = silent <= WORRIED_S;
  const live = tick.step && isHere ? "doing" : behind > WORRIED_S ? "behind" : "connected";
  const state = feed.over ? "over" : silent > LOST_S ? "lost" : live;
  const seconds = state === "doing" ? number(Math.round(tick.since + silent)) : behind.toFixed(1);
  by("link").className = `link ${state}`;
  by("link").textContent = said(state, { seconds, step: tick.step });
  page.classList.toggle("stale", state === "lost");
  if (isLost === (state === "lost")) return;
  isLost = state === "lost";
  if (speaks) speech.news(by("link").textContent);
}

// What a person does.

const feed = new Feed(page.dataset.stream, page.dataset.place, `assay-live ${page.dataset.stream}`, hear);

function freeze() {
  const waited = frozen;
  frozen = waited === null ? [] : null;
  by("freeze").setAttribute("aria-pressed", `${frozen !== null}`);
  by("freeze-count").textContent = frozen === null ? "" : said("frozen");
  speech.answer(said(frozen === null ? "goes-on" : "frozen"));
  if (waited?.full) location.reload(); // more than is worth keeping: all of it is on the disk
  for (const [kind, told] of waited ?? []) hear(kind, told);
}

/** Opens the dialog for a note about the run, and the second under the cursor. */
function note() {
  const at = cursor === null ? {} : { from_wall_ns: Math.round(columns.all[cursor].w * 1e6) };
  openNote({ run: rung?.run, ...at }, cursor === null ? "" : by("readout").textContent);
}
for (const plot of every("figure[data-cursor] .plot")) plot.addEventListener("click", note);

by("note").addEventListener("click", note);
by("freeze").addEventListener("click", freeze);
by("stop").addEventListener("click", () => by("stop-dialog").showModal());
by("part-asked").addEventListener("click", (event) => {
  const asks = event.target.closest("[data-ask]");
  if (asks !== null) change(by("stop-form").dataset.post, { what: asks.dataset.ask }, by("say"));
});
for (const box of every("input[data-quantile]")) {
  box.addEventListener("change", () => heat.show(box.dataset.quantile, box.checked));
}

function markSeen() {
  for (const item of every("#part-doubts li")) {
    const text = item.querySelector("strong").textContent;
    const news = `${text}: ${item.querySelector(".state").textContent}`;
    if (seen.has(text)) item.classList.add("seen");
    else if (speaks && !announced.has(news)) speech.news(news);
    announced.add(news);
  }
}
by("seen").addEventListener("click", () => {
  for (const item of every("#part-doubts li strong")) seen.add(item.textContent);
  markSeen();
});

function mute() {
  speaks = !speaks;
  speech.answer(said(speaks ? "speaks" : "silent"));
}
onKeys({ " ": freeze, n: note, m: mute }, ", button, a, summary, dialog");
document.addEventListener("visibilitychange", () => (document.hidden ? feed.stop() : feed.start()));
addEventListener("pagehide", () => feed.stop());
addEventListener("pageshow", () => feed.start());
new ResizeObserver(() => charts.forEach((chart) => chart.resize())).observe(page);
const isDark = matchMedia("(prefers-color-scheme: dark)");
isDark.addEventListener("change", () => charts.forEach((chart) => chart.make()));
setInterval(() => {
  if (speaks && frozen === null && !feed.over) speech.summary(by("part-now").textContent.trim());
}, SUMMARY_MS);
setInterval(showLink, 500);
feed.start();
setTimeout(earlier, 500);
requestAnimationFrame(draw);
