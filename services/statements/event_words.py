"""The parts of an abnormal event in words: which way a figure went is read from the figure."""

from collections.abc import Callable, Mapping, Sequence

from services.core.claims import Claim, CompetenceCite
from services.core.indexes import INDEXES
from services.statements.event_parts import (
    DEVIATIONS,
    EventPart,
    Proved,
    What,
    index_move,
    own_move,
)
from services.statements.tongue import Tongue


def say_part(one: Proved, before: Sequence[Proved], tongue: Tongue) -> str:
    """The part in words, a template with places."""
    return _SAID[one.part.what](one, before, tongue)


def _went(claim: Claim, tongue: Tongue) -> str:
    """`上涨 5.83%`, `rose 5.83%`; what prints as nothing went nowhere."""
    still = round(claim.value, 2) == 0
    zh, en = (
        ("涨跌", "moved") if still else ("上涨", "rose") if claim.value > 0 else ("下跌", "fell")
    )
    return f"{tongue.pick(zh, en)} {tongue.size(claim)}"


def _days(part: EventPart, tongue: Tongue) -> str:
    """`2017-07-24 至 2017-07-26 `, `2017-07-24 to 2017-07-26`."""
    if part.days is None:
        return ""
    first, last = part.days
    if first == last:
        return f"{first}"
    return tongue.pick(f"{first} 至 {last} ", f"{first} to {last}")


def _say_moved(one: Proved, before: Sequence[Proved], tongue: Tongue) -> str:
    del before
    went = _went(one.figures[0], tongue)
    return tongue.pick(f"收盘较前收盘{went}", f"the close {went} from the one before")


def _say_stretch(one: Proved, before: Sequence[Proved], tongue: Tongue) -> str:
    del before
    days, went = _days(one.part, tongue), _went(one.figures[0], tongue)
    return tongue.pick(f"{days}收盘累计{went}", f"{days}: the close {went} in all")


def _say_limit(one: Proved, before: Sequence[Proved], tongue: Tongue) -> str:
    move = own_move(before)
    up, limit = move is None or move.value > 0, tongue.figure(one.figures[0])
    way, end = ("涨停", "高") if up else ("跌停", "低")
    return tongue.pick(
        f"疑似{way}（收于当日最{end}，板块涨跌幅限制 {limit}）",
        f"suspected limit {'up' if up else 'down'} (closed at the day's "
        f"{'high' if up else 'low'}; board limit {limit})",
    )


def _say_index_move(one: Proved, before: Sequence[Proved], tongue: Tongue) -> str:
    del before
    limit = tongue.figure(one.figures[0])
    return tongue.pick(
        f"指数单日涨跌达到 {limit}", f"an index move of {limit} or more in one session"
    )


def _say_gap(one: Proved, before: Sequence[Proved], tongue: Tongue) -> str:
    del before
    up, size = one.figures[0].value > 0, tongue.size(one.figures[0])
    return tongue.pick(
        f"跳空{'高' if up else '低'}开 {size}",
        f"it opened {size} {'above' if up else 'below'} the previous close",
    )


def _say_volume(one: Proved, before: Sequence[Proved], tongue: Tongue) -> str:
    del before
    window, multiple = (tongue.figure(claim) for claim in one.figures)
    return tongue.pick(
        f"放量，成交量是前{window}均量的 {multiple}",
        f"heavy volume, {multiple} the mean of the previous {window}",
    )


def _say_z(one: Proved, before: Sequence[Proved], tongue: Tongue) -> str:
    del before
    window, score = one.figures
    up, size = score.value > 0, tongue.size(score)
    return tongue.pick(
        f"涨跌幅比前{tongue.figure(window)}的均值{'高' if up else '低'} {size}",
        f"a return {size} {'above' if up else 'below'} the mean of the previous "
        f"{tongue.figure(window)}",
    )


def _say_resumed(one: Proved, before: Sequence[Proved], tongue: Tongue) -> str:
    """The suspension by its days, and its length where it is counted."""
    days = _days(one.part, tongue).strip()
    begins = any(each.part.what == "stretch" for each in before)
    length = tongue.figure(one.figures[0]) if one.figures else ""
    return tongue.pick(
        f"{'起于' if begins else ''}停牌{length}（{days}）后复牌首日",
        f"{'starts with the ' if begins else ''}first session after a suspension"
        f"{f' of {length}' if length else ''} ({days})",
    )


def _index(claim: Claim, tongue: Tongue) -> str:
    known = INDEXES[claim.symbol]
    return tongue.pick(known.zh, known.en)


