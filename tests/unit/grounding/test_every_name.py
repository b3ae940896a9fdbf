"""Every name that the catalogue says means exactly a figure, in true sentences and in lies."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

import pytest
from opencc import OpenCC

from services.core.catalogue import CATALOGUE
from services.core.claims import Claim
from services.grounding.ground import Grounded, ground
from services.language.plain_text import spelled
from tests.blocks import block_of, blocks
from tests.unit.core.grounded import (
    BYD,
    CLOSE,
    MOUTAI,
    NAMES,
    PROFIT,
    REVENUE,
    TODAY,
    claim,
)
from tests.unit.grounding.told import Told, claim_of, sentences_of, told

FIGURES = tuple(CATALOGUE.figures.values())
BLOCKS = 6
EACH = pytest.mark.parametrize("block", blocks(BLOCKS))


def _ground(one: Told, claims: Sequence[Claim]) -> Grounded:
    return ground(
        one.text, claims, names={MOUTAI: NAMES[MOUTAI]}, default_symbol=MOUTAI,
        language=one.language, now=TODAY,
    )  # fmt: skip


@EACH
def test_a_true_sentence_passes_by_every_name_of_every_figure(block: int) -> None:
    refused: list[str] = []
    names = 0
    for row in block_of(FIGURES, block, BLOCKS):
        for one in sentences_of(row):
            names += 1
            found = _ground(one, one.claims)
            carried = {name for support in found.supported for name in support.claim_ids}
            if not found.ok or one.claims[0].claim_id not in carried:
                refused.append(f"{row.id} {one.text} {[f.reason for f in found.failures]}")
    assert refused == []
    assert names > 5000 // BLOCKS * 0.8


@EACH
def test_a_name_with_the_value_of_another_figure_is_refused(block: int) -> None:
    let_out: list[str] = []
    lies = 0
    for claims in _alike().values():
        for at, own in block_of(list(enumerate(claims)), block, BLOCKS):
            row = CATALOGUE[own.metric]
            for name in (row.zh, row.en, *row.says):
                others = (claims[(at + step) % len(claims)] for step in (1, 5))
                for other in others:
                    if other.metric in _owners()[spelled(name)]:
                        continue
                    one = next(told(name, other, size=True))
                    lies += 1
                    if _ground(one, claims).ok:
                        let_out.append(f"{name} told of {other.metric}: {one.text}")
    assert let_out == []
    assert lies > 2000 // BLOCKS * 0.8


@EACH
def test_a_name_with_a_value_that_nobody_has_is_refused(block: int) -> None:
    let_out: list[str] = []
    for row in block_of(FIGURES, block, BLOCKS):
        own = claim_of(row)
        # Half as much again; of nought that is nought, so then one.
        off = own.model_copy(update={"value": own.value * 1.5 or 1.0})
        for name in (row.zh, row.en, *row.says):
            one = next(told(name, off))
            if _ground(one, (own, *one.claims[1:])).ok:
                let_out.append(one.text)
    assert let_out == []


def test_traditional_characters_are_read_as_simplified_ones() -> None:
    traditional = OpenCC("s2t").convert
    for row in FIGURES:
        for name in (row.zh, *row.says):
            if name.isascii():
                continue
            one = next(told(name, claim_of(row)))
            shown = one._replace(text=traditional(one.text))
            assert _ground(shown, one.claims).ok, shown.text


def _alike() -> Mapping[tuple[str, str | None], list[Claim]]:
    """The claims of one unit and time, each with a value of its own."""
    found: dict[tuple[str, str | None], list[Claim]] = defaultdict(list)
    for row in FIGURES:
        own = claim_of(row)
        group = found[own.unit, own.period]
        step = len(group) * (1 if own.unit in {"count", "rank", "number", "sessions"} else 0)
        value = round(own.value * (1 + 0.013 * len(group)) + step, 2)
        group.append(own.model_copy(update={"value": value}))
    return found


@cache
def _owners() -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for row in FIGURES:
        for name in (*row.names, *row.rises, *row.falls):
            found[spelled(name)].add(row.id)
    return found


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("贵州茅台收盘价为40.33元。", False),
        ("贵州茅台收盘价上涨至40.33元。", False),
        ("Kweichow Moutai closed at CNY 40.33.", False),
        ("贵州茅台收盘价上涨40.33元。", True),
        ("贵州茅台收盘 +40.33元。", True),
    ],
)
def test_a_change_is_no_price(text: str, holds: bool) -> None:
    change = claim("change", 40.33, "CNY", as_of=CLOSE.as_of)
    assert _ground(Told(text, (), "", "zh"), (change, CLOSE)).ok is holds


@pytest.mark.parametrize(
    "text",
    [
        "比亚迪2016年营收、归母净亏损分别为1034.70亿元、50.52亿元。",
        "| 年度 | 营业收入 | 归母净亏损 |\n|---|---|---|\n| 2016 | 1034.70亿元 | 50.52亿元 |\n",
        "比亚迪2016年扣非净亏损50.52亿元。",
    ],
)
def test_a_profit_is_no_loss(text: str) -> None:
    names = {BYD: NAMES[BYD]}
    assert not ground(text, (REVENUE, PROFIT), names=names, default_symbol=BYD, now=TODAY).ok


def test_a_loss_of_the_owners_is_no_loss_before_one_offs() -> None:
    loss = PROFIT.model_copy(update={"value": -PROFIT.value})
    names = {BYD: NAMES[BYD]}
    for text, holds in (("归母净亏损", True), ("扣非净亏损", False)):
        told_so = f"比亚迪2016年{text}50.52亿元。"
        assert ground(told_so, (REVENUE, loss), names=names, now=TODAY).ok is holds
