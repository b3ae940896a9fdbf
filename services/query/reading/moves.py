"""What rises and falls: year after year, by so much, twofold, how long, on which sessions."""

from collections.abc import Sequence
from dataclasses import replace

from services.query.algebra.nodes import (
    ALL,
    OWN,
    YEAR_BEFORE,
    AllOf,
    AnyOf,
    Change,
    Compare,
    Const,
    Every,
    Expr,
    Metric,
    Sign,
    When,
    both,
)
from services.query.reading.figures_said import RUNS, base, is_of_days, is_of_years
from services.query.reading.phrases import (
    Amount,
    Fig,
    Time,
    constant,
    figure,
)
from services.query.reading.predicates import (
    TURNED_SIGN,
    AskedOf,
    Condition,
    DayTest,
    InYears,
    compare,
    limited,
)

_NOUGHT = Amount(0.0, "percent")


def fall_below(phrase: Fig, sign: Sign, amount: Amount) -> tuple[Sign, Amount]:
    """跌超3%: a change below −3 %."""
    return TURNED_SIGN[sign], amount._replace(value=-amount.value)


def every_year(
    count: object, phrase: Fig, sign: Sign | None, amount: Amount | None, move: str = ""
) -> Condition | None:
    """连续三年 ROE 大于15%, 净利润增长(超过20%), 亏损; every year since 2012. `count`: so many
    years, or their window.
    """
    if move in ("up", "down"):
        return moved_every_year(count, phrase, move, sign or "gt", amount)
    if move and phrase.mets not in ((), ("net_profit",)):
        return None
    phrase = replace(phrase, mets=("net_profit",)) if move else phrase
    if len(phrase.mets) != 1 or not sign or amount is None or phrase.peer or phrase.agg:
        return None
    name = phrase.mets[0]
    right, left = constant(name, amount), figure(name, phrase, own=True)
    if right is None or left is None:
        return None
    return _every(count, phrase, Compare(sign=sign, left=left, right=right))


def loss_test(*said: str) -> tuple[Sign, Amount, str]:
    """亏损, 没有亏损, 盈利: below nought, or above it."""
    is_loss = (said[-1] == "loss") is (len(said) == 1)
    return ("lt" if is_loss else "gt"), Amount(0.0, "number"), said[-1]


def moved_every_year(
    count: object, phrase: Fig, move: str, sign: Sign = "gt", amount: Amount | None = None
) -> Condition | None:
    """连续三年净利润增长(超过20%)."""
    if phrase.single is None or not is_of_years(phrase.single):
        return None
    if amount is not None and (amount.unit not in ("percent", "number") or amount.scaled):
        return None
    value = 0.0 if amount is None else amount.value
    if move == "down":
        sign, value = TURNED_SIGN[sign], 0.0 - value
    rate = Change(how="rate", of=base(phrase.mets[0]), since=YEAR_BEFORE, until=OWN)
    test = Compare(sign=sign, left=rate, right=Const(value=value, unit="percent"))
    return _every(count, phrase, test)


def each_year(time: object) -> When | None:
    """每年 with the years it is said of: several fiscal years without a gap."""
    if not isinstance(time, Time) or not time.is_many_years or time.periods is None:
        return None
    when = time.periods
    is_span = when.kind == "years" and not when.only
    return when if is_span or (when.kind == "lastn" and when.unit == "years") else None


def in_each_year(
    phrase: Fig, sign: Sign | None, amount: Amount | None, move: str = ""
) -> Condition | None:
    """2014到2016年每年ROE都超过20%, 近五年净利润每年都在涨: the phrase says each; of a company
    without years, in each there is.
    """
    is_ever = phrase.when is None and bool(phrase.ents)
    window = ALL if is_ever else each_year(phrase.when)
    if window is None or phrase.series != "series":
        return None
    return every_year(window, replace(phrase, when=None, series=None), sign, amount, move)


def _every(count: object, phrase: Fig, test: Compare) -> Condition | None:
    if not is_of_years(phrase.mets[0]):
        return None
    if isinstance(count, When):
        window = count if phrase.when is None else None
    else:
        window = _years_of(count, phrase.when)
    return limited(phrase, Every(window=window, test=test)) if window is not None else None


def _years_of(count: object, time: Time | None) -> When | None:
    """连续三年, 截至2015年连续三年, 2014到2016年连着三年."""
    if not isinstance(count, int):
        return None
    if time is None:
        return When(kind="lastn", count=count, unit="years")
    when = time.periods
    if when is None or when.kind not in ("years", "lastn") or when.unit != "years":
        return None
    if when.kind == "lastn":
        return when if count == when.count else None
    if not isinstance(when.last, int) or not isinstance(when.first, int):
        return None
    if time.is_one_year:
        return When(kind="years", first=when.last - count + 1, last=when.last)
    return when if count == (len(when.only) or when.last - when.first + 1) else None


def in_those_years(time: Time, condition: Condition) -> Condition | None:
    """2015和2016连续两年…: the years in a row that were named before."""
    if not isinstance(condition, Every) or condition.window.kind != "lastn":
        return None
    window = _years_of(condition.window.count, time)
    return condition.but(window=window) if window is not None else None


