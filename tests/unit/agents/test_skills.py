"""Which ability is meant: by id, by alias, by mode, or the default of the settings."""

import pytest

from services.agents.skills import SKILLS, AgentSkillRegistry
from services.core.errors import InputError
from services.core.text import Text
from services.tools.registry import TOOLS


def test_the_skills_of_the_specification_with_their_tools() -> None:
    assert {skill.skill_id: skill.alias for skill in SKILLS.values()} == {
        "stock_analysis": "stock",
        "market_overview": "market",
    }
    assert set(SKILLS["stock_analysis"].tools) == set(TOOLS)
    assert SKILLS["market_overview"].tools == ("search_news", "get_macro_data")


@pytest.mark.parametrize("skill_id", ["stock_analysis", "stock", "market_overview", "market"])
def test_an_id_and_its_alias_name_the_same(skill_id: str) -> None:
    found = AgentSkillRegistry("stock").find(skill_id)
    assert skill_id in {found.skill_id, found.alias}


def test_an_id_wins_over_the_mode() -> None:
    assert AgentSkillRegistry("stock").find("market", "stock").skill_id == "market_overview"


@pytest.mark.parametrize("default", ["stock", "market_overview"])
def test_a_mode_chooses_the_skill_that_serves_it(default: str) -> None:
    registry = AgentSkillRegistry(default)
    assert registry.find(mode="stock").skill_id == "stock_analysis"
    assert registry.find(mode="market").skill_id == "market_overview"


def test_where_neither_is_said_the_default_of_the_settings_is_meant() -> None:
    assert AgentSkillRegistry("stock").find().skill_id == "stock_analysis"
    assert AgentSkillRegistry("market").find().skill_id == "market_overview"


@pytest.mark.parametrize("unknown", ["", "STOCK", "crypto", "stock_analysis "])
def test_an_unknown_skill_is_told_with_those_there_are(unknown: str) -> None:
    with pytest.raises(InputError) as caught:
        AgentSkillRegistry("stock").find(unknown)
    assert caught.value.name == "skill_id"
    assert caught.value.choices == ("stock_analysis (stock)", "market_overview (market)")


def test_an_unknown_default_is_told_at_once() -> None:
    with pytest.raises(InputError, match="skill_id"):
        AgentSkillRegistry("crypto")


def test_a_report_is_called_by_name_and_skill_without_a_word_twice() -> None:
    stock, market = SKILLS["stock_analysis"], SKILLS["market_overview"]
    assert stock.title_of(Text("比亚迪", "BYD Company")) == Text(
        "比亚迪 个股深度分析", "BYD Company: in-depth analysis"
    )
    assert market.title_of(Text("", "")) == Text("市场总览", "Market overview")
