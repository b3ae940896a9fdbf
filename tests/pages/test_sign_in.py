"""A secrets file that is wrong opens nothing."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit import config

from pages.ui import identity
from tests.pages.conftest import Shown

Show = Callable[[str], Shown]
_OPTION = "secrets.files"


@pytest.fixture
def write(tmp_path: Path) -> Iterator[Callable[[str], None]]:
    before = config.get_option(_OPTION)

    def written(text: str) -> None:
        path = tmp_path / "secrets.toml"
        path.write_text(text, "utf-8")
        config.set_option(_OPTION, [str(path)])

    yield written
    config.set_option(_OPTION, before)


def _figures(shown: Shown) -> int:
    return len(shown.tree.xpath("//main//data[not(ancestor::*[@class='yj-legend'])]"))


def test_without_auth_in_it_nobody_is_asked(show: Show, write: Callable[[str], None]) -> None:
    write("[other]\nkey = 'x'\n")
    assert _figures(show("")) > 20


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[auth\nclient_id = 'my-secret'", "secrets.toml"),
        ("[auth]\nclient_id = 'my-secret'\n", "登录有据"),
    ],
    ids=["a slip in the file", "signing in is on"],
)
def test_a_page_is_not_shown(
    show: Show, write: Callable[[str], None], text: str, said: str
) -> None:
    write(text)
    shown = show("")
    assert said in shown.tree.text_content()
    assert _figures(shown) == 0
    assert "my-secret" not in shown.tree.text_content()


@pytest.mark.parametrize(
    ("hours_ago", "known"),
    [(0, True), (11.9, True), (12.1, False), (-0.05, True), (-6, False), (18, False)],
)
def test_a_sign_in_ends_after_its_hours_and_with_a_clock_that_was_put_back(
    hours_ago: float, known: bool
) -> None:
    began = 1_800_000_000
    assert identity.is_fresh(began, began + hours_ago * 3600, 12) is known
