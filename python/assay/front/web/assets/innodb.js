// The panels of InnoDB: small charts over the same seconds, with one cursor over all of them.

const DASHES = [[], [6, 3], [2, 2], [8, 3, 2, 3], [1, 4], [10, 3], [5, 2, 1, 2, 1, 2]];
const SIGNS = ["—", "- -", "···", "—·", "·  ·", "— —", "-··"]; // of the dashes, in a caption
const AXIS_PX = 64; // the same for all, so that times lie above each other
const NONE = { show: false };
const { uPlot } = window;
const place = document.getElementById("innodb");
const dark = matchMedia("(prefers-color-scheme: dark)");
const side = document.getElementById("innodb-side");
const said = document.getElementById("innodb-at");
const figures = (_plot, values) => values.map((value) => value.toLocaleString("en-US"));
const shown = (value) => (value ?? null) === null ? "–" : value.toLocaleString("en-US", { maximumSignificantDigits: 4 });

if (place !== null && uPlot !== undefined) {
  const data = JSON.parse(place.dataset.panels);
  const together = uPlot.sync("innodb");
  const plots = [];
  let values = [];

  const colour = (treatment) => (dark.matches ? treatment.dark : treatment.light);

  /** The lowest and highest value of a panel over all treatments: what is side by side has one scale. */
  const range = (panel) => {
    const all = panel.lines.flatMap((line) => line.values.flat());
    const drawn = [...all, ...panel.limits].filter((value) => value !== null);
    const high = Math.max(...drawn);
    const low = Math.min(...drawn);
    if (panel.key === "hits") return [Math.min(low, 99.9) - 0.05 * (100 - Math.min(low, 99.9)), 100];
    return [Math.min(0, low), (high || 1) * 1.08];
  };

  /** Draws a panel's lines of these treatments into a plot. */
  const draw = (into, panel, numbers) => {
    const style = getComputedStyle(into);
    const [muted, line] = ["--muted", "--line"].map((name) => style.getPropertyValue(name).trim());
    const font = `12px ${style.fontFamily}`;
    const axis = (more) => ({ stroke: muted, font, grid: { stroke: line, width: 1 }, ticks: { stroke: line }, ...more });
    const lines = panel.lines.flatMap((one, at) =>
      numbers.map((number) => ({ values: one.values[number], colour: colour(data.treatments[number]), dash: DASHES[at % DASHES.length] })),
    );
    const limits = [...new Set(numbers.map((number) => panel.limits[number] ?? null))].filter((value) => value !== null);
    const rule = (plot) => {
      const { ctx: paint, bbox } = plot;
      paint.save();
      Object.assign(paint, { strokeStyle: muted, fillStyle: muted, lineWidth: devicePixelRatio, textAlign: "right" });
      paint.font = font.replace("12px", `${11 * devicePixelRatio}px`);
      paint.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
      for (const limit of limits) {
        const y = plot.valToPos(limit, "y", true);
        paint.stroke(new Path2D(`M${bbox.left} ${y}H${bbox.left + bbox.width}`));
        paint.fillText(`${data.limit} ${shown(limit)}`, bbox.left + bbox.width - 4, y + 13 * devicePixelRatio);
      }
      const zero = plot.valToPos(0, "x", true);
      if (data.times[0] < 0) paint.stroke(new Path2D(`M${zero} ${bbox.top}V${bbox.top + bbox.height}`));
      paint.restore();
    };
    const plot = new uPlot(
      {
        width: into.clientWidth || 320,
        height: into.clientHeight || 144,
        padding: [8, 8, 0, 0],
        legend: NONE,
        scales: { x: { time: false }, y: { range: () => range(panel) } },
        axes: [
          axis({ size: 30, values: (_plot, seconds) => seconds.map((value) => `${value} s`) }),
          axis({ size: AXIS_PX, values: figures }),
        ],
        series: [{}, ...lines.map((one) => ({ stroke: one.colour, dash: one.dash, width: 1.5, spanGaps: false, points: { show: data.times.length < 4 } }))],
        cursor: { y: false, drag: { x: false, y: false }, points: NONE, sync: { key: "innodb" } },
        hooks: { drawClear: [rule], setCursor: [(one) => read(one.cursor.idx ?? null)] },
      },
      [data.times, ...lines.map((one) => one.values)],
      into,
    );
    together.sub(plot);
    plots.push({ plot, into });
  };

  /** Writes the values of a second beside the name of each panel. */
  const read = (at) => {
    if (values.at === at) return;
    values = { at };
    said.textContent = at === null ? "" : place.dataset.second.replace("{at}", data.times[at]);
    for (const panel of data.panels) {
      const into = place.querySelector(`[data-panel="${panel.key}"] .innodb-lines`);
      into.replaceChildren(...panel.lines.flatMap((line, dash) => words(panel, line, dash, at)));
    }
  };

  /** The name of a line with its dash, where there are several, and its value of each treatment. */
  const words = (panel, line, dash, at) => {
    const made = [];
    if (panel.lines.length > 1) {
      made.push(document.createTextNode(` ${SIGNS[dash % DASHES.length]} ${line.name}`));
    }
    if (at === null) return made;
    line.values.forEach((of, number) => {
      const value = document.createElement("span");
      value.className = "innodb-value";
      const mark = document.createElement("i"); // a letter in such a colour would be too faint
      mark.style.background = colour(data.treatments[number]);
      value.append(mark, shown(of[at]));
      made.push(value);
    });
    return made;
  };

  const key = () => {
    const names = data.treatments.map((treatment) => {
      const name = document.createElement("b");
      const swatch = document.createElement("i");
      swatch.style.background = colour(treatment);
      name.append(swatch, treatment.name);
      return name;
    });
    document.getElementById("innodb-key").replaceChildren(...names);
  };

  const make = () => {
    const isSide = side?.getAttribute("aria-pressed") === "true";
    for (const { plot } of plots.splice(0)) {
      together.unsub(plot);
      plot.destroy();
    }
    place.classList.toggle("side", isSide);
    key();
    const everyone = data.treatments.map((_, number) => number);
    for (const panel of data.panels) {
      const columns = isSide ? everyone.map((number) => [number]) : [everyone];
      const places = columns.map(() => Object.assign(document.createElement("div"), { className: "innodb-plot" }));
      place.querySelector(`[data-panel="${panel.key}"] .innodb-plots`).replaceChildren(...places);
      columns.forEach((numbers, at) => draw(places[at], panel, numbers));
    }
    values = [];
    read(null);
  };

  side?.addEventListener("click", () => {
    side.setAttribute("aria-pressed", side.getAttribute("aria-pressed") === "true" ? "false" : "true");
    make();
  });
  dark.addEventListener("change", make);
  addEventListener("resize", () => {
    for (const { plot, into } of plots) plot.setSize({ width: into.clientWidth || 320, height: into.clientHeight || 144 });
  });
  make();
}
