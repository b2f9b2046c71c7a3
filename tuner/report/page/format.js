// Numbers and elements as people read them.

const suffixes = [[2 ** 40, "Ti"], [2 ** 30, "Gi"], [2 ** 20, "Mi"], [2 ** 10, "Ki"]];

/** Returns a size with the largest suffix that fits exactly, as `redtune` writes it: "16Mi", "1000003". */
function formatSize(n) {
  for (const [unit, suffix] of suffixes) if (n >= unit && n % unit === 0) return `${n / unit}${suffix}`;
  return `${n}`;
}

/** An expression of Vega that writes the tick `datum.value` of an axis of sizes. */
const sizeExpression = suffixes
  .map(([unit, suffix]) => `datum.value >= ${unit} ? format(datum.value / ${unit}, '~r') + '${suffix}' : `)
  .join("") + "format(datum.value, '~r')";

/** Returns a number with about three significant digits, and whole numbers from 100 on. */
function formatNumber(number) {
  if (number === null || number === undefined) return "";
  const size = Math.abs(number);
  if (size >= 100) return Math.round(number).toLocaleString("en-US");
  return number.toFixed(size >= 10 ? 1 : 2);
}

const formatPercent = (share) => share === null ? "" : `${(100 * share).toFixed(1)} %`;
const formatCount = (count) => count.toLocaleString("en-US");
const plural = (count, word) => `${formatCount(count)} ${word}${count === 1 ? "" : "s"}`;
const formatDay = (time) => time.slice(0, 10);
/** Returns the first digits of a UUID, which distinguish the units of a report. */
const shortUnit = (uuid) => uuid ? uuid.replace(/^(GPU|MIG)-/, "").slice(0, 8) : "unknown unit";

/** Returns an element with attributes, properties (those that begin with "on" or are `className`) and children. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on") || name === "className") element[name] = value;
    else if (value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

const byId = (id) => document.getElementById(id);
const fill = (id, ...children) => byId(id).replaceChildren(...children);
/** Returns a text as a paragraph, with what is in backticks as code. */
const note = (text) => make("p", {className: "note"},
  ...text.split("`").map((part, i) => i % 2 ? make("code", {}, part) : part));

/**
 * Returns a table. A column is {name, of, number, short, extra, action, title}: `of` returns a row's text or element, a short
 * column is not wrapped, an extra column is left out of a window of medium width, and an action is not printed.
 */
function makeTable(columns, rows) {
  const classOf = ({number, short, extra, action}) => [number && "number", short && "short", extra && "extra", action && "action"].filter(Boolean).join(" ");
  const head = columns.map((column) => make("th", {className: classOf(column), title: column.title ?? false}, column.name));
  const body = rows.map((row) => make("tr", {}, ...columns.map((column) => {
    const value = column.of(row) ?? "";
    const content = value instanceof Node ? value : make("span", {}, `${value}`);
    return make("td", {className: classOf(column), "data-name": column.name}, content);
  })));
  return make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body));
}

/** Rows of a table that are shown until the reader asks for all. */
const fewRows = () => isNarrow() ? 12 : 60;

/** Fills an element with a table, whose rows after the first few are shown when the reader asks for them. */
function fillTable(id, columns, rows, isWhole = false) {
  const shown = isWhole ? rows : rows.slice(0, fewRows());
  const more = make("button", {type: "button", className: "action", onclick: () => fillTable(id, columns, rows, true)},
    `Show all ${formatCount(rows.length)} rows`);
  fill(id, makeTable(columns, shown), ...(shown.length < rows.length ? [more] : []));
}
