"""The names offered for a text that names nothing: the likest, and none that is not alike."""

from services.market.names.near_names import NearNames

NAMES = {"贵州茅台": ("600519.SH",), "五粮液": ("000858.SZ",), "贵州百灵": ("002424.SZ",)}


def test_the_likest_name_comes_first() -> None:
    # 贵州茅苔 has three of four characters of 贵州茅台 (0.75) and two of 贵州百灵 (0.5).
    assert NearNames((NAMES,)).nearest("贵州茅苔") == ("600519.SH", "002424.SZ")


def test_a_name_with_little_in_common_is_not_offered() -> None:
    assert NearNames((NAMES,)).nearest("天气台") == ()


def test_the_least_likeness_may_be_lower_for_codes() -> None:
    codes = {"00099.hk": ("00099.HK",)}
    assert NearNames((codes,)).nearest("99999") == ()
    assert NearNames((codes,), least=0.1).nearest("99999") == ("00099.HK",)


def test_latin_names_share_pairs_of_letters() -> None:
    names = {"tencent": ("00700.HK",), "century": ("CTY",)}
    assert NearNames((names,), width=2).nearest("tencnt") == ("00700.HK", "CTY")


def test_at_most_five_are_offered() -> None:
    names = {f"火星科技{letter}": (letter,) for letter in "甲乙丙丁戊己庚"}
    assert len(NearNames((names,)).nearest("火星科技")) == 5
