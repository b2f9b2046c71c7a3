// The table of winners, with a filter.

/** Returns the text in which the filter searches. */
const searchText = (winner) => `${problems[winner.problem].name} ${devices[winner.device].name} ${winner.regime} ${winner.determinism} ` +
  `${formatSize(winner.n)} ${winner.n} ${configurations[winner.configuration].text} ${winner.decided_by} ${winner.source}`.toLowerCase();

/** Returns the winners that the filter selects: those that have all of its words. */
function filteredWinners() {
  const words = (state.filter ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const inView = (winner) => state.all === "yes" || (winner.device === view.device && winner.problem === view.problem && winner.regime === view.regime);
  return winners.filter((winner) => {
    if (!inView(winner)) return false;
    const text = searchText(winner).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

const winnerColumns = [
  {name: "problem", of: ({problem}) => problems[problem].name},
  {name: "regime", of: ({regime}) => regime},
  {name: "size", number: true, of: ({n}) => formatSize(n)},
  {name: "determinism", of: ({determinism}) => determinism},
  {name: "configuration", of: ({configuration}) => make("code", {}, configurations[configuration].text)},
  {name: "copy", short: true, action: true, of: (winner) => make("span", {}, makeCopyButton("command", () => commandOf(winner)), makeCopyButton("C++", () => cppOf(winner)))},
  {name: "time (us)", number: true, of: ({time_us: us}) => formatNumber(us)},
  {name: "GB/s", number: true, of: ({problem, n, time_us: us}) => formatNumber(gbPerS(problem, n, us))},
  {name: "of peak", number: true, extra: true, title: "share of the memory's peak bandwidth", of: ({device, regime, problem, n, time_us: us}) =>
    devices[device].peak_gb_per_s && regime !== "warm" ? formatPercent(gbPerS(problem, n, us) / devices[device].peak_gb_per_s) : ""},
  {name: "empty (us)", number: true, extra: true, title: "time of the same launches with empty kernels", of: ({floor_us: us}) => formatNumber(us)},
  {name: "lead", number: true, extra: true, title: "how much longer the best other finalist takes", of: ({runner_up_ratio: ratio}) => ratio === null ? "" : formatPercent(ratio - 1)},
  {name: "decided by", short: true, extra: true, of: ({decided_by: rule}) => rule},
  {name: "effort", short: true, extra: true, title: "how much of the candidates the search measured", of: ({effort}) => effort ?? "not known"},
  {name: "units", number: true, extra: true, title: "GPUs among whose finalists the winner was chosen", of: ({units}) => units},
  {name: "measured", short: true, extra: true, of: ({measured_at: time, source}) => formatDay(time) + (source === "gpu" ? "" : `, ${source}`)},
];

function drawWinnerRows() {
  const found = filteredWinners();
  byId("winners-lead").textContent = `${formatCount(found.length)} of ${plural(winners.length, "winner")}`;
  byId("winners-table").dataset.rows = found.length;
  if (found.length) fillTable("winners-table", state.all === "yes" ? winnerColumns : winnerColumns.slice(2), found);
  else fill("winners-table", note(winners.length ? "No winner has all words of the filter." : "The databases hold no winners."));
}

function drawWinners() {
  if (!byId("winners-controls").childElementCount) {
    const input = make("input", {type: "search", name: "filter", value: state.filter ?? "", placeholder: "16Mi tile_per_block run_to_run"});
    input.oninput = () => { state.filter = input.value; saveState(); drawWinnerRows(); };
    const all = make("input", {type: "checkbox", name: "all", checked: state.all === "yes"});
    all.onchange = () => { state.all = all.checked ? "yes" : ""; saveState(); drawWinnerRows(); };
    fill("winners-controls", make("label", {className: "wide"}, "Filter: rows with all of these words", input),
      make("label", {className: "check"}, all, "all problems and regimes"));
    byId("winners-controls").onsubmit = (event) => event.preventDefault();
  }
  drawWinnerRows();
}
parts.push(drawWinners);
