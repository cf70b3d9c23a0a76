// The charts of the live page: throughput and the heat map of latencies over the same seconds; small ones.

const AXIS_PX = 64; // the same for all, so that times lie above each other
const LEAST_PX = 2; // of a column of the heat map
const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3]];
const NONE = { show: false };
const { uPlot } = window;
const figures = (_plot, values) => values.map((value) => value.toLocaleString("en-US"));
const clock = (_plot, values) => values.map((value) => new Date(value * 1000).toTimeString().slice(0, 8));
const middle = (one) => one.t + one.d / 2;

/** A chart of uPlot in a place; `options` and `data` come from the kind of chart. */
class Chart {
  constructor(place, lines) {
    this.place = place;
    this.data = Array.from({ length: lines + 1 }, () => []);
  }

  /** Makes the plot, and makes it again where colours changed. */
  make() {
    this.plot?.destroy();
    const style = getComputedStyle(this.place);
    this.look = { font: `12px ${style.fontFamily}` };
    for (const name of ["ink", "muted", "line", "link", "faint", "worse", "same"]) {
      this.look[name] = style.getPropertyValue(`--${name}`).trim();
    }
    const always = { ...this.#size(), padding: [8, 12, 0, 0], legend: NONE };
    this.plot = new uPlot({ ...always, ...this.options(this.look) }, this.data, this.place);
  }

  axis(more) {
    const { muted, line, font } = this.look;
    return { stroke: muted, font, grid: { stroke: line, width: 1 }, ticks: { stroke: line }, ...more };
  }

  resize() {
    this.plot.setSize(this.#size());
  }

  #size() {
    return { width: this.place.clientWidth || 320, height: this.place.clientHeight || 120 };
  }
}

/** A chart over the seconds of the load point, with a cursor that it has together with others. */
class SecondsChart extends Chart {
  constructor(place, lines, moved) {
    super(place, lines);
    Object.assign(this, { moved, columns: [], range: [0, 60], steps: [] });
  }

  options(look) {
    const values = (_plot, seconds) => seconds.map((value) => `${value} s`);
    return {
      scales: { x: { time: false, range: () => this.range }, y: this.scale() },
      axes: [this.axis({ values, size: 30 }), this.axis({ size: AXIS_PX, ...this.values() })],
      series: [{}, ...this.lines(look)],
      cursor: { y: false, drag: { x: false, y: false }, points: NONE },
      hooks: {
        drawClear: [(plot) => this.#under(plot, look)],
        setCursor: [(plot) => this.moved(plot.cursor.idx ?? null)],
      },
      ...this.more?.(look),
    };
  }

  draw(columns, range) {
    Object.assign(this, { columns, range, data: [columns.map(middle), ...this.table(columns)] });
    this.plot.setData(this.data);
  }

  /** Shows the cursor at a column; null shows none. */
  point(index) {
    const at = index === null ? -10 : this.plot.valToPos(this.data[0][index], "x");
    this.plot.setCursor({ left: at, top: index === null ? -10 : 10 }, false);
  }

  /** Draws beneath everything else, inside the plot. */
  #under(plot, look) {
    const { left, top, width, height } = plot.bbox;
    plot.ctx.save();
    plot.ctx.beginPath();
    plot.ctx.rect(left, top, width, height);
    plot.ctx.clip();
    const x = (t) => plot.valToPos(t, "x", true);
    this.under(plot.ctx, x, (value) => plot.valToPos(value, "y", true), top + height, look);
    this.#mark(plot.ctx, x, { top, height, right: left + width }, look);
    plot.ctx.restore();
  }

  /** A dashed line with its name where a step of the run began while the load ran. */
  #mark(paint, x, { top, height, right }, { ink, font }) {
    const [first] = this.columns;
    const size = 12 * devicePixelRatio;
    Object.assign(paint, { globalAlpha: 1, lineWidth: devicePixelRatio, fillStyle: ink, strokeStyle: ink });
    Object.assign(paint, { font: font.replace("12px", `${size}px`) });
    paint.setLineDash([size / 3, size / 3]);
    const shown = this.steps.filter(({ w }) => w >= first?.w);
    shown.forEach(({ w, text }, at) => {
      const left = x(first.t + (w - first.w) / 1000);
      paint.stroke(new Path2D(`M${left} ${top}V${top + height}`));
      const isCut = left + 4 + paint.measureText(text).width > right; // beyond the edge: before its line
      paint.textAlign = isCut ? "right" : "left";
      paint.fillText(text, isCut ? left - 4 : left + 4, top + height - size * (1.6 + (at % 3)));
    });
  }
}

/** Throughput from 0: this block as a line, with extremes of merged seconds; the blocks before in grey. */
export class RateChart extends SecondsChart {
  constructor(place, label, moved) {
    super(place, 3, moved);
    Object.assign(this, { label, before: [], warm: 0 });
    this.make();
  }

  scale() {
    const most = () => Math.max(1, ...this.before.flatMap((one) => one.rates));
    return { range: (_plot, _low, high) => [0, Math.max(high ?? 1, most()) * 1.08] };
  }

  values() {
    return { label: this.label, labelSize: 16, labelFont: this.look.font, values: figures };
  }

  lines(look) {
    const edge = { stroke: "transparent", points: NONE };
    return [{ stroke: look.link, width: 1.6, points: NONE }, edge, edge];
  }

  more(look) {
    return { bands: [{ series: [3, 2], fill: `color-mix(in srgb, ${look.link} 25%, transparent)` }] };
  }

  table(columns) {
    const rates = columns.map((one) => (one.d > 0 ? one.n / one.d : null));
    return [rates, columns.map((one) => one.lo), columns.map((one) => one.hi)];
  }

