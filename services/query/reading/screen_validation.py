"""What of a screen is put back: conditions that cannot be met, scopes and times no screen has.

Each question back offers screens that can be asked as they are.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from services.core.catalogue import CATALOGUE
from services.core.text import Text
from services.query.planning.metadata import Metadata
from services.query.reading import screen_grammar as grammar
from services.query.reading.clarification import AskedBack, asked, figure_called
from services.query.reading.english import bound_en
from services.query.reading.question import Question
from services.query.reading.screen_parser import ScreenReader
from services.query.reading.sentence import WHEN, Sentence, any_of

MOST = 500
# A figure of each field that makes a sensible bound.
_SAMPLES = {
    field: (row.screen.sample_zh, row.screen.sample_en)
    for field, row in CATALOGUE.screen_fields.items()
    if row.screen is not None
}
_W = any_of(WHEN)
_PAST = re.compile(rf"(?:连续|过去|最近|近|in|for|over|of)? ?(?:the )?{_W} ?(?:的|都|均|里|内)?")
_ROW = re.compile(
    r"(?:连续|过去|最近|近)[零一二两三四五六七八九十几多\d]+个?(?:年|季度?|月|天|交易日)(?:都|均|以来|的)*"
    r"|每年(?:都|均)?|历年|(?:for |over |in )?\w+ (?:consecutive|straight) \w+|\w+ \w+ in a row"
)
_NOW = frozenset({"最新", "实时", None})
_TIDY = re.compile(r"^[,、。; ]+|[,、; ]+$")
_SCOPE = re.compile(
    r"创业板|科创板|中小板|中小企业板|主板|北交所|新三板|沪市|(?<!沪)深市|上交所|深交所|沪股(?!通)|(?<!沪)深股(?!通)|b股|"
    r"(?:沪深300|中证\d{2,4}|上证\d{2,3}|恒生指数|标普500|纳斯达克100)(?:成[分份]股?|里|中|的股票)|"
    r"港股通|沪股通|深股通|沪港通|深港通|大盘股|中盘股|小盘股|蓝筹股|白马股|龙头股(?!份)|次新股|国企|央企|民企|中字头|"
    r"成长股|价值股|周期股|题材股|中概股|(?:\blisted )?\b(?:(?:on|in) )?(?:the )?"
    r"(?P<en>chinext|star market|sme board|main board|nyse|nasdaq|s&p 500)(?:-listed)?(?= |$|,)",
    re.IGNORECASE,
)
_LIMIT_MOVES = re.compile(r"(?P<up>涨停)|跌停")


class ScreenRefuser:
    """Puts back what a screen cannot do. Safe to share between threads."""

    def __init__(self, metadata: Metadata, screens: ScreenReader) -> None:
        self._metadata, self._screens = metadata, screens

    def check(self, question: Question) -> None:
        """Raises: AskedBack for what was said of a screen and cannot be done."""
        self.check_bounds(question)
        self.check_excluded(question)
        self.check_time(question)

    def with_bounded(self, question: Question) -> Question:
        """Of companies a bound or an order asks for its figure: 腾讯市值突破3万亿了吗."""
        said = question.screening
        if question.figures or question.wanted.action:
            return question
        names = [self._screens.entry_of(key).name for key in said.conditions]
        named = [*names, *([said.order_by] if said.order_by else [])]
        found = [entry for name in named if (entry := self._metadata.exact(name))]
        return replace(question, figures=tuple(dict.fromkeys(found)))

    def check_bounds(self, question: Question) -> None:
        """Raises: AskedBack for a condition, an order or a size that cannot be had."""
        said, language = question.screening, question.language
        if said.wrong is not None:
            raise self._wrong(question, *said.wrong)
        if said.order_by is not None:
            self._check_order(said.order_by, language)
        if said.size is not None and not 1 <= said.size <= MOST:
            name, which = said.order_by or "净利润", "最低" if said.order == "升序" else "最高"
            choice = f"{name}{which}的{MOST}只"
            if language == "en":
                lowest = "lowest" if said.order == "升序" else "highest"
                choice = f"{MOST} stocks with the {lowest} {self.called(name, language)}"
            raise asked(language, "too_many", str(MOST), choices=(choice,))

    def check_excluded(self, question: Question) -> None:
        """Raises: AskedBack for an industry that is to be left out."""
        said = question.screening.excluded
        if said is not None:
            text = restored(question.sentence, grammar.EXCLUDED.sub("", question.sentence.shadow))
            choices = [text] if text else [f"那{said}呢"] if question.language == "zh" else []
            raise asked(question.language, "excluded", said, choices=choices)

    def check_time(self, question: Question) -> None:
        """Raises: AskedBack for a screen of a time that is not now."""
        if match := _ROW.search(question.text):
            text = _TIDY.sub("", question.text.replace(match.group(), ""))
            raise asked(question.language, "no_past_screen", choices=[text] if text else ())
        for when in question.whens:
            day = when.time_range == "一天内" and when.period in _NOW
            if day or (when.period in _NOW and not (when.time_range or when.start)):
                continue
            text = restored(question.sentence, _PAST.sub("", question.sentence.shadow))
            raise asked(question.language, "no_past_screen", choices=[text] if text else ())

    def samples(self, language: str, keys: Sequence[str] = ()) -> list[str]:
        """A sensible condition on each of these fields, or on all."""
        return [
            self.sample(key, language) for key in (keys or self._screens.fields) if key != "pct"
        ]

    def sample(self, key: str, language: str, *, above: bool = True) -> str:
        """A sensible condition on that field: 净利润大于10亿."""
        zh, en = _SAMPLES[key]
        name = self.called(self._screens.entry_of(key).name, language)
        if language == "zh":
            return f"{name}{'大于' if above else '小于'}{zh}"
        return f"{name} {'above' if above else 'below'} {en}"

    def called(self, name: str, language: str) -> str:
        """A figure's name in that language, as the table of metric codes has it."""
        entry = self._metadata.exact(name)
        return name if entry is None else figure_called(entry, language)

    def how_high(self, question: Question) -> AskedBack:
        """The question back about companies sought by a figure without a bound: 有分红的A股."""
        entry, language = question.figures[0], question.language
        self.check_time(question)
        name, key = self.called(entry.name, language), self._screens.field_of(entry)
        if not key:
            return asked(language, "unscreenable", name, choices=self.samples(language))
        choices = [*self._each_order(question, entry.name), self.sample(key, language)]
        return asked(language, "vague_screen", name, choices=choices)

    def _wrong(self, question: Question, word: str, valid: Text | str) -> AskedBack:
        language, said = question.language, question.screening
        kind = valid if isinstance(valid, str) else ""
        if kind == "by_what":
            return asked(language, "no_order", choices=self._orders(question))
        if kind == "two_orders":
            return asked(language, kind, choices=self._each_order(question))
        if kind == "either":
            names = {key: self._screens.entry_of(key).name for key in said.conditions}
            choices = [f"{names[key]}{one}" for key, one in said.conditions.items()]
            choices = choices if language == "zh" else self.samples("en", tuple(names))
            return asked(language, kind, choices=choices)
        name = self.called(word, language)
        if kind == "unscreenable":
            return asked(language, kind, name, choices=self.samples(language))
        entry = self._metadata.exact(word)
        key = self._screens.field_of(entry) if entry else ""
        if not key:
            return asked(language, "unscreenable", name, choices=self.samples(language))
        if kind == "vague_screen":
            choices = [*self._each_order(question, word), self.sample(key, language)]
            return asked(language, kind, name, choices=choices)
        choices = [self.sample(key, language, above=above) for above in (True, False)]
        if said.offers:
            en = [self._in_english(word, one) for one in said.offers]
            choices = list(said.offers) if language == "zh" else en
        if isinstance(valid, str):  # unfinished, vague
            return asked(language, kind, name, choices=choices)
        why = valid.zh if language == "zh" else valid.en
        return asked(language, "wrong_condition", name, why, choices=choices)

    def _in_english(self, name: str, condition: str) -> str:
        return f"{self.called(name, 'en')} {bound_en(condition.removeprefix(name))}"

    def _orders(self, question: Question) -> list[str]:
        """The list that was meant, in some orders it may be in."""
        said = question.screening
        market, industry = said.category or "A股", f"{said.industry}股" if said.industry else ""
        size = said.size or 10
        if question.language == "en":
            kinds = ("lowest PE", "lowest PB", "highest dividend yield", "highest ROE")
            return [f"{size} stocks with the {kind}" for kind in kinds]
        kinds = ("市盈率最低", "市净率最低", "股息率最高", "净资产收益率最高")
        return [f"{market}{industry}{kind}的{size}只" for kind in kinds]

    def _each_order(self, question: Question, name: str = "") -> list[str]:
        """The list in each of the orders said; in both orders of a figure that has no bound."""
        said, size = question.screening, question.screening.size or 10
        market, industry = said.category or "A股", f"{said.industry}股" if said.industry else ""
        orders = said.orders or ((name, False), (name, True))
        if question.language == "zh":
            ways = ("最高", "最低")
            return [f"{market}{industry}{one}{ways[low]}的{size}只" for one, low in orders]
        ways = ("highest", "lowest")
        return [f"{size} stocks with the {ways[low]} {self.called(n, 'en')}" for n, low in orders]

    def _check_order(self, name: str, language: str) -> None:
        entry = self._metadata.exact(name)
        if entry is None or self._screens.field_of(entry):
            return
        known = [self.called(one.name, language) for one in self._screens.fields.values()]
        choices = [f"{one}最高的10家公司" for one in known]
        if language == "en":
            choices = [f"top 10 stocks by {one}" for one in known]
        raise asked(language, "unorderable", self.called(name, language), choices=choices)


