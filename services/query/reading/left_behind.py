"""What a turn that was put back leaves to the next one: the queries its words may have meant, else
the companies it named and their time.

Worked out anew from the text of the turn, so that nothing but the text need be kept of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import cast

from services.language.lattice import FUNCTION, Token, uncovered
from services.query.algebra.nodes import Ask, Expr, In, Query
from services.query.algebra.scopes import named_symbols
from services.query.reading.chart import OverBudgetError, covers
from services.query.reading.errors import UnusedError
from services.query.reading.figures_told import is_of_companies
from services.query.reading.grammar import question_grammar
from services.query.reading.phrases import Fig, Time, figure
from services.query.reading.ranking import chart_of
from services.query.reading.request import Request, gathered
from services.query.reading.tagging import Lattice

# Companies and times, and what joins them; a figure counts only where all that was said is read.
_KEPT = frozenset(
    {"ENT", "WHEN", "COMMA", "join", "since", "until", "after", "edge", "between", FUNCTION}
)
# Of whom, when, and what of: nothing that would be done with it.
_SAYS_WHOM = _KEPT | {"METRIC", "NOFIG", "CONCEPT", "COUNT", "follow", "noun", "add", "NUM", "AMT"}
# With one of these a name is no subject: it is left out, or a bound, or a part of a set.
_NO_SUBJECT = ("except", "neg", "SCOPE", "told", "group")
# With one of these it is another one of what was spoken of.
_POINTING = ("swap", "only", "edit")
_MOST, _BUDGET = 4, 20_000


@dataclass(frozen=True, slots=True)
class TurnsBehind:
    """Queries a turn may go on from, oldest first. `is_sure`: nothing that was said is missing in
    them that could change which companies are shown; else what is read of them is only offered.
    """

    before: tuple[Query, ...] = ()
    is_sure: bool = True


def contexts_behind(
    answer: object, lattice: Lattice, before: Sequence[Query]
) -> tuple[TurnsBehind, ...]:
    """What may be gone on from behind a turn read as `answer` and put back; none where it leaves
    nothing to go on from.
    """
    options = answer.options if isinstance(answer, Ask) else (answer,)
    meant = [one for one in options if isinstance(one, Query)]
    if lattice.has("NOFIG", "CONCEPT"):  # without what is not held a set is another one
        meant = [one for one in meant if is_of_companies(one)]
    if meant:
        named, whole = _named(lattice), not _lacks_a_name(lattice)
        return tuple(
            TurnsBehind(
                (*before, one), is_sure=whole and is_of_companies(one) and _is_of(one, named)
            )
            for one in meant[:_MOST]
        )
    plain = {(one.start, one.end) for one in lattice.tokens if _says_no_more(one)}
    others = [
        one for one in lattice.tokens
        if one.is_sure and (one.start, one.end) not in plain
        and not any(start <= one.start and one.end <= end for start, end in lattice.unread_spans)
    ]  # fmt: skip
    # A word nobody knows is told as left aside; what was declined asks nothing more.
    is_sure = bool(lattice.has("refuse")) or not (others or _lacks_a_name(lattice))
    found = _subjects(lattice, before)
    return tuple(TurnsBehind((*before, one), is_sure=is_sure) for one in found)


def _says_no_more(one: Token) -> bool:
    """Whether a word asks nothing that a turn behind it would still mean."""
    return one.cat in _SAYS_WHOM or (one.cat == "ask" and one.sem in ("what", "list", "ones"))


def _lacks_a_name(lattice: Lattice) -> bool:
    """Whether a word that is not known stands in a row of names: 苹果、微软、谷歌."""
    unknown = [*lattice.unread, *((one.start, one.end) for one in lattice.has("CONCEPT"))]
    joints = [(one.start, one.end) for one in lattice.has("COMMA", "join")]
    names = [(one.start, one.end) for one in lattice.has("ENT")]

    def touch(one: tuple[int, int], other: tuple[int, int]) -> bool:
        between = lattice.text[min(one[1], other[1]) : max(one[0], other[0])]
        return not between.strip()

    return any(
        touch(joint, name) and touch(joint, one)
        for one in unknown for joint in joints for name in names
    )  # fmt: skip


def _named(lattice: Lattice) -> set[str]:
    return {one for word in lattice.has("ENT") for one in cast("tuple[str, ...]", word.sem)}


def _is_of(query: Query, named: set[str]) -> bool:
    """Whether it is of companies that the turn itself named: words not read choose no others."""
    return isinstance(query.scope, In) and set(query.scope.values) <= named


def _subjects(lattice: Lattice, before: Sequence[Query]) -> list[Query]:
    """The companies that were named, with the time that was said; a name of several listings as
    each of them. One that is added stands beside those spoken of.
    """
    more = lattice.has("add")
    last = before[-1] if before else None
    if more and (last is None or not is_of_companies(last)):
        return []
    beside = named_symbols(last.scope) if more and last is not None else None
    if lattice.has(*_NO_SUBJECT) or (lattice.has(*_POINTING) and not more):
        return []
    if not lattice.has("ENT"):
        return []
    if lattice.has("refuse"):  # 明年能不能买茅台: of whom, and nothing of what was declined
        lattice = replace(lattice, tokens=tuple(lattice.has("ENT", "COMMA", "join")), unread=())
    request = _said_of_whom(lattice, _KEPT) or _said_of_whom(lattice, _KEPT - {"WHEN"})
    if request is None or sum(len(one) > 1 for one in request.ents) > 1:
        return []
    time = request.when
    window = (time.days or time.periods) if time is not None else None
    asked = _said_of_whom(lattice, _KEPT | {"METRIC"})
    show = _figures_of(asked.mets, time) if asked is not None else ()
    found: list[Query] = []
    for one in list(product(*request.ents))[:_MOST]:
        whom = In(dim="symbol", values=tuple(dict.fromkeys((*(beside or ()), *one))))
        found += [Query(scope=whom, show=show)] if show else []
        found.append(Query(scope=whom, window=window))
    return found


def _figures_of(mets: Sequence[str], time: Time | None) -> tuple[Expr, ...]:
    """The figures that were said, of that time; none where one of them has no such time."""
    made = [figure(one, Fig(when=time)) for one in mets]
    return tuple(one for one in made if one is not None) if None not in made else ()


def _said_of_whom(lattice: Lattice, kept: frozenset[str]) -> Request | None:
    """The parts of a turn that are made of those words alone."""
    words = [one for one in lattice.tokens if one.cat in kept - {FUNCTION} and one.is_sure]
    # What lies in none of them says nothing here.
    gone = [Token(FUNCTION, *span, None, 0.0) for span in uncovered(lattice.text, words)]
    rest = replace(lattice, tokens=(*words, *gone), unread=())
    try:
        chart = chart_of(rest.text, rest.tokens, _BUDGET)
        parts = next((one for _, one in covers(question_grammar(), chart)), None)
        return gathered(parts) if parts else None
    except (OverBudgetError, UnusedError):
        return None
