"""Tool `knowledge`: search the user's notes, or screen a market. Two usages of one name."""

import inspect
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, WithJsonSchema

from services.core.catalogue import CATALOGUE, SCREEN_FIELDS
from services.core.claims import Claim, Figure
from services.core.symbols import Symbol
from services.core.text import Text
from services.market import screener
from services.market.ranges import UNIT_WORDS, parse_range
from services.tools.base import Tool, ToolContext, ToolOutput
from services.tools.schema import Whole, argument
from services.tools.wire import Absent, unit_words

_FORM = (
    "格式：2_max（大于2）、0_2（小于2且不为负）、min_2（小于2）、2_4（2到4之间）、"
    "0_max（不限，用于排名）。"
)
_AMOUNT = "1亿写作 100000000，2万写作 20000，不保留单位。"
# So many companies that could not be ranked are named, the best known first.
_UNRANKED = 10
_VALID = (
    "2_max (more than 2) | min_2 (less than 2) | 2_4 (from 2 up to but not 4) | 0_max (no limit)"
)
# The ranges of seed 000, in its order: what each says, and what stands for one that is left out.
_RANGES: Mapping[str, tuple[str, Any]] = {
    "dy_l": ("股息率筛选条件（%）。", None),
    "pettm": ("市盈率(TTM)筛选条件。", ...),
    "pelyr": ("市盈率(LYR)筛选条件。", None),
    "roediluted": ("净资产收益率(ROE)筛选条件（%）。", None),
    "pb": ("市净率(MRQ)筛选条件。", None),
    "netprofit": ("净利润筛选条件（元）。", ...),
    "total_revenue": ("营业收入筛选条件（元）。", None),
    "tl": ("负债筛选条件（元）。默认 0_max。", "0_max"),
}
# What its order_by takes.
_ORDERS = (
    *("symbol", "pct", "dy_l", "pettm", "pelyr", "roediluted"),
    *("pb", "netprofit", "total_revenue", "tl"),
)
# Wire arguments every screen of the seed has to give, with what leaves them open.
OPEN_RANGES = {field: "0_max" for field, (_, default) in _RANGES.items() if default is ...}


def _require_bounded(field: str, text: str) -> str:
    """The text as it is, once the grammar accepts it."""
    parse_range(field, text)
    return text


def _range(field: str) -> tuple[Any, Any]:
    """Type and default of the range of a field; published where seed 000 has it."""
    meaning, default = _RANGES.get(field, (CATALOGUE.screen_fields[field].zh, None))
    words = meaning + _FORM + (_AMOUNT if UNIT_WORDS[field] == "元" else "")
    also = ["netprofi"] if field == "netprofit" else []
    told = argument(words, valid=_VALID, also=also, published=field in _RANGES)
    text = Annotated[str, AfterValidator(partial(_require_bounded, field))]
    return Annotated[text if default is not None else text | None, told], default


def _parse_order(field: str) -> str:
    """A field to order by; more than the seed's are accepted."""
    if field not in screener.ORDERS:
        raise ValueError(field)
    return field


def _require_filled(text: str) -> str:
    if not text.strip():
        raise ValueError("blank")
    return text


def query(
    context: ToolContext,
    *,
    query: Annotated[
        str,
        AfterValidator(_require_filled),
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
        or Absent(Text("知识库里没有这方面的内容", "The knowledge notes say nothing about this"))
    }
    return ToolOutput(result, found)


_SCREEN: Mapping[str, tuple[Any, Any]] = {
    **{field: _range(field) for field in dict.fromkeys((*_RANGES, *SCREEN_FIELDS))},
    "category": (
        Annotated[
            Literal["CN", "HK", "US"],
            argument("市场类别。CN（沪深 A 股）、HK（港股）、US（美股）。默认 CN。", required=True),
        ],
        "CN",
    ),
    "order_by": (
        Annotated[
            str,
            AfterValidator(_parse_order),
            WithJsonSchema({"enum": list(_ORDERS), "type": "string"}),
            argument(
                "排序字段，默认 symbol。pct 为涨跌幅。",
                valid="one of " + " | ".join(dict.fromkeys((*_ORDERS, *screener.ORDERS))),
            ),
        ],
        "symbol",
    ),
    "size": (Annotated[int, Whole(1, 500), argument("需要返回的股票数量，默认 10。")], 10),
    "order": (
        Annotated[
            Literal["asc", "desc"],
            argument("排序顺序。asc（升序）、desc（降序）。默认 desc。", required=True),
        ],
        "desc",
    ),
    "industry": (Annotated[str | None, argument("行业名称。", published=False)], None),
    "offset": (
        Annotated[
            Annotated[int, Whole(0, screener.MAX_OFFSET)] | None,
            argument("从第几家之后列起。", published=False),
        ],
        None,
    ),
}


def stock_screener(context: ToolContext, **given: str | int | None) -> ToolOutput:
    """公司/股票筛选：按财务与估值等条件筛选标的（如「市盈率小于 20 的 A 股」）。"""
    request = screener.screen_request(given)
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
    if found.unranked is not None:
        result["unranked"] = {
            "count": found.unranked.count,
            "symbols": [symbol for symbol, _ in found.unranked.companies[:_UNRANKED]],
        }
    if found.left_out:
        result["left_out"] = {one.kind: one.count for one in found.left_out}
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
    moved, price = figures.get("pct"), figures.get("price")
    return {
        "symbol": row.symbol,
        "xueqiu": Symbol(row.symbol).xueqiu,
        "name": row.name,
        "industry": row.industry or Absent("来源未给出行业"),
        "as_of": as_of,
        **figures,
        # close, current_price or price_implied: what the price may be called.
        "price_metric": price.metric if isinstance(price, Claim) else Absent("没有股价"),
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
    {"stock-screener": _SCREEN},
)
