"""Queries made at random, all of them sound: what the algebra can say about companies."""

from functools import cache
from random import Random

from services.query.algebra import nodes as a
from services.query.algebra.dimensions import dimension_of
from services.query.algebra.types import check_query
from tests.unit.query.algebra.bundle_frames import frames

VALUED = ("market_cap", "pe_ttm", "pe_lyr", "pb", "ps_ttm", "total_shares", "bps")
DERIVED = ("net_profit", "revenue", "roe")
HONG_KONG = ("market_cap", "pe_lyr", "pb")
YEARLY = ("revenue", "net_profit", "equity", "total_assets", "net_margin")
_BOUNDS = {
    "market_cap": (1e9, 2e11),
    "pe_ttm": (5, 80),
    "pe_lyr": (5, 80),
    "pb": (0.6, 6),
    "ps_ttm": (0.5, 10),
    "total_shares": (1e8, 5e9),
    "bps": (1, 12),
    "net_profit": (1e7, 1e10),
    "revenue": (1e8, 1e11),
    "roe": (1, 25),
    "equity": (1e9, 3e11),
    "total_assets": (1e9, 5e12),
    "net_margin": (1, 40),
}


def year(of: int) -> a.When:
    return a.When(kind="years", first=of, last=of)


@cache
def _listed(market: str) -> tuple[list[str], list[str]]:
    """The industries of a market, and its three hundred largest companies."""
    some = frames().companies
    some = some[some.market == market]
    largest = some.market_cap.dropna().sort_values().index[-300:].tolist()
    return sorted(some.industry.dropna().unique()), largest


