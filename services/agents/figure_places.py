"""Figures that a model typed, made places of the claims that carry them.

A typed figure that was proved is right, but has no badge and no evidence: a reader could not follow
it. So it is replaced by its claim's own figure, or followed by it in brackets where the words say
something of their own (超过200亿元, 一成六). What is changed has to be proved again.
"""

import re
from collections.abc import Mapping

from services.core.claims import Claim
from services.core.rendering import PLACE, part_places, place, show, style_of
from services.core.text import Language
from services.grounding.ground import Grounded, Support

# A figure as it is, or nearly, with its currency and unit: its claim's exact figure says the same.
_PLAIN = re.compile(
    r"(?:约为?|大约|大概|近似|左右|about|around|roughly|approximately)?\s*"
    r"(?:人民币|港币|港元|美元|RMB|CNY|HKD|USD|(?:US|HK)?\$|[¥$])?\s*"
    r"[+\-−±]?[0-9][0-9,.]*[^0-9]{0,24}",
    re.IGNORECASE,
)


def with_places(
    written: str, found: Grounded, claims: Mapping[str, Claim], language: Language
) -> str:
    """The template with its typed figures as places; `found` is what was proved of it."""
    shown = _shown(part_places(written), claims, language)
    parts: list[str] = []
    done = 0
    for one in found.supported:
        if one.start < done or any(one.start < end and start < one.end for start, end in shown):
            continue
        parts += [_back(found.text, done, one.start, shown), _cited(one, claims, language)]
        done = one.end
    parts.append(_back(found.text, done, len(found.text), shown))
    return part_places("".join(parts))


def _cited(one: Support, claims: Mapping[str, Claim], language: Language) -> str:
    here = place(claims[one.claim_ids[0]])
    if _PLAIN.fullmatch(one.span):
        return here
    return f"{one.span}（{here}）" if language == "zh" else f"{one.span} ({here})"


def _shown(
    written: str, claims: Mapping[str, Claim], language: Language
) -> dict[tuple[int, int], str]:
    """Where each place of the template stands in its rendered text, and how it is written."""
    spans: dict[tuple[int, int], str] = {}
    shift = 0
    for found in PLACE.finditer(written):
        text = show(claims[found[1]], language, style_of(found[0])).text
        start = found.start() + shift
        spans[start, start + len(text)] = found.group()
        shift += len(text) - len(found.group())
    return spans


def _back(text: str, start: int, end: int, shown: dict[tuple[int, int], str]) -> str:
    """That part of the rendered text with its places as they were in the template."""
    parts: list[str] = []
    for (first, last), template in shown.items():
        if start <= first and last <= end:
            parts += [text[start:first], template]
            start = last
    return "".join([*parts, text[start:end]])
