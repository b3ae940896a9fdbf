"""Lies in a figure itself: its digits, sign, size, unit and script."""

import random
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal

from tests.prose.figures import TN, WAN, YI, Written
from tests.prose.truth import Spot, elsewhere, exact, figures, lie, rewritten, unclaimed
from tests.prose.writing import Prose

_CHINESE = "零一二三四五六七八九"
_SCRIPTS = {
    "fullwidth": "０１２３４５６７８９",
    "arabic": "٠١٢٣٤٥٦٧٨٩",
    "devanagari": "०१२३४५६७८९",
    "bold": "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗",
    "doubled": "𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡",
}


def _one(prose: Prose, rng: random.Random, *, rough: bool = False) -> Spot | None:
    found = figures(prose, rough=rough)
    return rng.choice(found) if found else None


def _wrong(prose: Prose, rng: random.Random) -> tuple[Spot, Written] | None:
    """A figure and a wrong one for it, some 7 to 60 % off and claimed by nobody."""
    spot = _one(prose, rng)
    if spot is None:
        return None
    for _ in range(20):
        by = Decimal(str(rng.choice((-1, 1)) * rng.uniform(0.07, 0.6) + 1))
        value = (spot.figure.value * by).quantize(spot.figure.ulp)
        far = value and abs(value - spot.figure.value) > 3 * spot.figure.ulp
        if far and unclaimed(prose, value * spot.figure.scale, spot.claim.unit):
            return spot, spot.figure(value=value)
    return None


@lie("a digit changed")
def digit(prose: Prose, rng: random.Random) -> Prose | None:
    spot = _one(prose, rng)
    if spot is None:
        return None
    number = f"{abs(spot.figure.value):.{spot.figure.digits}f}"
    places = [at for at, char in enumerate(number) if char.isdigit()]
    at = rng.choice(places)
    other = rng.choice([d for d in "123456789" if d != number[at]])
    value = Decimal(number[:at] + other + number[at + 1 :])
    return rewritten(
        prose, "a digit changed", spot, spot.figure(value=value.copy_sign(spot.figure.value))
    )


@lie("two digits exchanged")
def exchanged(prose: Prose, rng: random.Random) -> Prose | None:
    spot = _one(prose, rng)
    if spot is None:
        return None
    digits = f"{abs(spot.figure.value):.{spot.figure.digits}f}"
    for at in range(len(digits) - 1):
        one, two = digits[at], digits[at + 1]
        if one.isdigit() and two.isdigit() and one != two and (at or two != "0"):
            value = Decimal(digits[:at] + two + one + digits[at + 2 :])
            value = value.copy_sign(spot.figure.value)
            return rewritten(prose, "two digits exchanged", spot, spot.figure(value=value))
    return None


@lie("another number")
def another(prose: Prose, rng: random.Random) -> Prose | None:
    found = _wrong(prose, rng)
    return rewritten(prose, "another number", *found) if found else None


@lie("drift")
def drift(prose: Prose, rng: random.Random) -> Prose | None:
    spot = _one(prose, rng)
    if spot is None:
        return None
    by = Decimal(str(rng.choice((0.996, 1.004, 1.007))))
    value = (spot.figure.value * by).quantize(spot.figure.ulp)
    if abs(value - spot.figure.value) < 2 * spot.figure.ulp:
        return None
    return rewritten(prose, "drift", spot, spot.figure(value=value))


@lie("rounded the wrong way")
def misrounded(prose: Prose, rng: random.Random) -> Prose | None:
    spot = _one(prose, rng)
    if spot is None or spot.figure.digits == 0:
        return None
    places = rng.randrange(spot.figure.digits)
    step = Decimal(1).scaleb(-places)
    true = exact(spot.claim) / spot.figure.scale
    right = true.quantize(step, ROUND_HALF_UP)
    wrong = right + step if right <= true else right - step
    if abs(wrong) < 10 * step or abs(wrong - true) < step * Decimal("0.53"):
        return None
    value = abs(wrong).copy_sign(spot.figure.value)
    figure = spot.figure(value=value, digits=places)
    if elsewhere(prose, figure):
        return None
    return rewritten(prose, "rounded the wrong way", spot, figure, check=False)


@lie("truncated")
def truncated(prose: Prose, rng: random.Random) -> Prose | None:
    for spot in figures(prose):
        true = abs(exact(spot.claim)) / spot.figure.scale
        for places in range(min(2, spot.figure.digits + 1)):
            step = Decimal(1).scaleb(-places)
            cut = true.quantize(step, ROUND_DOWN)
            if cut >= 10 * step and true - cut > step * Decimal("0.55"):
                value = cut.copy_sign(spot.figure.value)
                figure = spot.figure(value=value, digits=places)
                if elsewhere(prose, figure):
                    return None
                return rewritten(prose, "truncated", spot, figure, check=False)
    return None


