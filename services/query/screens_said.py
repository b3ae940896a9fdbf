"""A screen as it is said: conditions on figures, an order, how many, which market and industry.

Conditions keep the words of the asker (`低于20倍`, `100亿以上`); signs and English become Chinese.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from services.core.errors import InputError
from services.query.conditions import to_range
from services.query.metadata import Entry, Metadata
from services.query.periods_said import number_of
from services.query.sentence import FIGURE, LOSS, PROFIT, Sentence, any_of
from services.query.wording import ENGLISH_INDUSTRIES, INDUSTRIES, MARKETS

_M = f"(?P<m>{any_of(FIGURE)})"
_SIGNS: Mapping[str, str] = {
    **dict.fromkeys((">=", "≥", "=>", "at least", "no less than", "至少", "起码"), "不低于"),
    **dict.fromkeys(("<=", "≤", "=<", "at most", "no more than", "至多", "up to"), "不超过"),
    **dict.fromkeys((">", "above", "over", "more than", "greater than", "higher than"), "大于"),
    **dict.fromkeys(("exceeding", "exceeds"), "大于"),
    **dict.fromkeys(("<", "below", "under", "less than", "lower than", "smaller than"), "小于"),
}
_AT_LEAST = ("大于等于", "大于或等于", "不低于", "不小于", "不少于")
_AT_MOST = ("小于等于", "小于或等于", "不高于", "不大于", "不超过", "不多于")
_MORE = ("大于", "高于", "超过", "超出", "多于", "突破", "超", "过")
_LESS = ("小于", "低于", "少于", "不足", "不到", "低过")
_UPWARD = {*_AT_LEAST, *_MORE}
_WORDS = (*_AT_LEAST, *_AT_MOST, *_MORE, *_LESS, *_SIGNS)
_OP = "(?:" + "|".join(re.escape(word) for word in sorted(_WORDS, key=len, reverse=True)) + ")"
_DIGIT = "0-9零〇一二两俩三四五六七八九十百千万亿"
_SCALE = r"(?:billion|million|trillion|bn|mn)\b"
_UNIT = r"(?:%|个百分点|个点|倍|元|块钱|块|港元|美元|times\b|percent\b|x\b)"
_NUM = (
    rf"[-负]?(?:百分之)?[{_DIGIT}](?:[{_DIGIT}.,点]*[{_DIGIT}])?(?:个[万亿])?"
    rf"(?: ?{_SCALE})?(?: ?{_UNIT})?"
)
_SUFFIX = "(?:及以上|或以上|以上|及以下|或以下|以下|以内|之内)"
_TERM = rf"(?:{_OP} ?{_NUM}(?!{_SUFFIX})|{_NUM}{_SUFFIX})"
_LINK = r"(?:的|在|是|为|要|都|:|=(?![<>])| |应|需|改成|改为|换成|调到|is|are|of|being|ratio)*"
_JOIN = r" ?(?:(?:且|并且|而且|并|和|与|同时|但是|但|,|、|and|but) ?)?(?:要|为)?"
_BETWEEN = re.compile(
    rf"{_M}{_LINK}(?:介于|处于|between|from)? ?(?P<low>{_NUM}) ?(?:到|至|-|~|和|与|and|to) ?"
    rf"(?P<high>{_NUM})(?:之间|区间|的区间)?"
)
_BOUND = re.compile(
    rf"{_M}{_LINK}(?P<one>{_TERM})(?:{_JOIN}(?P<two>{_TERM})(?!的?{any_of(FIGURE)}))?"
)
_BEFORE = re.compile(rf"(?P<one>{_TERM})的? ?{_M}(?!{_LINK}{_OP})")
_UNFINISHED = re.compile(rf"{_M}{_LINK}(?:{_OP}|(?:介于|在)?{_NUM}(?:到|至|-|~)(?!{_NUM}))")
_NEGATIVE = re.compile(rf"{_M}(?:为|是|小于)?(?:负数|负值|负)")
_LEVEL = re.compile(rf"(?<![最更从到由偏])(?P<level>高|低|high|low) ?{_M}")
_AT_A_DISCOUNT = re.compile("破净")
_TERM_PARTS = re.compile(rf"(?P<op>{_OP})? ?(?P<num>{_NUM})(?P<suffix>{_SUFFIX})?")
_CHANGED = re.compile(rf"{_M}(?:条件)?(?:改成|改为|换成|调到|放宽到|降到) ?(?P<num>{_NUM})")
_BARE_TERM = re.compile(rf"(?P<one>{_TERM})")
# What the loose words of a screen are taken for; shown in the plan, where they can be changed.
_LEVELS: Mapping[tuple[str, str], tuple[str, str]] = {
    ("低", "company.valuation.pe_ttm"): ("pettm", "0到15倍"),
    ("低", "company.valuation.pe_lyr"): ("pelyr", "0到15倍"),
    ("低", "company.valuation.pb"): ("pb", "0到1.5倍"),
    ("高", "company.valuation.dividend_yield"): ("dy_l", "大于3%"),
    ("高", "company.finance.dps"): ("dy_l", "大于3%"),
    ("高", "company.finance.roe"): ("roediluted", "大于15%"),
}
_COUNT = r"(?P<n>\d{1,3}|[一二两三四五六七八九十]{1,3})"
_KIND = r"(?:只|家|个|名|支|大|位|强|条)"
_HIGHEST = "最高|最大|最多|最好|最强|最贵|highest|largest|biggest|most|best"
_LOWEST = "最低|最小|最少|最便宜|最差|lowest|smallest|least|cheapest"
_SUPERLATIVE = f"(?P<high>{_HIGHEST})|(?P<low>{_LOWEST})"
_DOWNWARD = "从高到低|由高到低|从大到小|由大到小|降序|倒序|descending|desc"
_UPWARDS = "从低到高|由低到高|从小到大|由小到大|升序|正序|ascending|asc"
_DIRECTION = f"(?P<down>{_DOWNWARD})|(?P<up>{_UPWARDS})"
_ORDERS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_M}(?:的|是|里| )*(?:{_SUPERLATIVE})",
        rf"(?:{_SUPERLATIVE})(?:的)? ?{_M}",
        rf"{_M}(?:的|排名|排行|排|榜|单|取|最靠)*(?:(?P<last>倒数|后)|前|top ?)第?{_COUNT}{_KIND}?",
        rf"(?:前|top ?){_COUNT}{_KIND}?的? ?{_M}",
        rf"(?:按照|按|以|sort(?:ed)? by|order(?:ed)? by|rank(?:ed)? by|by) ?{_M}(?:的|进行|来)*"
        rf" ?(?:{_DIRECTION})?(?:排序|排列|排名|排)?",
    )
)
_BARE_DIRECTION = re.compile(_DIRECTION)
_BARE_LOWEST = re.compile(_LOWEST)
_MOVES = (
    (
        re.compile("涨(?:得|的)?最(?:多|猛|好|凶)|涨得多|(?:biggest |top )?gainers"),
        "company.quote.pct_change",
        "降序",
    ),
    (
        re.compile("跌(?:得|的)?最(?:多|惨|狠|凶)|(?:biggest |top )?losers"),
        "company.quote.pct_change",
        "升序",
    ),
    (
        re.compile(rf"亏(?:得|的)?最(?:多|惨|狠)|{LOSS}(?:得|的)?最(?:多|大|严重)"),
        "company.finance.net_profit",
        "升序",
    ),
    (re.compile("赚(?:得|的)?最多|最赚钱|most profitable"), "company.finance.net_profit", "降序"),
)
_SIZES = (
    re.compile(rf"(?:前|top ?|first ?){_COUNT}(?!%|倍|亿|万|季){_KIND}?"),
    re.compile(rf"(?<!第){_COUNT} ?(?:只|家|支|名|个(?=公司|股|标的|企业|$|[,。?]))"),
    re.compile(rf"(?:{_HIGHEST}|{_LOWEST})的? ?{_COUNT}(?!%|倍|亿|万)"),
)
_WHICH_ONE = re.compile("哪一?[家只个支]|谁|which (?:company|stock|one)")
_MARKET = re.compile("|".join(re.escape(word) for word in sorted(MARKETS, key=len, reverse=True)))
_INDUSTRY = re.compile(
    f"(?P<zh>{'|'.join(sorted(INDUSTRIES, key=len, reverse=True))})(?:类|概念)?"
    "(?:股票|股|行业|板块|公司|企业|里)"
    f"|(?<=只看|只要|换成)(?P<only>{'|'.join(sorted(INDUSTRIES, key=len, reverse=True))})"
)
_ENGLISH_INDUSTRY = re.compile(
    rf"(?P<en>{'|'.join(sorted(ENGLISH_INDUSTRIES, key=len, reverse=True))})"
    r" (?:stocks|companies|sector|shares)"
)


@dataclass(slots=True)
class Screening:
    """What was said of a screen. `rest` is the shadow with all of it blanked."""

    conditions: dict[str, str] = field(default_factory=dict[str, str])
    names: dict[str, str] = field(default_factory=dict[str, str])
    order_by: str | None = None
    order: str | None = None
    size: int | None = None
    category: str | None = None
    industry: str | None = None
    bare_term: str | None = None
    # 市盈率改成15: a new figure for a condition, by its field.
    changed: dict[str, str] = field(default_factory=dict[str, str])
    rest: str = ""
    # The word of a condition that cannot be met, and what is wrong with it.
    wrong: tuple[str, str] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing of a screen was said; a market alone is not one."""
        said = (self.conditions, self.order_by, self.order, self.size, self.industry, self.changed)
        return not any(said) and self.bare_term is None and self.wrong is None


