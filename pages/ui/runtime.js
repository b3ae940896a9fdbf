// The citation drawer: one click listener and one popover for the whole page, no state of its own.
// Figures carry their envelope in data attributes; charts carry it in trace.meta.
const ROOT = "__youju";

const el = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
};

const full = (value) => {
  const number = Number(value);
  if (!Number.isFinite(number)) return String(value);
  if (Math.abs(number) >= 1e21) return String(number);
  const [whole, rest] = String(value).includes("e") ? String(number).split(".") : String(value).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return rest && rest !== "0" ? `${grouped}.${rest}` : grouped;
};

class Drawer {
  constructor() {
    this.texts = {};
    this.stack = [];
    this.node = el("div", { popover: "auto", role: "dialog", class: "yj-drawer", "aria-labelledby": "yj-drawer-title" });
    this.node.addEventListener("toggle", (event) => {
      if (event.newState === "closed") this.closed();
    });
  }

  home(root) {
    if (!this.node.isConnected) root.append(this.node);
    this.root = root;
  }

  t(key) {
    return this.texts[key] ?? key;
  }

  // "a + b" in the reader's names for them.
  source(names) {
    return (names || "").split(" + ").map((name) => this.sources?.[name] ?? name).join(" + ");
  }

  open(entry, opener) {
    (opener?.closest?.("[role=dialog]:not(.yj-drawer)") || this.root).append(this.node);
    this.opener = opener;
    this.stack = [entry];
    this.draw();
    this.node.showPopover();
    this.node.querySelector(".yj-close").focus();
  }

  closed() {
    const opener = this.opener;
    this.opener = null;
    if (opener?.isConnected && (document.activeElement === document.body || this.node.contains(document.activeElement))) opener.focus();
  }

  step(entry) {
    this.stack.push(entry);
    this.draw();
    this.node.querySelector(".yj-back").focus();
  }

  draw() {
    const entry = this.stack[this.stack.length - 1];
    const bar = el("div", { class: "yj-drawer-bar" });
    if (this.stack.length > 1) {
      const back = el("button", { type: "button", class: "yj-back" }, `← ${this.t("back")}`);
      back.addEventListener("click", () => {
        this.stack.pop();
        this.draw();
        this.node.querySelector(".yj-back, .yj-close").focus();
      });
      bar.append(back);
    } else {
      bar.append(el("span", { class: "yj-kicker" }, this.t("drawer")));
    }
    const close = el("button", { type: "button", class: "yj-close", "aria-label": this.t("close") }, "✕");
    close.addEventListener("click", () => this.node.hidePopover());
    bar.append(close);
    this.node.replaceChildren(bar, el("div", { class: "yj-body", "data-nocite": "provenance" }, ...entry.parts(this)));
    this.node.scrollTop = 0;
  }
}

// An instant as everywhere on the page: in Beijing time.
const moment = (text) => {
  const found = new Date(text || "");
  if (Number.isNaN(found.getTime())) return text || "";
  return `${found.toLocaleString("sv-SE", { timeZone: "Asia/Shanghai" })} UTC+8`;
};

const rows = (pairs) => {
  const list = el("dl", {});
  for (const [name, value, mono] of pairs) {
    if (value === "" || value === null || value === undefined) continue;
    list.append(el("dt", {}, name), el("dd", mono ? { class: "yj-mono" } : {}, value));
  }
  return list;
};

const find = (id) =>
  document.querySelector(`data[data-claim-id="${CSS.escape(id)}"], data[data-input-id="${CSS.escape(id)}"]`);

const shownOf = (node) => node.dataset.shown || node.textContent;

// One figure with its envelope: what it is, where it came from, what it was made of.
class FigureEntry {
  constructor(dataset, shown, value) {
    this.data = { ...dataset };
    this.shown = shown;
    this.value = value;
  }

  static of(node) {
    return new FigureEntry(node.dataset, shownOf(node), node.getAttribute("value"));
  }

  parts(drawer) {
    const d = this.data;
    const t = (key) => drawer.t(key);
    const kind = { tool: "kind_tool", derived: "kind_derived", competence: "kind_rule" }[d.kind];
    const head = [
      el("h2", { id: "yj-drawer-title" }, d.label || d.metric, el("span", { class: "yj-code" }, d.symbol || "")),
      el("p", { class: "yj-value" }, this.shown),
      el("p", { class: `yj-tag yj-tag-${d.kind}` }, t(kind)),
    ];
    const said = rows([
      [t("exact"), this.value === null ? "" : `${full(this.value)} ${d.unitName || ""}`.trim(), true],
      [t("raw"), d.raw ? `${d.raw}` : "", true],
      [t("field"), d.field, true],
      [t("as_of"), d.asOf],
      [t("period"), d.period ? `${d.periodLabel || d.period}  (${d.period})` : ""],
    ]);
    return [...head, said, ...this.grounds(drawer)];
  }

