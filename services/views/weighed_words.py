"""What is told of a figure of a text from outside, beside what is held: whether it agrees, and why
not or why that cannot be decided.
"""

from collections.abc import Mapping, Sequence

from services.core.claim_names import is_of_day
from services.core.claims import Claim
from services.core.periods import is_report, period_words
from services.core.text import LANGUAGES, Language, Text, join_texts
from services.grounding.ground import WeighedFigure
from services.grounding.verdict import Mind, Standing
from services.views.table import claim_words

STANDINGS: Mapping[Standing, Text] = {
    "agrees": Text("一致", "agrees"),
    "differs": Text("不一致", "differs"),
    "undecided": Text("无法判断", "cannot be decided"),
}
_WHY: Mapping[Mind, Text] = {
    "": Text("", ""),
    "older": Text("是 {when} 的数，不是最新的", "of {when}, not the newest"),
    "vague": Text("说法含糊，没有数值可以核对", "vague, with no value to compare"),
    "unpaired": Text(
        "与前面的名称个数对不上，不知道说的是哪一个",
        "it does not pair with the names before it",
    ),
    "unnamed": Text("没有认出它说的是哪项数据", "what figure it is was not recognised"),
    "unheld": Text("没有“{name}”这项数据", "no figure “{name}” is held"),
    "whose": Text(
        "“{name}”有数据，但没有认出是哪家公司的，或没有那家的",
        "“{name}” is held, but not of this company, or whose it is was not recognised",
    ),
    "unit": Text(
        "没有写单位，或写的不是“{name}”的单位", "without a unit, or not in that of “{name}”"
    ),
    "time": Text(
        "没有那个时间的“{name}”，有的是 {when}", "no “{name}” of that time is held; held are {when}"
    ),
}
_MOST_TIMES = 6


def tell_why(figure: WeighedFigure) -> Text:
    """Why it is undecided, or what to mind of one that agrees; empty where there is nothing."""
    whole = _tell_times(figure.claims if figure.mind == "time" else figure.claims[:1])
    return _WHY[figure.mind].format(name=figure.name, when=whole)


def tell_held(claim: Claim, companies: Mapping[str, Text]) -> Text:
    """Whose figure it is, which, and of which day or report: 招商银行 净利润 2016年报."""
    whom = companies.get(claim.symbol, Text.of(claim.symbol))
    return join_texts((whom, claim_words(claim), _tell_times([claim])), " ", " ")


def _tell_times(claims: Sequence[Claim]) -> Text:
    zh, en = (dict.fromkeys(_tell_time(one, way) for one in claims) for way in LANGUAGES)
    return Text("、".join(list(zh)[:_MOST_TIMES]), ", ".join(list(en)[:_MOST_TIMES]))


def _tell_time(claim: Claim, language: Language) -> str:
    if claim.period and is_report(claim.period) and not is_of_day(claim):
        return period_words(claim.period, language)
    return claim.as_of.isoformat()
