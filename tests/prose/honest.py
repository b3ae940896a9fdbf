"""Honest texts over the bundled market: each figure is a claim, said as analysts say it."""

import random
from collections.abc import Iterator, Sequence

from tests.prose import styles_en, styles_zh, styles_zh_more
from tests.prose.market import Bag, Market, market
from tests.prose.styles import Style
from tests.prose.writing import ENGLISH_NAMES, Page, Prose, Unfit

STYLES = (*styles_zh.STYLES, *styles_zh_more.STYLES, *styles_en.STYLES)


def texts(seed: int = 1, each: int = 6) -> list[Prose]:
    """Up to `each` honest texts of every style, each of other companies; the same for a seed."""
    found: list[Prose] = []
    for style in STYLES:
        rng = random.Random(f"{seed} {style.name}")
        seen: set[str] = set()
        for prose in _of(market(), style, rng):
            if prose.template not in seen:
                seen.add(prose.template)
                found.append(prose)
            if len(seen) == each:
                break
    return found


def _of(known: Market, style: Style, rng: random.Random) -> Iterator[Prose]:
    for _ in range(120):
        bags = _bags(known, style, rng)
        try:
            yield Page(known, style, bags, rng).write()
        except Unfit:
            continue


def _bags(known: Market, style: Style, rng: random.Random) -> Sequence[Bag]:
    """Companies for one text: three when the style compares, never two of one name."""
    pools = {"pair": known.pairs, "peer": known.peers, "screen": known.screens}
    pools["event"] = known.events
    if style.source in pools:
        return [rng.choice(pools[style.source])]
    count = 3 if "{who:c}" in style.text else 2 if "{who:b}" in style.text else 1
    chosen: dict[str, Bag] = {}
    symbols = list(known.companies)
    if style.name.startswith("en") and rng.random() < 0.8:
        symbols = [symbol for symbol in symbols if symbol in ENGLISH_NAMES]
    while len(chosen) < count:
        symbol = rng.choice(symbols)
        chosen.setdefault(known.name(symbol), known.companies[symbol])
    return list(chosen.values())