  grounds(drawer) {
    const d = this.data;
    const t = (key) => drawer.t(key);
    if (d.kind === "derived") return this.workings(drawer);
    if (d.kind === "competence")
      return [
        el("h3", {}, t("rule")),
        el("blockquote", {}, d.statement),
        rows([[t("reference"), d.reference], [t("rule_id"), d.competence, true], [t("version"), d.version], [t("note"), d.note]]),
      ];
    return [
      el("h3", {}, t("came_from")),
      rows([
        [t("source"), d.src],
        [t("table"), d.table, true],
        [t("served_by"), d.served || drawer.source(d.by)],
        [t("captured"), d.captured],
        [t(d.captured ? "bundle_built" : "fetched_at"), moment(d.fetched)],
        [t("tool_call"), d.tc, true],
        [t("note"), d.note],
      ]),
      ...this.doubts(drawer),
      traceButton(drawer, d.tc),
    ];
  }

  doubts(drawer) {
    const d = this.data;
    const parts = [];
    if (d.stale) parts.push(el("p", { class: "yj-note yj-doubt" }, `${drawer.t("stale")} ${d.stale}`));
    if (!d.differs) return parts;
    parts.push(el("h3", { class: "yj-doubt" }, `${drawer.t("differs")}: ${d.differsOn || d.label || ""}`));
    for (const one of JSON.parse(d.differs))
      parts.push(
        el(
          "section",
          { class: "yj-reading" },
          el("p", {}, el("strong", {}, one.by), el("span", { class: "yj-mono" }, `${full(one.value)} ${one.unit}`)),
          rows([[drawer.t("came_from"), one.table, true], [drawer.t("raw"), one.raw, true], [drawer.t("fetched_at"), moment(one.fetched)]]),
        ),
      );
    parts.push(el("p", { class: "yj-note" }, drawer.t("differs_note")));
    return parts;
  }

  workings(drawer) {
    const d = this.data;
    const parts = [el("h3", {}, drawer.t("computed")), el("p", { class: "yj-formula yj-mono" }, `${d.metric} = ${d.formula}`)];
    if (d.note) parts.push(el("p", { class: "yj-note" }, d.note));
    const list = el("ul", { class: "yj-inputs" });
    for (const id of (d.inputs || "").split(" ").filter(Boolean)) {
      const node = find(id);
      if (!node) {
        list.append(el("li", {}, el("code", {}, id)));
        continue;
      }
      const button = el(
        "button",
        { type: "button", class: "yj-input" },
        el("span", { class: "yj-input-name" }, node.dataset.label || node.dataset.metric, el("small", {}, [node.dataset.symbol, node.dataset.asOf, node.dataset.periodLabel].filter(Boolean).join(" · "))),
        el("span", { class: "yj-input-value" }, shownOf(node)),
      );
      button.addEventListener("click", () => drawer.step(FigureEntry.of(node)));
      list.append(el("li", {}, button));
    }
    for (const ref of d.series ? JSON.parse(d.series) : [])
      list.append(
        el("li", { class: "yj-series" }, `${ref.name}: ${ref.metric} ${ref.start} … ${ref.end} (${ref.count})`, traceButton(drawer, ref.tool_call_id)),
      );
    if (d.members) {
      const told = el("ul", { class: "yj-members" }, ...JSON.parse(d.members).map((line) => el("li", {}, line)));
      parts.push(el("h3", {}, drawer.t("members")), told, traceButton(drawer, d.tc, d.claimId || d.inputId));
    }
    if (list.children.length) parts.push(el("h3", {}, drawer.t("inputs")), list);
    if (d.served) parts.push(rows([[drawer.t("served_by"), d.served]]));
    return [...parts, ...this.doubts(drawer)];
  }
}

// A candle: the day's prices of one trace, under the trace's own envelope.
class CandleEntry {
  constructor(meta, day, values) {
    this.meta = meta;
    this.day = day;
    this.values = values;
  }

