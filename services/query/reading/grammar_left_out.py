"""The rules of what is to go from a list, and of a bound set anew: one line each."""

# Meanings of phrases are of as many kinds as phrases: what stands at a place is known by its category.
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# ruff: noqa: E501 — one rule a line
# fmt: off

from typing import Any

from services.query.algebra.nodes import both
from services.query.reading import predicates as p
from services.query.reading import sets_said
from services.query.reading.bounds_said import Rebound, rebound
from services.query.reading.chart import STEP, Grammar

_HELD = ("up", "down", "loss", "profit")


def add_left_out(g: Grammar) -> None:
    """Sets and companies that are to go."""
    g.add("OUT = SET|SETS|ALLSETS|SETROW", sets_said.excluded, -STEP)
    g.add("OUT = ENTS", sets_said.without, -STEP)
    g.add("EXCL = except.pre OUT; EXCL = except.pre OUT except.post|after", lambda _, o, *__: o, 0.3)
    g.add("EXCL = OUT except.post", lambda o, _: o, 0.9)
    g.add("EXCL = SETROW except.each", lambda s, _: sets_said.excluded(s), 0.3)
    g.add("EXCL = neg SET", lambda _, s: sets_said.excluded(s), 0.3)
    g.add("EXCL = EXCL COMMA|join|bool.and EXCL", lambda a, _, b: both(a, b))
    g.add("EXCL = except.pre OUT join|bool.and OUT; EXCL = except.pre OUT join|bool.and OUT except.post|after", lambda _, a, __, b, *___: sets_said.both_gone(a, b), 0.3)
    g.add("EXCL = except.pre OUT join COND; EXCL = except.pre OUT join COND except.post", lambda _, a, __, c, *___: sets_said.both_gone(a, p.negated(c)), 0.3)


def add_gone(g: Grammar) -> None:
    """Rows that are to go, and a number that another stands for."""
    g.add("EXCL = ba OUT except.post|except.pre; EXCL = ba rel.in OUT except.post|except.pre", lambda *a: p.TakenOut(a[-2]))
    g.add("EXCL = ba COND except.post|except.pre; EXCL = ba rel.in COND except.post|except.pre", lambda *a: _hold_test(p.negated(a[-2])))
    g.add("edit = EVERY move|loss; edit = EVERY move|loss ask.yesno", lambda _, m, *__: f"each{m}", 0.3)
    g.add("edit = ever|ask.whichyear move|loss; edit = ask.whichyear follow.these move|loss; edit = move|loss ever|past", lambda *a: f"ever{next(x for x in a if x in _HELD)}", 0.3)
    g.add("CUT = TEST except.post|except.pre; CUT = ba TEST except.post|except.pre; CUT = except.pre TEST; CUT = exthose TEST", lambda *a: next(x for x in a if isinstance(x, tuple)), 1.0)
    g.add("EXCL = exthose COND; EXCL = exthose COND except.post|except.pre", lambda _, c, *__: _hold_test(p.negated(c)))
    g.add("EXCL = COND except.post", lambda c, _: p.negated(c), 0.9)
    g.add("EXCL = except.pre COND", lambda _, c: p.negated(c), 0.6)
    g.add("GONE = except.pre ORD; GONE = except.pre ORD except.post", lambda _, o, *__: o[0] if not o[1] else None)
    g.add("GONE = ORD except.post; GONE = ba ORD except.post|except.pre", lambda *a: a[-2][0] if not a[-2][1] else None)
    g.add("GONE = except.pre PICK; GONE = except.pre PICK row; GONE = ba PICK except.post|except.pre; GONE = ba PICK row except.post|except.pre; GONE = PICK except.post; GONE = PICK row except.post", lambda *a: next(x for x in a if isinstance(x, p.Sort)), 0.2)
    g.add("GONE = except.pre follow.these; GONE = except.pre follow.these except.post|after; GONE = ba follow.these except.post|except.pre", lambda *_: p.IT, 0.3)
    g.add("GONE = except.pre lastplace; GONE = ba lastplace except.post|except.pre", lambda *_: 0)
    g.add("INSTEAD = ENTS swap ENTS; INSTEAD = ba ENTS swap ENTS", lambda *a: (a[-3], a[-1]) if len(a[-3]) == len(a[-1]) == 1 else None)
    g.add("edit = rel.bi edit; edit = join edit rel.bi", lambda *a: f"since{x}" if (x := next(x for x in a if x not in ("bi", "and"))) in ("earlier", "daybefore") else None, -0.5)
    _add_limits(g)


def _add_limits(g: Grammar) -> None:
    """A bound that was said, set anew: the one of a number, or of a figure, the upper or the lower."""
    g.add("REBOUND = AMT swap AMT; REBOUND = ba AMT swap AMT", lambda *a: Rebound((None, a[-1], None), old=a[-3]) if a[-3] != a[-1] else None)
    g.add("LIMIT = limit", lambda side: (None, side))
    g.add("LIMIT = METRIC limit", lambda m, side: (m, side), -STEP)
    g.add("LIMIT = limit METRIC", lambda side, m: (m, side))
    for said in ("LIMIT swap", "ba LIMIT swap", "swap LIMIT", "swap LIMIT rel.to", "LIMIT rel.to", "LIMIT"):
        g.add(f"REBOUND = {said} BOUND", lambda *a: rebound(next(x for x in a if isinstance(x, tuple)), a[-1]), 0.1)
    g.add("TOP = limit NUM|COUNT", lambda said, n: n if said == "rows" else None)


def _hold_test(pred: Any) -> Any:
    return p.TakenOut(pred) if pred is not None else None
