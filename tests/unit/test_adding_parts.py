"""What is added as docs/adding.md says works: a limit, tool, export, page, source, in a copy.

Each addition is the files it touches; their number is the one in docs/adding.md.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from services.settings import ROOT

TOOL = '''"""Tool `spell_symbol`: how a listing is written."""

from services.tools.arguments import MarketName, StockCode, company
from services.tools.base import ToolContext, ToolOutput, tool


@tool("spell_symbol")
def spell_symbol(context: ToolContext, *, symbol: StockCode, market: MarketName) -> ToolOutput:
    """代码写法：某只股票的代码怎么写。"""
    return ToolOutput({"symbol": company(context.bench.names, symbol, market).value}, None)
'''
EXPORT = '''"""The titles of a view's tables, a line each."""

from datetime import datetime

from services.core.text import Language
from services.views.table import View


def view_titles(view: View, language: Language, _: datetime) -> bytes:
    """As the reader sees them."""
    return "\\n".join(one.title.in_language(language) for one in view.tables()).encode()
'''
PAGE = '''"""Screen for what every figure is called."""

import streamlit as st

from pages.ui import errors
from pages.ui.i18n import t
from services.core.catalogue import CATALOGUE

with errors.frame("glossary"):
    st.header(t("page_glossary"))
    st.write(CATALOGUE["pe_ttm"].zh)
'''
PROVIDER = '''"""A shelf of one page: what a search finds there."""

from services.core.errors import NotCoveredError
from services.core.requests import FetchRequest, WebSearchRequest
from services.providers.base import Fetched
from services.providers.found_texts import part_of, web_hit
from services.providers.http import Body
from services.providers.provider_context import Kit


class ShelfProvider:
    """Answers searches of the web."""

    name = "shelf"
    capabilities = frozenset({"web_search"})

    def __init__(self, kit: Kit) -> None:
        self._kit = kit

    def covers(self, request: FetchRequest) -> bool:
        """Any search of the web."""
        return isinstance(request, WebSearchRequest)

    def fetch(self, request: FetchRequest) -> tuple[Fetched, ...]:
        """The one page."""
        if not isinstance(request, WebSearchRequest):
            raise NotCoveredError(self.name, request.capability, "does not answer this")
        now = self._kit.clock.now()
        body = Body(self.name, "pages", 200, "text/plain", b"shelf", {}, {}, now)
        hit = web_hit("https://shelf.example/1", "shelf: " + request.query, "text", None)
        return (part_of(self.name, body, [hit] if hit else []),)
