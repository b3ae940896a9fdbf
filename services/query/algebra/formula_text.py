"""A node of the algebra as an expression of core/expressions.py: what a claim cites as formula."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import singledispatchmethod

from services.core.expression_text import leaf_key
from services.query.algebra import nodes as a
from services.query.algebra.scopes import segments_in
from services.query.algebra.times import (
    Times,
    is_as_known,
    is_barred,
    is_of_sessions,
    reads_bars,
)

_SIGNS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "=="}
_ARITH = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
# So many years are looked back over for a run of years.
STREAK_YEARS = 10


class NoTextError(ValueError):
    """A test of sessions stands in no expression: whoever it holds of is named instead."""


@dataclass(frozen=True, slots=True)
class ExpressionWriter:
    """Writes expressions. `own`: the time of the row at hand (`y2016`); `scope`: the set a fold or
    rank is among where it names none.
    """

    times: Times
    own: str = ""
    scope: a.Pred | None = None
    company: str | None = None
    # The companies that have what such a place or fold is made of, where that is bars.
    among: Callable[[a.Across | a.Rank], Sequence[str]] | None = None

    @singledispatchmethod
    def write(self, node: a.Node) -> str:
        """The text of an expression or predicate. Raises: NoTextError, TimeError."""
        raise TypeError(type(node).__name__)

    @write.register
    def _(self, node: a.Metric) -> str:
        return self._of(node.id, self.times.token(node.id, node.when, self.own), node.of)

    @write.register
    def _(self, node: a.Const) -> str:
        return repr(node.value) if node.value >= 0 else f"({node.value!r})"

    @write.register
    def _(self, node: a.Arith) -> str:
        left, right = self.write(node.left), self.write(node.right)
        if node.how == "percent":
            return f"percent({left}, {right})"
        return f"({left} {_ARITH[node.how]} {right})"

    @write.register
    def _(self, node: a.Change) -> str:
        since, until = self.times.ends(node.of, node.since, node.until, self.own)
        both = f"{self._of(node.of, since, node.company)}, {self._of(node.of, until, node.company)}"
        if node.how == "cagr":
            return f"cagr({both}, {int(until[1:5]) - int(since[1:5])})"
        return f"{node.how}({both})"

    @write.register
    def _(self, node: a.Over) -> str:
        return self._over_window(node, node.how)

    @write.register
    def _(self, node: a.HistoryRank) -> str:
        return self._over_window(node, "below")

    @write.register
    def _(self, node: a.Course) -> str:
        return self._over_window(node, node.how)

    @write.register
    def _(self, node: a.Across) -> str:
        if self.among is not None and reads_bars(node.of):
            return self._fold_each(node)
        return f"{node.how}(each({self.write(node.of)}, {self._among(node)}))"

    @write.register
    def _(self, node: a.Rank) -> str:
        name = "percentile" if node.percentile else "rank"
        is_each = self.among is not None and reads_bars(node.of)
        among = self._each_of(node) if is_each else self._among(node)
        return f'{name}({self.write(node.of)}, {among}, "{node.direction}")'

    @write.register
    def _(self, node: a.Streak) -> str:
        return f"streak({', '.join(self.at(one).write(node.test) for one in self.newest(node))})"

    @write.register
    def _(self, node: a.In) -> str:
        words = "".join(f"{value!r}, " for value in node.values)
        within = f"{node.dim} in ({words.rstrip()})"
        return f"({within} or segment in ({words.rstrip()}))" if segments_in(node) else within

    @write.register
    def _(self, node: a.Compare) -> str:
        return f"({self.write(node.left)} {_SIGNS[node.sign]} {self.write(node.right)})"

    @write.register
    def _(self, node: a.Loss) -> str:
        loss = f"({node.of} is None and market_cap > 0)"
        if node.when.kind == "latest":
            return loss
        token = self.times.token("net_profit", node.when, self.own)
        profit = self._of("net_profit", token, None)
        if not self.times.is_last_year(token):
            return f"({profit} < 0.0)"
        return f"({profit} < 0.0 or ({profit} is None and {loss}))"

    @write.register
    def _(self, node: a.Every) -> str:
        return self._tests(node, "and")

    @write.register
    def _(self, node: a.Exists) -> str:
        if node.least > 1:
            raise NoTextError("exists")
        return self._tests(node, "or")

    @write.register
    def _(self, node: a.AllOf) -> str:
        return f"({' and '.join(map(self.write, node.items))})"

    @write.register
    def _(self, node: a.AnyOf) -> str:
        return f"({' or '.join(map(self.write, node.items))})"

    @write.register
    def _(self, node: a.Not) -> str:
        return f"(not {self.write(node.item)})"

    def at(self, own: str) -> "ExpressionWriter":
        """The same for another row's time."""
        return replace(self, own=own)

    def newest(self, node: a.Streak) -> tuple[str, ...]:
        """The times a run is looked for over, newest first."""
        return self.times.reports(a.When(kind="lastn", count=STREAK_YEARS, unit=node.grain))[::-1]

    def _tests(self, node: a.Every | a.Exists, word: str) -> str:
        if is_of_sessions(node):
            raise NoTextError("sessions")
        times = self.times.reports(node.window)
        return f"({f' {word} '.join(self.at(one).write(node.test) for one in times)})"

    def _of(self, metric: str, token: str, company: str | None) -> str:
        key, company = leaf_key(metric, token), company or self.company
        return f'at("{company}", {key})' if company else f"({key})" if token else key

    def _over_window(self, node: a.Over | a.HistoryRank | a.Course, how: str) -> str:
        if is_barred(node.of):
            company, span = node.company or self.company, self.times.span(node, self.own)
            text = f"{how}(series({node.of}, {', '.join(span)}))"
            return f'at("{company}", {text})' if company else text
        times = self.times.reports(node.window)
        parts = ", ".join(self._of(node.of, one, node.company) for one in times)
        is_known = not isinstance(node, a.Over) or is_as_known(node.window)
        return f"{how}({f'known({parts})' if is_known else parts})"

    def _fold_each(self, node: a.Across) -> str:
        if node.how != "count":
            return f"{node.how}({self._each_of(node)})"
        names = "".join(f"{one!r}, " for one in self._named(node)).rstrip()
        return f"count(each(1.0, symbol in ({names})))"

    def _each_of(self, node: a.Across | a.Rank) -> str:
        """The figure of each company that has it, by its name."""
        texts = [replace(self, company=one).write(node.of) for one in self._named(node)]
        return f"known({', '.join(texts)})"

    def _named(self, node: a.Across | a.Rank) -> Sequence[str]:
        return self.among(node) if self.among is not None else ()

    def _among(self, node: a.Across | a.Rank) -> str:
        if node.own is not None:
            market = "market == own(market)"
            return market if node.own == "market" else f"{market} and industry == own(industry)"
        among = node.within or self.scope
        return self.at("").write(among) if among is not None else "True"
