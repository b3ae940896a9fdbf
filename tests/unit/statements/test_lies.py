"""A battery of lies: each kind, with each lie that fits it, and the reason it is refused for.

Written from the design before the kinds. `W` figures are named `metric@when[@symbol]`.
"""
# ruff: noqa: E501 - both languages of a sentence side by side, a line each

from datetime import date
from functools import cache
from typing import Any

import pytest

from services.core.ledger import Ledger
from services.statements.book import Book
from services.statements.registry import read_statement
from services.statements.statement import Broken, Held
from tests.unit.statements import samples
from tests.unit.statements.samples import (
    BUMPY,
    LAGGING,
    LAST,
    MOVED,
    PEERS,
    PMI,
    SOUND,
    SPLIT,
    VALUED,
)

DAYS = samples.sessions()


@cache
def _ledger() -> Ledger:
    return samples.ledger()


@cache
def _book(symbol: str) -> Book:
    return samples.book(symbol, _ledger())


def _id(name: str) -> str:
    """`revenue@2016_Q4@600001.SH` → the id of that claim; anything else as it is."""
    if "@" not in name:
        return name
    metric, when, *symbol = name.split("@")
    day = date.fromisoformat(when) if when.count("-") == 2 else when
    return samples.find(_ledger(), metric, day, *symbol).claim_id


def statement(kind: str, **fields: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"kind": kind}
    for name, value in fields.items():
        one = [_id(each) for each in value] if isinstance(value, (list, tuple)) else value
        made[name] = _id(one) if isinstance(one, str) else one
    return made


def run(metric: str, first: int, last: int, symbol: str = SOUND) -> list[str]:
    return [f"{metric}@{year}_Q4@{symbol}" for year in range(first, last + 1)]


def at(metric: str, day: date, symbol: str = SOUND) -> str:
    return f"{metric}@{day.isoformat()}@{symbol}"


def verdict(raw: dict[str, Any], symbol: str = SOUND) -> str:
    """`word` where it holds, `!reason` where not."""
    read = read_statement(raw)
    found = read if isinstance(read, Broken) else read.check(_book(symbol))
    return found.word if isinstance(found, Held) else f"!{found.code}"


def event(z: date, change: date, index: date, of: str = "000001.SH") -> dict[str, Any]:
    """An abnormal day: its change, its deviation, and the index's change."""
    named = (("moved", "pct_change", change, SOUND), ("z", "return_z", z, SOUND))
    named += (("index_day", "pct_change", index, of),)
    parts = [
        {"what": what, "claims": [_id(at(metric, day, symbol))]}
        for what, metric, day, symbol in named
    ]
    window = _book(SOUND).rule("abnormal.z60", "z_window", z)
    parts[1]["claims"] = [window.claim_id, *parts[1]["claims"]]
    return {"kind": "event", "parts": parts}


