"""`screen` on the command line bounds and orders by every field the page does."""

import json
from typing import Any

import polars as pl
import pytest

from services.cli.commands import main
from services.core.catalogue import CATALOGUE
from services.settings import ROOT
from services.tools.registry import TOOLS

pytestmark = pytest.mark.usefixtures("bundled_store")


def run(capsys: pytest.CaptureFixture[str], *argv: str) -> Any:
    """What a command that must succeed prints."""
    code = main(argv)
    said = capsys.readouterr()
    assert code == 0, said.err
    return json.loads(said.out)


def _caps_of(industry: str) -> list[float]:
    """Market caps of the A shares of an industry, from the bundled tables themselves."""
    folder = ROOT / "data" / "snapshot"
    companies = pl.read_parquet(folder / "companies.parquet").filter(
        (pl.col("market") == "CN") & (pl.col("industry") == industry)
    )
    facts = pl.read_parquet(folder / "facts.parquet").filter(
        (pl.col("metric") == "market_cap") & pl.col("symbol").is_in(companies["symbol"].implode())
    )
    newest = facts.sort("as_of").group_by("symbol").last()
    return sorted(newest["value"].to_list())


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_banks_above_a_size_are_listed_by_size_in_either_order(
    order: str, capsys: pytest.CaptureFixture[str]
) -> None:
    bounds = ("--market_cap", "500亿_max", "--industry", "银行")
    answer = run(capsys, "screen", *bounds, "--order_by", "market_cap", "--order", order)
    large = [cap for cap in _caps_of("银行") if cap > 500e8]
    listed = [row["market_cap"] for row in answer["result"]["list"]]
    assert listed == sorted(large, reverse=order == "desc")[:10]
    assert answer["result"]["count"] == len(large)
    assert set(answer) >= {"tool", "arguments", "result", "claims", "trace"}
    assert answer["arguments"]["industry"] == "银行"
    assert {claim["value"] for claim in answer["claims"]} >= set(listed)


def test_a_change_bounds_and_an_offset_goes_on_where_a_page_ended(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = ("screen", "--pct", "0.5_max", "--order_by", "pct")
    whole = run(capsys, *asked, "--size", "4")["result"]["list"]
    rest = run(capsys, *asked, "--size", "2", "--offset", "2")["result"]["list"]
    assert [row["symbol"] for row in rest] == [row["symbol"] for row in whole[2:4]]
    assert all(row["pct"] > 0.5 for row in whole)


def test_every_field_is_an_option_and_the_published_schema_keeps_to_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["screen", "--help"]) == 0
    told = capsys.readouterr().out
    assert all(f"--{field} " in told for field in CATALOGUE.screen_fields)
    published = TOOLS["knowledge"].schema["parameters"]["properties"]
    assert not {"market_cap", "pct", "industry", "offset"} & set(published)


@pytest.mark.parametrize(
    ("argv", "name", "valid"),
    [
        (["--market_cap", "500亿"], "market_cap", "500亿_max for more"),
        (["--offset", "-1"], "offset", "a whole number from 0"),
        (["--industry", " "], "industry", "the name of an industry"),
        (["--order_by", "close"], "order_by", "tl | market_cap"),
    ],
)
def test_a_wrong_option_is_refused(
    argv: list[str], name: str, valid: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["screen", *argv]) == 2
    line = capsys.readouterr().err
    assert name in line
    assert valid in line
    assert line.count("\n") == 1
