// The seconds of a load point, kept in bounded memory; numbers as the report writes them.

const MOST = 1800;
const MERGED = 1200; // of the oldest, when there are too many

const LEAST = 1e-6;
const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Formats a number as the server does: four significant digits, three below one, commas between thousands. */
export function number(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  const power = Math.floor(Math.log10(size));
  if (size > 0 && size < LEAST) {
    const raised = String(-power).replace(/\d/g, (digit) => RAISED[digit]);
    return `${(value / 10 ** power).toFixed(2).replace("-", "−")} × 10⁻${raised}`;
  }
  const places = Number.isInteger(value) || size >= 1000 ? 0 : (size >= 1 ? 3 : 2) - power;
  const digits = { minimumFractionDigits: places, maximumFractionDigits: places, roundingMode: "halfEven" };
  const text = value.toLocaleString("en-US", { ...digits, signDisplay: "negative" });
  return text.replace("-", "−");
}

/** Returns a second of the stream as a column: rates, percentiles, sparse heat cells, errors by code. */
function column({ lo, hi, ms = [], e = {}, f = 0, h: [first = 0, ...counts] = [], ...one }) {
  const rate = one.d > 0 ? one.n / one.d : 0;
  return { ...one, lo: lo ?? rate, hi: hi ?? rate, ms, e, f, first, counts };
}

function addErrors(sums, errors) {
  for (const [code, count] of Object.entries(errors)) sums[code] = (sums[code] ?? 0) + count;
  return sums;
}

/** Adds two neighbours: histograms are added, rates keep their extremes, nothing is averaged away. A
 * percentile of both lies between theirs; the higher one hides nothing. */
function merged(a, b) {
  const both = [a, b].filter((one) => one.counts.length > 0);
  const first = both.length > 0 ? Math.min(...both.map((one) => one.first)) : 0;
  const end = Math.max(first, ...both.map((one) => one.first + one.counts.length));
  const counts = new Array(end - first).fill(0);
  for (const one of both) one.counts.forEach((count, at) => (counts[one.first - first + at] += count));
  return {
    ...a,
    d: b.t + b.d - a.t,
    n: a.n + b.n,
    lo: Math.min(a.lo, b.lo),
    hi: Math.max(a.hi, b.hi),
    ms: a.ms.length === 0 ? b.ms : a.ms.map((value, at) => Math.max(value, b.ms[at] ?? value)),
    first,
    counts,
    e: addErrors({ ...a.e }, b.e),
    f: Math.max(a.f, b.f),
  };
}

export class Columns {
  constructor() {
    this.clear();
  }

  clear() {
    Object.assign(this, { all: [], errors: {}, until: -Infinity });
  }

  get length() {
    return this.all.length;
  }

  get last() {
    return this.all.at(-1);
  }

  /** The longest stretch that one column stands for, in seconds. */
  get grain() {
    return this.all.reduce((most, one) => Math.max(most, one.d), 0);
  }

  /** Adds a second; one that is there already is passed over. */
  push(second) {
    if (second.t <= this.until) return;
    this.until = second.t;
    this.all.push(column(second));
    this.#added([second]);
  }

  /** Puts earlier seconds before those that are there. */
  prepend(seconds) {
    const first = this.all[0]?.t ?? Infinity;
    const before = seconds.filter((second) => second.t < first);
    this.all.unshift(...before.map(column));
    this.#added(before);
    this.until = Math.max(this.until, before.at(-1)?.t ?? -Infinity);
  }

  #added(seconds) {
    for (const second of seconds) addErrors(this.errors, second.e ?? {});
    while (this.all.length > MOST) {
      const old = this.all.splice(0, MERGED);
      const found = [];
      while (old.length > 0) {
        const one = old.shift();
        found.push(old[0]?.p === one.p ? merged(one, old.shift()) : one);
      }
      this.all.unshift(...found);
    }
  }
}

/** Readings of the samplers by whole second, the last half hour of them. */
export class Readings {
  rows = new Map();

  clear() {
    this.rows.clear();
  }

  push({ at_ms: at, values }) {
    const second = Math.floor(at / 1000);
    this.rows.set(second, { ...this.rows.get(second), ...values });
    if (this.rows.size > MOST) this.rows.delete(this.rows.keys().next().value);
  }

  /** Returns times and one list a key; a second without a reading is undefined, which is no gap. */
  table(keys) {
    const seconds = [...this.rows.keys()].sort((a, b) => a - b);
    return [seconds, ...keys.map((key) => seconds.map((second) => this.rows.get(second)[key]))];
  }
}
