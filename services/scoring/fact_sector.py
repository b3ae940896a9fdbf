"""Step 1, the company among its industry: what it costs and earns, and beside whom."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from services.core.claims import Claim, Figure, Missing
from services.core.clock import Clock
from services.core.formulas import Formula, formula_for
from services.core.ledger import Answer, Ledger
from services.core.limits import COMPETENCES
from services.core.rendering import place
from services.core.requests import PeersRequest, ValuationRequest
from services.core.score_rules import HISTORY_ID
from services.core.text import Text
from services.market.fundamentals import FinancialData, report_data
from services.market.outages import Absence, attempt
from services.market.peers import LEAST_PEERS
from services.market.valuation import LOSS, valuation_figures
from services.scoring.fact_words import (
    RunSubject,
    finding,
    ids,
    is_fresh,
    reasons,
    stated,
    was_public,
    way_of,
)
from services.scoring.models import Direction, Finding, SectorAnalysis
from services.statements.book import limit

# The figures of a company at its valuation day, by metric.
Rows = Callable[[str], Mapping[str, Figure]]
VALUED = ("market_cap", "pe_ttm", "pe_lyr", "pb", "ps_ttm", "dy_l", "roe", "pct_change")
_REPORTED = ("roe", "net_margin", "debt_to_assets", "revenue_yoy", "net_profit_yoy")
_TOLD = ("revenue", "net_profit")
# Any of them fresh is a recent valuation.
_PRICED = ("market_cap", "pe_ttm", "pe_lyr", "pb", "ps_ttm", "dy_l")
_SINCE = ("revenue_yoy", "net_profit_yoy")
_COMPARED = ("pe_ttm", "pe_lyr", "pb")
_LEAST_HISTORY = int(COMPETENCES[HISTORY_ID].values["least_history"])
_VALUATION = Text("估值", "valuation")
_REPORTS = Text("年报", "annual reports")
_PEERS = Text("同行", "peers")
_STALE = Text("已过旧，不用于评分", "too old to be scored")
_NOT_YET = Text("评分日还没有公布的年报", "no annual report was public on the day of the score")
_FEW = Text("可比的同行太少", "too few comparable peers")
# The newest and the one before; of a past day, those that came out since as well.
_REPORTS_READ, _PAST_REPORTS = 2, 4


@dataclass(slots=True)
class _Sector:
    """What is gathered of one company, and why the rest is not there."""

    ledger: Ledger
    subject: RunSubject
    figures: dict[str, Claim] = field(default_factory=dict[str, Claim])
    told: dict[str, Claim] = field(default_factory=dict[str, Claim])
    why: dict[Text, Text] = field(default_factory=dict[Text, Text])
    losses: bool = False
    industry: str | None = None
    peers: tuple[str, ...] = ()
    breadth: tuple[str, ...] = ()

    @property
    def symbol(self) -> str:
        """The company's."""
        return self.subject.symbol.value

    def keep(self, figure: Figure | None, kind: str) -> None:
        """Give it to the factors if it is there and fresh; the first of a metric stays."""
        if isinstance(figure, Claim) and is_fresh(figure.as_of, self.subject.today, kind):
            self.figures.setdefault(figure.metric, figure)

    def derive(
        self, metric: str, expression: str, inputs: Sequence[Claim], *, own: bool = True
    ) -> Claim | None:
        """The figure of that formula; kept nowhere."""
        about = None if own else self.symbol
        return self.ledger.derive(_formula(metric, expression), inputs, about_symbol=about)


def _formula(metric: str, expression: str) -> Formula:
    found = formula_for(metric, expression)
    if found is None:
        raise KeyError(f"{metric}: {expression}")
    return found


def sector_analysis(ledger: Ledger, subject: RunSubject, clock: Clock) -> SectorAnalysis:
    """Value, annual results and place among its industry; what lacks says why."""
    work = _Sector(ledger, subject)
    symbol = subject.symbol.value
    count = _PAST_REPORTS if subject.past else _REPORTS_READ
    reports = attempt(
        ledger,
        lambda: report_data(
            ledger, subject.symbol, (*_TOLD, *_REPORTED), kind="annual", count=count, clock=clock
        ),
    )
    _read_reports(work, reports)
    answer = attempt(ledger, lambda: ledger.fetch(ValuationRequest(symbol=symbol)))
    if isinstance(answer, Absence):
        work.why[_VALUATION] = answer.why
    else:
        _read_valuation(work, answer, valuation_figures(ledger, answer, symbol, VALUED))
    peers = attempt(ledger, lambda: ledger.fetch(PeersRequest(symbol=symbol)))
    if isinstance(peers, Absence):
        work.why[_PEERS] = peers.why
    else:
        work.industry = peers.label(symbol, "industry") or work.industry
        there = peers.symbols
        wanted = _wanted(work)
        _read_peers(
            work,
            tuple(name for name in there if name != symbol),
            lambda one: valuation_figures(ledger, peers, one, wanted) if one in there else {},
        )
    found = _findings(work)
    summary = _summary(work)
    return SectorAnalysis(
        stock_code=symbol,
        stock_name=subject.name,
        status=("partial" if work.why else "ok") if work.figures else "missing",
        why=reasons(work.why),
        summary=summary.zh,
        summary_en=summary.en,
        findings=found,
        figures=ids((*work.figures.values(), *work.told.values())),
        industry=work.industry,
        peers=work.peers,
        breadth=work.breadth,
        valued=any(metric in work.figures for metric in _PRICED),
    )


