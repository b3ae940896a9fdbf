"""The gate knows every name our own rules write: a rule's report loses none of its sentences."""

from datetime import date

import pytest

from services.agents.results import AgentRunRequest, AgentRunResult
from services.core.catalogue import CATALOGUE
from services.core.claims import Claim
from services.core.rendering import place, show
from services.core.text import Language, Text
from services.grounding.ground import Grounded, ground
from services.market.events.lead_words import flag_clauses
from services.market.events.leads import BILLBOARD, Flag, Lead, Near
from tests.unit.agents.kit import DAY, claim, services

NAMES = {"600036.SH": ("招商银行", "China Merchants Bank")}
LANGUAGES: tuple[Language, ...] = ("zh", "en")
# One figure of every dimension a metric can have.
SIZES = {
    "CNY": 123_456_789.0,
    "CNY/share": 12.34,
    "percent": 12.34,
    "multiple": 12.34,
    "shares": 123_456_789.0,
    "sigma": 12.3,
    "score": 12.34,
    "index": 12.34,
    "points": 12.34,
    "sessions": 7.0,
    "count": 7.0,
    "number": 7.0,
    "rank": 7.0,
}


def _grounded(text: str, one: Claim, language: Language, *quotes: str) -> Grounded:
    return ground(
        text,
        [one],
        names=NAMES,
        language=language,
        default_symbol="600036.SH",
        now=DAY,
        quotes=quotes,
    )


def _holds(metric: str, unit: str, language: Language) -> bool:
    one = claim(metric, SIZES[unit], unit)
    label = CATALOGUE[metric].label(language)
    said = (
        f"招商银行{label}为{{}}。"
        if language == "zh"
        else f"China Merchants Bank's {label} is {{}}."
    )
    told = (place(one), show(one, language).text)
    return all(_grounded(said.format(figure), one, language).ok for figure in told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_true_sentence_with_any_label_passes(language: Language) -> None:
    lost = [
        CATALOGUE[metric].label(language)
        for metric in CATALOGUE.figures
        if not any(_holds(metric, unit, language) for unit in SIZES)
    ]
    assert lost == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("value", [155_294_000.0, -155_294_000.0])
def test_what_the_exchange_listed_is_told_with_its_net_buying(
    language: Language, value: float
) -> None:
    net = claim("billboard_net", value, "CNY")
    title = "日涨幅偏离值达到7%的证券"
    lead = Lead(
        kind="signal",
        day=date(2017, 7, 24),
        title=f"龙虎榜：{title}",
        source="eastmoney",
        tool_call_id="tc_1",
        item_id="i_1",
    )
    near = Near(flags=(Flag(lead, BILLBOARD, 1, net),))
    (clause,) = flag_clauses(near, one_day=True)
    said = clause.zh if language == "zh" else clause.en
    for figure in (place(net), show(net, language).text):
        text = f"招商银行{said.format(figure)}。" if language == "zh" else f"{said.format(figure)}."
        found = _grounded(text, net, language, title)
        assert found.ok, [(one.span, one.reason) for one in found.failures]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("symbol", ["000002.SZ", "300059.SZ", "00700.HK", "AAPL", None])
def test_a_report_by_rule_loses_no_sentence(language: Language, symbol: str | None) -> None:
    skill = None if symbol else "market_overview"
    request = AgentRunRequest(symbol=symbol, skill_id=skill, language=language, by_rule=True)
    found = services().analyses.run(request, "s_own")
    assert isinstance(found, AgentRunResult)
    assert found.runtime_draft.note == Text("按要求由规则撰写", "written by rule, as asked for")
