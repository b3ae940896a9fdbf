"""Free words of a model: allowed beside a report only where they claim nothing that can be checked.

A view stands outside the seal, is counted in nothing and may be switched off. What is doubted is
dropped: these patterns refuse too much rather than too little.
"""

import re
from collections.abc import Callable, Collection
from functools import cache

from services.core.catalogue import CATALOGUE
from services.core.record import Record
from services.core.text import Text
from services.statements.choosing import Section
from services.statements.registry import AnyStatement

LONGEST_VIEW = 120
# A digit of any script, a numeral in words, a share: nobody checks a figure in a view.
_NUMERAL = re.compile(
    r"[\d%％‰½¼¾①-⑳Ⅰ-Ⅻⅰ-ⅻ²³¹〇零一二两三四五六七八九十百千万亿兆壹贰叁肆伍陆柒捌玖拾半倍成翻]|"
    r"\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozens?|hundreds?|"
    r"thousands?|millions?|billions?|half|halve[ds]?|quarters?|thirds?|doubl\w*|tripl\w*|twice|"
    r"percent\w*|percentage)\b",
    re.IGNORECASE,
)
# What to do with the share, and what its price will do.
_ADVICE = re.compile(
    r"买|卖|加仓|减仓|建仓|清仓|满仓|抄底|增持|减持|持有|止损|止盈|入场|离场|介入|配置|布局|推荐|建议|"
    r"目标价|看涨|看跌|看多|看空|必涨|必跌|将涨|将跌|会涨|会跌|稳赚|保证|机会|"
    r"\b(?:buy|sell|hold|accumulate|reduce|overweight|underweight|outperform|target|recommend\w*|"
    r"advis\w*|should|must|guarantee\w*|opportunit\w*|invest\w*|will (?:rise|fall|go))\b",
    re.IGNORECASE,
)
# First or last of something: of what, nobody says.
_SUPERLATIVE = re.compile(
    r"最|首|第|唯|冠|顶尖|顶级|龙头|领先|无敌|史上|历史|纪录|"
    r"\b(?:best|worst|highest|lowest|largest|smallest|most|least|first|last|only|record|leader|"
    r"leading|unique|never|ever|always)\b",
    re.IGNORECASE,
)
# What a page could take for more than words: markup, places, addresses, lines.
_MARKUP = re.compile(
    r"[<>{}\[\]`*#|\\~^$@&=_\x00-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069]|//|www\."
)
# Names of figures that the catalogue spells otherwise.
_SHORT = (
    "营收",
    "净利",
    "利润",
    "收入",
    "股息",
    "分红",
    "均线",
    "股价",
    "市值",
    "盈利",
    "毛利",
    "负债",
)
_SHORT_EN = ("profit", "revenue", "sales", "earnings", "margin", "dividend", "price", "RSI", "MACD")


class ModelView(Record):
    """What a model thinks of a section; `because` are the statements it says it rests on."""

    section: Section
    text: str
    because: tuple[AnyStatement, ...]


@cache
def _figures() -> re.Pattern[str]:
    """Every name of a figure; a Latin one as a word of its own."""
    names = {name for entry in CATALOGUE.figures.values() for name in entry.names if len(name) > 1}
    names |= {*_SHORT, *_SHORT_EN}
    ordered = sorted(names, key=len, reverse=True)
    parts = [rf"\b{re.escape(one)}\b" if one.isascii() else re.escape(one) for one in ordered]
    return re.compile("|".join(parts), re.IGNORECASE)


def doubt(text: str, mentioned: Callable[[str], Collection[str]], symbol: str) -> Text | None:
    """Why that view may not be shown; None when it may. `mentioned`: the companies a text names,
    of which only `symbol` may be.
    """
    if not text or len(text) > LONGEST_VIEW:
        return Text(f"看法须为 1–{LONGEST_VIEW} 字", f"a view has 1–{LONGEST_VIEW} characters")
    for pattern, why in (
        (_MARKUP, Text("看法里不得有标记或网址", "a view holds no markup and no address")),
        (_NUMERAL, Text("看法里不得有数字", "a view holds no number")),
        (_ADVICE, Text("看法里不得有买卖建议或预测", "a view holds no advice and no forecast")),
        (_SUPERLATIVE, Text("看法里不得有最高级", "a view holds no superlative")),
        (_figures(), Text("看法里不得有指标名", "a view names no figure")),
    ):
        if pattern.search(text):
            return why
    if any(found != symbol for found in mentioned(text)):
        return Text("看法里不得有别的公司", "a view names no other company")
    return None
