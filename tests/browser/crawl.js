// Walks what a reader sees and sorts every digit: a cited figure, a day, a control, marked text, or uncited.
// And what stands beside each figure: its day, its kind, its name. `registered` has the names of each
// metric, `turned` of which other figure and with which words beside that one's name it is told.
([registered, turned]) => {
  const KINDS = new Set(["code", "period", "label", "provenance", "user", "text", "rule"]);
  const CONTROL =
    'button:not(.yj-fig), .yj-k, input, select, textarea, label, [role="option"], [role="radio"], [role="tab"], nav, ' +
    '[data-testid="stWidgetLabel"], [data-testid="stPagination"], kbd';
  const COMMON = ["label", "metric", "symbol", "unit", "asOf", "kind", "scale", "digits"];
  const OWN = {
    tool: ["src", "table", "by", "fetched", "tc", "field"],
    derived: ["formula"],
    competence: ["competence", "statement", "reference"],
  };
  const report = { cited: 0, claims: [], uncited: [], bad: [], marked: {}, charts: 0, traces: 0,
    undated: [], sourcedSums: [], misnamed: [] };
  const GROUP = "[data-group], table, dl, section, .yj-cards, .yj-answer, .yj-count, .yj-report";
  const AGGREGATE = /^(sum|median|mean|average|avg|count|min|max)\s*\(|_(sum|median|mean|count)$/i;

  const visible = (element) => {
    if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) return false;
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1;
  };

  const sort = (node) => {
    const element = node.parentElement;
    if (element.closest("style, script") || !visible(element)) return;
    if (element.closest("data[data-claim-id], time[datetime]") || element.closest(CONTROL)) return;
    const marked = element.closest("[data-nocite]");
    if (marked && KINDS.has(marked.dataset.nocite)) {
      report.marked[marked.dataset.nocite] = (report.marked[marked.dataset.nocite] || 0) + 1;
      return;
    }
    const hover = element.closest(".hoverlayer"); // of a chart: what stands there says its source
    if (hover ? /来源|Source/.test(hover.textContent) : element.closest(".js-plotly-plot")) return;
    report.uncited.push(`${node.textContent.trim().slice(0, 60)} <${element.tagName} ${element.className}>`);
  };

  const judge = (node) => {
    const d = node.dataset;
    report.cited += 1;
    report.claims.push(d.claimId);
    const wrong = [...COMMON, ...(OWN[d.kind] || ["kind"])].filter((name) => !d[name]);
    const button = node.parentElement;
    if (!button.matches("button.yj-fig") || !button.getAttribute("aria-label")) wrong.push("button");
    if (!button.querySelector("i.yj-k")) wrong.push("mark");
    if (!/^c_[0-9a-f]{16}$/.test(d.claimId)) wrong.push("claim id");
    if (d.kind === "derived" && !(d.inputs || d.series || d.members)) wrong.push("inputs");
    for (const id of (d.inputs || "").split(" ").filter(Boolean))
      if (!document.querySelector(`data[data-input-id="${id}"], data[data-claim-id="${id}"]`)) wrong.push(`input ${id}`);
    const found = node.textContent.match(/[+−]?[\d,]+(\.\d+)?/);
    const shown = found ? Number(found[0].replaceAll(",", "").replace("−", "-")) : NaN;
    const signed = Number(node.getAttribute("value")) / Number(d.scale);
    const exact = d.sign === "told" ? Math.abs(signed) : signed; // 跌 3.6%: the verb has the sign
    const half = 0.5 * 10 ** -Number(d.digits);
    if (!(Math.abs(shown - exact) <= half * (1 + 1e-9))) wrong.push(`text ${node.textContent} is not ${exact}`);
    if (wrong.length) report.bad.push(`${d.claimId} ${d.metric}: ${wrong.join(", ")}`);
  };

  const once = (list, text) => { if (!list.includes(text)) list.push(text); };

  // Every block of the answer a figure belongs to: from its question to the next one.
  const answer = (node) => {
    const before = (one, other) => one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
    const turns = [...document.querySelectorAll(".yj-turn")];
    const own = turns.filter((one) => before(one, node)).pop();
    const next = turns.find((one) => before(node, one));
    if (!own) return [];
    return [...document.querySelectorAll(".yj")].filter((one) =>
      (one.contains(own) || before(own, one)) && (!next || before(one, next)) && !one.contains(next || null));
  };

  // What a reader sees of the group a figure stands in: itself, its heading and the note below it.
  const around = (node) => {
    const found = [];
    const group = node.closest(GROUP) || node.closest(".yj");
    for (const one of [group, group?.closest(".yj-scroll"), group?.closest("section")]) {
      if (!one) continue;
      found.push(one, one.previousElementSibling, one.nextElementSibling);
    }
    found.push(...answer(node));
    // The head of a company stands on the line below it.
    if (node.closest(".yjc-head")) found.push(document.querySelector(".yjc-basis"));
    return [group, found.filter((one) => one && visible(one))];
  };

  const dated = (node) => {
    const d = node.dataset;
    const [year, month, day] = d.asOf.split("-");
    const english = new Date(`${d.asOf}T00:00Z`).toLocaleString("en", { month: "long", timeZone: "UTC" });
    const forms = [d.asOf, `${year}年${+month}月${+day}日`, `${english} ${+day}, ${year}`, `${+day} ${english.slice(0, 3)} ${year}`, d.periodLabel].filter(Boolean);
    // An annual report is called by its year, whatever the page speaks.
    const annual = /^(?:FY(\d{4})|(\d{4})年报)$/.exec(d.periodLabel || "");
    if (annual) forms.push(`${annual[1] || annual[2]}年`, `FY${annual[1] || annual[2]}`);
    // A sentence that has said its year may go back from it.
    if (annual && isProse(node.closest("p, li, td") || node)) forms.push("上年的", "of the year before");
    const [group, places] = around(node);
    const told = places.some((place) =>
      [...place.querySelectorAll("time[datetime]")].some((one) => visible(one) && one.dateTime.startsWith(d.asOf) && one.textContent.includes(year)) ||
      forms.some((form) => place.innerText.includes(form)));
    if (!told) once(report.undated, `${group?.tagName} ${group?.id || group?.className} ${d.metric} ${d.asOf}`);
  };

  const bare = (element) => {
    if (!element) return "";
    const copy = element.cloneNode(true);
    for (const small of copy.querySelectorAll("small, time, button, i.yj-k")) small.remove();
    return copy.textContent.replace(/[↑↓\s\u200b]+/g, " ").trim();
  };

  // A name of the register: alone, of two ends of a range, with whom it is of before it
  // (上证指数涨跌幅), with or without a qualifier in brackets behind it: 净利润(年报).
  // Of two ends the second may go without what both begin with: 52 周最低 – 最高.
  const parts = (text) => text.toLowerCase().split(/ – | \/ /).flatMap((part, at, all) =>
    at ? [part, ...[...all[0]].map((_, end) => `${all[0].slice(0, end + 1)}${part}`)] : [part]);
  const isNamed = (text, names) => parts(text).some((part) => names.some((given) => {
    const name = given.toLowerCase();
    return part.endsWith(name) || part.replace(/\s*[(（][^()（）]*[)）]$/, "").endsWith(name) || (part.startsWith(name) && /^\s*[(（·]/.test(part.slice(name.length)));
  }));

  // Whether a cell is a sentence with figures in it: that names them itself, and the gate proved it.
  const isProse = (cell) => {
    const copy = cell.cloneNode(true);
    for (const one of copy.querySelectorAll("data, time, small, button:not(.yj-fig), summary, i")) one.remove();
    return copy.textContent.replace(/[\s\d.,:;+%()（）–-]/g, "").length > 6;
  };

  // A figure that is told as another with a word beside it: a median in the column 市盈率(TTM), in the row 其余公司中位数.
  const isTurned = (texts, metric) => (turned[metric] || []).some(([base, words]) =>
    texts.some((text) => isNamed(text, registered[base] || [])) &&
    texts.some((text) => words.some((word) => text.toLowerCase().includes(word))));

  // Row and column together, either way round: one begins or ends the name, and the rest of it has
  // the other. 市盈率（年报） and 10% – 90% 分位 of 市盈率（年报）历史 10% 分位.
  const tight = (text) => text.toLowerCase().replace(/\s+/g, "");
  const isRest = (end, other, given) => {
    const [name, edge] = [tight(given), tight(end)];
    const rest = edge && (name.startsWith(edge) ? name.slice(edge.length) : name.endsWith(edge) ? name.slice(0, -edge.length) : "");
    return rest && other.split(/ – /).some((part) => part && rest.includes(tight(part)));
  };
  const isJoined = ([head, ...rows], names) => names.some((given) => rows.some((row) =>
    isRest(row, head, given) || isRest(head, row, given)));

  // Outside tables: the nearest words of the line a figure stands in, and the figures of that line,
  // of which they must name one (最近收盘 3,243.69 −6.91). Of an abbreviation its title counts; whose
  // a figure is, its unit and its day are no words for what it is. A sentence names its own.
  const MARKS = "data, time, small.yj-u, i, svg, [data-nocite]:not([data-nocite=label])";
  const NAMES = registered && new Set(Object.values(registered).flat().map((one) => one.toLowerCase()));
  const line = (node) => {
    for (let at = node.parentElement; at && !at.matches(".yj, [data-group], section, dl, table"); at = at.parentElement) {
      if (isProse(at)) return ["", []];
      const copy = at.cloneNode(true);
      for (const one of copy.querySelectorAll("abbr[title]")) one.textContent = ` ${one.title} `;
      for (const one of copy.querySelectorAll(MARKS)) one.remove();
      for (const one of copy.querySelectorAll("[data-nocite=label]"))
        if (![...NAMES].some((name) => one.textContent.toLowerCase().includes(name))) one.remove();
      const words = copy.textContent.replace(/[\s\u200b]+/g, " ").trim();
      if (/\p{L}/u.test(words)) return [words, [...at.querySelectorAll("data[data-claim-id]")]];
    }
    return ["", []];
  };

  const named = (node) => {
    const known = registered[node.dataset.metric] || [];
    const beside = [];
    const term = node.closest("dd");
    if (term && !isProse(term)) beside.push(bare([...term.parentElement.querySelectorAll("dt")].filter((one) =>
      one.compareDocumentPosition(term) & Node.DOCUMENT_POSITION_FOLLOWING).pop()));
    const cell = node.closest("td, th");
    if (cell && !isProse(cell)) {
      const row = cell.parentElement;
      const before = [...row.cells].slice(0, cell.cellIndex).reduce((sum, one) => sum + one.colSpan, 0);
      const head = row.closest("table").tHead?.rows[0]?.cells[before];
      const names = [...row.cells].filter((one) => !one.querySelector("data[data-claim-id]"));
      beside.push(bare(head), ...names.map(bare));
    }
    if (!term && !cell) {
      const [words, figures] = line(node);
      const over = node.closest("[data-group]")?.querySelector("h2, h3");
      const names = figures.flatMap((one) => registered[one.dataset.metric] || []).map((one) => one.toLowerCase());
      if (words && !isNamed(bare(over), registered[node.dataset.metric] || []) && !names.some((name) => words.toLowerCase().includes(name)))
        once(report.misnamed, `${node.dataset.metric} (${node.dataset.kind}): ${words}`);
    }
    if (beside.length && !beside.some((text) => isNamed(text, known)) && !isTurned(beside, node.dataset.metric) && !isJoined(beside, known))
      once(report.misnamed, `${node.dataset.metric} (${node.dataset.kind}): ${beside[0]}`);
  };

  // A mean over the rows of one answer (institutions' forecasts) that shows every term as the source
  // wrote it: computed again from those, but for the power of ten between 万 and yuan.
  const isMeanShown = (node) => {
    const terms = (node.dataset.raw || "").split(", ").map(Number);
    if (!/^mean\(\w+\)$/.test(node.dataset.field || "") || !terms.every(Number.isFinite)) return false;
    const power = Math.log10(Number(node.value) / (terms.reduce((a, b) => a + b) / terms.length));
    return Math.abs(power - Math.round(power)) < 1e-9;
  };

  const tell = (node) => {
    const d = node.dataset;
    dated(node);
    named(node);
    // What a source counts itself it says as data.count.
    if (d.kind === "tool" && !/^data\.count\b/.test(d.field || "") && !isMeanShown(node) && (AGGREGATE.test(d.field || "") || AGGREGATE.test(d.metric)))
      once(report.sourcedSums, `${d.metric} = ${d.field}`);
  };

  const roots = [document.querySelector('[data-testid="stMain"]') || document.querySelector("main"),
    document.querySelector('[data-testid="stHeader"]'),
    ...document.querySelectorAll('[role="dialog"]:popover-open, .stDialog')].filter(Boolean);
  for (const root of roots) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (/[0-9０-９]/.test(walker.currentNode.textContent)) sort(walker.currentNode);
    for (const node of root.querySelectorAll("data[data-claim-id]")) if (visible(node)) {
      judge(node);
      if (registered) tell(node);
    }
  }
  for (const plot of document.querySelectorAll(".js-plotly-plot")) {
    report.charts += 1;
    for (const trace of plot._fullData || []) {
      report.traces += 1;
      const missing = ["src", "table", "label", "symbol", "as_of"].filter((name) => !trace.meta?.[name]);
      if (missing.length) report.bad.push(`trace ${trace.name}: meta lacks ${missing.join(", ")}`);
    }
  }
  for (const frame of document.querySelectorAll('[data-testid="stDataFrame"]')) report.bad.push(`dataframe ${frame.className}`);
  return report;
}
