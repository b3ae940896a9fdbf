"""What answers a question put back: `601318`, `港股那个`, `第二个`, `5%` become the full question.

The reply is put where the earlier question was not clear; the parser then reads the whole of it.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from services.language.numerals import small_number
from services.language.plain_text import lower, plain_question
from services.query.planning.nlir import AskBack
from services.query.reading import screen_grammar as grammar
from services.query.reading.clarification import AskedBack
from services.query.reading.question import Question, QuestionReader
from services.query.reading.wording import MARKETS

# Which question back is answered by what.
_WHO = frozenset({"ambiguous", "unknown_company", "unlisted_there", "mapped"})
WHICH_FIGURE = frozenset({"no_figure", "unknown_figure", "advice", "prediction"})
HOW_MUCH = frozenset({"unfinished", "vague", "wrong_condition"})
_LEAD = re.compile(
    r"^(?:那就|那|就是|就|选择|选|我要|要|我说的是|我是说|我指的是|指的是|是|看下|看看|看|查|"
    r"i mean|i meant|the)[:,，]? ?"
)
_TAIL = re.compile(r"(?:呢|那个|那只|那家|那支|上市的|的|吧|啊|呀|哦|one| please|[?!.,。？！，])+$")
_NTH = re.compile(
    r"(?:第(?P<zh>[一二三四五六七八\d])(?:个|家|只|项|条|种)?|(?P<digit>\d)|"
    r"(?P<en>first|second|third|fourth|fifth|last))"
)
_WORDED: Mapping[str, int] = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
_MARKET = re.compile(
    "|".join(re.escape(word) for word in sorted(MARKETS, key=len, reverse=True))
    + "|hong ?kong|hk|us|mainland|shanghai|shenzhen"
)
_MORE_MARKETS = {"us": "美股", "mainland": "A股", "shanghai": "A股", "shenzhen": "A股"}
# The code in a choice tells its market.
_CODES: Mapping[str, re.Pattern[str]] = {
    "A股": re.compile(r"\(\d{6}\.(?:SH|SZ)\)"),
    "港股": re.compile(r"\(\d{5}\.HK\)"),
    "美股": re.compile(r"\([A-Z][A-Z.]*\)"),
}
_AMOUNT = re.compile(rf"(?:{grammar.NUM}|{grammar.TERM})")
_BEGINS = re.compile(grammar.NUM)
_CHANGING = re.compile(r"^(?:改成|改为|换成|那就|应该是|是|就|to |make it )*")


class PutBack(NamedTuple):
    """The earlier question as it was said, its question back, and why it was put."""

    text: str
    ask_back: AskBack
    kind: str
    said: tuple[str, ...]


class Replies:
    """Reads replies on one list of names. Safe to share between threads."""

    def __init__(self, reader: QuestionReader) -> None:
        self._reader = reader

    def in_full(self, reply: str, put: PutBack) -> str:
        """The question the reply makes whole; the reply itself when it answers nothing.

        Raises: AskedBack with fewer choices, when several still fit.
        """
        said = _bare(reply)
        if not said:
            return reply
        if put.kind in _WHO and (found := self._chosen(said, put)):
            return found
        if put.kind in HOW_MUCH:
            return self._amount(reply, put) or reply
        if put.kind in {"which_periods", "no_report"} and self._is_time(reply):
            return f"{put.text} {reply}"
        return self._company_or_figure(reply, said, put) or reply

    def _chosen(self, said: str, put: PutBack) -> str | None:
        choices = put.ask_back.choices
        if match := _NTH.fullmatch(said):
            words = match.groupdict()
            at = _WORDED.get(words["en"] or "", len(choices))
            at = small_number(words["zh"] or words["digit"] or "") or at
            return choices[at - 1] if 1 <= at <= len(choices) else None
        if match := _MARKET.fullmatch(said):
            word = match.group()
            market = MARKETS.get(word) or _MORE_MARKETS.get(word) or "港股"
            return _one_of([one for one in choices if _CODES[market].search(one)], put)
        if len(said) > 1 and said != lower(plain_question(put.text)):
            return _one_of([one for one in choices if said in lower(plain_question(one))], put)
        return None

    def _company_or_figure(self, reply: str, said: str, put: PutBack) -> str | None:
        """A company or a figure alone, put into the earlier question."""
        try:
            question = self._reader.read(reply)
        except AskedBack as back:
            if back.kind not in {"ambiguous", "unknown_company"}:
                return None
            is_company = lower(plain_question(back.said[0])) == said
            return _with_company(said, put) if is_company else None
        if _is_company_alone(question):
            return _with_company(said, put)
        if question.symbols or not question.figures or not _is_figure_alone(question):
            return None
        if put.kind == "unknown_figure" and question.times.is_empty:
            return _replaced(put, "、".join(one.said for one in question.sentence.figures))
        company = "、".join(self._reader.named(put.text)) if put.kind in WHICH_FIGURE else ""
        return company + (" " if question.language == "en" else "的") + said if company else None

    def _is_time(self, reply: str) -> bool:
        try:
            question = self._reader.read(reply)
        except AskedBack:
            return False
        said = (question.symbols, question.figures, question.leftover)
        return not any(said) and not question.times.is_empty

    def _amount(self, reply: str, put: PutBack) -> str | None:
        """A figure or bounds for the one condition that was not clear, the others as before."""
        try:
            earlier = self._reader.read(put.text)
        except AskedBack:
            return None
        said = earlier.screening
        if said.wrong is None or not said.wrong[0]:
            return None
        name, bound = said.wrong[0], _CHANGING.sub("", lower(plain_question(reply)))
        if (
            said.half
            and lower(plain_question(put.text)).endswith(said.half)
            and _BEGINS.match(bound)
        ):
            return f"{put.text}{bound}"
        if said.half and _AMOUNT.fullmatch(bound):
            bound = bound if re.match(grammar.OP, bound) else said.half + bound
        try:
            meant = self._reader.read(f"{name}{bound}")
        except AskedBack:
            return None
        if meant.screening.wrong or not meant.screening.conditions or meant.leftover:
            return None
        return self._again(earlier, f"{name}{bound}")

    def _again(self, earlier: Question, condition: str) -> str:
        """The screen of the earlier question with that condition."""
        said, screens = earlier.screening, self._reader.screens
        parts = [said.category or "", f"{said.industry}股" if said.industry else "", condition]
        for key, one in said.conditions.items():
            parts.append(f"{screens.entry_of(key).name}{one}")
        if said.order_by:
            parts.append(f"按{said.order_by}{'从低到高' if said.order == '升序' else '从高到低'}排")
        parts.append(f"前{said.size}只" if said.size else "")
        return "，".join(part for part in parts if part)


def _bare(reply: str) -> str:
    """The reply without what is said around it: 就选港股那个吧 → 港股."""
    said = lower(plain_question(reply)).strip()
    while (shorter := _TAIL.sub("", _LEAD.sub("", said)).strip()) != said:
        said = shorter
    return said


def _one_of(found: Sequence[str], put: PutBack) -> str | None:
    """The only one. Raises: AskedBack with these when there are several, and fewer than before."""
    if len(found) > 1 and len(found) < len(put.ask_back.choices):
        back = AskBack(reason=put.ask_back.reason, choices=tuple(found))
        raise AskedBack(back, put.kind, put.said)
    return found[0] if len(found) == 1 else None


def _with_company(said: str, put: PutBack) -> str | None:
    if put.kind in {"ambiguous", "unknown_company"}:
        return _replaced(put, said)
    if put.kind != "no_company":
        return None
    link = "的" if re.search("[一-鿿]", put.text) else " "
    return f"{said}{link}{put.text}"


def _replaced(put: PutBack, said: str) -> str | None:
    """The earlier question with the unclear words said otherwise."""
    text = plain_question(put.text)
    at = lower(text).find(lower(plain_question(put.said[0]))) if put.said else -1
    if at < 0:
        return None
    return text[:at] + said + text[at + len(plain_question(put.said[0])) :]


def _is_company_alone(question: Question) -> bool:
    said = (question.figures, question.wanted.action, question.leftover)
    return bool(question.symbols) and not any(said) and question.times.is_empty


def _is_figure_alone(question: Question) -> bool:
    """Whether nothing but figures and words between them was said."""
    said = (question.wanted.action, question.leftover, question.sentence.series)
    return not any(said) and question.screening.is_empty
