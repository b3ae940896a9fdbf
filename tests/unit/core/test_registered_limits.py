"""A limit stands once, in the register: what a text calls overbought or bullish is held to it."""

import re
from pathlib import Path

import pytest

from services.core.indicator_formulas import INDICATORS
from services.core.limits import COMPETENCES
from services.core.text import Language
from tests.unit.core.grounded import MAY, MOUTAI, asked, checks, claim, told

_ROOT = Path(__file__).parents[3]
# A number of its own, not part of a name, a decimal or a metric such as ma_60.
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")


def rsi(value: float):
    return claim("rsi", value, "index", as_of=MAY)


def score(value: float):
    return claim("technical_score", value, "score", as_of=MAY)


def judged(text: str, one, language: Language = "zh"):
    return asked(text, one, language=language, default=MOUTAI)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("茅台RSI(14)为66.0，已进入超买区。", 66.0),
        ("茅台RSI(14)为70.0，超买。", 70.0),
        ("茅台处于超买区，RSI(14)为66.0。", 66.0),
        ("茅台超买，RSI(14)为66.0。", 66.0),
        ("茅台RSI(14)为34.0，已经超卖。", 34.0),
        ("茅台RSI(14)为30.0，超卖。", 30.0),
    ],
)
def test_a_text_is_overbought_or_oversold_only_beyond_the_registered_limit(text, value):
    assert checks(judged(text, rsi(value))) == ["wording"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("茅台RSI(14)为70.1，已进入超买区。", 70.1),
        ("茅台超买，RSI(14)为83.0。", 83.0),
        ("茅台RSI(14)为29.9，超卖。", 29.9),
        ("茅台RSI(14)为66.0，接近超买区。", 66.0),
        ("茅台RSI(14)为66.0，尚未超买。", 66.0),
        ("茅台RSI(14)为66.0，自超买区回落。", 66.0),
        ("茅台RSI(14)为66.0，没有超买或超卖信号。", 66.0),
    ],
)
def test_what_the_limit_bears_out_or_the_text_denies_stands(text, value):
    answer = judged(text, rsi(value))
    assert answer.ok, told(answer)


@pytest.mark.parametrize(
    "text",
    [
        "Kweichow Moutai's RSI(14) is 66.0, overbought.",
        "Kweichow Moutai is overbought with an RSI(14) of 66.0.",
    ],
)
def test_the_english_word_is_held_to_the_same_limit(text):
    assert checks(judged(text, rsi(66.0), "en")) == ["wording"]


@pytest.mark.parametrize(
    ("text", "value", "language"),
    [
        ("茅台技术评分60.00分，偏多。", 60.0, "zh"),
        ("茅台技术评分60.00分，按评分规则为偏多。", 60.0, "zh"),
        ("茅台技术评分40.00分，立场偏空。", 40.0, "zh"),
        ("Kweichow Moutai's technical score is 60.00, by its rule bullish.", 60.0, "en"),
    ],
)
def test_a_stance_is_that_of_the_registered_bands(text, value, language):
    assert checks(judged(text, score(value), language)) == ["wording"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("茅台技术评分65.00分，偏多。", 65.0),
        ("茅台技术评分35.00分，按评分规则为偏空。", 35.0),
        ("茅台技术评分60.00分，均线形态偏多。", 60.0),
    ],
)
def test_a_stance_holds_from_its_limit_on_and_of_nothing_else(text, value):
    answer = judged(text, score(value))
    assert answer.ok, told(answer)


def test_no_source_repeats_a_limit_of_the_rsi_or_of_the_stance():
    limits = {
        value
        for rule in ("indicator.rsi", "indicator.stance")
        for value in COMPETENCES[rule].values.values()
    }
    repeated = [
        f"{path.name}:{number}: {line.strip()}"
        for folder in ("services", "pages")
        for path in sorted((_ROOT / folder).rglob("*.py"))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if re.search(r"rsi|overb|overs|score|超买|超卖|limit=", line)
        and not line.lstrip().startswith(("#", '"'))
        and limits & {float(found) for found in _NUMBER.findall(line)}
    ]
    assert not repeated


def test_the_formulas_of_score_and_position_use_the_registered_limits():
    expressions = {one.metric: one.expression for one in INDICATORS}
    low, high = (
        COMPETENCES["indicator.rsi"].values[name] for name in ("rsi_oversold", "rsi_overbought")
    )
    assert f"band(rsi, {low:g}, {high:g})" in expressions["technical_score"]
    assert expressions["position_suggestion"] == "max(score - 35, 0) / 65 * 0.8"
