"""Statements of one section as prose: time once a sentence, subject once, one turn a section.

A pure function of the statements: told again from the same records it is the same text, so that a
changed word is found. It joins and asserts nothing; 但 stands where the sum of stances turns.
"""

from collections.abc import Sequence
from typing import NamedTuple

from services.core.industries import industry_label
from services.core.record import Record
from services.core.rendering import PLACE
from services.statements.choosing import TITLES, Section
from services.statements.registry import AnyStatement
from services.statements.statement import Broken, Clause, Held, StatementTime
from services.statements.tongue import Tongue

_ORDER = (
    *("revenue", "net_profit", "eps", "roe", "gross_margin", "net_margin", "debt_to_assets"),
    *("equity", "dps", "market_cap", "pe_ttm", "pe_lyr", "pb", "ps_ttm", "dy_l", "close"),
)
_KINDS = ("level", "change", "pace", "compare", "signal", "extreme", "rank", "trend", "move")
# A sentence longer than this is parted; a place counts as a figure of that many characters.
_LONGEST = {"zh": 110, "en": 260}
_A_FIGURE = "00,000.00"
# Of so many figures what is said in the same words is said once.
_SAME_TAILS = 3


class Paragraph(Record):
    """Statements told together; `titled`: behind the heading of their section."""

    section: Section
    statements: tuple[AnyStatement, ...]
    titled: bool = False


class _Told(NamedTuple):
    statement: AnyStatement
    held: Held


class _Block(NamedTuple):
    """What is said of one figure at one time; `tail`: the one thing said of the head, if one."""

    text: str
    stance: int
    tail: str = ""


def tell(paragraph: Paragraph, tongue: Tongue) -> str | Broken:
    """The paragraph's text, a template; why not, where one of its statements does not hold."""
    told: list[_Told] = []
    for statement in paragraph.statements:
        held = statement.check(tongue.book)
        if isinstance(held, Broken):
            return held
        told.append(_Told(statement, held))
    by_time: dict[StatementTime, list[_Told]] = {}
    for one in told:
        by_time.setdefault(one.held.when, []).append(one)
    sentences: list[str] = []
    for when in sorted(by_time, key=lambda one: one.order, reverse=True):
        sentences += _of_one_time(when, by_time[when], tongue)
    heading = _heading(paragraph.section, tongue) if paragraph.titled else ""
    colon = tongue.pick("：", ": ") if heading else ""
    return heading + colon + tongue.pick("", " ").join(sentences)


def _heading(section: Section, tongue: Tongue) -> str:
    """The section's name; that of prices says whether they are a company's or an index, and of
    an industry of a market it is the industry's.
    """
    _, _, industry = tongue.book.symbol.partition(":")
    if industry and section == "market":
        return industry_label(industry).in_language(tongue.language)
    if section == "price" and tongue.is_index:
        return tongue.pick("指数", "Index")
    return tongue.pick(*TITLES[section])


def _of_one_time(when: StatementTime, told: Sequence[_Told], tongue: Tongue) -> list[str]:
    """What speaks for it first, what against it after one 但."""
    subjects: dict[str, list[_Told]] = {}
    clauses = [(one, one.statement.clause(one.held, tongue)) for one in told]
    tailed = {clause.head for _, clause in clauses if clause.tail}
    for one, clause in sorted(clauses, key=lambda pair: _place_in_order(pair[0])):
        if not clause.tail and clause.head in tailed:
            continue  # the figure is told by what is said of it
        subject = one.held.topic if clause.tail else f"{one.held.topic} {len(subjects)}"
        subjects.setdefault(subject, []).append(one)
    blocks: list[_Block] = []
    heads: set[str] = set()
    for same in subjects.values():
        blocks.append(_block(same, tongue, heads))
    sides = [[one for one in blocks if (one.stance < 0) == against] for against in (False, True)]
    turns = any(one.stance > 0 for one in sides[0])
    sentences: list[str] = []
    for against, side in enumerate(sides):
        for number, text in enumerate(_part_sentences(_join_alike(side, tongue), tongue)):
            at = tongue.at(when.period, when.day)
            if number == 0 and against and turns:
                text = tongue.pick(f"但{text}", f"but {text}")
            elif at and not sentences:
                text = f"{at}{tongue.comma}{text}"
            sentences.append(tongue.sentence(text))
    return sentences


def _place_in_order(one: _Told) -> tuple[int, str, int]:
    topic, kind = one.held.topic, one.statement.kind
    figure = _ORDER.index(topic) if topic in _ORDER else len(_ORDER)
    return (figure, topic, _KINDS.index(kind) if kind in _KINDS else len(_KINDS))


