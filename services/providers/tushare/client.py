"""Tushare's own client class over our HTTP: pages, columns by name, and errors in our words.

The package turns every HTTP failure into an empty table and drops the error code: `query`, which
does both, is replaced.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlsplit

import pandas
from tushare.pro.client import DataApi

from services.core.errors import (
    ChangedError,
    DeniedError,
    ProviderError,
    RateLimitError,
    UnavailableError,
)
from services.providers.http import Body, Http, Target
from services.providers.provider_context import Kit
from services.providers.reading import Node, json_of, member, rows_of

NAME = "tushare"
# A page of the upstream's own size is asked for; a table longer than this many pages is no answer.
_PAGE = 5000
_MOST_PAGES = 40
_OFTEN = re.compile(r"每(分钟|小时|天)最多访问|频率超限")
_FORBIDDEN = re.compile("权限|积分")
_TOKEN = re.compile("token", re.IGNORECASE)
_PARAMETER = re.compile("参数")
_PAUSES = {"分钟": 60.0, "小时": 3600.0, "天": 3600.0}


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """The rows of one table by column name, and the bodies they came in."""

    rows: list[Node]
    body: Body
    bodies: tuple[Body, ...]


class TushareClient(DataApi):
    """`tushare.pro.client.DataApi` with a base address and honest failures. Safe to share."""

    def __init__(self, http: Http, base: str, token: str) -> None:
        """`base` is the root (`POST /`) or ends in `/dataapi` (`POST /dataapi/<api>`)."""
        super().__init__(token)
        self._http = http
        self._base = base
        self._secret = token

    def query(self, api_name: str, fields: str = "", **kwargs: object) -> pandas.DataFrame:
        """One page as a table of the upstream's own values; `attrs` has the body, and has_more.

        Raises: UnavailableError, RateLimitError, DeniedError, ChangedError.
        """
        target = Target(NAME, api_name, self._base)
        in_path = urlsplit(self._base).path.rstrip("/").endswith("/dataapi")
        asked = {"api_name": api_name, "token": self._secret, "params": kwargs, "fields": fields}
        body = self._http.post(target, f"/{api_name}" if in_path else "/", json=asked)
        data = _data(json_of(body), body)
        names = [str(name).lower() for name in member(data, "fields", body, list)]
        items = member(data, "items", body, list)
        if any(not isinstance(item, list) or len(item) != len(names) for item in items):
            raise ChangedError(NAME, api_name, "a row has not as many cells as there are columns")
        table = pandas.DataFrame(items, columns=pandas.Index(names), dtype=object)
        more = data.get("has_more", len(items) >= _PAGE)
        table.attrs.update(body=body, has_more=more is True)
        return table

    def table(self, api_name: str, columns: Sequence[str], **params: object) -> TableAnswer:
        """Every page of a table, each of `columns` asked for by name and there.

        Raises: as `query`; ChangedError when a column is not in the answer.
        """
        rows: list[Node] = []
        bodies: list[Body] = []
        for _ in range(_MOST_PAGES):
            paging = {"limit": _PAGE, "offset": len(rows)}
            page = self.query(api_name, ",".join(columns), **params, **paging)
            body: Body = page.attrs["body"]
            bodies.append(body)
            gone = [name for name in columns if name not in page.columns]
            if gone:
                raise ChangedError(NAME, api_name, f"no column {', '.join(gone)}")
            found: list[Any] = page.to_dict("records")
            rows += rows_of(found, "", body)
            if not page.attrs["has_more"] or not found:
                return TableAnswer(rows, body, tuple(bodies))
        raise ChangedError(NAME, api_name, "the table does not end")


def client_of(kit: Kit) -> TushareClient:
    """The client as the settings have it. Raises: DeniedError without a token."""
    token = kit.settings.secret("TUSHARE_TOKEN")
    if not token:
        raise DeniedError(NAME, "token", "no token: set TUSHARE_TOKEN")
    return TushareClient(kit.http, kit.settings.urls["TUSHARE_URL"], token)


def write_day(day: date) -> str:
    """A day as upstream spells it: 20261120."""
    return f"{day:%Y%m%d}"


def _data(document: Any, body: Body) -> Mapping[str, Any]:
    code = member(document, "code", body, object)
    if code not in (0, "0"):
        raise _refusal(str(code), str(document.get("msg") or ""), body)
    return member(document, "data", body)


def _refusal(code: str, message: str, body: Body) -> ProviderError:
    """What a refusal means: 40203 is both too often and not permitted, the message tells which.

    Both begin with 抱歉，您: the pattern of the rate is tried first.
    """
    table = body.table
    if often := _OFTEN.search(message):
        pause = _PAUSES.get(often.group(1) or "分钟")
        return RateLimitError(NAME, table, f"asked too often ({code})", retry_after_s=pause)
    if _FORBIDDEN.search(message) or code in {"2002", "-2002", "40203"}:
        return DeniedError(NAME, table, f"the token's points do not cover this table ({code})")
    if _TOKEN.search(message) or code == "40101":
        return DeniedError(NAME, table, f"the token is not accepted ({code}): check TUSHARE_TOKEN")
    if _PARAMETER.search(message) or code in {"40001", "-2001"}:
        return ChangedError(NAME, table, f"does not know a parameter we sent ({code})")
    return UnavailableError(NAME, table, f"answered with its error {code}")
