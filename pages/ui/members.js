// A long list in the drawer: some at a time, with a box to look in it; and the members of an aggregate.
const SOME = 10;

// `list` filled with the items, or with the first of them under a box that looks in their text.
function paged(drawer, list, items) {
  if (items.length <= SOME) {
    list.append(...items);
    return el("div", {}, list);
  }
  const box = el("input", { type: "search", placeholder: drawer.t("find_member"), "aria-label": drawer.t("find_member") });
  const at = el("span", { role: "status" });
  const turn = (step, words, name) => {
    const button = el("button", { type: "button", "aria-label": drawer.t(name) }, words);
    button.addEventListener("click", () => show(page + step));
    return button;
  };
  const [back, on] = [turn(-1, "‹", "page_back"), turn(1, "›", "page_on")];
  let page = 0;
  const show = (wanted) => {
    const sought = box.value.trim().toLowerCase();
    const found = sought ? items.filter((one) => one.textContent.toLowerCase().includes(sought)) : items;
    const last = Math.max(0, Math.ceil(found.length / SOME) - 1);
    page = Math.min(wanted, last);
    list.replaceChildren(...found.slice(page * SOME, (page + 1) * SOME));
    at.textContent = found.length ? `${page + 1} / ${last + 1}` : drawer.t("none_found");
    [back.disabled, on.disabled] = [page === 0, page === last];
  };
  box.addEventListener("input", () => show(0));
  show(0);
  return el("div", { class: "yj-paged" }, box, list, el("div", { class: "yj-pager" }, back, at, on));
}

// One member: its company, and the value that goes in or why none does.
function memberItem(drawer, [symbol, name, value, why]) {
  const href = `company?symbol=${encodeURIComponent(symbol)}`;
  const company = el("a", { href, target: "_self", "data-go": "company" }, name);
  company.addEventListener("click", () => drawer.node.hidePopover());
  const told = why ? el("span", { class: "yj-note" }, why) : el("span", {}, value && full(value));
  return el("li", { class: "yj-member" }, el("span", {}, company, el("small", {}, symbol)), told);
}

// Whom an aggregate is over: how many, each by name when asked for, and all of them on a page.
function membersOf(drawer, d) {
  const id = d.claimId || d.inputId;
  const told = el("ul", { class: "yj-members" }, ...JSON.parse(d.members).map((line) => el("li", {}, line)));
  const each = el("div", { class: "yj-each", "data-of": id });
  const ask = el("button", { type: "button", class: "yj-list" }, drawer.t("list_members"));
  ask.addEventListener("click", () => {
    ask.disabled = true;
    ask.textContent = drawer.t("listing");
    drawer.members(id);
  });
  return [el("h3", {}, drawer.t("members")), told, el("p", {}, ask, traceButton(drawer, d.tc, id)), each];
}

// The members that were asked for, where they were.
function tellMembers(drawer, members) {
  const each = members && drawer.node.querySelector(`.yj-each[data-of="${CSS.escape(members.id)}"]`);
  if (!each || each.hasChildNodes()) return;
  drawer.node.querySelector(".yj-list").remove();
  each.append(paged(drawer, el("ul", {}), members.rows.map((row) => memberItem(drawer, row))));
}
