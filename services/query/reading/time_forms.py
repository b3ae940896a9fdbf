"""How times are written: one pattern for each way of saying one. No meaning yet.

The groups are what time_expressions.py reads: year, month, day, report, n, unit, word.
"""

import re
from collections.abc import Mapping
from typing import cast

from services.core.data_files import DATA_FOLDER, read_data_file
from services.language.numerals import ONE_TO_TWELVE
from services.language.plain_text import one_of

_WORDS = cast(
    "Mapping[str, Mapping[str, list[str]]]",
    read_data_file(DATA_FOLDER / "lexicon" / "times.toml").tables,
)


def _meanings(table: str) -> Mapping[str, str]:
    """What each word of a table means."""
    return {word: key for key, listed in _WORDS[table].items() for word in listed}


def _numbers(table: str) -> Mapping[str, int]:
    return {word: int(key) for word, key in _meanings(table).items()}


QUARTER_OF, YEARS_AGO = _numbers("quarter_of"), _numbers("years_ago")
YEARS_AHEAD = _numbers("years_ahead")
WEEKDAYS, NAMES = _numbers("weekdays"), _meanings("named")
SECOND_HALVES, YEAR_ENDS, FROM_JANUARY = (
    frozenset(_WORDS[table]["words"]) for table in ("second_halves", "year_ends", "from_january")
)
# Of the year that was told, and the one before it.
YEAR_BEFORE, LAST_YEAR, SAME_YEAR, SAME_YEARS = (
    frozenset(_WORDS[table]["words"])
    for table in ("year_before", "last_year", "same_year", "same_years")
)
MONTH_NAMES = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_REPORT = f"(?P<report>{one_of((*QUARTER_OF, *SECOND_HALVES))})(?!率|国)(?:(?<=[季报度])[末底])?"
_MONTH = (
    r"(?P<month>\d{1,2}|十[一二]?|[一二三四五六七八九])月份?"
    r"(?:(?P<day>\d{1,2}|[一二三四五六七八九十]{1,3}(?=[日号]))[日号]?|[末底初]|[上中下]旬)?"
)
_YEAR = (
    rf"(?P<year>(?<!\d)(?:19|20)\d{{2}}(?!\d|[亿万元%倍只家个]|\.\d)"
    rf"|(?<!\d)\d{{2}}(?=年|q[1-4]|[-~到至、]\d\d年)"
    rf"|{one_of(tuple(YEARS_AGO))})"
)
_NUMBER = r"(?P<n>\d{1,3}|[一二两三四五六七八九十]+|半|几)"
_UNIT = r"个?(?P<unit>交易日|季度|财季|季|年度|财年|年|星期|礼拜|周|月|天|日|期)"
DAY = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d{2})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})")
COMPACT = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d{2})(?P<month>\d{2})(?P<day>\d{2})(?!\d)")
YEAR_MONTH = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d{2})[-/](?P<month>\d{1,2})(?!\d)")
RELATIVE = re.compile(
    rf"(?:最近这?|近|过去|前(?!三季度|[1一]年)|这|过往){_NUMBER}{_UNIT}(?:度|报)?(?:以来|之?内|来|里)?"
    r"(?:的?(?:年报|中报|季报))?"
)
# 6月以来 and 6月份以来 are since June, 6个月以来 six months.
WITHIN = re.compile(
    rf"{_NUMBER}{_UNIT}(?:以内|之内|内|(?<!\d月)(?<![一二三四五六七八九十]月)(?<!月份)以来)"
)
DATED = re.compile(
    rf"{_YEAR}(?:(?:年度|财年|年)?的?[ _/-]?{_REPORT}|年?的?{_MONTH}|(?:年度|财年|年))?"
)
# 末, 底 and a last session alone are only said behind a year or a month.
BARE_REPORT = re.compile(re.sub(r"(?:最后一(?:个交易日|天|日)\||\|[末底](?=[|)]))", "", _REPORT))
BARE_DAY = re.compile(r"(?<!\d)(?P<day>\d{1,2})[日号](?!线|均)")
OF_A_YEAR = re.compile(rf"{_YEAR}年?的?(?:四个季度|各个?季度|每个?季度|分季度|逐季度?|各季)")
BARE_SPAN = re.compile(
    r"(?<![第前大小每隔\d近去过这])(?P<n>[一二两三四五六七八九十]|\d)(?P<unit>年|个月|个季度)"
    r"(?![前后期级报度末底初内以])"
)
# 本月3号, 上月十五日.
DAY_OF_MONTH = re.compile(
    r"(?P<of>本月|这个?月|当月|上个?月)(?P<day>\d{1,2}|[一二三四五六七八九十]{1,3})[日号]"
)
BARE_MONTH = re.compile(rf"(?<!\d){_MONTH}")
_MONTHS = (
    *MONTH_NAMES,
    *("january", "february", "march", "april", "june", "july", "august", "september", "sept"),
    *("october", "november", "december"),
)
FISCAL = re.compile(
    r"(?:fy|fiscal(?: year)?) ?'?(?P<year>\d{4}|\d{2})(?!\d)(?:[ -]?(?P<report>q[1-4]|h1))?"
)
ENGLISH_QUARTER = re.compile(
    rf"(?:the )?{_REPORT}(?: |-|')?(?:of |in |for )?(?:the )?(?:fy ?|fiscal )?(?:year )?"
    r"(?P<year>(?:19|20)\d{2}|last year|this year)"
)
BROKERS = re.compile(r"(?P<n>[1-4])(?P<kind>[qh])'?(?P<year>(?:20)?\d{2})(?!\d)")
MONTH_SPAN = re.compile(
    r"(?:(?P<year>(?<!\d)(?:19|20)\d{2}|去年|今年)年?)?(?<!\d)(?P<one>\d{1,2})月?(?:[-~到至])(?P<two>\d{1,2})月份?"
    r"(?!\d{1,2}[日号])"
)
NO_SUCH = re.compile(
    r"(?<!\d)\d{3,4}年(?!前)|五季报|第?[五六七八九]季度|[5-9]季[度报]|q[5-9]|h[3-9]"
)
# 星期六, 五粮液 and 周六福 are companies.
WEEKDAY = re.compile(
    r"(?:(?P<week>上个?|本|这个?)|(?!星期六))(?:周|星期|礼拜)(?P<day>[一二三四五六日天1-6])"
    r"(?![年个期线内以福\d]|粮液)"
    rf"|(?:(?P<last>last|this) )?(?P<name>{'|'.join(word for word in WEEKDAYS if 'day' in word)})"
)
HISTORICAL = re.compile("历史上?的?(?=最高|最低|新高|新低|高点|低点|高位|低位)")
# The end of a year or month is its last close.
ENDS = ("底", "末")
SINCE = re.compile("以来|至今|到现在|到今天|到目前|迄今")
ENGLISH_MONTH = re.compile(
    rf"(?:(?P<early>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?)?(?P<name>{one_of(_MONTHS)})\.?"
    r"(?: (?P<day>\d{1,2})(?:st|nd|rd|th)?,?)?"
    r"(?:,? (?:of )?(?P<year>(?:19|20)\d{2}))?(?![a-z\d])"
)
ENGLISH_PAST = re.compile(
    rf"(?:the )?(?:last|past|previous|recent)"
    rf"(?: (?P<n>\d+|(?:a )?few|several|{'|'.join(ONE_TO_TWELVE)}))? "
    # Sessions in the plural only: the last trading day is a day of its own.
    r"(?P<unit>year|month|week|day|quarter|period|yr|(?:trading (?:day|session)|session)(?=s))s?"
)
# 一年前, three months ago: that day. 前三季度 and 一年前的报告 say no day.
AGO = re.compile(
    r"(?<![\d近过前最])(?P<n>\d{1,2}|[一二两三四五六七八九十半])(?P<unit>年|个?月|周|个?星期|天)(?:之|以)?前"
    r"(?![三3]季|[十百]|[几一二两三四五六七八九十\d]+[家只名个])"
    rf"|(?P<count>an?|\d{{1,2}}|{'|'.join(ONE_TO_TWELVE)}) (?P<of>year|month|week|day)s? ago"
)
NAMED = re.compile(f"(?P<word>{one_of(tuple(NAMES))})")
# Around a publication: 出2016年报以后一个月, 年报公布之后那一周, the month after its report.
_PUBLISHED = "(?:公布|发布|披露|公告|出来|出炉|发出|出|发)(?:了)?"
PUBLISHING = re.compile(rf"{_PUBLISHED}$")
AROUND_REPORT = re.compile(
    rf"的?(?:{_PUBLISHED})?(?P<way>以后|之后|过后|后|以前|之前|前)(?:的|那|这|头|第|接下来|随后)*"
    rf"(?:(?P<one>次日|首日|第?[二一1]个?(?:交易日|天))|{_NUMBER}?{_UNIT})(?:之?内|里)?"
)
AROUND_ENGLISH_REPORT = re.compile(
    r"(?:in|over|during|for|on|within)? ?(?:the )?(?:first |following |next )?"
    rf"(?:(?P<n>\d{{1,3}}|an?|{'|'.join(ONE_TO_TWELVE)}) )?"
    r"(?P<unit>trading day|session|day|week|month|quarter)s? (?P<way>after|following|before) "
    r"(?:(?:its|their|the|publishing|releasing|reporting|publication of|release of) )*"
    r"(?:fy ?|fiscal (?:year )?)?(?P<year>(?:19|20)\d{2})?"
    r" ?(?:annual |full-year )?(?:reports?|results)"
    r"(?: (?:was|were|came) (?:published|released|out))?(?![a-z])"
)
