"""Asking AkShare: its requests go through our HTTP, its failures become errors in our words.

AkShare names its hosts in code, knows neither deadline nor base address, renames columns by their
position and turns an outage into a KeyError or an empty table. So while one of its functions runs
here, `requests` sends through `Kit.http`, and what came is read again by name (akshare_wire.py).
"""

import json
import sys
import threading
import warnings
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from importlib import import_module
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

import pandas
import requests  # noqa: TID251 — AkShare's own client: routed through ours, never used to send

from services.core.errors import ChangedError, NoDataError, UnavailableError
from services.core.text import Text
from services.providers.akshare.wire import DocumentKind, says_nothing
from services.providers.http import Body, Target
from services.providers.joining import join_bodies
from services.providers.provider_context import Kit
from services.providers.reading import Node, json_of

NAME = "akshare"
# What AkShare's own code raises over an answer it did not expect; ours raises ProviderError.
_PARSING = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
_sending = requests.sessions.Session.request
_installing = threading.Lock()


@dataclass(slots=True)
class Traffic:
    """What went through while one function ran: the bodies, and the failure it may have hidden."""

    kit: Kit
    table: str
    bodies: list[Body] = field(default_factory=list[Body])
    failure: BaseException | None = None

    def send(self, method: str, address: str, options: Mapping[str, Any]) -> requests.Response:
        """The request as AkShare made it, through our HTTP. Raises: ProviderError."""
        plain = requests.Request(method, address, params=options.get("params")).prepare()
        parts = urlsplit(plain.url or address)
        root = self.kit.settings.urls["AKSHARE_URL"]
        base = f"{root}/{parts.netloc}" if root else f"{parts.scheme}://{parts.netloc}"
        body = self.kit.http.send(
            method.upper(),
            Target(NAME, self.table, base),
            parts.path + (f"?{parts.query}" if parts.query else ""),
            json=options.get("json"),
            form=options.get("data"),
            headers=options.get("headers"),
        )
        self.bodies.append(body)
        return _response(body, plain.url or address)


@dataclass(frozen=True, slots=True)
class AkshareTable:
    """AkShare's table as rows, the documents it was read from, and the body they came as."""

    rows: list[Node]
    documents: tuple[Any, ...]
    body: Body


_open: ContextVar[Traffic | None] = ContextVar("akshare_traffic", default=None)


@contextmanager
def gateway(kit: Kit, table: str) -> Generator[Traffic]:
    """Inside, everything this thread sends with `requests` goes through our HTTP."""
    with _installing:
        if requests.sessions.Session.request is not _request:
            # Its one door; `requests` has no other way to be told where to send.
            requests.sessions.Session.request = _request  # pyright: ignore[reportAttributeAccessIssue]
    traffic = Traffic(kit, table)
    token = _open.set(traffic)
    try:
        yield traffic
    finally:
        _open.reset(token)


def ask(kit: Kit, function: str, wires: Sequence[DocumentKind], **arguments: str) -> AkshareTable:
    """What AkShare's `function` makes of the answer, once the answer is what we know.

    Raises: ProviderError; NoDataError when the source says that it has nothing.
    """
    akshare = _load_package()
    refused = import_module("akshare.exceptions").AkshareException
    # Its pandas idioms warn under pandas 3; nobody here can mend them, and ours stay errors.
    warnings.filterwarnings("ignore", module=r"akshare(\.|$)")
    frame, problem = pandas.DataFrame(), None
    with gateway(kit, function) as traffic:
        try:
            frame = getattr(akshare, function)(**arguments)
        except (*_PARSING, refused) as error:
            problem = error
    if traffic.failure is not None:
        # AkShare may have swallowed it (`except:`) or made something else of it.
        raise traffic.failure
    if not traffic.bodies:
        raise problem or UnavailableError(NAME, function, "asked nobody")
    body = join_bodies(traffic.bodies, function)
    documents = tuple(json_of(one) for one in traffic.bodies)
    if any(says_nothing(document, body) for document in documents):
        raise _nothing(function)
    for wire in wires:
        wire.check(documents, body)
    if problem is not None:
        raise ChangedError(NAME, function, "cannot be read by AkShare any more") from problem
    if frame.empty:
        raise _nothing(function)
    rows: list[Any] = frame.to_dict("records")
    return AkshareTable(rows, documents, body)


def _request(
    session: requests.Session, method: str, url: str, *args: Any, **options: Any
) -> requests.Response:
    """`Session.request`, ours inside a gateway and the package's own everywhere else."""
    traffic = _open.get()
    if traffic is None:
        return _sending(session, method, url, *args, **options)
    names = ("params", "data", "headers")
    given = {**dict(zip(names, args, strict=False)), **options}
    try:
        return traffic.send(method, url, given)
    except BaseException as error:
        traffic.failure = error
        raise


class _Answer(requests.Response):
    """Reads JSON with the standard library: another parser, when installed, refuses a NaN."""

    def json(self, **kwargs: Any) -> Any:
        return json.loads(self.content, **kwargs)


def _response(body: Body, address: str) -> requests.Response:
    response = _Answer()
    response.status_code = body.status
    response.url = address
    response.encoding = "utf-8"
    response.headers["Content-Type"] = body.content_type
    response._content = body.content  # noqa: SLF001 — how requests itself fills one
    return response


def _load_package() -> ModuleType:
    """The package, imported when it is first needed (it takes a second), without its bars."""
    found = sys.modules.get(NAME)
    with _installing:
        akshare = found or import_module(NAME)
        for name, module in list(sys.modules.items()):
            quiet = getattr(module, "get_tqdm", None) if name.startswith("akshare.") else None
            if quiet is not None and quiet is not _quietly:
                module.__dict__["get_tqdm"] = _quietly
    return akshare


def _quietly(enable: bool = True) -> Any:  # noqa: FBT001, FBT002 — AkShare's signature
    """A progress bar that shows nothing."""
    return lambda steps, *_, **__: steps


def _nothing(function: str) -> NoDataError:
    return NoDataError(
        f"akshare {function}", Text("来源没有这项内容", "the source has nothing of it")
    )
