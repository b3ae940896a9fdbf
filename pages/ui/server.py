"""What the browser talks to: the pages behind a list of hosts and a content policy, and a readiness
address that really writes. `python -m pages.ui.serve` starts it; `streamlit run app.py` is without.
"""

import base64
import re
from hashlib import sha256
from ipaddress import ip_address
from json import dumps
from pathlib import Path
from urllib.parse import quote

import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import file_util

from pages.ui import resources, state
from services.core.errors import ConfigError, YoujuError
from services.settings import load_settings

SCRIPT = Path(__file__).resolve().parents[2] / "app.py"
# Streamlit's page has one script of its own in its text; whatever it is, it is let run by its hash.
_INLINE = re.compile(r"<script>(.+?)</script>", re.DOTALL)
# Told where its server is, the page does not ask below its own address first, which answers 404.
# Behind a proxy the server may stand in a folder: an address with a slash at its end may be either.
_ROOT = """<script>{
  const path = location.pathname;
  if (path === "/" || !path.endsWith("/"))
    window.__streamlit = {BACKEND_BASE_URL: new URL(".", location.href).href};
}</script>"""
# One entry of the browser's history an act of the reader's: what Streamlit writes into the address
# by itself (a default left out, the company a page opens with, the old page's words on the way to
# the new) stands in the place of the entry it is about, and so does a setting, which Back would
# not undo. Then Back needs one press.
_HISTORY = f"""<script>{{
  const settings = {dumps(state.SETTINGS)};
  let acted = false;
  for (const kind of ["pointerdown", "keydown"])
    addEventListener(kind, (event) => {{ acted ||= event.isTrusted; }}, {{capture: true}});
  addEventListener("popstate", () => {{ acted = false; }}, {{capture: true}});
  const screen = (address) => {{
    const url = new URL(address ?? "", location.href);
    settings.forEach((name) => url.searchParams.delete(name));
    return url.pathname + url.searchParams;
  }};
  const push = history.pushState;
  history.pushState = (...entry) => {{
    if (acted && screen(entry[2]) !== screen()) push.apply(history, entry);
    else history.replaceState(...entry);
    acted = false;
  }};
}}</script>"""
# What is left of a host when its port is off: "[::1]:8501" and "localhost:8501".
_PORT = re.compile(r":\d+$")
_LOCAL = frozenset({"localhost", ""})


class KnownHosts:
    """Refuses requests under a name that is not ours: a page elsewhere whose name was made to point
    here would otherwise be this server's own to the browser. An address is nobody's name.
    """

    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        self._app = app
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or WebSocket."""
        if scope["type"] not in {"http", "websocket"} or self._is_ours(Headers(scope=scope)):
            await self._app(scope, receive, send)
            return
        said = PlainTextResponse(
            "本机不以这个名字提供服务，把它加进 YOUJU_HOSTS。\n"
            "Not served under this name: add it to YOUJU_HOSTS.\n",
            status_code=421,
        )
        await said(scope, receive, send)

    def _is_ours(self, headers: Headers) -> bool:
        host = _PORT.sub("", headers.get("host", "")).strip("[]").lower()
        if host in _LOCAL or host in self._names:
            return True
        try:
            ip_address(host)
        except ValueError:
            return False
        return True


class RootedPage:
    """Sends the page that knows where its server is in the place of Streamlit's own."""

    def __init__(self, app: ASGIApp, page: str) -> None:
        self._app = app
        self._body = page.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request; whatever is no page passes as it is. Below one page there is no other: the
        browser is sent to the last part of the address, from where it finds the files of the page.
        """
        is_page = False
        above = _way_up(scope["path"]) if scope["type"] == "http" else ""

        async def replaced(message: Message) -> None:
            nonlocal is_page
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                is_page = headers.get("content-type", "").startswith("text/html")
                if is_page and above:
                    headers["location"] = above
                    message["status"] = 307
                if is_page:
                    for name in ("etag", "last-modified", "content-encoding"):
                        del headers[name]
                    headers["content-length"] = str(len(self._body))
                await send(message)
            elif not is_page:
                await send(message)
            elif not message.get("more_body", False):
                await send({"type": "http.response.body", "body": self._body})

        is_read = scope["type"] == "http" and scope["method"] == "GET"
        await self._app(scope, receive, replaced if is_read else send)


class ContentPolicy:
    """Tells the browser to load nothing from elsewhere, and to show these pages in no frame."""

    def __init__(self, app: ASGIApp, policy: str) -> None:
        self._app = app
        self._headers = {
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "same-origin",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""

        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers[name] = value
            await send(message)

        await self._app(scope, receive, told if scope["type"] == "http" else send)


def rooted_page() -> str:
    """Streamlit's page with the word where its server is, and one entry of history an act."""
    page = Path(file_util.get_static_dir(), "index.html").read_text("utf-8")
    return page.replace("<script", _ROOT + _HISTORY + "<script", 1)


def _way_up(path: str) -> str:
    """From an address below another to its last part, relative: a folder before the server, which
    it may know nothing of, stays. Empty for one that is not below another.
    """
    base = f"/{st.get_option('server.baseUrlPath').strip('/')}"
    *before, last = path.removeprefix(base).strip("/").split("/")
    return "../" * len(before) + quote(last) if before else ""


def content_policy(page: str) -> str:
    """Everything from here alone; scripts of components come as blobs, styles within `page`."""
    hashes = " ".join(f"'sha256-{_hash(one)}'" for one in _INLINE.findall(page))
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src 'self' blob: {hashes}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "frame-ancestors 'none'",
            "object-src 'none'",
            "base-uri 'self'",
        )
    )


def answer_ready(_: Request) -> PlainTextResponse:
    """200 when the store takes a write now; 503 with the reason when it does not."""
    try:
        resources.shared().database.check_writes()
    except YoujuError as error:
        return PlainTextResponse(f"{error}\n", status_code=503)
    return PlainTextResponse("ready\n")


def _names() -> frozenset[str]:
    """Those of the settings; where these cannot be read, the first page says why."""
    try:
        return load_settings().hosts
    except ConfigError:
        return frozenset()


def _hash(script: str) -> str:
    return base64.b64encode(sha256(script.encode()).digest()).decode()


_PAGE = rooted_page()
app = st.App(
    SCRIPT,
    routes=[Route("/readyz", answer_ready)],
    middleware=[
        Middleware(KnownHosts, names=_names()),
        Middleware(ContentPolicy, policy=content_policy(_PAGE)),
        Middleware(RootedPage, page=_PAGE),
    ],
)