def _say_index_day(one: Proved, before: Sequence[Proved], tongue: Tongue) -> str:
    del before
    (claim,) = one.figures
    name, went = _index(claim, tongue), _went(claim, tongue)
    return tongue.pick(f"同日{name}{went}", f"the {name} {went} the same day")


def _say_no_index(one: Proved, before: Sequence[Proved], tongue: Tongue) -> str:
    del before
    lacks = f"the source lacks the {one.part.en}'s move of the day"
    return tongue.pick(f"来源缺同日{one.part.zh}涨跌幅", lacks)


def _say_index_since(one: Proved, before: Sequence[Proved], tongue: Tongue) -> str:
    del before
    (claim,) = one.figures
    name, went = _index(claim, tongue), _went(claim, tongue)
    return tongue.pick(
        f"停牌前收盘至 {claim.as_of} {name}{went}",
        f"the {name} {went} from the last close before it to {claim.as_of}",
    )


def _say_index_along(one: Proved, before: Sequence[Proved], tongue: Tongue) -> str:
    del before
    (claim,) = one.figures
    name, went = _index(claim, tongue), _went(claim, tongue)
    return tongue.pick(f"同期{name}{went}", f"the {name} {went} over the same days")


def _say_with_market(one: Proved, before: Sequence[Proved], tongue: Tongue) -> str:
    del one, before
    return tongue.pick("随大盘", "with the market")


def _say_catching_up(one: Proved, before: Sequence[Proved], tongue: Tongue) -> str:
    del one
    index = index_move(before)
    up = index is None or index.value > 0
    return tongue.pick(
        f"随大盘补{'涨' if up else '跌'}", f"catching {'up' if up else 'down'} with the market"
    )


def _say_every(one: Proved, before: Sequence[Proved], tongue: Tongue) -> str:
    del one
    whole = own_move(before)
    up = whole is None or whole.value > 0
    return tongue.pick(
        f"其间每个交易日均收{'涨' if up else '跌'}",
        f"every session closed {'higher' if up else 'lower'}",
    )


def _say_run(one: Proved, before: Sequence[Proved], tongue: Tongue) -> str:
    del before
    (claim,), days = one.figures, _days(one.part, tongue)
    up, size = claim.value > 0, tongue.size(claim)
    return tongue.pick(
        f"其中 {days}连续收{'涨' if up else '跌'} {size}",
        f"{days} closed {'higher' if up else 'lower'} day after day, {size} in all",
    )


def _say_deviation(one: Proved, before: Sequence[Proved], tongue: Tongue) -> str:
    del before
    sessions, deviation, limit = one.figures
    days, name = _days(one.part, tongue), tongue.pick(one.part.zh, one.part.en)
    is_exchange = isinstance(limit.cite, CompetenceCite) and (
        limit.cite.competence_id == DEVIATIONS[0]
    )
    rule = tongue.pick(
        "异常波动标准" if is_exchange else "本工作台标准",
        "abnormal-movement rule" if is_exchange else "house rule",
    )
    # With its sign: a sum of daily differences is no height above the index.
    far = tongue.figure(deviation)
    return tongue.pick(
        f"{days}连续{tongue.figure(sessions)}累计偏离{name} {far}（{rule} {tongue.figure(limit)}）",
        f"{days}: over {tongue.figure(sessions)} the deviation from the {name} added up to {far} "
        f"({rule}: {tongue.figure(limit)})",
    )


def _say_quoted(one: Proved, before: Sequence[Proved], tongue: Tongue) -> str:
    del before
    said = tongue.pick(one.part.zh, one.part.en)
    return said.format(*(tongue.signed(claim) for claim in one.figures)) if one.figures else said


def _say_unexplained(one: Proved, before: Sequence[Proved], tongue: Tongue) -> str:
    del before
    return tongue.pick(
        one.part.zh or "未找到可引用的原因", one.part.en or "no citable cause was found"
    )


_SAID: Mapping[What, Callable[[Proved, Sequence[Proved], Tongue], str]] = {
    "moved": _say_moved,
    "stretch": _say_stretch,
    "limit": _say_limit,
    "index_move": _say_index_move,
    "gap": _say_gap,
    "volume": _say_volume,
    "z": _say_z,
    "resumed": _say_resumed,
    "index_day": _say_index_day,
    "no_index": _say_no_index,
    "index_since": _say_index_since,
    "index_along": _say_index_along,
    "with_market": _say_with_market,
    "catching_up": _say_catching_up,
    "every": _say_every,
    "run": _say_run,
    "deviation": _say_deviation,
    "quoted": _say_quoted,
    "unexplained": _say_unexplained,
}
