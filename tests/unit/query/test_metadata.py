"""Names to codes: exactly, by alias, by nearness, and not at all."""

import csv

import pytest

from services.core.errors import InputError
from services.settings import ROOT
from tests.unit.query.bundled_query import metadata, youju

FOUNDERS = ROOT.parent / "shared" / "design" / "metric-codes.csv"


def test_every_row_of_the_contract_is_an_entry_as_written() -> None:
    for row in csv.DictReader(
        (ROOT / "data/metric-codes.csv").read_text(encoding="utf-8").splitlines()
    ):
        entry = metadata().by_code(row["code"])
        assert (entry.name, entry.unit, entry.screener_field, entry.meaning) == (
            row["name"],
            row["unit"],
            row["screener_field"],
            row["meaning"],
        )
        assert set(filter(None, row["aliases"].split("|"))) <= set(entry.aliases)


@pytest.mark.skipif(not FOUNDERS.exists(), reason="the founders' copy is not beside the project")
def test_the_contract_written_from_the_catalogue_holds_every_row_of_the_founders() -> None:
    with FOUNDERS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            entry = metadata().by_code(row["code"])
            for name in filter(None, (row["name"], *row["aliases"].split("|"))):
                assert metadata().exact(name) is entry, name
            assert (entry.unit, entry.meaning) == (row["unit"], row["meaning"])
            assert entry.screener_field == row["screener_field"]
            assert entry.financial_data_metric == row["financial_data_metric"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("营业收入", "company.finance.revenue"),
        ("营收", "company.finance.revenue"),
        ("Net Profit", "company.finance.net_profit"),
        ("ＲＯＥ", "company.finance.roe"),
        ("市盈率（TTM）", "company.valuation.pe_ttm"),
        ("总营业收入", "company.finance.revenue"),
        ("净资产收益", "company.finance.roe"),
        ("股价", "company.quote.price"),
    ],
)
def test_a_name_finds_its_code(text: str, code: str) -> None:
    assert metadata().resolve(text).code == code


@pytest.mark.parametrize(
    "text",
    ["扣非净利润", "流通市值", "利润总额", "研发费用", "销售费用", "自由现金流", "目标价", "商誉"],
)
def test_another_figure_is_never_taken_for_a_known_one(text: str) -> None:
    with pytest.raises(InputError) as caught:
        metadata().resolve(text)
    assert len(caught.value.choices) == 3


def test_the_table_biz_metadata_holds_every_code() -> None:
    with youju().database.cursor() as cursor:
        rows = cursor.execute("select code, name from biz_metadata").fetchall()
    assert dict(rows) == {entry.code: entry.name for entry in metadata().entries}
