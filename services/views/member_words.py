"""Who is counted, and who is not: the sentences beside counts, rankings and sums of a market."""

from collections.abc import Mapping, Sequence

from services.core.catalogue import metric_words
from services.core.claims import Claim, Figure
from services.core.industries import industry_label
from services.core.members import LISTING_WORDS, UNCLASSIFIED
from services.core.rendering import place
from services.core.text import Text, join_texts
from services.market.aggregates import ListingKind, Unclassified
from services.market.names.names import Names
from services.market.screener import ScreenResult
from services.query.algebra.industry_notes import say_in_no_industry
from services.statements.tongue import label_within

UNCLASSIFIED_WORDS = Text("未分类", "Unclassified")
_MARKETS: Mapping[str, Text] = {
    "CN": Text("A 股", "A shares"),
    "HK": Text("港股", "Hong Kong"),
    "US": Text("美股", "US"),
}
_NAMED = 3


def scope_words(symbol: str) -> Text:
    """Whom a figure is about: of members of a market `A 股 · 银行`, of a listing its code."""
    market, _, part = symbol.partition(":")
    if market not in _MARKETS:
        return Text.of(symbol)
    inner = LISTING_WORDS.get(part) or (UNCLASSIFIED_WORDS if part == UNCLASSIFIED else None)
    parts = [_MARKETS[market], *([inner or industry_label(part)] if part else [])]
    return join_texts(parts, " · ", " · ")


def left_out_words(market: Text, listed: Sequence[ListingKind]) -> Text | None:
    """What the market lists beside companies; None where it is companies only."""
    if not listed:
        return None
    day = max(one.count.as_of for one in listed).isoformat()
    zh = "、".join(f"{one.label.zh} {place(one.count)} 只" for one in listed)
    en = ", ".join(f"{one.label.en} {place(one.count)}" for one in listed)
    return Text(
        f"{market.zh}（{day}）只计公司，不计：{zh}（按交易所公布的代码区间与简称规则）。",
        f"{market.en}, {day}: companies only are counted. Left out by the exchange's published "
        f"code ranges and naming rules: {en}.",
    )


def unclassified_words(market: Text, found: Unclassified | None, names: Names) -> Text | None:
    """Who is in no industry, beside the list of one; None where everybody is in one."""
    if found is None:
        return None
    few = [names.text(symbol, said) for symbol, said in found.companies[:_NAMED]]
    said = say_in_no_industry(market, found, few)
    return Text(f"{said.zh}。", f"{said.en[:1].upper()}{said.en[1:]}.")


def moved_words(market: Text, figures: Mapping[str, Figure]) -> Text | None:
    """Over how many of a market its changes of the day are; None where everybody has one."""
    moved, total = figures["judged_pct"], figures["company_count"]
    if not isinstance(moved, Claim) or not moved.value:
        return Text(
            f"这份数据没有{market.zh}的当日涨跌幅，所以不上色。取全市场行情后即有。",
            f"These data hold no change of the day for {market.en}, so there is no colour. A fetch "
            "of the whole market brings it.",
        )
    if not isinstance(total, Claim) or moved.value == total.value:
        return None
    day = moved.as_of.isoformat()
    return Text(
        f"{market.zh}共{place(total)}，其中{place(moved)}有 {day} 的涨跌幅；中位数只是这些公司的。",
        f"{market.en}: of {place(total)}, {place(moved)} have a change of {day}; the medians are "
        "of these.",
    )


def unranked_words(
    found: ScreenResult, metric: str, names: Names, *, narrowed: bool = False
) -> Text | None:
    """Over whom a ranking is, and who could not be ranked; None where everybody could. `narrowed`:
    it is of those that satisfy conditions.
    """
    without, ranked = found.unranked, found.judged.get(found.request.order_by)
    if without is None or ranked is None:
        return None
    name = Text(metric_words(metric).zh, label_within(metric, "en"))
    told = [names.text(symbol, said) for symbol, said in without.companies[:_NAMED]]
    first = join_texts(told, "、", ", ")
    more = len(without.companies) > len(told)
    zh = f"{first.zh}{'等' if more else '共'}{place(without.count)}没有{name.zh}，"
    zh += "未参与排名。"
    en = (
        f"{place(without.count)} have no {name.en} and are not ranked"
        f"{', among them ' if more else ': '}{first.en}."
    )
    if not ranked.value:
        none = place(without.count)
        return Text(
            f"{none}都没有{name.zh}，未排名。", f"None of {none} has {name.en}: not ranked."
        )
    if narrowed:
        matches = place(found.match_count)
        return Text(f"符合条件的{matches}中，{zh}", f"Of {matches} matches: {en}")
    return Text(
        f"按有{name.zh}数据的{place(ranked)}排名；{zh}",
        f"{place(ranked)} are ranked by {name.en}. {en}",
    )