R, P = "revenue", "net_profit"
PE, MED = at("pe_ttm", VALUED), at("pe_ttm_peer_median", VALUED)
LIES: list[tuple[str, dict[str, Any], str]] = [
    # every kind
    ("an id of nobody", statement("level", claims=["c_0000000000000000"]), "!unknown_claim"),
    ("a kind of nobody", {"kind": "prophecy"}, "!malformed"),
    ("a direction of one's own", {**statement("change", now=f"{R}@2016_Q4@{SOUND}", base=f"{R}@2015_Q4@{SOUND}"), "word": "down"}, "!malformed"),
    ("not even an object", {"kind": "level", "claims": "revenue"}, "!malformed"),
    # level
    ("another company's", statement("level", claims=[at("pe_ttm", VALUED, PEERS[0])]), "!other_company"),
    ("two days as one", statement("level", claims=[PE, at("rsi", LAST)]), "!day_differs"),
    ("two years as one", statement("level", claims=[f"{R}@2016_Q4@{SOUND}", f"{P}@2015_Q4@{SOUND}"]), "!period_differs"),
    ("said twice", statement("level", claims=[PE, PE]), "!duplicate"),
    ("a median as its own", statement("level", claims=[MED]), "!not_a_level"),
    # change
    ("two years apart", statement("change", now=f"{R}@2016_Q4@{SOUND}", base=f"{R}@2014_Q4@{SOUND}"), "!not_a_year_apart"),
    ("turned round", statement("change", now=f"{R}@2015_Q4@{SOUND}", base=f"{R}@2016_Q4@{SOUND}"), "!not_a_year_apart"),
    ("revenue against profit", statement("change", now=f"{R}@2016_Q4@{SOUND}", base=f"{P}@2015_Q4@{SOUND}"), "!metric_differs"),
    ("a quarter against a year", statement("change", now=f"{R}@2017_Q1@{SOUND}", base=f"{R}@2016_Q4@{SOUND}"), "!basis_differs"),
    ("twelve months against a year", statement("change", now=f"{R}@TTM_2017Q1@{SOUND}", base=f"{R}@2016_Q4@{SOUND}"), "!basis_differs"),
    ("another's base", statement("change", now=f"{R}@2016_Q4@{SOUND}", base=f"{R}@2015_Q4@{BUMPY}"), "!other_company"),
    ("another currency", statement("change", now=f"{R}@2016_Q4@{SOUND}", base=f"{R}@2015_Q4@{SPLIT}"), "!other_company"),
    ("growth of a ratio", statement("change", now=f"roe@2016_Q4@{SOUND}", base=f"roe@2015_Q4@{SOUND}"), "!not_a_flow"),
    ("growth of a price", statement("change", now=at("close", LAST), base=at("close", DAYS[-2])), "!not_a_flow"),
    # pace
    ("a hole in the years", statement("pace", claims=[f"{R}@{y}_Q4@{SOUND}" for y in (2013, 2015, 2016)]), "!gap_in_run"),
    ("an old pace as news", statement("pace", claims=run(R, 2012, 2014)), "!not_the_latest"),
    # move
    ("backwards", statement("move", first=at("close", LAST), last=at("close", DAYS[0])), "!not_later"),
    ("a base picked for it", statement("move", first=at("close", DAYS[-8]), last=at("close", LAST)), "!base_day_chosen"),
    ("an old end", statement("move", first=at("close", DAYS[0]), last=at("close", DAYS[-3])), "!not_the_latest"),
    ("a year picked for it", statement("move", first=f"roe@2013_Q4@{SOUND}", last=f"roe@2016_Q4@{SOUND}"), "!base_year_chosen"),
    ("an old year's move", statement("move", first=f"roe@2012_Q4@{SOUND}", last=f"roe@2014_Q4@{SOUND}"), "!not_the_latest"),
    ("a high beside a close", statement("move", first=at("close", DAYS[-21]), last=at("high", LAST)), "!metric_differs"),
    ("a move of a multiple", statement("move", first=at("rsi", DAYS[-2]), last=at("rsi", LAST)), "!not_a_move"),
    # compare
    ("a company with itself", statement("compare", one=PE, other=PE), "!same_company"),
    ("the other's view", statement("compare", one=at("pe_ttm", VALUED, PEERS[0]), other=PE), "!other_company"),
    ("two multiples", statement("compare", one=PE, other=at("pb", VALUED, PEERS[0])), "!metric_differs"),
    ("the median of another", statement("compare", one=PE, other=at("pb_peer_median", VALUED)), "!metric_differs"),
    ("money beside other money", statement("compare", one=f"{R}@2016_Q4@{SOUND}", other=f"{R}@2016_Q4@{SPLIT}"), "!unit_or_currency_differs"),
    ("two years beside each other", statement("compare", one=f"{R}@2016_Q4@{SOUND}", other=f"{R}@2015_Q4@{BUMPY}"), "!period_differs"),
    ("year ends apart", statement("compare", one=f"{R}@2016_Q4@{SOUND}", other=f"{R}@2016_Q4@{PEERS[1]}"), "!year_ends_differ"),
    ("another scale", statement("compare", one=at("market_cap", VALUED), other=at("market_cap_peer_median", VALUED)), "!another_scale"),
    ("shares of two companies", statement("compare", one=f"eps@2016_Q4@{SOUND}", other=f"eps@2016_Q4@{SPLIT}"), "!unit_or_currency_differs"),
    ("dividends of two companies", statement("compare", one=f"dps@2016_Q4@{SOUND}", other=f"dps@2016_Q4@{BUMPY}"), "!not_comparable"),
    # trend
    ("part of a run", statement("trend", claims=run(R, 2013, 2016)), "!not_the_whole_run"),
    ("an old run", statement("trend", claims=run(R, 2012, 2015)), "!not_the_latest"),
    ("a run with a hole", statement("trend", claims=[f"{R}@{y}_Q4@{SOUND}" for y in (2012, 2014, 2015, 2016)]), "!gap_in_run"),
    ("a run of quarters", statement("trend", claims=[f"{R}@2015_Q4@{SOUND}", f"{R}@2016_Q4@{SOUND}", f"{R}@2017_Q1@{SOUND}"]), "!basis_differs"),
    ("two points are no run", statement("trend", claims=run(R, 2015, 2016)), "!malformed"),
    ("a run out of order", statement("trend", claims=run(R, 2012, 2016)[::-1]), "!gap_in_run"),
    ("a run of two companies", statement("trend", claims=[*run(R, 2012, 2015), f"{R}@2016_Q4@{BUMPY}"]), "!other_company"),
    # extreme
    ("the highest that is not", statement("extreme", of=f"roe@2014_Q4@{SOUND}", among=run("roe", 2012, 2016)), "!not_an_extreme"),
    ("an old highest as news", statement("extreme", of=f"roe@2012_Q4@{SOUND}", among=run("roe", 2012, 2016)), "!not_the_latest"),
    ("of four where five are known", statement("extreme", of=f"{R}@2016_Q4@{SOUND}", among=run(R, 2013, 2016)), "!not_the_whole_set"),
    ("of a set it is not in", statement("extreme", of=f"{R}@2016_Q4@{SOUND}", among=run(R, 2012, 2015)), "!not_in_its_set"),
    ("a tie", statement("extreme", of=f"dps@2016_Q4@{SOUND}", among=run("dps", 2012, 2016)), "!tie"),
    # rank
    ("the count of another", statement("rank", rank=at("pe_ttm_peer_rank", VALUED), count=at("pb_peer_count", VALUED)), "!count_of_another"),
    ("a median as a rank", statement("rank", rank=MED, count=at("pe_ttm_peer_count", VALUED)), "!count_of_another"),
    # signal
    ("yesterday's RSI", statement("signal", rule="rsi", claims=[at("rsi", DAYS[-2])]), "!stale"),
    ("another's line", statement("signal", rule="above_ma60", claims=[at("close", LAST), at("ma_20", LAST)]), "!not_the_inputs_of_the_rule"),
    ("two days of one cross", statement("signal", rule="macd", claims=[at("macd_dif", LAST), at("macd_dea", DAYS[-2])]), "!day_differs"),
    ("a low that is none", statement("signal", rule="low_20", claims=[at("high", LAST), at("low_20", LAST)]), "!not_the_inputs_of_the_rule"),
    # event
    ("an ordinary day", event(DAYS[101], DAYS[101], DAYS[101]), "!below_its_limit"),
    ("another day's index", event(DAYS[100], DAYS[100], DAYS[101]), "!day_differs"),
    ("a company as the index", event(DAYS[100], DAYS[100], DAYS[100], PEERS[0]), "!not_an_index"),
    # quote
    ("an unknown source", {"kind": "quote", "source": "news:9", "span": "回购股份"}, "!unknown_source"),
    ("other words", {"kind": "quote", "source": "news:1", "span": "拟以自有资金增发股份"}, "!not_word_for_word"),
    ("too much of it", {"kind": "quote", "source": "news:1", "span": "公" * 61}, "!malformed"),
    # gap
    ("not missing", {"kind": "gap", "what": "营业收入"}, "!not_missing"),
    # watch
    ("already crossed", statement("watch", trigger="overbought", now=at("rsi", LAST)), "!already_crossed"),
    ("of yesterday", statement("watch", trigger="below_ma60", now=at("close", DAYS[-2]), level=at("ma_60", DAYS[-2])), "!stale"),
    ("another's level", statement("watch", trigger="below_ma60", now=at("close", LAST), level=at("ma_20", LAST)), "!not_the_inputs_of_the_rule"),
    ("a profit long past", statement("watch", trigger="next_profit", now=f"{P}@2014_Q4@{SOUND}"), "!stale"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "raw", "reason"), LIES, ids=[one[0] for one in LIES])