'''
LIMIT = """
["abnormal.added"]
zh = "单日成交额达到 7 倍"
en = "Turnover at 7 times"
["abnormal.added".values]
added_limit = [7, "multiple"]
"""
# Of each addition the files it touches: a new one whole, or what stands in an old one and becomes.
ADDED: Mapping[str, Mapping[str, str | tuple[str, str]]] = {
    "limit": {"data/catalogue/limits.toml": ('["macro.pmi"]\n', LIMIT + '["macro.pmi"]\n')},
    "tool": {
        "services/tools/spell_symbol.py": TOOL,
        "services/tools/registry.py": (
            "        KNOWLEDGE,\n",
            '        KNOWLEDGE,\n        __import__("services.tools.spell_symbol", '
            'fromlist=["spell_symbol"]).spell_symbol,\n',
        ),
    },
    "export": {
        "services/exports/titles.py": EXPORT,
        "services/exports/formats.py": (
            "FORMATS: Sequence[Format] = (\n",
            "from services.exports.titles import view_titles\n\nFORMATS: Sequence[Format] = (\n"
            '    Format("txt", "TXT", Text("表名", "Titles"), "text/plain", "txt", view_titles),\n',
        ),
    },
    "page": {
        "pages/market/glossary.py": PAGE,
        "app.py": (
            "PAGES = (\n",
            'PAGES = (\n    ("pages/market/glossary.py", "glossary", "book", '
            '"page_glossary", True),\n',
        ),
        "pages/ui/texts.py": (
            '    "page_overview":',
            '    "page_glossary": Text("词表", "Glossary"),\n    "page_overview":',
        ),
    },
    "provider": {
        "services/providers/shelf.py": PROVIDER,
        "services/providers/registry.py": (
            '    "rss": _of(', '    "shelf": _of("shelf", "ShelfProvider"),\n    "rss": _of('
        ),
        "services/settings.py": ('"web_search": (', '"web_search": ("shelf", '),
        "services/market/source_names.py": (
            '    "rss": ', '    "shelf": Text("书架", "Shelf"),\n    "rss": '
        ),
    },
}  # fmt: skip
ASKS = """
import json
from datetime import UTC, datetime
from streamlit.testing.v1 import AppTest
from services.container import build_services
from services.core.limits import COMPETENCES, VALUE_UNITS
from services.exports.formats import FORMATS
from services.settings import load_settings
from services.workbench.desk import Desk

youju = build_services(load_settings({"YOUJU_STORE": ":memory:"}))
spelled = youju.toolbox.call(
    "spell_symbol", {"symbol": "600519", "market": "CN"}, session_id="s").to_json()
live = build_services(load_settings({"YOUJU_STORE": ":memory:", "YOUJU_MODE": "live"}))
found = live.toolbox.call("search_web", {"query": "茅台"}, session_id="s").to_json()
view = Desk(youju).overview("s")
written = FORMATS[0].write(view, "en", datetime(2026, 1, 1, tzinfo=UTC)).decode()
app = AppTest.from_file("app.py", default_timeout=300)
app.run().switch_page("pages/market/glossary.py").run()
print(json.dumps({
    "limit": [COMPETENCES["abnormal.added"].values, VALUE_UNITS["added_limit"],
              COMPETENCES["abnormal.added"].statement.en],
    "tool": spelled["result"], "provider": found["result"],
    "export": [FORMATS[0].label.zh, written, [one.title.en for one in view.tables()]],
    "page": [[one.value for one in app.header], [one.value for one in app.markdown]],
}, ensure_ascii=False, default=str))
live.close()
youju.close()
"""


@cache
def told() -> Any:
    """What a copy of the tree says once all are added: one subprocess for all tests here."""
    with TemporaryDirectory(prefix="youju-adding-") as made:
        copy = Path(made)
        leave = shutil.ignore_patterns("__pycache__", "*.duckdb*", "frozen", "snapshot")
        for name in ("services", "pages", "data"):
            shutil.copytree(ROOT / name, copy / name, ignore=leave)
        shutil.copy(ROOT / "app.py", copy / "app.py")
        (copy / "data" / "snapshot").symlink_to(ROOT / "data" / "snapshot")
        for files in ADDED.values():
            for name, change in files.items():
                _write(copy / name, change)
        ended = subprocess.run(
            [sys.executable, "-c", ASKS], cwd=copy, capture_output=True, text=True, check=False
        )
        assert ended.returncode == 0, ended.stderr
        return json.loads(ended.stdout.splitlines()[-1])


def _write(file: Path, change: str | tuple[str, str]) -> None:
    if isinstance(change, str):
        assert not file.exists()
        file.write_text(change, encoding="utf-8")
        return
    text = file.read_text(encoding="utf-8")
    assert text.count(change[0]) == 1, file
    file.write_text(text.replace(*change), encoding="utf-8")


@pytest.mark.parametrize(("what", "files"), [*ADDED.items(), ("figure", [0]), ("filter", [0])])
def test_the_number_of_files_is_the_one_that_is_told(what: str, files: Any) -> None:
    text = (ROOT / "docs" / "adding.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| {what} \| (\d+) \|", text, re.MULTILINE)
    assert row is not None
    assert int(row[1]) == len(files)


def test_a_limit_of_one_table_is_registered_with_its_unit() -> None:
    assert told()["limit"] == [{"added_limit": 7.0}, "multiple", "Turnover at 7 times"]


def test_a_tool_of_one_file_and_a_line_is_called() -> None:
    assert told()["tool"] == {"symbol": "600519.SH"}


def test_an_export_of_one_file_and_a_line_writes_a_view() -> None:
    label, written, titles = told()["export"]
    assert label == "表名"
    assert titles
    assert written.splitlines() == titles


def test_a_page_of_one_file_a_line_and_a_title_is_drawn() -> None:
    headers, texts = told()["page"]
    assert headers == ["词表"]
    assert "市盈率(TTM)" in texts


def test_a_source_of_one_file_and_three_lines_answers_and_is_named() -> None:
    found = told()["provider"]
    assert found["source"] == "shelf"
    assert [one["title"] for one in found["results"]] == ["shelf: 茅台"]
