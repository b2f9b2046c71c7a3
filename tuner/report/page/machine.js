// The machine, its failures, its state through a sweep, and the list of sweeps.

const listed = (texts) => distinct(texts.filter(Boolean)).join(", ") || "unknown";
const sum = (list, of) => list.reduce((total, each) => total + of(each), 0);

/** Returns pairs of name and text: what the device is. */
function deviceFacts(device) {
  return [
    ["compute capability", device.compute],
    ["multiprocessors", device.sms],
    ["memory", `${device.memory_gib} GiB` + (device.peak_gb_per_s ? `, peak ${formatNumber(device.peak_gb_per_s)} GB/s` : "")],
    ["L2 cache", `${formatNumber(device.l2_bytes / 2 ** 20)} MiB`],
    ...(device.mig ? [["MIG slice", device.mig]] : []),
    ["units measured", device.units.length ? `${device.units.length}: ${device.units.map(shortUnit).join(", ")}` : "unknown"],
  ];
}

/** Returns pairs of name and text: how its times were taken, and what might have disturbed them. */
function trustFacts(index) {
  const own = sweeps.filter(({device}) => device === index);
  const won = winners.filter(({device}) => device === index);
  const times = own.map(({started_at: time}) => formatDay(time)).sort();
  const measurements = sum(own, (sweep) => sweep.measurements);
  const spread = median(won.filter((winner) => winner.interquartile_us > 0).map((winner) => winner.interquartile_us / winner.time_us));
  const worst = Math.max(0, ...won.map((winner) => winner.spread ?? 0));
  return [
    ["measured", listed([times[0], times.at(-1)]).replace(", ", " to ")],
    ["source", listed([...own, ...won].map(({source}) => source === "gpu" ? "on the GPU" : source))],
    ["driver", listed(own.map(({driver}) => driver))],
    ["NVRTC", listed(own.map(({nvrtc}) => nvrtc))],
    ["redtune", listed(own.map(({redtune}) => redtune))],
    ["measurements", `${formatCount(measurements)} in ${plural(own.length, "sweep")}, ${formatCount(sum(own, (sweep) => sweep.failures))} failed`],
    ["limited clock", `${formatCount(sum(own, (sweep) => sweep.throttled))} measurements; ${formatCount(sum(own, (sweep) => sweep.rejected))} samples discarded`],
    ["spread of samples", spread === null ? "not stored" : `${(100 * spread).toFixed(2)} % (interquartile range over time, median of the winners)`],
    ...(worst ? [["worst unit", `a winner takes at most ${formatPercent(worst - 1)} longer than the best there`]] : []),
  ];
}

const makeFacts = (pairs) => make("dl", {}, ...pairs.flatMap(([name, text]) => [make("dt", {}, name), make("dd", {}, `${text}`)]));

// A sweep that was ended early is continued by a later one with the same command.
const isContinued = (sweep) => sweeps.some((later) =>
  later.status === "finished" && later.command === sweep.command && later.device === sweep.device && later.started_at >= sweep.started_at);

function drawMachine() {
  fill("devices", ...devices.flatMap((device, index) => [
    make("div", {className: "card"}, make("h3", {}, device.name), makeFacts(deviceFacts(device))),
    make("div", {className: "card"}, make("h3", {}, devices.length > 1 ? `Times of ${device.name}` : "Its times"), makeFacts(trustFacts(index))),
  ]));
  const unfinished = sweeps.filter((sweep) => sweep.status !== "finished" && !isContinued(sweep)).length;
  const replayed = sweeps.filter(({source}) => source !== "gpu").length;
  fill("machine-notes",
    ...(unfinished ? [note(`${plural(unfinished, "sweep")} did not finish; the same \`redtune tune\` command goes on with it.`)] : []),
    ...(replayed ? [note(`${plural(replayed, "sweep")} replayed a recording, so that the times are those of the recorded GPU.`)] : []));
}
parts.push(drawMachine);

const failureColumns = [
  {name: "family", short: true, of: ({family}) => family},
  {name: "status", short: true, of: ({status}) => status},
  {name: "failures", number: true, of: ({count}) => formatCount(count)},
  {name: "sizes", short: true, of: ({least_n: low, most_n: high}) => low === high ? formatSize(low) : `${formatSize(low)} to ${formatSize(high)}`},
  {name: "reason", of: ({reason}) => make("span", {className: "reason"}, reason)},
  {name: "for example", of: ({configuration, measurement_id: id}) => make("span", {}, make("code", {}, configurations[configuration].text), ` (${id})`)},
  {name: "problem", extra: true, of: ({sweep}) => problems[sweeps[sweep].problem].name},
  {name: "sweep", extra: true, of: ({sweep}) => nameSweep(sweep)},
];

