"""Every text exists in both languages, is used, and no page writes Chinese of its own."""

import re
from pathlib import Path

import pytest

from pages.ui.company_texts import COMPANY_TEXTS
from pages.ui.drawer_texts import DRAWER
from pages.ui.home_texts import HOME_TEXTS
from pages.ui.texts import TEXTS, join_texts
from services.core.text import Text

ROOT = Path(__file__).resolve().parents[2]
SOURCES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]
CJK = re.compile(r"[\u4e00-\u9fff]")
# What must be spelled in Chinese in code: wire values of the seed, a unit name, the product's name.
WORDS = {"异动点", "异动区间", "涨", "跌", "有据", "中文"}


@pytest.mark.parametrize("table", [TEXTS, DRAWER], ids=["texts", "drawer"])
def test_every_text_has_both_languages(table: dict[str, Text]) -> None:
    for key, text in table.items():
        zh, en = text.zh, text.en
        assert zh.strip(), key
        assert en.strip(), key
        assert not CJK.search(en.replace("亿", "").replace("万", "")), key


def test_every_key_that_is_asked_for_exists() -> None:
    asked = {
        key
        for source in SOURCES
        for key in re.findall(r"""\bt\(\s*"([a-z_0-9A-Z]+)\"""", source.read_text("utf-8"))
    }
    assert asked
    assert asked <= TEXTS.keys(), asked - TEXTS.keys()


def test_every_text_is_asked_for_by_some_page() -> None:
    written = [source for source in SOURCES if not source.name.endswith("texts.py")]
    pages = "".join(source.read_text("utf-8") for source in written)
    composed = tuple(re.findall(r"""\bf["']([a-z]+_)\{""", pages))  # t(f"gap_{kind}")
    quoted = set(re.findall(r"""["']([a-z_0-9A-Z]+)["']""", pages))
    unused = {key for key in TEXTS if key not in quoted and not key.startswith(composed)}
    assert unused == set()


def test_every_text_of_the_drawer_that_the_runtime_asks_for_exists() -> None:
    script = "".join(one.read_text("utf-8") for one in (ROOT / "pages/ui").glob("*.js"))
    asked = set(re.findall(r"""\bt\("([a-z_]+)"\)""", script))
    assert asked
    assert asked <= DRAWER.keys(), asked - DRAWER.keys()


def test_page_scripts_have_no_chinese_but_in_their_docstring() -> None:
    router = (ROOT / "app.py").read_text("utf-8")
    pages = [one for one in sorted(ROOT.glob("pages/*/*.py")) if f"/{one.name}" in router]
    assert len(pages) >= 8
    for source in pages:
        if source.relative_to(ROOT).as_posix() not in router:
            continue  # a part of a page under the name of another
        code = re.sub(r'^""".*?"""', "", source.read_text("utf-8"), flags=re.DOTALL)
        assert not CJK.search(code), source


def test_each_table_keeps_its_words() -> None:
    for table in (COMPANY_TEXTS, HOME_TEXTS):
        assert {key: TEXTS[key] for key in table} == dict(table)


def test_a_key_of_two_tables_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="moves_day"):
        join_texts([{"moves_day": Text("单日", "Session")}, {"moves_day": Text("日期", "Date")}])