_BY_SIZE = {"大盘股": "市值大于1000亿的A股", "小盘股": "市值小于50亿的A股"}


def scope_of(text: str) -> tuple[str, str] | None:
    """A part of a market nobody can screen alone (创业板), and the question with its market."""
    match = _SCOPE.search(text)
    if match is None:
        return None
    if match.group().isascii():
        return _english_scope(match, text)
    market = "美股" if re.search("标普|纳斯达克|中概", match.group()) else "A股"
    market = "港股" if re.search("恒生|港股通|港通", match.group()) else market
    if match.group() in _BY_SIZE:
        return match.group(), f"{_BY_SIZE[match.group()]}{text[match.end() :]}"
    rest = re.sub(
        "^(?:上市公司|股票|公司|的|里面|里|中|A股|股(?![息价东本]))+", "", text[match.end() :]
    )
    name = re.sub("(?:里|中|的股票)$", "", match.group())
    return name, text[: match.start()] + market + ("，" if rest else "") + rest


def _english_scope(match: re.Match[str], text: str) -> tuple[str, str]:
    name = match.group("en")
    market = "US stocks" if name.lower() in {"nyse", "nasdaq", "s&p 500"} else "A-shares"
    rest = f"{text[: match.start()]} {text[match.end() :]}"
    rest, found = re.subn(r"\b(?:stocks|companies|shares)\b", market, rest, count=1)
    return name, " ".join((rest if found else f"{market} {rest}").split())


