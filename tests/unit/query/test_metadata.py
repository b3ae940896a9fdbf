"""Names to codes: exactly, by alias, by nearness, and not at all."""

import csv
from pathlib import Path

import pytest

from services.core.errors import InputError, StoreError
from services.query.metadata import CODES, read_metadata
from tests.unit.query.bundled_query import metadata, youju


def test_every_row_of_the_contract_is_an_entry_as_written() -> None:
    for row in csv.DictReader(CODES.read_text(encoding="utf-8").splitlines()):
        entry = metadata().by_code(row["code"])
        assert (entry.name, entry.unit, entry.screener_field, entry.meaning) == (
            row["name"],
            row["unit"],
            row["screener_field"],
            row["meaning"],
        )
        assert set(filter(None, row["aliases"].split("|"))) <= set(entry.aliases)


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


def test_a_file_that_is_no_table_is_a_store_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        read_metadata(tmp_path / "none.csv")


def test_the_table_biz_metadata_holds_every_code() -> None:
    with youju().database.cursor() as cursor:
        rows = cursor.execute("select code, name from biz_metadata").fetchall()
    assert dict(rows) == {entry.code: entry.name for entry in metadata().entries}
