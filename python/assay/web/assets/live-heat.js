// The heat map of latencies: time against log latency, a cell's shade is its share of that time's operations.

const LEFT = 64; // as the axes of the other charts, so that times lie above each other
const RIGHT = 12;
const BELOW = 26;
const ABOVE = 8;
const LEAST_PX = 2;

export class HeatMap {
  constructor(canvas, settings) {
    this.canvas = canvas;
    this.cells = settings.cells;
    this.lowest = settings.lowest;
    this.rows = settings.rows;
    this.lines = { p50: false, p99: true };
    this.at = null;
    this.darkest = 0;
  }

  /** Upper edge of a cell in ms. */
  edge(cell) {
    return this.lowest * 10 ** ((cell + 1) / this.rows);
  }

  /** Draws the columns from `from` to `to` seconds. */
  draw(columns, from, to) {
    const scale = window.devicePixelRatio || 1;
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    if (width === 0) return;
    if (this.canvas.width !== Math.round(width * scale)) this.canvas.width = Math.round(width * scale);
    if (this.canvas.height !== Math.round(height * scale)) this.canvas.height = Math.round(height * scale);
    const paint = this.canvas.getContext("2d");
    const style = getComputedStyle(this.canvas);
    paint.setTransform(scale, 0, 0, scale, 0, 0);
    paint.clearRect(0, 0, width, height);
    paint.font = `12px ${style.fontFamily}`;
    const [ink, muted, line, hue] = ["ink", "muted", "line", "link"].map((name) => style.getPropertyValue(`--${name}`).trim());
    const plot = { x: LEFT, y: ABOVE, w: width - LEFT - RIGHT, h: height - ABOVE - BELOW };
    const [low, high] = this.#range(columns);
    const x = (t) => plot.x + ((t - from) / Math.max(to - from, 1e-9)) * plot.w;
    const y = (row) => plot.y + plot.h - ((row - low) / (high - low)) * plot.h;
    const row = (ms) => Math.log10(ms / this.lowest) * this.rows;
    this.#axes(paint, plot, low, high, from, to, { x, y, row, muted, line });

    const bins = this.#bins(columns, x, plot);
    this.darkest = 0;
    for (const bin of bins) for (const count of bin.counts) this.darkest = Math.max(this.darkest, count / bin.total);
    paint.fillStyle = hue;
    const tall = plot.h / (high - low);
    for (const bin of bins) {
      bin.counts.forEach((count, at) => {
        if (count === 0) return;
        paint.globalAlpha = Math.max(Math.sqrt(count / bin.total / this.darkest), 0.06);
        paint.fillRect(bin.x, y(at + 1), Math.max(bin.w, LEAST_PX), tall + 0.5);
      });
    }
    paint.globalAlpha = 1;
    paint.fillStyle = ink;
    for (const bin of bins) {
      if (bin.ms.length > 0) paint.fillRect(bin.x + bin.w / 2 - 1, y(row(bin.ms[3])) - 1, 2, 2);
    }
    this.#quantiles(paint, columns, x, (ms) => y(row(ms)), ink);
    this.#phases(paint, columns, plot, x, muted);
    if (this.at !== null && columns[this.at] !== undefined) {
      const place = x(columns[this.at].t + columns[this.at].d / 2);
      paint.strokeStyle = muted;
      paint.setLineDash([4, 3]);
      paint.beginPath();
      paint.moveTo(place, plot.y);
      paint.lineTo(place, plot.y + plot.h);
      paint.stroke();
      paint.setLineDash([]);
    }
  }

  /** The rows that are used, with room, at least two decades. */
  #range(columns) {
    let low = Infinity;
    let high = -Infinity;
    for (const one of columns) {
      if (one.counts.length === 0) continue;
      low = Math.min(low, one.first);
      high = Math.max(high, one.first + one.counts.length);
    }
    if (low > high) return [this.rows, 4 * this.rows];
    low = Math.max(low - 1, 0);
    high = Math.min(high + 2, this.cells);
    return high - low < 2 * this.rows ? [Math.max(0, Math.min(low, this.cells - 2 * this.rows)), Math.min(this.cells, Math.max(high, low + 2 * this.rows))] : [low, high];
  }

  /** Adds columns that share their pixels: a cell is never narrower than two. */
  #bins(columns, x, plot) {
    const found = [];
    for (const one of columns) {
      const left = Math.max(x(one.t), plot.x);
      const right = Math.min(x(one.t + one.d), plot.x + plot.w);
      if (right <= plot.x || one.counts.length === 0) continue;
      let bin = found[found.length - 1];
      if (bin === undefined || left - bin.x >= LEAST_PX || bin.w >= LEAST_PX) {
        bin = { x: left, w: 0, counts: new Array(this.cells).fill(0), total: 0, ms: [] };
        found.push(bin);
      }
      bin.w = Math.max(right - bin.x, bin.w);
      one.counts.forEach((count, at) => (bin.counts[one.first + at] += count));
      bin.total += one.counts.reduce((sum, count) => sum + count, 0);
      bin.ms = bin.ms.length === 0 ? one.ms : bin.ms.map((value, at) => Math.max(value, one.ms[at]));
    }
    return found;
  }

  #axes(paint, plot, low, high, from, to, { x, y, row, muted, line }) {
    paint.strokeStyle = line;
    paint.fillStyle = muted;
    paint.textAlign = "right";
    paint.textBaseline = "middle";
    for (let power = -3; power <= 5; power += 1) {
      const at = row(10 ** power);
      if (at < low || at > high) continue;
      paint.beginPath();
      paint.moveTo(plot.x, y(at));
      paint.lineTo(plot.x + plot.w, y(at));
      paint.stroke();
      paint.fillText(`${10 ** power} ms`, plot.x - 6, y(at));
    }
    paint.textAlign = "center";
    paint.textBaseline = "top";
    const step = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 7200].find((one) => (to - from) / one <= 8) ?? 14400;
    for (let t = Math.ceil(from / step) * step; t <= to; t += step) paint.fillText(`${t} s`, x(t), plot.y + plot.h + 9);
  }

  #quantiles(paint, columns, x, y, ink) {
    paint.strokeStyle = ink;
    for (const [name, at, dash] of [["p50", 0, []], ["p99", 2, [5, 3]]]) {
      if (!this.lines[name]) continue;
      paint.setLineDash(dash);
      paint.beginPath();
      let drawing = false;
      for (const one of columns) {
        if (one.ms.length === 0) {
          drawing = false; // a gap stays one
          continue;
        }
        paint[drawing ? "lineTo" : "moveTo"](x(one.t + one.d / 2), y(one.ms[at]));
        drawing = true;
      }
      paint.stroke();
    }
    paint.setLineDash([]);
  }

  /** A band beneath the plot: hatched while warming up, full while measuring. */
  #phases(paint, columns, plot, x, muted) {
    paint.fillStyle = muted;
    for (const one of columns) {
      const left = Math.max(x(one.t), plot.x);
      paint.globalAlpha = one.p === "measure" ? 0.9 : 0.3;
      paint.fillRect(left, plot.y + plot.h + 2, Math.max(Math.min(x(one.t + one.d), plot.x + plot.w) - left, 0.5), 4);
    }
    paint.globalAlpha = 1;
  }
}
