"""What a reason says is good or bad, held against what Step 1 and the factors say.

Words only: figures are the grounding's. A clause that supposes, denies, compares with others or
softens says nothing here; a subject Step 1 judges both ways, or not at all, contradicts nothing.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from services.core.claims import Claim
from services.core.text import Text
from services.scoring.models import Direction, Factor, Scorecard, Step1Output

# From which factor score on a factor speaks for, and down to which against.
_GOOD_FACTOR, _BAD_FACTOR = 6.0, 4.0
# A reason that names this many things of one kind, and none of the other, has a side.
_ONE_SIDED = 2
_HIGH_SCORE, _LOW_SCORE = 7.0, 3.0
_NEWS = "消息面"
_NO_NEWS = Text(
    "没有依据：Step1 没有消息，理由却说它好或坏",
    "unfounded: Step 1 has no news, and the reason calls it good or bad",
)
_SPLIT = re.compile(r"[，。；：！？、,;:!?\n]|\.(?=\s|$)")
_QUOTED = re.compile('「[^「」]*」|《[^《》]*》|“[^“”]*”|"[^"]*"')
_ASIDE = re.compile(
    "若|如果|假如|一旦|除非|可能|或将|有望|能否|是否|尚待|关注|警惕|担心|"
    "不|未|没|无|非|缺乏|难|较少|有限|收窄|放缓|乏力|止跌|扭亏|"
    "同业|同行|行业|板块|对手|大盘|指数|"
    r"\b(?:if|unless|may|might|could|would|should|whether|watch|not|no|never|without|lacks?|few|"
    r"less|narrow\w*|slow\w*|peers?|industry|sector|rivals?|index|than)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Subject:
    """Something a reason may call good or bad for a holder, in both languages."""

    zh: str
    en: str
    named: re.Pattern[str]
    good: re.Pattern[str]
    bad: re.Pattern[str]
    metrics: frozenset[str] = frozenset()
    factor: Factor | None = None


def _words(zh: str, en: str) -> re.Pattern[str]:
    return re.compile(rf"{zh}|\b(?:{en})\b", re.IGNORECASE)


_ROSE = _words(
    "增长|大增|上升|提升|改善|回升|向好|提速|走高|扩大", "gr[eo]w|growing|growth|rose|rising|"
    "increas(?:e|ed|ing)|improv(?:e|ed|ing)|expanded|stronger"
)  # fmt: skip
_FELL = _words(
    "下滑|下降|下跌|恶化|萎缩|亏损|减少|转弱|走低|承压|倒退", "fell|falling|declin(?:e|ed|ing)|"
    "decreas(?:e|ed|ing)|shr[au]nk|shrinking|worsen(?:ed|ing)?|weaker|dropp(?:ed|ing)|loss"
)  # fmt: skip
_UP = _words(
    "向上|上行|上升|上涨|走强|强势|强劲|多头", "up|upward|uptrend|rising|rose|strong|bullish"
)
_DOWN = _words(
    "向下|下行|下降|下跌|走弱|弱势|疲弱|空头|回落",
    "down|downward|downtrend|falling|fell|weak|bearish",
)
_SUBJECTS = (
    _Subject(
        "营收", "revenue", _words("营收|营业收入", "revenue|sales"), _ROSE, _FELL,
        frozenset({"revenue_yoy"}), "growth",
    ),
    _Subject(
        "利润", "profit", _words("净利|利润|盈利(?!能力|质量|收益)", "profits?|earnings"),
        _ROSE, _FELL, frozenset({"net_profit_yoy", "profit_pace"}), "growth",
    ),
    _Subject(
        "业绩", "results", _words("业绩", "results"), _ROSE, _FELL,
        frozenset({"revenue_yoy", "net_profit_yoy", "profit_pace"}), "growth",
    ),
    _Subject("趋势", "trend", _words("趋势|均线|走势|技术面", "trend|chart"), _UP, _DOWN),
    _Subject(
        "股价", "the price", _words("股价|价格", "prices?|shares?|stock"), _UP, _DOWN,
        frozenset({"pct_change", "return_60", "return_250"}), "momentum",
    ),
    _Subject(
        "估值", "valuation", _words("估值|市盈率|市净率", "valuation|multiples?|p/e|p/b"),
        _words("偏低|低估|便宜|低位|较低|有吸引力", "cheap|undervalued|low|attractive"),
        _words("偏高|高估|昂贵|高位|较高|泡沫|透支", "expensive|overvalued|high|stretched|rich"),
        frozenset({"pe_ttm", "pe_lyr", "pb", "ps_ttm"}), "valuation",
    ),
    _Subject(
        _NEWS, "news", _words("消息|新闻|舆情|情绪", "news|sentiment|headlines?"),
        _words("正面|利好|偏暖|积极|乐观", "positive|favou?rable|good|upbeat"),
        _words("负面|利空|偏空|消极|悲观", "negative|unfavou?rable|bad|downbeat"),
    ),
    _Subject(
        "盈利能力", "profitability",
        _words("盈利能力|盈利质量|经营质量|基本面", "profitability|quality|fundamentals?"),
        _words("优秀|稳健|较强|突出|扎实|良好|领先", "strong|solid|sound|high|robust"),
        _words("较弱|偏弱|薄弱|较差|堪忧|恶化", "weak|poor|low|fragile"),
        frozenset({"roe", "ROE", "gross_margin", "net_margin"}), "quality",
    ),
)  # fmt: skip
_ADVISED_FOR = _words(
    "值得持有|宜继续持有|强烈推荐|适合持有|看好", "worth holding|strongly recommend|attractive hold"
)
_ADVISED_AGAINST = _words(
    "不宜持有|不值得持有|建议卖出|应当回避|建议减持|看空", "not worth holding|should be sold|avoid"
)


@dataclass(frozen=True, slots=True)
class _Said:
    subject: _Subject
    direction: Direction
    clause: str


def contradictions(text: str, step1: Step1Output, card: Scorecard) -> tuple[Text, ...]:
    """Where the rendered reason says the opposite of Step 1, or gives a direction to what Step 1
    has no data of.
    """
    found: dict[Text, None] = {}
    for said in _statements(text):
        if said.subject.zh == _NEWS and step1.news.status == "missing":
            found[_NO_NEWS] = None
            continue
        known = _known(said.subject, step1, card)
        if not known and not _is_grounded(said.subject, step1):
            found[
                Text(
                    f"没有依据：Step1 没有{said.subject.zh}的数据，理由却说它好或坏",
                    f"unfounded: Step 1 has no data of {said.subject.en}, and the reason calls it "
                    "good or bad",
                )
            ] = None
        elif known and said.direction not in known and "neutral" not in known:
            good = said.direction == "positive"
            zh, en = ("好", "good") if good else ("坏", "bad")
            found[
                Text(
                    f"方向矛盾：理由把{said.subject.zh}说成{zh}的，Step1 数据相反",
                    f"direction: the reason calls {said.subject.en} {en}, Step 1 says the opposite",
                )
            ] = None
    return tuple(found)


def disagreement(score: float, text: str) -> Text | None:
    """Why the score does not fit the reason; None when it may."""
    sides = [said.direction for said in _statements(text)]
    good, bad = sides.count("positive"), sides.count("negative")
    plain = _QUOTED.sub("", text)
    against, for_ = _ADVISED_AGAINST.search(plain), _ADVISED_FOR.search(plain)
    too_high = score >= _HIGH_SCORE and ((bad >= _ONE_SIDED and not good) or against)
    too_low = score <= _LOW_SCORE and ((good >= _ONE_SIDED and not bad) or for_)
    if too_high:
        return Text(
            "分数与理由不一致：理由以不利因素为主，评分却高",
            "the score does not fit the reason: the reason is unfavourable, the score high",
        )
    if too_low:
        return Text(
            "分数与理由不一致：理由以有利因素为主，评分却低",
            "the score does not fit the reason: the reason is favourable, the score low",
        )
    return None


def _statements(text: str) -> list[_Said]:
    """Every clause that calls a subject good or bad; one that says both says neither."""
    found: list[_Said] = []
    for clause in _SPLIT.split(_QUOTED.sub("", text)):
        if _ASIDE.search(clause):
            continue
        for subject in _SUBJECTS:
            if not subject.named.search(clause):
                continue
            good, bad = subject.good.search(clause), subject.bad.search(clause)
            if bool(good) != bool(bad):
                found.append(_Said(subject, "positive" if good else "negative", clause))
    return found


def _known(subject: _Subject, step1: Step1Output, card: Scorecard) -> frozenset[Direction]:
    """Every direction Step 1 gives to the subject; that of its factor where it gives none."""
    claims = card.by_id
    found: set[Direction] = set()
    if subject.zh == _NEWS:
        found |= set(_news(step1, claims))
    if subject.zh in {"趋势", "股价"} and step1.kline.trend is not None:
        sides: Mapping[str, Direction] = {"up": "positive", "down": "negative"}
        found.add(sides.get(step1.kline.trend, "neutral"))
    for part in (step1.news, step1.sector, step1.kline):
        for finding in part.findings:
            metrics = {claims[one].metric for one in finding.claims if one in claims}
            if metrics & subject.metrics:
                found.add(finding.direction)
    found |= set(_signs(subject, step1))
    return frozenset(found or _factor(subject, card, claims))


def _is_grounded(subject: _Subject, step1: Step1Output) -> bool:
    """Whether Step 1 has a figure of the subject, though it gives it no direction."""
    return any(
        claim.metric in subject.metrics and claim.symbol == step1.stock_code
        for claim in step1.claims
    )


def _signs(subject: _Subject, step1: Step1Output) -> Iterable[Direction]:
    """Rates of growth speak by their sign, the newest of each."""
    newest: dict[str, Claim] = {}
    for claim in step1.claims:
        growth = claim.metric in subject.metrics and claim.metric.endswith("_yoy")
        if not growth or claim.symbol != step1.stock_code:
            continue
        if claim.metric not in newest or claim.as_of >= newest[claim.metric].as_of:
            newest[claim.metric] = claim
    return [_side(claim.value) for claim in newest.values()]


def _side(value: float) -> Direction:
    if value == 0:
        return "neutral"
    return "positive" if value > 0 else "negative"


def _factor(subject: _Subject, card: Scorecard, claims: Mapping[str, Claim]) -> Sequence[Direction]:
    for factor in card.factors:
        if factor.factor == subject.factor and factor.score is not None:
            score = claims[factor.score].value
            if score >= _GOOD_FACTOR:
                return ("positive",)
            return ("negative",) if score <= _BAD_FACTOR else ("neutral",)
    return ()


def _news(step1: Step1Output, claims: Mapping[str, Claim]) -> Sequence[Direction]:
    news = step1.news
    if news.positive is None or news.negative is None:
        return [one.direction for one in news.findings]
    return (_side(claims[news.positive].value - claims[news.negative].value),)
