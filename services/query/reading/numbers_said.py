"""Numbers of a question as typed words: amounts, counts, places, first so many, runs of years."""

import re
from collections.abc import Iterator

from services.language.lattice import Token
from services.language.numbers import number_at
from services.language.numerals import ENGLISH_NUMBERS, NUMERALS, english_at, small_number
from services.query.reading.phrases import Amount

_COUNTERS = (
    "家|只|个(?!股|月|点|百)|支|隻|名|间|档|票|companies|company|stocks|stock|shares|names|firms"
)
_N = rf"\d{{1,3}}|[{''.join(sorted(NUMERALS))}]{{1,4}}|{'|'.join(sorted(ENGLISH_NUMBERS))}"
# 主板、创业板、中小板三块 are so many parts of a market; elsewhere it is money.
_PART, _MOST_PARTS = "块", 9
_LOCAL = frozenset({"元", "块", "块钱"})
_THOSE = frozenset("这那")
# What those may be, where sets were named.
_SECTORS = re.compile("行业|板块|产业|赛道")
# What is counted behind a bare number.
_COUNT = re.compile(rf"\s?(?:{_COUNTERS})(?![月季年亿万点])")
# So many years by an order, no span: 净利润最高的三年, which 3 years.
_YEARS = re.compile(
    r"个?(?:财|会计)?年(?!报|底|末|初|内|前|后|来|间)"
    r"| (?:fiscal |financial )?years?\b(?! (?:ago|in a row))"
)
_MONTHS = re.compile(r"个月(?![内后前来间线底末])| months?\b(?! (?:ago|in a row))")
_PICKED = re.compile(
    r"(?P<which>哪|(?:\b(?:in|for) )?\b(?:which|what) )$|最[高低多少大小好差快慢]的$"
    r"|\b(?:best|worst|highest|lowest|biggest|largest|strongest|weakest) $"
)
_PICKED_COST = 0.5
_DAYS = re.compile(r"\s?(?:个?交易日|天|日(?!均|线)|trading days?|days?|sessions?)")
# 五厘 is 5 % in Hong Kong, 五趴 in Taiwan, 五个点 on the mainland.
# The three of them: so many of those spoken of.
_ALONE = re.compile(r" of (?:them|these|those)\b|[ .,?!]*$")
_PER_CENT = re.compile(r"厘|趴|个点")
# 5000点: an index has no money; 三点五 is a number, 5000点一共 none.
_POINTS = re.compile(r"点(?![\d半钟]|[一二三四五六七八九](?!共))")
# Approximate: 两百来亿, 几十亿, 20倍左右 say no bound.
_SOME = re.compile(r"[来几余]|多(?=[亿万倍元%])")
_UNITS = {"十": 1e1, "百": 1e2, "千": 1e3, "万": 1e4, "亿": 1e8}
_FEW = re.compile(r"(?:好几|几|数|上)[十百千万亿]+")
_TOP = re.compile(
    rf"(?P<of>前|top|头|首|the top|first|the first|limited to|倒数前|倒数|末|bottom|"
    rf"the bottom|last|the last)"
    rf"\s?(?:的\s?)?(?P<n>{_N})(?![\d%])\s?(?:{_COUNTERS}|大|位|强)?"
)
# Show me eight, at the end: so many of them.
_SHOWN = re.compile(
    rf"(?:just |only )?(?:show me|give me|show|list) (?P<n>{_N})"
    r"(?: of (?:them|those|these))?(?=[ .?!]*$)"
)
# 十大市值公司; not 十大股东, and no 前十大.
_BIGGEST = re.compile(rf"(?<![前头第\d])(?P<n>{_N})大(?=市值|净利润|营收|营业收入|总资产)")
# Of the companies spoken of the first or the last.
_OF_TWO = re.compile(r"前者|后者|\bthe (?:former|latter)\b")
# 前三季度, last two years and top 10% are something else.
_NO_TOP = re.compile(
    r"\s?(?:年|季|天|个?月|个?交易日|期|周|成|%|次|回|years?|months?|days?|weeks?|quarters?|times\b"
    r"|occasions\b)"
)
# 最近三次, 第二次, the last two times; 最近一天 where a day is asked for.
_OCCASION = re.compile(
    rf"(?P<of>最近的?|近|上|最后的?|前|头|首|最早的?|倒数第?|第"
    rf"|(?:the )?(?:last|latest|most recent|first))\s?(?P<n>{_N})\s?(?:次|回|times\b|occasions\b)"
    rf"|(?P<day>最近的?|最后)一[天日](?=.*(?:哪|何时|什么时候|几时|几号|日期))"
    r"|(?P<word>second|third|fourth|fifth|\d{1,2}(?:nd|rd|th)) time\b"
)
# The first or the last sessions of a time themselves, whatever happened at them; 第一天 is also the
# first time that something did. The last session alone is the end of the time (times_said), the
# last sixty of no time are the newest.
_SESSIONS = re.compile(
    rf"(?:第?(?P<one>一|1)个?|首个?|(?P<of>前|头|最初|开头|最后的?|末)(?:的)?(?P<n>{_N})个?)交易日"
    rf"|(?:the )?first (?:(?P<first>{_N}) )?(?:trading (?:day|session)|session)s?\b"
    rf"|(?:the )?last (?P<last>{_N}) (?:trading (?:day|session)|session)s(?= of\b)"
)
_NEWEST = re.compile(r"最近|近|上|最后|倒数|(?:the )?(?:last|latest|most recent)")
_FROM_END = re.compile(r"倒数|末|bottom|the bottom|last|the last")
_PLACE = re.compile(
    rf"(?P<end>倒数)?第\s?(?P<n>{_N})(?:名|位|家|个|只)?(?!季)"
    r"|(?P<word>first(?= (?:one|name|company|row)\b)|second|third|fourth|fifth|sixth|seventh"
    r"|eighth|ninth|tenth|\d{1,2}(?:nd|rd|th))\b-?"
    r"(?: (?:one|name|company|row)\b)?|(?P<head>[头首])(?:一|1)?(?:家|只|名|位)"
)
_PLACES = "first second third fourth fifth sixth seventh eighth ninth tenth"
_PLACE_WORDS = {word: at for at, word in enumerate(_PLACES.split(), 1)}
_RUN = re.compile(
    rf"(?:连续|连着|接连|一连|连(?=[两二三四五六七八九十\d]+个?年)"
    rf"|(?:for )?(?P<en>{_N}) (?:(?:straight|consecutive|successive|running) years"
    rf"|years (?:running|straight|in a row|in succession)))"
    rf"(?:(?P<n>{_N})(?:个)?(?:年度|财年|年))?(?:都|每年)?|(?P<each>{_N})(?:年)(?:连续|连着|接连)"
)
# 连续几年, 连续多少天: how long is what is asked.
# 60日线, MA20, 年线, 200-day average: how many sessions the mean is of.
_LINE = re.compile(
    rf"(?P<n>{_N})[日天](?:移动)?(?:平?均线|线)|(?<![a-z])ma(?P<ma>\d{{1,3}})(?!\d)|(?P<word>半?年线|季线)"
    r"|(?P<en>\d{1,3})[- ]days? (?:simple )?(?:moving )?(?:averages?|mean|line|ma\b|sma\b)"
)
_LINES = {"年线": 250, "半年线": 120, "季线": 60}
# 连续3天, 连涨三天, 5 straight sessions.
_RUN_OF_DAYS = re.compile(
    rf"(?:连续|连着|接连|一连|连)(?P<move>[涨跌])?(?:了|(?P<past>过))?(?P<n>{_N})个?(?:交易日|天|日)"
    rf"|(?:for )?(?P<en>{_N}) (?:(?:straight|consecutive|successive|running)"
    rf" (?:trading )?(?:days|sessions)"
    rf"|(?:trading )?(?:days|sessions) (?:running|straight|in a row|in succession))"
)
_RUN_ASKED = re.compile(
    r"(?:连续|连)(?:了)?(?:几|多少)个?(?P<unit>年|天|日|交易日)"
    r"|连(?P<move>[涨跌])(?:了|的)?(?:(?:几|多少)(?:个?交易日|天|日)|天数|日数)"
    r"|(?:for )?how many (?P<en>years|days|sessions) in a row"
)
_MOST = 500
_COMPARING = "过超逾"
# 千亿, 百亿 without a digit: one of it.
_ROUNDS = {"千亿": 1e11, "百亿": 1e10, "十亿": 1e9, "万亿": 1e12, "千万": 1e7, "百万": 1e6}
_ROUND = re.compile("|".join(_ROUNDS))


