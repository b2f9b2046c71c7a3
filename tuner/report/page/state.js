// What the reader has chosen. It is kept in the address, after '#', so that a link or a reload shows the same.

const state = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
/** The functions that draw the parts of the page, in the order in which they were added. */
const parts = [];

function saveState() {
  const text = new URLSearchParams(Object.entries(state).filter(([, value]) => value !== "")).toString();
  try {
    history.replaceState(null, "", text ? `#${text}` : location.pathname);
  } catch {
    // A browser may refuse this for a page from disk. The choice is then not kept.
  }
}

/** Draws all parts again. */
async function drawAll() {
  delete document.documentElement.dataset.ready;
  for (const part of parts) await part();
  document.documentElement.dataset.ready = "yes";
}

let drawing = Promise.resolve();
/** Draws again after what is being drawn now. */
function redraw() {
  drawing = drawing.then(drawAll);
}

function choose(name, value) {
  state[name] = value;
  saveState();
  redraw();
}

/** Returns the chosen value of `name` if `allowed` has it, else `otherwise`. */
function chosen(name, allowed, otherwise) {
  return allowed.includes(state[name]) ? state[name] : otherwise;
}

/**
 * Returns a labelled list to choose from.
 * @param options pairs of value and text
 */
function makeSelect(name, label, options, value) {
  const list = make("select", {name, onchange: (event) => choose(name, event.target.value)},
    ...options.map(([each, text]) => make("option", {value: each, selected: each === value}, text)));
  return make("label", {}, label, list);
}

/** Returns the list, or nothing if there is only one option. */
const makeSelectIfAny = (name, label, options, value) =>
  options.length > 1 ? [makeSelect(name, label, options, value)] : [];

/** The problem, device, regime and determinism that the charts show. */
const view = {};

const hasWinners = (conditions) => winners.some((winner) =>
  Object.entries(conditions).every(([name, value]) => name === "determinism"
    ? determinismsOf(winner).includes(value) : winner[name] === value));

/** Returns the indices of the problems with winners or sweeps on a device, sorted by name. */
function problemsOf(device) {
  const known = [...sweeps, ...winners].filter((row) => row.device === device).map(({problem}) => problem);
  return distinct(known).sort((a, b) => problems[a].name < problems[b].name ? -1 : 1);
}

/** Returns the index, in a property of sweeps and winners, with the most recorded searches, else with the most winners. */
function bestKnown(property, list, isShown) {
  const weights = new Map(list.map((index) => [index, 0]));
  const add = (row, weight) => { if (isShown(row)) weights.set(row[property], weights.get(row[property]) + weight); };
  for (const {sweep} of cells) add(sweeps[sweep], 1e6);
  for (const winner of winners) add(winner, 1);
  return list.reduce((best, each) => weights.get(each) > weights.get(best) ? each : best, list[0]);
}

const sideBySide = [["nothing", "nothing"], ["device", "devices"], ["unit", "units"], ["sweep", "sweeps"], ["file", "files"], ["regime", "regimes"],
  ["dtype", "input types"], ["op", "operators"], ["shape", "shapes"], ["determinism", "determinism"]];

/** Reads the view from the state, and draws the controls at the top. */
function drawControls() {
  const deviceNames = devices.map((device, i) => [`${i}`, device.name]);
  view.device = Number(chosen("device", deviceNames.map(([value]) => value),
    `${bestKnown("device", devices.map((_, i) => i), () => true)}`));
  const shown = problemsOf(view.device);
  view.problem = shown.find((index) => problems[index].name === state.problem) ?? bestKnown("problem", shown, (row) => row.device === view.device);
  const regimes = ["cold", "warm", "back_to_back"].filter((regime) =>
    hasWinners({device: view.device, problem: view.problem, regime}) ||
    cells.some((cell) => cell.regime === regime && sweeps[cell.sweep].problem === view.problem));
  view.regime = chosen("regime", regimes, regimes[0] ?? "cold");
  const determinisms = ["any", "run_to_run"].filter((determinism) =>
    hasWinners({device: view.device, problem: view.problem, regime: view.regime, determinism}));
  view.determinism = chosen("determinism", determinisms, determinisms[0] ?? "any");
  const sides = chosen("compare", sideBySide.map(([value]) => value), page.side_by_side || "nothing");
  view.compare = sides === "nothing" ? "" : sides;
  fill("controls",
    ...makeSelectIfAny("device", "Device", deviceNames, `${view.device}`),
    makeSelect("problem", "Problem", shown.map((index) => [problems[index].name, problems[index].name]), problems[view.problem].name),
    ...makeSelectIfAny("regime", "Regime", regimes.map((name) => [name, name]), view.regime),
    ...makeSelectIfAny("determinism", "Determinism", determinisms.map((name) => [name, name]), view.determinism),
    makeSelect("compare", "Side by side", sideBySide, sides));
}
parts.push(drawControls);