@lie("the sign")
def sign(prose: Prose, rng: random.Random) -> Prose | None:
    spots = [s for s in figures(prose) if prose.parts[max(s.at - 1, 0)].kind != "way"]
    spots = [s for s in spots if s.figure.value * exact(s.claim) > 0 and s.claim.unit != "count"]
    # 低-0.7 says "lower" twice, as 下降-20% does, and is read as the fall it is; 相差 has no sign.
    unsigned = ("低", "相差")
    spots = [s for s in spots if not prose.parts[max(s.at - 1, 0)].text.endswith(unsigned)]
    if not spots:
        return None
    spot = rng.choice(spots)
    # After a Latin letter a hyphen may be just that: PE-TTM.
    before = prose.parts[spot.at - 1].text[-1:] if spot.at else ""
    minus = "−" if before.isascii() and before.isalnum() else rng.choice(("-", "−", "－"))
    figure = spot.figure(value=-spot.figure.value, minus=minus)
    return rewritten(prose, "the sign", spot, figure, check=False)


@lie("万 for 亿")
def size(prose: Prose, rng: random.Random) -> Prose | None:
    spots = [s for s in figures(prose, rough=True) if s.figure.scale in {YI, WAN, TN}]
    if not spots or prose.language == "en":
        return None
    spot = rng.choice(spots)
    old = "万亿" if spot.figure.scale == TN else "亿" if spot.figure.scale == YI else "万"
    if old not in spot.figure.tail:
        return None
    new = rng.choice([w for w in ("亿", "万", "万亿") if w != old])
    return prose.changed("万 for 亿", {spot.at: spot.part.text.replace(old, new)})


@lie("million for billion")
def english_size(prose: Prose, rng: random.Random) -> Prose | None:
    words = {"bn": "m", "m": "bn", "tn": "bn", " billion": " million", " million": " billion"}
    spots = [s for s in figures(prose, rough=True) if s.figure.tail in words]
    if not spots or prose.language == "zh":
        return None
    spot = rng.choice(spots)
    return prose.changed(
        "million for billion",
        {spot.at: spot.part.text.removesuffix(spot.figure.tail) + words[spot.figure.tail]},
    )


@lie("another currency")
def currency(prose: Prose, rng: random.Random) -> Prose | None:
    spots = [s for s in figures(prose, rough=True) if s.claim.unit[:3] in {"CNY", "HKD", "USD"}]
    spots = [s for s in spots if (s.figure.head + s.figure.tail).strip()]
    if not spots:
        return None
    spot = rng.choice(spots)
    unit = spot.claim.unit[:3]
    if prose.language == "zh":
        names = {"CNY": "元", "HKD": "港元", "USD": "美元"}
        if not spot.figure.tail.endswith(names[unit]):
            return None
        other = rng.choice([w for code, w in names.items() if code != unit])
        text = spot.part.text.removesuffix(names[unit]) + other
    else:
        marks = {"CNY": "RMB", "HKD": "HK$", "USD": "$"}
        if not spot.figure.head:
            return None
        other = rng.choice([w for code, w in marks.items() if code != unit])
        text = other + spot.figure.number + spot.figure.tail
    return prose.changed("another currency", {spot.at: text})


@lie("percent and points")
def points(prose: Prose, rng: random.Random) -> Prose | None:
    for spot in figures(prose):
        text = spot.part.text
        if text.endswith("%"):
            point = rng.choice(
                ("个百分点", "pct", "bp")
                if prose.language == "zh"
                else (" percentage points", "pp", " bps")
            )
            return prose.changed("percent and points", {spot.at: text[:-1] + point})
        if text.endswith("个百分点"):
            return prose.changed("percent and points", {spot.at: text[:-4] + "%"})
    return None


@lie("a hundred times")
def hundred(prose: Prose, rng: random.Random) -> Prose | None:
    spots = [s for s in figures(prose) if s.claim.unit == "percent"]
    if not spots:
        return None
    spot = rng.choice(spots)
    if rng.random() < 0.5:
        return rewritten(prose, "a hundred times", spot, spot.figure(value=spot.figure.value * 100))
    figure = spot.figure(value=spot.figure.value / 100, digits=spot.figure.digits + 2)
    return rewritten(prose, "a hundred times", spot, figure)


