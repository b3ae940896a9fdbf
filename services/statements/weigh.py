"""The answer: what speaks for a company and what against, each side only its own, none left out."""

from collections.abc import Sequence
from typing import Literal

from services.core.catalogue import CATALOGUE
from services.core.record import Record
from services.statements.book import Book, limit
from services.statements.candidates import StatementCandidate, is_of_one_peer, is_old
from services.statements.registry import AnyStatement
from services.statements.statement import Broken, BrokenError, Held, Stance, need
from services.statements.tongue import Tongue

_A_SIDE, _A_FACTOR = 3, 2
_PLURAL = {"has": "have", "is": "are"}


class Weigh(Record):
    """Statements of each side, the most telling first."""

    kind: Literal["weigh"] = "weigh"
    pro: tuple[AnyStatement, ...] = ()
    con: tuple[AnyStatement, ...] = ()

    def check(self, book: Book, known: Sequence[StatementCandidate]) -> Broken | None:
        """Why it may not be said; None where it may. `known` is all that code found true: a side
        is not called empty while it has a telling statement.
        """
        try:
            for side, stance in ((self.pro, 1), (self.con, -1)):
                for one in side:
                    held = one.check(book)
                    if isinstance(held, Broken):
                        return held
                    need(held.stance == stance, "wrong_side", one.kind)
                    need(one.brief(held, Tongue("zh", book)), "wrong_side", one.kind)
                told = side or not any(
                    one.held.stance == stance and is_telling(one, book) for one in known
                )
                need(told, "one_sided")
        except BrokenError as error:
            return error.broken
        return None

    def say(self, book: Book, tongue: Tongue, name: str = "") -> str:
        """The answer in words, about `name`; no figure."""
        pro, con = (_list_side(side, book, tongue) for side in (self.pro, self.con))
        if tongue.is_index and (pro or con):
            return tongue.sentence(_of_index(name, pro, con, tongue))
        colon = tongue.pick("", f"{name}: " if name else "")
        if pro and con:
            told = tongue.pick(
                f"{name}有利有弊：{pro}；但{con}",
                f"{f'{name}, a' if name else 'a'} mixed picture: {pro}; but {con}",
            )
        elif pro:
            told = tongue.pick(
                f"{name}查到的都是有利的一面：{pro}；没有查到不利的，不等于没有",
                f"{colon}what was found is all favourable: {pro}; that nothing was found against "
                "it does not mean there is nothing",
            )
        elif con:
            told = tongue.pick(
                f"{name}查到的都是不利的一面：{con}；没有查到有利的，不等于没有",
                f"{colon}what was found is all unfavourable: {con}; that nothing was found for "
                "it does not mean there is nothing",
            )
        else:
            told = tongue.pick(
                f"{name}：取得的数据不足以作出判断" if name else "取得的数据不足以作出判断",
                f"{colon}the data that came do not carry a judgement",
            )
        return tongue.sentence(told)


def weighed(chosen: Sequence[StatementCandidate], book: Book) -> Weigh:
    """The most telling of both sides: at most three a side, two a factor, one a figure."""
    sides: dict[int, list[StatementCandidate]] = {1: [], -1: []}
    doubled: dict[int, list[StatementCandidate]] = {1: [], -1: []}
    tongue = Tongue("zh", book)
    for one in sorted(chosen, key=lambda each: -each.salience):
        side = sides.get(one.held.stance)
        if side is None or not one.statement.brief(one.held, tongue):
            continue
        other = sides[-one.held.stance]
        # Above one year and below another: of both sides only where a side has nothing else.
        said = {(each.statement.kind, each.held.topic) for each in other}
        if (one.statement.kind, one.held.topic) in said:
            doubled[one.held.stance].append(one)
            continue
        topics = {each.held.topic for each in side}
        same = sum(each.held.factor == one.held.factor for each in side)
        if one.held.topic not in topics and same < _A_FACTOR and len(side) < _A_SIDE:
            side.append(one)
    for stance, side in sides.items():
        side.extend([] if side else doubled[stance][:1])
    return Weigh(
        pro=tuple(one.statement for one in sides[1]), con=tuple(one.statement for one in sides[-1])
    )


def is_telling(one: StatementCandidate, book: Book) -> bool:
    """Whether a side with this may not be called empty."""
    has_words = bool(one.statement.brief(one.held, Tongue("zh", book)))
    new = not is_old(one.held, book) and not is_of_one_peer(one)
    return has_words and new and one.salience >= limit("telling_salience")


def strongest(
    known: Sequence[StatementCandidate], side: Stance, book: Book
) -> list[StatementCandidate]:
    """The two most telling figures of a side, one statement each."""
    found: dict[str, StatementCandidate] = {}
    for one in known:
        if one.held.stance == side and is_telling(one, book) and len(found) < 2:
            found.setdefault(one.held.topic, one)
    return list(found.values())


def _of_index(name: str, pro: str, con: str, tongue: Tongue) -> str:
    """An index is no holding that has its good and its bad side: which way it went is all."""
    told = tongue.pick("；但", "; but ").join(side for side in (pro, con) if side)
    if name and told.startswith(tongue.price):
        return name + told.removeprefix(tongue.price)
    return f"{name}{tongue.pick('：', ': ')}{told}" if name else told


def _list_side(side: Sequence[AnyStatement], book: Book, tongue: Tongue) -> str:
    """The side's briefs; those that differ in the figure's name alone in one."""
    said: dict[str, list[str]] = {}
    for one in side:
        held = one.check(book)
        brief = "" if isinstance(held, Broken) else one.brief(held, tongue)
        name = (
            tongue.label(held.topic) if isinstance(held, Held) and held.topic in CATALOGUE else ""
        )
        # "net profit and revenue growth picked up" would say that net profit did.
        names = (f"{name} growth", name) if name else ()
        tail = next((brief.removeprefix(each) for each in names if brief.startswith(each)), brief)
        said.setdefault(tail, []).append(brief.removesuffix(tail))
    told = [tongue.listed(names) + _of_many(tail, names) for tail, names in said.items()]
    return "，".join(told) if tongue.zh else tongue.listed(told)


def _of_many(tail: str, names: Sequence[str]) -> str:
    """The tail as it follows one name or several: has, have."""
    verb, _, rest = tail.removeprefix(" ").partition(" ")
    plural = _PLURAL.get(verb)
    return f" {plural} {rest}" if plural and len(names) > 1 else tail
