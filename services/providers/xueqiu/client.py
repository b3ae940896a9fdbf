"""Asking Xueqiu: an anonymous token that renews itself, its errors, and its check for robots.

The token is a cookie. A user's own (XUEQIU_TOKEN) wins; else one is taken from the page `/hq`.
"""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal
from urllib.parse import SplitResult, urljoin, urlsplit

from services.core.errors import (
    ChangedError,
    DeniedError,
    NoDataError,
    ProviderError,
    RateLimitError,
    UnavailableError,
)
from services.core.indexes import INDEXES
from services.core.symbols import Symbol
from services.core.text import Text
from services.providers.http import Body, Target
from services.providers.provider_context import Kit
from services.providers.reading import instant, json_of, member
from services.providers.request_coalescing import Flights

NAME = "xueqiu"
Host = Literal["web", "api", "stock"]
Params = Mapping[str, str | int]
# What a page of texts may weigh.
LARGEST_TEXTS = 2_000_000
_BASES: Mapping[Host, str] = {
    "web": "XUEQIU_WEB_URL",
    "api": "XUEQIU_API_URL",
    "stock": "XUEQIU_STOCK_URL",
}
_LIFE = timedelta(hours=1)
# A clock of theirs may be ahead of ours by that much.
_AHEAD = timedelta(minutes=10)
_COOKIES = (
    "xq_a_token",
    "xqat",
    "xq_r_token",
    "xq_id_token",
    "u",
    "cookiesu",
    "device_id",
    "acw_tc",
)
_HEADERS = {
    "Referer": "https://xueqiu.com/",
    "Accept": "application/json, text/plain, */*",
    "X-Requested-With": "XMLHttpRequest",
}
_MOVED = frozenset({301, 302, 303, 307, 308})
_MOST_REDIRECTS = 3
_CHECKS = (b'id="renderData"', b"_WAF_", b"_waf_", b"aliyun_waf")
_TOKEN_REFUSED = frozenset({"400016", "400013"})
_NEEDS_LOGIN = "10022"
_NO_USER = "20206"


@dataclass(frozen=True, slots=True)
class DocumentAnswer:
    """A document and the body it came in."""

    document: Any
    body: Body


@dataclass(frozen=True, slots=True)
class _Token:
    cookie: str
    since: datetime


class XueqiuClient:
    """Safe to share between threads: one of them fetches a token, the others wait for it."""

    def __init__(self, kit: Kit) -> None:
        """Cheap: a token is fetched when it is first needed."""
        self._kit = kit
        self._lock = threading.Lock()
        self._flights: Flights[_Token] = Flights()
        self._token: _Token | None = None

    @property
    def now(self) -> datetime:
        """The present instant."""
        return self._kit.clock.now()

    @property
    def is_anonymous(self) -> bool:
        """Whether no user's token is set: some lists are empty then that are not."""
        return not self._own_token

    def ask(
        self,
        host: Host,
        table: str,
        path: str,
        params: Params,
        *,
        with_token: bool = True,
        largest: int | None = None,
        may_be_gone: bool = False,
    ) -> DocumentAnswer:
        """The document at `path`. A refused anonymous token is renewed once, an empty body asked
        for once more, with a token.

        `may_be_gone`: one thing is asked by its id, so HTTP 404 means that there is no such thing.

        Raises: NoDataError (no such user), ProviderError.
        """
        target = Target(
            provider=NAME,
            table=table,
            base=self._base(host),
            headers=_HEADERS,
            accepts=frozenset({200, 400, 405, *_MOVED, *((404,) if may_be_gone else ())}),
        )
        if largest is not None:
            target = replace(target, largest=largest)
        cookie = self._cookie() if with_token else ""
        answer = self._read_answer(target, path, params, cookie)
        if with_token and error_code(answer.document) in _TOKEN_REFUSED:
            cookie = self._renew_cookie(cookie, table)
            answer = self._read_answer(target, path, params, cookie)
        _raise_for(answer)
        return answer

    @property
    def _own_token(self) -> str:
        return self._kit.settings.secret("XUEQIU_TOKEN")

    def _base(self, host: Host) -> str:
        return self._kit.settings.urls[_BASES[host]]

    def _read_answer(
        self, target: Target, path: str, params: Params, cookie: str
    ) -> DocumentAnswer:
        body = self._send(target, path, params, cookie)
        if not body.content.strip() and body.status == 200:
            body = self._send(target, path, params, cookie or self._cookie())
            if not body.content.strip():
                raise UnavailableError(NAME, target.table, "answered with an empty body")
        if body.status == 404:
            raise NoDataError(
                f"xueqiu {target.table}", Text("没有这个帖子或页面", "no such post or page")
            )
        if body.status == 405:
            raise RateLimitError(NAME, target.table, "asked too often, or blocked (HTTP 405)")
        return DocumentAnswer(_document(body), body)

    def _send(self, target: Target, path: str, params: Params | None, cookie: str) -> Body:
        """The body, through at most three redirects, each to an address of Xueqiu's own."""
        headers = {"Cookie": cookie} if cookie else {}
        for _ in range(_MOST_REDIRECTS + 1):
            body = self._kit.http.get(target, path, params=params, headers=headers)
            if body.status not in _MOVED:
                return body
            there = self._split_moved(target, path, body)
            target = replace(target, base=f"{there.scheme}://{there.netloc}")
            path, params = there._replace(scheme="", netloc="", fragment="").geturl() or "/", None
        raise UnavailableError(NAME, target.table, "was sent from page to page without an end")

    def _split_moved(self, target: Target, path: str, body: Body) -> SplitResult:
        here = urlsplit(target.base)
        address = urljoin(target.base + path, body.headers.get("location", ""))
        there = own_address(address)
        if there is None:
            other = _split(address)
            same = other is not None and (other.scheme, other.netloc) == here[:2]
            there = other if same else None
        if there is None:
            raise UnavailableError(NAME, target.table, "was sent to an address not of Xueqiu")
        return there

    def _cookie(self) -> str:
        if self._own_token:
            return f"xq_a_token={self._own_token}"
        with self._lock:
            known = self._token
        if known is None or self.now - known.since >= _LIFE:
            known = self._flights.join("token", self._bootstrap_token)
        return known.cookie

    def _renew_cookie(self, refused: str, table: str) -> str:
        """A cookie other than the one that was refused. Raises: DeniedError for a user's own."""
        if self._own_token:
            raise DeniedError(NAME, table, "XUEQIU_TOKEN is not accepted: renew it or leave it out")
        with self._lock:
            if self._token is not None and self._token.cookie == refused:
                self._token = None
        return self._cookie()

    def _bootstrap_token(self) -> _Token:
        """A new anonymous token. Raises: ProviderError."""
        with self._lock:
            known = self._token
        if known is not None and self.now - known.since < _LIFE:
            return known
        accept = {"Accept": "text/html,application/xhtml+xml", "Referer": _HEADERS["Referer"]}
        accepts = frozenset({200, 405})
        target = Target(NAME, "hq", self._base("web"), accept, accepts, LARGEST_TEXTS)
        body = self._kit.http.get(target, "/hq")
        if body.status == 404:
            raise NoDataError(
                f"xueqiu {target.table}", Text("没有这个帖子或页面", "no such post or page")
            )
        if body.status == 405:
            raise RateLimitError(NAME, "hq", "asked too often, or blocked (HTTP 405)")
        if not body.cookies.get("xq_a_token"):
            if _is_check(body):
                raise _make_check_error(body)
            raise ChangedError(NAME, "hq", "sets no xq_a_token: set XUEQIU_TOKEN")
        given = [f"{name}={body.cookies[name]}" for name in _COOKIES if body.cookies.get(name)]
        token = _Token("; ".join(given), self.now)
        with self._lock:
            self._token = token
        return token


