"""The meaning of the algebra said again in pandas, for queries over companies and their years.

Nothing of the compiler, of SQL or of expressions is used: a figure is a column over companies, a
test a column of true and false.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from services.query.algebra import nodes as a
from tests.unit.query.algebra.bundle_frames import frames

_FOLDS = {"mean": "mean", "median": "median", "sum": "sum", "max": "max", "min": "min"}


def table() -> pd.DataFrame:
    return frames().companies


def column(metric: str, year: int | None) -> pd.Series:
    name = metric if year is None else f"{metric}@{year}"
    return table()[name] if name in table() else pd.Series(np.nan, table().index)


def year_of(when: a.When, own: int | None) -> int | None:
    if when.kind == "own":
        return own
    return None if when.kind == "latest" else int(str(when.last))


def value(expr: a.Expr, own: int | None = None, scope: a.Pred | None = None) -> pd.Series:
    match expr:
        case a.Metric():
            found = column(expr.id, year_of(expr.when, own))
            return found if expr.of is None else pd.Series(found[expr.of], found.index)
        case a.Const():
            return pd.Series(expr.value, table().index)
        case a.Arith():
            left, right = value(expr.left, own, scope), value(expr.right, own, scope)
            return _arithmetic(expr.how, left, right)
        case a.Change():
            return _changed(expr, own)
        case a.Over():
            return _over(expr)
        case a.Across():
            return _across(expr, own, scope)
        case a.Rank():
            return _ranked(expr, own, scope)
        case a.Streak():
            return _streak(expr)
        case _:
            raise TypeError(expr)


def _arithmetic(how: str, left: pd.Series, right: pd.Series) -> pd.Series:
    if how == "add":
        return left + right
    if how == "sub":
        return left - right
    if how == "mul":
        return left * right
    return left / right.replace(0, np.nan) * (100 if how == "percent" else 1)


def _changed(expr: a.Change, own: int | None) -> pd.Series:
    last = own if expr.until.kind == "own" else int(str(expr.until.last))
    assert last is not None
    first = last - 1 if expr.since.kind == "before" else int(str(expr.since.first))
    then, now = column(expr.of, first), column(expr.of, last)
    if expr.how == "difference":
        return now - then
    sound = then.where(then > 0)
    if expr.how == "multiple":
        return now / sound
    if expr.how == "rate":
        return (now / sound - 1) * 100
    grown = (now.where(now > 0) / sound) ** (1 / (last - first))
    return (grown - 1) * 100


def _over(expr: a.Over) -> pd.Series:
    first, last = int(str(expr.window.first)), int(str(expr.window.last))
    years = pd.concat([column(expr.of, year) for year in range(first, last + 1)], axis=1)
    if expr.how == "count":
        return years.count(axis=1).astype(float)
    return getattr(years, _FOLDS[expr.how])(axis=1).where(years.notna().all(axis=1))


def _among(expr: a.Across | a.Rank, scope: a.Pred | None) -> pd.Series:
    chosen = expr.within or scope
    return holds(chosen) if chosen is not None else pd.Series(True, table().index)


def _key(own: str) -> list[pd.Series]:
    return [table().market] + ([table().industry] if own == "industry" else [])


def _across(expr: a.Across, own: int | None, scope: a.Pred | None) -> pd.Series:
    of = value(expr.of, own, scope)
    if expr.own is not None:
        grouped = of.groupby(_key(expr.own))
        if expr.how == "count":
            return grouped.transform("count").astype(float)
        return grouped.transform(_FOLDS[expr.how]).where(grouped.transform("count") > 0)
    some = of[_among(expr, scope)].dropna()
    if expr.how == "count":
        return pd.Series(float(len(some)), table().index)
    folded = getattr(some, _FOLDS[expr.how])() if len(some) else np.nan
    return pd.Series(folded, table().index)


def _ranked(expr: a.Rank, own: int | None, scope: a.Pred | None) -> pd.Series:
    of, up = value(expr.of, own, scope), expr.direction == "asc"
    groups = of.groupby(_key(expr.own)) if expr.own is not None else of.where(_among(expr, scope))
    if not expr.percentile:
        return groups.rank(method="min", ascending=up)
    ahead = groups.rank(method="min", ascending=not up) - 1
    count = groups.transform("count") if expr.own is not None else groups.count()
    return ahead / (count - 1) * 100


def _streak(expr: a.Streak) -> pd.Series:
    run, going = pd.Series(0.0, table().index), pd.Series(True, table().index)
    for year in range(2016, 2006, -1):
        going &= holds(expr.test, year)
        run += going
    known = _known(expr.test, 2016)
    return run.where(known)


def _known(test: a.Compare, year: int) -> pd.Series:
    return value(test.left, year).notna() & value(test.right, year).notna()


_SIGNS = {"lt": "__lt__", "le": "__le__", "gt": "__gt__", "ge": "__ge__", "eq": "__eq__"}


def holds(pred: a.Pred | None, own: int | None = None, scope: a.Pred | None = None) -> pd.Series:
    companies = table()
    match pred:
        case None:
            return pd.Series(True, companies.index)
        case a.In():
            return _in(pred)
        case a.Compare():
            left, right = value(pred.left, own, scope), value(pred.right, own, scope)
            return getattr(left, _SIGNS[pred.sign])(right) & left.notna() & right.notna()
        case a.Loss():
            return companies[pred.of].isna() & (companies.market_cap > 0)
        case a.Every() | a.Exists():
            tests = [
                holds(pred.test, year, scope)
                for year in range(int(str(pred.window.first)), int(str(pred.window.last)) + 1)
            ]
            counted = sum(one.astype(int) for one in tests)
            return counted >= (len(tests) if isinstance(pred, a.Every) else pred.least)
        case a.AllOf():
            return np.logical_and.reduce([holds(one, own, scope) for one in pred.items])
        case a.AnyOf():
            return np.logical_or.reduce([holds(one, own, scope) for one in pred.items])
        case a.Not():
            return ~holds(pred.item, own, scope)
        case _:
            raise TypeError(pred)


def _in(pred: a.In) -> pd.Series:
    companies = table()
    if pred.dim == "symbol":
        return companies.index.to_series().isin(pred.values)
    if pred.dim == "st":
        return companies.st.astype(bool)
    found = companies[pred.dim].isin(pred.values)
    if pred.dim == "board" and "sme" in pred.values:
        found |= companies.index.to_series().str.match(r"00[23]\d{3}\.SZ")
    return found


def rows_of(query: a.Query) -> pd.DataFrame:
    """The companies, in order where one was said, with a column for each expression shown."""
    chosen = holds(query.scope) & holds(query.where, scope=query.scope)
    if query.first is not None:
        chosen &= table().index.to_series().isin(rows_of(query.first).index)
    found = table()[chosen][["market", "industry", "board"]].copy()
    for at, one in enumerate(query.show):
        found[f"v{at}"] = value(one, scope=query.scope)[chosen]
    if not query.order:
        return found.sort_index()
    by = [f"o{at}" for at, _ in enumerate(query.order)]
    for name, one in zip(by, query.order, strict=True):
        assert one.by is not None
        found[name] = value(one.by, scope=query.scope)[chosen]
    found = found.sort_index(kind="stable")
    for name, one in reversed(list(zip(by, query.order, strict=True))):
        found = found.sort_values(
            name, ascending=one.direction == "asc", kind="stable", na_position="last"
        )
    return _taken(query, found)


def _taken(query: a.Query, found: pd.DataFrame) -> pd.DataFrame:
    take = query.take
    if take is None:
        return found
    found = found[found.o0.notna()]
    if take.per is None:
        return found.iloc[take.skip : take.skip + take.count]
    found = found[found[take.per].notna()]
    place = found.groupby(take.per).cumcount()
    kept = found[(place >= take.skip) & (place < take.skip + take.count)]
    return kept.sort_values(take.per, kind="stable")


def folded(query: a.Query, found: pd.DataFrame) -> list[float]:
    """The folds over these rows; nan where there is nothing to fold."""
    results: list[float] = []
    for one in query.fold:
        if one.of is None:
            results.append(float(len(found)))
            continue
        some = value(one.of, scope=query.scope).reindex(found.index).dropna()
        if one.how == "count":
            results.append(float(len(some)))
        else:
            results.append(float(getattr(some, _FOLDS[one.how])()) if len(some) else np.nan)
    return results


def grouped(query: a.Query) -> Mapping[str, list[float]]:
    """Group → its folds."""
    found = rows_of(query.model_copy(update={"order": (), "take": None}))
    assert query.group is not None
    return {str(name): folded(query, some) for name, some in found.groupby(query.group)}
