"""A watchlist over the real snapshot, its changes against pandas over the closes themselves."""

from datetime import date

import pandas as pd
import pytest

from services.core.claims import Claim, Figure, Missing
from services.core.errors import InputError
from services.core.symbols import Symbol
from services.core.verifier import verify
from services.market.history import price_history
from services.store.watchlists import Watched
from services.views import watch
from services.views.watch import SINCE, WatchView
from services.workbench.replay import replay
from tests.unit.reports.bundled import desk, services, session

BANK, TENCENT, MOUTAI = "600036.SH", "00700.HK", "600519.SH"
VANKE = "000002.SZ"
JUNE, SUNDAY, TODAY = date(2017, 6, 1), date(2017, 6, 18), date(2017, 7, 26)


def looked(*held: tuple[str, date, date]) -> WatchView:
    entries = [Watched(symbol=name, added_on=on, seen_on=seen, note="") for name, on, seen in held]
    return watch.build(services(), "甲", entries, session())


def closes(symbol: str) -> pd.Series:
    found = services().runner.run(
        "test",
        {},
        lambda ledger: price_history(ledger, Symbol(symbol), None, None).bars,
        session_id=session(),
    )
    return pd.Series({bar.date: bar.close for bar in found.output}).sort_index()


def since(view: WatchView) -> list[Figure]:
    return [one.figures[SINCE] for one in view.entries]


@pytest.mark.parametrize(("symbol", "day"), [(BANK, JUNE), (TENCENT, SUNDAY), (BANK, SUNDAY)])
def test_the_change_is_from_the_close_of_that_day_or_the_last_before(
    symbol: str, day: date
) -> None:
    prices = closes(symbol)
    wanted = (prices.iloc[-1] / prices.loc[:day].iloc[-1] - 1) * 100
    view = looked((symbol, day, TODAY))
    (figure,) = since(view)
    assert isinstance(figure, Claim)
    assert figure.value == pytest.approx(wanted, rel=1e-12)
    assert figure.as_of == prices.index[-1]
    assert verify(list(view.claims.values()), view.trace, services().clock.now()).ok


def test_where_no_close_lies_between_it_says_so() -> None:
    added_now, added_before_all, without_bars = since(
        looked(
            (BANK, TODAY, TODAY), (BANK, date(1999, 1, 4), TODAY), (MOUTAI, JUNE, TODAY)
        )
    )  # fmt: skip
    assert isinstance(added_now, Missing)
    assert "没有新的收盘" in added_now.reason.zh
    assert isinstance(added_before_all, Missing)
    assert "之前没有收盘" in added_before_all.reason.zh
    assert isinstance(without_bars, Missing)


def test_only_what_ended_after_it_was_seen_is_new() -> None:
    (all_new,) = looked((VANKE, JUNE, JUNE)).entries
    days = [event.end for event in all_new.events]
    assert days
    assert min(days) > JUNE
    (some,) = looked((VANKE, JUNE, max(days))).entries
    assert some.events == ()
    (rest,) = looked((VANKE, JUNE, min(days))).entries
    assert [event.end for event in rest.events] == [day for day in days if day > min(days)]


def test_a_stored_run_of_a_list_is_done_again_the_same() -> None:
    view = looked((BANK, JUNE, JUNE), (TENCENT, SUNDAY, TODAY))
    assert replay(services(), view.run_ids[0], "zh").holds


def test_a_company_is_added_by_any_name_and_never_on_a_day_to_come() -> None:
    assert desk().watch("试", "招商银行A股", on=JUNE) == BANK
    assert [one.watched.added_on for one in desk().watchlist("试", session()).entries] == [JUNE]
    with pytest.raises(InputError):
        desk().watch("试", BANK, on=date(2017, 7, 27))
    services().watchlists.end("试")
