// Walks what a reader sees and sorts every digit: a cited figure, a day, a control, marked text, or uncited.
() => {
  const KINDS = new Set(["code", "period", "label", "provenance", "user", "text", "rule"]);
  const CONTROL =
    'button, input, select, textarea, label, [role="option"], [role="radio"], [role="tab"], nav, ' +
    '[data-testid="stWidgetLabel"], [data-testid="stPagination"], [data-testid="stSidebarNav"]';
  const COMMON = ["label", "metric", "symbol", "unit", "asOf", "kind", "scale", "digits"];
  const OWN = {
    tool: ["src", "table", "by", "fetched", "tc", "field"],
    derived: ["formula"],
    competence: ["competence", "statement", "reference"],
  };
  const report = { cited: 0, claims: [], uncited: [], bad: [], marked: {}, charts: 0, traces: 0 };

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
    if (element.closest(".js-plotly-plot")) {
      const hover = element.closest(".hoverlayer");
      if (!hover || /来源|Source/.test(hover.textContent)) return;
    }
    report.uncited.push(`${node.textContent.trim().slice(0, 60)} <${element.tagName} ${element.className}>`);
  };

  const judge = (node) => {
    const d = node.dataset;
    report.cited += 1;
    report.claims.push(d.claimId);
    const wrong = [...COMMON, ...(OWN[d.kind] || ["kind"])].filter((name) => !d[name]);
    const button = node.parentElement.querySelector("button.yj-cite");
    if (!button || !button.getAttribute("aria-label")) wrong.push("button");
    if (!/^c_[0-9a-f]{16}$/.test(d.claimId)) wrong.push("claim id");
    if (d.kind === "derived" && !(d.inputs || d.series)) wrong.push("inputs");
    for (const id of (d.inputs || "").split(" ").filter(Boolean))
      if (!document.querySelector(`data[data-input-id="${id}"], data[data-claim-id="${id}"]`)) wrong.push(`input ${id}`);
    const found = node.textContent.match(/[+-]?[\d,]+(\.\d+)?/);
    const shown = found ? Number(found[0].replaceAll(",", "")) : NaN;
    const exact = Number(node.getAttribute("value")) / Number(d.scale);
    const half = 0.5 * 10 ** -Number(d.digits);
    if (!(Math.abs(shown - exact) <= half * (1 + 1e-9))) wrong.push(`text ${node.textContent} is not ${exact}`);
    if (wrong.length) report.bad.push(`${d.claimId} ${d.metric}: ${wrong.join(", ")}`);
  };

  const roots = [document.querySelector('[data-testid="stMain"]') || document.querySelector("main"),
    document.querySelector('[data-testid="stSidebar"]'),
    ...document.querySelectorAll('[role="dialog"]:popover-open, .stDialog')].filter(Boolean);
  for (const root of roots) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (/[0-9０-９]/.test(walker.currentNode.textContent)) sort(walker.currentNode);
    for (const node of root.querySelectorAll("data[data-claim-id]")) if (visible(node)) judge(node);
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
