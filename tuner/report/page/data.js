// The data of the page, decoded.

const page = JSON.parse(document.getElementById("data").textContent);

/** Returns the rows of a ColumnTable (tuner/report/column_table.h) as objects. */
function decode(table) {
  const rows = Array.from({length: table.rows}, () => ({}));
  for (const [name, column] of Object.entries(table.columns)) {
    const at = Array.isArray(column) ? (i) => column[i]
      : "all" in column ? () => column.all
      : (i) => column.words[column.of[i]] ?? null;
    rows.forEach((row, i) => { row[name] = at(i); });
  }
  return rows;
}

/** Returns the configurations as {family, values, kind, text}; the text leaves out default values. */
function decodeConfigurations({kinds, rows}) {
  return rows.map(([index, ...list]) => {
    const kind = kinds[index];
    const values = Object.fromEntries(kind.parameters.map((name, i) => [name, list[i]]));
    const shown = kind.parameters.filter((name) => values[name] !== kind.defaults?.[name]);
    const text = `${kind.family}(${shown.map((name) => `${name}=${values[name]}`).join(", ")})`;
    return {family: kind.family, values, kind, text};
  });
}

const configurations = decodeConfigurations(page.configurations);
/** The winners of all files, also those that look-ups do not find because another file hides them. */
const winnersOfFiles = decode(page.winners);
const winners = winnersOfFiles.filter(({hidden}) => !hidden);
const sweeps = decode(page.sweeps);
const states = decode(page.states);
const failures = decode(page.failures);
const unitTimes = decode(page.units);
const compared = decode(page.compared);
const cells = page.cells;
const devices = page.devices;
const problems = page.problems;

const determinismsOf = (winner) => winner.determinism.split(", ");
const bytesOf = (problem, n) => problems[problem].bytes * n;
const gbPerS = (problem, n, us) => bytesOf(problem, n) / us / 1e3;

/** Returns the distinct values of a list, in the order of their first occurrence. */
const distinct = (list) => [...new Set(list)];

/** Returns the lowest value of `of` over a list; Infinity for an empty list. */
const least = (list, of) => list.reduce((low, each) => Math.min(low, of(each)), Infinity);

/** Returns the median of numbers; null if there is none. */
function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted.length ? sorted[sorted.length >> 1] : null;
}

/** Returns the candidates of a cell in the order in which they were measured. */
function candidatesOf(cell) {
  const [screened, survivors] = cell.stages;
  return cell.configurations.map((index, i) => ({
    configuration: configurations[index],
    index,
    us: cell.times_us[i],
    stage: i < screened ? "screen" : i < screened + survivors ? "survivor" : "final",
  }));
}

/** Returns one candidate for each configuration of a cell, with its time in the latest stage. */
function latestTimes(cell) {
  const byConfiguration = new Map();
  for (const each of candidatesOf(cell)) byConfiguration.set(each.index, each);
  return [...byConfiguration.values()];
}
