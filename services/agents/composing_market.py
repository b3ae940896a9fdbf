"""A market's report by rule: its index, the market as a whole, the economy, money flow, headlines.

What is said of figures is made of statements (services/statements), as in a company's report.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from services.agents.report_words import Sections, Words, found, lacking, quotation
from services.agents.results import AnalysisInput
from services.agents.telling import Telling
from services.agents.titles import SERIES_TITLES
from services.agents.toolkit import CallResult
from services.core.indexes import find_leading_index
from services.core.ledger import Ledger
from services.market.macro import MacroSeries
from services.market.news import Headlines
from services.statements.book import Book
from services.statements.candidates import StatementCandidate, candidates
from services.statements.choosing import Chosen, Section, choose
from services.statements.level import LevelStatement
from services.statements.move import MoveStatement
from services.statements.paragraphs import Paragraph
from services.statements.proved_texts import Opening
from services.statements.tongue import Tongue
from services.statements.weigh import weighed

_TOLD_NEWS = 6
# So many sessions back: a day, a month and a year, registered in `statement.windows`.
_BACK = (1, 20, 250)
# Of the market itself; every other series is of the economy.
_OF_MARKET = frozenset({"market_summary", "fund_flow"})


def _is_of_industry(section: Section, symbol: str) -> bool:
    """Whether it is one industry of the market and not the whole of it."""
    return section == "market" and ":" in symbol


class MarketReport:
    """Writes one report."""

    def __init__(
        self, asked: AnalysisInput, gathered: Sequence[CallResult], ledger: Ledger
    ) -> None:
        """`gathered` is what the plan's calls brought."""
        self._asked = asked
        self._gathered = gathered
        self._ledger = ledger
        self._words = Words(asked.language)
        self._telling = Telling(asked)
        self._index = find_leading_index(asked.market or "CN")
        self._tried = self._book(self._index.symbol, tried=True)
        self._known = candidates(self._tried).candidates
        self._chosen = self._choose_of_index()
        self._series = self._macro()
        self._news = found(gathered, "search_news", Headlines)

    def sections(self) -> Sections:
        """The whole report; what did not come is said."""
        w = self._words
        summary = self._open_with_index()
        points = [self._of_index(), *self._figures(), *self._headlines()]
        missing = lacking(self._gathered, w)
        nothing = w.pick(
            "没有取得任何市场数据，原因见下方说明。", "No market data could be had; see the notes."
        )
        told = [one for one in points if one]
        return Sections(
            summary=summary or (told[0] if told else nothing),
            key_points=told or [nothing],
            recommendations=[
                w.pick(
                    "宏观数据按发布机构的口径，引用前核对期间与是否累计。",
                    "Macro figures are as their publishers define them: check period and basis.",
                )
            ],
            risk_factors=[text for text in (missing, self._absent()) if text],
            made=self._telling.made,
        )

    def _choose_of_index(self) -> Chosen:
        """The rules' choice, with the index's move over a day, a month and a year, however little
        it was, and over no other time.
        """
        chosen = choose(self._known, self._tried)
        closes = self._tried.closes
        since = [closes[-1 - back].claim_id for back in _BACK if len(closes) > back]
        moves = {
            one.statement.first: one
            for one in self._known
            if isinstance(one.statement, MoveStatement)
        }
        rest = [
            one for one in chosen.get("price", []) if not isinstance(one.statement, MoveStatement)
        ]
        chosen["price"] = [*(moves[one] for one in since if one in moves), *rest]
        return chosen

    def _book(self, symbol: str, *, tried: bool = False) -> Book:
        """What is known of one subject; what is `tried` and not told leaves no figure behind."""
        ledger = self._ledger
        if tried:
            ledger = self._ledger.fork()
            ledger.join(self._ledger)
        return Book.of_ledger(ledger, symbol)

    def _tongue(self, symbol: str) -> Tongue:
        return Tongue(self._asked.language, self._book(symbol), self._asked.as_of.year)

    def _open_with_index(self) -> str:
        """The index: what speaks for it and against it, where it stands and of when."""
        levels = [one.statement for one in self._known if one.statement.kind == "level"]
        if not levels:
            return ""
        told = [one for each in self._chosen.values() for one in each]
        index = self._index
        return self._telling.tell(
            Opening(
                name=self._words.pick(index.zh, index.en),
                dated=tuple(one.statement for one in told if one.statement.kind != "watch"),
                answer=weighed(told, self._tried),
                levels=tuple(levels),
            ),
            self._tongue(index.symbol),
        )

    def _of_index(self) -> str:
        chosen = self._chosen.get("price", [])
        return self._paragraph("price", chosen, self._index.symbol, titled=True)

    def _paragraph(
        self, section: Section, chosen: Sequence[StatementCandidate], symbol: str, *, titled: bool
    ) -> str:
        if not chosen:
            return ""
        statements = tuple(one.statement for one in chosen)
        part = Paragraph(section=section, statements=statements, titled=titled)
        return self._telling.tell(part, self._tongue(symbol))

    def _figures(self) -> list[str]:
        """The newest figures of each series, a month beside the month before."""
        sections: dict[str, Section] = {}
        for series in self._series:
            section: Section = "market" if series.name in _OF_MARKET else "macro"
            for claim in (one for row in series.rows for one in row.figures.values()):
                if not _is_of_industry(section, claim.symbol):
                    sections.setdefault(claim.symbol, section)
        told: list[str] = []
        titled: set[Section] = set()
        for symbol, section in sections.items():
            known = candidates(self._book(symbol, tried=True)).candidates
            told.append(self._paragraph(section, known, symbol, titled=section not in titled))
            titled.add(section)
        return [one for one in (*told, *self._industries()) if one]

    def _industries(self) -> Iterator[str]:
        """The largest industries, what each is worth and costs, behind its name."""
        whole = (one for one in self._series if one.name in _OF_MARKET)
        for row in (row for one in whole for row in one.rows):
            claims = list(row.figures.values())
            if _is_of_industry("market", claims[0].symbol):
                level = LevelStatement(claims=tuple(one.claim_id for one in claims))
                part = Paragraph(section="market", statements=(level,), titled=True)
                yield self._telling.tell(part, self._tongue(claims[0].symbol))

    def _parts(self) -> Mapping[str, object]:
        """What became of each series that was asked for."""
        found: dict[str, object] = {}
        for one in self._gathered:
            view = one.view if one.name == "get_macro_data" else None
            found |= cast("Mapping[str, object]", view) if isinstance(view, Mapping) else {}
        return found

    def _macro(self) -> tuple[MacroSeries, ...]:
        """The series that came, those of the market first; the index is told by itself."""
        came = [
            part
            for name, part in self._parts().items()
            if isinstance(part, MacroSeries) and name != "market_index"
        ]
        return tuple(sorted(came, key=lambda one: one.name not in _OF_MARKET))

    def _absent(self) -> str:
        """The series that did not come, where others did."""
        w = self._words
        names = [
            SERIES_TITLES[name].in_language(w.language)
            for name, part in self._parts().items()
            if not isinstance(part, MacroSeries) and name in SERIES_TITLES
        ]
        if not names:
            return ""
        told = w.pick("、", ", ").join(names)
        return w.end(w.pick(f"没有取得的序列：{told}", f"Series that did not come: {told}"))

    def _headlines(self) -> list[str]:
        w = self._words
        told = [quotation(text.item, w) for text in (self._news.texts if self._news else ())]
        return [w.end(one) for one in told if one][:_TOLD_NEWS]