class ScreenReader:
    """Reads what was said of a screen. Safe to share between threads."""

    def __init__(self, metadata: Metadata) -> None:
        self._metadata = metadata
        self._fields = {entry.screener_field: entry for entry in metadata.metrics}

    def read(self, sentence: Sentence) -> Screening:
        """Everything of a screen in that sentence; `wrong` is set instead of raising."""
        found = Screening(rest=sentence.shadow)
        terms: list[tuple[str, str, str]] = []
        try:
            self._read_terms(sentence, found, terms)
            self._settle(found, terms)
        except InputError as error:
            found.wrong = (error.name, error.valid)
        self._read_order(sentence, found)
        self._read_size(found)
        self._read_place(found)
        if match := _CHANGED.search(found.rest):
            key = self.field_of(sentence.figure_at(match.group("m")).entries[0])
            found.changed[key] = _number(match.group("num"))
            found.rest = _blank(found.rest, match)
        if match := _BARE_TERM.search(found.rest):
            found.bare_term = self._term(match.group("one"))
            found.rest = _blank(found.rest, match)
        return found

    def checked(self, conditions: Mapping[str, str]) -> None:
        """Raises: InputError when a condition cannot be met or read."""
        for key, said in conditions.items():
            to_range(key, [("", said)])

    def field_of(self, entry: Entry) -> str:
        """The screening field of a figure; empty when it cannot be screened by."""
        return entry.screener_field if entry.screener_field in self._fields else ""

    def entry_of(self, key: str) -> Entry:
        """The figure of a screening field."""
        return self._fields[key]

    def _read_terms(
        self, sentence: Sentence, found: Screening, terms: list[tuple[str, str, str]]
    ) -> None:
        for pattern, read in (
            (_BETWEEN, self._between),
            (_BOUND, self._bound),
            (_BEFORE, self._bound),
            (_NEGATIVE, self._negative),
        ):
            while match := pattern.search(found.rest):
                said = sentence.figure_at(match.group("m"))
                key = self._field(said.entries[0])
                falling = "跌幅" if "跌" in said.said and "涨" not in said.said else ""
                terms += [(key, falling, text) for text in read(match)]
                found.rest = _blank(found.rest, match)
        if match := _UNFINISHED.search(found.rest):
            said = sentence.figure_at(match.group("m"))
            raise InputError(said.entries[0].name, match.group(), "unfinished")
        self._read_levels(sentence, found, terms)

    def _read_levels(
        self, sentence: Sentence, found: Screening, terms: list[tuple[str, str, str]]
    ) -> None:
        """Loose words: 低估值, 高分红, 破净, 亏损."""
        for match in list(_LEVEL.finditer(found.rest)):
            code = sentence.figure_at(match.group("m")).entries[0].code
            level = {"high": "高", "low": "低"}.get(match.group("level"), match.group("level"))
            if meant := _LEVELS.get((level, code)):
                terms.append((meant[0], "", meant[1]))
                found.rest = _blank(found.rest, match)
        if match := _AT_A_DISCOUNT.search(found.rest):
            terms.append(("pb", "", "0到1倍"))
            found.rest = _blank(found.rest, match)
        for pattern, code, order in _MOVES:
            if match := pattern.search(found.rest):
                found.order_by, found.order = self._metadata.by_code(code).name, order
                if match.group()[0] in f"亏{LOSS}":
                    terms.append(("netprofit", "", "亏损"))
                found.rest = _blank(found.rest, match)
        for mark, word in ((LOSS, "亏损"), (PROFIT, "盈利")):
            if mark in found.rest:
                terms.append(("netprofit", "", word))
                found.rest = found.rest.replace(mark, "\n")

    def _settle(self, found: Screening, terms: list[tuple[str, str, str]]) -> None:
        """One condition per field. Raises: InputError for what cannot be met or read."""
        for key in dict.fromkeys(term[0] for term in terms):
            said = [(falling, text) for name, falling, text in terms if name == key]
            if found.conditions.get(key) and found.conditions[key] in {t for _, t in said}:
                continue
            try:
                to_range(key, [(falling, text) for falling, text in said])
            except InputError as error:
                name = self._fields[key].name
                raise InputError(name, error.got, error.valid) from None
            for falling, text in said:
                _check_scale(key, self._fields[key].name, text)
                if falling:
                    found.names[key] = falling
            prefix = said[0][0]
            found.conditions[key] = prefix + _joined([text for _, text in said])

    def _field(self, entry: Entry) -> str:
        if key := self.field_of(entry):
            return key
        raise InputError(entry.name, "", "unscreenable")

    def _between(self, match: re.Match[str]) -> list[str]:
        low, high = _number(match.group("low")), _number(match.group("high"))
        scale = re.search(r"[万亿]+", high)
        if scale and not re.search(r"[万亿]", low):
            low += scale.group()
        if low.endswith("倍") and high.endswith("倍"):
            low = low.removesuffix("倍")
        return [f"{low}到{high}"]

    def _bound(self, match: re.Match[str]) -> list[str]:
        said = match.groupdict()
        return [self._term(text) for text in (said["one"], said.get("two")) if text]

    def _negative(self, match: re.Match[str]) -> list[str]:
        return ["亏损"]

    def _term(self, text: str) -> str:
        parts = _TERM_PARTS.match(text)
        if parts is None:
            return text
        operator = parts.group("op") or ""
        suffix = parts.group("suffix") or ""
        return _SIGNS.get(operator, operator) + _number(parts.group("num")) + suffix

    def _read_order(self, sentence: Sentence, found: Screening) -> None:
        for pattern in _ORDERS:
            match = pattern.search(found.rest)
            if match is None or found.order_by:
                continue
            parts = match.groupdict()
            said = sentence.figure_at(parts["m"])
            fallen = "跌" in said.said and "涨" not in said.said
            rising = bool(parts.get("low") or parts.get("last") or parts.get("up"))
            if match.re is _ORDERS[4] and _BARE_LOWEST.search(found.rest):
                rising = True
            found.order_by = said.entries[0].name
            found.order = "升序" if rising != fallen else "降序"
            if parts.get("n"):
                found.size = number_of(parts["n"])
            found.rest = _blank(found.rest, match)
        if match := _BARE_DIRECTION.search(found.rest):
            found.order = "升序" if match.group("up") else "降序"
            found.rest = _blank(found.rest, match)

    def _read_size(self, found: Screening) -> None:
        for pattern in _SIZES:
            if found.size is None and (match := pattern.search(found.rest)):
                found.size = number_of(match.group("n"))
                found.rest = _blank(found.rest, match)
        if found.size is None and found.order_by and _WHICH_ONE.search(found.rest):
            found.size = 1

    def _read_place(self, found: Screening) -> None:
        if match := _INDUSTRY.search(found.rest):
            found.industry = match.group("zh") or match.group("only")
            found.rest = _blank(found.rest, match)
        elif match := _ENGLISH_INDUSTRY.search(found.rest):
            found.industry = ENGLISH_INDUSTRIES[match.group("en")]
            found.rest = _blank(found.rest, match)
        if match := _MARKET.search(found.rest):
            found.category = MARKETS[match.group()]
            found.rest = _blank(found.rest, match)


