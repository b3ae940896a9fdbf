"""An English question is answered in English, whatever it asks: notes, labels and reasons too."""

import re
from collections.abc import Iterator

import pytest

from services.query.answering.answers import Answered
from services.query.sessions import Planned
from tests.unit.query.bundled_query import youju
from tests.unit.query.stored_questions import STORED, questions

pytestmark = pytest.mark.xdist_group(STORED)

_HAN = re.compile(r"[一-鿿]")
# What no stored question asks: indicators and their notes, several listings, names with a code.
_OTHERS = (
    ("Tencent RSI",),
    ("China Merchants Bank Bollinger bands",),
    ("iFlytek volume ratio",),
    ("Moutai news",),
    ("BYD KDJ",),
    ("BYD A share and H share PE",),
    ("how's Ping An doing",),
    ("Hong Kong casinos by market cap", "drop galaxy"),
)


def _is_english(text: str) -> bool:
    """A code alone is of no language."""
    return bool(re.search("[a-z]{3}", text.lower())) and not _HAN.search(text)


def _english() -> Iterator[tuple[str, ...]]:
    for one in questions():
        texts = tuple(turn["text"] for turn in one["turns"])
        if one["lang"] == "en" and all(map(_is_english, texts)):
            yield texts


def _told(made: "Answered | Planned") -> Iterator[str]:
    """All that is read of a turn, but titles of notes and texts, which are quoted."""
    if made.turn.ask_back is not None:
        yield made.turn.ask_back.reason
        yield from made.turn.ask_back.choices
    if not isinstance(made, Answered):
        return
    draft = made.draft
    yield from (draft.plan_words, draft.text, *draft.notes, *draft.lacks)
    if draft.table is not None:
        yield from draft.table.columns
        for row in draft.table.rows:
            yield row.label
            yield from (cell.text or cell.reason or "" for cell in row.cells)


@pytest.mark.parametrize("texts", [*_OTHERS, *_english()], ids=" / ".join)
def test_an_english_question_is_answered_without_chinese(texts: tuple[str, ...]) -> None:
    session = None
    for text in texts:
        made = youju().query.ask(text, session)
        session = made.session_id
        assert not [one for one in _told(made) if _HAN.search(one)]
