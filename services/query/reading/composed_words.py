"""Words composed by grammar: 高出多少个百分点, 由大到小排列, 排在第几位, 一共有几家公司.

Each is one typed word of a kind that data/lexicon/question_words.toml lists simple words of. The
parts and how they go together are data (data/lexicon/composed.toml).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, cast

import regex as re  # looks behind over words of any length

from services.core.data_files import DATA_FOLDER, read_data_file
from services.language.lattice import FUNCTION, Token
from services.language.plain_text import one_of

_FILE = DATA_FOLDER / "lexicon" / "composed.toml"
# A composed word is as sure as a listed one; what falls costs as little as other words that do.
_COST, _ASIDE = 1.0, 0.3
# Behind a quantity these make it another word: 涨几天, 差几倍; behind a classifier: 几个月.
_NO_END = r"(?![天年月日次倍成家只个点%季周期趴百])"
_NO_TIME = r"(?!月|百分|点|趴|交易日|季|小时|星期|礼拜|行业|板块|年|指标|指数)"


def composed_words(text: str) -> Iterator[Token]:
    """Every composed word of `text` (plain, simplified, small letters)."""
    for cat, sem, pattern in _patterns():
        for match in pattern.finditer(text):
            cost = _ASIDE if cat == FUNCTION else _COST
            yield Token(cat, match.start(), match.end(), sem or None, cost)


@cache
def _patterns() -> tuple[tuple[str, str, "re.Pattern[str]"], ...]:
    tables = read_data_file(_FILE).tables
    zh, en = _parts(tables["zh"]), _parts(tables["en"])
    zh |= _join_parts(zh)
    # Latin words only whole: "top" is no part of "laptop".
    whole = r"(?<![a-z0-9'-])(?:{})(?![a-z0-9'-])"
    return (
        *((cat, sem, re.compile(made.format(**zh))) for cat, sem, made in tables["zh"]["made"]),
        *(
            (cat, sem, re.compile(whole.format(made.format(**en))))
            for cat, sem, made in tables["en"]["made"]
        ),
    )


def _parts(table: Mapping[str, Any]) -> dict[str, str]:
    """Each list of words as what matches one of them, the longest first."""
    return {
        name: f"(?:{one_of(cast('Sequence[str]', words))})"
        for name, words in table.items()
        if name != "made"
    }


def _join_parts(p: Mapping[str, str]) -> dict[str, str]:
    """What several parts make together: quantities asked, a classifier with its noun."""
    how = f"(?:{p['quantity']}{{1,2}})"
    units = f"(?:{p['points']}|{p['parts']}|{p['money']}|倍)"
    return {
        "how": how,
        "per_cent": f"(?:百分之{how}|{how}{p['parts']}|{how}个?百分比)",
        "amount": f"(?:百分之{how}|{how}{units}|{how}{_NO_END})",
        "points_asked": f"(?:{how}{p['points']}|{how}{p['money']}|{how}{_NO_END})",
        "classed": f"{p['classifier']}{_NO_TIME}{p['kind']}?",
        "sort": f"(?:的?(?:顺序|次序))?{p['sorted']}?(?:序)?",
    }
