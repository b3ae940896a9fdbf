"""What is refused for what it asks: what will be, advice, orders, inside news, other subjects.

Words and their grammar are data (data/lexicon/refusals.toml). Whatever else is said does not
matter, nor whether it was read: nothing runs.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from services.core.data_files import DATA_FOLDER, read_data_file
from services.language.lattice import Token
from services.language.plain_text import is_cjk, one_of

_FILE = DATA_FOLDER / "lexicon" / "refusals.toml"
# 会…涨吗: so many characters may stand between the two, and before the mark of a question.
_BETWEEN, _BEFORE_END = 6, 8
# A word of a turn of the market: what will be, but where a time is named.
TURN = "turn"
# Verbs of finding: 能查到吗 asks for what is, not for what will be.
_SOUGHT = "[查看找搜得拿读调见听]"


# What analysts say is told as theirs; what will be is told by nobody.
_FORECAST = re.compile(
    r"机构|分析师|券商|预期|(?:盈利|利润|净利|营收|收入|业绩|每股收益|eps)的?预测|consensus|analyst|forecast|"
    r"expect|estimate|一致",
    re.IGNORECASE,
)


def is_of_analysts(text: str) -> bool:
    """Whether what will be is asked of analysts: that is told as theirs."""
    return bool(_FORECAST.search(text))


def refusing_words(text: str) -> Iterator[Token]:
    """The words of `text` (plain, small letters) that ask what is not given, as `refuse` tokens.

    `sem`: predict, turn (where no time is named), advice, order, inside, value, off, or mild (off
    where no figure is read).
    """
    for kind, pattern in _patterns():
        for match in pattern.finditer(text):
            yield Token("refuse", match.start(), match.end(), kind)


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    made: list[tuple[str, re.Pattern[str]]] = []
    for kind, table in read_data_file(_FILE).tables.items():
        made.append((kind, _of_words([*table["zh"], *table["en"]])))
        for less in ("mild", TURN):
            if f"{less}_zh" in table:
                made.append((less, _of_words([*table[f"{less}_zh"], *table[f"{less}_en"]])))
        if "when_zh" in table:
            made.append((kind, _of_grammar(table)))
    return tuple(made)


def _of_words(words: Sequence[str]) -> re.Pattern[str]:
    chinese = [one for one in words if is_cjk(one[0])]
    latin = [one for one in words if not is_cjk(one[0])]
    # Latin words only whole: "rain" is no part of "terrain".
    return re.compile(rf"{one_of(chinese)}|(?<![a-z0-9'-])(?:{one_of(latin)})(?![a-z0-9'-])")


def _of_grammar(table: Mapping[str, Sequence[str]]) -> re.Pattern[str]:
    when, what, ends = (one_of(table[f"{one}_zh"]) for one in ("when", "what", "ends"))
    # 会…涨…吗 within one part of a question: a mark of asking stands behind the two.
    return re.compile(
        rf"(?:{when})[^,，。;；]{{0,{_BETWEEN}}}?(?<!{_SOUGHT})(?:{what})[^。;；]{{0,{_BEFORE_END}}}?(?:{ends})$"
    )


_REFUSED: Mapping[str, str] = {
    "advice": "advice", "order": "order", "value": "fair_value", "inside": "inside",
    "predict": "prediction", TURN: "prediction", "fx": "no_rates",
}  # fmt: skip


def refused_kind(said: Sequence[Token], *, is_of_shares: bool) -> str | None:
    """Which refusal these `refuse` tokens ask for; another subject first, then what of a share.

    `is_of_shares`: whether a figure or a set of companies was read beside them.
    """
    kinds = {str(one.sem) for one in said}
    if "off" in kinds or ("mild" in kinds and not is_of_shares):
        return "other_subject"
    return next((told for kind, told in _REFUSED.items() if kind in kinds), None)
