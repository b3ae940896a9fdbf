"""Lies around a true figure: the company, the metric, the direction."""

import random
from dataclasses import replace

from services.core.claims import Claim
from tests.prose.figures import Written
from tests.prose.market import market
from tests.prose.truth import figures, following, lie, supported
from tests.prose.words import BARE, DOWN, UP, WENT_DOWN, WENT_UP, metric_words
from tests.prose.writing import Prose

# Metrics told in one unit, so that only the word is wrong. 毛利率 and 股息率 are claimed by hardly
# any text.
ALIKE: tuple[tuple[str, ...], ...] = (
    ("pe_ttm", "pe_lyr", "pb", "ps_ttm"),
    ("revenue", "net_profit", "total_assets", "total_liabilities", "equity", "market_cap"),
    ("roe", "net_margin", "debt_to_assets"),
    ("eps", "bps", "dps"),
    ("close", "open", "high", "low", "ma_5", "ma_20", "ma_60", "boll_upper", "boll_lower"),
    ("rsi", "kdj_k"),
    ("stop_loss", "take_profit"),
)


def _same(prose: Prose, claim: Claim, metric: str, written: object) -> bool:
    return supported(prose, written, symbol=claim.symbol, metric=metric)  # type: ignore[arg-type]


@lie("another metric")
def metric(prose: Prose, rng: random.Random) -> Prose | None:
    places = prose.places("what")
    rng.shuffle(places)
    for at in places:
        claim = prose.parts[at].claim
        spot = following(prose, at, claim.metric) if claim else None
        group = next((g for g in ALIKE if claim and claim.metric in g), ())
        others = [m for m in group if claim and m != claim.metric]
        rng.shuffle(others)
        for other in others:
            try:
                words = metric_words(other, prose.language)
            except KeyError:
                continue
            if claim and spot and not _same(prose, spot.claim, other, spot.figure):
                return prose.changed("another metric", {at: rng.choice(words)})
    return None


@lie("a metric nobody claimed")
def unclaimed_metric(prose: Prose, rng: random.Random) -> Prose | None:
    zh = {
        "percent": ("毛利率", "市占率", "研发费用率", "ROIC"),
        "money": ("经营现金流净额", "研发费用", "存货", "应收账款", "扣非净利润"),
        "multiple": ("EV/EBITDA", "动态市盈率", "预测市盈率", "市现率", "PEG"),
    }
    en = {
        "percent": ("gross margin", "market share", "payout ratio"),
        "money": ("operating cash flow", "inventories", "EBITDA", "R&D spending"),
        "multiple": ("EV/EBITDA", "forward P/E", "PEG ratio"),
    }
    for at in prose.places("what"):
        claim = prose.parts[at].claim
        spot = following(prose, at, claim.metric) if claim else None
        unit = claim.unit if claim else ""
        kind = "money" if unit in {"CNY", "HKD", "USD"} else unit
        words = (zh if prose.language == "zh" else en).get(kind)
        if words and spot:
            return prose.changed("a metric nobody claimed", {at: rng.choice(words)})
    return None


@lie("扣非 for 归母")
def deducted(prose: Prose, rng: random.Random) -> Prose | None:
    at = next((a for a in prose.places("what") if _of(prose, a) == "net_profit"), None)
    if at is None or following(prose, at, "net_profit") is None:
        return None
    zh = ("扣非净利润", "扣非归母净利润", "扣除非经常性损益后的净利润")
    en = ("adjusted net profit", "recurring net profit", "non-GAAP net income")
    word = rng.choice(zh if prose.language == "zh" else en)
    return prose.changed("扣非 for 归母", {at: word})


def _of(prose: Prose, at: int) -> str:
    claim = prose.parts[at].claim
    return claim.metric if claim else ""


@lie("LYR for TTM")
def basis(prose: Prose, rng: random.Random) -> Prose | None:
    swap = {"pe_ttm": "pe_lyr", "pe_lyr": "pe_ttm"}
    for at in prose.places("what"):
        other = swap.get(_of(prose, at))
        spot = following(prose, at, _of(prose, at))
        if other is None or spot is None or prose.parts[at].text in BARE[prose.language]["pe_ttm"]:
            continue
        if not _same(prose, spot.claim, other, spot.figure):
            word = rng.choice(metric_words(other, prose.language))
            return prose.changed("LYR for TTM", {at: word})
    return None


_PRICE_WORDS = {
    "a close as the current price": ("当前价", "现价", "最新价", "实时价格"),
    "a close as a target price": ("目标价", "合理估值", "机构目标价"),
    "a close as another price": ("开盘价", "涨停价", "发行价", "成本价"),
}


