// What a reader does with the candle chart: zoom and pan that keep the candles in view, the readout
// under the cursor, events and their rows, keys. Nothing here asks the server for anything.
const AROUND = 40;
const state = { texts: {}, language: "zh" };

const traceOf = (plot, role) => plot._fullData?.find((one) => one.meta?.role === role);
const candlesOf = (plot) => traceOf(plot, "candles");
const shown = (value, digits = 2) =>
  Number(value).toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits }).replace("-", "−");

// 74,394,506 → 7,439.45万 (74.39m in English): as the page writes volumes.
function volume(value) {
  const scales = state.language === "en" ? [[1e9, " bn"], [1e6, " m"]] : [[1e8, "亿"], [1e4, "万"]];
  const found = scales.find(([size]) => Math.abs(value) >= size);
  return found ? shown(value / found[0]) + found[1] : shown(value, 0);
}

// 2017-07-26 → 26 Jul 2017 in English: as the line above the chart writes the last day.
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
function day(iso) {
  const [year, month, of] = iso.split("-").map(Number);
  return state.language === "en" ? `${of} ${MONTHS[month - 1]} ${year}` : iso;
}

// Places of the axis are places of the days drawn: the category axis keeps them in order.
const rangeOf = (plot) => plot._fullLayout.xaxis.range.map(Number);

function fitted(plot) {
  const trace = candlesOf(plot);
  const [from, to] = rangeOf(plot);
  const first = Math.max(0, Math.ceil(from));
  const last = Math.min(trace.x.length - 1, Math.floor(to));
  let low = Infinity;
  let high = -Infinity;
  for (let at = first; at <= last; at += 1) {
    low = Math.min(low, trace.low[at]);
    high = Math.max(high, trace.high[at]);
  }
  if (low > high) return null;
  const span = high - low || high || 1;
  const axis = plot._fullLayout.yaxis;
  const update = {};
  update["yaxis.range"] =
    axis.type === "log" ? [Math.log10(low * 0.93), Math.log10(high * 1.05)] : [low - 0.06 * span, high + 0.05 * span];
  if (axis.type !== "log") {
    const step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((one) => (span * 1.11) / one <= 7) || span;
    const ticks = [];
    for (let at = Math.ceil((low - 0.06 * span) / step); at * step <= high + 0.05 * span; at += 1) ticks.push(Number((at * step).toFixed(6)));
    const close = trace.close[trace.close.length - 1];
    const kept = ticks.filter((one) => Math.abs(one - close) > 0.065 * span);
    update["yaxis.tickvals"] = kept;
    update["yaxis.ticktext"] = kept.map((one) => one.toLocaleString("en-US", { maximumFractionDigits: 4 }));
  }
  const days = new Map(trace.x.map((day, at) => [day, at]));
  let most = 0;
  for (const bars of plot._fullData.filter((one) => one.meta?.role === "volume"))
    bars.x.forEach((day, at) => {
      const place = days.get(day);
      if (place >= first && place <= last) most = Math.max(most, bars.y[at]);
    });
  if (most && plot._fullLayout.yaxis2) update["yaxis2.range"] = [0, most * 1.08];
  // The scale of MACD is that of what is in view: a crash of years ago would make a line of it.
  const macd = plot._fullData.filter((one) => ["MACD", "DIF", "DEA"].includes(one.name));
  const seen = macd.flatMap((one) => one.x.map((day, at) => [days.get(day), one.y[at]]))
    .filter(([place, value]) => value !== null && place >= first && place <= last)
    .map(([, value]) => Math.abs(value));
  if (seen.length) update[macd[0].yaxis.replace("y", "yaxis") + ".range"] = [-1.1, 1.1].map((one) => one * Math.max(...seen));
  return update;
}

// A drag never ends in the void: the range is moved back over the candles, its width kept.
function clamped(plot) {
  const count = candlesOf(plot).x.length;
  let [from, to] = rangeOf(plot);
  const width = Math.min(Math.max(to - from, 5), count + 1);
  if (from < -1) from = -1;
  if (from + width > count) from = count - width;
  return [from, from + width];
}

