// What a sweep measured at one size: a heat map over two parameters, the distribution of all candidates, the trace.

/** Returns a name for a sweep that people recognise. */
function nameSweep(index) {
  const {layer, id, started_at: time, unit, source} = sweeps[index];
  return `${layer} ${id}, ${formatDay(time)}, ${source === "gpu" ? shortUnit(unit) : source}`;
}

/** Reads which sweep and size are shown, and draws the controls. Returns the cell, or nothing. */
function chooseCell() {
  const list = cellsInView();
  const counts = new Map();
  for (const {sweep} of list) counts.set(sweep, (counts.get(sweep) ?? 0) + 1);
  const shown = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a));
  view.sweep = Number(chosen("sweep", shown.map(String), `${shown[0]}`));
  const sizes = list.filter(({sweep}) => sweep === view.sweep).map(({n}) => n).sort((a, b) => a - b);
  const middle = sizes.includes(2 ** 22) ? 2 ** 22 : sizes[sizes.length >> 1];
  view.n = Number(chosen("n", sizes.map(String), `${middle}`));
  fill("search-controls",
    ...makeSelectIfAny("sweep", "Sweep", shown.map((index) => [`${index}`, `${nameSweep(index)} (${counts.get(index)} sizes)`]), `${view.sweep}`),
    ...(sizes.length ? [makeSelect("n", "Size", sizes.map((n) => [`${n}`, formatSize(n)]), `${view.n}`)] : []));
  return list.find((cell) => cell.sweep === view.sweep && cell.n === view.n);
}

/** Returns the parameters that have several values among the candidates. */
function variedParameters(candidates) {
  const values = new Map();
  for (const {configuration} of candidates) {
    for (const [name, value] of Object.entries(configuration.values)) values.set(name, (values.get(name) ?? new Set()).add(value));
  }
  return [...values].filter(([, set]) => set.size > 1).map(([name]) => name);
}

const compareValues = (a, b) => typeof a === "number" && typeof b === "number" ? a - b : `${a}`.localeCompare(`${b}`);

/** Returns, for each pair of values of two parameters, the best candidate with this pair. */
function bestOfPairs(candidates, x, y) {
  const best = new Map();
  for (const each of candidates) {
    const {values} = each.configuration;
    if (!(x in values) || !(y in values)) continue;
    const key = JSON.stringify([values[x], values[y]]);
    if (each.us < (best.get(key)?.us ?? Infinity)) best.set(key, {x: values[x], y: values[y], us: each.us, text: each.configuration.text});
  }
  return [...best.values()];
}

/** Draws the controls of the heat map. Returns its specification, or nothing. */
function heatChart(candidates) {
  const families = distinct(candidates.map(({configuration}) => configuration.family)).sort();
  const family = chosen("family", families, "");
  const shown = candidates.filter(({configuration}) => !family || configuration.family === family);
  const parameters = variedParameters(shown);
  if (parameters.length < 2) {
    fill("heat-controls");
    return null;
  }
  const x = chosen("x", parameters, parameters.includes("block") ? "block" : parameters[0]);
  const others = parameters.filter((name) => name !== x);
  const y = chosen("y", others, others.includes("unroll") ? "unroll" : others[0]);
  const asOptions = (names) => names.map((name) => [name, name]);
  fill("heat-controls", makeSelect("x", "Across", asOptions(parameters), x), makeSelect("y", "Down", asOptions(others), y),
    makeSelect("family", "Family", [["", "all"], ...asOptions(families)], family));
  const pairs = bestOfPairs(shown, x, y);
  if (!pairs.length) return null;
  const best = least(candidates, ({us}) => us);
  const values = pairs.map((pair) => ({...pair, ratio: pair.us / best, label: formatNumber(pair.us)}));
  const columns = distinct(values.map((pair) => pair.x)).sort(compareValues);
  const rows = distinct(values.map((pair) => pair.y)).sort(compareValues);
  const isRoomy = byId("chart-heat").clientWidth / (columns.length + 1) > 34;
  const place = {
    x: {field: "x", type: "ordinal", sort: columns, title: x, axis: {labelAngle: columns.length > 9 ? -45 : 0}},
    y: {field: "y", type: "ordinal", sort: rows, title: y},
  };
  const most = Math.max(1.2, Math.min(4, Math.max(...values.map(({ratio}) => ratio))));
  return {
    height: Math.max(140, 34 * rows.length + 90),
    data: {values},
    layer: [
      {mark: {type: "rect", stroke: "#80808060"}, encoding: {
        ...place,
        color: {
          field: "ratio", type: "quantitative", title: "times the best", legend: {title: "time / best time", format: ".2~f", gradientLength: isNarrow() ? 180 : 260},
          scale: {type: "log", domain: [1, most], clamp: true, scheme: "viridis", reverse: true},
        },
        tooltip: [{field: "x", title: x}, {field: "y", title: y}, {field: "us", title: "best time (us)", format: ".4~g"},
          {field: "ratio", title: "of the best", format: ".3f"}, {field: "text", title: "configuration"}],
      }},
      ...(isRoomy ? [{mark: {type: "text", fontSize: 11}, encoding: {
        ...place, text: {field: "label"},
        color: {condition: {test: `datum.ratio < ${Math.sqrt(most)}`, value: "#10141a"}, value: "#ffffff"},
      }}] : []),
    ],
  };
}

