"""What a call costs: only what the user wrote down, by the longest name that fits."""

from pathlib import Path

import pytest

from services.agents.prices import COLUMNS, Prices, read_prices
from services.core.errors import ConfigError
from services.settings import load_settings

HEAD = ",".join(COLUMNS)


def written(tmp_path: Path, *lines: str) -> Path:
    path = tmp_path / "prices.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_the_longest_beginning_of_the_name_counts(tmp_path: Path) -> None:
    prices = read_prices(
        written(
            tmp_path,
            "# mine",
            HEAD,
            "qwen,CNY,1,2,2026-11-01,made up",
            'qwen-max,USD,2.5,10,2026-11-01,"made up, too"',
        )
    )
    # 2,000 × 2.5 / 1,000,000 + 300 × 10 / 1,000,000 = 0.005 + 0.003
    assert prices.cost("qwen-max-2026", 2000, 300) == (0.008, "USD")
    # 2,000 × 1 / 1,000,000 + 300 × 2 / 1,000,000 = 0.002 + 0.0006
    assert prices.cost("qwen-plus", 2000, 300) == (0.0026, "CNY")


@pytest.mark.parametrize(
    ("model", "prompt", "completion"),
    [("gpt", 1, 1), ("my-qwen", 1, 1), ("qwen", None, 1), ("qwen", 1, None)],
)
def test_what_is_not_known_costs_nobody_knows_what(
    tmp_path: Path, model: str, prompt: int | None, completion: int | None
) -> None:
    prices = read_prices(written(tmp_path, HEAD, "qwen,CNY,1,2,2026-11-01,made up"))
    assert prices.cost(model, prompt, completion) is None


def test_a_call_of_no_tokens_of_a_known_model_is_free(tmp_path: Path) -> None:
    prices = read_prices(written(tmp_path, HEAD, "qwen,CNY,1,2,2026-11-01,made up"))
    assert prices.cost("qwen", 0, 0) == (0.0, "CNY")


@pytest.mark.parametrize(
    "line",
    [
        "qwen,CNY,1,2,2026-11-01",
        "qwen,CNY,cheap,2,2026-11-01,x",
        "qwen,CNY,-1,2,2026-11-01,x",
        "qwen,CNY,NaN,2,2026-11-01,x",
        "qwen,CNY,1,2,yesterday,x",
        ",CNY,1,2,2026-11-01,x",
        "qwen,,1,2,2026-11-01,x",
    ],
)
def test_a_line_that_is_no_price_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(ConfigError, match=r"YOUJU_MODEL_PRICES.*line 2.*valid") as caught:
        read_prices(written(tmp_path, HEAD, line))
    assert caught.value.variable == "YOUJU_MODEL_PRICES"


def test_another_table_is_refused_and_none_is_no_price(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="first line"):
        read_prices(written(tmp_path, "model,price"))
    assert read_prices(tmp_path / "none.csv").cost("qwen", 1, 1) is None
    assert Prices().cost("qwen", 1, 1) is None


def test_the_bundled_table_can_be_read_and_claims_no_price() -> None:
    path = load_settings({}).model_prices
    assert HEAD in path.read_text(encoding="utf-8")
    assert read_prices(path).cost("some-model", 1, 1) is None
