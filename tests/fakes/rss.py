"""Feeds: an RSS of five entries, an Atom of one, a page that is no feed, an entry without end."""

import re
from pathlib import Path
from typing import ClassVar

from tests.fakes.server import WAF, Asked, Fault, Reply, Service

ANSWERS = Path(__file__).resolve().parents[1] / "answers" / "rss"
_DATE = re.compile("<pubDate>(.*?)</pubDate>")
_ITEM = re.compile("<item>.*?</item>\n", re.DOTALL)
_CELLS = {"text_for_number": "很多", "dash": "-", "null": "", "nan": "NaN"}


class Rss(Service):
    """GET /finance.xml, /second.xml, /page.html."""

    prefix = "rss"
    variables: ClassVar = {"RSS_FEEDS": "/finance.xml"}

    def answer(self, asked: Asked) -> Reply:
        if asked.path in {"/finance.xml", "/second.xml"}:
            text = (ANSWERS / asked.path[1:]).read_text()
            return Reply(text=text, content_type="application/rss+xml; charset=utf-8")
        if asked.path == "/page.html":
            return Reply(text=WAF, content_type="text/html; charset=utf-8")
        return Reply(text="<!doctype html><title>404</title>", status=404)

    def spoil(self, reply: Reply, fault: Fault, asked: Asked) -> Reply:
        return Reply(text=_spoiled(reply.text or "", fault), content_type=reply.content_type)


def _spoiled(text: str, fault: Fault) -> str:
    entries = _ITEM.findall(text)
    match fault:
        case "empty":
            return _ITEM.sub("", text)
        case "duplicate_rows":
            return text.replace("</channel>", "".join(entries) + "</channel>")
        case "wrong_order":
            head, tail = text.split(entries[0])[0], text.split(entries[-1])[1]
            return head + "".join(reversed(entries)) + tail
        case "missing_column":
            return _DATE.sub("", text)
        case "renamed_column":
            return text.replace("pubDate>", "pubDateNew>")
        case "clock_skew":
            skewed = _DATE.sub("", text)
            later = "<pubDate>Mon, 01 Mar 2027 10:00:00 +0800</pubDate></item>"
            return skewed.replace("</item>", later)
        case _:
            return _DATE.sub(f"<pubDate>{_CELLS[fault]}</pubDate>", text)
