"""Words and names with a numeral in them are no figures; a figure beside them still is one."""

import pytest

from services.grounding.ground import ground
from services.language.plain_text import words
from tests.unit.agents.kit import DAY, claim, services

PE = claim("pe_ttm", 10.14, "multiple")
NAMES = {"600036.SH": ("招商银行",)}
WORDS = words(
    """
    登陆 陆续 大陆 陆股通 陆家嘴 收拾 放肆 队伍 壹账通 百年老店 两点值得关注 五粮液 三一重工
    七匹狼 万科 百度 四川路桥 重拾 着陆 内陆 落伍 大肆 三棵树 一心堂 八一钢铁 九阳股份 千金药业
    百川能源 科陆电子 华伍股份 仟源医药 益佰制药 十年磨一剑 一帆风顺 三心二意 两败俱伤 百年一遇
    千锤百炼 九曲十八弯 一石二鸟 二八定律
    """
)


def _checks(text: str) -> list[str]:
    others = services().names.numbered
    found = ground(text, [PE], names=NAMES, default_symbol="600036.SH", now=DAY, others=others)
    return [f"{one.span} {one.check}" for one in found.failures]


@pytest.mark.parametrize("word", WORDS)
def test_a_word_with_a_numeral_is_no_figure(word: str) -> None:
    assert _checks(f"{word}。") == []
    assert _checks(f"招商银行市盈率(TTM)为10.14倍，{word}。") == []
    assert _checks(f"招商银行市盈率(TTM)为99.99倍，{word}。") == ["99.99倍 value"]


@pytest.mark.parametrize(
    "figure",
    ["陆倍", "伍亿陆仟万元", "壹佰亿元", "一百亿元", "两点", "百亿", "三成五", "三分之一", "一角"],
)
def test_a_numeral_alone_is_a_figure(figure: str) -> None:
    assert _checks(f"招商银行净利润{figure}。")


def test_a_figure_of_another_company_is_not_ours() -> None:
    assert _checks("三棵树的市盈率(TTM)为10.14倍。")


def test_no_name_that_reads_as_a_figure_is_among_those_of_the_market() -> None:
    names = services().names.numbered
    assert len(names) > 900
    assert not {"01015", "二六三", "三元", "一百"} & names.keys()
