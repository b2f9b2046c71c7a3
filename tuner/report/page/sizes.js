// Time and bandwidth of the winners by size.

/** Returns whether a winner is one of a curve. An input without elements has no place on a logarithmic axis. */
const isWinnerOf = (winner, {device, problem, regime, determinism}) => winner.device === device && winner.n > 0 &&
  winner.problem === problem && winner.regime === regime && determinismsOf(winner).includes(determinism);

/** Returns the points of a curve of winners, those that look-ups find unless a list is given. */
const winnerPoints = (conditions, series, list = winners) => list.filter((winner) => isWinnerOf(winner, conditions)).map((winner) => ({
  series, n: winner.n, us: winner.time_us, gb_per_s: gbPerS(winner.problem, winner.n, winner.time_us),
  size: formatSize(winner.n), configuration: configurations[winner.configuration].text,
}));

/** Returns the sweeps of the shown device and problem that measured candidates in the shown regime. */
const cellsInView = () => cells.filter((cell) => cell.regime === view.regime && cell.data === "uniform" && cell.n > 0 &&
  sweeps[cell.sweep].device === view.device && sweeps[cell.sweep].problem === view.problem);

/** Returns the points of the best configuration at each size among those that `isShown` selects. */
function bestPoints(list, series, isShown) {
  const best = new Map();
  for (const cell of list) {
    for (const each of latestTimes(cell)) {
      if (!isShown(each.configuration) || each.us >= (best.get(cell.n)?.us ?? Infinity)) continue;
      best.set(cell.n, {
        series, n: cell.n, us: each.us, gb_per_s: gbPerS(view.problem, cell.n, each.us), size: formatSize(cell.n),
        configuration: each.configuration.text,
      });
    }
  }
  return [...best.values()].sort((a, b) => a.n - b.n);
}

/** Returns the points of the problems that differ from the shown one only in `property`. */
function pointsOfProblems(property) {
  const shown = problems[view.problem];
  const kept = ["op", "dtype", "shape"].filter((name) => name !== property);
  return problemsOf(view.device).filter((index) => kept.every((name) => problems[index][name] === shown[name]))
    .flatMap((problem) => winnerPoints({...view, problem}, problems[problem].name));
}

/** Returns the comparisons with CUB of the shown problem on a device, by size. */
const comparedOn = (device) => compared.filter((row) => row.device === device && row.problem === view.problem && row.regime === view.regime)
  .sort((a, b) => a.n - b.n);
const comparedInView = () => comparedOn(view.device);

/** Returns the points of CUB on a device. Its ratio is that of the comparison, whose samples were interleaved with redtune's. */
const cubPoints = (device, series) => comparedOn(device).map(({n, cub_us: us, ratio}) => ({
  series, n, us, gb_per_s: gbPerS(view.problem, n, us), size: formatSize(n),
  configuration: ratio ? `${ratio.toFixed(3)} times redtune's time in the comparison` : "",
}));

/** Returns the points of all curves that are compared. */
function comparedPoints() {
  switch (view.compare) {
    case "device": return devices.flatMap((device, index) => [
      ...winnerPoints({...view, device: index}, device.name), ...cubPoints(index, devices.length > 1 ? `CUB, ${device.name}` : "CUB")]);
    case "file": return [...page.files.flatMap(({label}, file) =>
      winnerPoints(view, label, winnersOfFiles.filter((winner) => winner.file === file))), ...cubPoints(view.device, "CUB")];
    case "regime": return ["cold", "warm", "back_to_back"].flatMap((regime) => winnerPoints({...view, regime}, regime));
    case "determinism":
      return ["any", "run_to_run"].flatMap((determinism) => winnerPoints({...view, determinism}, determinism));
    case "unit": return unitsInView().map((row) => ({
      series: shortUnit(row.unit), n: row.n, us: row.time_us, gb_per_s: gbPerS(row.problem, row.n, row.time_us), size: formatSize(row.n),
    }));
    case "sweep": {
      const list = cellsInView();
      return distinct(list.map((cell) => cell.sweep)).flatMap((sweep) =>
        bestPoints(list.filter((cell) => cell.sweep === sweep), nameSweep(sweep), () => true));
    }
    case "dtype": case "op": case "shape": return pointsOfProblems(view.compare);
  }
  return [...winnerPoints(view, "redtune"), ...cubPoints(view.device, "CUB"),
    ...bestPoints(cellsInView(), "classic", (configuration) => configuration.kind.classic)];
}

