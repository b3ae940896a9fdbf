"""What a tool was asked for, as a reader says it: 公司 600036.SH，市场 A股，往前 365 天."""

import json
from collections.abc import Mapping
from typing import cast

from services.core.catalogue import SCREEN_FIELDS, metric_words
from services.core.text import Text, join_texts

# The arguments of every tool; one that is not listed here would be told by its key.
ARGUMENTS: Mapping[str, Text] = {
    "symbol": Text("公司", "company"),
    "market": Text("市场", "market"),
    "category": Text("市场", "market"),
    "interval": Text("周期", "interval"),
    "lookback": Text("往前天数", "days back"),
    "period_type": Text("报告", "reports"),
    "period": Text("报告期", "period"),
    "count": Text("期数", "periods"),
    "size": Text("最多家数", "companies at most"),
    "metrics": Text("指标", "figures"),
    "series": Text("序列", "series"),
    "keywords": Text("关键词", "keywords"),
    "max_items": Text("最多条数", "items at most"),
    "max_results": Text("最多条数", "items at most"),
    "query": Text("检索词", "search words"),
    "usage": Text("用法", "use"),
    "order_by": Text("排序", "ordered by"),
    "order": Text("次序", "order"),
    "searchRequests": Text("检索词", "search words"),
    "industry": Text("网站类别", "kind of site"),
    "timeRange": Text("时间", "time"),
    "startDate": Text("自", "from"),
    "endDate": Text("至", "to"),
    "scope": Text("范围", "scope"),
    "searchFilings": Text("查公告", "notices"),
    "stockName": Text("公司", "company"),
    "stockSearchQuery": Text("备用检索词", "words to search instead"),
    "searchStockFeedNew": Text("最新讨论", "newest posts"),
    "searchStockFeedHot": Text("热门讨论", "hot posts"),
    "searchStockNotice": Text("公告", "notices"),
    "searchStockQuote": Text("行情", "quote"),
    "searchStockInfluencer": Text("影响力用户", "influential users"),
    "searchStockAbnormal": Text("异动", "abnormal moves"),
    "userScreenName": Text("用户", "user"),
    "filterQuery": Text("动态里的词", "words in posts"),
    "userSearchQuery": Text("备用检索词", "words to search instead"),
    "searchUserProfile": Text("简介", "profile"),
    "urlTargets": Text("网址", "addresses"),
}
_VALUES: Mapping[tuple[str, str], Text] = {
    ("market", "CN"): Text("A股", "A shares"),
    ("market", "HK"): Text("港股", "Hong Kong"),
    ("market", "US"): Text("美股", "US"),
    ("category", "CN"): Text("A股", "A shares"),
    ("category", "HK"): Text("港股", "Hong Kong"),
    ("category", "US"): Text("美股", "US"),
    ("interval", "1d"): Text("日线", "daily"),
    ("interval", "1h"): Text("60 分钟", "60 minutes"),
    ("interval", "5m"): Text("5 分钟", "5 minutes"),
    ("interval", "1m"): Text("1 分钟", "1 minute"),
    ("period_type", "annual"): Text("年报", "annual"),
    ("period_type", "quarterly"): Text("年报、中报与季报", "annual and interim"),
    ("usage", "query"): Text("查知识库", "knowledge base"),
    ("usage", "stock-screener"): Text("选股", "screen"),
    ("order", "asc"): Text("从低到高", "lowest first"),
    ("order", "desc"): Text("从高到低", "highest first"),
    ("timeRange", "OneDay"): Text("一天内", "a day"),
    ("timeRange", "OneWeek"): Text("一周内", "a week"),
    ("timeRange", "OneMonth"): Text("一个月内", "a month"),
    ("timeRange", "OneYear"): Text("一年内", "a year"),
    ("timeRange", "NoLimit"): Text("不限", "no limit"),
    ("scope", "all"): Text("全部", "all"),
    ("scope", "pgc"): Text("专业内容", "professional"),
    ("scope", "ugc"): Text("用户内容", "users'"),
}
_MALFORMED = Text("写得不合格式", "not well formed")
_CUT = Text("（过长，未全列）", "(too long to list)")


def argument_words(written: str) -> Text:
    """The arguments of a call, which are JSON; what is no JSON is said to be none."""
    try:
        given: object = json.loads(written or "{}")
    except ValueError:
        return _CUT if written.startswith("{") else _MALFORMED
    if not isinstance(given, dict):
        return _MALFORMED
    told = [_tell_argument(key, value) for key, value in cast("dict[str, object]", given).items()]
    return join_texts([one for one in told if one is not None], "，", ", ")


def _tell_argument(key: str, value: object) -> Text | None:
    """One argument; None of one that was left empty."""
    if value in ("", None) or value == [] or value is False:
        return None
    name = ARGUMENTS.get(key) or _figure(key)
    if value is True:
        return name
    listed = cast("list[object]", value) if isinstance(value, list) else [value]
    words = [_VALUES.get((key, str(one))) or _figure(str(one)) for one in listed]
    said = join_texts(words, "、", ", ")
    return Text(f"{name.zh} {said.zh}", f"{name.en} {said.en}")


def _figure(name: str) -> Text:
    """A figure by the key a tool knows it by; any other word as it is."""
    return metric_words(SCREEN_FIELDS.get(name, name))