def amounts(text: str) -> Iterator[Token]:  # noqa: C901, PLR0912 — one case a line
    """Amounts, and what else a bare number may be: a count, sessions."""
    for at in range(len(text)):
        if _is_inside(text, at):
            continue
        if (round_one := _ROUND.match(text, at)) and text[at - 1 : at] not in tuple("上好几数近"):
            yield Token(
                "AMT",
                at,
                round_one.end(),
                Amount(_ROUNDS[round_one.group()], "number", scaled=True),
            )
        if few := _FEW.match(text, at):
            yield Token("AMT", at, few.end(), _few(few.group()))
        number = number_at(text, at, around=False)
        if number is not None and text[number.start] in _COMPARING:
            continue  # 过千亿 is a comparison, and its amount begins behind the word
        if number is None or number.kind in ("change", "vague") or number.significant == 0:
            continue
        start, end, value = number.start, number.end, float(number.value)
        bare = number.is_bare
        unit = {"money": "money", "per_share": "money", "percent": "percent", "fraction": "percent",
                "multiple": "multiple", "shares": "shares"}.get(number.kind, "number")  # fmt: skip
        if number.kind in ("count", "sessions", "rank", "span", "score", "sigma", "points"):
            end, unit = _digits_end(text, number.start, end, number.unit), "number"
            bare = True
        if number.currency == "other":
            continue
        if unit == "money":
            unit = "LOCAL" if number.unit in _LOCAL else (number.currency or "LOCAL")
        if bare and unit == "number" and (said := _PER_CENT.match(text, end)):
            end, unit = said.end(), "percent"
        elif bare and unit == "number" and _POINTS.match(text, end):
            end += 1
        if unit == "multiple" and text[end : end + 1] == "半":
            end, value = end + 1, value + 0.5
        start, value, unit = _before(text, start, value, unit)
        vague = number.hedge == "over" or bool(_SOME.match(text, end) and bare)
        is_count = bare and unit == "number" and bool(_COUNT.match(text, end))
        if not is_count:  # 最多的5只: a number of companies is no bound
            yield Token("AMT", start, end, Amount(value, unit, number.scale > 1, vague), 1.0)
        if number.unit == _PART and value == int(value) and 1 < value <= _MOST_PARTS:
            yield Token("COUNT", start, end, int(value), 1.1)
        if bare and value == int(value) and 0 < value <= _MOST and start == number.start:
            yield from _counts(text, start, end, int(value))


