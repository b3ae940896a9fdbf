"""核验: the place to drop an evidence pack, and what it says of one."""

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

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
    ("path", "holds"), [("verify", "全部成立"), ("verify?lang=en", "Everything")]
)
def test_a_pack_that_holds_says_so_with_its_fingerprint(show: Show, path: str, holds: str) -> None:
    shown = _dropped(show, path, ("p.youju.zip", pack(), ZIP))
    (drawn,) = shown.tree.xpath("//section[contains(@class, 'yj-pack')]")
    assert holds in drawn.text_content()
    assert drawn.xpath(".//@data-print") == [verify_pack(pack()).fingerprint]
    assert "600519.SH" in shown.text
    # Nothing of an uploaded pack is shown as a figure of ours.
    assert shown.tree.xpath("//data") == []
    assert PE.claim_id not in {one.get("data-claim-id") for one in shown.figures()}


def test_what_does_not_hold_is_named_and_escaped(show: Show) -> None:
    def titled(paper: dict[str, object]) -> None:
        paper["title"] = "<script>alert(1)</script>"

    data = forged(pack(), {PAPER: edit_document(parts_of(pack())[PAPER], titled)})
    table = ("figures.csv", parts_of(pack())["tables/figures.csv"].replace(b"33.84", b"3.84"), "")
    shown = _dropped(show, "verify", ("p.youju.zip", data, ZIP), table)
    assert "对不上" in shown.text
    assert "证据包的清单 · 标题" in shown.text
    assert "第 2 行" in shown.text
    assert "600519.SH · 市盈率(LYR)" in shown.text
    for developers in ("manifest.json", " row ", " column ", "pe_lyr", "block"):
        assert developers not in shown.text
    assert "<script>" in shown.text
    assert shown.tree.xpath("//script") == []


def _stopped() -> None:
    """A page with the verdict of a check that was given no time."""
    from pages.evidence import packs
    from services.evidence_pack.compare_exports import Beside
    from services.evidence_pack.verify_in_child import Limits, verify_apart
    from tests.unit.reports.pack_samples import pack

    given = Beside("p.youju.zip", pack())
    packs.show(verify_apart(given.content, limits=Limits(wait=0)), given, ())


def test_a_check_that_was_stopped_says_so_and_counts_no_mismatch() -> None:
    shown = Shown(AppTest.from_function(_stopped).run(timeout=60))
    assert "没有核验完" in shown.text
    assert "不等于对不上" in shown.text
    assert shown.tree.xpath("//div[contains(@class, 'yj-verdict')]/b/text()") == ["—"]
    assert set(shown.tree.xpath("//ol[@class='yj-asked']/li/@class")) == {"yj-step-none"}
    assert [one.label for one in shown.app.button] == ["再核验一次"]


def test_a_file_that_is_no_pack_is_said_to_be_none(show: Show) -> None:
    shown = _dropped(show, "verify", ("notes.zip", b"PK\x03\x04 nothing", ZIP))
    assert "这里面没有证据包" in shown.text


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_demo_file_has_one_changed_figure_and_its_line_is_shown(
    show: Show, language: str
) -> None:
    shown = show(f"verify?try=changed&lang={language}")
    (wrong,) = shown.tree.xpath("//li[@class='yj-wrong-line']//mark/text()")
    (right,) = shown.tree.xpath("//li[@class='yj-right-line']//mark/text()")
    assert wrong != right
    assert wrong[1:] == right[1:]
    assert shown.tree.xpath("//div[contains(@class, 'yj-verdict')]/b/text()") == ["1"]
    steps = shown.tree.xpath("//ol[@class='yj-asked']/li/@class")
    assert steps == ["yj-step-good"] * 4 + ["yj-step-bad"]


def test_a_pack_alone_leaves_the_step_of_files_unasked(show: Show) -> None:
    shown = show("verify?try=whole")
    assert shown.tree.xpath("//div[contains(@class, 'yj-verdict')]/b/text()") == ["0"]
    steps = shown.tree.xpath("//ol[@class='yj-asked']/li/@class")
    assert steps == ["yj-step-good"] * 4 + ["yj-step-none"]


def _pasted(shown: Shown, text: str) -> Shown:
    shown.app.text_area(key="w_text").set_value(text)
    (button,) = [one for one in shown.app.button if one.label in {"逐个核对", "Check each figure"}]
    button.click().run()
    assert not shown.app.exception
    return Shown(shown.app)


@pytest.mark.parametrize(
    ("language", "text", "differs"),
    [
        ("zh", "招商银行2016年净利润620.81亿元，营业收入2,190.25亿元。", "不一致"),
        (
            "en",
            "China Merchants Bank's net profit in 2016 was 62.08 billion yuan; revenue 219.03bn.",
            "differs",
        ),
    ],
)
def test_a_pasted_text_is_told_figure_by_figure_with_the_badge_of_what_is_held(
    show: Show, language: str, text: str, differs: str
) -> None:
    shown = _pasted(show(f"verify?lang={language}"), text)
    marks = shown.tree.xpath("//p[contains(@class,'yj-pasted')]//mark/@class")
    assert marks == ["yj-agrees", "yj-differs"]
    held = {one.get("data-metric"): float(one.get("value")) for one in shown.figures()}
    assert held == {"net_profit": 62_081_000_000, "revenue": 209_025_000_000}
    (row,) = shown.tree.xpath(f"//table[@id='t-text']//tr[td[normalize-space()='{differs}']]")
    assert "2,090.25" in row.text_content() or "209.03" in row.text_content()
    assert next(one.text_content() for one in row.xpath("./*")) in text


def test_a_text_pasted_for_a_company_is_about_it_where_it_names_none(show: Show) -> None:
    shown = _pasted(show("verify?about=600036.SH"), "基本每股收益2.46元/股，不良贷款率1.87%")
    assert "按 招商银行 核对" in shown.text
    marks = shown.tree.xpath("//p[contains(@class,'yj-pasted')]//mark/@class")
    assert marks == ["yj-agrees", "yj-undecided"]
    assert "没有“不良贷款率”这项数据" in shown.text


def test_nothing_pasted_is_answered_with_what_is_asked_for(show: Show) -> None:
    shown = _pasted(show("verify"), "  ")
    assert "要核对的文字" in shown.text


def test_a_text_beside_a_pack_is_weighed_and_none_of_it_is_a_figure_of_ours(show: Show) -> None:
    shown = _dropped(
        show, "verify", ("p.youju.zip", pack(), ZIP),
        ("own.txt", "贵州茅台市盈率(LYR)33.84倍，员工3万人。".encode(), "text/plain"),
    )  # fmt: skip
    marks = shown.tree.xpath("//p[contains(@class,'yj-pasted')]//mark/@class")
    assert marks == ["yj-agrees", "yj-undecided"]
    assert "1 个数字无法判断" in shown.text
    assert shown.tree.xpath("//data") == []


def test_the_news_of_a_company_lead_to_where_a_notice_is_checked(show: Show) -> None:
    links = show("company?symbol=600036.SH&tab=news").tree.xpath("//a[contains(., '逐个数字核对')]")
    assert [one.get("href") for one in links] == ["verify?about=600036.SH"]
