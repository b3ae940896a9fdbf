"""What a session keeps of a page goes when its browser hangs up, and is made anew if it is back."""

from collections.abc import Callable

from streamlit.runtime.caching import clear_session_resource_cache

from tests.pages.conftest import Shown

# The one session AppTest has.
SESSION = "test session id"


def test_views_go_when_the_browser_does_and_come_back_with_it(show: Callable[[str], Shown]) -> None:
    clear_session_resource_cache(SESSION)  # of the tests before, whose session has the same name
    shown = show("screen?pettm=0_20")
    mine = shown.app.session_state["youju"]
    figures = [one.get("value") for one in shown.figures()]
    assert figures
    assert mine.views
    clear_session_resource_cache(SESSION)  # as Streamlit does when a connection is lost
    assert not mine.views
    assert mine.ground is None
    shown.app.run()
    assert [one.get("value") for one in shown.figures()] == figures
    clear_session_resource_cache(SESSION)
    assert not mine.views
