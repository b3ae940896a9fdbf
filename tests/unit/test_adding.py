"""What is added by one entry is known everywhere: a figure and a screening field, in a copy.

Files touched to add a figure: one, `data/catalogue/figures.toml` (22 to 24 before the catalogue),
and the provider's file that has its column. To screen by a figure: the same one file, one line (15
before); its column in the two wide tables is made from that line. A field that is not given but
computed has its SQL expression in `services/store/screen_sql.py` and `copy_sql.py` besides.
"""

import json
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from services.core.catalogue import CATALOGUE
from services.settings import ROOT

FIGURE = """
[cash_cover]
zh = "现金覆盖倍数"
en = "Cash cover"
code = "company.finance.cash_cover"
meaning = "货币资金 / 短期借款"
kind = "ratio"
grain = "period"
unit = "multiple"
says = ["货币资金覆盖倍数"]
asked = { short = "cover", action = "api_get_financial" }
"""
FIELD = 'screen = { place = 20, field = "ps", sample_zh = "3倍", sample_en = "3" }\n'
ASKS = r"""
import contextlib, io, json, sys
sys.path.insert(0, "docs")
from tables import metrics
from pages.market.filters import FIELDS, ORDERS
from services.cli.commands import main
from services.container import build_services
from services.core.catalogue import CATALOGUE
from services.grounding.figure_senses import SENSES
from services.language.plain_text import spelled
from services.market.ranges import parse_range
from services.query.planning.plir import plan_wire
from services.query.reading.conditions import to_range
from services.settings import load_settings
from services.tools.registry import TOOLS
from services.core.catalogue import metric_words

with contextlib.redirect_stdout(io.StringIO()) as printed:
    main(["screen", "--help"])
youju = build_services(load_settings({"YOUJU_STORE": ":memory:"}))
names = ("现金覆盖倍数", "货币资金覆盖倍数")
def plan(text):
    said = youju.query.plan(text)
    return plan_wire(said.session_id, said.turn)
given = {"usage": "stock-screener", "pettm": "0_max", "netprofit": "0_max", "ps": "0_0.5"}
found = youju.toolbox.call(
    "knowledge", {**given, "order_by": "ps", "order": "asc", "size": 500}, session_id="s"
).to_json()
print(json.dumps({
    "labels": [metric_words("cash_cover").zh, metric_words("cash_cover").en],
    "gate": {name: sorted(SENSES[spelled(name)].metrics) for name in (*names, "cash cover")},
    "asked": [plan(f"贵州茅台的{name}") for name in names],
    "table": metrics(),
    "filters": FIELDS, "orders": ORDERS, "options": printed.getvalue(),
    "bound": parse_range("ps", "0_3").model_dump(), "said": to_range("ps", ["低于3倍"]),
    "screened": plan("市销率低于3倍的股票有哪些"),
    "found": found["result"], "schema": TOOLS["knowledge"].schema,
}, ensure_ascii=False))
youju.close()
"""


@cache
def told() -> Any:
    """What a copy of the tree says once both are added: one subprocess for all tests here."""
    with TemporaryDirectory(prefix="youju-adding-") as made:
        copy = Path(made)
        leave = shutil.ignore_patterns("__pycache__", "*.duckdb*", "frozen", "snapshot")
        for name in ("services", "pages", "data", "docs", "tests/fakes"):
            shutil.copytree(ROOT / name, copy / name, ignore=leave)
        (copy / "data" / "snapshot").symlink_to(ROOT / "data" / "snapshot")
        file = copy / "data" / "catalogue" / "figures.toml"
        text = file.read_text(encoding="utf-8")
        head = "[ps_ttm]\n"
        assert text.count(head) == 1
        file.write_text(FIGURE + text.replace(head, head + FIELD), encoding="utf-8")
        ended = subprocess.run(
            [sys.executable, "-c", ASKS], cwd=copy, capture_output=True, text=True, check=False
        )
        assert ended.returncode == 0, ended.stderr
        return json.loads(ended.stdout.splitlines()[-1])


def test_a_figure_of_one_entry_has_its_labels_its_names_and_its_row() -> None:
    assert "cash_cover" not in CATALOGUE
    assert told()["labels"] == ["现金覆盖倍数", "Cash cover"]
    assert all(metrics == ["cash_cover"] for metrics in told()["gate"].values())
    row = "| `cash_cover` | 现金覆盖倍数 | Cash cover | ratio | company.finance.cash_cover |"
    assert row in told()["table"].splitlines()


def test_a_figure_of_one_entry_can_be_asked_for_by_each_of_its_names() -> None:
    for plan in told()["asked"]:
        assert "company.finance.cash_cover" in json.dumps(plan)


def test_a_field_of_one_line_is_on_the_page_the_command_line_and_in_questions() -> None:
    assert "ps" in told()["filters"]
    assert "ps" in told()["orders"]
    assert "--ps RANGE" in told()["options"]
    assert told()["bound"] == {"field": "ps", "above": None, "at_least": 0.0, "below": 3.0}
    assert told()["said"] == "0_3"
    assert '"value": "0_3"' in json.dumps(told()["screened"])


def test_a_field_of_one_line_bounds_orders_and_counts_what_the_source_gave() -> None:
    folder = ROOT / "data" / "snapshot"
    companies = pl.read_parquet(folder / "companies.parquet")
    stocks = companies.filter((pl.col("market") == "CN") & (pl.col("kind") == "stock"))
    given = pl.read_parquet(folder / "facts.parquet").filter(
        (pl.col("metric") == "ps_ttm") & pl.col("symbol").is_in(stocks["symbol"].implode())
    )
    low = given.filter((pl.col("value") >= 0) & (pl.col("value") < 0.5)).sort("value")
    found = told()["found"]
    assert [row["ps"] for row in found["list"]] == low["value"].to_list()
    assert found["count"] == low.height
    assert found["judged"]["ps"] <= given.height


def test_the_published_schema_does_not_change_with_the_catalogue() -> None:
    pins = ROOT / "tests" / "contract" / "tool_schemas" / "knowledge.json"
    assert told()["schema"] == json.loads(pins.read_text(encoding="utf-8"))
