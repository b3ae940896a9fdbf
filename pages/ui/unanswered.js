// A question on its way is kept in this tab until the session it was asked in has carried it out: a
// server that dies takes that session along, and the next one is told what was asked. While none
// answers, a line at the top says so in the reader's language, in place of Streamlit's own.
const KEPT = "youju-asked";
const AWAY_MS = 1500;
// Streamlit draws a page anew after a break only where a run had begun: a question whose server died
// before that would wait for ever. So this tab looks again itself, once nothing has come for so long.
const QUIET_MS = 1000;

// The words a press of this node asks with; empty when it asks nothing.
function askedBy(node) {
  const box = node.closest?.(".st-key-yj_ask_box");
  if (box) return box.querySelector("input")?.value.trim() || "";
  const chip = node.closest?.('[class*="st-key-yj_chips_"], [class*="st-key-yj_example_"]');
  return (chip && node.closest("button")?.querySelector("p")?.textContent.trim()) || "";
}

class Unanswered {
  constructor(drawer) {
    this.drawer = drawer;
    this.kept = JSON.parse(sessionStorage.getItem(KEPT) || "null");
    this.line = el("div", { class: "yj-away", role: "status", hidden: "" });
    document.body.append(this.line);
    document.addEventListener("click", (event) => event.target.closest?.("button") && this.keep(event.target), true);
    document.addEventListener(
      "keydown",
      (event) => event.key === "Enter" && !event.isComposing && event.target.matches?.("input") && this.keep(event.target),
      true,
    );
    this.watch();
  }

  keep(node) {
    const text = askedBy(node);
    if (!text || !this.asks) return;
    const turns = document.querySelectorAll('[class*="st-key-yj_turn_"]').length;
    const c = new URL(location).searchParams.get("c") || "";
    this.kept = { text, c, turns, session: this.asks.session, heard: this.asks.heard };
    sessionStorage.setItem(KEPT, JSON.stringify(this.kept));
    this.here = true; // not of a page that was loaded anew since
    this.broken = false;
  }

  // What the server says of this session each time it draws.
  hear(asks, tell) {
    this.asks = asks;
    this.tell = tell;
    const { kept, here } = this;
    if (!kept) return;
    const unheard = this.broken && asks.heard <= kept.heard && !asks.waiting;
    const lost = kept.session !== asks.session || unheard;
    // Carried out, but a page that does not yet name its conversation could not find it again.
    const found = kept.c || new URL(location).searchParams.get("c");
    if (!lost && (asks.heard <= kept.heard || asks.waiting || !found)) return;
    this.kept = null;
    sessionStorage.removeItem(KEPT);
    if (lost) tell({ text: kept.text, c: kept.c, turns: kept.turns, died: Boolean(here || kept.away) });
  }

  // Whether the line stands broken: a page left then and loaded anew was not left by a live server.
  mark(away) {
    if (!this.kept || !this.here) return;
    this.kept.away = away;
    sessionStorage.setItem(KEPT, JSON.stringify(this.kept));
  }

  watch() {
    const app = document.querySelector("[data-testid=stApp]");
    const look = () => {
      clearTimeout(this.timer);
      const back = app.dataset.testConnectionState === "CONNECTED";
      if (back) {
        this.line.hidden = true;
        this.mark(false);
      }
      this.timer = back ? setTimeout(() => this.lookAgain(app), QUIET_MS) : setTimeout(() => this.say(), AWAY_MS);
    };
    new MutationObserver(look).observe(app, { attributes: true, attributeFilter: ["data-test-connection-state"] });
  }

  // After a break: what this session says next of a question that is still kept is the last word.
  lookAgain(app) {
    if (!this.kept || !this.tell) return;
    if (app.dataset.testScriptState === "notRunning") {
      this.broken = true;
      this.tell({});
    } else this.timer = setTimeout(() => this.lookAgain(app), QUIET_MS);
  }

  say() {
    this.mark(true);
    const asked = this.kept ? [el("span", { "data-nocite": "user" }, this.kept.text)] : [];
    this.line.replaceChildren(el("strong", {}, this.drawer.t("away")), this.drawer.t(this.kept ? "away_asked" : "away_kept"), ...asked);
    this.line.hidden = false;
  }
}
