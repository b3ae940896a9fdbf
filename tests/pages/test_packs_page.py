"""溯源: the place to drop an evidence pack, and what it says of one."""

from collections.abc import Callable

import pytest

from services.evidence_pack.parts import PAPER
from services.evidence_pack.verify import verify_pack
from tests.contract.packs import edit_document, forged, parts_of
from tests.pages.conftest import Shown
from tests.unit.reports.pack_samples import PE, pack

Show = Callable[[str], Shown]
ZIP = "application/zip"


def _dropped(show: Show, path: str, *files: tuple[str, bytes, str]) -> Shown:
    app = show(path).app
    app.file_uploader[0].set_value(list(files)).run()
    assert not app.exception
    return Shown(app)


@pytest.mark.parametrize(
    ("path", "holds"), [("trace", "全部成立"), ("trace?lang=en", "Everything")]
)
def test_a_pack_that_holds_says_so_with_its_fingerprint(show: Show, path: str, holds: str) -> None:
    shown = _dropped(show, path, ("p.youju.zip", pack(), ZIP))
    (drawn,) = shown.tree.xpath("//section[contains(@class, 'yj-pack')]")
    assert holds in drawn.text_content()
    assert verify_pack(pack()).fingerprint in drawn.text_content()
    assert "600519.SH" in drawn.text_content()
    # Nothing of an uploaded pack is shown as a figure of ours.
    assert drawn.xpath(".//data") == []
    assert PE.claim_id not in {one.get("data-claim-id") for one in shown.figures()}


def test_what_does_not_hold_is_named_and_escaped(show: Show) -> None:
    def titled(paper: dict[str, object]) -> None:
        paper["title"] = "<script>alert(1)</script>"

    data = forged(pack(), {PAPER: edit_document(parts_of(pack())[PAPER], titled)})
    table = ("figures.csv", parts_of(pack())["tables/figures.csv"].replace(b"33.84", b"3.84"), "")
    shown = _dropped(show, "trace", ("p.youju.zip", data, ZIP), table)
    (drawn,) = shown.tree.xpath("//section[contains(@class, 'yj-pack')]")
    assert "不成立" in drawn.text_content()
    assert "manifest.json title" in drawn.text_content()
    assert "figures.csv row 1 (600519.SH) column pe_lyr" in drawn.text_content()
    assert "<script>" in drawn.text_content()
    assert drawn.xpath(".//script") == []


def test_a_file_that_is_no_pack_is_said_to_be_none(show: Show) -> None:
    shown = _dropped(show, "trace", ("notes.zip", b"PK\x03\x04 nothing", ZIP))
    assert "这里面没有证据包" in shown.text