  /** The warm-up as a shade, and the blocks before as thin lines. */
  under(paint, x, y, bottom, look) {
    paint.fillStyle = look.faint;
    if (this.warm > 0) paint.fillRect(x(0), 0, x(this.warm) - x(0), bottom);
    paint.strokeStyle = look.muted;
    paint.globalAlpha = 0.45;
    paint.lineWidth = devicePixelRatio;
    for (const { t_s: times, rates } of this.before) {
      paint.beginPath();
      times.forEach((t, at) => paint.lineTo(x(t), y(rates[at])));
      paint.stroke();
    }
  }
}

/** The heat map of latencies: a cell's shade is its share of that time's operations, dots are the longest. */
export class HeatChart extends SecondsChart {
  constructor(place, settings, moved, shaded) {
    super(place, 3, moved);
    Object.assign(this, { settings, shaded, shows: { p50: false, p99: true } });
    this.make();
  }

  /** Shows or hides a line. */
  show(name, isShown) {
    this.shows[name] = isShown;
    this.plot.setSeries(Object.keys(this.shows).indexOf(name) + 1, { show: isShown });
  }

  /** Upper edge of a cell in ms. */
  edge(cell) {
    return this.settings.lowest * 10 ** ((cell + 1) / this.settings.rows);
  }

  scale() {
    return { distr: 3, range: () => this.#decades() };
  }

  /** The cells that are used, with room, at least two decades, in ms. */
  #decades() {
    const { cells, rows } = this.settings;
    const used = this.columns.filter((one) => one.counts.length > 0);
    const ends = used.map((one) => one.first + one.counts.length + 2);
    const low = Math.max(Math.min(cells - 2 * rows, ...used.map((one) => one.first - 1)), 0);
    const high = Math.min(Math.max(low + 2 * rows, ...ends), cells);
    return used.length > 0 ? [this.edge(low - 1), this.edge(high - 1)] : [1, 100];
  }

  values() {
    const powers = Array.from({ length: 9 }, (_, at) => 10 ** (at - 3));
    const splits = (_plot, _axis, low, high) => powers.filter((ms) => low <= ms && ms <= high);
    const all = (_plot, values) => values;
    return { splits, filter: all, values: (_plot, values) => values.map((ms) => `${ms} ms`) };
  }

  lines({ ink }) {
    const dots = { stroke: ink, paths: () => null, points: { show: true, size: 3, width: 0, fill: ink } };
    const line = (name, dash) => ({ stroke: ink, width: 1, dash, points: NONE, show: this.shows[name] });
    return [line("p50", []), line("p99", [5, 3]), dots];
  }

  table(columns) {
    return [0, 2, 3].map((at) => columns.map((one) => one.ms[at] ?? null));
  }

  /** The cells, and beneath them a band: faint while warming up, full while measuring. */
  under(paint, x, y, bottom, look) {
    const bins = this.#bins(x);
    const darkest = Math.max(0, ...bins.map((bin) => Math.max(...bin.counts) / bin.total));
    paint.fillStyle = look.link;
    for (const { left, width, counts, total } of bins) {
      counts.forEach((count, cell) => {
        if (count === 0) return;
        paint.globalAlpha = Math.max(Math.sqrt(count / total / darkest), 0.06);
        const high = y(this.edge(cell));
        paint.fillRect(left, high, Math.max(width, LEAST_PX), y(this.edge(cell - 1)) - high + 0.5);
      });
    }
    paint.clearRect(x(this.range[0]), bottom - 7, x(this.range[1]) - x(this.range[0]), 7); // no cells there
    paint.fillStyle = look.muted;
    for (const one of this.columns) {
      paint.globalAlpha = one.p === "measure" ? 0.9 : 0.3;
      paint.fillRect(x(one.t), bottom - 4, Math.max(x(one.t + one.d) - x(one.t), 0.5), 4);
    }
    this.shaded(darkest);
  }

  /** Adds columns that share their pixels: a column is never narrower than two. */
  #bins(x) {
    const found = [];
    for (const one of this.columns.filter((column) => column.counts.length > 0)) {
      const left = x(one.t);
      let bin = found.at(-1);
      if (bin === undefined || left - bin.left >= LEAST_PX || bin.width >= LEAST_PX) {
        bin = { left, width: 0, counts: new Array(this.settings.cells).fill(0), total: 0 };
        found.push(bin);
      }
      bin.width = x(one.t + one.d) - bin.left;
      one.counts.forEach((count, at) => (bin.counts[one.first + at] += count));
      bin.total += one.counts.reduce((sum, count) => sum + count, 0);
    }
    return found;
  }
}

/** One small chart of readings. */
export class SignalChart extends Chart {
  constructor(place, chart) {
    super(place, chart.lines.length);
    this.keys = chart.lines.map((line) => line.key);
    this.make();
  }

  options({ link, worse, same, muted }) {
    const colours = [link, worse, same, muted];
    const line = (_key, at) => ({ stroke: colours[at], dash: DASHES[at], width: 1.4, points: NONE });
    const times = this.axis({ size: 30, space: 90, values: clock });
    return {
      scales: { x: { time: true }, y: { range: (_plot, _low, high) => [0, (high || 1) * 1.1] } },
      axes: [times, this.axis({ size: AXIS_PX, values: figures })],
      series: [{}, ...this.keys.map(line)],
      cursor: NONE,
    };
  }

  /** Draws the readings; a chart without any is not shown. */
  draw(readings) {
    this.data = readings.table(this.keys);
    const figure = this.place.closest("figure");
    const has = this.data.slice(1).some((line) => line.some((value) => value !== undefined));
    if (figure.hidden === has) {
      figure.hidden = !has;
      this.resize();
    }
    this.plot.setData(this.data);
  }
}