class Maker:
    """Makes queries from a seed; `named` companies are left out of a set where some are."""

    named = 40

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.market = self.random.choice(("CN", "CN", "CN", "CN", "HK"))
        self.industries, self.largest = _listed(self.market)

    def query(self) -> a.Query:
        """One that means something; others are thrown away."""
        while True:
            made = self._query()
            if not check_query(made):
                return made

    def _query(self) -> a.Query:
        scope = self.scope()
        where = self.test() if self.random.random() < 0.6 else None
        first = None
        if self.random.random() < 0.1:
            take = a.Take(count=self.random.randrange(10, 60))
            first = a.Query(scope=scope, order=(self.order(),), take=take)
        kind = self.random.random()
        if kind < 0.25:
            folds = tuple(self.fold() for _ in range(self.random.randrange(1, 3)))
            return a.Query(scope=scope, where=where, first=first, fold=folds)
        if kind < 0.4:
            fold = self.fold()
            having: tuple[a.Having, ...] = ()
            if fold.of is None:
                having = (a.Having(fold=0, sign="gt", right=a.Const(value=3)),)
            by = "industry" if self.random.random() < 0.8 else "board"
            return a.Query(scope=scope, where=where, group=by, fold=(fold,), having=having)
        show = tuple(self.expr() for _ in range(self.random.randrange(0, 3)))
        take = a.Take(
            count=self.random.randrange(1, 12),
            skip=self.random.choice((0, 0, 0, 2)),
            per=self.random.choice((None, None, None, "industry")),
        )
        return a.Query(
            scope=scope, where=where, first=first, show=show, order=(self.order(),), take=take
        )

    def scope(self) -> a.Pred:
        market = a.In(dim="market", values=(self.market,))
        kind = self.random.randrange(6)
        if kind == 0:
            return market
        if kind == 1:
            named = tuple(self.random.sample(self.largest, self.named))
            return a.both(market, a.Not(item=a.In(dim="symbol", values=named))) or market
        if kind == 2 and self.market == "CN":
            exchange = a.In(dim="exchange", values=(self.random.choice(("SH", "SZ")),))
            return a.both(market, exchange) or market
        if kind == 3 and self.market == "CN":
            board = a.In(dim="board", values=(self.random.choice(("main", "chinext", "sme")),))
            return a.both(market, a.Not(item=board)) or market
        some = tuple(self.random.sample(self.industries, self.random.randrange(1, 4)))
        chosen: a.Pred = a.In(dim="industry", values=some)
        return a.both(market, a.Not(item=chosen) if kind == 4 else chosen) or market

    def metric(self) -> str:
        known = HONG_KONG if self.market == "HK" else (*VALUED, *DERIVED)
        return self.random.choice(known)

    def expr(self, depth: int = 1) -> a.Expr:
        kind, how = self.random.randrange(10), self.random.choice
        if kind < 3 or not depth:
            return a.Metric(id=self.metric())
        if kind == 3 and self.market == "CN":
            return a.Metric(id=how(YEARLY), when=year(how((2013, 2015, 2016))))
        if kind == 4:
            pair = (self.expr(0), self.expr(0))
            return a.Arith(
                how=how(("add", "sub", "mul", "div", "percent")), left=pair[0], right=pair[1]
            )
        if kind == 5 and self.market == "CN":
            last = how((2014, 2015, 2016))
            since = a.YEAR_BEFORE if self.random.random() < 0.5 else year(last - 1)
            changed = how(("rate", "difference", "multiple", "cagr"))
            return a.Change(how=changed, of=how(YEARLY[:4]), since=since, until=year(last))
        if kind == 6 and self.market == "CN":
            window = a.When(kind="years", first=2013, last=how((2015, 2016)))
            return a.Over(
                how=how(("mean", "median", "sum", "max", "min")), of=how(YEARLY), window=window
            )
        if kind == 7:
            folded = how(("mean", "median", "max", "min", "sum", "count"))
            own = how(("industry", "market", None))
            within = None if own else self.scope()
            return a.Across(how=folded, of=self.expr(0), own=own, within=within)
        if kind == 8:
            own = how(("industry", "market", None))
            return a.Rank(
                of=self.expr(0),
                own=own,
                within=None if own else self.scope(),
                direction=how(("asc", "desc")),
                percentile=self.random.random() < 0.4,
            )
        if kind == 9 and self.market == "CN":
            return a.Streak(grain="years", test=self.yearly())
        return a.Metric(id=self.metric())

    def yearly(self) -> a.Compare:
        if self.random.random() < 0.5:
            of = self.random.choice(YEARLY[:3])
            grown = a.Change(how="rate", of=of, since=a.YEAR_BEFORE, until=a.OWN)
            return a.Compare(sign="gt", left=grown, right=a.Const(value=5, unit="percent"))
        of = self.random.choice(YEARLY)
        return a.Compare(sign="gt", left=a.Metric(id=of, when=a.OWN), right=self.bound(of))

    def bound(self, metric: str) -> a.Const:
        low, high = _BOUNDS[metric]
        return a.Const(value=round(low * (high / low) ** self.random.random(), 4))

    def test(self, depth: int = 1) -> a.Pred:
        kind = self.random.randrange(9)
        if kind == 0 and depth:
            return a.either(self.test(0), self.test(0))
        if kind == 1 and depth:
            return a.both(self.test(0), self.test(0)) or self.test(0)
        if kind == 2 and depth:
            return a.Not(item=self.test(0))
        if kind == 3:
            return a.Loss(of="pe_lyr")
        if kind == 4 and self.market == "CN":
            window = a.When(kind="years", first=self.random.choice((2013, 2014)), last=2016)
            return a.Every(window=window, test=self.yearly())
        if kind == 5 and self.market == "CN":
            window = a.When(kind="years", first=2013, last=2016)
            return a.Exists(window=window, test=self.yearly(), least=self.random.choice((1, 1, 2)))
        metric = self.metric()
        sign = self.random.choice(("lt", "le", "gt", "ge"))
        if kind == 6:
            right = a.Across(how="median", of=a.Metric(id=metric), own="industry")
            return a.Compare(sign=sign, left=a.Metric(id=metric), right=right)
        if kind == 7:
            left, right = self.expr(0), self.expr(0)
            if dimension_of(left) == dimension_of(right):
                return a.Compare(sign=sign, left=left, right=right)
        return a.Compare(sign=sign, left=a.Metric(id=metric), right=self.bound(metric))

    def order(self) -> a.Order:
        return a.Order(by=self.expr(), direction=self.random.choice(("asc", "desc")))

    def fold(self) -> a.Folded:
        if self.random.random() < 0.2:
            return a.Folded(how="count")
        how = self.random.choice(("mean", "median", "sum", "max", "min", "count"))
        return a.Folded(how=how, of=self.expr())
