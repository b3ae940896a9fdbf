"""What a call of a model costs, by a table the user keeps; unknown stays unknown.

The table is CSV with the columns of `COLUMNS`; lines that begin with `#` are notes.
"""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import NamedTuple

from services.core.errors import ConfigError

COLUMNS = (
    "model_prefix",
    "currency",
    "prompt_per_million",
    "completion_per_million",
    "as_of",
    "source",
)
_MILLION = 1_000_000
_VARIABLE = "YOUJU_MODEL_PRICES"


class Cost(NamedTuple):
    """An amount of money."""

    amount: float
    currency: str


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost of every model whose name begins with `model_prefix`."""

    model_prefix: str
    currency: str
    prompt_per_million: Decimal
    completion_per_million: Decimal
    as_of: date
    source: str


class Prices:
    """Prices by the beginning of a model's name; the longest that fits counts."""

    def __init__(self, prices: Sequence[Price] = ()) -> None:
        """Without prices every cost is unknown."""
        self._prices = sorted(prices, key=lambda one: -len(one.model_prefix))

    def cost(self, model: str, prompt: int | None, completion: int | None) -> Cost | None:
        """What that many tokens cost; None when the price or a number is not known."""
        price = next((one for one in self._prices if model.startswith(one.model_prefix)), None)
        if price is None or prompt is None or completion is None:
            return None
        total = price.prompt_per_million * prompt + price.completion_per_million * completion
        return Cost(float(total / _MILLION), price.currency)


def read_prices(path: Path) -> Prices:
    """The table of that file; no prices when there is no such file.

    Raises: ConfigError naming the line that cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Prices()
    except (OSError, UnicodeDecodeError):
        raise ConfigError(_VARIABLE, f"{path} cannot be read as UTF-8 text") from None
    lines = [
        (number, line)
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.startswith("#")
    ]
    if not lines:
        return Prices()
    if tuple(next(csv.reader([lines[0][1]]))) != COLUMNS:
        raise ConfigError(_VARIABLE, f"{path}: the first line must be {','.join(COLUMNS)}")
    return Prices([_price(path, number, line) for number, line in lines[1:]])


def _price(path: Path, number: int, line: str) -> Price:
    try:
        price = _read(next(csv.reader([line])))
    except (ValueError, InvalidOperation):
        price = None
    if price is None or not (price.model_prefix and price.currency and _is_price(price)):
        raise ConfigError(
            _VARIABLE,
            f"{path} line {number}: got {line!r}; valid: a line such as "
            "some-model,CNY,2.5,10,2026-11-21,the price page of its maker",
        )
    return price


def _read(cells: Sequence[str]) -> Price:
    prefix, currency, prompt, completion, as_of, source = (cell.strip() for cell in cells)
    return Price(
        prefix, currency, Decimal(prompt), Decimal(completion), date.fromisoformat(as_of), source
    )


def _is_price(price: Price) -> bool:
    both = (price.prompt_per_million, price.completion_per_million)
    return all(one.is_finite() and one >= 0 for one in both)
