// The citation drawer: one click listener and one popover for the whole page, no state of its own.
// Figures carry their envelope in data attributes; charts carry it in trace.meta.
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
    const parts = [el("h3", {}, drawer.t("computed")), d.formulaWords
      ? el("p", { class: "yj-formula" }, `${d.label || d.metric} = ${d.formulaWords}`)
      : el("p", { class: "yj-formula yj-mono" }, `${d.metric} = ${d.formula}`)];
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
        el("li", { class: "yj-series" }, `${ref.label} ${ref.start} … ${ref.end} (${ref.count})`, traceButton(drawer, ref.tool_call_id)),
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
    words.querySelectorAll(".yj-fig").forEach((one) => one.replaceWith(one.querySelector("data")?.textContent ?? "—"));
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
