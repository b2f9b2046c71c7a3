// The winners as commands and as C++.

/** Returns the command that answers with a winner. */
function commandOf(winner) {
  const determinism = determinismsOf(winner)[0];
  return `redtune query ${problems[winner.problem].options} --n ${formatSize(winner.n)} --device ${devices[winner.device].shell}` +
    ` --regime ${winner.regime}` + (determinism === "any" ? "" : ` --determinism ${determinism}`);
}

/** Returns C++ that asks the library for a winner. */
function cppOf(winner) {
  const determinism = determinismsOf(winner)[0];
  return "// #include <redtune/redtune.hpp>\n" +
    "const redtune::Catalog catalog = redtune::Catalog::open();\n" +
    problems[winner.problem].cpp +
    (determinism === "any" ? "" : `problem.determinism = redtune::Determinism::${determinism};\n`) +
    `const auto match = catalog.find(problem, ${winner.n}, ${devices[winner.device].cpp}, redtune::Regime::${winner.regime});\n` +
    `// ${configurations[winner.configuration].text.replace(/\s+/g, " ")}, ${formatNumber(winner.time_us)} us\n`;
}

/** Copies a text. A page from disk may have no access to the clipboard; then the older way is taken. */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = make("textarea", {readonly: true});
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}

/** Returns a button that copies the text that `textOf` returns, and says so for a moment. */
function makeCopyButton(name, textOf) {
  const button = make("button", {type: "button", title: textOf()}, name);
  button.onclick = async () => {
    await copyText(textOf());
    button.textContent = "copied";
    setTimeout(() => { button.textContent = name; }, 1200);
  };
  return button;
}
