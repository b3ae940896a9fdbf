"""The same twelve ways to be wrong as sentences, and twelve right sentences that pass.

Through the real `check` command with `text`: the claims beside it are right, the words are not.
Figures are read from the source files by hand, as in test_twelve_wrong_claims.py.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from services.cli.commands import main
from tests.contract.test_twelve_wrong_claims import Document, outputs

NAMES = {
    "600519.SH": ["贵州茅台", "茅台"],
    "000858.SZ": ["五粮液"],
    "002594.SZ": ["比亚迪"],
}
# Which answer's claims stand beside the text; what is wrong; the text.
WRONG: dict[str, tuple[str, str]] = {
    "a fabricated value": ("history", "比亚迪2017年7月20日收盘价为1500元。"),
    "a drift of 0.4 %": ("history", "比亚迪2017年7月20日收盘价为50.28元。"),
    "another field's value": ("screen", "贵州茅台的市盈率(LYR)为7.16倍。"),
    "another day's value": ("history", "比亚迪2017年7月20日收盘价为49.59元。"),
    "another metric": ("screen", "贵州茅台的每股收益为33.84元。"),
    "revenue and profit swapped": ("finance", "比亚迪2016年营业收入为50.52亿元。"),
    "亿 for 万": ("finance", "比亚迪2016年营业收入为1034.70万元。"),
    "another year": ("finance", "比亚迪2015年营业收入为1034.70亿元。"),
    "another company": ("finance", "贵州茅台2016年净利润为50.52亿元。"),
    "another company of the same answer": ("screen", "五粮液总市值5656.91亿元。"),
    "the sign": ("finance", "比亚迪2016年亏损50.52亿元。"),
    "a close called current price": ("history", "比亚迪当前价50.08元。"),
    "another unit": ("finance", "比亚迪2016年净利润50.52亿美元。"),
    "an invented figure beside a right one": (
        "finance",
        "比亚迪2016年净利润50.52亿元，毛利率20.36%。",
    ),
}
RIGHT: list[tuple[str, str]] = [
    ("screen", "贵州茅台总市值5,656.91亿元。"),
    ("screen", "贵州茅台的市盈率(LYR)为33.84倍。"),
    ("screen", "茅台的市盈率(TTM)约31.5倍。"),
    ("screen", "贵州茅台总股本12.56亿股。"),
    ("screen", "贵州茅台2016年净利润约167.17亿元。"),
    ("finance", "比亚迪2016年营业收入为1034.70亿元。"),
    ("finance", "比亚迪2015年营业收入为800.09亿元。"),
    ("finance", "2016年，比亚迪净利润50.52亿元。"),
    ("finance", "比亚迪2016年每股收益1.88元。"),
    ("history", "比亚迪2017年7月20日最近收盘50.08元。"),
    ("history", "比亚迪2017年7月19日收盘49.59元。"),
    ("history", "比亚迪2017年7月19日成交量327.08万股。"),
]
pytestmark = pytest.mark.usefixtures("bundled_store")
__all__ = ["outputs"]


def answered(
    document: Document, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> tuple[int, dict[str, Any]]:
    file = tmp_path / "answer.json"
    given = {"claims": document["claims"], "trace": document["trace"], "text": text}
    file.write_text(json.dumps({**given, "entities": NAMES}), encoding="utf-8")
    capsys.readouterr()
    code = main(["check", str(file)])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_sentence_is_refused_and_the_place_named(
    name: str,
    outputs: dict[str, Document],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source, text = WRONG[name]
    code, answer = answered(outputs[source], text, tmp_path, capsys)
    assert code == 4
    assert not answer["ok"]
    assert all(text[slice(*one["span"])] == one["text"] for one in answer["failures"])


@pytest.mark.parametrize(("source", "text"), RIGHT)
def test_a_right_sentence_passes(
    source: str,
    text: str,
    outputs: dict[str, Document],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, answer = answered(outputs[source], text, tmp_path, capsys)
    assert (code, answer["failures"]) == (0, [])
