// Starts the page.

function drawOrigin() {
  const names = page.files.map(({name, label}) => label.endsWith(name) ? label : name).join(", ");
  byId("origin").textContent = `Made by ${page.command} (redtune ${page.version}) at ${page.made_at.replace("T", " ").replace("Z", " UTC")} from ${names}.`;
}

/** Keeps the theme that the reader chose in the address, because a page from disk may have no storage. */
function applyTheme() {
  if (state.theme === "dark" || state.theme === "light") document.documentElement.dataset.theme = state.theme;
}

byId("theme").onclick = () => {
  state.theme = isDark() ? "light" : "dark";
  applyTheme();
  saveState();
};

let wasNarrow = isNarrow();
addEventListener("resize", () => {
  if (wasNarrow !== isNarrow()) redraw();
  wasNarrow = isNarrow();
});
addEventListener("hashchange", () => {
  for (const name of Object.keys(state)) delete state[name];
  Object.assign(state, Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
  applyTheme();
  byId("winners-controls").replaceChildren();
  redraw();
});

applyTheme();
drawOrigin();
redraw();