def test_a_lie_is_refused_for_its_reason(name: str, raw: dict[str, Any], reason: str) -> None:
    assert verdict(raw) == reason, name


SPLIT_LIES = [
    ("a split told as growth", statement("change", now=f"eps@2015_Q4@{SPLIT}", base=f"eps@2014_Q4@{SPLIT}"), SPLIT, "!share_basis_differs"),
    ("a run over a split", statement("trend", claims=run("eps", 2012, 2016, SPLIT)), SPLIT, "!share_basis_differs"),
    ("a run over a moved year end", statement("trend", claims=run(R, 2012, 2016, MOVED)), MOVED, "!year_end_moved"),
    ("losses told as a run of growth", statement("trend", claims=run(P, 2012, 2016, BUMPY)), BUMPY, "!negative_base"),
    ("the pace of losses", statement("pace", claims=run(P, 2014, 2016, BUMPY)), BUMPY, "!negative_base"),
    ("a month that is not the newest", statement("reading", now=f"pmi_manufacturing@2017-05@{PMI}", before=f"pmi_manufacturing@2017-03@{PMI}"), PMI, "!not_the_latest"),
    ("the month before last as the last", statement("reading", now=f"pmi_manufacturing@2017-06@{PMI}", before=f"pmi_manufacturing@2017-03@{PMI}"), PMI, "!gap_in_run"),
    ("months across a hole", statement("reading", now=f"cpi_yoy@2017-06@{PMI}", before=f"cpi_yoy@2017-04@{PMI}"), PMI, "!gap_in_run"),
    ("quarters as months", statement("reading", now=f"gdp_yoy@2017_Q2@{PMI}", before=f"gdp_yoy@2017_Q1@{PMI}"), PMI, "!basis_differs"),
    ("inflation beside activity", statement("reading", now=f"pmi_manufacturing@2017-06@{PMI}", before=f"cpi_yoy@2017-06@{PMI}"), PMI, "!metric_differs"),
    ("a company's figure as the economy's", statement("reading", now=f"{R}@2016_Q4@{SOUND}", before=f"{R}@2015_Q4@{SOUND}"), SOUND, "!not_a_move"),
    ("the economy's figure as a company's", statement("reading", now=f"pmi_manufacturing@2017-06@{PMI}", before=f"pmi_manufacturing@2017-05@{PMI}"), SOUND, "!other_company"),
    ("the fall of a loss in percent", statement("move", first=f"{P}@2015_Q4@{BUMPY}", last=f"{P}@2016_Q4@{BUMPY}"), BUMPY, "!negative_base"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "raw", "symbol", "reason"), SPLIT_LIES, ids=[one[0] for one in SPLIT_LIES]
)
def test_a_lie_about_another_company(
    name: str, raw: dict[str, Any], symbol: str, reason: str
) -> None:
    assert verdict(raw, symbol) == reason, name


