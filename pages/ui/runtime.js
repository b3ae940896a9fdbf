// One listener for everything a page can do without the server: the drawer, copying, the chart's
// clicks, the keyboard, a question lost. It is mounted once; the other scripts stand before it.
const ROOT = "__youju";

const number = (value) => (value === undefined || value === null ? "" : full(Math.round(value * 1e6) / 1e6));

function chartClick(drawer, plot, event) {
  const points = event.points || [];
  if (plot.youjuClick?.(points)) return;
  const candle = points.find((one) => one.open !== undefined);
  // Marks take no part in hovering, or a click beside one would read as its day.
  const marks = plot._fullData.find((one) => one.mode === "markers" && one.customdata);
  const place = candle && marks ? marks.x.indexOf(candle.x) : -1;
  const item = place >= 0 && document.getElementById(marks.customdata[place]);
  if (item) {
    item.scrollIntoView({ block: "nearest" });
    drawer.open(new EventEntry(item), item.querySelector("button.yj-fig"));
    return;
  }
  const point = candle || points[0];
  const meta = point?.fullData?.meta;
  if (!meta) return;
  const values =
    point.open !== undefined
      ? [["open", number(point.open)], ["high", number(point.high)], ["low", number(point.low)], ["close", number(point.close)]]
      : [[meta.value || "value", number(point.y)]];
  drawer.open(new CandleEntry(meta, String(point.x), values), null);
}

// A page over plain http on another machine has no clipboard of its own: a selection does it there.
function selected(text) {
  const box = el("textarea", { readonly: "", style: "position:fixed;opacity:0" });
  box.value = text;
  document.body.append(box);
  box.select();
  const done = document.execCommand("copy");
  box.remove();
  return done;
}

async function copy(button) {
  let done;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    done = true;
  } catch {
    done = selected(button.dataset.copy);
    button.focus();
  }
  const words = (button.dataset.words ||= button.textContent);
  const said = done ? button.dataset.done : button.dataset.failed;
  button.textContent = done ? `✓ ${said}` : said;
  const status = button.parentElement.querySelector("[role=status]");
  if (status) status.textContent = said;
  clearTimeout(button.__back);
  button.__back = setTimeout(() => {
    button.textContent = words;
    if (status) status.textContent = "";
  }, 2500);
}

// The newest question comes into view once, when it is first seen; what is drawn below it later
// must not leave it behind.
const seen = new Set();
function fresh() {
  const node = document.querySelector("[data-fresh]");
  if (!node || seen.has(node.dataset.fresh)) return;
  seen.add(node.dataset.fresh);
  if (node.dataset.fresh.endsWith(":1")) return;
  const show = () => node.isConnected && node.scrollIntoView({ block: "start" });
  show();
  const later = [250, 700].map((wait) => setTimeout(show, wait));
  for (const kind of ["wheel", "touchstart", "keydown", "pointerdown"])
    window.addEventListener(kind, () => later.forEach(clearTimeout), { once: true, passive: true });
}

// What is selected in a table: kept here while boxes are ticked, told to the server once they rest.
const picking = { symbols: [], last: null, timer: 0 };

function showPicked() {
  const boxes = [...document.querySelectorAll(".yj-pickbox")];
  const rows = boxes.filter((one) => one.value);
  for (const box of rows) {
    box.checked = picking.symbols.includes(box.value);
    box.closest("tr").classList.toggle("yj-picked", box.checked);
  }
  const whole = boxes.find((one) => !one.value);
  if (whole) whole.checked = rows.length > 0 && rows.every((one) => one.checked);
}

