"""How long it has gone on: years or sessions in a row, as a figure and as a condition.

A run is a figure like any other, so that it is shown, ranked and compared as they are:
`close:rising` in sessions, `net_profit:rising` and `dps:positive` in years.
"""

# Meanings of phrases are of as many kinds as phrases: what stands at a place is known by its category.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# ruff: noqa: E501 — one rule a line
# fmt: off

from dataclasses import replace
from typing import NamedTuple

from services.query.algebra.nodes import ALL, Compare, Const, Course, Sign, Streak
from services.query.reading import moves
from services.query.reading.chart import Grammar
from services.query.reading.figures_said import base, is_of_years
from services.query.reading.phrases import Amount, Fig, Time, figure
from services.query.reading.predicates import Condition, limited

_TURNS = {"up": "rising", "down": "falling", "profit": "positive", "loss": "negative"}
# What a company pays or does not: of it no growth is asked but whether there was any.
_PAID = "dps"


class Long(NamedTuple):
    """How long something has gone on is asked. `grain`: years or days."""

    turn: str
    grain: str


class HeldRun(NamedTuple):
    """So many sessions in a row, at least where nothing else was said."""

    turn: str
    sessions: int
    sign: Sign = "ge"
    is_ever: bool = False  # at any time, not up to now


def run_of(phrase: Fig, said: Long | None) -> Fig | None:
    """The phrase's figure as its run: 净利润连续几年增长, 连涨几天; 连续盈利 names the figure too."""
    if said is None or phrase.when is not None or phrase.agg or phrase.peer or phrase.series:
        return None
    of = phrase.single or ("" if phrase.mets else "close" if said.grain == "days" else "net_profit")
    if not of or (said.grain == "days") != (base(of) in ("close", "pct_change")):
        return None
    if said.grain == "years" and not is_of_years(of):
        return None
    if not phrase.mets and said.grain == "years" and said.turn in ("rising", "falling"):
        return None  # 连续增长几年: of what?
    name = "close" if said.grain == "days" else base(of)
    return replace(phrase, mets=(f"{name}:{said.turn}",))


def paid_for(phrase: Fig, grain: str, metric: str) -> Fig | None:
    """连续几年分红."""
    return run_of(replace(phrase, mets=(metric,)), Long("positive", grain)) if metric == _PAID and not phrase.mets else None


def paid_each_year(count: object, phrase: Fig) -> Condition | None:
    """连续五年分红: something was paid in each."""
    return moves.every_year(count, phrase, "gt", Amount(0.0, "number")) if phrase.mets == (_PAID,) else None


def has_run(phrase: Fig, run: HeldRun) -> Condition | None:
    """连涨三天的银行股."""
    window = phrase.when.days if phrase.when is not None and run.is_ever else None
    phrase = replace(phrase, when=None) if window is not None else phrase
    held = run_of(phrase, Long(run.turn, "days"))
    left = figure(held.mets[0], Fig()) if held is not None else None
    if run.is_ever and held is not None and isinstance(left, Streak | Course):
        left = Course(how="longest_rise" if run.turn == "rising" else "longest_fall", of="close", window=window or ALL)
    if left is None:
        return None
    return limited(phrase, Compare(sign=run.sign, left=left, right=Const(value=run.sessions, unit="sessions")))


def _has_ever_run(phrase: Fig, *said: object) -> Condition | None:
    """有没有连涨8天的时候: in all there is, not up to now."""
    runs = [one for one in said if isinstance(one, HeldRun)]
    return has_run(phrase, runs[0]._replace(is_ever=True))


def _has_run_then(phrase: Fig, *said: object) -> Condition | None:
    """七月以来有没有连涨三天的: in the time that was said."""
    return _has_ever_run(phrase, *said) if phrase.when is not None else None