def moved(phrase: Fig, move: str) -> Condition | None:
    """2015年净利润下滑: the growth is below nought."""
    return moved_by(phrase, move, "gt", _NOUGHT)


def moved_by(phrase: Fig, move: str, sign: Sign, amount: Amount) -> Condition | None:
    """净利润增长超过20%; several figures must all have gone so: 营收和净利润都增长."""
    if len(phrase.mets) > 1:
        return _all_moved_by(phrase, move, sign, amount)
    if (phrase.single, move) in (("high:off", "down"), ("low:off", "up")):
        return compare(phrase, sign, amount)  # 从最高点跌超30%: so far below it
    is_run = phrase.single is not None and phrase.single.partition(":")[2] in RUNS
    if phrase.single is None or is_run or phrase.agg or phrase.peer or amount.vague:
        return None
    if phrase.series:  # 2012到2016年年年增长
        window, bare = each_year(phrase.when), replace(phrase, when=None, series=None)
        return moved_every_year(window, bare, move, sign, amount) if window else None
    if amount.unit == "multiple" and move == "up":  # 增长超过一倍
        amount = amount._replace(unit="percent", value=amount.value * 100)
    if amount.unit != "percent" or sign not in TURNED_SIGN:
        return None
    value = amount.value
    if move == "down":
        sign, value = TURNED_SIGN[sign], 0.0 - value
    if (rate := _rate_of(phrase, base(phrase.single))) is None:
        return None
    return limited(phrase, Compare(sign=sign, left=rate, right=Const(value=value, unit="percent")))


def _rate_of(phrase: Fig, name: str) -> Expr | None:
    if is_of_years(name):
        return figure(f"{name}:yoy", phrase)
    return figure("close:ret", phrase) if name in ("close", "pct_change") else None


def _all_moved_by(phrase: Fig, move: str, sign: Sign, amount: Amount) -> Condition | None:
    if any(":" in one for one in phrase.mets):
        return None  # 营收增长且净利润下降: each went its own way
    alone = replace(phrase, ents=(), scope=None)
    each = [moved_by(replace(alone, mets=(one,)), move, sign, amount) for one in phrase.mets]
    return _all_held(phrase, each)


def _all_held(phrase: Fig, each: Sequence[Condition | None]) -> Condition | None:
    preds = [one for one in each if one is not None and not isinstance(one, AskedOf)]
    return limited(phrase, both(*preds)) if len(preds) == len(each) else None


def by_times(said: str) -> Amount:
    """翻倍 (`said`: x2) is a growth of 100 %."""
    return Amount((float(said.removeprefix("x")) - 1) * 100, "percent")


def moved_in_years(
    phrase: Fig, move: str, sign: Sign = "gt", amount: Amount = _NOUGHT
) -> InYears | None:
    """2010年以来每股收益哪几年下降, 哪几年增长超过20%, 哪年翻倍."""
    held = moved_by(replace(phrase, when=None), move, sign, amount)
    return InYears(held, phrase.when) if held is not None else None


def in_some_year(
    phrase: Fig | None, sign: Sign | None, amount: Amount | None, move: str = ""
) -> InYears | None:
    """净利润有没有下降过, ever below 10% between 2012 and 2016: the years it was so."""
    if phrase is None or sign is None or phrase.scope is not None:
        return None
    if move in ("loss", "profit") and phrase.mets in ((), ("net_profit",)):
        phrase, move = replace(phrase, mets=("net_profit",)), ""
    if phrase.single is None or not is_of_years(phrase.single):
        return None
    if move:
        is_moved = move in ("up", "down")
        return moved_in_years(phrase, move, sign, amount or _NOUGHT) if is_moved else None
    if amount is None:
        return None
    held = compare(replace(phrase, when=None), sign, amount)
    return InYears(held, phrase.when) if held is not None else None


# Asked of times that only sessions have rows of.
OF_SESSIONS = ("whichmonth", "months", "whichquarter", "quarters")


def gone_in(
    asked: str,
    phrase: Fig,
    move: str,
    test: tuple[Sign, Amount] = ("gt", _NOUGHT),
    *,
    is_price: bool = True,
) -> InYears | None:
    """茅台哪几年跌了, 2016年有几个月是涨的: of its price, as `asked`."""
    if phrase != Fig(ents=phrase.ents, when=phrase.when, mets=phrase.mets):
        return None
    # 哪几年下降了 may be of the reports that were told: 跌 of a company is of its price.
    is_of_price = phrase.mets == ("close",) or (not phrase.mets and asked in OF_SESSIONS)
    if not is_of_price and (phrase.mets or not phrase.ents or not is_price):
        return None
    held = moved_by(replace(phrase, when=None, mets=("close",)), move, *test)
    return InYears(held, phrase.when, asked) if held is not None else None


