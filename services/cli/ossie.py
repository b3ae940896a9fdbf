"""The catalogue as an Apache Ossie document (core specification 0.2.0.dev0), for other tools.

What Ossie has no word for (unit, code, what an absent value means) stands in a custom extension.
"""

import json
from collections.abc import Mapping

from pydantic import JsonValue

from services.core.catalogue import CATALOGUE, FigureEntry
from services.core.formulas import FORMULAS

VERSION = "0.2.0.dev0"
_VENDOR = "YOUJU"
_KINDS = frozenset({"price", "valuation", "statement", "ratio", "size"})
_MARKS: Mapping[str, str] = {
    "symbol": "canonical symbol: 600519.SH, 00700.HK, AAPL",
    "name": "name as listed",
    "market": "CN, HK or US",
    "exchange": "SH, SZ, BJ or HK",
    "board": "main, chinext, star, bse, b_share, hk or us",
    "industry": "industry as its source names it",
    "st": "ST where a mainland company is under special treatment",
}
_POINT: Mapping[str, tuple[str, str]] = {
    "symbol": ("String", "the company"),
    "metric": ("String", "the figure, by its id"),
    "own": (
        "String",
        "when: empty the newest, y2016 an annual report, q20160930 a report, d20161230 a session",
    ),
    "value": ("Float", "in the unit of the figure"),
}


def ossie_document() -> dict[str, JsonValue]:
    """The relations of services/query/algebra and every figure of a company over them."""
    figures = [row for row in CATALOGUE.figures.values() if row.kind in _KINDS]
    return {
        "version": VERSION,
        "name": "youju",
        "description": "Figures of listed companies, each with its source.",
        "datasets": [
            {
                "name": "company",
                "source": "company",
                "primary_key": ["symbol"],
                "fields": [_field(name, "String", told) for name, told in _MARKS.items()],
            },
            {
                "name": "point",
                "source": "point",
                "primary_key": ["symbol", "metric", "own"],
                "fields": [_field(name, *more) for name, more in _POINT.items()],
            },
        ],
        "relationships": [
            {
                "name": "point_of_company",
                "from": "point",
                "to": "company",
                "from_columns": ["symbol"],
                "to_columns": ["symbol"],
            }
        ],
        "metrics": [_metric(row) for row in figures],
    }


def _field(name: str, datatype: str, told: str) -> dict[str, JsonValue]:
    return {
        "name": name,
        "expression": _expression(name),
        "datatype": datatype,
        "description": told,
    }


def _metric(row: FigureEntry) -> dict[str, JsonValue]:
    """Of several companies an additive figure is their sum; of any other the median."""
    only = f"CASE WHEN point.metric = '{row.id}' AND point.own = '' THEN point.value END"
    median = f"PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY {only})"
    more: dict[str, JsonValue] = {
        "unit": row.unit,
        "grain": row.grain,
        "code": row.code,
        "additive": row.additive,
        "flow": row.flow,
        "better": row.better,
        "missing": [f"{market}: {meaning}" for market, meaning in row.missing.items()],
        "formulas": [one.expression for one in FORMULAS if one.metric == row.id],
    }
    synonyms: list[JsonValue] = [*dict.fromkeys((row.zh, *row.says, *row.asks))]
    return {
        "name": row.id,
        "expression": _expression(f"SUM({only})" if row.additive else median),
        "datatype": "Float",
        "description": row.meaning_en or row.en,
        "ai_context": {"synonyms": synonyms},
        "custom_extensions": [
            {"vendor_name": _VENDOR, "data": json.dumps(more, ensure_ascii=False)}
        ],
    }


def _expression(sql: str) -> dict[str, JsonValue]:
    return {"dialects": [{"dialect": "ANSI_SQL", "expression": sql}]}