function settle(plot) {
  if (plot.__settling || !candlesOf(plot)) return;
  plot.__settling = true;
  const range = clamped(plot);
  const update = {};
  const [from, to] = rangeOf(plot);
  if (Math.abs(range[0] - from) > 1e-6 || Math.abs(range[1] - to) > 1e-6) update["xaxis.range"] = range;
  plot._fullLayout.xaxis.range = range;
  Object.assign(update, fitted(plot) || {});
  window.Plotly.relayout(plot, update).then(() => {
    plot.__settling = false;
    callout(plot);
  });
}

// Over the last bar's readout; on the whole screen, where there is none, over the chart.
function live(plot) {
  const whole = document.fullscreenElement?.contains(plot);
  const host = (!whole && document.querySelector(".yjc-read")) || plot;
  let node = document.querySelector(".yjc-live");
  if (!node) {
    node = document.createElement("div");
    node.className = "yjc-live hoverlayer";
    node.setAttribute("aria-live", "polite");
  }
  if (node.parentElement !== host) host.append(node);
  return node;
}

function read(plot, at) {
  const trace = candlesOf(plot);
  const node = live(plot);
  plot.__at = at;
  if (at === null || at === undefined || at < 0 || at >= trace.x.length) {
    node.classList.remove("yjc-shown");
    return;
  }
  const cells = [];
  const add = (name, value, colour) => {
    const span = document.createElement("span");
    span.append(name);
    const bold = document.createElement("b");
    bold.textContent = value;
    if (colour) span.style.color = bold.style.color = colour;
    span.append(bold);
    cells.push(span);
  };
  add("", day(trace.x[at]));
  for (const [key, field] of [["hover_open", "open"], ["hover_high", "high"], ["hover_low", "low"], ["hover_close", "close"]])
    add(state.texts[key], shown(trace[field][at]));
  if (at > 0) {
    const change = (trace.close[at] / trace.close[at - 1] - 1) * 100;
    const rising = change >= 0;
    const colour = (rising ? trace.increasing : trace.decreasing).line.color;
    add("", `${rising ? "+" : ""}${shown(change)}%`, colour);
  }
  for (const bars of plot._fullData.filter((one) => one.meta?.role === "volume")) {
    const place = bars.x.indexOf(trace.x[at]);
    if (place >= 0) add(state.texts.hover_volume, volume(bars.y[place]));
  }
  for (const line of plot._fullData) {
    if (!/^ma_/.test(line.meta?.role || "") || line.visible !== true) continue;
    const value = line.y[line.x.indexOf(trace.x[at])];
    if (value !== null && value !== undefined && Number.isFinite(value)) add(`${line.name}`, shown(value), line.line.color);
  }
  add(`${state.texts.hover_source} ${trace.meta.told}`, "");
  node.replaceChildren(...cells);
  node.classList.add("yjc-shown");
}

// Events: a row and its mark are one thing.
const rowsOf = () => [...document.querySelectorAll("tr[data-event]")];

function eventAt(plot, day) {
  for (const marks of plot._fullData.filter((one) => one.meta?.role === "event")) {
    const place = marks.x.indexOf(day);
    if (place >= 0) return marks.customdata[place];
  }
  return null;
}

function placeOf(plot, day) {
  const days = candlesOf(plot).x;
  const found = days.findIndex((one) => one >= day);
  return found < 0 ? days.length - 1 : found;
}