def doubled(phrase: Fig, before: Fig | None, said: str = "x2") -> Condition | None:
    """2016年净利润比2013年翻倍, tripled (`said`: x3)."""
    time = phrase.when
    if phrase.single is None or time is None or time.periods is None:
        return None
    when, name = time.periods, base(phrase.single)
    first, last = when.first, when.last
    if when.kind == "quarters" and time.is_one_year and before is None and is_of_years(name):
        return limited(phrase, _times_over(name, YEAR_BEFORE, when, said))
    if when.kind != "years" or not is_of_years(name) or not isinstance(first, int):
        return None
    if not isinstance(last, int):
        return None
    since = first - 1 if first == last else first
    if before is not None:
        earlier = before.when.periods if before.when else None
        if earlier is None or earlier.kind != "years" or not isinstance(earlier.first, int):
            return None
        if before != Fig(when=before.when):
            return None
        since = earlier.first
    return limited(phrase, _times_over(name, _year(since), _year(last), said))


def _times_over(name: str, since: When, until: When, said: str) -> Compare:
    times = Const(value=float(said.removeprefix("x")), unit="multiple")
    change = Change(how="multiple", of=name, since=since, until=until)
    return Compare(sign="ge", left=change, right=times)


def turned(phrase: Fig, to: str) -> Condition | None:
    """2016年扭亏为盈: a loss the year before, a profit in the year said; 转亏 the opposite."""
    time = phrase.when
    if phrase.mets not in ((), ("net_profit",)) or phrase.agg or phrase.peer or phrase.series:
        return None
    when = time.periods if time is not None and time.is_one_year else None
    if when is None or when.kind != "years" or not isinstance(when.first, int):
        return None
    before: Sign = "lt" if to == "profit" else "gt"
    zero = Const(value=0, unit="money")
    was = Metric(id="net_profit", when=_year(when.first - 1))
    now = Metric(id="net_profit", when=when)
    tests: Sequence[tuple[Sign, Metric]] = ((before, was), (TURNED_SIGN[before], now))
    return limited(phrase, both(*(Compare(sign=way, left=of, right=zero) for way, of in tests)))


def parted(phrase: Fig, grown: str) -> Condition | None:
    """增收不增利: one of revenue and profit rose on the year, the other fell."""
    if phrase.mets:
        return None
    fallen = "net_profit" if grown == "revenue" else "revenue"
    bare = replace(phrase, scope=None, ents=())
    ways = ((grown, "up"), (fallen, "down"))
    return _all_held(phrase, [moved(replace(bare, mets=(name,)), way) for name, way in ways])


def _year(year: int) -> When:
    return When(kind="years", first=year, last=year)


def parted_days(one: Fig, way: str, other: Fig, another: str) -> DayTest | None:
    """哪些天腾讯涨了但恒指跌: sessions of the first, by the moves of both."""
    time = other.when or one.when
    bare = (replace(one, when=None), replace(other, when=None))
    if any(fig != Fig(ents=fig.ents) or len(fig.ents) != 1 for fig in bare):
        return None
    if (one.when and other.when) or len(other.ents[0]) != 1:
        return None
    moved = Metric(id="pct_change", when=OWN)
    tests = tuple(
        Compare(sign="gt" if up == "up" else "lt", left=left, right=Const(value=0, unit="percent"))
        for left, up in ((moved, way), (moved.model_copy(update={"of": other.ents[0][0]}), another))
    )
    return DayTest(replace(one, when=time), AllOf(items=tests))


def gone_days(phrase: Fig, way: str) -> DayTest | None:
    """上涨的天数: sessions that ended above the one before, or below it."""
    sign: Sign = "gt" if way == "up" else "lt"
    return day_test(phrase.merged(Fig(mets=("pct_change",))), sign, _NOUGHT)


def either_day(phrase: Fig, sign: Sign | None, amount: Amount) -> DayTest | None:
    """涨跌超过5%的日子: up or down by so much; 涨跌不到1%: within it both ways."""
    moved = phrase.merged(Fig(mets=("pct_change",)))
    if amount.unit != "percent":
        return None
    up = day_test(moved, sign, amount)
    turned = TURNED_SIGN.get(sign) if sign else None
    down = day_test(moved, turned, amount._replace(value=-amount.value))
    if up is None or down is None or amount.value <= 0:
        return None
    is_beyond = sign in ("gt", "ge")
    test = (AnyOf if is_beyond else AllOf)(items=(up.test, down.test))
    return DayTest(phrase, test)


def day_test(phrase: Fig | None, sign: Sign | None, amount: Amount) -> DayTest | None:
    """收盘价高于30的交易日, 跌超5%的天数."""
    if phrase is None or len(phrase.mets) != 1 or not sign or phrase.agg or phrase.peer:
        return None
    if len(phrase.ents) > 1 or phrase.scope is not None:
        return None
    name = phrase.mets[0]
    if name in ("close:ret", "close:fall"):
        if name == "close:fall":
            sign, amount = fall_below(phrase, sign, amount)
        name = "pct_change"
    if ":" in name or not is_of_days(name):
        return None
    right = constant(name, amount)
    if right is None:
        return None
    test = Compare(sign=sign, left=Metric(id=name, when=OWN), right=right)
    return DayTest(phrase, test)
