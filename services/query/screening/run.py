"""A screen carried out by the algebra: who matches, who would with a condition dropped, in the
order of a screen and with its figures.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from services.core.aggregates import COMPANY_COUNT
from services.core.catalogue import SCREEN_FIELDS
from services.core.claims import Claim, Figure
from services.core.errors import NoDataError
from services.core.ledger import Answer
from services.core.rendering import place
from services.core.requests import ScreenRequest
from services.core.text import Text
from services.market.aggregates import list_left_out, list_unclassified, members_of
from services.market.screener import ScreenResult, ScreenRow, Unranked, list_rows
from services.query.algebra import nodes as a
from services.query.algebra.answer import tellers_of
from services.query.algebra.coverage import Coverage
from services.query.algebra.figures import FoundRow
from services.query.algebra.industry_notes import tell_unclassified
from services.query.algebra.points import TooManyError
from services.query.algebra.run import Looked, look_up
from services.query.algebra.scopes import FIELD_OF, bound_tests
from services.query.algebra.times import TimeError
from services.query.answering.desk import ActionDesk
from services.query.sayings import saying
from services.query.screening.screen_tests import query_of_request, scope_of
from services.store.database import scratch

_HOW_MANY = a.Folded(how="count")


class ScreenedByTests(NamedTuple):
    """What a screen found. `relaxed`: by the key of each condition how many match without it; a
    test has its place (`0`, `1`, …). `remarks`: who could not be left out, and why.
    """

    result: ScreenResult
    relaxed: Mapping[str, Claim]
    remarks: tuple[Text, ...]


def screen_by(desk: ActionDesk, request: ScreenRequest, tests: Sequence[a.Pred]) -> ScreenedByTests:
    """The companies that satisfy the request and every test.

    Raises: NoDataError (the market has no such data), ProviderError.
    """
    with scratch() as connection:
        try:
            looked = look_up(query_of_request(request, tests), desk, connection)
        except (TimeError, TooManyError) as error:
            raise NoDataError(_name_screen(request), saying("untimely_condition")) from error
        if isinstance(looked, Text):
            raise NoDataError(_name_screen(request), looked)
        rows = looked.points.run(looked.statement)
        lines = _in_order(request, [FoundRow.of(row, (row["v0"],)) for row in rows])
        found = _Finder(looked, request, lines)
        return ScreenedByTests(
            ScreenResult(
                request=request,
                rows=found.rows(desk),
                match_count=found.matches(),
                company_count=found.companies(),
                judged=found.judged(_fields_of(request, tests)),
                unranked=found.unranked(),
                left_out=tuple(list_left_out(desk.ledger, found.answer)),
                unclassified=list_unclassified(desk.ledger, found.answer.calls[0])
                if request.industry
                else None,
            ),
            found.relaxed(tests),
            (*tell_unclassified(looked.query, lines, desk), *_tell_known(looked, desk)),
        )


def _tell_known(looked: Looked, desk: ActionDesk) -> Iterator[Text]:
    """How many companies have each figure that a condition is of and no control counts."""
    maker, members = looked.maker, looked.members()
    coverage = Coverage(maker, members, tellers_of(looked.query, desk))
    total, counts = coverage.total, dict[a.Expr, Figure](coverage.tested)
    for expr in _list_alternatives(looked.query.where):
        if not maker.is_by_line(expr):
            counts.setdefault(expr, maker.counted(expr, members))
    for expr, known in counts.items():
        is_counted = isinstance(expr, a.Metric) and expr.id in FIELD_OF
        if is_counted or not (isinstance(known, Claim) and isinstance(total, Claim)):
            continue
        if known.value < total.value:
            label = coverage.told(expr)
            yield saying("known_of", label=label, known=place(known), total=place(total))


def _list_alternatives(where: a.Pred | None) -> Iterator[a.Metric | a.Change]:
    """What conditions of which one is enough are of."""
    for one in a.nodes_in(where, a.AnyOf) if where is not None else ():
        for item in one.items:
            if isinstance(item, a.Compare) and isinstance(item.left, a.Metric | a.Change):
                yield item.left


def _fields_of(request: ScreenRequest, tests: Sequence[a.Pred]) -> tuple[str, ...]:
    """The screening fields that a condition or the order looks at, once."""
    used = [bound.field for bound in request.bounds]
    figures = (one.id for test in tests for one in a.nodes_in(test, a.Metric))
    used += [FIELD_OF[one] for one in figures if one in FIELD_OF]
    used += [request.order_by] if request.order_by in SCREEN_FIELDS else []
    return tuple(dict.fromkeys(used))


class _Finder(NamedTuple):
    """What one look brought, as the parts of a screen's result."""

    looked: Looked
    request: ScreenRequest
    lines: Sequence[FoundRow]

    def rows(self, desk: ActionDesk) -> tuple[ScreenRow, ...]:
        """Those of the page with their figures."""
        first = self.request.offset
        page = [one.symbol for one in self.lines[first : first + self.request.size]]
        return list_rows(desk.ledger, self.request.market, page)

    def matches(self) -> Claim:
        """How many satisfy everything. Raises: NoDataError."""
        counted = self.looked.maker.over_rows(_HOW_MANY, self.lines)
        if not isinstance(counted, Claim):
            raise NoDataError(_name_screen(self.request), saying("uncounted"))
        return counted

    @property
    def answer(self) -> Answer:
        """What was answered of the whole market."""
        return Answer(self.looked.points.calls)

    def companies(self) -> Claim:
        """How many companies the market or the industry has. Raises: NoDataError."""
        ledger = self.looked.points.ledger
        call, _ = members_of(ledger, self.answer)
        made = ledger.aggregate(call, COMPANY_COUNT, industry=self.request.industry)
        if made is None:
            raise NoDataError(_name_screen(self.request), saying("uncounted"))
        return made

    def judged(self, fields: Sequence[str]) -> dict[str, Claim]:
        """How many of them have a value in each field."""
        maker = self.looked.maker
        made = {
            name: maker.counted(a.Metric(id=SCREEN_FIELDS[name]), self.lines) for name in fields
        }
        return {name: one for name, one in made.items() if isinstance(one, Claim)}

    def unranked(self) -> Unranked | None:
        """Who has no value in the field the order is by; None where that is nobody."""
        without = [one for one in self.lines if one.values[0] is None]
        if self.request.order_by == "symbol" or not without:
            return None
        query = self.looked.query
        inside = query.but(scope=a.both(query.scope, query.where), where=None)
        count = replace(self.looked.maker, query=inside).lacking(query.show[0], self.lines)
        if not isinstance(count, Claim):
            return None
        places = self.looked.points.by_size()
        without.sort(key=lambda one: places.get(one.symbol, len(places)))
        return Unranked(count, tuple((one.symbol, one.name) for one in without))

    def relaxed(self, tests: Sequence[a.Pred]) -> dict[str, Claim]:
        """How many match with each condition dropped; nothing where there are not two."""
        query = self.looked.query
        items = a.items_of(query.where)
        spans = list(self._spans(len(tests)))
        keys = [key for key, _ in spans] + (["industry"] if self.request.industry else [])
        if len(keys) < 2:
            return {}
        made: dict[str, Figure] = {}
        for key, span in spans:
            left = tuple(one for at, one in enumerate(items) if at not in span)
            made[key] = self._count({"where": a.AllOf(items=left) if left else None})
        if self.request.industry:
            made["industry"] = self._count({"scope": scope_of(self.request, industry=False)})
        return {key: one for key, one in made.items() if isinstance(one, Claim)}

    def _spans(self, tests: int) -> Iterator[tuple[str, range]]:
        """Which items of the query each condition is: of a range its tests, then one each."""
        at = 0
        for bound in self.request.bounds:
            count = len(bound_tests(bound))
            yield bound.field, range(at, at + count)
            at += count
        for number in range(tests):
            yield str(number), range(at + number, at + number + 1)

    def _count(self, update: Mapping[str, object]) -> Figure:
        asked = self.looked.query.model_copy(update=dict(update))
        return replace(self.looked.maker, query=asked).over_rows(_HOW_MANY, self.lines)


def _in_order(request: ScreenRequest, lines: Sequence[FoundRow]) -> list[FoundRow]:
    """As a screen orders them: those without the figure last, equal ones by symbol."""
    down = request.order == "desc"
    if request.order_by == "symbol":
        return sorted(lines, key=lambda one: one.symbol, reverse=down)

    def key(one: FoundRow) -> tuple[bool, float, str]:
        value = one.values[0]
        return value is None, (-value if down else value) if value is not None else 0.0, one.symbol

    return sorted(lines, key=key)


def _name_screen(request: ScreenRequest) -> str:
    return f"screen {request.market}"
