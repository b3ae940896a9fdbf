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

  // Whom it is about: the name beside the code, members of a market in words, or the code alone.
  whose(symbol) {
    const named = [...document.querySelectorAll(".yj-workings[data-names]")].map((one) => JSON.parse(one.dataset.names)[symbol]);
    return named.find(Boolean) ?? symbol ?? "";
  }

  // "a + b" in the reader's names for them.
  source(names) {
    return (names || "").split(" + ").map((name) => this.sources?.[name] ?? name).join(" + ");
  }

  open(entry, opener) {
    (opener?.closest?.("[role=dialog]:not(.yj-drawer)") || this.root).append(this.node);
    this.mark(opener);
    this.stack = [entry];
    this.draw();
    this.node.showPopover();
    this.node.querySelector(".yj-close").focus();
  }

  // The figure on the page that the drawer is about.
  mark(opener) {
    this.opener?.classList?.remove("yj-open");
    this.opener = opener;
    if (opener?.matches?.("button.yj-fig")) opener.classList.add("yj-open");
  }

  // The figure before or after this one, in the page's reading order.
  turn(step) {
    const figures = [...document.querySelectorAll("button.yj-fig")].filter((one) => one.offsetParent && !this.node.contains(one));
    const next = figures[figures.indexOf(this.opener) + step];
    if (!this.opener || !next) return;
    next.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.mark(next);
    this.stack = [entryOf(next)];
    this.draw();
    this.node.querySelector(".yj-close").focus();
  }

  closed() {
    const opener = this.opener;
    this.mark(null);
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
    const foot = entry.isFigure && this.foot();
    this.node.replaceChildren(bar, el("div", { class: "yj-body", "data-nocite": "provenance" }, ...entry.parts(this)), ...(foot ? [foot] : []));
    this.node.scrollTop = 0;
  }

  foot() {
    const keys = [["Esc", "close"], ["← →", "turn"], ["Enter", "follow"]];
    return el("p", { class: "yj-drawer-foot" }, ...keys.map(([key, words]) => el("span", {}, el("kbd", {}, key), ` ${this.t(words)}`)));
  }

  // What came of checking a figure again, told where it was asked for.
  tell(checked) {
    const status = this.node.querySelector(".yj-checked");
    if (!checked || status?.dataset.of !== checked.id) return;
    status.textContent = checked.words;
    status.classList.toggle("yj-doubt", !checked.ok);
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

// An input is asked for as it was kept for the drawer first: whole, with its unit.
const find = (id) =>
  document.querySelector(`data[data-input-id="${CSS.escape(id)}"]`) ?? document.querySelector(`data[data-claim-id="${CSS.escape(id)}"]`);

const shownOf = (node) => node.dataset.shown || node.textContent;

const entryOf = (button) =>
  button.dataset.reason ? new MissingEntry(button.dataset) : new FigureEntry(button.querySelector("data[data-claim-id]"));

// A day as the page's language says it.
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const dayOf = (iso) => {
  const [year, month, day] = iso.split("-").map(Number);
  return document.documentElement.lang === "en" && day ? `${day} ${MONTHS[month - 1]} ${year}` : iso;
};

// Of which report and which day.
const whenOf = (drawer, d) => [d.periodLabel, d.asOf && `${drawer.t("as_of")} ${dayOf(d.asOf)}`].filter(Boolean).join(" · ");

const heading = (drawer, d) =>
  el("h2", { id: "yj-drawer-title" }, d.label || d.metric, el("span", { class: "yj-code" }, drawer.whose(d.symbol)));

// An input as a button that goes on to it; whose it is where that is another company.
function inputButton(drawer, node, symbol) {
  const d = node.dataset;
  const about = [d.symbol === symbol ? "" : drawer.whose(d.symbol), whenOf(drawer, d)].filter(Boolean).join(" · ");
  const button = el(
    "button",
    { type: "button", class: "yj-input" },
    el("span", { class: "yj-input-name" }, d.label || d.metric, el("small", {}, about)),
    el("span", { class: "yj-input-value" }, shownOf(node)),
  );
  button.addEventListener("click", () => drawer.step(new FigureEntry(node)));
  return el("li", {}, button);
}

// Names of tables, fields and calls: for who repeats the fetch.
function chain(drawer, pairs) {
  const held = pairs.filter(([, value]) => value);
  return held.length ? el("details", { class: "yj-chain" }, el("summary", {}, drawer.t("chain")), rows(held.map(([name, value]) => [name, value, true]))) : null;
}

// One figure with its envelope: what it is, where it came from, what it was made of.
class FigureEntry {
  isFigure = true;

  constructor(node) {
    this.data = { ...node.dataset };
    this.shown = shownOf(node);
    this.value = node.getAttribute("value");
    this.mark = node.closest("button.yj-fig")?.classList;
    // What another place gives for it, where its cell says so.
    const sign = node.closest("td")?.querySelector("[data-other]");
    this.other = sign && find(sign.dataset.other);
    this.why = sign?.dataset.why;
  }

  parts(drawer) {
    const d = this.data;
    return [
      heading(drawer, d),
      el("p", { class: "yj-value" }, this.shown),
      this.chips(drawer),
      el("p", { class: "yj-when" }, whenOf(drawer, d)),
      d.kind === "derived" && d.note ? el("p", { class: "yj-note" }, d.note) : "",
      ...(d.kind === "derived" ? this.workings(drawer) : []),
      ...(d.kind === "competence" ? this.rule(drawer) : []),
      ...this.doubts(drawer),
      ...this.origin(drawer),
      this.actions(drawer),
    ];
  }

  chips(drawer) {
    const d = this.data;
    const kind = { tool: "kind_tool", derived: "kind_derived", competence: "kind_rule" }[d.kind];
    const chips = [el("span", { class: `yj-tag yj-tag-${d.kind}` }, `${d.kind === "derived" ? "ƒ " : ""}${drawer.t(kind)}`)];
    const doubt = (words) => chips.push(el("span", { class: "yj-tag yj-tag-doubt" }, words));
    if (this.other) doubt(`≠ ${drawer.t("also")} ${shownOf(this.other)}`);
    if (d.differs) doubt(`≠ ${drawer.t("differs")}`);
    else if (this.mark?.contains("yj-x")) doubt(`≠ ${drawer.t("split_chip")}`);
    if (d.stale || this.mark?.contains("yj-s")) doubt(drawer.t("stale_chip"));
    if (d.ok) chips.push(el("span", { class: "yj-tag" }, `✓ ${drawer.t("verified")}`));
    return el("p", { class: "yj-chips" }, ...chips);
  }

  rule(drawer) {
    const d = this.data;
    const t = (key) => drawer.t(key);
    return [
      el("h3", {}, t("rule")),
      el("blockquote", {}, d.statement),
      rows([[t("reference"), d.reference], [t("version"), d.version], [t("note"), d.note]]),
    ];
  }

  workings(drawer) {
    const d = this.data;
    const box = el("div", { class: "yj-formula" });
    if (d.formulaWords) box.append(el("p", {}, `${d.label || d.metric} = ${d.formulaWords}`));
    else box.append(el("p", { class: "yj-mono" }, `${d.metric} = ${d.formula}`));
    if (d.formulaValues) box.append(el("p", { class: "yj-formula-values" }, `${d.formulaValues} = ${this.shown}`));
    const parts = [el("h3", {}, drawer.t("computed")), box];
    if (d.members) parts.push(...membersOf(drawer, d));
    const inputs = (d.inputs || "").split(" ").filter(Boolean).map((id) => {
      const node = find(id);
      return node ? inputButton(drawer, node, d.symbol) : el("li", { class: "yj-note" }, drawer.t("input_away"));
    });
    const count = inputs.length;
    const list = paged(drawer, el("ul", { class: "yj-inputs" }), inputs);
    for (const ref of d.series ? JSON.parse(d.series) : [])
      list.append(
        el("p", { class: "yj-series" }, `${ref.label} ${ref.start} … ${ref.end} (${ref.count})`, traceButton(drawer, ref.tool_call_id)),
      );
    const made = drawer.t({ 1: "input", 2: "inputs_two" }[count] ?? "inputs");
    if (count || d.series) parts.push(el("h3", {}, made, el("small", {}, drawer.t("go_on"))), list);
    return parts;
  }

  doubts(drawer) {
    const d = this.data;
    const parts = [];
    if (this.other)
      parts.push(
        el("h3", { class: "yj-doubt" }, drawer.t("elsewhere")),
        el("ul", { class: "yj-inputs yj-other" }, inputButton(drawer, this.other, d.symbol)),
        el("p", { class: "yj-note" }, this.why),
      );
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

  origin(drawer) {
    const d = this.data;
    const t = (key) => drawer.t(key);
    const isRule = d.kind === "competence";
    return [
      el("h3", {}, t("came_from")),
      rows([
        [t("source"), isRule ? "" : d.served || drawer.source(d.by)],
        [t("exact"), this.value === null ? "" : `${full(this.value)} ${d.unitName || ""}`.trim(), true],
        [t("raw"), d.raw, true],
        [t("captured"), d.captured && dayOf(d.captured)],
        [t(d.captured ? "bundle_built" : "fetched_at"), moment(d.fetched)],
        [t("note"), d.kind === "tool" ? d.note : ""],
      ]),
      chain(drawer, [
        [t("table"), isRule ? "" : [d.src, d.table].filter(Boolean).join(" · ")], [t("field"), d.field], [t("period"), d.period],
        [t("formula"), d.formula && `${d.metric} = ${d.formula}`], [t("rule_id"), d.competence], [t("tool_call"), d.tc],
      ]),
    ];
  }

  // The figure as one writes it under a text: whose, what, of when, how, from where.
  citation(drawer) {
    const d = this.data;
    const told = [
      `${drawer.whose(d.symbol)} ${d.label || d.metric} ${this.shown}`.trim(),
      whenOf(drawer, d),
      d.formulaWords && `= ${d.formulaWords}`,
      `${drawer.t("came_from")} ${d.served || drawer.source(d.by)}`,
    ];
    return told.filter(Boolean).join(drawer.t("semicolon"));
  }

  actions(drawer) {
    const d = this.data;
    const id = d.claimId || d.inputId || "";
    const verify = el("button", { type: "button", class: "yj-recheck" }, drawer.t("recheck"));
    const status = el("p", { class: "yj-checked yj-note", role: "status", "data-of": id });
    verify.addEventListener("click", () => {
      status.textContent = drawer.t("rechecking");
      drawer.recheck(id);
    });
    const copied = el(
      "button",
      { type: "button", class: "yj-copy", "data-copy": this.citation(drawer), "data-done": drawer.t("copied"), "data-failed": drawer.t("not_copied") },
      drawer.t("copy_citation"),
    );
    return el("div", { class: "yj-acts" }, el("p", {}, verify, traceButton(drawer, (d.tc || "").split(" + ")[0]), copied), status);
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
      heading(drawer, m),
      el("p", { class: "yj-value" }, this.day),
      rows(this.values.map(([name, value]) => [t(name), value, true])),
      el("h3", {}, t("came_from")),
      rows([
        [t("source"), m.served || drawer.source(m.by)],
        [t("captured"), m.captured && dayOf(m.captured)],
        [t(m.captured ? "bundle_built" : "fetched_at"), moment(m.fetched)],
        [t("note"), m.note],
      ]),
      chain(drawer, [[t("table"), `${m.src} · ${m.table}`], [t("formula"), m.formula], [t("tool_call"), m.tc]]),
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
    for (const node of this.item.querySelectorAll("data[data-claim-id]")) list.append(inputButton(drawer, node, node.dataset.symbol));
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
  isFigure = true;

  constructor(dataset) {
    this.data = { ...dataset };
  }

  parts(drawer) {
    const d = this.data;
    const ways = el("button", { type: "button" }, drawer.t("who_has"));
    ways.addEventListener("click", () => {
      drawer.node.hidePopover();
      drawer.go({ page: "sources" });
    });
    return [
      heading(drawer, d),
      el("p", { class: "yj-chips" }, el("span", { class: "yj-tag" }, drawer.t("missing"))),
      el("blockquote", { class: "yj-why" }, d.reason),
      el("p", { class: "yj-note" }, drawer.t("missing_note")),
      el("p", { class: "yj-ways" }, ways),
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
