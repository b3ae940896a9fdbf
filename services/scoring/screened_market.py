"""One screen of a whole market, and what it says of each company: the parts a proof is made of, and
the scores of all that only the screen knows, sketched as a set.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from services.core.claims import Figure
from services.core.ledger import Answer, Ledger
from services.core.requests import ScreenRequest
from services.core.sketch import Sketch
from services.core.symbols import Market
from services.core.trace import Fact, ToolCall
from services.market.valuation import valuation_figures
from services.scoring.fact_sector import VALUED, sketch_sector
from services.scoring.fact_words import RunSubject
from services.scoring.factors import SketchedScore, sketch_score

# More companies than the largest market has.
_WHOLE = 20_000
_BUNDLED = "snapshot"
# The tables of the bundled market that few companies are in: who is, can be looked at closely.
_CLOSE = frozenset({"daily_bars", "annual_figures"})


@dataclass(frozen=True)
class ScreenedMarket:
    """One screen of a market, looked up by company and by industry. Of one thread."""

    answer: Answer

    @classmethod
    def of(cls, ledger: Ledger, market: Market) -> "ScreenedMarket":
        """That of a market. Raises: NoDataError, ProviderError."""
        request = ScreenRequest(market=market, order_by="market_cap", order="desc", size=_WHOLE)
        return cls(ledger.fetch(request))

    @property
    def symbols(self) -> tuple[str, ...]:
        """Every company of it, the largest first."""
        return tuple(self.answer.calls[0].labels)

    @cached_property
    def industries(self) -> Mapping[str, tuple[str, ...]]:
        """The companies of each industry, the largest first."""
        found: dict[str, list[str]] = {}
        for symbol in self.symbols:
            if industry := self.answer.label(symbol, "industry"):
                found.setdefault(industry, []).append(symbol)
        return {industry: tuple(names) for industry, names in found.items()}

    @property
    def is_bundled(self) -> bool:
        """Whether all of it is of the bundled market."""
        return all(call.served_by == _BUNDLED for call in self.answer.calls)

    def peers(self, symbol: str) -> tuple[str, ...]:
        """The others of its industry, the largest first."""
        industry = self.answer.label(symbol, "industry") or ""
        return tuple(one for one in self.industries.get(industry, ()) if one != symbol)

    def is_valued(self, symbol: str) -> bool:
        """Whether it has a valuation of that company."""
        return bool(self.answer.facts(symbol, "market_cap"))

    @cached_property
    def sketch(self) -> Sketch:
        """Where its figures are made unproved."""
        made = Sketch()
        for call in self.answer.calls:
            made.record(call)
        return made

    @cached_property
    def _alone(self) -> Answer:
        """What it says itself, without what another source says besides: as its parts have it."""
        return Answer(self.answer.calls)

    def row(self, symbol: str) -> Mapping[str, Figure]:
        """The sketched figures of a company, read once for all it is a peer of."""
        found = self._rows.get(symbol)
        if found is None:
            found = valuation_figures(self.sketch, self._alone, symbol, VALUED)
            self._rows[symbol] = found
        return found

    @cached_property
    def _rows(self) -> dict[str, Mapping[str, Figure]]:
        return {}

    def can_sketch(self, symbol: str) -> bool:
        """Whether all that is known of it is here. A live source may give less of a part of its
        answer than of the whole.
        """
        return self.is_bundled and self.is_valued(symbol) and not self.has_more(symbol)

    def sketch_score(self, subject: RunSubject) -> SketchedScore:
        """The score of a company of which nothing else is known."""
        symbol = subject.symbol.value
        known = sketch_sector(self.sketch, subject, self._alone, self.peers(symbol), self.row)
        industry = self.answer.label(symbol, "industry") or ""
        return sketch_score(symbol, known, self.sketch, subject.today, industry)

    def has_more(self, symbol: str) -> bool:
        """Whether the bundled market has bars or reports of it: figures of another table."""
        facts = self.answer.facts(symbol)
        tables = {call.table for call, _ in facts if call.served_by == _BUNDLED}
        return bool(tables & _CLOSE)

    def beside(self, symbol: str) -> Answer:
        """What the screen says of a company and of its industry, the largest first."""
        industry = self.answer.label(symbol, "industry") or ""
        every = self.industries.get(industry, ())
        if symbol not in every:
            return self._part((*every, symbol))
        if industry not in self._of_industry:
            self._of_industry[industry] = self._part(every)
        return self._of_industry[industry]

    @cached_property
    def _of_industry(self) -> dict[str, Answer]:
        """By industry, what is told of its companies: one answer for all of them."""
        return {}

    def _part(self, wanted: Sequence[str]) -> Answer:
        """What the screen says of these companies alone, in that order."""
        rows: dict[str, list[Fact]] = {}
        for symbol in wanted:
            for call, fact in self.answer.facts(symbol):
                rows.setdefault(call.tool_call_id, []).append(fact)
        calls = [
            _only(call, wanted, rows[call.tool_call_id])
            for call in self.answer.calls
            if call.tool_call_id in rows
        ]
        return Answer(calls)


def _only(call: ToolCall, symbols: Sequence[str], rows: Sequence[Fact]) -> ToolCall:
    labels = {symbol: call.labels[symbol] for symbol in symbols if symbol in call.labels}
    return call.model_copy(update={"rows": tuple(rows), "labels": labels})
