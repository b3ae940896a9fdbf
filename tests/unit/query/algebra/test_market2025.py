"""Generated queries on a market that was synced live: the mainland of 18 December 2025, where it is
at hand, against pandas.
"""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from services.container import Services, build_services
from services.core.catalogue import CATALOGUE
from services.core.clock import BEIJING
from services.core.ledger import Ledger
from services.core.trace import Fact
from services.core.verifier import verify
from services.query.algebra.explain import explain
from services.query.algebra.run import run_query
from services.query.answering.desk import ActionDesk
from services.settings import load_settings
from services.store.copy_rows import Pulled, TaskMark
from services.store.copy_sql import Annual
from tests.unit.query.algebra import bundle_frames, made_queries, pandas_algebra, test_truth
from tests.unit.query.algebra.asked import Asked

LISTS = Path(__file__).parents[5] / "shared" / "data" / "market2025" / "lists.parquet"
DAY, NOW = date(2025, 12, 18), datetime(2025, 12, 18, 18, 0, tzinfo=BEIJING)
# Tushare's field → the figure, its unit, and how much of it one is.
FIELDS = {
    "total_mv": ("market_cap", "CNY", 1e4),
    "total_share": ("total_shares", "shares", 1e4),
    "float_share": ("float_shares", "shares", 1e4),
    "pe_ttm": ("pe_ttm", "multiple", 1),
    "pe": ("pe_lyr", "multiple", 1),
    "pb": ("pb", "multiple", 1),
    "ps_ttm": ("ps_ttm", "multiple", 1),
}
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not LISTS.exists(), reason="the market of 2025 is not at hand"),
]


def _listed() -> pd.DataFrame:
    rows = pd.read_parquet(LISTS)
    rows = rows[(rows.market == "CN") & (rows.source == "stock_datasource")]
    valued = rows[rows.table == "daily_basic"].drop_duplicates(["symbol", "field"])
    table = valued.pivot(index="symbol", columns="field", values="raw")[list(FIELDS)].astype(float)
    for field, (metric, _, scale) in FIELDS.items():
        table[metric] = table[field] * scale
    basic = rows[rows.table == "stock_basic"].drop_duplicates(["symbol", "field"])
    words = basic.pivot(index="symbol", columns="field", values="raw")
    return table[[metric for metric, _, _ in FIELDS.values()]].join(words[["name", "industry"]])


@pytest.fixture(scope="module")
def youju() -> Iterator[Services]:
    settings = load_settings(
        {
            "YOUJU_MODE": "live",
            "YOUJU_STORE": ":memory:",
            "YOUJU_CLOCK": NOW.isoformat(),
            "YOUJU_CHAINS": "points:market_copy",
        }
    )
    made = build_services(settings)
    table = _listed()
    units = {metric: unit for metric, unit, _ in FIELDS.values()}
    rows = [
        Fact(
            symbol=str(symbol),
            metric=metric,
            metric_code=CATALOGUE.codes.get(metric),
            value=float(value),
            unit=unit,
            as_of=DAY,
            field=metric,
            raw=str(value),
        )
        for metric, unit in units.items()
        for symbol, value in table[metric].dropna().items()
    ]
    labels = {
        str(symbol): {key: str(text) for key, text in row.dropna().items()}
        for symbol, row in table[["name", "industry"]].iterrows()
    }
    mark = TaskMark("CN:universe", "CN", "universe", "", "done", NOW, NOW + timedelta(days=1))
    pulled = Pulled("tushare", "tushare", "daily_basic", NOW, "a" * 64, rows, labels)
    made.copy.keep_universe(mark, [pulled], {}, Annual(DAY, "2024_Q4"))
    yield made
    made.close()


@pytest.fixture
def frames(youju: Services, monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    """The market as the tests of the bundle see theirs."""
    with youju.database.cursor() as cursor:
        sql = "SELECT symbol FROM copy.wide_cn WHERE listing IS NULL"
        companies = {row[0] for row in cursor.execute(sql).fetchall()}
    table = _listed()
    table = table[table.index.isin(companies)].copy()
    table["market"] = "CN"
    table["exchange"] = table.index.str[-2:]
    codes = table.index.str
    table["board"] = "main"
    table.loc[codes.startswith("30"), "board"] = "chinext"
    table.loc[codes.startswith(("688", "689")), "board"] = "star"
    table.loc[codes.endswith(".BJ"), "board"] = "bse"
    table["st"] = table.name.str.contains("ST").fillna(value=False)
    table["bps"] = float("nan")
    table["net_profit"] = table.market_cap / table.pe_lyr
    table["revenue"] = table.market_cap / table.ps_ttm
    table["roe"] = table.pb / table.pe_lyr * 100
    known = bundle_frames.Frames(table, pd.DataFrame(), pd.DataFrame())
    for module in (made_queries, pandas_algebra):
        monkeypatch.setattr(module, "frames", lambda: known)
    # What is listed is remembered: of this market here, of the bundle for whoever comes next.
    monkeypatch.setattr(made_queries, "_listed", cache(made_queries._listed.__wrapped__))
    return table


def _ask(youju: Services, query: made_queries.a.Query) -> Asked:
    executor = youju.query._executor()
    ledger = Ledger(youju.runner._fetcher("ask", {}))
    desk = ActionDesk(executor._tools, executor._bench, ledger, executor._metadata)
    outcome = run_query(query, desk)
    found = verify(ledger.claims, ledger.trace, NOW)
    return Asked(outcome, ledger, found.failures)


@pytest.mark.parametrize("block", range(4))
def test_a_market_synced_live(youju: Services, frames: pd.DataFrame, block: int) -> None:
    assert len(frames) > 5000
    asked_for = 0
    for seed in range(10_000 + block * 1000, 11_000 + block * 1000):
        maker = made_queries.Maker(seed)
        if maker.market != "CN":
            continue
        query = maker.query()
        if query.group is not None or "年" in explain(query, {}):
            continue  # no annual reports were synced
        told = f"seed {seed}: {explain(query, {})}"
        asked = _ask(youju, query)
        assert asked.failures == (), told
        if query.fold:
            test_truth._check_folds(query, asked, told)
        else:
            test_truth._check_rows(query, asked, told)
        asked_for += 1
        if asked_for == 10:
            return
