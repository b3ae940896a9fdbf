"""Pages of a real browser, used again by one test after another.

A page in a new context starts two processes and compiles Streamlit anew: three processor seconds,
where one that was open at that address already takes one. Between two tests nothing but that
code is kept: no cookie, no storage, no permission, no session of the app.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from playwright.sync_api import Browser, BrowserContext, Page
from playwright.sync_api import Error as PlaywrightError

SIZES: Mapping[str, Any] = {
    "desktop": {"width": 1440, "height": 900},
    "phone": {"width": 390, "height": 844},
}
_HERE = Path(__file__).parent
# A page of the same server without the app: leaving for it keeps the process and its code.
_REST = "/_stcore/health"
_FORGET = "() => { localStorage.clear(); sessionStorage.clear(); }"
# How long nothing may change for a page to be still; what moves by itself is not waited for.
_QUIET_MS = 150
_PATIENCE_MS = 8_000
# A page takes some tens of megabytes.
_MOST_RESTING = 2
# Chromium keeps fifty entries of a page: one that has so many is not used again, so that what a
# test adds can be counted.
_MOST_ENTRIES = 30
# A click that asks the server does so within this; one that asks nothing is over.
_CLICKED_MS = 250


@dataclass
class Screen:
    """One page, and what it said or asked for while it was looked at."""

    page: Page
    address: str
    errors: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)

    def open(self, path: str) -> "Screen":
        """Go there and wait until the page is complete and quiet."""
        self.page.goto(self.address + path, wait_until="domcontentloaded")
        return self.settle()

    def settle(self) -> "Screen":
        """Wait for the end marker of a finished run, and until the page is still: then what is
        typed and clicked is not drawn anew under the hand.
        """
        self.page.wait_for_selector("#yj-end", state="attached", timeout=30_000)
        self.page.wait_for_selector(
            '[data-testid=stApp][data-test-script-state="notRunning"]', timeout=30_000
        )
        return self.still()

    def still(self, quiet_ms: int = _QUIET_MS) -> "Screen":
        """Wait until all that was asked is answered and nothing has changed for a while."""
        for _ in range(3):
            try:
                self.page.evaluate(f"yjStill({quiet_ms}, {_PATIENCE_MS})")
                break
            except (
                PlaywrightError
            ) as error:  # it went to another page, whose own rest is waited for
                if "context was destroyed" not in str(error):
                    raise
                self.page.wait_for_selector("#yj-end", state="attached", timeout=30_000)
        return self

    def crawl(self, registered: Sequence[object] = (None, None)) -> dict[str, Any]:
        """Sort every visible digit of the page (see crawl.js); with `registered` words for the
        metrics also what stands beside each figure.
        """
        script = (_HERE / "crawl.js").read_text("utf-8")
        return self.page.evaluate(script, list(registered))

    def unfold_drawer(self) -> str:
        """What the open drawer says, with its ids and fields unfolded."""
        drawer = self.page.locator(".yj-drawer:popover-open")
        drawer.locator(".yj-chain summary").click()
        return drawer.inner_text()

    def choose(self, selector: str) -> "Screen":
        """Click and wait for the run it starts."""
        self.page.locator(selector).first.click()
        return self.still(_CLICKED_MS).settle()


@dataclass
class _Tab:
    """A page in a context of its own, and the screen it is now; none while it rests."""

    page: Page
    screen: Screen | None = None

    @property
    def context(self) -> BrowserContext:
        """What keeps its cookies."""
        return self.page.context

    def is_fit(self) -> bool:
        """Whether it is open, and has room for the entries of another test."""
        return not self.page.is_closed() and self.page.evaluate("history.length") < _MOST_ENTRIES

    def forget(self, address: str) -> None:
        """Leave the app, and nothing of who was here."""
        self.screen = None
        for page in self.context.pages:
            if page is not self.page:
                page.close()
        self.page.goto(address + _REST)
        self.page.evaluate(_FORGET)
        self.context.clear_cookies()
        self.context.clear_permissions()

    def hear(self, message: Any) -> None:
        """Keep an error of the console."""
        if self.screen is not None and message.type == "error":
            self.screen.errors.append(message.text)

    def fail(self, error: Any) -> None:
        """Keep an error of the page."""
        if self.screen is not None:
            self.screen.errors.append(str(error))

    def ask(self, request: Any) -> None:
        """Keep an address that is not of this server."""
        if self.screen is None:
            return
        own = self.screen.address
        if not request.url.startswith((own, own.replace("http", "ws", 1), "data:", "blob:")):
            self.screen.outside.append(request.url)


class Tabs:
    """The pages of one server in one browser: a test takes them, and gives them back."""

    def __init__(self, browser: Browser, address: str) -> None:
        """`address` without a slash at its end."""
        self._browser = browser
        self._address = address
        self._resting: list[_Tab] = []
        self._taken: list[_Tab] = []

    def open(self, path: str, *, size: str = "desktop", theme: Any = "light") -> Screen:
        """A page at that path, as someone who was never here before sees it."""
        tab = self._resting.pop() if self._resting else self._new()
        self._taken.append(tab)
        tab.page.set_viewport_size(SIZES[size])
        # None emulated: "screen" would print a PDF as the screen shows it.
        tab.page.emulate_media(media="null", color_scheme=theme)
        tab.page.mouse.move(0, 0)
        tab.screen = Screen(tab.page, self._address)
        return tab.screen.open(path)

    def rest(self) -> None:
        """Take all pages back; what a test left behind is gone. Few are kept."""
        for tab in self._taken:
            if len(self._resting) < _MOST_RESTING and tab.is_fit():
                tab.forget(self._address)
                self._resting.append(tab)
            else:
                tab.context.close()
        self._taken.clear()

    def __enter__(self) -> Self:
        """Used as a block, at whose end all are closed."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close all of them."""
        for tab in (*self._resting, *self._taken):
            tab.context.close()

    def _new(self) -> _Tab:
        tab = _Tab(open_page(self._browser, accept_downloads=True))
        tab.page.on("console", tab.hear)
        tab.page.on("pageerror", tab.fail)
        tab.page.on("request", tab.ask)
        return tab


@contextmanager
def looking(browser: Browser, address: str) -> Iterator[Callable[..., Screen]]:
    """Open pages of that server as `look(path, size=…, theme=…)`; they are closed at the end."""
    with Tabs(browser, address) as tabs:
        yield tabs.open


def open_page(browser: Browser, **how: Any) -> Page:
    """A page in a new context (of Playwright's arguments `how`): what a Screen needs."""
    context = browser.new_context(**how)
    context.add_init_script(path=_HERE / "still.js")
    return context.new_page()


def wait_until(page: Page, holds: Callable[[], bool]) -> None:
    """Until it holds; half a minute at most. The policy of the page forbids waiting by script."""
    for _ in range(300):
        if holds():
            return
        page.wait_for_timeout(100)
    raise AssertionError("what was waited for did not come about in half a minute")
