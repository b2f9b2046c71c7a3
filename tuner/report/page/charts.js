// How all charts look. Texts have the colour of the page (currentColor), so a change of the theme needs no new drawing.

/** Colours that are readable on a light and on a dark page. */
const palette = ["#3b82e0", "#d9730d", "#2a9d62", "#c2489f", "#8a6fd8", "#1f9aa8", "#d8483f", "#b08810", "#7d8794", "#5d8f1f",
  "#b5651d", "#4f6bd0"];
const dimColour = "#7d8794";

const isNarrow = () => window.innerWidth < 600;

function chartConfig() {
  const text = {labelColor: "currentColor", titleColor: "currentColor", labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal"};
  return {
    background: "transparent",
    font: "system-ui, sans-serif",
    axis: {...text, gridColor: "#80808040", domainColor: "#808080", tickColor: "#808080", labelOverlap: true, titlePadding: 6},
    legend: {...text, title: null, orient: "top", labelLimit: 200, symbolStrokeWidth: 3, symbolOpacity: 1},
    view: {stroke: null},
    range: {category: palette},
    line: {strokeWidth: 2},
  };
}

/**
 * Draws a chart of Vega-Lite into an element. Without a specification, shows why there is none.
 * @returns a promise that is kept when the chart is drawn
 */
async function draw(id, specification, whyNone) {
  const element = byId(id);
  element.vegaView?.finalize();
  element.vegaView = null;
  element.classList.remove("vega-embed");
  element.closest("figure").classList.toggle("none", !specification);
  if (!specification) {
    element.replaceChildren(note(whyNone));
    return;
  }
  const complete = {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    width: "container",
    height: isNarrow() ? 260 : 320,
    autosize: {type: "fit", contains: "padding", resize: true},
    config: chartConfig(),
    ...specification,
  };
  const theme = isDark() ? "dark" : "light";
  const {view: drawn} = await vegaEmbed(element, complete, {renderer: "svg", actions: false, tooltip: {theme}});
  element.vegaView = drawn;
}

/** Returns whether the page is dark now. */
function isDark() {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Returns an axis of sizes, with powers of two as ticks. */
function sizeAxis(sizes) {
  const low = Math.floor(Math.log2(Math.max(1, Math.min(...sizes))));
  const high = Math.ceil(Math.log2(Math.max(2, ...sizes)));
  const step = Math.max(1, Math.ceil((high - low) / (isNarrow() ? 5 : 10)));
  const values = [];
  for (let power = low; power <= high; power += step) values.push(2 ** power);
  return {
    field: "n", type: "quantitative", title: "size (elements)", scale: {type: "log", base: 2, nice: false},
    axis: {values, labelExpr: sizeExpression, grid: true},
  };
}

/** Returns ticks for a logarithmic axis: powers of ten, and what lies between if these are few. */
function logTicks(low, high) {
  const steps = high / low > 200 ? [1] : high / low > 12 ? [1, 2, 5] : high / low > 3 ? [1, 1.5, 2, 3, 4, 5, 6, 8] : null;
  if (!steps) return undefined;
  const ticks = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power) {
    for (const step of steps) {
      const tick = Number((step * 10 ** power).toPrecision(3));
      if (tick >= low && tick <= high) ticks.push(tick);
    }
  }
  return ticks;
}

/** Returns a logarithmic axis of times in microseconds. */
function timeAxis(times, field = "us", title = "time (us)") {
  const low = times.reduce((a, b) => Math.min(a, b), Infinity);
  const high = times.reduce((a, b) => Math.max(a, b), 0);
  const values = logTicks(low, high);
  return {
    field, type: "quantitative", title, scale: {type: "log", nice: false, domain: [low * .96, high * 1.04]},
    axis: {labelExpr: "format(datum.value, '~r')", ...(values ? {values} : {tickCount: 5})},
  };
}

/** Returns the number of columns of a legend with these names that fit into an element. */
const legendColumns = (id, names) =>
  Math.max(1, Math.floor((byId(id).clientWidth - 70) / (36 + 8 * Math.min(26, Math.max(...names.map(({length}) => length))))));

/** The colours of the curves that occur in several charts. */
const fixedColours = {
  redtune: palette[0], CUB: palette[1], classic: palette[2], "empty kernels": dimColour, "memory at its peak": palette[4],
  limit: palette[5],
};

/** Returns a colour for each series, in the order of the series. The legend fits into the element `id`. */
function seriesColour(id, names) {
  const free = palette.filter((colour) => !names.some((name) => fixedColours[name] === colour));
  const others = names.filter((name) => !fixedColours[name]);
  const range = names.map((name) => fixedColours[name] ?? free[others.indexOf(name) % free.length]);
  return {
    field: "series", type: "nominal", scale: {domain: names, range}, sort: null,
    legend: names.length > 1 ? {columns: legendColumns(id, names)} : null,
  };
}
