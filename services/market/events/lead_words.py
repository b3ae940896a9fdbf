"""How what was said near an event is worded: flags, and quoted titles of notices and news.

Nothing from outside can become a figure's place here: braces in a title are drawn full-width.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from services.core.claims import Claim
from services.market.events.leads import BILLBOARD, Flag, Near, PlacedText

_LONGEST = 60
_SHOWN = 3
# `《》` quote; inside a quotation they become what Chinese uses there. Braces would make a place.
_HARMLESS = str.maketrans({"{": "｛", "}": "｝", "《": "〈", "》": "〉"})
_PLACES = {
    "before": ("前一交易日", "the session before"),
    "same": ("当日", "the same day"),
    "after_close": ("当日收盘后", "after the close"),
    "after": ("次一交易日", "the session after"),
}


class LeadClause(NamedTuple):
    """A clause in both languages; `{}` stands for the figures in order."""

    zh: str
    en: str
    figures: tuple[Claim, ...] = ()


def quote_title(title: str) -> str:
    """A title between 《》 on one line, cut where it is long, that no template can misread."""
    flat = " ".join("".join(c if c.isprintable() else " " for c in title).split())
    short = flat if len(flat) <= _LONGEST else flat[: _LONGEST - 1] + "…"
    return f"《{short.translate(_HARMLESS)}》"


def flag_clauses(near: Near, *, one_day: bool) -> list[LeadClause]:
    """What was flagged: the exchange's list with its amounts, then what was noticed in trading."""
    listed = [flag for flag in near.flags if flag.rule == BILLBOARD]
    noticed = [flag for flag in near.flags if flag.rule != BILLBOARD]
    clauses = [_say_flag(flag, one_day=one_day) for flag in listed[:_SHOWN]]
    for day, flags in groupby(sorted(noticed, key=_day), key=_day):
        titles = _titles(_name_flag(flag) for flag in flags)
        when, english = ("同日", "the same day") if one_day else (f"{day} ", day)
        clauses.append(LeadClause(f"{when}异动标记{titles.zh}", f"flagged {english}: {titles.en}"))
    return clauses


def publication_clauses(near: Near) -> list[LeadClause]:
    """The titles of notices and news near the event, grouped by when they came."""
    clauses: list[LeadClause] = []
    for kind, zh, en in (("notice", "公告", "notice"), ("news", "新闻", "news")):
        found = [one for one in near.publications if one.lead.kind == kind]
        for one, titles in _group_titles(found):
            day = f"{one.lead.day}"
            when, english = _PLACES.get(one.place, (f"{day} ", day))
            clauses.append(LeadClause(f"{when}{zh}{titles.zh}", f"{en} of {english}: {titles.en}"))
    return clauses


def say_unexplained(near: Near) -> LeadClause:
    """That no cause was found, saying only of what could be asked that there was nothing."""
    if not near.unseen:
        return LeadClause(
            "未见公告或新闻，原因不明", "no notice or news was found and the cause is unknown"
        )
    zh = "、".join(note.zh for note in near.unseen)
    en = ", ".join(note.en for note in near.unseen)
    return LeadClause(f"{zh}，原因不明", f"{en}, and the cause is unknown")


class _Titles(NamedTuple):
    """A few quoted titles."""

    zh: str
    en: str


def _titles(titles: Iterable[str]) -> _Titles:
    """The first of them, each once; a Chinese 等 says that there are more."""
    every = list(dict.fromkeys(quote_title(title) for title in titles))
    more = len(every) > _SHOWN
    shown = every[:_SHOWN]
    zh = "、".join(shown) + ("等" if more else "")
    return _Titles(zh, ", ".join(shown) + (" and others" if more else ""))


def _group_titles(found: Sequence[PlacedText]) -> list[tuple[PlacedText, _Titles]]:
    """The weightiest few, by where they lie; the first of each group tells where."""
    groups: dict[object, list[PlacedText]] = {}
    for one in found[:_SHOWN]:
        key = one.place if one.place != "other" else one.lead.day
        groups.setdefault(key, []).append(one)
    made = [(group[0], _titles(one.lead.title for one in group)) for group in groups.values()]
    if len(found) > _SHOWN and made:
        last, titles = made[-1]
        made[-1] = (last, _Titles(titles.zh + "等", titles.en + " and others"))
    return made


def _say_flag(flag: Flag, *, one_day: bool) -> LeadClause:
    when, english = (
        ("同日", "the same day") if one_day else (f"{flag.lead.day} ", f"on {flag.lead.day}")
    )
    title = quote_title(_name_flag(flag))
    zh, en = f"{when}登上龙虎榜{title}", f"on the exchange's list of trades {english} {title}"
    if flag.net is None:
        return LeadClause(zh, en)
    return LeadClause(f"{zh}，净买入额{{}}", f"{en}, net buying {{}}", (flag.net,))


def _name_flag(flag: Flag) -> str:
    """The title without the word for where it stood, which the sentence says itself."""
    return flag.lead.title.removeprefix("龙虎榜：").removeprefix("盘口异动：")


def _day(flag: Flag) -> str:
    return flag.lead.day.isoformat()
