"""The answer as the command line printed it, held against the paper of the pack it lies in.

Its figures are claims and its texts those of the paper; what neither says (how long a step took)
only the fingerprint vouches for.
"""

import re
from collections.abc import Iterator
from typing import cast

from pydantic import JsonValue

from services.core.rendering import PLACE, Style, render, show
from services.core.text import Language, Text
from services.evidence_pack.checks import can_be_shown, lines_of, table_lines
from services.evidence_pack.parts import RESULT, PackContent
from services.evidence_pack.size_limits import Fault

_TEXTS = frozenset(
    {
        "template",
        "summary",
        "summary_reason",
        "key_points",
        "recommendations",
        "risk_factors",
    }
)
_STYLES: tuple[Style, ...] = ("prose", "cell")
_CLAIM = re.compile(r"c_[0-9a-f]{16}")
_MARKS = re.compile(r"(?: \[E[0-9]+\])+$")
_SPACES = re.compile(r"\s+")
# A recommendation says its score to two places.
_HALF_A_PLACE = 0.005


def result_faults(content: PackContent) -> Iterator[Fault]:
    """Each claim it names that is not there, each text of an answer that is not the paper's, and a
    score that is not the one of its claim.
    """
    if content.result is None:
        return
    known = content.by_id
    told = _list_told(content)
    for place, key, text in _strings(content.result, RESULT, ""):
        for name in [*PLACE.findall(text), *([text] if _CLAIM.fullmatch(text) else [])]:
            if name not in known:
                yield _fault(place, "unknown_claim", f"{name} 不在包内", f"no such claim: {name}")
        lines = [_MARKS.sub("", one) for one in text.split("\n") if one.strip()]
        own = key in _TEXTS or place == f"{RESULT} text"
        if own and not all(_flat(one) in told for one in lines):
            yield _fault(
                place, "text_equal", "与 paper.json 的文字不同", "not a text of paper.json"
            )
    yield from _cells(content, content.result, RESULT)
    yield from _score(content)


def _cells(content: PackContent, value: JsonValue, place: str) -> Iterator[Fault]:
    """Each cell of an answer's table whose text is not its claim's figure."""
    if isinstance(value, list):
        for number, one in enumerate(cast("list[JsonValue]", value)):
            yield from _cells(content, one, f"{place}[{number}]")
    elif isinstance(value, dict):
        claim, text = content.by_id.get(str(value.get("claim_id"))), value.get("text")
        if claim is not None and isinstance(text, str) and can_be_shown(claim):
            language = content.paper.language
            shown = [show(claim, language, style).text for style in _STYLES]
            if text not in shown:
                told = f"{text} ≠ {shown[0]}"
                yield _fault(
                    place, "value_equal", f"数值不符：{told}", f"the value differs: {told}"
                )
        for name, one in cast("dict[str, JsonValue]", value).items():
            yield from _cells(content, one, f"{place} {name}")


def _score(content: PackContent) -> Iterator[Fault]:
    """A score by rule is the claim's; a model's stands in a text of the paper."""
    result = content.result
    if not isinstance(result, dict) or "hold_score" not in result:
        return
    place, said = f"{RESULT} hold_score", result["hold_score"]
    claim = content.by_id.get(str(result.get("score_claim")))
    if not isinstance(said, int | float):
        return
    if result.get("engine") == "rule":
        if claim is None or abs(claim.value - said) > _HALF_A_PLACE:
            figure = claim.value if claim else None
            told = f"{said} ≠ {figure}"
            yield _fault(place, "value_equal", f"数值不符：{told}", f"the value differs: {told}")
    elif not any(f"{said:g}" in line.template for _, line in lines_of(content.paper)):
        yield _fault(place, "value_equal", f"报告里没有 {said:g}", f"{said:g} is not in the report")


def _list_told(content: PackContent) -> frozenset[str]:
    """Every text of the paper, with its places and with its figures."""
    found: set[str] = set()
    lines = [*lines_of(content.paper), *table_lines(content.paper)]
    for _, line in lines:
        found.update(map(_flat, line.template.split("\n")))
        language: Language = line.language or content.paper.language
        try:
            shown = render(line.template, content.by_id, language)
        except (LookupError, ArithmeticError):
            continue
        found.update(map(_flat, shown.split("\n")))
    return frozenset(found)


def _strings(value: JsonValue, place: str, key: str) -> Iterator[tuple[str, str, str]]:
    """Every text in it with its place and the key it is under; a list's are its key's."""
    if isinstance(value, str):
        yield place, key, value
    elif isinstance(value, list):
        for number, one in enumerate(cast("list[JsonValue]", value)):
            yield from _strings(one, f"{place}[{number}]", key)
    elif isinstance(value, dict):
        for name, one in cast("dict[str, JsonValue]", value).items():
            yield from _strings(one, f"{place} {name}", name)


def _flat(text: str) -> str:
    return _SPACES.sub(" ", text).strip()


def _fault(place: str, check: str, zh: str, en: str) -> Fault:
    return Fault(place, check, Text(zh, en))