def _has_run_in(phrase: Fig, *said: object) -> Condition | None:
    """Rose five days in a row in 2016."""
    dated = phrase.merged(Fig(when=said[-1])) if isinstance(said[-1], Time) else None
    return _has_run_then(dated, *said[:-1]) if dated is not None else None


def _signed(run: HeldRun, sign: object) -> HeldRun | None:
    """连跌五天以上."""
    return run._replace(sign=sign) if sign in ("gt", "ge") else None


def add_runs(g: Grammar) -> None:
    """One rule a line."""
    gone = "move|pmove|ask.growth|loss"
    g.add(f"LONG = RUNASK {gone}; LONG = {gone} RUNASK", lambda *a: _long(*a) or _long(*a[::-1]), 0.1)
    for long, grain in (("ask.years", "years"), ("ask.days", "days")):
        g.add(f"LONG = inrow {gone} {long}; LONG = {gone} inrow {long}; LONG = inrow {long} {gone}", lambda *a, grain=grain: _long(grain, next(x for x in a if x in _MOVED)))
    g.add("LONG = RUNMOVE", lambda m: Long(_TURNS[m], "days"))
    g.add("FIG = FIG LONG; FIG = LONG FIG", lambda *a: run_of(*sorted(a, key=lambda x: isinstance(x, Long))))
    g.add("FIG = LONG", lambda n: run_of(Fig(), n), 0.1)
    g.add("FIG = RUNASK FIG move|ask.growth", lambda n, f, m: run_of(f, _long(n, m)), 0.1)
    g.add("FIG = FIG RUNASK METRIC; FIG = FIG METRIC RUNASK", lambda f, *a: paid_for(f, *sorted(a, key=lambda x: x == _PAID)), 0.1)
    g.add("HELDRUN = RUNMOVED", lambda m: HeldRun(_TURNS[m[0]], m[1]))
    g.add("HELDRUN = RUNEVER", lambda m: HeldRun(_TURNS[m[0]], m[1], is_ever=True))
    g.add("COND = FIG HELDRUN ever; COND = FIG ask.yesno HELDRUN ever; COND = FIG ever HELDRUN; COND = FIG ever ask.yesno HELDRUN", _has_ever_run, -0.3)
    g.add("COND = FIG ask.yesno HELDRUN", _has_run_then, -0.1)
    g.add("COND = FIG HELDRUN WH; COND = FIG HELDRUN rel.in WH; COND = FIG ever HELDRUN WH; COND = FIG ever HELDRUN rel.in WH", _has_run_in)  # English says when behind
    move = "move|pmove"
    g.add(f"HELDRUN = inrow {move} CMP DAYS", lambda _, m, c, n: _signed(_run(m, n), c))
    g.add(f"HELDRUN = RUNDAYS {move}; HELDRUN = {move} RUNDAYS", lambda *a: _run(*sorted(a, key=lambda x: isinstance(x, int))))
    g.add(f"HELDRUN = {move} CMP RUNDAYS", lambda m, c, n: _signed(_run(m, n), c))
    g.add(f"HELDRUN = RUNDAYS postcmp {move}", lambda n, c, m: _signed(_run(m, n), c))
    g.add("HELDRUN = HELDRUN postcmp; HELDRUN = CMP HELDRUN", lambda *a: _signed(*sorted(a, key=lambda x: isinstance(x, str))))
    g.add("COND = HELDRUN", lambda r: has_run(Fig(), r), 0.6)
    g.add("COND = FIG HELDRUN", has_run)
    g.add("COND = RUN FIG; COND = FIG RUN", lambda *a: paid_each_year(*sorted(a, key=lambda x: isinstance(x, Fig))), 0.3)


_MOVED = ("up", "down", "loss", "profit", "yoy", "growth")


def _long(grain: object, move: object) -> Long | None:
    if grain not in ("years", "days"):
        return None
    return Long(_TURNS.get(str(move), "rising"), str(grain))


def _run(move: str, count: int) -> HeldRun:
    return HeldRun(_TURNS[move], count)
