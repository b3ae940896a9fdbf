"""The app through AppTest: one store for all of these tests, since loading takes time."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
import streamlit as st
from lxml import html
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest, local_script_runner
from streamlit.util import calc_hash

from tests.prepared import prepared

# Each run of AppTest begins a server of its own, which reads the metadata of every installed
# package to find components: a third of the work of a run, and always the same.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)


def _wait_for(runner: local_script_runner.LocalScriptRunner, timeout: float = 3) -> None:
    """Sleep until the script has ended: AppTest itself looks for that a thousand times a second."""
    thread = runner._script_thread
    assert thread is not None
    thread.join(timeout)
    if not runner.script_stopped():
        runner.request_stop()
        runner.join()
        raise RuntimeError(f"AppTest script run timed out after {timeout}(s)")


local_script_runner.require_widgets_deltas = _wait_for
ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "": "pages/market/overview.py",
    "screen": "pages/market/screen.py",
    "company": "pages/company/company.py",
    "compare": "pages/compare/compare.py",
    "ask": "pages/ask/ask.py",
    "score": "pages/company/score.py",
    "reports": "pages/evidence/reports.py",
    "trace": "pages/evidence/trace.py",
    "sources": "pages/evidence/sources.py",
}


@dataclass
class Shown:
    """A page that was run, and its HTML as one tree."""

    app: AppTest

    @property
    def tree(self) -> html.HtmlElement:
        """Every st.html body of the page, styles left out."""
        bodies = [element.proto.body for element in self.app.get("html")]
        kept = [body for body in bodies if not body.startswith("<style>")]
        return html.fromstring(f"<main>{''.join(kept)}</main>")

    @property
    def text(self) -> str:
        """All visible text."""
        return self.tree.text_content()

    def figures(self, metric: str | None = None) -> list[html.HtmlElement]:
        """The cited figures, of one metric when given."""
        found = self.tree.xpath("//data[@data-claim-id]")
        return [one for one in found if metric is None or one.get("data-metric") == metric]


def app_at(path: str) -> AppTest:
    """The app as a browser opens it at the address of a page; not run yet."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    if path:
        # Streamlit knows a page by the hash of its address. `switch_page` needs a run before it,
        # which would draw the whole overview for every page that is tested.
        app._page_hash = calc_hash(path)
    return app


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The database of this run. What an earlier test of another store left open is not it."""
    st.cache_resource.clear()
    yield prepared(tmp_path_factory.mktemp("pages") / "youju.duckdb")
    st.cache_resource.clear()


@pytest.fixture
def show(store: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Shown]:
    """Run the app at an address such as `stock?symbol=600519.SH`."""
    monkeypatch.setenv("YOUJU_STORE", store)
    monkeypatch.chdir(ROOT)

    def shown(address: str = "") -> Shown:
        path, _, query = address.partition("?")
        app = app_at(path)
        for name, value in parse_qsl(query):
            app.query_params[name] = value
        app.run()
        assert not app.exception
        return Shown(app)

    return shown