def sketch_sector(
    ledger: Ledger, subject: RunSubject, answer: Answer, peers: tuple[str, ...], rows: Rows
) -> Mapping[str, Claim]:
    """The figures alone, of a company of which nothing but a screen is known: what
    `sector_analysis` would find, by metric. `rows` are the VALUED of any company of it.
    """
    work = _Sector(ledger, subject)
    _read_valuation(work, answer, rows(work.symbol))
    if work.industry is not None:
        _read_peers(work, peers, rows)
    return {one.metric: one for one in (*work.told.values(), *work.figures.values())}


def published_since(
    later: SectorAnalysis, then: SectorAnalysis, claims: Mapping[str, Claim]
) -> tuple[Finding, ...]:
    """What the annual report says that was not public on the day of `then`; none where it was."""
    known = {claims[name].metric: claims[name] for name in then.figures}
    new = [claims[name] for name in later.figures if claims[name].metric in _SINCE]
    new = [one for one in new if one.metric not in known or one.as_of > known[one.metric].as_of]
    return tuple(finding(stated([one]), way_of(one), [one]) for one in new)


def _read_reports(work: _Sector, reports: FinancialData | Absence) -> None:
    if isinstance(reports, Absence):
        work.why[_REPORTS] = reports.why
        return
    newest = _newest(work, reports)
    if newest is None:
        work.why[_REPORTS] = _NOT_YET
        return
    for metric in (*_REPORTED, *_TOLD):
        figure = reports.figures[metric].get(newest)
        if metric in _TOLD:
            if isinstance(figure, Claim):
                work.told[metric] = figure
        else:
            work.keep(figure, "report")
    days = [one.as_of for one in work.told.values()]
    if days and not is_fresh(max(days), work.subject.today, "report"):
        work.why[_REPORTS] = _STALE
    if (profit := work.told.get("net_profit")) is not None:
        work.losses = profit.value < 0


def _newest(work: _Sector, reports: FinancialData) -> str | None:
    """The newest report that could be read on the day; None where there was none yet."""
    for period in reports.periods:
        row = [figure for metric in _TOLD if (figure := reports.figures[metric].get(period))]
        ended = [one.as_of for one in row if isinstance(one, Claim)]
        told = reports.announced_on(period)
        if not work.subject.past or (ended and was_public(max(ended), told, work.subject)):
            return period
    return None


def _read_valuation(work: _Sector, answer: Answer, valued: Mapping[str, Figure]) -> None:
    work.industry = answer.label(work.symbol, "industry")
    stale = True
    for metric in VALUED:
        figure = valued[metric]
        # The valuation's own ROE is of the last annual report, and an estimate: a report's wins.
        work.keep(figure, "report" if metric == "roe" else "valuation")
        stale = stale and metric not in work.figures
    if stale:
        work.why[_VALUATION] = _STALE
        return
    missing = valued["pe_ttm"]
    lost = isinstance(missing, Missing) and missing.reason == LOSS
    if lost:
        work.figures.pop("pe_lyr", None)  # a year that was better is not what the price pays for
        work.why[Text("市盈率(TTM)", "P/E (TTM)")] = LOSS
    _read_earnings(work)
    _read_history(work, answer)


def _multiple(work: _Sector) -> Claim | None:
    return work.figures.get("pe_ttm") or work.figures.get("pe_lyr")


def _read_earnings(work: _Sector) -> None:
    multiple = _multiple(work)
    if multiple is None:
        _read_loss(work)
        return
    work.keep(work.derive("earnings_yield", f"100 / {multiple.metric}", [multiple]), "valuation")
    last, trailing = work.figures.get("pe_lyr"), work.figures.get("pe_ttm")
    if last is not None and trailing is not None and last.value > 0:
        pair = [last, trailing]
        if last.as_of == trailing.as_of and _is_later(trailing.period, last.period):
            pace = work.derive("profit_pace", "(pe_lyr / pe_ttm - 1) * 100", pair)
            work.keep(pace, "valuation")


def _read_loss(work: _Sector) -> None:
    """Without a multiple, what the last annual report earned for the price; a loss is negative."""
    profit, price = work.told.get("net_profit"), work.figures.get("market_cap")
    if profit is None or price is None or profit.unit != price.unit:
        return
    if is_fresh(profit.as_of, work.subject.today, "report"):
        made = work.derive("earnings_yield", "net_profit / market_cap * 100", [profit, price])
        work.keep(made, "valuation")