const unitsInView = () => unitTimes.filter((row) => row.device === view.device && row.problem === view.problem &&
  row.regime === view.regime && row.determinism === view.determinism);

/** Returns the lines that bound the times: empty kernels, the memory's peak bandwidth, and the measured limit. */
function boundPoints() {
  const inView = winners.filter((winner) => isWinnerOf(winner, view));
  const peak = devices[view.device].peak_gb_per_s;
  const points = inView.filter((winner) => winner.floor_us > 0)
    .map(({n, floor_us: us}) => ({series: "empty kernels", n, us, size: formatSize(n)}));
  if (peak && view.regime !== "warm") {
    points.push(...inView.map(({n}) => ({series: "memory at its peak", n, us: bytesOf(view.problem, n) / peak / 1e3, size: formatSize(n)})));
  }
  points.push(...comparedInView().filter((row) => row.limit_us !== null)
    .map(({n, limit_us: us}) => ({series: "limit", n, us, size: formatSize(n)})));
  return points;
}

const pointTooltip = (...more) => [
  {field: "series", title: "curve"}, {field: "size"}, {field: "us", title: "time (us)", format: ".4~g"}, ...more,
  {field: "configuration"},
];

function timeChart(points) {
  const bounds = view.compare ? [] : boundPoints();
  // The line of the memory runs out of the chart, because small inputs would take next to no time.
  const shown = [...points, ...bounds.filter(({series}) => series !== "memory at its peak")];
  const names = distinct([...points, ...bounds].map(({series}) => series));
  const shared = {x: sizeAxis(points.map(({n}) => n)), y: timeAxis(shown.map(({us}) => us)), color: seriesColour("chart-time", names)};
  const layer = [{
    data: {values: points}, mark: {type: "line", point: {size: 22}},
    encoding: {...shared, tooltip: pointTooltip()},
  }];
  if (bounds.length) {
    layer.push({
      data: {values: bounds}, mark: {type: "line", strokeDash: [5, 4], clip: true, ...(points.length < 4 ? {point: {size: 22}} : {})},
      encoding: {...shared, tooltip: [{field: "series"}, {field: "size"}, {field: "us", title: "time (us)", format: ".4~g"}]},
    });
  }
  return {layer};
}

function bandwidthChart(points) {
  const limits = (view.compare ? [] : boundPoints()).filter(({series}) => series === "limit")
    .map((point) => ({...point, gb_per_s: gbPerS(view.problem, point.n, point.us)}));
  const names = distinct([...points, ...limits].map(({series}) => series));
  const peak = view.regime === "warm" || view.compare === "device" ? null : devices[view.device].peak_gb_per_s;
  const most = Math.max(peak ?? 0, ...[...points, ...limits].map((point) => point.gb_per_s));
  const bandwidth = {field: "gb_per_s", type: "quantitative", scale: {domain: [0, 1.1 * most], nice: false}};
  const layer = [{
    data: {values: points}, mark: {type: "line", point: {size: 22}},
    encoding: {
      x: sizeAxis(points.map(({n}) => n)), color: seriesColour("chart-bandwidth", names),
      y: {...bandwidth, title: "bandwidth (GB/s)"},
      tooltip: pointTooltip({field: "gb_per_s", title: "GB/s", format: ",.0f"}),
    },
  }];
  if (limits.length) {
    layer.push({...layer[0], data: {values: limits}, mark: {type: "line", strokeDash: [5, 4]}});
  }
  if (peak) {
    const sizes = points.map(({n}) => n);
    layer.push(
      {data: {values: [{gb_per_s: peak}]}, mark: {type: "rule", color: dimColour, strokeDash: [5, 4]}, encoding: {y: bandwidth}},
      {data: {values: [{gb_per_s: peak, n: Math.min(...sizes), text: `peak of the memory: ${formatNumber(peak)} GB/s`}]},
        mark: {type: "text", align: "left", baseline: "bottom", dy: -3, dx: 8, color: "currentColor"},
        encoding: {x: {field: "n", type: "quantitative"}, y: bandwidth, text: {field: "text"}}});
  }
  return {layer};
}