def error_code(document: object) -> str:
    """The error code of a document, as text; empty for success. It comes as text or number."""
    code = document.get("error_code") if isinstance(document, dict) else None
    return "" if code in (None, 0, "0", "") else str(code)


def own_address(url: str) -> SplitResult | None:
    """The parts of an https address on xueqiu.com or a subdomain of it; None for any other."""
    if len(url) > 2000 or not url.isascii() or not url.isprintable() or set(url) & set("\\ \"'<>"):
        return None
    parts = _split(url)
    if parts is None or parts.scheme != "https" or "@" in parts.netloc:
        return None
    host = parts.netloc.lower().removesuffix(":443")
    own = host == "xueqiu.com" or host.endswith(".xueqiu.com")
    plain_host = all(label and label.replace("-", "").isalnum() for label in host.split("."))
    return parts if own and plain_host else None


def spell_symbol(symbol: Symbol) -> str:
    """The symbol as Xueqiu writes it: SH600519, 00700, AAPL, HKHSI, .INX."""
    index = INDEXES.get(symbol.value)
    return (index.xueqiu if index else "") or symbol.xueqiu


def read_past_instant(milliseconds: object, now: datetime, body: Body, field: str) -> datetime:
    """An instant that lies in the past. Raises: ChangedError when it does not."""
    at = instant(milliseconds, body, field)
    if at > now + _AHEAD:
        raise ChangedError(NAME, body.table, f"{field} lies in the future")
    return at


def read_list(answer: DocumentAnswer, name: str) -> list[Any]:
    """The list called `name`; null, which stands for nothing found, is an empty one.

    Raises: ChangedError when it is absent or no list.
    """
    found = member(answer.document, name, answer.body, object)
    return [] if found is None else member(answer.document, name, answer.body, list)


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts


def _document(body: Body) -> Any:
    if _is_check(body):
        raise _make_check_error(body)
    return json_of(body)


def _is_check(body: Body) -> bool:
    page = "text/html" in body.content_type or body.content.lstrip()[:1] == b"<"
    return page and any(mark in body.content for mark in _CHECKS)


def _make_check_error(body: Body) -> ProviderError:
    return UnavailableError(NAME, body.table, "its check for robots (WAF) answered instead")


def _raise_for(answer: DocumentAnswer) -> None:
    """Raise what an error document says. Its own text is never repeated."""
    code, table = error_code(answer.document), answer.body.table
    if code in _TOKEN_REFUSED:
        raise DeniedError(NAME, table, f"a new anonymous token is refused ({code})")
    if code == _NEEDS_LOGIN:
        raise DeniedError(NAME, table, f"needs login ({code}): set XUEQIU_TOKEN")
    if code == _NO_USER:
        raise NoDataError(f"xueqiu {table}", Text("没有这个用户", "no such user"))
    if code:
        shown = code if code.isdigit() and len(code) < 12 else "?"
        raise UnavailableError(NAME, table, f"answered with its error {shown}")
    if answer.body.status != 200:
        raise ChangedError(NAME, table, f"answered HTTP {answer.body.status} without a code")