def _counts(text: str, start: int, end: int, count: int) -> Iterator[Token]:
    """What a bare whole number may be beside an amount: a number, so many companies, or days."""
    yield Token("NUM", start, end, count, 1.3)
    if text[max(start - 4, 0) : start] in ("the ", "all ") and _ALONE.match(text, end):
        yield Token("COUNT", start, end, count, 1.0)
    if found := _COUNT.match(text, end):
        yield Token("COUNT", start, found.end(), count, 1.0)
        if text[start - 1 : start] in _THOSE:  # 格力、美的这两家: those named right before
            noun = _SECTORS.match(text, found.end())  # 银行和保险这两个板块
            yield Token("THOSE", start - 1, noun.end() if noun else found.end(), count, 1.0)
    if found := _DAYS.match(text, end):
        yield Token("DAYS", start, found.end(), count, 1.0)
    picked = _PICKED.search(text, 0, start) if count > 1 else None
    for cat, of in (("YEARN", _YEARS), ("MONTHN", _MONTHS), ("DAYS", _DAYS)):
        if picked is not None and (found := of.match(text, end)):
            begin = picked.start() if picked["which"] else start
            yield Token(cat, begin, found.end(), count, _PICKED_COST)


def _few(said: str) -> Amount:
    """几百亿 says no bound; 上百亿 is a hundred of them and more."""
    if not said.startswith("上"):
        return Amount(0.0, "number", vague=True)
    value = 1.0
    for one in said[1:]:
        value *= _UNITS[one]
    return Amount(value, "number", scaled=True)


def _digits_end(text: str, start: int, end: int, unit: str) -> int:
    """Where the digits end before a unit that is no measure (20家)."""
    bare = text[start:end].rstrip()
    return start + len(bare.removesuffix(unit).rstrip())


def _is_inside(text: str, at: int) -> bool:
    """Whether a number that began before goes on here, or a Latin word."""
    if at == 0:
        return False
    before, char = text[at - 1], text[at]
    if char.isdigit():
        return (
            before.isdigit()
            or (before == "." and at > 1 and text[at - 2].isdigit())
            or (before.isascii() and before.isalpha() and text[max(at - 2, 0)].isdigit())
        )
    if char in NUMERALS:
        return before in NUMERALS or before == "点"
    return char.isascii() and char.isalpha() and before.isascii() and before.isalnum()


def _before(text: str, start: int, value: float, unit: str) -> tuple[int, float, str]:
    """The sign and the currency right before the digits."""
    for mark, currency in (("hk$", "HKD"), ("us$", "USD"), ("$", "USD"), ("¥", "CNY")):
        if text.endswith(mark, 0, start) and unit in ("number", "LOCAL"):
            start, unit = start - len(mark), currency
            break
    before = text[start - 1 : start]
    if before == "负" or (before == "-" and not _is_joined(text, start - 1)):
        start, value = start - 1, -value
    return start, value, unit


def _is_joined(text: str, dash: int) -> bool:
    """Whether the dash joins two numbers (8-12, 500亿-1000亿) and is no minus."""
    before = text[dash - 1 : dash] if dash else ""
    return (before.isascii() and before.isalnum()) or before in tuple("亿万元倍%千百年月日号块)")