# True to the letter and misleading: refused, or said so that a reader is not misled.
MISLEADING = [
    ("a loss that turned to profit is no growth", statement("change", now=f"{P}@2013_Q4@{BUMPY}", base=f"{P}@2012_Q4@{BUMPY}"), BUMPY, "to_profit"),
    ("a profit that turned to loss is no fall in percent", statement("change", now=f"{P}@2014_Q4@{BUMPY}", base=f"{P}@2013_Q4@{BUMPY}"), BUMPY, "to_loss"),
    ("a wider loss is no rise", statement("change", now=f"{P}@2015_Q4@{BUMPY}", base=f"{P}@2014_Q4@{BUMPY}"), BUMPY, "loss_wider"),
    ("a smaller loss is no growth", statement("change", now=f"{P}@2016_Q4@{BUMPY}", base=f"{P}@2015_Q4@{BUMPY}"), BUMPY, "loss_narrower"),
    ("0.2 % is no growth", statement("change", now=f"{R}@2016_Q4@{BUMPY}", base=f"{R}@2015_Q4@{BUMPY}"), BUMPY, "flat"),
    ("thirtyfold from next to nothing", statement("change", now=f"{P}@2015_Q4@{SPLIT}", base=f"{P}@2014_Q4@{SPLIT}"), SPLIT, "up_tiny"),
    ("a pace over a tiny base", statement("pace", claims=run(P, 2014, 2016, SPLIT)), SPLIT, "!tiny_base"),
    ("figures that print alike", statement("signal", rule="macd", claims=[at("macd_dif", LAST), at("macd_dea", LAST)]), SOUND, "near"),
    ("dearer by a hundredth", statement("compare", one=at("pb", VALUED), other=at("pb", VALUED, PEERS[0])), SOUND, "alike"),
    ("growth on average that slowed at the end", statement("pace", claims=run(R, 2014, 2016)), SOUND, "slower"),
    ("a run that starts at a chosen year", statement("trend", claims=run(P, 2014, 2016)), SOUND, "!not_the_whole_run"),
    ("since the lowest day", statement("move", first=at("close", DAYS[3]), last=at("close", LAST)), SOUND, "!base_day_chosen"),
    ("old growth as if it were this year's", statement("change", now=f"{R}@2013_Q4@{SOUND}", base=f"{R}@2012_Q4@{SOUND}"), SOUND, "up"),
    ("the return on equity since its best year", statement("move", first=f"roe@2014_Q4@{SOUND}", last=f"roe@2016_Q4@{SOUND}"), SOUND, "!base_year_chosen"),
    ("far above is told in times", statement("compare", one=at("pe_ttm", VALUED), other=at("pe_ttm_peer_median", VALUED)), SOUND, "below"),
    ("a run that is up and down", statement("trend", claims=run("total_assets", 2012, 2016)), SOUND, "mixed"),
    ("the tail of a mixed run", statement("trend", claims=run("total_assets", 2014, 2016)), SOUND, "!not_the_whole_run"),
    ("a dividend that stood still", statement("change", now=f"dps@2016_Q4@{SOUND}", base=f"dps@2015_Q4@{SOUND}"), SOUND, "flat"),
    ("a debt ratio that is usual for a lender", statement("move", first=f"debt_to_assets@2015_Q4@{SOUND}", last=f"debt_to_assets@2016_Q4@{SOUND}"), SOUND, "down"),
    ("one company as if it were the industry", statement("compare", one=PE, other=at("pe_ttm", VALUED, PEERS[6])), SOUND, "below"),
    ("before the year end moved", statement("trend", claims=run(R, 2012, 2014, MOVED)), MOVED, "!not_the_latest"),
    ("a fall that is still above the line", statement("reading", now=f"pmi_manufacturing@2017-06@{PMI}", before=f"pmi_manufacturing@2017-05@{PMI}"), PMI, "down"),
    ("the revenue of a year before the newest report", statement("trend", claims=run(R, 2013, 2015, LAGGING)), LAGGING, "!not_the_latest"),
    ("its pace as this year's", statement("pace", claims=run(R, 2013, 2015, LAGGING)), LAGGING, "!not_the_latest"),
    ("the end of a growth that is none", statement("watch", trigger="next_profit", now=f"{P}@2016_Q4@{LAGGING}"), LAGGING, "next_profit_fell"),
    ("a loss among the figures", statement("level", claims=[f"{P}@2016_Q4@{BUMPY}"]), BUMPY, "loss"),
    ("a loss of another year", statement("level", claims=[f"{P}@2015_Q4@{BUMPY}"]), BUMPY, "level"),
    ("the split's rise since", statement("trend", claims=run("eps", 2014, 2016, SPLIT)), SPLIT, "!share_basis_differs"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "raw", "symbol", "said"), MISLEADING, ids=[one[0] for one in MISLEADING]
)
def test_what_is_true_and_misleads_is_refused_or_said_fairly(
    name: str, raw: dict[str, Any], symbol: str, said: str
) -> None:
    assert verdict(raw, symbol) == said, name


def test_a_refusal_has_a_reason_in_both_languages() -> None:
    for _, raw, _ in LIES:
        read = read_statement(raw)
        found = read if isinstance(read, Broken) else read.check(_book(SOUND))
        assert isinstance(found, Broken)
        assert found.why.zh
        assert found.why.en
        assert found.why.zh != found.why.en