def _block(same: Sequence[_Told], tongue: Tongue, heads: set[str]) -> _Block:
    """The head once, then every tail; a price that was told (`heads`) goes without its figure."""
    clauses = [one.statement.clause(one.held, tongue) for one in same]
    tails = _tails(same, clauses, tongue)
    head = clauses[0].head
    if tongue.shown(head) in heads and tails and same[0].held.factor == "price":
        tails[0] = f"{tongue.price}{tongue.pick('', ' was ')}{tails[0]}"
        return _Block(tongue.pick("，", ", ").join(tails), sum(one.held.stance for one in same))
    heads.add(tongue.shown(head))
    if tongue.zh:
        text = "，".join([head, *tails])
    elif len(tails) > 1:
        text = f"{', '.join([head, *tails[:-1]])}, and {tails[-1]}"
    else:
        text = ", ".join([head, *tails])
    tail = tails[0] if len(tails) == 1 else ""
    return _Block(text, sum(one.held.stance for one in same), tail)


def _join_alike(blocks: Sequence[_Block], tongue: Tongue) -> list[_Block]:
    """Of three figures and more of which the same is said in the same words, it is said once."""
    alike: dict[str, list[_Block]] = {}
    for one in blocks:
        alike.setdefault(PLACE.sub("", one.tail), []).append(one)
    told: list[_Block] = []
    for one in blocks:
        same = alike[PLACE.sub("", one.tail)]
        if not one.tail or len(same) < _SAME_TAILS:
            told.append(one)
        elif one is same[0]:
            told.append(_tell_once(same, tongue))
    return told


def _tell_once(same: Sequence[_Block], tongue: Tongue) -> _Block:
    """The heads, and the tail with the places of each where they differ."""
    heads = tongue.listed([one.text.removesuffix(one.tail).rstrip("，, ") for one in same])
    slots = zip(*([found[0] for found in PLACE.finditer(one.tail)] for one in same), strict=True)
    filled = [slot if len(set(map(tongue.shown, slot))) > 1 else slot[:1] for slot in slots]
    left = iter(filled)
    tail = PLACE.sub(lambda _: tongue.listed(next(left)), same[0].tail)
    if any(len(slot) > 1 for slot in filled):
        text = tongue.pick(f"{heads}，分别{tail}", f"{heads}, {tail}, respectively")
    else:
        text = tongue.pick(f"{heads}，均{tail}", f"{heads}, each {tail}")
    return _Block(text, sum(one.stance for one in same))


def _tails(same: Sequence[_Told], clauses: Sequence[Clause], tongue: Tongue) -> list[str]:
    """Every tail; moves of a price that went one way are told in one breath."""
    moves = [
        one
        for one in same
        if one.statement.kind == "move" and one.held.when.day and one.held.word != "flat"
    ]
    together = len(moves) > 1 and len({one.held.word for one in moves}) == 1
    has_pace = any(one.statement.kind == "pace" for one in same)
    tails: list[str] = []
    for one, clause in zip(same, clauses, strict=True):
        if has_pace and one.statement.kind == "change":
            continue  # its rate is told with the one before it
        if together and one in moves:
            if one is moves[0]:
                tails.append(_moves(moves, tongue))
        elif clause.tail:
            tails.append(clause.tail)
    return tails


def _moves(moves: Sequence[_Told], tongue: Tongue) -> str:
    days = [tongue.day(one.held.uses[1].as_of) for one in moves]
    far = [tongue.figure(one.held.derived[0]) for one in moves]
    up = moves[0].held.word == "up"
    pairs = [f"{figure} since {day}" for figure, day in zip(far, days, strict=True)]
    return tongue.pick(
        f"较{'、'.join(days)}分别{'上涨' if up else '下跌'} {'、'.join(far)}",
        f"{'up' if up else 'down'} {tongue.listed(pairs)}",
    )


def _part_sentences(blocks: Sequence[_Block], tongue: Tongue) -> list[str]:
    """As few sentences as their length allows."""
    parts: list[list[str]] = []
    length = 0
    for block in blocks:
        size = len(PLACE.sub(_A_FIGURE, block.text))
        if parts and length + size <= _LONGEST[tongue.language]:
            parts[-1].append(block.text)
            length += size
        else:
            parts.append([block.text])
            length = size
    return [tongue.pick("；", "; ").join(part) for part in parts]
