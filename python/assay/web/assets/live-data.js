// The seconds of a load point, kept in bounded memory; numbers as the report writes them.

const MOST = 1800;
const MERGED = 1200; // of the oldest, when there are too many

/** Formats a number as the server does: four significant digits, commas between thousands. */
export function number(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  let places = 0;
  if (!Number.isInteger(value) && size < 1000) {
    places = size >= 1 ? 3 - Math.floor(Math.log10(size)) : Math.min(2 - Math.floor(Math.log10(size)), 6);
  }
  const digits = { minimumFractionDigits: places, maximumFractionDigits: places, roundingMode: "halfEven" };
  const text = value.toLocaleString("en-US", digits);
  return (Number(text.replaceAll(",", "")) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

/** Returns a second of the stream as a column: rates, percentiles, sparse heat cells. */
function column(second) {
  const rate = second.d > 0 ? second.n / second.d : 0;
  const [first = 0, ...counts] = second.h ?? [];
  return {
    t: second.t,
    d: second.d,
    p: second.p,
    n: second.n,
    lo: second.lo ?? rate,
    hi: second.hi ?? rate,
    ms: second.ms ?? [],
    first,
    counts,
    e: second.e ?? {},
    f: second.f ?? 0,
    u: second.u ?? 0,
    c: second.c ?? 0,
    w: second.w,
  };
}

/** Adds two neighbours: histograms are added, rates keep their extremes, nothing is averaged away. */
function merged(a, b) {
  const first = a.counts.length === 0 ? b.first : b.counts.length === 0 ? a.first : Math.min(a.first, b.first);
  const end = Math.max(a.first + a.counts.length, b.first + b.counts.length);
  const counts = new Array(Math.max(end - first, 0)).fill(0);
  for (const one of [a, b]) one.counts.forEach((count, at) => (counts[one.first - first + at] += count));
  const errors = { ...a.e };
  for (const [code, count] of Object.entries(b.e)) errors[code] = (errors[code] ?? 0) + count;
  return {
    ...a,
    d: b.t + b.d - a.t,
    n: a.n + b.n,
    lo: Math.min(a.lo, b.lo),
    hi: Math.max(a.hi, b.hi),
    // A percentile of both lies between theirs; the higher one hides nothing.
    ms: a.ms.length === 0 ? b.ms : b.ms.length === 0 ? a.ms : a.ms.map((value, at) => Math.max(value, b.ms[at])),
    first,
    counts,
    e: errors,
    f: Math.max(a.f, b.f),
    u: Math.max(a.u, b.u),
    c: Math.max(a.c, b.c),
  };
}

export class Columns {
  constructor() {
    this.clear();
  }

  clear() {
    this.all = [];
    this.errors = {};
    this.until = -Infinity;
  }

  get length() {
    return this.all.length;
  }

  get last() {
    return this.all[this.all.length - 1];
  }

  /** The longest stretch that one column stands for, in seconds. */
  get grain() {
    return this.all.reduce((most, one) => Math.max(most, one.d), 0);
  }

  /** Adds a second; one that is there already is passed over. Answers whether it was added. */
  push(second) {
    if (second.t <= this.until) return false;
    this.until = second.t;
    const one = column(second);
    this.all.push(one);
    for (const [code, count] of Object.entries(one.e)) this.errors[code] = (this.errors[code] ?? 0) + count;
    if (this.all.length > MOST) this.#shrink();
    return true;
  }

  /** Puts earlier seconds before those that are there. */
  prepend(seconds) {
    const first = this.all.length > 0 ? this.all[0].t : Infinity;
    const before = seconds.filter((second) => second.t < first).map(column);
    for (const one of before) {
      for (const [code, count] of Object.entries(one.e)) this.errors[code] = (this.errors[code] ?? 0) + count;
    }
    this.all = [...before, ...this.all];
    if (before.length > 0 && this.until === -Infinity) this.until = before[before.length - 1].t;
    while (this.all.length > MOST) this.#shrink();
  }

  #shrink() {
    const old = this.all.slice(0, MERGED);
    const found = [];
    for (let at = 0; at < old.length; at += 1) {
      const next = old[at + 1];
      if (next !== undefined && next.p === old[at].p) {
        found.push(merged(old[at], next));
        at += 1;
      } else found.push(old[at]);
    }
    this.all = [...found, ...this.all.slice(MERGED)];
  }
}

/** Readings of the samplers by whole second, the last half hour of them. */
export class Readings {
  constructor() {
    this.clear();
  }

  clear() {
    this.rows = new Map();
  }

  push(reading) {
    const second = Math.floor(reading.at_ms / 1000);
    this.rows.set(second, { ...this.rows.get(second), ...reading.values });
    if (this.rows.size > MOST) this.rows.delete(this.rows.keys().next().value);
  }

  /** Returns times and one list a key; a second in which a source was silent is undefined, which is no gap. */
  table(keys) {
    const seconds = [...this.rows.keys()].sort((a, b) => a - b);
    return [seconds, ...keys.map((key) => seconds.map((second) => this.rows.get(second)[key]))];
  }
}
