"""What is found of one span of a text: the claims that carry it, or the check it fails."""

from dataclasses import dataclass
from typing import Literal

from services.core.claims import Claim
from services.grounding.tokens import TextToken


@dataclass(frozen=True, slots=True)
class Verdict:
    """A span with the claims that carry it, or the check it fails (a warning does not refuse it)
    and the `claim` it was held against.

    Offsets are of the plain text, of the shown one where `is_shown`.
    """

    start: int
    end: int
    check: str = ""
    zh: str = ""
    en: str = ""
    claim: Claim | None = None
    claim_ids: tuple[str, ...] = ()
    is_warning: bool = False
    is_shown: bool = False


Standing = Literal["agrees", "differs", "undecided"]
# Why a figure is undecided, or what to mind of one that agrees.
Mind = Literal["", "older", "vague", "unpaired", "unnamed", "unheld", "whose", "unit", "time"]


@dataclass(frozen=True, slots=True)
class Weighed:
    """A figure of a text from outside against the claims: those that carry it, or those that say
    otherwise, the nearest first; of an undecided one those of another time, the newest first.
    `name`: the figure as the text names it. Offsets are of the plain text.
    """

    start: int
    end: int
    standing: Standing
    mind: Mind = ""
    claims: tuple[Claim, ...] = ()
    name: str = ""


def refuse_figure(start: int, end: int) -> Verdict:
    """A figure that nothing carries and that is nearly nothing."""
    return Verdict(
        start, end, "unsupported_number",
        "没有证据支持这个数字：请引用一条证据，或删去",
        "no claim carries this figure: cite a claim, or remove it",
    )  # fmt: skip


def vague(start: int, end: int) -> Verdict:
    """数十亿: no number that could be compared."""
    return Verdict(
        start, end, "unsupported_number",
        "说法含糊，没有数值可以核对：请写证据的数值",
        "vague, with no number to compare: write the figure of a claim",
    )  # fmt: skip


def refuse_time(token: TextToken) -> Verdict:
    """A time that no claim is of."""
    return Verdict(
        token.start, token.end, "period",
        "没有任何证据属于这个时间：请写证据的日期或报告期",
        "no claim is of this time: write the day or report period of a claim",
    )  # fmt: skip


def double_negative(start: int, end: int) -> Verdict:
    """A way of writing that is true and odd: no refusal."""
    return Verdict(
        start, end, "double_negative",
        "方向词后又写了负号：请写下降加正数",
        "a word of direction and a minus: say down, and the number without its sign",
        is_warning=True,
    )  # fmt: skip