/** Returns a chart with a curve for each step of the ladders of classic kernels that was measured, and the winners. */
function classicChart() {
  const list = cellsInView();
  const steps = distinct(list.flatMap((cell) => cell.configurations).map((index) => configurations[index].kind)
    .filter((kind) => kind.ladder)).sort((a, b) => a.ladder.localeCompare(b.ladder) || a.step - b.step);
  const families = distinct(steps.map(({family}) => family));
  const points = families.flatMap((family) => bestPoints(list, family, (configuration) => configuration.family === family));
  if (!points.length) return null;
  points.push(...winnerPoints(view, "redtune"));
  return {
    data: {values: points}, mark: {type: "line", point: {size: 14}},
    encoding: {
      x: sizeAxis(points.map(({n}) => n)), y: timeAxis(points.map(({us}) => us)), tooltip: pointTooltip(),
      color: seriesColour("chart-classic", [...families, "redtune"]),
    },
  };
}

/** Returns a chart of the winner's time on each unit, divided by the best time there. */
function unitsChart() {
  const rows = unitsInView();
  if (!rows.length) return null;
  const values = rows.map((row) => ({...row, size: formatSize(row.n), series: shortUnit(row.unit), percent: 100 * (row.ratio - 1)}));
  return {
    data: {values}, mark: {type: "point", filled: true, size: 26, opacity: .75},
    encoding: {
      x: sizeAxis(rows.map(({n}) => n)), y: {field: "percent", type: "quantitative", title: "slower than the best there (%)"},
      color: seriesColour("chart-units", distinct(values.map(({series}) => series))),
      tooltip: [{field: "unit"}, {field: "size"}, {field: "time_us", title: "time (us)"}, {field: "percent", format: ".2f", title: "slower than the best (%)"}],
    },
  };
}

/** Returns what is said about CUB below the charts. */
function sizesNotes() {
  if (!["", "device", "file"].includes(view.compare)) return [];
  if (comparedInView().length) {
    return [note(`The times of CUB come from ${page.compared_files.map((name) => `\`${name}\``).join(", ")}. They were taken in other runs ` +
      "than the winners' times, and possibly on another unit: point at CUB's curve for the ratio to redtune in the same run.")];
  }
  return [note("No curve shows CUB, because no comparison of this problem on this device was given: a database holds none. " +
    "`redtune bench --format csv` makes one, and `redtune report --bench FILE` shows it.")];
}

async function drawSizes() {
  const points = comparedPoints();
  const problem = problems[view.problem];
  const where = view.compare === "device" ? "" : `, ${devices[view.device].name}`;
  byId("sizes-lead").textContent = `${problem.name}, ${view.regime}${where}. ` + (view.compare
    ? `Side by side: ${sideBySide.find(([value]) => value === view.compare)[1]}.`
    : "A point is the best configuration at a size that was tuned; point at it to see which one.");
  const none = "The databases have no winners of this problem in this regime.";
  await draw("chart-time", points.length && timeChart(points), none);
  await draw("chart-bandwidth", points.length && bandwidthChart(points), none);
  await draw("chart-classic", classicChart(), "The databases have no times of the classic kernels for this problem. " +
    "An exhaustive `redtune tune` measures them, too.");
  await draw("chart-units", unitsChart(), "The winners of this problem were chosen on one GPU, so there are no other units to compare.");
  fill("sizes-notes", ...sizesNotes());
}
parts.push(drawSizes);