def _price(name: str, prose: Prose, rng: random.Random) -> Prose | None:
    words = _PRICE_WORDS[name]
    for at, part in enumerate(prose.parts):
        spot = following(prose, at)
        if spot is None or spot.claim.metric != "close" or spot.at > at + 2:
            continue
        for old in ("最近收盘", "收盘", "收于", "报收", "last close", "closing price", "closed at"):
            if old in part.text and part.kind in {"text", "what"}:
                word = rng.choice(words) if prose.language == "zh" else "current price"
                if "open" in word or word == "开盘价":
                    return (
                        None
                        if _same(prose, spot.claim, "open", spot.figure)
                        else _said(prose, name, at, old, word)
                    )
                if prose.language == "en" and "current" not in name:
                    return None
                return _said(prose, name, at, old, word)
    return None


def _said(prose: Prose, name: str, at: int, old: str, word: str) -> Prose:
    word = "now trades at" if old == "closed at" else word
    return prose.changed(name, {at: prose.parts[at].text.replace(old, word, 1)})


for _name in _PRICE_WORDS:
    lie(_name)(lambda prose, rng, name=_name: _price(name, prose, rng))


@lie("two names exchanged")
def names(prose: Prose, rng: random.Random) -> Prose | None:
    places = prose.places("who")
    symbols = list(dict.fromkeys(prose.parts[at].symbol or "" for at in places))
    if len(symbols) < 2 or "range" in prose.style:  # a range of two has no order
        return None
    one, two = rng.sample(symbols, 2)
    spots = figures(prose, rough=True)
    swap = {one: two, two: one}
    wrong = [
        s
        for s in spots
        if s.claim.symbol in swap
        and not supported(prose, s.figure, symbol=swap[s.claim.symbol], metric=s.claim.metric)
        and "_difference" not in s.claim.metric
        and "_ratio" not in s.claim.metric
    ]
    if not wrong or prose.places("place"):
        return None
    texts = {
        symbol: next(prose.parts[a].text for a in places if prose.parts[a].symbol == symbol)
        for symbol in symbols
    }
    changes = {
        at: texts[swap[symbol]] for at in places if (symbol := prose.parts[at].symbol or "") in swap
    }
    return prose.changed("two names exchanged", changes)


def _other_company(prose: Prose, rng: random.Random) -> str:
    claimed = {claim.symbol for claim in prose.claims}
    called = {
        market().name(symbol) for symbol in claimed if "." in symbol or symbol in market().companies
    }
    return rng.choice(
        [s for s in market().companies if s not in claimed and market().name(s) not in called]
    )


@lie("another company")
def company(prose: Prose, rng: random.Random) -> Prose | None:
    """A company that the text may speak of and that no claim is about."""
    places = list(prose.places("who"))
    if (
        not places
        or not figures(prose, rough=True)
        or len({prose.parts[a].symbol for a in places}) > 1
    ):
        return None
    symbol = _other_company(prose, rng)
    name = market().name(symbol)
    codes = dict.fromkeys(prose.places("code"), symbol)
    changed = prose.changed("another company", dict.fromkeys(places, name) | codes)
    known = {**prose.names, **market().names([symbol])}
    return replace(changed, names=known, default_symbol=None)


@lie("a company nobody knows")
def stranger(prose: Prose, rng: random.Random) -> Prose | None:
    places = prose.places("who")
    if (
        not places
        or not figures(prose, rough=True)
        or len({prose.parts[a].symbol for a in places}) > 1
    ):
        return None
    name = rng.choice(
        ("长风机电", "海岳新材", "瑞禾生物")
        if prose.language == "zh"
        else ("Norvane", "Halden Corp")
    )
    codes = dict.fromkeys(prose.places("code"), "872999")
    changed = prose.changed("a company nobody knows", dict.fromkeys(places, name) | codes)
    return replace(changed, default_symbol=None)


@lie("another code")
def code(prose: Prose, rng: random.Random) -> Prose | None:
    places = prose.places("code")
    if not places:
        return None
    number, _, exchange = (prose.parts[places[0]].symbol or "").partition(".")
    wrong = (
        number[:-1] + str((int(number[-1]) + rng.randrange(1, 9)) % 10)
        if number.isdigit()
        else "ZQXW"
    )
    if any(claim.symbol.startswith(wrong) for claim in prose.claims):
        return None
    return prose.changed("another code", {places[0]: f"{wrong}.{exchange}" if exchange else wrong})


