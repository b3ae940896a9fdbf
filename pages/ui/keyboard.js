// The keyboard: search, pages, sections, and moving between the figures of a table.
const PLACES = { h: "overview", s: "screen", c: "company", d: "compare", a: "ask", v: "verify" };
const TYPING = "input, textarea, select, [contenteditable=true], [role=combobox]";
const FIGURES = "button.yj-fig";

// A table is one stop of Tab: its first figure, or the one the reader was at last.
function rove() {
  for (const table of document.querySelectorAll(".yj table")) {
    const figures = [...table.querySelectorAll(FIGURES)];
    if (!figures.length) continue;
    const stop = figures.find((one) => one.dataset.stop) || figures[0];
    for (const one of figures) if (one.tabIndex !== (one === stop ? 0 : -1)) one.tabIndex = one === stop ? 0 : -1;
  }
}

function stopAt(table, figure) {
  for (const one of table.querySelectorAll(`${FIGURES}[data-stop]`)) delete one.dataset.stop;
  figure.dataset.stop = "1";
  rove();
  figure.focus();
  figure.scrollIntoView({ block: "nearest", inline: "nearest" });
}

// The figure to go to from this one, or null at an edge: up and down keep to the column.
function neighbour(figure, key) {
  const cell = figure.closest("td, th");
  const row = cell.parentElement;
  const across = [...row.querySelectorAll(FIGURES)];
  const at = across.indexOf(figure);
  if (key === "ArrowRight") return across[at + 1] ?? null;
  if (key === "ArrowLeft") return across[at - 1] ?? null;
  if (key === "Home") return across[0];
  if (key === "End") return across[across.length - 1];
  const step = key === "ArrowDown" ? "nextElementSibling" : "previousElementSibling";
  for (let one = row[step]; one; one = one[step]) {
    const found = one.cells?.[cell.cellIndex]?.querySelector(FIGURES);
    if (found) return found;
  }
  return null;
}

function walk(event) {
  const figure = event.target.closest?.(`.yj table ${FIGURES}`);
  if (!figure || !["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Home", "End"].includes(event.key)) return false;
  const next = neighbour(figure, event.key);
  event.preventDefault();
  if (next) stopAt(next.closest("table"), next);
  return true;
}

const press = (key, step) => {
  const buttons = [...document.querySelectorAll(`.st-key-${key} button`)];
  const at = buttons.findIndex((one) => one.getAttribute("aria-checked") === "true" || one.getAttribute("kind")?.endsWith("Active"));
  const wanted = typeof step === "function" ? buttons.find(step) : buttons[at + step];
  wanted?.click();
};

class KeysEntry {
  constructor(keys) {
    this.keys = keys;
  }

  parts(drawer) {
    const list = el("dl", { class: "yj-keys" });
    for (const [keys, words] of Object.entries(this.keys)) list.append(el("dt", {}, el("kbd", {}, keys)), el("dd", {}, words));
    return [el("h2", { id: "yj-drawer-title" }, drawer.t("keys")), list];
  }
}

// The tour, by keyboard or a presenter's clicker: on, back, and out of it.
function lead(event) {
  const strip = document.querySelector(".yj-tour");
  if (!strip || !["PageDown", "PageUp", "Escape"].includes(event.key)) return false;
  if (event.key === "Escape" && document.querySelector(".yj-drawer:popover-open")) return false;
  event.preventDefault();
  if (event.key === "PageUp") history.back();
  else [...strip.querySelectorAll("a")].at(event.key === "Escape" ? -1 : 0).click();
  return true;
}

const search = () => document.querySelector(".st-key-w_find input");

// In the search box: arrows choose among what was found, Enter opens it (or what was typed).
function chooseFound(drawer, event) {
  const links = [...document.querySelectorAll(".yj-found[data-page] a[data-go]")];
  const at = links.findIndex((one) => one.classList.contains("yj-on"));
  if (event.key === "Escape") return void event.target.blur();
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    links[at]?.classList.remove("yj-on");
    links[Math.max(0, Math.min(links.length - 1, at + (event.key === "ArrowDown" ? 1 : -1)))]?.classList.add("yj-on");
    return undefined;
  }
  const typed = event.target.value.trim();
  if (event.key !== "Enter" || !typed) return undefined;
  // A name that fits several is asked back on the page, unless one of them was chosen here.
  const page = document.querySelector(".yj-found[data-page]")?.dataset.page || "company";
  const chosen = at >= 0 ? links[at] : links.find((one) => one.textContent.trim() === typed);
  return void drawer.go({ page, symbol: chosen ? new URL(chosen.href).searchParams.get("symbol") : typed });
}

function listen(drawer) {
  let going = 0;
  document.addEventListener("keydown", (event) => {
    if (event.target.closest?.(".st-key-w_find")) return chooseFound(drawer, event);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step && drawer.node.contains(event.target)) return void drawer.turn(step);
    if (walk(event) || lead(event)) return undefined;
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(TYPING)) return undefined;
    const place = Date.now() - going < 1500 && PLACES[event.key];
    going = event.key === "g" ? Date.now() : 0;
    if (place) return void drawer.go({ page: place });
    if (event.key === "/") {
      event.preventDefault();
      search()?.focus();
    } else if (event.key === "?") drawer.open(new KeysEntry(drawer.keys), document.activeElement);
    else if (event.key === "[" || event.key === "]") press("w_tab", event.key === "]" ? 1 : -1);
    else if (event.key === "n" || event.key === "p") press(event.key === "n" ? "w_next" : "w_prev", () => true);
    else if ("dwm".includes(event.key)) press("w_interval", (one) => one === document.querySelectorAll(".st-key-w_interval button")["dwm".indexOf(event.key)]);
    return undefined;
  });
}

// Streamlit reads its theme when a page is loaded, from where its own menu would have put it.
const LOADED = `stActiveTheme-${location.pathname}-v2`;
function dress(wanted) {
  const isDark = (name) => (name === "System" ? matchMedia("(prefers-color-scheme: dark)").matches : name === "Dark");
  const name = { light: "Light", dark: "Dark" }[wanted] || "System";
  let active;
  try {
    active = JSON.parse(localStorage.getItem(LOADED)) || "System";
  } catch {
    return;
  }
  if (active === name) return;
  localStorage.setItem(LOADED, JSON.stringify(name));
  if (isDark(active) !== isDark(name)) location.reload();
}
