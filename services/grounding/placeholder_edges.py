"""What is typed onto a place, which prints figure and unit itself: it would change the figure."""

from services.core.claims import Claim
from services.grounding.tokens import CutText, Place, TextToken
from services.language.numbers import Number, number_at
from services.language.unit_words import BEFORE, MONEY_BEFORE

# The span, and the check it fails with its reasons.
Glued = tuple[int, int, tuple[str, str, str]]


def _is_bullet(text: str, at: int) -> bool:
    return text[at] == "-" and not text[text.rfind("\n", 0, at) + 1 : at].strip()


_TYPED: dict[str, frozenset[str]] = {
    "number": frozenset({"count", "rank"}),
    "count": frozenset({"count"}),
    "index": frozenset({"points", "score"}),
    "score": frozenset({"points", "score"}),
    "points": frozenset({"points"}),
    "rank": frozenset({"rank"}),
}


def find_glued_before(cut: CutText, token: TextToken, place: Place) -> Glued | None:
    """A digit, sign or foreign currency typed right before a place would change the figure."""
    text, at = cut.plain.text, token.start - 1
    money = MONEY_BEFORE.search(text, max(at - 8, 0), token.start)
    if money and BEFORE.get(money[1], "CNY") not in place.claim.unit:
        return money.start(), token.end, (
            "currency",
            "占位符前写了另一种货币：请只写占位符",
            "another currency is typed before the place; it prints its own",
        )  # fmt: skip
    before = text[at] if at >= 0 else ""
    if not before or before not in "0123456789.-+" or _is_bullet(text, at):
        return None
    return at, token.end, (
        "sign" if before in "+-" else "unsupported_number",
        "占位符前紧接了数字或正负号，会改变数值：请去掉",
        "a digit or sign right before the place changes the figure; remove it",
    )  # fmt: skip


def find_glued_behind(cut: CutText, token: TextToken, place: Place) -> Glued | None:
    """A digit, scale or unit typed onto a place, which prints its own."""
    text = cut.plain.text
    behind = number_at("1" + text[token.end : token.end + 12], 0)
    end = token.end + (behind.end - 1 if behind else 0)
    if behind is None or (behind.is_bare and behind.value == 1 and not behind.hedge):
        digit = text[token.end : token.end + 1]
        if not digit.isdigit() and not (digit == "." and text[token.end + 1 :][:1].isdigit()):
            return None
        end = token.end + 1
    elif behind.hedge:
        return None
    if behind is not None and _may_follow(behind, place.claim, text[token.start : token.end]):
        return None
    return token.start, end, (
        "unit",
        "占位符已带单位，其后又写了数字或单位：请只写占位符",
        "the place prints its own unit; nothing may be typed onto it",
    )  # fmt: skip


def _may_follow(behind: Number, claim: Claim, shown: str) -> bool:
    """A counting word after a figure that is printed without one: 1,204次."""
    return shown[-1:].isdigit() and behind.kind in _TYPED.get(claim.unit, frozenset())
