"""The actions of the remaining tools: indicators, news, a company's profile, the exchange's list of
unusual trades, and where its score is worked out. All can be asked without a key; what the data at
hand have not is said with what can be asked instead.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import cast

from pydantic import JsonValue

from services.core.claims import Claim, Figure
from services.core.errors import NoDataError, ProviderError
from services.core.industries import industry_label
from services.core.requests import SignalsRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.market.events.leads import BILLBOARD_TAG
from services.market.indicators.indicators import Indicators
from services.market.outages import why_missing
from services.market.profile import Profile
from services.query.algebra.words import MARKETS
from services.query.answering.desk import ActionDesk
from services.query.answering.indicator_notes import CROSSES, EXTREMES, tell_states
from services.query.answering.outcomes import (
    AnswerRow,
    Outcome,
    Quotation,
    columns_of,
    plain,
    quote_text,
)
from services.query.answering.sentences import figure_told, say
from services.query.assertions.of_company import SideBySide
from services.query.planning.plir import PlirNode
from services.query.sayings import saying
from services.tools.base import ToolOutput

# The words a family of indicators is asked by, in small letters, and its figures.
_FAMILIES: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ("rsi", "相对强弱"): ("rsi",),
    ("macd", "dif", "dea"): ("macd_dif", "macd_dea", "macd_histogram"),
    ("kdj", "随机指标", "stochastic"): ("kdj_k", "kdj_d", "kdj_j"),
    ("boll", "布林", "bollinger"): ("boll_upper", "boll_mid", "boll_lower"),
    ("均线", "移动平均", "ma", "moving average"): ("ma_5", "ma_10", "ma_20", "ma_60"),
    ("atr", "真实波幅"): ("atr",),
    ("adx", "趋势强度"): ("trend_strength",),
    ("量比", "volume ratio"): ("volume_multiple",),
}
# What a state is told by where no family is named.
_OF_STATES = {
    EXTREMES: ("rsi", "kdj_k", "kdj_d", "kdj_j"),
    CROSSES: _FAMILIES["macd", "dif", "dea"],
}
_USUAL = ("rsi", "macd_dif", "macd_dea", "macd_histogram", "kdj_k", "kdj_d", "ma_20", "ma_60")
_PROFILED = ("market_cap", "pe_ttm", "pe_lyr", "pb", "roe", "dy_l", "eps", "total_shares")
# The bundle's bars end long before some clocks; indicators are of the last bar there is.
_LOOKBACK = 3650
_LISTED_DAYS = timedelta(days=30)


def indicator(desk: ActionDesk, node: PlirNode) -> Outcome:
    """The indicators asked for, as of the newest bar; the usual ones where none is named."""
    symbol, subject = desk.symbol(node), desk.subject(node)
    of = {"symbol": symbol.value, "market": symbol.market}
    try:
        made = desk.viewed("compute_indicators", Indicators, **of, lookback=_LOOKBACK)
    except (NoDataError, ProviderError) as error:
        why = quote_text(why_missing(desk.ledger, error))
        return _instead(node, subject, why)
    said = str(node.arg("query") or "")
    figures = {metric: made.figures[metric] for metric in _list_wanted(said)}
    told = [one.claim_id for one in figures.values() if isinstance(one, Claim)]
    if not told:
        lost = next((made.reason(metric) for metric in figures), made.why)
        return _instead(node, subject, quote_text(lost))
    side = SideBySide(symbol=symbol.value, claims=tuple(told))
    lost = [
        quote_text(reason)
        for metric, one in figures.items()
        if not isinstance(one, Claim) and (reason := made.reason(metric))
    ]
    return Outcome(
        node,
        subject,
        {"data": [{"symbol": symbol.value, **figures}]},
        columns_of(figures),
        (AnswerRow(subject, figures, symbol.value),),
        sentences=(say(side, desk.ledger, {symbol.value: subject}),),
        notes=(
            *tell_states(said, made, figures),
            *dict.fromkeys(lost),
            *(quote_text(note) for note in made.notes),
        ),
    )


def _listed(subject: Text, symbol: Symbol, told: str | None) -> Text:
    """Where it is listed and in which industry the source has it."""
    market, industry = MARKETS[symbol.market], industry_label(plain(told or ""))
    of = saying("in_industry", industry=industry) if told else saying("no_industry")
    return saying("listed_at", subject=subject, symbol=symbol.value, market=market, of=of)


def profile(desk: ActionDesk, node: PlirNode) -> Outcome:
    """Who a company is: market, industry, size and multiples, each with its day."""
    symbol, subject = desk.symbol(node), desk.subject(node)
    of = {"symbol": symbol.value, "market": symbol.market}
    try:
        found = desk.viewed("get_fundamentals_info", Profile, **of)
    except NoDataError as error:  # where it is listed is known of every name
        row = desk.bench.names.row(symbol)
        listed = _listed(subject, symbol, row.industry if row else None)
        why = quote_text(why_missing(desk.ledger, error))
        return Outcome(node, subject, sentences=(listed,), notes=(why,))
    flat: dict[str, Figure] = {
        metric: figure for group in found.figures.values() for metric, figure in group.items()
    }
    figures = {metric: flat[metric] for metric in _PROFILED if metric in flat}
    sentences = [_listed(subject, symbol, found.industry)]
    worth = figures.get("market_cap")
    if isinstance(worth, Claim):
        sentences.append(figure_told(desk.ledger, subject, worth))
    return Outcome(
        node,
        subject,
        {"data": [{"symbol": symbol.value, "name": subject.zh, **figures}]},
        columns_of(figures),
        (AnswerRow(subject, figures, symbol.value),),
        sentences=tuple(sentences),
        notes=(saying("no_description"),),
    )


def news(desk: ActionDesk, node: PlirNode) -> Outcome:
    """Headlines about a company, the most about it first; quoted as they are."""
    symbol, subject = desk.symbol(node), desk.subject(node)
    words = [one for one in str(node.arg("query") or "").split() if one]
    of = {"symbol": symbol.value, "market": symbol.market}
    keywords = list[JsonValue](words[:10])
    try:
        output = desk.use("search_news", **of, keywords=keywords, max_items=20)
    except (NoDataError, ProviderError) as error:
        why = quote_text(why_missing(desk.ledger, error))
        return _instead(node, subject, Text(f"没有新闻：{why.zh}", f"no news: {why.en}"))
    items = _headlines(output)
    if not items:
        none = Text(f"没有找到关于{subject.zh}的新闻。", f"No news about {subject.en} was found.")
        return Outcome(node, subject, output.result, sentences=(none,), nothing=True)
    head = Text(f"{subject.zh}的新闻如下，标题照录。", f"News about {subject.en}, as titled:")
    return Outcome(node, subject, output.result, sentences=(head,), items=items)


def billboard(desk: ActionDesk, node: PlirNode) -> Outcome:
    """The days a company was on the exchange's list of unusual trades, the newest first."""
    if not node.arg("ticker"):
        return _instead(
            node,
            Text("", ""),
            Text("这里没有全市场的龙虎榜，请说是哪家公司", "there is no list of the whole market"),
        )
    symbol, subject = desk.symbol(node), desk.subject(node)
    end = desk.bench.clock.now().date()
    request = SignalsRequest(symbol=symbol.value, start=end - _LISTED_DAYS, end=end)
    try:
        answer = desk.ledger.fetch(request)
    except (NoDataError, ProviderError) as error:
        why = quote_text(why_missing(desk.ledger, error))
        return _instead(node, subject, Text(f"没有龙虎榜：{why.zh}", f"no such list: {why.en}"))
    items = tuple(
        Quotation(
            title=item.title,
            url=item.url,
            published=item.published_at.date().isoformat() if item.published_at else None,
            source=call.source,
        )
        for call in answer.calls
        for item in call.items
        if BILLBOARD_TAG in item.tags
    )
    told = saying("on_billboard", subject=subject)
    if not items:
        told = Text(f"{subject.zh}近一个月没有上龙虎榜。", f"{subject.en} was not on the list.")
    return Outcome(node, subject, sentences=(told,), items=items, nothing=not items)