/** Returns a histogram of the candidates' times with bins of equal width on a logarithmic axis. */
function distributionChart(candidates) {
  const count = isNarrow() ? 24 : 40;
  const low = Math.log(least(candidates, ({us}) => us));
  const width = Math.max(1e-3, (Math.max(...candidates.map(({us}) => Math.log(us))) - low) / count);
  const bins = new Map();
  for (const {us, configuration} of candidates) {
    const bin = Math.min(count - 1, Math.floor((Math.log(us) - low) / width));
    const key = `${bin} ${configuration.family}`;
    const from = Math.exp(low + bin * width);
    const to = Math.exp(low + (bin + 1) * width);
    const entry = bins.get(key) ?? {series: configuration.family, us: from, end: to, range: `${formatNumber(from)} to ${formatNumber(to)} us`, count: 0};
    entry.count += 1;
    bins.set(key, entry);
  }
  const names = distinct([...candidates].sort((a, b) => a.us - b.us).map(({configuration}) => configuration.family));
  return {
    data: {values: [...bins.values()]}, mark: {type: "bar", binSpacing: 0},
    encoding: {
      x: {...timeAxis(candidates.map(({us}) => us)), bin: "binned"}, x2: {field: "end"},
      y: {field: "count", type: "quantitative", title: "candidates", stack: "zero"},
      color: seriesColour("chart-distribution", names), order: {field: "series"},
      tooltip: [{field: "series", title: "family"}, {field: "range", title: "time"}, {field: "count", title: "candidates"}],
    },
  };
}

/** Returns the times in the order in which they were taken, and the best until then. */
function traceChart(cell) {
  let best = Infinity;
  const values = candidatesOf(cell).map((each, i) => {
    best = Math.min(best, each.us);
    return {number: i + 1, us: each.us, best, stage: each.stage, series: each.configuration.family, text: each.configuration.text};
  });
  const stages = distinct(values.map(({stage}) => stage));
  const times = values.map(({us}) => us);
  const x = {field: "number", type: "quantitative", title: "measurement", scale: {nice: false}};
  return {
    data: {values},
    layer: [
      {mark: {type: "point", filled: true, size: 14, opacity: .55}, encoding: {
        x, y: timeAxis(times),
        color: {field: "stage", type: "nominal", scale: {domain: stages, range: [dimColour, palette[1], palette[2]]}, sort: null},
        tooltip: [{field: "number", title: "measurement"}, {field: "stage"}, {field: "us", title: "time (us)", format: ".4~g"}, {field: "text", title: "configuration"}],
      }},
      {mark: {type: "line", interpolate: "step-after", color: palette[0]}, encoding: {x, y: timeAxis(times, "best")}},
    ],
  };
}

async function drawSearch() {
  const cell = chooseCell();
  const none = "The databases hold at most winners and finalists of this problem, and not the candidates of a search. " +
    "`redtune tune` stores all of them, on a GPU or with `--device replay:NAME`.";
  if (!cell) {
    byId("search-lead").textContent = "";
    fill("heat-controls");
    for (const id of ["chart-heat", "chart-distribution", "chart-trace"]) await draw(id, null, none);
    return;
  }
  const candidates = latestTimes(cell);
  const best = least(candidates, ({us}) => us);
  const near = candidates.filter(({us}) => us <= 1.1 * best).length;
  byId("search-lead").textContent = `${formatCount(candidates.length)} configurations at ${formatSize(cell.n)} elements, ${cell.regime}: ` +
    `the best takes ${formatNumber(best)} us, ${formatCount(near)} are within 10 % of it, and the median takes ` +
    `${formatNumber(median(candidates.map(({us}) => us)))} us. A field of the heat map is the best of the configurations with both values.`;
  await draw("chart-heat", heatChart(candidates), "Fewer than two parameters vary among these candidates.");
  await draw("chart-distribution", distributionChart(candidates));
  await draw("chart-trace", traceChart(cell));
}
parts.push(drawSearch);