def _blank(text: str, match: re.Match[str]) -> str:
    """The text with the match taken out; marks stay where they were."""
    return text[: match.start()] + "\n" * (match.end() - match.start()) + text[match.end() :]


def _number(text: str) -> str:
    """As said, with Chinese units for English ones and % for 个点."""
    said = re.sub("个(?=[万亿])", "", text.strip().replace(",", ""))
    said = re.sub("^(?=[百千万])", "一", said)
    if match := re.search(rf" ?({_SCALE})", said):
        scale = {"b": 1e9, "t": 1e12, "m": 1e6}[match.group(1)[0]]
        value = float(said[: match.start()]) * scale
        said = f"{value / 1e8:g}亿" if value >= 1e8 else f"{value / 1e4:g}万"
    if match := re.search(" ?(?:个百分点|个点|percent)$", said):
        figure = said[: match.start()]
        said = (figure if re.search("[0-9]", figure) else str(number_of(figure))) + "%"
    return re.sub(" ?(?:times|x)$", "倍", said).replace(" ", "")


def _joined(terms: list[str]) -> str:
    """One condition of several: from 大于10 and 小于20 to 10到20."""
    unique = list(dict.fromkeys(terms))
    if len(unique) == 1:
        return unique[0]
    parts = [_TERM_PARTS.match(term) for term in unique]
    if len(unique) == 2 and all(part and part.group("op") for part in parts):
        sides = {(part.group("op") in _UPWARD): part.group("num") for part in parts if part}
        if len(sides) == 2:
            return f"{sides[True]}到{sides[False]}"
    return "且".join(unique)


def with_figure(condition: str, figure: str) -> str | None:
    """The same bound with another figure; None when it is not one simple bound."""
    match = _TERM_PARTS.fullmatch(condition)
    if match is None:
        return None
    return (match.group("op") or "") + figure + (match.group("suffix") or "")


def _check_scale(key: str, name: str, text: str) -> None:
    """Raises: InputError for an amount of money where a ratio is meant."""
    if key not in {"netprofit", "total_revenue", "tl"} and re.search("[万亿元]", text):
        raise InputError(name, text, f"{text} 不是比率 | {text} is no ratio")