@lie("a percentage without its sign")
def fraction(prose: Prose, rng: random.Random) -> Prose | None:
    spots = [s for s in figures(prose) if s.claim.unit == "percent" and s.figure.tail == "%"]
    if not spots:
        return None
    spot = rng.choice(spots)
    figure = spot.figure(value=spot.figure.value / 100, digits=spot.figure.digits + 2, tail="")
    return rewritten(prose, "a percentage without its sign", spot, figure, check=False)


@lie("a multiple as a percentage")
def multiple(prose: Prose, rng: random.Random) -> Prose | None:
    spots = [s for s in figures(prose) if s.claim.unit == "multiple" and s.figure.tail]
    if not spots:
        return None
    spot = rng.choice(spots)
    if not unclaimed(prose, spot.figure.value, "percent"):
        return None
    return prose.changed(
        "a multiple as a percentage", {spot.at: spot.figure.head + spot.figure.number + "%"}
    )


@lie("a percentage as a multiple")
def times(prose: Prose, rng: random.Random) -> Prose | None:
    spots = [s for s in figures(prose) if s.claim.unit == "percent" and s.figure.tail == "%"]
    if not spots:
        return None
    spot = rng.choice(spots)
    word = "倍" if prose.language == "zh" else " times"
    if not unclaimed(prose, spot.figure.value, "multiple"):
        return None
    return prose.changed("a percentage as a multiple", {spot.at: spot.part.text[:-1] + word})


@lie("a percentage told as so many times more")
def grown(prose: Prose, rng: random.Random) -> Prose | None:
    """A growth of 47.7 % is not 增长1.48倍: that would be 148 %."""
    for spot in figures(prose):
        if spot.claim.metric.endswith("_yoy") and spot.claim.value > 5 and prose.language == "zh":
            value = (1 + abs(exact(spot.claim)) / 100).quantize(Decimal("0.01"))
            text = f"{value}倍"
            if prose.parts[spot.at - 1].kind != "way" or not unclaimed(
                prose, value * 100, "percent"
            ):
                return None
            return prose.changed("a percentage told as so many times more", {spot.at: text})
    return None


@lie("股 as 手")
def lots(prose: Prose, rng: random.Random) -> Prose | None:
    for spot in figures(prose):
        if spot.claim.unit == "shares" and spot.part.text.endswith("股"):
            return prose.changed("股 as 手", {spot.at: spot.part.text[:-1] + "手"})
    return None


@lie("money as a bare number")
def bare(prose: Prose, rng: random.Random) -> Prose | None:
    money = {"market_cap", "revenue", "net_profit", "total_assets", "total_liabilities"}
    spots = [s for s in figures(prose) if s.claim.metric in money and s.figure.scale != 1]
    # In 33.2、4.84亿元 the last unit is everybody's.
    spots = [s for s in spots if s.figure.tail and not _in_list(prose, s.at)]
    if not spots:
        return None
    spot = rng.choice(spots)
    return prose.changed("money as a bare number", {spot.at: spot.figure.number})


def _in_list(prose: Prose, at: int) -> bool:
    after = prose.parts[at + 1].text if at + 1 < len(prose.parts) else ""
    return after in {"、", "和", "与", "/", "至", "-", " and "}


def spelled(value: Decimal) -> str:
    """A number under 100,000 as one would say it in Chinese."""
    whole, _, rest = f"{abs(value)}".partition(".")
    text, zero = "", False
    for at, char in enumerate(whole):
        unit = ["", "十", "百", "千", "万"][len(whole) - at - 1]
        if char == "0":
            zero = bool(text)
            continue
        text += ("零" if zero else "") + _CHINESE[int(char)] + unit
        zero = False
    if text.startswith("一十"):
        text = text[1:]
    text = text or "零"
    return text + ("点" + "".join(_CHINESE[int(char)] for char in rest) if rest else "")


@lie("wrong, in Chinese numerals")
def chinese(prose: Prose, rng: random.Random) -> Prose | None:
    found = _wrong(prose, rng)
    if found is None or prose.language == "en" or abs(found[1].value) >= 90_000:
        return None
    spot, figure = found
    tail = figure.tail
    text = "百分之" + spelled(figure.value) if tail.endswith("%") else spelled(figure.value) + tail
    return prose.changed("wrong, in Chinese numerals", {spot.at: figure.head + text})


@lie("wrong, in other digits")
def scripts(prose: Prose, rng: random.Random) -> Prose | None:
    found = _wrong(prose, rng)
    if found is None:
        return None
    digits = _SCRIPTS[rng.choice(sorted(_SCRIPTS))]
    table = str.maketrans("0123456789", digits)
    return prose.changed("wrong, in other digits", {found[0].at: found[1].text.translate(table)})


