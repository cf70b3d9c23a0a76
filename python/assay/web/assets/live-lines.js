// Lines over time: throughput with the blocks before, and the small charts of server and host.

const AXIS_PX = 64;
const { uPlot } = window;

function colours(node) {
  const style = getComputedStyle(node);
  const get = (name) => style.getPropertyValue(name).trim();
  return {
    ink: get("--ink"), muted: get("--muted"), line: get("--line"), link: get("--link"), faint: get("--faint"),
    series: [get("--link"), get("--worse"), get("--same"), get("--muted")], font: `12px ${style.fontFamily}`,
  };
}

const axis = (look, more) => ({ stroke: look.muted, font: look.font, grid: { stroke: look.line, width: 1 }, ticks: { stroke: look.line }, ...more });
const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3]];

/** Throughput from 0: this block as a line with the extremes of merged seconds around it, earlier ones in grey. */
export class RateChart {
  constructor(place, label, moved) {
    this.place = place;
    this.label = label;
    this.moved = moved;
    this.before = [];
    this.range = [0, 60];
    this.warm = 0;
    this.#make();
  }

  #make() {
    this.plot?.destroy();
    const look = colours(this.place);
    const most = () => Math.max(1, ...this.before.flatMap((one) => one.rates));
    this.plot = new uPlot(
      {
        width: this.place.clientWidth || 320,
        height: this.place.clientHeight || 240,
        legend: { show: false },
        padding: [8, 12, 0, 0],
        scales: {
          x: { time: false, range: () => this.range },
          y: { range: (_plot, _low, high) => [0, Math.max(high ?? 1, most()) * 1.08] },
        },
        axes: [
          axis(look, { values: (_plot, values) => values.map((value) => `${value} s`), size: 26 }),
          axis(look, { size: AXIS_PX, label: this.label, labelSize: 16, labelFont: look.font, values: (_plot, values) => values.map((value) => value.toLocaleString("en-US")) }),
        ],
        series: [
          {},
          { stroke: look.link, width: 1.6, points: { show: false } },
          { stroke: "transparent", points: { show: false } },
          { stroke: "transparent", points: { show: false } },
        ],
        bands: [{ series: [3, 2], fill: `color-mix(in srgb, ${look.link} 25%, transparent)` }],
        cursor: { y: false, drag: { x: false, y: false } },
        hooks: {
          drawClear: [(plot) => this.#under(plot, look)],
          setCursor: [(plot) => this.moved(plot.cursor.idx ?? null)],
        },
      },
      this.data ?? [[], [], [], []],
      this.place,
    );
  }

  /** The warm-up as a shade, and the blocks before as thin lines, beneath everything else. */
  #under(plot, look) {
    const paint = plot.ctx;
    const { left, top, width, height } = plot.bbox;
    paint.save();
    paint.beginPath();
    paint.rect(left, top, width, height);
    paint.clip();
    if (this.warm > 0) {
      paint.fillStyle = look.faint;
      paint.fillRect(plot.valToPos(0, "x", true), top, plot.valToPos(this.warm, "x", true) - plot.valToPos(0, "x", true), height);
    }
    paint.strokeStyle = look.muted;
    paint.globalAlpha = 0.45;
    paint.lineWidth = window.devicePixelRatio || 1;
    for (const one of this.before) {
      paint.beginPath();
      one.t_s.forEach((t, at) => paint[at === 0 ? "moveTo" : "lineTo"](plot.valToPos(t, "x", true), plot.valToPos(one.rates[at], "y", true)));
      paint.stroke();
    }
    paint.restore();
  }

  draw(columns, range, warm) {
    this.range = range;
    this.warm = warm;
    this.data = [
      columns.map((one) => one.t + one.d / 2),
      columns.map((one) => (one.d > 0 ? one.n / one.d : null)),
      columns.map((one) => one.lo),
      columns.map((one) => one.hi),
    ];
    this.plot.setData(this.data);
  }

  point(index) {
    const at = index === null || this.data === undefined ? -10 : this.plot.valToPos(this.data[0][index], "x");
    this.plot.setCursor({ left: at, top: index === null ? -10 : 10 }, false);
  }

  resize() {
    this.plot.setSize({ width: this.place.clientWidth || 320, height: this.place.clientHeight || 240 });
  }

  recolour() {
    this.#make();
  }
}

/** One small chart of readings. */
export class SignalChart {
  constructor(place, chart) {
    this.place = place;
    this.chart = chart;
    this.#make();
  }

  #make() {
    this.plot?.destroy();
    const look = colours(this.place);
    this.plot = new uPlot(
      {
        width: this.place.clientWidth || 300,
        height: this.place.clientHeight || 120,
        legend: { show: false },
        padding: [6, 12, 0, 0],
        scales: { x: { time: true }, y: { range: (_plot, _low, high) => [0, (high || 1) * 1.1] } },
        axes: [
          axis(look, { size: 30, space: 90, values: (_plot, values) => values.map((value) => new Date(value * 1000).toTimeString().slice(0, 8)) }),
          axis(look, { size: AXIS_PX, values: (_plot, values) => values.map((value) => value.toLocaleString("en-US")) }),
        ],
        series: [
          {},
          ...this.chart.lines.map((_line, at) => ({ stroke: look.series[at], dash: DASHES[at], width: 1.4, points: { show: false } })),
        ],
        cursor: { show: false },
      },
      this.data ?? [[], ...this.chart.lines.map(() => [])],
      this.place,
    );
  }

  /** Draws the readings; a chart without any is not shown. */
  draw(readings) {
    this.data = readings.table(this.chart.lines.map((line) => line.key));
    const figure = this.place.closest("figure");
    const has = this.data.slice(1).some((line) => line.some((value) => value !== undefined));
    if (figure.hidden === has) {
      figure.hidden = !has;
      this.resize();
    }
    this.plot.setData(this.data);
  }

  resize() {
    this.plot.setSize({ width: this.place.clientWidth || 300, height: this.place.clientHeight || 120 });
  }

  recolour() {
    this.#make();
  }
}
