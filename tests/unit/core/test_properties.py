"""What holds of every symbol, period, range and amount, not only of those a test lists."""

import re
from datetime import date
from decimal import ROUND_HALF_UP, Decimal

from hypothesis import assume, example, given
from hypothesis import strategies as st

from services.core.boards import BOARDS
from services.core.claims import Claim, CompetenceCite
from services.core.errors import InputError
from services.core.periods import Period
from services.core.rendering import Style, show
from services.core.symbols import Symbol
from services.core.text import Text, join_texts
from services.core.units import CURRENCIES, UNITS, convert
from services.market.ranges import UNIT_WORDS, parse_range

_HEADS = sorted(
    (exchange, head)
    for part in BOARDS.values()
    for exchange, heads in part.codes.items()
    for head in heads
)
_MAINLAND = st.tuples(st.sampled_from(_HEADS), st.integers(0, 999_999)).map(
    lambda drawn: f"{drawn[0][1]}{drawn[1]:06d}"[:6] + f".{drawn[0][0]}"
)
_HONG_KONG = st.integers(1, 99_999).map(lambda number: f"{number:05d}.HK")
_TICKER = st.from_regex(r"[A-Z]{1,5}(\.[A-Z])?", fullmatch=True)
_SYMBOLS = st.one_of(_MAINLAND, _HONG_KONG, _TICKER)
_PLAIN = st.characters(codec="utf-8", exclude_characters="|{}", exclude_categories=("Cs",))
_WORDS = st.text(_PLAIN, min_size=1, max_size=20)
_FIGURES = st.decimals("0.01", "9999999", places=2)


@given(_SYMBOLS)
@example("HSI")
@example("689009.SH")
def test_a_symbol_is_read_from_its_own_spelling(text: str) -> None:
    symbol = Symbol.parse(text)
    assert Symbol.parse(symbol.value) == symbol
    assert Symbol.parse(symbol.value.lower() if symbol.market != "US" else text) == symbol
    if symbol.market == "CN":
        assert Symbol.parse(symbol.xueqiu) == symbol


@given(_MAINLAND)
def test_a_mainland_code_is_of_one_kind(text: str) -> None:
    symbol = Symbol.parse(text)
    kinds = [symbol.is_index, symbol.is_fund, symbol.is_a_share, symbol.board == "b_share"]
    assert sum(kinds) == 1


@given(st.text(max_size=20))
@example("$贵州茅台(SH600519)$")
@example("00000.HK.HK")
def test_a_code_is_read_or_refused_and_nothing_else(text: str) -> None:
    try:
        found = Symbol.parse(text)
    except InputError:
        return
    assert Symbol.parse(found.value) == found


@given(st.integers(1990, 2099), st.integers(1, 4), st.sampled_from(["report", "TTM", "MRQ"]))
def test_a_period_is_read_from_its_own_spelling(year: int, quarter: int, basis: str) -> None:
    written = f"{year}_Q{quarter}" if basis == "report" else f"{basis}_{year}Q{quarter}"
    period = Period.parse(written)
    assert str(period) == written
    ends = {1: (3, 31), 2: (6, 30), 3: (9, 30), 4: (12, 31)}
    assert period.end == date(year, *ends[quarter])


@given(st.sampled_from(sorted(UNIT_WORDS)), _FIGURES, _FIGURES)
def test_a_range_holds_what_lies_between_its_ends(field: str, one: Decimal, other: Decimal) -> None:
    assume(one != other)
    low, high = sorted((one, other))
    bound = parse_range(field, f"{low}_{high}")
    assert bound is not None
    assert (bound.at_least, bound.below) == (float(low), float(high))
    above, below = parse_range(field, f"{low}_max"), parse_range(field, f"min_{high}")
    assert above is not None
    assert below is not None
    assert (above.above, below.below) == (float(low), float(high))


@given(st.sampled_from(sorted(UNIT_WORDS)), st.integers(1, 9999), st.integers(0, 9))
def test_an_amount_is_the_same_in_yi_and_in_wan(field: str, yi: int, tenths: int) -> None:
    assume(UNIT_WORDS[field] == "元")
    written = parse_range(field, f"{yi}.{tenths}亿_max")
    in_wan = parse_range(field, f"{yi * 10_000 + tenths * 1000}万_max")
    assert written == in_wan
    assert written is not None
    assert written.above == float(Decimal(f"{yi}.{tenths}") * 10**8)


@given(st.decimals(-(10**12), 10**12, places=6), st.sampled_from(sorted(UNITS)), st.data())
def test_a_unit_and_back_is_the_same_figure(value: Decimal, code: str, data: st.DataObject) -> None:
    alike = [one for one, unit in UNITS.items() if unit.dimension == UNITS[code].dimension]
    there = data.draw(st.sampled_from(sorted(alike)))
    back = convert(convert(value, code, there), there, code)
    assert back.quantize(Decimal("1e-6"), ROUND_HALF_UP) == value


@given(st.sampled_from(sorted(CURRENCIES)), st.sampled_from(sorted(CURRENCIES)))
def test_no_currency_becomes_another(one: str, other: str) -> None:
    assume(one != other)
    try:
        convert(Decimal(1), one, other)
    except InputError:
        return
    raise AssertionError(f"{one} became {other}")


@given(_WORDS, _WORDS)
def test_a_text_comes_back_from_the_wire(zh: str, en: str) -> None:
    text = Text(zh, en)
    assert Text.read(str(text)) == text
    assert text.in_language("zh") == zh
    assert text.in_language("en") == en
    assert Text("<{one}>", "[{one}]").format(one=text) == Text(f"<{zh}>", f"[{en}]")
    assert join_texts([text, text], "，", ", ") == Text(f"{zh}，{zh}", f"{en}, {en}")


_PRINTED = re.compile(r"([-+−]?)([\d,]+)(?:\.(\d+))?(万亿|亿|万)?(?:%|倍|元|港元|美元)?")
_WORTH = {None: 0, "万": 4, "亿": 8, "万亿": 12}
_KINDS = (("roe", "percent"), ("pe_ttm", "multiple"), ("market_cap", "CNY"), ("revenue", "USD"))


@given(
    st.decimals(-(10**14), 10**14, places=4).map(float),
    st.sampled_from(_KINDS),
    st.sampled_from(("prose", "cell", "short", "size")),
)
@example(0.005, ("roe", "percent"), "prose")
@example(-0.004, ("pe_ttm", "multiple"), "prose")
@example(99_999_999.995, ("market_cap", "CNY"), "prose")
def test_what_is_printed_is_the_figure_to_half_of_its_last_digit(
    value: float, kind: tuple[str, str], style: Style
) -> None:
    metric, unit = kind
    claim = Claim(
        claim_id="c_1",
        value=value,
        metric=metric,
        symbol="600519.SH",
        as_of=date(2017, 5, 2),
        unit=unit,
        cite=CompetenceCite(competence_id="score.total"),
    )
    found = _PRINTED.fullmatch(show(claim, "zh", style).text)
    assert found is not None, show(claim, "zh", style).text
    sign, whole, digits, word = found.groups()
    printed = Decimal(f"{whole.replace(',', '')}.{digits or '0'}")
    last = Decimal(1).scaleb(_WORTH[word] - len(digits or ""))
    exact = Decimal(repr(value))
    assert abs(printed.scaleb(_WORTH[word]) - abs(exact)) <= last / 2
    if style != "size":
        assert (sign in {"-", "−"}) == (exact < 0 and printed != 0)
