"""What answers a question put back: `601318`, `第二个`, `5%`; of a set of companies 地产那个."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import cast

from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.symbols import Symbol
from services.language.lattice import FUNCTION
from services.language.plain_text import is_cjk, lower, plain_question
from services.query.algebra.nodes import Dimension, Query
from services.query.algebra.scopes import named_symbols
from services.query.planning.nlir import AskBack
from services.query.reading.clarification import EXAMPLES
from services.query.reading.phrases_said import set_of
from services.query.reading.shapes import Market, is_of
from services.query.reading.tagging import Lattice

_FILE = DATA_FOLDER / "lexicon" / "replies.toml"
# A company as a choice names it: 中国平安(601318.SH).
_CODE = re.compile(r"\(([0-9A-Z.]+)\)")
_MARKS = "?!.,。？！， "
# An amount left unfinished at the end of a question gives way to the one replied.
_NUMBER = re.compile(r"[\d.]+$")
_LEAST = 2


def choice_of(reply: str, before: str, back: AskBack) -> Sequence[str]:
    """The choices that a reply may be: the one of that place, of that market, or with its words.

    `before` is the question put back as `back`; the same question again is no reply. An example of
    what can be asked at all is chosen by its place alone: 2016呢 means none of them.
    """
    said, choices = bare(reply), back.choices
    if not choices or not said:
        return ()
    if (place := _of(said, "places")) is not None:
        return choices[int(place) - 1 : int(place)]
    if (market := _of(said, "markets")) is not None:
        return [one for one in choices if market in _markets(one)]
    if len(said) < _LEAST or said == lower(plain_question(before)):
        return ()
    examples = {one for some in EXAMPLES.values() for one in some}
    offered = (one for one in choices if one not in examples)
    return [one for one in offered if said in lower(plain_question(one))]


def joined(reply: str, before: str) -> tuple[str, ...]:
    """The question with the reply in it, each way it may go on: to be read, in this order."""
    said, text = bare(reply), before.strip(_MARKS)
    link = "的" if is_cjk(text[:1]) or is_cjk(said[:1]) else " "
    end = _NUMBER.sub("", text) if said[:1].isdigit() else text
    return (f"{said}{link}{text}", f"{end}{said}", f"{text}{link}{said}") if said and text else ()


def points_at_told(turn: Lattice) -> bool:
    """Their P/S, 它们的市销率: of companies that were told, and no answer to what was put back."""
    said = bare(turn.text)
    begins = any(_begins(said, one) for one in _words()["pointing"]["plural"])
    return begins or any(one.sem == "these" for one in turn.has("follow"))


def bare(reply: str) -> str:
    """The reply without what is said around it: 就选港股那个吧 → 港股."""
    said = lower(plain_question(reply)).strip(_MARKS)
    words = _words()["around"]
    while True:
        lead = next((one for one in _longest(words["lead"]) if _begins(said, one)), "")
        rest = said[len(lead) :].strip(_MARKS)
        tail = next((one for one in _longest(words["tail"]) if _ends(rest, one)), "")
        rest = rest[: len(rest) - len(tail)].strip(_MARKS)
        if not rest or rest == said:
            return said
        said = rest


def _begins(said: str, word: str) -> bool:
    return said.startswith(word) and (is_cjk(word[0]) or said[len(word) :][:1] == " ")


def _ends(said: str, word: str) -> bool:
    return said.endswith(word) and (is_cjk(word[0]) or said[: -len(word)][-1:] == " ")


def _longest(words: Sequence[str]) -> Sequence[str]:
    return sorted(words, key=len, reverse=True)


def _of(said: str, table: str) -> str | None:
    return next((name for name, listed in _words()[table].items() if said in listed), None)


def _markets(choice: str) -> set[str]:
    """The markets of the codes a choice names."""
    return {Symbol.parse(code).market for code in _CODE.findall(choice) if code.upper() == code}


@cache
def _words() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return read_data_file(_FILE).tables


_BESIDE_A_SET = frozenset({"SCOPE", "noun", "follow", FUNCTION, "COMMA", "count", "row", "winner"})


def choices_in_set(reply: Lattice, choices: Mapping[str, Query], market: Market) -> Sequence[str]:
    """The choices about companies of the sets that a reply names and says nothing else, or, of
    none, those whose industry no source gives; none where they differ in more than companies.
    """
    words = [one for one in reply.tokens if one.is_sure]
    sets = [cast("tuple[Dimension, tuple[str, ...], str | None]", one.sem) for one in words
            if one.cat == "SCOPE"]  # fmt: skip
    named = {one: named_symbols(query.scope) for one, query in choices.items()}
    if not sets or reply.unread or any(one.cat not in _BESIDE_A_SET for one in words):
        return ()
    if len(set(named.values())) < len(choices) or None in named.values():
        return ()
    scopes = [set_of(one) for one in sets]  # 证券 A股: in both
    of = {choice: symbols for choice, symbols in named.items() if symbols}
    inside = [
        choice
        for choice, all_of in of.items()
        if all(is_of((one,), scope, market) for scope in scopes for one in all_of)
    ]
    unknown = (
        choice for choice, all_of in of.items()
        if any(not market.book.row(one).industry for one in all_of)
    )  # fmt: skip
    return inside or list(unknown)