function callout(plot) {
  plot.querySelector(".yjc-callout")?.remove();
  const row = document.getElementById(plot.__event || "");
  if (!row) return;
  const trace = candlesOf(plot);
  const at = placeOf(plot, row.dataset.event);
  const { xaxis, yaxis } = plot._fullLayout;
  const [from, to] = rangeOf(plot);
  if (at < from || at > to) return;
  const node = document.createElement("div");
  node.className = "yjc-callout hoverlayer";
  const [date, , move, index, trigger, cause] = [...row.cells].map((cell) => {
    const copy = cell.cloneNode(true);
    copy.querySelectorAll("button:not(.yj-fig), details, i, .yjc-why").forEach((one) => one.remove());
    return copy.textContent.trim();
  });
  const benchmark = row.closest("table").tHead.rows[0].cells[3].firstChild.textContent.trim();
  const head = document.createElement("b");
  head.textContent = `${date}　${move}`;
  node.append(head, index && `　${benchmark} ${index}`);
  const source = `${state.texts.hover_source} ${trace.meta.told}`;
  for (const line of [trigger, cause, source].filter(Boolean)) {
    const told = document.createElement("div");
    told.textContent = line;
    node.append(told);
  }
  const right = xaxis.d2p(at) > xaxis._length / 2;
  const left = xaxis._offset + xaxis.d2p(at);
  node.style.top = `${Math.max(4, yaxis._offset + 8)}px`;
  node.style[right ? "right" : "left"] = right ? `${plot.clientWidth - left + 14}px` : `${left + 14}px`;
  node.dataset.day = trace.x[at];
  plot.append(node);
}

function pick(plot, id, { move = true } = {}) {
  const row = document.getElementById(id);
  if (!row) return;
  for (const one of rowsOf()) one.classList.toggle("yj-on", one === row);
  row.scrollIntoView({ block: "nearest" });
  plot.__event = id;
  const first = placeOf(plot, row.dataset.start);
  const last = placeOf(plot, row.dataset.event);
  const shapes = (plot.layout.shapes || []).filter((one) => one.name !== "yj-band");
  shapes.push({
    name: "yj-band", type: "rect", xref: "x", yref: "paper", x0: first - 0.5, x1: last + 0.5, y0: 0, y1: 1,
    layer: "below", line: { width: 0 }, fillcolor: "#2f86c9", opacity: 0.16,
  });
  const update = { shapes };
  const [from, to] = rangeOf(plot);
  if (move || first < from || last > to) update["xaxis.range"] = [first - AROUND, last + AROUND];
  window.Plotly.relayout(plot, update).then(() => settle(plot));
  const address = new URL(window.location.href);
  address.searchParams.set("event", row.dataset.event);
  window.history.replaceState(window.history.state, "", address);
}

function step(plot, by) {
  const trace = candlesOf(plot);
  const at = Math.min(Math.max((plot.__at ?? trace.x.length - 1) + by, 0), trace.x.length - 1);
  read(plot, at);
}

function nextEvent(plot, by) {
  const ids = rowsOf().map((one) => one.id);
  if (!ids.length) return;
  const now = ids.indexOf(plot.__event);
  // Rows stand newest first: to the right is newer.
  pick(plot, ids[Math.min(Math.max(now < 0 ? 0 : now - by, 0), ids.length - 1)]);
}

function zoom(plot, factor) {
  const [from, to] = rangeOf(plot);
  const middle = (from + to) / 2;
  const half = ((to - from) / 2) * factor;
  window.Plotly.relayout(plot, { "xaxis.range": [middle - half, middle + half] });
}

function key(plot, event) {
  const moves = {
    ArrowLeft: () => (event.shiftKey ? nextEvent(plot, -1) : step(plot, -1)),
    ArrowRight: () => (event.shiftKey ? nextEvent(plot, 1) : step(plot, 1)),
    "+": () => zoom(plot, 0.7),
    "=": () => zoom(plot, 0.7),
    "-": () => zoom(plot, 1 / 0.7),
    0: () => window.Plotly.relayout(plot, { "xaxis.range": plot.__home }),
    f: () => showWhole(plot),
  };
  const move = moves[event.key];
  if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  move();
}

// The chart alone on the whole screen, where a finger may pan it too; Esc brings the page back.
function showWhole(plot) {
  if (document.fullscreenElement) return void document.exitFullscreen();
  plot.__before = { height: plot._fullLayout.height, dragmode: plot._fullLayout.dragmode };
  (plot.closest("[data-testid=stPlotlyChart]") || plot).requestFullscreen?.();
}

function fitWhole(plot) {
  const on = document.fullscreenElement?.contains(plot);
  if (!plot.__before) return;
  const update = on ? { height: window.innerHeight, dragmode: "pan" } : plot.__before;
  window.Plotly.relayout(plot, update).then(() => settle(plot));
}