@lie("the wrong direction")
def direction(prose: Prose, rng: random.Random) -> Prose | None:
    places = prose.places("way")
    if not places:
        return None
    at = rng.choice(places)
    claim, old = prose.parts[at].claim, prose.parts[at].text
    up = bool(claim and claim.value > 0)
    if old in {"高开", "低开"}:
        return prose.changed("the wrong direction", {at: "低开" if up else "高开"})
    pairs = (
        (WENT_UP, WENT_DOWN)
        if old in {*WENT_UP, *WENT_DOWN}
        else (
            UP[prose.language],
            DOWN[prose.language],
        )
    )
    words = [word for word in pairs[1 if up else 0] if not word.startswith("同比")]
    gap = " " if old.endswith(" ") else ""
    return prose.changed("the wrong direction", {at: rng.choice(words) + gap})


@lie("a fall signed as a rise")
def plus(prose: Prose, rng: random.Random) -> Prose | None:
    for spot in figures(prose):
        if spot.claim.value < 0 and spot.figure.value < 0:
            text = spot.part.text.replace(spot.figure.minus, "+" if rng.random() < 0.5 else "", 1)
            return prose.changed("a fall signed as a rise", {spot.at: text})
        if spot.figure.plus and spot.figure.value > 0:
            return prose.changed(
                "a fall signed as a rise", {spot.at: spot.part.text.replace("+", "-", 1)}
            )
    return None


@lie("a loss as a profit")
def profit(prose: Prose, rng: random.Random) -> Prose | None:
    for at, part in enumerate(prose.parts):
        spot = following(prose, at, "net_profit")
        if spot is None or spot.claim.value >= 0 or spot.figure.value <= 0:
            continue
        for old in ("净亏损", "亏损", "a net loss of"):
            if part.kind == "text" and old in part.text:
                zh = ("盈利", "净利润", "扭亏为盈，实现净利润")
                new = rng.choice(zh) if prose.language == "zh" else "a net profit of"
                return prose.changed("a loss as a profit", {at: part.text.replace(old, new)})
    return None


@lie("a profit as a loss")
def loss(prose: Prose, rng: random.Random) -> Prose | None:
    for at in prose.places("what"):
        spot = following(prose, at, "net_profit")
        if (
            _of(prose, at) == "net_profit"
            and spot
            and spot.figure.value > 0
            and spot.claim.value > 0
        ):
            zh = ("净亏损", "亏损", "归母净亏损")
            word = rng.choice(zh) if prose.language == "zh" else "net loss"
            return prose.changed("a profit as a loss", {at: word})
    return None


@lie("two figures exchanged")
def exchanged(prose: Prose, rng: random.Random) -> Prose | None:
    """Each figure stands where the other belongs: another company, year or metric of one unit."""
    spots = [s for s in figures(prose) if "range" not in prose.style]
    pairs = [
        (a, b)
        for n, a in enumerate(spots)
        for b in spots[n + 1 :]
        if a.claim.unit == b.claim.unit
        and a.figure.scale == b.figure.scale
        and a.figure.head == b.figure.head
        and prose.parts[a.at - 1].kind != "way"
        and prose.parts[b.at - 1].kind != "way"
        and not _told(prose, a.figure, b.claim)
    ]
    if not pairs:
        return None
    one, two = rng.choice(pairs)
    texts = {
        one.at: one.figure.head + two.figure.number + one.figure.tail,
        two.at: two.figure.head + one.figure.number + two.figure.tail,
    }
    return prose.changed("two figures exchanged", texts)


def _told(prose: Prose, figure: Written, claim: Claim) -> bool:
    when = (claim.period or "")[:4] if (claim.period or "")[5:] == "Q4" else None
    when = when or (claim.as_of.isoformat() if claim.period is None else None)
    return supported(prose, figure, symbol=claim.symbol, metric=claim.metric, when=when)


_TURNED = {
    "，高于": "，低于",
    "增至": "降至",
    "提升至": "降至",
    "is higher than": "is lower than",
}


@lie("a comparison turned round")
def turned(prose: Prose, rng: random.Random) -> Prose | None:
    """比五粮液低3836亿元, of a company that is larger."""
    for at, part in enumerate(prose.parts):
        spot = following(prose, at)
        if part.kind != "text" or spot is None:
            continue
        for old, new in _TURNED.items():
            if old in part.text:
                return prose.changed("a comparison turned round", {at: part.text.replace(old, new)})
        if spot.claim.metric.endswith("_difference") and part.text in {"高", "低"}:
            new = "低" if part.text == "高" else "高"
            return prose.changed("a comparison turned round", {at: new})
    return None
