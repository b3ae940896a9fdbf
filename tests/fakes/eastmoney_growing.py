"""Eastmoney whose daily bars grow: what a day had yesterday it has today, but for a dividend."""

from datetime import date, datetime
from typing import Any

from tests.fakes.eastmoney import Eastmoney
from tests.fakes.eastmoney_quotes import HEAD, NOTHING, begun
from tests.fakes.server import Asked, Reply

KLINE = "/push2his/api/qt/stock/kline/get"


def close_of(day: date) -> float:
    """The close of every share on that day, before any dividend."""
    return 100.0 + day.toordinal() % 17


class Growing(Eastmoney):
    """`dividends`: by code, what every bar before `now`'s day is lower by. `late`: codes whose
    newest bar is not there yet. A suspended share has not traded for ten sessions.
    """

    def __init__(self, now: datetime, a_shares: int = 8) -> None:
        super().__init__(a_shares=a_shares)
        self.now = now
        self.dividends: dict[str, float] = {}
        self.late: set[str] = set()

    def answer(self, asked: Asked) -> Reply:
        if asked.path != KLINE or asked.query.get("klt") != "101":
            return super().answer(asked)
        found = [one for one in self.companies if one.secid == asked.query["secid"]]
        return Reply(self._bars(found[0].code, asked) if found else NOTHING)

    def asked_bars(self) -> list[tuple[str, str]]:
        """Of each question for bars, the code and the first day asked for."""
        asked = [one.query for one in self.asked if one.path == KLINE]
        return [(query["secid"].split(".")[1], query["beg"]) for query in asked]

    def _bars(self, code: str, asked: Asked) -> dict[str, Any]:
        days = begun("CN", self.now)
        one = next(one for one in self.companies if one.code == code)
        if one.suspended:
            days = days[:-10]
        if code in self.late:
            days = days[:-1]
        head, tail = asked.query.get("beg", "0"), asked.query.get("end", "20500101")
        lines = [
            self._line(code, day, last=day == days[-1])
            for day in days
            if head <= f"{day:%Y%m%d}" <= tail
        ]
        data = {"code": code, "market": one.venue, "name": one.name, "klines": lines}
        return {**HEAD, "data": data}

    def _line(self, code: str, day: date, *, last: bool) -> str:
        close = close_of(day) - (0.0 if last else self.dividends.get(code, 0.0))
        return (
            f"{day},{close:.2f},{close:.2f},{close + 1:.2f},{close - 1:.2f},"
            f"{1000 + day.day},{(1000 + day.day) * 100 * close:.2f},2.00,0.10,0.10,0.25"
        )