def score(desk: ActionDesk, node: PlirNode) -> Outcome:
    """Where the score of a company is worked out: its own page, by public rules."""
    subject = desk.subject(node)
    return Outcome(
        node,
        subject,
        sentences=(saying("score_page", subject=subject),),
    )


def _list_wanted(said: str) -> Sequence[str]:
    """The figures of every family named, in the order of the families."""
    words = said.casefold()
    found = [
        metric
        for names, metrics in _FAMILIES.items()
        if any(_is_named(name, words) for name in names)
        for metric in metrics
    ]
    found = found or [one for state, some in _OF_STATES.items() if state in words for one in some]
    return list(dict.fromkeys(found)) or _USUAL


def _is_named(name: str, words: str) -> bool:
    """Whether the words name it; a Latin name stands alone: MA is not in MACD."""
    if not name.isascii():
        return name in words
    return re.search(rf"(?<![a-z]){re.escape(name)}s?(?![a-z])", words) is not None


def _instead(node: PlirNode, subject: Text, why: Text) -> Outcome:
    """What is not there, and what can be looked at instead."""
    return Outcome(
        node,
        subject,
        absent=saying("ask_instead", why=why),
    )


def _headlines(output: ToolOutput) -> tuple[Quotation, ...]:
    rows = cast("Sequence[Mapping[str, object]]", output.result.get("news") or ())
    return tuple(
        Quotation(
            title=str(row.get("title") or ""),
            text=_text(row.get("summary")),
            url=_text(row.get("link")) or None,
            published=str(row.get("published") or ""),
        )
        for row in rows
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