function pick(drawer, box, range) {
  const rows = [...box.closest("table").querySelectorAll(".yj-pickbox")].filter((one) => one.value);
  const last = rows.findIndex((one) => one.value === picking.last);
  const here = rows.indexOf(box);
  let meant = box.value ? [box] : rows;
  if (range && last >= 0 && here >= 0) meant = rows.slice(Math.min(last, here), Math.max(last, here) + 1);
  const symbols = meant.map((one) => one.value);
  picking.symbols = picking.symbols.filter((one) => !symbols.includes(one));
  if (box.checked) picking.symbols.push(...symbols);
  picking.last = box.value;
  showPicked();
  clearTimeout(picking.timer);
  picking.timer = setTimeout(() => {
    picking.timer = 0;
    drawer.pick([...picking.symbols]);
  }, 350);
}

// Paper is 277 mm wide between its margins: the page as the screen shows it is made to fit.
const PAPER = 1046;
function fit() {
  const shown = document.querySelector("[data-testid=stMainBlockContainer]");
  if (!shown) return;
  const style = document.documentElement.style;
  style.setProperty("--yj-print-width", `${shown.clientWidth}px`);
  style.setProperty("--yj-print-zoom", String(Math.min(1, PAPER / shown.clientWidth)));
}

function install() {
  const drawer = new Drawer();
  document.addEventListener("click", (event) => {
    const target = event.target;
    if (target.matches?.(".yj-pickbox")) return pick(drawer, target, event.shiftKey);
    const button = target.closest?.("button.yj-fig");
    if (button?.dataset.reason || button?.querySelector("data[data-claim-id]")) return drawer.open(entryOf(button), button);
    if (target.closest?.(".yj-print")) return window.print();
    const copied = target.closest?.(".yj-copy");
    if (copied) return void copy(copied);
    const outside = target.closest?.(".yj-outside a[href]");
    if (outside) {
      event.preventDefault();
      window.open(outside.href, "_blank", "noopener,noreferrer");
      return undefined;
    }
    const anchor = target.closest?.("a[data-go]");
    if (anchor && !event.metaKey && !event.ctrlKey && !event.shiftKey && event.button === 0) {
      event.preventDefault();
      drawer.go({ page: anchor.dataset.go, ...Object.fromEntries(new URL(anchor.href).searchParams) });
    }
    return undefined;
  });
  listen(drawer);
  drawer.unanswered = new Unanswered(drawer);
  window.addEventListener("beforeprint", fit);
  const hook = () => {
    document.querySelectorAll(".js-plotly-plot").forEach((plot) => {
      if (plot.__youju || !plot.on) return;
      plot.__youju = true;
      plot.on("plotly_click", (event) => chartClick(drawer, plot, event));
      narrow(plot);
    });
    fresh();
    rove();
    beginStep();
    enterPopover();
    showPicked();
  };
  new MutationObserver(hook).observe(document.body, { childList: true, subtree: true });
  hook();
  return drawer;
}

// On a phone the lines of a comparison end in their values alone, each in its colour: names stand
// above the chart, and beside the lines they would take half of it.
function narrow(plot) {
  if (!plot.closest(".st-key-yj_compare") || !window.matchMedia("(max-width: 640px)").matches) return;
  const annotations = plot.layout.annotations.map((one) => ({ ...one, text: one.text.replace(/^<b>.*<\/b> /, "") }));
  window.Plotly.relayout(plot, { "margin.r": 52, annotations });
}

export default function ({ data, parentElement, setTriggerValue }) {
  const drawer = (window[ROOT] ||= install());
  drawer.texts = data.texts;
  drawer.sources = data.sources;
  drawer.pick = (symbols) => setTriggerValue("pick", symbols);
  if (!picking.timer) {
    picking.symbols = [...data.picked];
    showPicked();
  }
  drawer.go = (target) => setTriggerValue("go", target);
  drawer.members = (id) => setTriggerValue("members", id);
  drawer.recheck = (id) => setTriggerValue("recheck", id);
  drawer.keys = data.keys;
  drawer.unanswered.hear(data.asks, (lost) => setTriggerValue("lost", lost));
  drawer.home(parentElement);
  drawer.tell(data.checked);
  tellMembers(drawer, data.members);
  dress(data.theme);
  shade();
  document.documentElement.lang = data.language === "en" ? "en" : "zh-CN";
}