function drawFailures() {
  const rows = failures.filter(({sweep}) => sweeps[sweep].device === view.device);
  const stored = sum(sweeps.filter(({device}) => device === view.device), (sweep) => sweep.failures);
  const others = stored - sum(rows, ({count}) => count);
  byId("failures-lead").textContent = rows.length
    ? `${plural(stored, "measurement")} failed, on all problems.` + (others ? ` ${formatCount(others)} of them, with rare reasons, are left out.` : "")
    : "";
  if (rows.length) fillTable("failures-table", failureColumns, rows);
  else fill("failures-table", note("The databases hold no failed candidate of this device."));
}
parts.push(drawFailures);

/** Returns a chart of a property through a sweep; with `low`, as a band from there. */
function stateChart(rows, field, title, low) {
  const values = rows.filter((row) => row[field] !== null);
  if (!values.length) return null;
  const x = {field: "second", type: "quantitative", title: "seconds since the first measurement", scale: {nice: false}};
  const y = {field, type: "quantitative", title, scale: {zero: false, nice: true}};
  const tooltip = [{field: "second"}, ...(low ? [{field: low, title: "lowest"}] : []), {field, title: low ? "highest" : title}];
  return {
    height: 170, data: {values},
    layer: [
      ...(low ? [{mark: {type: "area", opacity: .3, color: palette[0]}, encoding: {x, y: {...y, field: low}, y2: {field}}}] : []),
      {mark: {type: "line", color: palette[0], point: {size: 16, color: palette[0]}}, encoding: {x, y, tooltip}},
    ],
  };
}

/** Returns the indices of the sweeps of the shown device and problem. */
const sweepsInView = () => sweeps.map((_, index) => index).filter((index) =>
  sweeps[index].device === view.device && sweeps[index].problem === view.problem);

/** Returns the sweep whose circumstances are shown: the chosen one, else that of the charts above, else the largest. */
function sweepOfCircumstances() {
  const own = sweepsInView();
  if (own.includes(Number(state.sweep))) return Number(state.sweep);
  if (own.includes(view.sweep)) return view.sweep;
  return own.reduce((best, index) => best === undefined || sweeps[index].measurements > sweeps[best].measurements ? index : best, undefined);
}

async function drawCircumstances() {
  const sweep = sweepOfCircumstances();
  const rows = states.filter((row) => row.sweep === sweep);
  byId("circumstances-lead").textContent = sweep === undefined ? "No sweep of this problem is stored."
    : `Sweep ${nameSweep(sweep)}, ${formatCount(sweeps[sweep].measurements)} measurements. The list below has the others.`;
  const none = "This was not recorded in the sweep.";
  await draw("chart-clock", stateChart(rows, "most_sm_mhz", "MHz", "least_sm_mhz"), none);
  await draw("chart-temperature", stateChart(rows, "temperature_c", "degrees Celsius"), none);
  await draw("chart-power", stateChart(rows, "power_w", "watts"), none);
}
parts.push(drawCircumstances);

function drawSweeps() {
  const rows = sweepsInView().map((index) => ({index, ...sweeps[index]}));
  if (!rows.length) {
    fill("sweeps-table", note("No sweep of this problem is stored."));
    return;
  }
  fillTable("sweeps-table", [
    {name: "sweep", short: true, of: ({layer, id}) => `${layer} ${id}`},
    {name: "began", short: true, of: ({started_at: time}) => time.slice(0, 16).replace("T", " ")},
    {name: "seconds", number: true, of: ({seconds}) => seconds},
    {name: "status", short: true, of: ({status}) => status},
    {name: "unit", short: true, of: ({unit, source}) => source === "gpu" ? shortUnit(unit) : source},
    {name: "measurements", number: true, of: ({measurements}) => formatCount(measurements)},
    {name: "failures", number: true, extra: true, of: ({failures: count}) => formatCount(count)},
    {name: "driver", short: true, extra: true, of: ({driver}) => driver},
    {name: "command", of: ({command}) => make("code", {className: "long"}, command)},
    {name: "charts", short: true, action: true, of: ({index}) => make("button", {type: "button", onclick: () => choose("sweep", `${index}`)}, "show")},
  ], rows);
}
parts.push(drawSweeps);