def limit_moves(text: str, language: str) -> AskedBack | None:
    """The question back about 涨停 and 跌停 of no company."""
    match = _LIMIT_MOVES.search(text)
    if match is None:
        return None
    up = bool(match.group("up"))
    choices = ("涨幅大于9.9%的股票", "涨幅前20") if up else ("跌幅大于9.9%的股票", "跌幅前20")
    return asked(language, "no_limit_moves", choices=choices)


def restored(sentence: Sentence, shadow: str) -> str:
    """A part of the shadow in the words of the asker; times are left out."""
    told: list[str] = []
    for char in shadow:
        kind, at = ord(char) & 0xFF00, ord(char) & 0xFF
        if kind == 0xE000:
            told.append(sentence.companies[at].text)
        elif kind == 0xE100:
            said = sentence.figures[at].said
            told.append(said.upper() if said.isalpha() and said.isascii() else said)
        elif kind == 0xE300:
            told.append(sentence.not_kept[at])
        elif kind == 0xE400:
            told.append(sentence.series[at])
        elif kind == 0xE500:
            told.append("亏损" if at else "盈利")
        elif kind != 0xE200:
            told.append(char)
    text = re.sub(r"\s+", " ", "".join(told).replace("\n", ""))
    text = re.sub("[ah](?=股)", lambda found: found.group().upper(), text)
    return _TIDY.sub("", text)