def _first_and_last(text: str) -> Iterator[Token]:
    """十大, 前者, 后者."""
    for found in _BIGGEST.finditer(text):
        if count := _number(found["n"]):
            yield Token("BIGS", found.start(), found.end(), count, 1.0)
    for found in _OF_TWO.finditer(text):
        is_last = found.group() in ("后者", "the latter")
        yield Token("ORD", found.start(), found.end(), (1, is_last), 1.0)


def places(text: str) -> Iterator[Token]:
    """前五名, top 10, 倒数三家; 第三, second; 连续三年."""
    yield from _first_and_last(text)
    for found in _TOP.finditer(text):
        count = _number(found["n"])
        if not _whole(text, found) or not count or _NO_TOP.match(text, found.end()):
            continue
        if found["of"] in ("last", "the last", "first", "the first") and count == 1:
            continue
        cat = "BOTTOM" if _FROM_END.match(found["of"]) else "TOP"
        yield Token(cat, found.start(), found.end(), count, 1.0)
    for found in _SHOWN.finditer(text):
        if _whole(text, found) and (count := _number(found["n"])):
            yield Token("TOP", found.start(), found.end(), count, 1.0)
    for found in _PLACE.finditer(text):
        count = _place(found)
        if count and _whole(text, found):
            yield Token("ORD", found.start(), found.end(), (count, bool(found["end"])), 1.0)
    yield from _in_a_row(text)
    yield from _occasions(text)
    yield from _first_sessions(text)
    for found in _LINE.finditer(text):
        said = found["n"] or found["ma"] or found["en"]
        count = _LINES[found["word"]] if found["word"] else _number(said)
        if 1 < count <= _MOST and _whole(text, found):
            yield Token("LINE", found.start(), found.end(), count, 1.0)


def _occasions(text: str) -> Iterator[Token]:
    """最近三次, 第二次: how many of the times, behind how many, whether counted from the newest."""
    for found in _OCCASION.finditer(text):
        count = _PLACE_WORDS.get(found["word"] or "", 0) or _number(found["n"] or "一")
        if not count or not _whole(text, found):
            continue
        of = found["of"] or found["day"] or "第"
        one = of.endswith("第")
        sem = (1, count - 1, of != "第") if one else (count, 0, bool(_NEWEST.match(of)))
        # 最近一天 says nothing else where a day is asked for.
        yield Token("OCCASION", found.start(), found.end(), sem, 0.0 if found["day"] else 0.8)


def _first_sessions(text: str) -> Iterator[Token]:
    """前三个交易日, the first trading day: which sessions of a time, as of occasions."""
    for found in _SESSIONS.finditer(text):
        said = found["n"] or found["first"] or found["last"] or "一"
        is_newest = bool(found["last"] or (found["of"] or "").startswith(("最后", "末")))
        if (count := _number(said)) and _whole(text, found) and (count > 1 or not is_newest):
            yield Token("SESSIONS", found.start(), found.end(), (count, 0, is_newest), 0.6)


def _in_a_row(text: str) -> Iterator[Token]:
    """连续三年, 连涨3天, 连续几年."""
    for found in _RUN_ASKED.finditer(text):
        if found["move"]:
            yield Token(
                "RUNMOVE", found.start(), found.end(), "up" if found["move"] == "涨" else "down"
            )
        else:
            grain = "years" if (found["unit"] or found["en"]) in ("年", "years") else "days"
            yield Token("RUNASK", found.start(), found.end(), grain)
    for found in _RUN_OF_DAYS.finditer(text):
        if count := _number(found["n"] or found["en"]):
            way = "up" if found["move"] == "涨" else "down"
            run = ("RUNMOVED", (way, count)) if found["move"] else ("RUNDAYS", count)
            if found["past"] and found["move"]:
                run = ("RUNEVER", (way, count))
            yield Token(run[0], found.start(), found.end(), run[1], 1.0)
    for found in _RUN.finditer(text):
        said = found["n"] or found["en"] or found["each"]
        count = _number(said) if said else 0
        if count and 1 < count <= 20:
            yield Token("RUN", found.start(), found.end(), count, 1.0)


def _place(found: re.Match[str]) -> int:
    if found["word"]:
        return _PLACE_WORDS.get(found["word"]) or int(found["word"].rstrip("ndrth"))
    return 1 if found["head"] else _number(found["n"])


def _whole(text: str, found: re.Match[str]) -> bool:
    """Whether no Latin word is cut at its head."""
    start = found.start()
    return not (
        text[start].isascii() and start and text[start - 1].isascii() and text[start - 1].isalnum()
    )


def _number(said: str) -> int:
    if said in ENGLISH_NUMBERS:
        read = english_at(said, 0)
        return int(read.value) if read else 0
    try:
        return small_number(said)
    except (KeyError, ValueError):
        return 0
