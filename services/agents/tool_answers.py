"""A tool's answer as text for a model: figures as places to copy, outside texts as quotations.

Every figure stands as `{{c:ID}} (401.55 亿元)`, so citing is copying. What was written outside is
put between marks that carry a word made for this run: a text cannot close its own quotation. An
answer too long for a model loses its oldest rows, and says so.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, cast

from services.core.claims import Claim, Missing
from services.core.rendering import PLACE, place, show
from services.core.text import Language, Text
from services.tools.wire import Absent, Cited, Scaled

LONGEST = 12_000
# Keys of tools' answers under which texts from outside stand (services/tools/quoted.py); our own
# notes that share one (a passage of the knowledge base) are quoted, too, which harms nobody.
_OUTSIDE = frozenset(
    {"title", "text", "summary", "author", "origin", "link", "url", "screen_name", "query"}
)
# Names of records: no tool takes one, and a source could write anything into them.
_UNTOLD = frozenset({"id", "tool_call_id"})
_DATED = ("time", "date", "published", "period_end", "period", "end")
_CUT = "…（后面的略去：太长 | the rest is left out: too long）"
_NOTE = 90
_HIDDEN = "▢"
_BRACES = re.compile(r"\{(?=\{)")
_TITLED = re.compile(r"(《)([^《》]*)(》)")


@dataclass(slots=True)
class ToolAnswer:
    """What the model is told, and the claims whose places stand in it, in order."""

    text: str = ""
    claims: list[Claim] = field(default_factory=list[Claim])


class Showing:
    """Writes answers for one run; `word` is the run's own, in the marks of quotations."""

    def __init__(self, word: str, language: Language) -> None:
        """`word` must not be guessable by whoever wrote the texts."""
        self._word = word
        self._language: Language = language

    @property
    def marks(self) -> tuple[str, str]:
        """What opens and what closes a quotation."""
        return f"<外部文本 {self._word}>", f"</外部文本 {self._word}>"

    def of(self, result: Mapping[str, object]) -> ToolAnswer:
        """The answer as JSON text of bounded length."""
        shown = ToolAnswer()
        told = self._tell_item(result, shown, outside=False)
        shown.text = _write_bounded(told)
        standing = set(PLACE.findall(shown.text))
        shown.claims = [one for one in shown.claims if one.claim_id in standing]
        return shown

    def _tell_item(self, item: object, shown: ToolAnswer, *, outside: bool) -> Any:
        if item is None or isinstance(item, bool):
            return item
        if isinstance(item, str):
            return self._quote_text(item) if outside else self._plain(item)
        if isinstance(item, Text):
            return self._plain(item.zh)
        if isinstance(item, date):
            return item.isoformat()
        if isinstance(item, Mapping):
            pairs = cast("Mapping[str, object]", item)
            return {
                name: self._tell_item(value, shown, outside=outside or name in _OUTSIDE)
                for name, value in pairs.items()
                if name not in _UNTOLD
            }
        if isinstance(item, Sequence):
            values = cast("Sequence[object]", item)
            rows = [self._tell_item(value, shown, outside=outside) for value in values]
            return _Rows(rows) if rows and all(isinstance(row, dict) for row in rows) else rows
        return self._figure(item, shown)

    def _figure(self, item: object, shown: ToolAnswer) -> str:
        if isinstance(item, Missing | Absent):
            return f"（没有：{self._plain(Text.of(item.reason).zh)}）"
        if isinstance(item, Cited):
            shown.claims += item.claims.values()
            return self._sentence(item)
        claim = item.claim if isinstance(item, Scaled) else item
        if not isinstance(claim, Claim):
            raise TypeError(f"a {type(item).__name__} cannot be told to a model, only a Claim can")
        shown.claims.append(claim)
        return self._place_claim(claim)

    def _sentence(self, item: Cited) -> str:
        """A sentence of ours with what its places print; titles in it are texts from outside."""
        before, after = self.marks
        told = _TITLED.sub(
            lambda found: f"{found[1]}{before}{self._plain(found[2])}{after}{found[3]}",
            item.template.replace(self._word, _HIDDEN),
        )
        return PLACE.sub(lambda found: self._place_claim(item.claims[found[1]]), told)

    def _place_claim(self, claim: Claim) -> str:
        return f"{place(claim)} ({show(claim, self._language).text})"

    def _quote_text(self, text: str) -> str:
        before, after = self.marks
        return f"{before}{self._plain(text)}{after}"

    def _plain(self, text: str) -> str:
        """A text that can neither close a quotation nor make a place."""
        return _BRACES.sub("{ ", text.replace(self._word, _HIDDEN))


@dataclass(slots=True)
class _Rows:
    """A list of rows on its way to the model; `left_out` of them were too many."""

    rows: list[Any]
    left_out: int = 0

    def shorten(self, excess: int) -> None:
        """Lose the oldest rows until `excess` letters are gone; one row stays."""
        last = not self._oldest_first()
        gone = 0
        while len(self.rows) > 1 and gone < excess:
            gone += len(_write_json(self.rows.pop(-1 if last else 0))) + 2
            self.left_out += 1

    def listed(self) -> list[Any]:
        """The rows, and on the side where some were: how many."""
        rows = [_list_plainly(row) for row in self.rows]
        if not self.left_out:
            return rows
        note = (
            f"（另有 {self.left_out} 行更早的或排在后面的没有列出 | {self.left_out} rows left out）"
        )
        return [note, *rows] if self._oldest_first() else [*rows, note]

    def _oldest_first(self) -> bool:
        for key in _DATED:
            days = [one for row in self.rows if (one := str(row.get(key) or ""))[:1].isdigit()]
            if len(days) > 1 and days[0] != days[-1]:
                return days == sorted(days)
        return False


def _write_bounded(told: object) -> str:
    """The JSON text; the longest list of rows loses rows until it fits."""
    written = _write_json(told)
    while len(written) > LONGEST:
        long = [one for one in _lists(told) if len(one.rows) > 1]
        if not long:
            return written[:LONGEST] + _CUT
        max(long, key=lambda one: len(_write_json(one))).shorten(len(written) - LONGEST + _NOTE)
        written = _write_json(told)
    return written


def _write_json(told: object) -> str:
    return json.dumps(_list_plainly(told), ensure_ascii=False)


def _list_plainly(told: object) -> Any:
    """The answer in which every list of rows is a plain list."""
    if isinstance(told, _Rows):
        return told.listed()
    if isinstance(told, dict):
        pairs = cast("dict[str, object]", told)
        return {name: _list_plainly(value) for name, value in pairs.items()}
    if isinstance(told, list):
        return [_list_plainly(value) for value in cast("list[object]", told)]
    return told


def _lists(told: object) -> list[_Rows]:
    """Every list of rows in an answer, those within rows too."""
    if isinstance(told, dict):
        return [one for value in cast("dict[str, object]", told).values() for one in _lists(value)]
    if isinstance(told, list):
        return [one for value in cast("list[object]", told) for one in _lists(value)]
    if isinstance(told, _Rows):
        return [told, *(one for row in told.rows for one in _lists(row))]
    return []