function fitPhone(plot) {
  // Every other month has its name, a year rather than the month beside it: there is no room for
  // more, and slanted ones are not read.
  const { tickvals = [], ticktext = [] } = plot._fullLayout.xaxis;
  const days = candlesOf(plot).x;
  const [from, to] = plot.__home;
  const inside = tickvals.map((day) => days.indexOf(day)).filter((place) => place >= from && place <= to);
  const every = Math.max(1, Math.ceil(inside.length / 6));
  const year = Math.max(0, ticktext.findIndex((text) => /^\d{4}$/.test(text)));
  const kept = (_, place) => (place - year) % every === 0;
  // Nor for the names of overlays beside the prices: above the chart they stand with their colour.
  const named = plot.layout.annotations.filter((one) => one.name !== "overlay");
  window.Plotly.relayout(plot, {
    dragmode: false, "xaxis.tickangle": 0, annotations: named, "margin.r": 52,
    "xaxis.tickvals": tickvals.filter(kept), "xaxis.ticktext": ticktext.filter(kept),
  });
}

function hook(plot) {
  if (plot.__company || !plot.on || !candlesOf(plot)) return;
  plot.__company = true;
  plot.__home = rangeOf(plot);
  plot.tabIndex = 0;
  // A chart that is drawn anew has its first layout again.
  const fit = () =>
    window.matchMedia("(max-width: 640px)").matches && !document.fullscreenElement && plot.layout.dragmode !== false && fitPhone(plot);
  plot.on("plotly_afterplot", fit);
  fit();
  plot.on("plotly_relayout", (event) => {
    if (Object.keys(event || {}).some((name) => name.startsWith("xaxis"))) settle(plot);
  });
  plot.on("plotly_hover", (event) => {
    const found = event.points?.find((one) => one.open !== undefined);
    if (found) read(plot, candlesOf(plot).x.indexOf(found.x));
  });
  plot.on("plotly_unhover", () => read(plot, null));
  plot.on("plotly_doubleclick", () => window.Plotly.relayout(plot, { "xaxis.range": plot.__home }));
  plot.addEventListener("keydown", (event) => key(plot, event));
  // The drawer asks before it opens: an event is shown in its row.
  plot.youjuClick = (points) => {
    const found = points.map((one) => eventAt(plot, one.x)).find(Boolean);
    if (!found) return false;
    pick(plot, found, { move: false });
    return true;
  };
  const asked = new URL(window.location.href).searchParams.get("event");
  const row = asked && rowsOf().find((one) => one.dataset.event === asked);
  if (row) pick(plot, row.id);
}

function install() {
  const every = () => document.querySelectorAll(".js-plotly-plot").forEach(hook);
  new MutationObserver(every).observe(document.body, { childList: true, subtree: true });
  every();
  document.addEventListener("fullscreenchange", () =>
    document.querySelectorAll(".js-plotly-plot").forEach((one) => one.__company && fitWhole(one)));
  document.addEventListener("click", (event) => {
    const plot = [...document.querySelectorAll(".js-plotly-plot")].find((one) => one.__company);
    if (!plot) return;
    if (event.target.closest?.(".yjc-whole")) return void showWhole(plot);
    const line = event.target.closest?.(".yjc-ma[data-line]");
    if (line && !event.target.closest("button")) {
      const place = plot._fullData.findIndex((one) => one.meta?.role === line.dataset.line);
      const hidden = line.classList.toggle("yjc-off");
      if (place >= 0) window.Plotly.restyle(plot, { visible: !hidden }, [place]);
      return;
    }
    const row = event.target.closest?.("tr[data-event]");
    const figure = event.target.closest?.("button:not(.yjc-pick), a, summary");
    if (row && !figure) {
      pick(plot, row.id);
      plot.scrollIntoView({ block: "nearest" });
    }
  });
}

export default function ({ data }) {
  state.texts = data.texts;
  state.language = data.language;
  if (!window.__youju_charts) {
    window.__youju_charts = true;
    install();
  }
}
