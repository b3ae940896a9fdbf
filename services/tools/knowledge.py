"""Tool `knowledge`: search the user's notes, or screen a market. Two usages of one name."""

import inspect
from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import AfterValidator

from services.core.claims import Claim, Figure
from services.core.symbols import Symbol
from services.market import screener
from services.market.ranges import parse_range
from services.tools.base import Tool, ToolContext, ToolOutput
from services.tools.schema import Whole, argument
from services.tools.wire import Absent, unit_words

_FORM = (
    "格式：2_max（大于2）、0_2（小于2且不为负）、min_2（小于2）、2_4（2到4之间）、"
    "0_max（不限，用于排名）。"
)
_AMOUNT = "1亿写作 100000000，2万写作 20000，不保留单位。"
_VALID = (
    "2_max (more than 2) | min_2 (less than 2) | 2_4 (from 2 up to but not 4) | 0_max (no limit)"
)
OrderBy = Literal[
    "symbol",
    "pct",
    "dy_l",
    "pettm",
    "pelyr",
    "roediluted",
    "pb",
    "netprofit",
    "total_revenue",
    "tl",
]


def _bounded(field: str, text: str) -> str:
    """The text as it is, once the grammar accepts it."""
    parse_range(field, text)
    return text


def _range(field: str, meaning: str, **more: Any) -> Any:
    words = _FORM + (_AMOUNT if field in {"netprofit", "total_revenue", "tl"} else "")
    return argument(meaning + words, valid=_VALID, **more)


def _filled(text: str) -> str:
    if not text.strip():
        raise ValueError("blank")
    return text


def query(
    context: ToolContext,
    *,
    query: Annotated[
        str,
        AfterValidator(_filled),
        argument(
            "用于查询雪球三分法相关问题的 query 字符串。根据用户意图生成最贴合检索意图的 query，"
            "供内部知识库检索使用。",
            valid="a question or keywords of 1 to 200 characters",
            max_length=200,
        ),
    ],
) -> ToolOutput:
    """知识库查询：雪球三分法或其它内部知识库内容，不涉及股票筛选。"""
    found = context.bench.knowledge.search(query)
    context.record_reading("knowledge_base", "notes", found.body_sha256)
    passages: Sequence[object] = [
        {"file": item.file, "heading": item.heading, "text": item.text} for item in found.passages
    ]
    result: dict[str, object] = {
        "passages": passages
        or Absent(
            f"知识库中没有与「{query}」相关的内容 | nothing about “{query}” in the knowledge notes"
        )
    }
    return ToolOutput(result, found)


def stock_screener(
    context: ToolContext,
    *,
    dy_l: Annotated[
        Annotated[str, AfterValidator(partial(_bounded, "dy_l"))] | None,
        _range("dy_l", "股息率筛选条件（%）。"),
    ] = None,
    pettm: Annotated[
        str, AfterValidator(partial(_bounded, "pettm")), _range("pettm", "市盈率(TTM)筛选条件。")
    ],
    pelyr: Annotated[
        Annotated[str, AfterValidator(partial(_bounded, "pelyr"))] | None,
        _range("pelyr", "市盈率(LYR)筛选条件。"),
    ] = None,
    roediluted: Annotated[
        Annotated[str, AfterValidator(partial(_bounded, "roediluted"))] | None,
        _range("roediluted", "净资产收益率(ROE)筛选条件（%）。"),
    ] = None,
    pb: Annotated[
        Annotated[str, AfterValidator(partial(_bounded, "pb"))] | None,
        _range("pb", "市净率(MRQ)筛选条件。"),
    ] = None,
    netprofit: Annotated[
        str,
        AfterValidator(partial(_bounded, "netprofit")),
        _range("netprofit", "净利润筛选条件（元）。", also=["netprofi"]),
    ],
    total_revenue: Annotated[
        Annotated[str, AfterValidator(partial(_bounded, "total_revenue"))] | None,
        _range("total_revenue", "营业收入筛选条件（元）。"),
    ] = None,
    tl: Annotated[
        str,
        AfterValidator(partial(_bounded, "tl")),
        _range("tl", "负债筛选条件（元）。默认 0_max。"),
    ] = "0_max",
    category: Annotated[
        Literal["CN", "HK", "US"],
        argument("市场类别。CN（沪深 A 股）、HK（港股）、US（美股）。默认 CN。", required=True),
    ] = "CN",
    order_by: Annotated[OrderBy, argument("排序字段，默认 symbol。pct 为涨跌幅。")] = "symbol",
    size: Annotated[int, Whole(1, 500), argument("需要返回的股票数量，默认 10。")] = 10,
    order: Annotated[
        Literal["asc", "desc"],
        argument("排序顺序。asc（升序）、desc（降序）。默认 desc。", required=True),
    ] = "desc",
) -> ToolOutput:
    """公司/股票筛选：按财务与估值等条件筛选标的（如「市盈率小于 20 的 A 股」）。"""
    given = {
        "category": category,
        "order_by": order_by,
        "order": order,
        "size": size,
        "pettm": pettm,
        "netprofit": netprofit,
        "dy_l": dy_l,
        "pelyr": pelyr,
        "roediluted": roediluted,
        "pb": pb,
        "total_revenue": total_revenue,
        "tl": tl,
    }
    request = screener.screen_request({k: v for k, v in given.items() if v is not None})
    found = screener.screen(context.ledger, request)
    rows = [_row(row) for row in found.rows]
    figures = [(name, fig) for row in found.rows for name, fig in row.figures.items()]
    result: dict[str, object] = {
        "list": rows,
        "count": found.match_count,
        "company_count": found.company_count,
        "judged": dict(found.judged),
        "units": unit_words(figures),
    }
    if unknown := [field for field, claim in found.judged.items() if not claim.value]:
        result["notes"] = [
            f"{request.market} 没有公司有 {field} 的数据：条件无从满足，排序按代码"
            for field in unknown
        ]
    return ToolOutput(result, found)


def _row(row: screener.ScreenRow) -> dict[str, object]:
    figures: dict[str, Figure] = dict(row.figures)
    market_cap = figures.get("market_cap")
    as_of = market_cap.as_of if isinstance(market_cap, Claim) else Absent("来源未给出估值日")
    moved = figures.get("pct")
    return {
        "symbol": row.symbol,
        "xueqiu": Symbol(row.symbol).xueqiu,
        "name": row.name,
        "industry": row.industry or Absent("来源未给出行业"),
        "as_of": as_of,
        **figures,
        # The newest bar's day: it is not the valuation's, nor the same for every company.
        "pct_as_of": moved.as_of if isinstance(moved, Claim) else Absent("没有涨跌幅"),
    }


KNOWLEDGE = Tool(
    "knowledge",
    inspect.cleandoc(
        """当用户问题符合「查询内部知识库」的回复规则时使用。两种用法二选一，由 usage 指明。
        query 返回 passages（文件、标题、原文）；stock-screener 返回 list（每只股票各项数据）与
        count（符合条件的公司数）。缺失的数据为 null 并在 reasons 中说明，且不满足任何条件。
        不能预测，不含实时行情；US 在快照模式下没有估值数据。"""
    ),
    {"query": query, "stock-screener": stock_screener},
)
