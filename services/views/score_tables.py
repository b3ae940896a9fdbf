"""The tables of one score: its factors, what Step 1 found, the rounds of its review."""

from collections.abc import Sequence

from services.core.catalogue import metric_words
from services.core.claims import Claim
from services.core.text import Text
from services.views.score_view import FactorLine, PartLine, RoundLine
from services.views.score_words import DIRECTION_WORDS, VERDICTS
from services.views.table import (
    Table,
    TableColumn,
    TableRow,
    figure_column,
)

_FACTORS = (
    TableColumn("factor", Text("因子", "Factor"), "text"),
    TableColumn("score", Text("得分", "Score"), "figure"),
    TableColumn("weight", Text("权重", "Weight"), "figure"),
    TableColumn("coverage", Text("数据覆盖度", "Coverage"), "figure"),
    TableColumn("reason", Text("依据", "Rests on"), "prose"),
    TableColumn("missing", Text("缺少", "Missing"), "text"),
)
_DATED = TableColumn("dated", Text("估值的日子", "Valued on"), "text")
_FINDINGS = (
    TableColumn("part", Text("部分", "Part"), "text"),
    TableColumn("direction", Text("方向", "Direction"), "text"),
    TableColumn("finding", Text("发现", "Finding"), "prose"),
    TableColumn("as_of", Text("日期", "Day"), "date"),
)
_ROUNDS = (
    TableColumn("round", Text("轮次", "Round"), "text"),
    TableColumn("verdict", Text("结论", "Verdict"), "text"),
    TableColumn("writer", Text("评分", "Scored by"), "text"),
    TableColumn("reviewer", Text("审核", "Reviewed by"), "text"),
    TableColumn("said", Text("审核意见", "The reviewer said"), "text"),
    TableColumn("failures", Text("程序核对", "The code found"), "text"),
    TableColumn("seconds", Text("耗时（秒）", "Seconds"), "text"),
)


def factor_table(total: Claim | None, coverage: Claim, lines: Sequence[FactorLine]) -> Table:
    """Each factor with its figures, and the total in the last row."""
    rows = [
        TableRow(
            {
                "factor": one.name,
                "score": one.score,
                "weight": one.weight,
                "coverage": one.coverage,
                "reason": one.reason,
                "missing": joined(one.missing),
                "dated": one.dated,
            }
        )
        for one in lines
    ]
    rows.append(
        TableRow({"factor": metric_words("hold_score"), "score": total, "coverage": coverage}),
    )
    columns = (*_FACTORS, _DATED) if any(one.dated for one in lines) else _FACTORS
    return Table("factors", Text("因子", "Factors"), columns, tuple(rows))


def finding_table(parts: Sequence[PartLine]) -> Table:
    """Everything Step 1 found, part by part."""
    rows = tuple(
        TableRow(
            {
                "part": part.name,
                "direction": DIRECTION_WORDS[one.direction],
                "finding": one.text,
                "as_of": one.as_of.isoformat() if one.as_of else None,
            }
        )
        for part in parts
        for one in part.findings
    )
    return Table("findings", Text("查到的", "Findings"), _FINDINGS, rows)


def round_table(rounds: Sequence[RoundLine]) -> Table:
    """The rounds; of a refused text only why it was refused."""
    rows = tuple(
        TableRow(
            {
                "round": str(one.number),
                "verdict": VERDICTS[one.passed],
                "writer": one.writer,
                "reviewer": one.reviewer,
                "said": one.said or None,
                "failures": joined(one.failures),
                "seconds": f"{one.seconds:.2f}",
            }
        )
        for one in rounds
    )
    return Table("rounds", Text("轮次", "Rounds"), _ROUNDS, rows)


def joined(texts: Sequence[Text]) -> Text | None:
    """Texts side by side; None for none."""
    if not texts:
        return None
    return Text("；".join(one.zh for one in texts), "; ".join(one.en for one in texts))


def total_column() -> TableColumn:
    """The hold score as a column."""
    return figure_column("hold_score")
