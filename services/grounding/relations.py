"""What a text says between two figures: 高于 and 低于, 从 … 增至 …, against the claims.

Only order is looked at, never an amount: differences and ratios need claims of their own.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from services.core.claims import Claim
from services.grounding.extremes import wrong_extremes
from services.grounding.judgement_words import wrong_readings
from services.grounding.match import CHANGES, PRICES, Mismatch, base_value, dimension_of
from services.grounding.sentence import Sentence, is_figure
from services.grounding.subject_match import Bench
from services.grounding.tokens import MARKS, CutText, TextToken

_ORDER = re.compile(
    r"(?P<more>高于|高过|超过|多于|大于|快于|贵于|强于|优于|跑赢|higher than|more than|above|"
    r"greater than|larger than|bigger than|exceed(?:s|ed|ing)?|outpac(?:es?|ed|ing)|"
    r"faster than|ahead of|more expensive than)"
    r"|(?P<less>低于|不及|少于|小于|低过|不如|不到|慢于|弱于|逊于|跑输|lower than|less than|below|"
    r"smaller than|slower than|trail(?:s|ed|ing)?\b|lag(?:s|ged|ging)?\b|cheaper than)"
)
# Behind the second figure: 较静态市盈率33.84倍略低, 较上年的8.89亿美元有所收窄.
_HELD = re.compile(r"较|比|相比|than|compared (?:with|to)|versus|against")
_ORDER_AFTER = re.compile(
    r"(?:相比|而言|来说)?,?(?:还|又|都|要|则|有所|进一步|大幅|明显|显著|略有|略|稍|小幅|远|更|仍|继续)*"
    r"(?:(?P<more>高(?!达|企|位)|贵|扩大|增长|增加|上升|提高|提升)"
    r"|(?P<less>低|便宜|收窄|缩小|减少|下降|下滑|降低|回落))(?!至|到|为|出|了|[约近\d])"
)
_MOVED = re.compile(
    r"(?P<up>增长|增加|上升|上涨|提升|提高|回升|攀升|增|升|涨|扩大|widened|rose|risen|rise|grew|increased|"
    r"climbed|up|improved|expanded|jumped|surged|advanced)"
    r"[^,;]{0,6}?(?:至|到|为| to )"
    r"|(?P<down>下降|下滑|下跌|减少|降低|回落|降|跌|减|收窄|缩小|narrowed|fell|dropped|declined|decreased|"
    r"down|slid|slipped|shrank|contracted|dipped|eased|worsened to|plunged|sank)"
    r"[^,;]{0,6}?(?:至|到|为| to )"
)
# Closed at HKD 300.2, down from HKD 301.6.
_UP_FROM = re.compile(r"\b(?:(?P<up>up|higher|rising)|(?P<down>down|lower|falling)) from ")
# Fell faster (14.4%) than revenue (7.7%).
_THAN = re.compile(
    rf"[)]?,? than (?:that of |its |the )?[{MARKS['metric']}{MARKS['entity']}'s ]+\(?"
)
_HOW_FAST = re.compile(
    r"(?:(?P<more>\bfaster|\bmore|\bmore quickly|\bfurther|\bharder)"
    r"|(?P<less>\bslower|\bmore slowly|\bless|\bless quickly))(?: by)?\s?\(?$"
)
_FROM = re.compile(r"(?:从|由|\bfrom )[^,;从由]{0,40}$")
_BACK_TO = re.compile(r"\bfrom (?:a loss of |the )?$")
_FLAT = re.compile(
    r"持平|零增长|\b(?:was|were|is|stayed|remained|roughly|broadly) (?:flat|unchanged)\b"
)
Told = tuple[int, int, Mismatch]


def wrong_relations(
    cut: CutText, sentence: Sentence, carried: Mapping[int, Claim], bench: Bench
) -> Iterator[Told]:
    """Spans whose order or movement is the reverse of what the claims say.

    `carried`: the claim of each figure of the sentence that holds, by where it starts.
    """
    if sentence.columns:
        return
    figures = [one for one in sentence.tokens if is_figure(one)]
    yield from _wrong_orders(cut, sentence, figures, carried)
    for one, other in pairwise(figures):
        left, right = carried.get(one.start), carried.get(other.start)
        if left is None or right is None or not _is_comparable(left, right):
            continue
        if other.start - one.end <= 120:
            yield from _wrong_move(cut, sentence, one, other, left, right)
    for token in figures:
        claim = carried.get(token.start)
        if claim is not None:
            yield from _wrong_yoy(cut, sentence, token, claim, bench)
    yield from _wrong_flat(cut, sentence, bench)
    yield from _wrong_company_order(cut, sentence, bench)
    yield from wrong_readings(cut, sentence, carried)
    yield from wrong_extremes(cut, sentence, carried, bench.claims)


def _is_comparable(left: Claim, right: Claim) -> bool:
    same = _kind(left.metric) == _kind(right.metric) or {left.metric, right.metric} <= PRICES
    return same and dimension_of(left) == dimension_of(right)


def _kind(metric: str) -> str:
    """市盈率(TTM)、(LYR) and their medians are of one kind, as are the growth of this and that."""
    base = metric.removesuffix("_median").removesuffix("_peer")
    base = base.removeprefix("forecast_")
    if base.endswith("_yoy"):
        return "yoy"
    return "pe" if base in {"pe", "pe_ttm", "pe_lyr"} else base


def _wrong_orders(
    cut: CutText, sentence: Sentence, figures: Sequence[TextToken], carried: Mapping[int, Claim]
) -> Iterator[Told]:
    """A高于B, 低于C和D: each is held against what the sentence is about, which none of them is."""
    subject: TextToken | None = None
    order: re.Match[str] | None = None
    for one, other in pairwise(figures):
        if subject is None or order is None:
            subject = one
        between = cut.shadow[one.end : other.start]
        joined = order is not None and _LISTED.fullmatch(between) is not None
        if not joined:
            found = list(_ORDER.finditer(between))
            order = found[-1] if found and len(between) <= 120 else None
            if _THAN.fullmatch(between):
                order = _HOW_FAST.search(cut.shadow[max(one.start - 30, 0) : one.start])
        left, right = carried.get(subject.start), carried.get(other.start)
        if left is None or right is None or dimension_of(left) != dimension_of(right):
            continue
        if left.metric.endswith("_difference") or right.metric.endswith("_difference"):
            continue  # 7.16 turns higher than Wuliangye (31.51x): by so much, not than that
        same = _is_comparable(left, right)
        if order is not None and (same or joined or _is_tight(between, order)):
            yield from _wrong_order(cut, order, subject, other, left, right)
        elif (
            order is None
            and same
            and _HELD.search(between)
            and "," not in cut.shadow[one.end + 1 : other.start].lstrip(",")
        ):
            after = _ORDER_AFTER.match(cut.plain.text, other.end)
            if after is not None:
                yield from _wrong_order(cut, after, subject, other, left, right)


_NOT = re.compile(r"(?:未|不|没有|没|\bnot |n't |\bneither |\bnor )(?:能|曾|会|再)?$")
_LISTED = re.compile(
    rf"[)元]*(?:和|与|及|以及|、| and |, and )(?:the |its )?[{MARKS['metric']}{MARKS['entity']}的]*"
    r"(?: of)?\s?\(?"
)


def _is_tight(between: str, order: re.Match[str]) -> bool:
    """Whether nothing else is begun between the word and the figure behind it."""
    behind = between[order.end() :]
    return len(behind) <= 48 and not re.search("[,;:。]", behind) and between.count(",") <= 1


def _wrong_order(
    cut: CutText, order: re.Match[str], one: TextToken, other: TextToken, left: Claim, right: Claim
) -> Iterator[Told]:
    """Losses and falls are compared as they are told: without a minus, by their size."""
    first, last = base_value(left), base_value(right)
    signed = any(cut.plain.text[each.start] in "-+" for each in (one, other))
    if first < 0 and last < 0 and not signed:
        first, last = -first, -last
    denied = _NOT.search(order.string, max(order.start() - 8, 0), order.start()) is not None
    if first != last and (bool(order.group("more")) != denied) != (first > last):
        yield other.start, other.end, _refuse_reversed(left, right)


def _wrong_move(
    cut: CutText, sentence: Sentence, one: TextToken, other: TextToken, left: Claim, right: Claim
) -> Iterator[Told]:
    """从A增至B, rose to B from A. Losses widen and narrow: they are compared as they are told."""
    if left.symbol != right.symbol or base_value(left) == base_value(right):
        return
    first, last = base_value(left), base_value(right)
    if first < 0 and last < 0:
        first, last = -first, -last
    if _FROM.search(cut.shadow, max(one.start - 44, sentence.start), one.start):
        moves = list(_MOVED.finditer(cut.shadow, one.end, other.start))
    elif _BACK_TO.search(cut.shadow, one.end, other.start):
        moves = list(_MOVED.finditer(cut.shadow, max(one.start - 30, sentence.start), one.start))
        moves += _UP_FROM.finditer(cut.shadow, one.end, other.start)
        first, last = last, first
    else:
        return
    if moves and bool(moves[-1].group("up")) != (last > first):
        yield other.start, other.end, _refuse_reversed(left, right)


def _wrong_yoy(
    cut: CutText, sentence: Sentence, token: TextToken, claim: Claim, bench: Bench
) -> Iterator[Told]:
    """净利润同比下降至50亿元, where the claims say that it rose."""
    clause = cut.shadow[max(token.start - 80, sentence.start) : token.start]
    if claim.metric in CHANGES or re.search(r"从|由|\bfrom\b", clause):
        return
    lead = cut.shadow[max(token.start - 16, sentence.start) : token.start]
    moves = list(_MOVED.finditer(lead))
    if not moves or re.search(
        "[,;" + MARKS["number"] + MARKS["place"] + "]", lead[moves[-1].start() :]
    ):
        return
    for one in bench.claims:
        if (one.symbol, one.period) == (claim.symbol, claim.period) and one.metric == (
            claim.metric + "_yoy"
        ):
            if one.value and bool(moves[-1].group("up")) != (one.value > 0):
                yield token.start, token.end, Mismatch(
                    "sign",
                    f"方向写反：证据 {one.metric}={one.value!r}",
                    f"the direction is reversed: the claim is {one.metric}={one.value!r}",
                )  # fmt: skip
            return


def _wrong_flat(cut: CutText, sentence: Sentence, bench: Bench) -> Iterator[Told]:
    """营收与上年持平, of revenue that changed by more than half a percent."""
    for match in _FLAT.finditer(cut.plain.text, sentence.start, sentence.end):
        before = [one for one in sentence.tokens if one.end <= match.start() and one.sense]
        senses = before[-1].sense.metrics if before and before[-1].sense else frozenset[str]()
        changes = {f"{metric}_yoy" for metric in senses}
        changes |= {"pct_change"} if "close" in senses else set()
        said = [one for one in bench.claims if one.metric in changes]
        if said and all(abs(one.value) > 0.5 for one in said):
            yield match.start(), match.end(), Mismatch(
                "wording",
                f"写成持平，证据是 {said[0].metric}={said[0].value!r}",
                f"told as flat, but the claim is {said[0].metric}={said[0].value!r}",
            )  # fmt: skip


_ENTITY, _METRIC = MARKS["entity"], MARKS["metric"]
_TWO = re.compile(
    rf"(?:[{_ENTITY}]+)(?:\([^()]*\))?(?:'s|的|\s|{MARKS['period']})*(?:[{_METRIC}]+)(?:[^;。]{{0,24}}?)"
    rf"(?:高于|低于|高过|低过|超过|不及|higher than|lower than|above|below)(?: that of| than)?\s?"
    rf"(?:[{_ENTITY}]+)"
)


def _wrong_company_order(cut: CutText, sentence: Sentence, bench: Bench) -> Iterator[Told]:
    """茅台的市盈率低于比亚迪, said without figures."""
    for match in _TWO.finditer(cut.shadow, sentence.start, sentence.end):
        inside = [one for one in sentence.tokens if match.start() <= one.start < match.end()]
        named = [one for one in inside if one.kind == "entity"]
        senses = [one.sense for one in inside if one.sense is not None]
        order = _ORDER.search(match.group())
        if len(named) < 2 or not senses or order is None or named[0].symbol == named[-1].symbol:
            continue
        left = _only(bench, named[0].symbol, senses[0].metrics)
        right = _only(bench, named[-1].symbol, senses[0].metrics)
        if left is None or right is None or not _is_comparable(left, right):
            continue
        different = base_value(left) != base_value(right)
        if different and bool(order.group("more")) != (base_value(left) > base_value(right)):
            yield match.start(), match.end(), _refuse_reversed(left, right)


def _only(bench: Bench, symbol: str, metrics: frozenset[str]) -> Claim | None:
    found = [one for one in bench.claims if one.symbol == symbol and one.metric in metrics]
    return found[0] if len(found) == 1 else None


def _refuse_reversed(left: Claim, right: Claim) -> Mismatch:
    said = f"{left.metric}: {left.value!r} ({left.symbol}), {right.value!r} ({right.symbol})"
    return Mismatch(
        "wording",
        f"高低或升降写反：证据为 {said}",
        f"the comparison is the wrong way round: the claims are {said}",
    )
