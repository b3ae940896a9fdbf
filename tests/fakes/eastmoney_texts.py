"""Abnormal moves, limit pools, notices and headlines of the Eastmoney fake."""

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from tests.fakes.eastmoney_companies import LAST_DAY, Listed, sessions

_HEAD = {"rc": 0, "rt": 18, "svr": 182482250, "lt": 1, "full": 0}
# Time, code, kind, and what is said of it: its first figure means something else by kind.
_CHANGES = (
    (143105, "600519", 8193, "12300,1502.30,0.001533,18478290.00"),
    (93005, "600519", 8207, "0.0102,1515.30,0.0102"),
    (145010, "000001", 4, "12.12,3200000,0.0998"),
    (101500, "300750", 8201, "0.0213,254.80,0.0192"),
)
_POOLS: Mapping[str, tuple[tuple[str, int, float], ...]] = {
    "getTopicZTPool": (("000001", 12120, 9.98),),
    "getTopicDTPool": (("601003", 0, -10.0),),
    "getTopicZBPool": (("300750", 0, 6.3),),
}


def changes(companies: Sequence[Listed], query: Mapping[str, str]) -> dict[str, Any]:
    """getAllStockChanges: the newest session's, of the kinds asked, newest first."""
    kinds = {int(kind) for kind in query.get("type", "").split(",") if kind}
    named = {one.code: one for one in companies if one.market == "CN"}
    rows = [
        {"tm": at, "c": code, "m": named[code].venue, "n": named[code].name, "t": kind, "i": said}
        for at, code, kind, said in sorted(_CHANGES, reverse=True)
        if kind in kinds and code in named
    ]
    size, page = int(query.get("pagesize", "64")), int(query.get("pageindex", "0"))
    shown = rows[page * size : (page + 1) * size]
    return {**_HEAD, "data": {"tc": len(rows), "allstock": shown} if shown else None}


def pool(companies: Sequence[Listed], name: str, query: Mapping[str, str]) -> dict[str, Any]:
    """getTopic…Pool: of the last twenty sessions only; prices ×1000."""
    days = sessions("CN")[-20:]
    day = date.fromisoformat(query.get("date", "19700101"))
    named = {one.code: one for one in companies if one.market == "CN"}
    if day not in days or day != LAST_DAY or name not in _POOLS:
        return {**_HEAD, "data": None}
    rows = [
        _pooled(named[code], name, price or round(named[code].price * 1000), change)
        for code, price, change in _POOLS[name]
        if code in named
    ]
    return {**_HEAD, "data": {"tc": len(rows), "qdate": int(f"{day:%Y%m%d}"), "pool": rows}}


def _pooled(one: Listed, name: str, price: int, change: float) -> dict[str, Any]:
    row: dict[str, Any] = {
        "c": one.code,
        "m": one.venue,
        "n": one.name,
        "p": price,
        "zdp": change,
        "amount": 1230000000,
        "ltsz": one.cap,
        "tshare": one.cap,
        "hs": 0.53,
        "hybk": one.industry,
    }
    more = {
        "getTopicZTPool": {
            "lbc": 1,
            "fbt": 93515,
            "lbt": 145010,
            "fund": 88000000,
            "zbc": 2,
            "zttj": {"days": 1, "ct": 1},
        },
        "getTopicDTPool": {"pe": 8.0, "fund": 5000000, "lbt": 100000, "fba": 0, "days": 1, "oc": 0},
        "getTopicZBPool": {"ztp": price + 900, "zs": 0.1, "fbt": 102030, "zbc": 3, "zf": 12.1},
    }
    return row | more[name]


def notices(companies: Sequence[Listed], query: Mapping[str, str]) -> dict[str, Any]:
    """security/ann: newest first; `notice_date` of an evening's notice is the next day."""
    codes = query.get("stock_list", "").split(",")
    rows = [row for one in companies if one.code in codes for row in _notices(one)]
    start, end = query.get("begin_time", ""), query.get("end_time", "9999")
    rows = [row for row in rows if start <= row["notice_date"][:10] <= end]
    size = int(query.get("page_size", "50"))
    begin = (int(query.get("page_index", "1")) - 1) * size
    page = rows[begin : begin + size]
    inside = {
        "list": page,
        "page_index": int(query.get("page_index", "1")),
        "page_size": size,
        "total_hits": len(rows),
    }
    return {"success": 1, "error": "", "data": inside}


def _notices(one: Listed) -> list[dict[str, Any]]:
    told = (
        ("2026-11-20 18:03:12:000", "2026-11-21", "关于回购进展的公告", "回购进展情况"),
        ("2026-11-19 19:10:00:123", "2026-11-20", "董事会决议公告", "董事会决议公告"),
        ("2026-10-28 17:30:00:000", "2026-10-29", "2026年第三季度报告", "三季度报告全文"),
        ("2026-08-27 17:30:00:000", "2026-08-28", "2026年半年度报告", "半年度报告全文"),
    )
    return [
        {
            "art_code": f"AN{at[:10].replace('-', '')}17{one.code}{number:02d}",
            "codes": [
                {
                    "ann_type": "A,SHA",
                    "inner_code": "1000",
                    "market_code": str(one.venue),
                    "short_name": one.name,
                    "stock_code": one.code,
                }
            ],
            "columns": [{"column_code": "001002007", "column_name": kind}],
            "display_time": at,
            "eiTime": at[:17] + "00:000",
            "language": "0",
            "notice_date": f"{day} 00:00:00",
            "sort_date": at[:19],
            "title": f"{one.name}:{title}",
            "title_ch": "",
            "title_en": "",
        }
        for number, (at, day, title, kind) in enumerate(told)
    ]


def news(companies: Sequence[Listed], query: Mapping[str, str]) -> dict[str, Any]:
    """search/jsonp: headlines that hold the keyword, which comes back between <em>."""
    asked = json.loads(query.get("param", "{}"))
    word = asked.get("keyword", "")
    by_code = {one.code: one for one in companies}
    name = by_code[word].name if word in by_code else word
    if word not in by_code and word not in {one.name for one in companies}:
        return {"code": 0, "hitsTotal": 0, "result": {"cmsArticleWebOld": []}}
    told = (
        (date(2026, 11, 20), "回购方案获通过"),
        (date(2026, 11, 19), "三季报现金流改善"),
        (date(2026, 11, 18), "机构调研纪要"),
        (date(2026, 10, 12), "参加行业会议"),
    )
    rows = [
        {
            "date": f"{day} 1{n}:05:00",
            "image": "",
            "code": f"{day:%Y%m%d}300000{n:03d}",
            "title": f"<em>{name}</em>：{title}",
            "content": f"{title}。<em>{name}</em>（{word}）&nbsp;相关报道……",
            "mediaName": "证券时报网",
            "url": f"http://finance.eastmoney.com/a/{day:%Y%m%d}300000{n:03d}.html",
        }
        for n, (day, title) in enumerate(told)
    ]
    return {"code": 0, "hitsTotal": len(rows), "result": {"cmsArticleWebOld": rows}}
