"""Names with a digit in a text, which are no figures: averages, indexes, years, companies."""

import re
from collections.abc import Iterable, Sequence

from services.core.catalogue import CATALOGUE
from services.core.rendering import PLACE

# Words of a model about a figure that stands cited in brackets right behind: 超过200亿元（…）.
_BESIDE_CITED = re.compile(r"[0-9][0-9,.]*[^0-9\s（(]{0,12}(?=（\{\{c:| \(\{\{c:)")
_DIGIT = re.compile(r"[0-9]")
# Figures, indicators, indexes and days with a digit in their name, as texts spell them. What is on
# no list stays unmarked: the tests of the pages would find it.
_NAMED = re.compile(
    # Several are told at once: 5、20、60 日均线; the 5-, 20- and 60-session averages.
    r"(?:\d+[、，])*\d+\s?(?:个交易)?日(?:均线|最高|最低)"
    r"|(?:\d+-,? (?:and )?)*\d+-session (?:high|low|deviation|average)s?"
    r"|(?:EMA|MA|RSI|ATR|ADX|MACD|KDJ|BOLL|布林线?)\s?[(（]?\d+(?:[,，]\s?\d+)*[)）]?"
    r"|(?:沪深|上证|中证|深证|科创|创业板|标普|CSI |S&P )\s?\d+|\bM[012]\b"
    r"|\d{4}年(?:\d{1,2}月)?(?:\d{1,2}日)?|\d{1,2}月\d{1,2}日|T\+[01]"
    r"|\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November"
    r"|December)\b",
    re.IGNORECASE,
)
_METRICS = tuple(
    name
    for metric in CATALOGUE.figures.values()
    for name in (metric.zh, metric.en)
    if _DIGIT.search(name)
)


def labels_in(texts: Sequence[str], names: Iterable[str]) -> tuple[str, ...]:
    """Those in the texts (templates with places), longest first; `names` are of companies."""
    words = [PLACE.sub(" ", text) for text in texts]
    found = {hit for text in words for hit in _NAMED.findall(text) if _DIGIT.search(hit)}
    found |= {name for name in names if _DIGIT.search(name)}
    found |= {name for name in _METRICS for text in words if name in text}
    found |= {hit for text in texts for hit in _BESIDE_CITED.findall(text)}
    return tuple(sorted(found, key=len, reverse=True))
