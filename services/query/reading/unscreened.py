"""What a screen would lose in silence: words no condition takes, comparisons with a company.

They are put back with screens that can be asked; what is left out is left out by the asker.
"""

import re
from collections.abc import Mapping

from services.query.reading import screen_grammar as grammar
from services.query.reading.clarification import about, asked
from services.query.reading.question import Question
from services.query.reading.screen_validation import restored
from services.query.reading.sentence import COMPANY, FIGURE, any_of
from services.query.reading.wording import INDUSTRIES

_C, _F = any_of(COMPANY), any_of(FIGURE)
_SHARES = "|".join(sorted(INDUSTRIES, key=len, reverse=True))
_ALWAYS = "一直|始终|长期|持续|不断"
_MORE = rf"{_F}?(?:{_ALWAYS}|连年|逐年|比较|很|相对|高|快速|高速|稳步|正|负)?(?:在|都|是)*"
_UNHEARD = re.compile(
    rf"小而美|优质|绩优|龙头|白马|蓝筹|{_MORE}稳[定健](?:的?(?:增长|上升))?|"
    rf"{_MORE}(?:增长|成长|下滑|恶化|改善|下降|上升)(?!率|到|至)|(?:{_ALWAYS})(?:在|都|是)*|"
    r"连续(?:[上下]?[涨跌])?|停牌|复牌|涨停|跌停|[大暴]涨|[大暴]跌|异动|热门|冷门|便宜|"
    r"被?低估(?!值)|被?高估(?!值)|\b(?:small|large|mid|big)(?:[- ]?caps?)?\b|"
    r"\b(?:stabl[ey]|stead(?:y|ily)|consistent(?:ly)?|growing|growth|rising|falling|declining|"
    r"improving|cheap|expensive|undervalued|overvalued|quality|leading|suspended|popular)\b"
)
# 大公司, 小银行; 五大银行 and 最大的公司 are no such words.
_SIZED = re.compile(
    rf"(?<![一二三四五六七八九十最更其\d])(?:[大小微]|[大中小微]型|中小型?|规模[大小]的)的?(?:上市)?"
    rf"(?:公司|企业|票|(?={_SHARES}))"
)
# A word for a size, and the bound it may mean.
_SIZES: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (re.compile("小|small"), "市值小于50亿", "market cap below 5 billion"),
    (
        re.compile("大(?!涨|跌)|large|big|龙头|蓝筹"),
        "市值大于1000亿",
        "market cap above 100 billion",
    ),
)
_CHEAP: Mapping[str, tuple[str, str]] = {
    "zh": ("市盈率小于15", "市净率小于1"),
    "en": ("PE below 15", "PB below 1"),
}
_RELATIVE = re.compile(
    rf"(?:比|低于|高于|小于|大于|超过|不如|不低于|不高于|[<>]|\bthan |\babove |\bbelow ){_C}"
)
_BOUND = re.compile(rf" ?(?:{grammar.OP}|{grammar.NUM})")
_OF_MANY = re.compile(
    rf"股票|公司|个股|企业|标的|哪些|a股|港股|美股|(?:{_SHARES})股|\b(?:stocks|companies|shares)\b"
)
_LOST_ACTIONS = frozenset({"abnormal", "feed", "price_history"})


def check_unheard(question: Question) -> None:
    """Raises: AskedBack for a word of a screen that none of its conditions takes."""
    shadow = question.sentence.shadow
    match = _SIZED.search(shadow) or _UNHEARD.search(question.screening.rest)
    lost = question.wanted.action in _LOST_ACTIONS and question.wanted.words
    if match is None and not lost:
        return
    said = match.group() if match else question.wanted.words[0]
    place = shadow.find(said)
    after = shadow[place + len(said) :]
    if re.match(_F, said) and _BOUND.match(after):  # ROE稳定大于15%: the figure stays
        said = said[1:]
    whole = said + (noun.group() if (noun := re.match(_SHARES, after)) and match else "")
    rest = restored(question.sentence, re.sub(f"{re.escape(said)}的?", "", shadow, count=1))
    rest = re.sub("的股$", "的股票", re.sub("^(?:股票|公司|企业)?[里中]", "", rest))
    word = restored(question.sentence, whole)
    raise asked(question.language, "unheard", word, choices=_offers(question, word, rest))


def is_unheard(word: str) -> bool:
    """Whether it is such a word and nothing else."""
    return _UNHEARD.fullmatch(word) is not None


def check_relative(question: Question) -> None:
    """Raises: AskedBack for a list of companies bounded by the figure of one: 比茅台便宜的."""
    shadow = question.sentence.shadow
    if not _RELATIVE.search(shadow) or not _OF_MANY.search(shadow):
        return
    name = question.companies[0].text
    link = "的" if question.language == "zh" else " "
    figures = [figure.said for figure in question.sentence.figures]
    choices = [f"{name}{link}{one}" for one in figures] or about(question.language, name)
    raise asked(question.language, "relative", name, choices=choices)


def _offers(question: Question, word: str, rest: str) -> list[str]:
    """The screen without the word, and with a bound the word may mean."""
    zh = question.language == "zh"
    comma = "，" if zh else ", "
    bounds = [zh_bound if zh else en for sign, zh_bound, en in _SIZES if sign.search(word)][:1]
    if re.search("便宜|低估|cheap|undervalued", word):
        bounds += _CHEAP[question.language]
    return [*(f"{rest}{comma}{bound}" for bound in bounds), *([rest] if rest else [])]
