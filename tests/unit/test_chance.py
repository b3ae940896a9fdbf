"""What chance writes is no figure, and a figure is found beside it."""

import pytest

from tests.chance import stands

FIGURES = ("40.31", "98.76", "5.55", "88.8", "40", "9:37", "2017-07")
CHANCE = (
    "2017-07-26 09:37:40.310000+00:00",
    "09:37:40.31",
    '{"duration_ms": 40.31, "seconds":98.76, "first_token_s":5.55}',
    "duration_ms=5.5512e-01 seconds=88.8",
    "用时 40.31 ms，等了 88.8 秒",
    "run_4031987655588812 tc_98765554031a 403198765558880987655",
    "POST http://127.0.0.1:40555/v1 from localhost:40310",
)


@pytest.mark.parametrize("told", CHANCE)
@pytest.mark.parametrize("figure", FIGURES)
def test_what_chance_wrote_is_no_figure(figure: str, told: str) -> None:
    assert not stands(figure, told)


@pytest.mark.parametrize(
    "told",
    [
        "净利润其实下降 40.31%",
        '{"value": 40.31, "duration_ms": 2.0}',
        "at 09:37:40.31 it fell 40.31%",
        "每股收益 40.31元",
        "40.31 shares",
    ],
)
@pytest.mark.parametrize("figure", ["40.31", "0.31"])
def test_a_figure_is_found_where_one_stands(figure: str, told: str) -> None:
    assert stands(figure, told)


def test_a_word_is_looked_for_everywhere() -> None:
    assert stands("sk-hush-0123456789abcdef", "key_sk-hush-0123456789abcdef")
    assert stands("0123456789abcdef", "run_0123456789abcdef")
    assert not stands("蓝羽毛", "run_0123456789abcdef")