@lie("wrong, with unseen characters")
def unseen(prose: Prose, rng: random.Random) -> Prose | None:
    found = _wrong(prose, rng)
    if found is None:
        return None
    number = found[1].number
    if len(number) < 2:
        return None
    at = rng.randrange(1, len(number))
    char = rng.choice(("\u200b", "\u2060", "\ufeff", "\u00ad", "\u200d"))
    text = found[1].head + number[:at] + char + number[at:] + found[1].tail
    return prose.changed("wrong, with unseen characters", {found[0].at: text})


@lie("true, and a digit hidden before it")
def hidden(prose: Prose, rng: random.Random) -> Prose | None:
    """An unseen character must not split 1|31.51 into an index and a true figure."""
    spot = _one(prose, rng)
    if spot is None or spot.figure.value < 0:
        return None
    char = rng.choice(("\u200b", "\u2060", ""))
    digit = rng.choice("123456789")
    value = Decimal(digit + str(abs(spot.figure.value)))
    if not unclaimed(prose, value * spot.figure.scale, spot.claim.unit):
        return None
    text = spot.figure.head + digit + char + spot.figure.number + spot.figure.tail
    return prose.changed("true, and a digit hidden before it", {spot.at: text})


@lie("wrong, with an exponent")
def exponent(prose: Prose, rng: random.Random) -> Prose | None:
    found = _wrong(prose, rng)
    if found is None:
        return None
    spot, figure = found
    number = f"{figure.value.scaleb(-figure.value.adjusted())}e{figure.value.adjusted()}"
    return prose.changed("wrong, with an exponent", {spot.at: figure.head + number + figure.tail})


@lie("an exponent after a true figure")
def scaled(prose: Prose, rng: random.Random) -> Prose | None:
    spot = _one(prose, rng)
    if spot is None:
        return None
    tail = rng.choice(("e2", "E3", "×10²", "x10^3"))
    text = spot.figure.head + spot.figure.number + tail + spot.figure.tail
    return prose.changed("an exponent after a true figure", {spot.at: text})


@lie("about, and it is not")
def about(prose: Prose, rng: random.Random) -> Prose | None:
    spot = _one(prose, rng)
    if spot is None:
        return None
    zh = {"约": 1.3, "近": 0.8, "接近": 1.4, "超": 1.2, "超过": 1.25, "不足": 0.85, "逾": 1.15}
    en = {"about ": 1.3, "nearly ": 0.8, "over ": 1.2, "more than ": 1.25, "less than ": 0.85}
    word, by = rng.choice(sorted((zh if prose.language == "zh" else en).items()))
    value = (abs(spot.figure.value) * Decimal(str(by))).quantize(spot.figure.ulp)
    near = Decimal("0.12")
    if not unclaimed(prose, value * spot.figure.scale, spot.claim.unit, near) or not value:
        return None
    figure = spot.figure(value=value.copy_sign(spot.figure.value), head=word + spot.figure.head)
    return rewritten(prose, "about, and it is not", spot, figure, check=False)


@lie("a bound that does not hold")
def bound(prose: Prose, rng: random.Random) -> Prose | None:
    spot = _one(prose, rng)
    if spot is None or spot.figure.value <= 0 or prose.parts[max(spot.at - 1, 0)].kind == "way":
        return None
    zh = {
        "不超过": 0.7,
        "不低于": 1.5,
        "不少于": 1.6,
        "至多": 0.75,
        "至少": 1.4,
        "低于": 0.7,
        "高于": 1.5,
    }
    en = {"no more than ": 0.7, "at least ": 1.5, "below ": 0.7, "above ": 1.5, "at most ": 0.7}
    word, by = rng.choice(sorted((zh if prose.language == "zh" else en).items()))
    value = (spot.figure.value * Decimal(str(by))).quantize(spot.figure.ulp)
    if not unclaimed(prose, value * spot.figure.scale, spot.claim.unit, Decimal("0.1")):
        return None
    figure = spot.figure(value=value, head=word + spot.figure.head)
    return rewritten(prose, "a bound that does not hold", spot, figure, check=False)


@lie("more of it than there is")
def surplus(prose: Prose, rng: random.Random) -> Prose | None:
    spots = [s for s in figures(prose) if s.figure.scale in {YI, WAN} and s.figure.value >= 200]
    if not spots or prose.language == "en":
        return None
    spot = rng.choice(spots)
    step = Decimal(10) ** (spot.figure.value.adjusted() - 1)
    value = (spot.figure.value * Decimal("1.3") // step) * step
    if not spot.figure.tail or not unclaimed(
        prose, value * spot.figure.scale, spot.claim.unit, Decimal("0.12")
    ):
        return None
    text = f"{value:.0f}{rng.choice(('余', '多'))}{spot.figure.tail}"
    return prose.changed("more of it than there is", {spot.at: text})
