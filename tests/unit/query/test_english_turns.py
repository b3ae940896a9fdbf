"""English as it is typed: what stands around a question, times and prices said at length, and the
turns that go on from them.
"""

from collections.abc import Sequence

import pytest

from services.query.algebra.nodes import Arith, In, Metric, Query, Several
from tests.unit.query.asking import query

_STEEL = "Average PB of A-share steel makers?"
# A turn, or several, and the same asked in the words of the house.
ALIKE: Sequence[tuple[tuple[str, ...], tuple[str, ...]]] = (
    (("hi! for my class project - Vanke revenue 2016",), ("Vanke revenue 2016",)),
    (
        ("Hi, I'm writing a paper about Tesla. What was the revenue in 2016?",),
        ("Tesla revenue 2016",),
    ),
    (("omg so I keep hearing about BYD lol. net profit 2016?",), ("BYD net profit 2016",)),
    (("Hi, my thesis is about Chinese banks. median PE?",), ("median PE of A-share banks",)),
    (("both TTM and last-year PE of Gree Electric",), ("Gree P/E (TTM) and P/E (LYR)",)),
    (("Tencent net profit 2016, in millions",), ("Tencent net profit 2016",)),
    (("Vanke EPS all the years you've got",), ("Vanke EPS by year",)),
    (("HSI max drawdown during 2015",), ("HSI max drawdown in 2015",)),
    (("Facebook close on New Year's Eve 2015?",), ("Facebook close on 31 December 2015",)),
    (("Moutai record close",), ("Moutai highest close ever",)),
    (("What's Tesla's all time low closing price?",), ("Tesla lowest close ever",)),
    (
        ("Did Vanke's revenue ever fall? Which years?",),
        ("in which years did Vanke's revenue fall",),
    ),
    (
        ("Vipshop - did revenue really more than double in 2014?",),
        ("did Vipshop's revenue growth exceed 100% in 2014",),
    ),
    (
        ("HSI 20-day moving average vs where it is now",),
        ("how far is HSI above its 20-day moving average",),
    ),
    (("Vanke revenue 2014", "and 16"), ("Vanke revenue 2016",)),
    (
        ("Kingsoft EPS 2016", "how did the stock do in that year"),
        ("Kingsoft price change in 2016",),
    ),
    ((_STEEL, "that can't be right, median?"), ("median PB of A-share steel makers",)),
    ((_STEEL, "how many are above 3"), ("how many A-share steel makers have PB above 3",)),
    (
        ("Tesla revenue growth from 2013 to 2016", "how many times bigger was 2016 than 2012?"),
        ("Tesla revenue 2012 to 2016", "2016年是2012年的几倍"),
    ),
)
# What one word more changes.
OTHER: Sequence[tuple[tuple[str, ...], tuple[str, ...]]] = (
    (("Moutai record close",), ("Moutai record high",)),
    ((_STEEL, "which ones are above 3"), (_STEEL, "above 3?")),
    ((_STEEL, "which ones are above 3"), (_STEEL, "which ones are above 4")),
    (("Vanke revenue 2014", "and 16"), ("Vanke revenue 2014", "and 15")),
    (("banks with PE below 8", "and 16"), ("banks with PE below 2016",)),
    (
        ("BYD revenue growth 2016", "faster than net profit?"),
        ("BYD revenue growth 2016", "faster than total assets?"),
    ),
    (
        ("Wanda Film highest close ever", "how far had it fallen by the end of 2016?"),
        ("Wanda Film highest close ever", "since then?"),
    ),
)
# Nothing may be passed over here.
PUT_BACK: Sequence[tuple[str, ...]] = (
    ("I'm not writing about Tesla. revenue of it in 2016?",),
    ("I'm writing a paper about Tesla in 2014. Revenue?",),
    ("We sold Vanke. PE of Gree?",),
    ("A shares above 1 in trillions",),
    ("net profit of Vanke on Chinese New Year's Eve 2015",),
    ("Tencent revenue 2016", "how far had it fallen by the end of 2016?"),
    ("Vanke revenue 2014", "and not 16"),
    (_STEEL, "without those"),
    ("BYD PE", "no way"),
)


def _read(turns: Sequence[str]) -> Query | Several | None:
    """The plan of the last turn, behind those before it; None where one is put back."""
    before: list[Query] = []
    found: Query | Several | None = None
    for turn in turns:
        found = query(turn, tuple(before))
        asked = found.queries if isinstance(found, Several) else (found,)
        before += [one for one in asked if isinstance(one, Query)]
    return found


@pytest.mark.parametrize(("turns", "plain"), ALIKE)
def test_what_is_said_at_length_is_what_is_said_plainly(
    turns: Sequence[str], plain: Sequence[str]
) -> None:
    found = _read(turns)
    assert found is not None
    assert found == _read(plain)


@pytest.mark.parametrize(("turns", "others"), OTHER)
def test_another_word_is_another_question(turns: Sequence[str], others: Sequence[str]) -> None:
    found = _read(turns)
    assert found is not None
    assert found != _read(others)


@pytest.mark.parametrize("turns", PUT_BACK)
def test_what_may_mean_more_is_put_back(turns: Sequence[str]) -> None:
    assert _read(turns) is None


def test_the_average_without_those_is_of_all_others() -> None:
    before = query(_STEEL)
    assert isinstance(before, Query)
    above = query("which ones are above 3", (before,))
    assert isinstance(above, Query)
    assert not above.fold
    rest = query("and the average without those", (before, above))
    assert isinstance(rest, Query)
    assert rest.fold == before.fold
    known = query("A-share steel makers with a PB of at most 3")
    assert isinstance(known, Query)
    assert rest.where == known.where


def test_a_company_alone_has_its_share_of_the_same_whole() -> None:
    turns = ["Five biggest A shares", "Combined market value?", "As a percentage of all A shares?"]
    share, alone = _read(turns), _read([*turns, "And Moutai alone?"])
    assert isinstance(share, Query)
    assert isinstance(alone, Query)
    of, own = share.show[0], alone.show[0]
    assert isinstance(of, Arith)
    assert isinstance(own, Arith)
    assert (own.how, own.right) == (of.how, of.right)
    assert own.left == Metric(id="market_cap")
    assert alone.scope == In(dim="symbol", values=("600519.SH",))