  parts(drawer) {
    const m = this.meta;
    const t = (key) => drawer.t(key);
    return [
      el("h2", { id: "yj-drawer-title" }, m.label || "", el("span", { class: "yj-code" }, m.symbol || "")),
      el("p", { class: "yj-value" }, this.day),
      rows(this.values.map(([name, value]) => [t(name), value, true])),
      el("h3", {}, t("came_from")),
      rows([
        [t("source"), m.src],
        [t("table"), m.table, true],
        [t("served_by"), m.served || drawer.source(m.by)],
        [t("captured"), m.captured],
        [t(m.captured ? "bundle_built" : "fetched_at"), moment(m.fetched)],
        [t("tool_call"), m.tc, true],
        [t("formula"), m.formula, true],
        [t("note"), m.note],
      ]),
      ...(m.stale ? [el("p", { class: "yj-note yj-doubt" }, `${t("stale")} ${m.stale}`)] : []),
      traceButton(drawer, m.tc),
    ];
  }
}

// An event: its own words from the timeline, and a way into each figure they contain.
class EventEntry {
  constructor(item) {
    this.item = item;
  }

  parts(drawer) {
    const list = el("ul", { class: "yj-inputs" });
    for (const node of this.item.querySelectorAll("data[data-claim-id]")) {
      const button = el(
        "button",
        { type: "button", class: "yj-input" },
        el("span", { class: "yj-input-name" }, node.dataset.label, el("small", {}, [node.dataset.symbol, node.dataset.asOf].filter(Boolean).join(" · "))),
        el("span", { class: "yj-input-value" }, shownOf(node)),
      );
      button.addEventListener("click", () => drawer.step(FigureEntry.of(node)));
      list.append(el("li", {}, button));
    }
    const words = this.item.querySelector(".yj-reason")?.cloneNode(true) || el("p");
    words.querySelectorAll("button").forEach((button) => button.remove());
    return [
      el("h2", { id: "yj-drawer-title" }, drawer.t("event"), el("span", { class: "yj-code" }, this.item.dataset.day || "")),
      el("p", { class: "yj-event-words" }, ...words.childNodes),
      el("h3", {}, drawer.t("event_figures")),
      list,
    ];
  }
}

// A figure that is not there: only its reason.
class MissingEntry {
  constructor(dataset) {
    this.data = { ...dataset };
  }

  parts(drawer) {
    const d = this.data;
    return [
      el("h2", { id: "yj-drawer-title" }, d.label, el("span", { class: "yj-code" }, d.symbol || "")),
      el("p", { class: "yj-tag" }, drawer.t("missing")),
      el("blockquote", {}, d.reason),
      el("p", { class: "yj-note" }, drawer.t("missing_note")),
    ];
  }
}

// With `members`, the figure whose members the page lists and exports.
function traceButton(drawer, call, members) {
  if (!call) return null;
  const button = el("button", { type: "button", class: "yj-trace" }, drawer.t(members ? "open_members" : "open_trace"));
  button.addEventListener("click", () => {
    drawer.node.hidePopover();
    drawer.go({ page: "trace", tc: call, ...(members && { members }) });
  });
  return button;
}

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
    drawer.open(new EventEntry(item), item.querySelector("button.yj-cite"));
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

function install() {
  const drawer = new Drawer();
  document.addEventListener("click", (event) => {
    const target = event.target;
    const button = target.closest?.(".yj-cite");
    if (button?.dataset.reason) return drawer.open(new MissingEntry(button.dataset), button);
    const node = button?.parentElement.querySelector("data[data-claim-id]");
    if (node) return drawer.open(FigureEntry.of(node), button);
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
  // Enter in the symbol search opens what was typed; a name that fits several is asked back there.
  document.addEventListener("keydown", (event) => {
    const box = event.key === "Enter" && event.target.closest?.(".st-key-w_find input");
    if (!box || !box.value.trim()) return;
    const first = document.querySelector(".yj-found[data-page] a[data-go]");
    const page = document.querySelector(".yj-found[data-page]")?.dataset.page || "stock";
    const typed = box.value.trim();
    const exact = first && first.textContent.trim() === typed;
    drawer.go({ page, symbol: exact ? new URL(first.href).searchParams.get("symbol") : typed });
  });
  const hook = () => {
    document.querySelectorAll(".js-plotly-plot").forEach((plot) => {
      if (plot.__youju || !plot.on) return;
      plot.__youju = true;
      plot.on("plotly_click", (event) => chartClick(drawer, plot, event));
    });
    fresh();
  };
  new MutationObserver(hook).observe(document.body, { childList: true, subtree: true });
  hook();
  return drawer;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const drawer = (window[ROOT] ||= install());
  drawer.texts = data.texts;
  drawer.sources = data.sources;
  drawer.go = (target) => setTriggerValue("go", target);
  drawer.home(parentElement);
  document.documentElement.lang = data.language === "en" ? "en" : "zh-CN";
}
