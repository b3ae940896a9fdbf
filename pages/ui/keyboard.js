// The keyboard: search, pages, sections, and moving between the figures of a table.
const PLACES = { h: "overview", s: "screen", c: "company", d: "compare", a: "ask", v: "verify" };
const TYPING = "input, textarea, select, [contenteditable=true], [role=combobox]";
const FIGURES = "button.yj-fig";

// One stop of Tab: a table or a map with all that can be acted on in it, and beside those the figures
// of one block. Arrows move inside.
const GRIDS = ".yj table, .yj-heat";
const ACTS = "button, a[href], .yj-pickbox";

const blockOf = (item) => item.closest(GRIDS) ?? (item.matches(FIGURES) ? item.closest(".yj") : null);

const itemsOf = (block) =>
  block.matches(GRIDS) ? [...block.querySelectorAll(ACTS)] : [...block.querySelectorAll(FIGURES)].filter((one) => blockOf(one) === block);

// The stop of each is its first figure, or where the reader was at last.
function rove() {
  for (const block of document.querySelectorAll(`.yj, ${GRIDS}`)) {
    const items = itemsOf(block);
    const seen = items.filter((one) => one.checkVisibility());
    const stop = seen.find((one) => one.dataset.stop) || seen.find((one) => one.matches(FIGURES)) || seen[0] || items[0];
    for (const one of items) if (one.tabIndex !== (one === stop ? 0 : -1)) one.tabIndex = one === stop ? 0 : -1;
  }
}

function stopAt(block, item) {
  for (const one of itemsOf(block)) delete one.dataset.stop;
  item.dataset.stop = "1";
  rove();
  item.focus();
  item.scrollIntoView({ block: "nearest", inline: "nearest" });
}

// Where to go from this one, or nothing at an edge: across in reading order, in a table within its
// row; up and down to the nearest, the same column before another.
function neighbour(item, block, key) {
  const seen = itemsOf(block).filter((one) => one.checkVisibility());
  const row = item.closest("tr");
  const across = row ? seen.filter((one) => row.contains(one)) : seen;
  const at = across.indexOf(item);
  const found = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: across.length - 1 }[key];
  if (found !== undefined) return across[found];
  const from = item.getBoundingClientRect();
  const down = key === "ArrowDown" ? 1 : -1;
  let best;
  let least = Infinity;
  for (const one of seen) {
    const box = one.getBoundingClientRect();
    const below = down * (box.top + box.height / 2 - from.top - from.height / 2);
    const far = below + 4 * Math.max(0, box.left - from.right, from.left - box.right);
    if (below > 6 && far < least) [best, least] = [one, far];
  }
  return best;
}

function walk(event) {
  if (!["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Home", "End"].includes(event.key)) return false;
  const item = event.target.closest?.(ACTS);
  const block = item && blockOf(item);
  if (!block) return false;
  const next = neighbour(item, block, event.key);
  event.preventDefault();
  if (next) stopAt(block, next);
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
  document.querySelector(".yj-drawer:popover-open")?.hidePopover();
  if (event.key === "PageUp") history.back();
  else [...strip.querySelectorAll("a")].at(event.key === "Escape" ? -1 : 0).click();
  return true;
}

// Each step of the tour begins where it speaks of: Enter opens that.
let led = "";
function beginStep() {
  const strip = document.querySelector(".yj-tour");
  const spoken = strip && document.querySelector(strip.dataset.spoken);
  if (!strip) led = "";
  if (!spoken || strip.dataset.step === led) return;
  led = strip.dataset.step;
  const item = spoken.matches(ACTS) ? spoken : spoken.querySelector(ACTS);
  item?.focus({ preventScroll: true });
  spoken.scrollIntoView({ block: "nearest" });
}

// Streamlit draws a popover at the end of the page, dozens of Tabs away: one opened by key is entered.
const ENTRIES = "button:enabled, input:enabled, textarea, a[href], [tabindex='0']";
let opened = 0;
function noteOpened(event) {
  if (event.detail === 0 && event.target.closest?.("[data-testid=stPopoverButton]")) opened = Date.now();
}

function enterPopover() {
  if (Date.now() - opened > 2000) return;
  const first = [...document.querySelectorAll("[data-testid=stPopoverBody]")].pop()?.querySelector(ENTRIES);
  if (!first) return;
  opened = 0;
  first.focus();
}

const search = () => document.querySelector(".st-key-w_find input");

// In the search box: arrows choose among what was found, Enter opens it, or the first of the list.
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
  // The list shown may still be of fewer letters: which is the first is found of what was typed.
  const page = document.querySelector(".yj-found[data-page]")?.dataset.page || "company";
  return void drawer.go(at >= 0 ? { page, symbol: new URL(links[at].href).searchParams.get("symbol") } : { page, find: typed });
}

function listen(drawer) {
  let going = 0;
  document.addEventListener("click", noteOpened, true);
  document.addEventListener("keydown", (event) => {
    if (event.target.closest?.(".st-key-w_find")) return chooseFound(drawer, event);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step && drawer.node.contains(event.target) && !event.target.matches(TYPING)) return void drawer.turn(step);
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

// What Streamlit draws beside the app (popovers, lists, dialogs) is as light or dark as the app.
function shade() {
  const app = document.querySelector(".stApp");
  if (app) document.documentElement.style.colorScheme = getComputedStyle(app).colorScheme;
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
  if (isDark(active) !== isDark(name)) reloadWhenDone();
}

// Not while the page is at work: what a reader asked would be lost with the page that asked it.
function reloadWhenDone() {
  const app = document.querySelector(".stApp");
  if (app?.dataset.testScriptState === "running") setTimeout(reloadWhenDone, 100);
  else location.reload();
}
