"""The subject's place among its peers by one figure."""
# ruff: noqa: E501 - both languages of a sentence side by side, a line each

from typing import Literal

from services.statements.alike import cited, factor_of, need_own, stance_of
from services.statements.book import Book, basis, limit, method
from services.statements.statement import Clause, Held, Statement, StatementTime, need
from services.statements.tongue import Tongue

_RANK, _COUNT = "_peer_rank", "_peer_count"


class RankStatement(Statement):
    """`rank` and `count` are of one comparison; 1 is the highest. `among`: all of the industry, or,
    of an earlier version, the largest of it.
    """

    kind: Literal["rank"] = "rank"
    rank: str
    count: str
    among: Literal["largest", "industry"] = "largest"

    def prove(self, book: Book) -> Held:
        """As `Statement.prove`."""
        rank, count = cited(book, self.rank, self.count)
        need_own(book, rank, count)
        topic = rank.metric.removesuffix(_RANK)
        pair = topic != rank.metric and count.metric == topic + _COUNT
        need(pair and rank.as_of == count.as_of, "count_of_another")
        inputs, others = book.inputs(rank), book.inputs(count)
        same = {one.claim_id for one in inputs} == {one.claim_id for one in others}
        need(same and len(inputs) == count.value, "count_of_another")
        own = next((one for one in inputs if one.symbol == book.symbol), None)
        need(own is not None, "not_in_its_set")
        assert own is not None  # noqa: S101 - for the type checker: need() raised
        alike = {(one.unit, basis(one), method(one)) for one in inputs}
        need(len(alike) == 1, "method_differs")
        need(count.value >= limit("least_ranked"), "too_few_peers", f"{count.value:g}")
        need(1 + sum(one.value > own.value for one in inputs) == rank.value, "rank_wrong")
        share = rank.value / count.value
        word = "front" if share <= 1 / 3 else "back" if share > 2 / 3 else "middle"
        way = {"front": 1, "back": -1, "middle": 0}[word]
        whole = book.one("market_cap_peer_count")
        of_all = self.among == "industry"
        if of_all or (whole is not None and count.value < whole.value):
            word += "_some"
        is_report = basis(own).startswith("report")
        when = StatementTime(period=own.period) if is_report else StatementTime(day=rank.as_of)
        return Held(
            word, topic, factor_of(topic), stance_of(book, topic, way), 0.6 if way else 0.1,
            (own, rank, count), (), when,
        )  # fmt: skip

    def clause(self, held: Held, tongue: Tongue) -> Clause:
        """As `Statement.clause`."""
        own, rank, count = held.uses
        some, of = held.word.endswith("_some"), tongue.figure(count)
        if rank.value in {1, count.value}:
            first = rank.value == 1
            return Clause(
                tongue.stated(own),
                tongue.pick(
                    f"是{'有此数的' if some else '市值最大的'} {of}同行（含自身）里最{'高' if first else '低'}的",
                    f"the {'highest' if first else 'lowest'} of {of} peers{' with a figure' if some else ''}",
                ),
            )
        return Clause(
            tongue.stated(own),
            tongue.pick(
                f"在{'有此数的' if some else '市值最大的'} {of}同行（含自身）里由高到低排第 {tongue.figure(rank)}",
                f"number {tongue.figure(rank)} of {of} peers{' with a figure' if some else ''}, highest first",
            ),
        )

    def brief(self, held: Held, tongue: Tongue) -> str:
        """As `Statement.brief`."""
        if held.word.startswith("middle"):
            return ""
        front, name = held.word.startswith("front"), tongue.label(held.topic)
        return tongue.pick(
            f"{name}在同行里排名靠{'前' if front else '后'}",
            f"{name} ranks {'high' if front else 'low'} among peers",
        )