def _is_later(trailing: str | None, last: str | None) -> bool:
    """Whether the trailing year ends after the last annual report: else there is no pace."""
    if trailing is None or last is None:
        return True
    return not (trailing.startswith("TTM_") and trailing[4:] == f"{last[4:]}Q4")


def _read_history(work: _Sector, answer: Answer) -> None:
    """Its multiple on the days before, where the source gives enough of them."""
    facts = list(answer.facts(work.symbol, "pe_ttm"))
    calls = {call.tool_call_id: call for call, _ in facts}
    if len(calls) != 1 or len(facts) <= _LEAST_HISTORY or "pe_ttm" not in work.figures:
        return
    days = sorted(fact.as_of for _, fact in facts)
    (call,) = calls.values()
    window = work.ledger.window("pe_ttm", call, work.symbol, "pe_ttm", days[0], days[-1])
    formula = _formula("pe_ttm_own_cheaper", "cheaper_than_before(pe_ttm)")
    work.keep(work.ledger.derive(formula, [], series=[window]), "valuation")


def _wanted(work: _Sector) -> tuple[str, ...]:
    """In what a company is held against its peers."""
    multiple = _multiple(work)
    return (multiple.metric if multiple else "pe_ttm", "pb", "pct_change")


def _read_peers(work: _Sector, peers: tuple[str, ...], rows_of: Rows) -> None:
    work.peers = peers
    rows = {name: rows_of(name) for name in (*peers, work.symbol)}
    own = rows[work.symbol]
    placed = False
    for metric in _wanted(work)[:2]:
        placed = _place(work, rows, own.get(metric)) or placed
    if not placed:
        work.why[_PEERS] = _FEW
    _read_breadth(work, rows)


def _place(work: _Sector, rows: Mapping[str, Mapping[str, Figure]], own: Figure | None) -> bool:
    """Where it stands among its peers on one multiple; False where too few have it."""
    if not isinstance(own, Claim) or own.metric not in work.figures:
        return False
    others = [
        figure
        for name in work.peers
        if isinstance(figure := rows[name][own.metric], Claim) and figure.unit == own.unit
    ]
    every = [own, *others]
    if len(every) < LEAST_PEERS:
        return False
    metric = f"{own.metric}_cheaper"
    work.keep(work.derive(metric, "cheaper(values)", every, own=False), "valuation")
    for word in ("median", "count"):
        made = work.derive(f"{own.metric}_peer_{word}", f"{word}(values)", every, own=False)
        if made is not None:
            work.told[made.metric] = made
    return True


def _read_breadth(work: _Sector, rows: Mapping[str, Mapping[str, Figure]]) -> None:
    moves = [
        figure
        for row in rows.values()
        if isinstance(figure := row.get("pct_change"), Claim)
        and is_fresh(figure.as_of, work.subject.today, "price")
    ]
    if len(moves) < LEAST_PEERS:
        return
    made = work.derive("pct_change_breadth", "rising(values)", moves, own=False)
    if made is not None:
        work.told[made.metric] = made
        work.breadth = (made.claim_id,)


def _summary(work: _Sector) -> Text:
    label = Text(work.industry or "", "")
    told = stated(work.figures.get(m) for m in ("market_cap", "pe_ttm", "pe_lyr", "pb", "roe"))
    zh = "，".join(part for part in (label.zh and f"行业：{label.zh}", told.zh) if part)
    return Text(f"{zh}。" if zh else "", f"{told.en}." if told.en else "")


def _way_beside(own: Claim, median: Claim) -> Direction:
    """Cheaper than the median of its peers speaks for it, dearer against it; by as little as a
    sentence would call alike, neither. A loss is not cheap.
    """
    if own.value <= 0:
        return "negative"
    if median.value <= 0 or abs(own.value / median.value - 1) * 100 < limit("alike_share"):
        return "neutral"
    return "positive" if own.value < median.value else "negative"


def _findings(work: _Sector) -> tuple[Finding, ...]:
    found: list[Finding] = []
    for metric in _COMPARED:
        share = work.figures.get(f"{metric}_cheaper")
        own = work.figures.get(metric)
        median = work.told.get(f"{metric}_peer_median")
        if share is None or own is None or median is None:
            continue
        told = stated([own, median])
        found.append(finding(told, _way_beside(own, median), [own, median, share]))
    for metric in ("revenue_yoy", "net_profit_yoy", "profit_pace"):
        growth = work.figures.get(metric)
        if growth is not None:
            found.append(finding(stated([growth]), way_of(growth), [growth]))
    if work.losses and (profit := work.told.get("net_profit")) is not None:
        text = Text(f"年报亏损，净利润 {place(profit)}", f"a loss, net profit {place(profit)}")
        found.append(finding(text, "negative", [profit]))
    return tuple(found)
