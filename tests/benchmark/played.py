"""Eastmoney with a whole market, in a process of its own: `python -m tests.benchmark.played N`.

It prints its address and serves until its input ends. Every answer is made once and kept as text,
so that what is measured against it is the client. Asked the way AkShare asks, the rows of the list
have the 31 keys of the real one, in the real order, by which AkShare names its columns.
"""

import json
import sys
from datetime import datetime
from typing import Any

from tests.fakes.eastmoney import Eastmoney
from tests.fakes.server import Asked, Reply, World

CLIST = "/push2/api/qt/clist/get"
KEYS = [f"f{n}" for n in (*range(1, 19), *range(20, 26), 62, 115, 128, 140, 141, 136, 152)]


class Played(Eastmoney):
    def __init__(self, companies: int, now: datetime) -> None:
        super().__init__(a_shares=companies, hong_kong=1, america=1)
        self.now = now
        self._texts: dict[tuple[str, str], str] = {}

    def answer(self, asked: Asked) -> Reply:
        key = (asked.path, json.dumps(sorted(asked.query.items())))
        text = self._texts.get(key)
        if text is None:
            text = self._texts[key] = super().answer(asked).bytes().decode()
            if asked.path == CLIST and "f152" in asked.query["fields"]:
                text = self._texts[key] = _as_akshare_sees_it(text)
        return Reply(text=text)


def _as_akshare_sees_it(text: str) -> str:
    document: dict[str, Any] = json.loads(text)
    inside = document["data"]
    if inside:
        inside["diff"] = [{key: row.get(key, "-") for key in KEYS} for row in inside["diff"]]
    return json.dumps(document, ensure_ascii=False)


def main() -> None:
    service = Played(int(sys.argv[1]), datetime.fromisoformat(sys.argv[2]))
    with World(service) as world:
        print(json.dumps({"url": world.url, **world.environment()}), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
