"""A company's report by rule: the answer, results, value, price, moves, news; risks; what to watch.

What is said of figures is made of statements (services/statements): which way something went is
proved there, and no word of direction is written here.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from services.agents.report_words import Sections, Words, found, lacking, quotation
from services.agents.results import AnalysisInput
from services.agents.telling import Telling
from services.agents.titles import TITLES
from services.agents.toolkit import CallResult
from services.core.claims import Claim, DerivedCite, Figure, ToolCite
from services.core.indicator_formulas import SETTLED
from services.core.ledger import Ledger
from services.core.limits import COMPETENCES
from services.core.text import NO_TEXT, Text
from services.market.events.events import Event, EventsFound
from services.market.fundamentals import FinancialData
from services.market.history import PriceHistory
from services.market.indicators.indicators import Indicators
from services.market.news import Headlines
from services.market.peers import Comparison
from services.market.profile import Profile
from services.statements.book import Book, Lack
from services.statements.candidates import StatementCandidate, candidates
from services.statements.choosing import Chosen, Section, balance, choose, is_same_thought
from services.statements.level import LevelStatement
from services.statements.paragraphs import Paragraph
from services.statements.proved_texts import Opening
from services.statements.registry import AnyStatement
from services.statements.tongue import Tongue
from services.statements.weigh import is_telling, weighed
from services.tools.stock_feed import StockFeed

_PRICES = ("current_price", "close", "price_implied")
_TOLD_EVENTS, _TOLD_NEWS, _TOLD_RISKS = 2, 3, 3
_FRESH_DAYS = COMPETENCES["report.confidence"].values["old_input_days"]
_PARAGRAPHS: tuple[Section, ...] = ("results", "valuation", "price")


class StockReport:
    """Writes one report."""

    def __init__(
        self,
        asked: AnalysisInput,
        gathered: Sequence[CallResult],
        ledger: Ledger,
        chosen: Chosen | None = None,
    ) -> None:
        """`gathered` is what the plan's calls brought; `ledger` makes claims of rules. `chosen`:
        what a model chose; by default the rules choose.
        """
        self._asked = asked
        self._ledger = ledger
        self._gathered = gathered
        self._words = Words(asked.language)
        self._profile = found(gathered, "get_fundamentals_info", Profile)
        self._reports = found(gathered, "get_financial_reports", FinancialData)
        self._indicators = found(gathered, "compute_indicators", Indicators)
        self._peers = found(gathered, "peer_compare", Comparison)
        self._feed = found(gathered, "xqSearchStockFeed", StockFeed)
        self._news = found(gathered, "search_news", Headlines)
        self._prices = found(gathered, "get_price_history", PriceHistory)
        self._telling = Telling(asked)
        self._tongue = Tongue(asked.language, self._book(ledger), asked.as_of.year)
        # What is tried and not told leaves no figure behind.
        tried = ledger.fork()
        tried.join(ledger)
        self.tried = self._book(tried)
        self.found = candidates(self.tried).candidates
        if chosen is None:
            self._chosen = choose(self.found, self.tried)
        else:
            own: Chosen = {section: list(taken) for section, taken in chosen.items()}
            self._chosen = balance(own, self.found, self.tried)

    def _book(self, ledger: Ledger) -> Book:
        """What is known of the company, for statements."""
        peers, profile = self._peers, self._profile
        industry = (peers.industry if peers else None) or (profile.industry if profile else None)
        lacks = [
            Lack(TITLES.get(one.name, Text.of(one.name)), Text.of(one.why or NO_TEXT))
            for one in self._gathered
            if one.error is not None
        ]
        names = {one.symbol: one.name for one in peers.others} if peers else {}
        return Book.of_ledger(
            ledger, self._asked.symbol or "", names=names, industry=industry or "", lacks=lacks
        )

    def sections(self) -> Sections:
        """The whole report; what nothing is known of is not there, or said to be missing."""
        points = [self._paragraph(name, self._chosen.get(name, [])) for name in _PARAGRAPHS]
        points += [*self._events(), *self._headlines()]
        return Sections(
            summary=self._summary(),
            key_points=[point for point in points if point] or [self._no_more()],
            recommendations=[one for one in self._to_check() if one],
            risk_factors=[one for one in self._risks() if one],
            made=self._telling.made,
        )

    def _summary(self) -> str:
        """The answer, the figures one looks for first, and of when everything is."""
        told = [one for each in self._chosen.values() for one in each]
        levels = self._levels()
        if not told and not levels:
            return self._words.end(self._nothing())
        return self._keep_parts(
            Opening(
                name=self._name(),
                dated=(
                    *(one.statement for one in told if one.statement.kind != "watch"),
                    *(one for one in levels if one != self._priced()),
                ),
                answer=weighed(told, self.tried),
                levels=levels,
            )
        )

    def _priced(self) -> LevelStatement | None:
        price = self._price()
        return LevelStatement(claims=(price.claim_id,)) if price is not None else None

    def _levels(self) -> tuple[AnyStatement, ...]:
        """Price and multiples; revenue and profit where no paragraph tells of them."""
        priced = self._priced()
        told: list[AnyStatement] = [priced] if priced is not None else []
        known = [one for one in self.found if one.statement.kind == "level"]
        told += [one.statement for one in known if one.held.factor in {"size", "valuation"}]
        if not self._chosen.get("results"):
            told += [one.statement for one in known if one.held.when.period is not None]
        return tuple(told)

    def _paragraph(
        self, section: Section, chosen: Sequence[StatementCandidate], *, titled: bool = True
    ) -> str:
        if not chosen:
            return ""
        statements = tuple(one.statement for one in chosen)
        return self._keep_parts(Paragraph(section=section, statements=statements, titled=titled))

    def _keep_parts(self, part: Opening | Paragraph) -> str:
        return self._telling.tell(part, self._tongue)

    def _name(self) -> str:
        """A Chinese name alone tells an English reader nothing."""
        asked = self._asked
        name, symbol = asked.called or asked.name or "", asked.symbol or ""
        if not name or self._words.zh:
            return name or symbol
        return f"{name} ({symbol})"

    def _nothing(self) -> str:
        """A code of which there is no figure may not be named in a text that is proved."""
        name = self._asked.called or self._asked.name or ""
        return self._words.pick(
            f"没有取得{name}的任何数据，原因见下",
            f"no data{f' of {name}' if name else ''} could be had, see below",
        )

    def _no_more(self) -> str:
        """Where nothing can be weighed: that there is nothing, or no more than the summary says."""
        if not self._levels():
            return self._words.end(self._nothing())
        return self._words.end(
            self._words.pick(
                "除上面的数字外没有取得可以比较的数据，原因见下",
                "nothing that could be compared came besides the figures above, see below",
            )
        )

    def _figures(self) -> Mapping[str, Figure]:
        groups = self._profile.figures.values() if self._profile else ()
        return {metric: figure for group in groups for metric, figure in group.items()}

    def _price(self) -> Claim | None:
        """The newest price there is; one that a source gave before one that was worked out."""
        made = self._indicators
        known = [self._figures().get(metric) for metric in _PRICES]
        known += [made.figures.get("close")] if made else []
        prices = [one for one in known if isinstance(one, Claim)]
        given = [one for one in prices if isinstance(one.cite, ToolCite)]
        return max(given or prices, key=lambda one: one.as_of, default=None)

    def _period(self) -> str | None:
        return self._reports.periods[0] if self._reports and self._reports.periods else None

    def _latest(self) -> Mapping[str, Figure]:
        period = self._period()
        if self._reports is None or period is None:
            return {}
        return {
            metric: row[period] for metric, row in self._reports.figures.items() if period in row
        }

    def _events(self) -> list[str]:
        """Unusual days as the timeline tells them; what holds titles from outside is read, not told
        again: nothing here has their words.
        """
        w = self._words
        head = w.pick("异动：", "abnormal move: ")
        told: list[str] = []
        for one in self._moves():
            if any(part.what == "quoted" for part in one.statement.parts):
                told.append(f"{one.end.isoformat()} {head}{w.pick(one.reason, one.reason_en)}")
            else:
                told.append(
                    self._keep_parts(Paragraph(section="events", statements=(one.statement,)))
                )
        feed = self._feed.events if self._feed else None
        if isinstance(feed, EventsFound) and feed.unjudged.count:
            # How many is a note of the report: a count that was typed would have no mark.
            told.append(
                w.pick(
                    "异动：缺日线的交易日和紧随其后的交易日未能判断，共几日见说明。",
                    "Abnormal moves: sessions without a bar and those right after them could not "
                    "be judged; the notes say how many.",
                )
            )
        return told

    def _moves(self) -> Sequence[Event]:
        moves = self._feed.events if self._feed else None
        if not isinstance(moves, EventsFound):
            return ()
        return sorted(moves.events, key=lambda one: one.end, reverse=True)[:_TOLD_EVENTS]

    def _headlines(self) -> list[str]:
        w = self._words
        since = self._asked.as_of - timedelta(days=self._asked.news_days)
        texts = self._news.texts if self._news else ()
        told = [quotation(text.item, w, since) for text in texts]
        return [w.end(w.pick("新闻：", "news: ") + one) for one in told if one][:_TOLD_NEWS]

    def _against(self) -> list[StatementCandidate]:
        """What speaks against it and is not told yet, the most telling first."""
        said = [one for each in self._chosen.values() for one in each]
        topics = {one.held.topic for one in said}
        found: list[StatementCandidate] = []
        for one in self.found:
            against = one.held.stance < 0 and is_telling(one, self.tried)
            new = one.held.topic not in topics and not is_same_thought(one, [*said, *found])
            if against and new and len(found) < _TOLD_RISKS:
                topics.add(one.held.topic)
                found.append(one)
        return found

    def _to_check(self) -> list[str]:
        w, made = self._words, self._indicators
        levels = ""
        if made is not None and (made.support or made.resistance):
            near = [(made.support or ())[:1], (made.resistance or ())[:1]]
            told = [
                f"{w.pick(zh, en)}{w.stated(one[0])}"
                for one, (zh, en) in zip(
                    near, (("支撑位：", "support: "), ("压力位：", "resistance: ")), strict=True
                )
                if one
            ]
            levels = w.end(w.join(told))
        moves = self._moves()
        unexplained = w.pick(
            "上述异动附近没有取得公告或新闻，原因需另行核实。",
            "No notice or headline was found near the moves above; their cause is to be checked.",
        )
        return [
            self._paragraph("watch", self._chosen.get("watch", []), titled=False),
            levels,
            unexplained if moves and not any(one.leads for one in moves) else "",
            w.pick(
                "引用前点开每个数字的标记，核对来源、期间与原值。",
                "Before quoting, open the mark of each figure: source, period, upstream value.",
            ),
        ]

    def _risks(self) -> list[str]:
        w, latest = self._words, self._latest()
        risks = [self._paragraph("results", self._against(), titled=False)]
        figures = [one for one in (*self._figures().values(), *latest.values()) if _is(one)]
        if any(isinstance(one, Claim) and isinstance(one.cite, DerivedCite) for one in figures):
            risks.append(
                w.pick(
                    "部分数字由来源的数推算，算法与输入见各自的标记。",
                    "Some figures are derived; formula and inputs stand behind their marks.",
                )
            )
        return [*risks, *self._stale(), lacking(self._gathered, w)]

    def _stale(self) -> list[str]:
        """Prices that end before the present, and sessions without any."""
        w, prices = self._words, self._prices
        if prices is None:
            return []
        last = prices.bars[-1].date
        told: list[str] = []
        stops = [gap for gap in prices.gaps if gap.kind == "suspension"]
        if any(gap.start > last for gap in stops):
            told.append(
                w.pick(
                    f"行情止于 {last.isoformat()}，此后停牌。",
                    f"Prices end on {last.isoformat()}; trading has been suspended since.",
                )
            )
        elif (self._asked.as_of - last).days > _FRESH_DAYS:
            told.append(
                w.pick(
                    f"行情止于 {last.isoformat()}，此后没有数据，可能停牌。",
                    f"Prices end on {last.isoformat()}; none since, trading may be suspended.",
                )
            )
        newest = len(prices.bars) - 1
        if prices.sessions.lacking(max(0, newest + 1 - SETTLED), newest).lost:
            told.append(
                w.pick(
                    "来源缺若干交易日的日线，均线与指标按有日线的交易日计算，缺几日见各数字的出处。",
                    "The source lacks the bars of some sessions; averages and indicators are over "
                    "those held, and the source of each says how many it lacks.",
                )
            )
        # Averages and ranges span what lies between bars, not what follows the last of them.
        spanned = [gap for gap in stops if gap.start <= last]
        if spanned:
            told.append(
                w.pick(
                    f"统计期内有停牌，最近一段止于 {spanned[-1].end}，均线与区间高低点跨越停牌。",
                    f"Trading was suspended in the period, last until {spanned[-1].end}; averages "
                    "and ranges span the break.",
                )
            )
        return told


def _is(figure: Figure | None) -> bool:
    return isinstance(figure, Claim)
