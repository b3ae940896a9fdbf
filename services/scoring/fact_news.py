"""Step 1, what is said: notices of the company and news about it, counted by words in the titles.

Texts are quoted, never obeyed, and no figure is read from them; the counts are ours.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta
from hashlib import sha256
from typing import NamedTuple

from services.core.claims import Claim
from services.core.formulas import formula_for
from services.core.ledger import Ledger
from services.core.limits import COMPETENCES
from services.core.rendering import place
from services.core.score_rules import TONE_ID
from services.core.text import Text
from services.core.trace import Fact, Item, ToolCall
from services.market.feeds import notices
from services.market.news import headlines
from services.market.outages import Absence, attempt
from services.market.texts import Article, Sought, fold_width, read_published_day
from services.scoring.fact_words import AnalysisDesk, RunSubject, finding, ids, reasons
from services.scoring.models import Direction, Finding, Headline, NewsAnalysis

_DAYS = timedelta(days=COMPETENCES[TONE_ID].values["tone_days"])
_SIZE = 30
_QUOTED = 3
_TABLE = "title_tone"
_NEWS, _NOTICES = Text("新闻", "news"), Text("公告", "notices")
# Closed lists of competence score.tone: a title with words of one kind only has that tone.
_BAD = """
立案 调查 处罚 警示函 监管函 问询函 减持 预亏 预减 亏损 下滑 下降 违约 诉讼 仲裁 冻结 质押 退市
风险警示 下调 停产 召回 爆雷 延期 终止 辞职 暴跌 跌停 造假 诈骗 失信 破产 减值
probe lawsuit sued downgrade downgraded recall loss misses missed cuts slump plunge fraud default
bankruptcy delisting layoffs fined warning
"""
_GOOD = """
增持 回购 预增 扭亏 中标 获批 上调 超预期 大增 增长 突破 签订 签约 分红 派息 创新高 涨停 授权 订单
扩产 beats beat upgrade upgraded buyback raises record surge wins approval dividend expands
"""


class _Said(NamedTuple):
    """A text with its tone."""

    text: Article
    tone: Direction


_LISTS = (tuple(_BAD.split()), tuple(_GOOD.split()))


def tone_of(title: str) -> Direction:
    """Positive, negative or neutral by the words of the closed lists; neutral with both kinds."""
    bad, good = (any(_has(title, word) for word in words) for words in _LISTS)
    if bad == good:
        return "neutral"
    return "negative" if bad else "positive"


def _has(title: str, word: str) -> bool:
    if not word.isascii():
        return word in fold_width(title)
    return word in "".join(c if c.isalnum() else " " for c in title.casefold()).split()


def news_analysis(ledger: Ledger, subject: RunSubject, desk: AnalysisDesk) -> NewsAnalysis:
    """Titles of late with their days and origins, and how many of them are good or bad news."""
    since = subject.today - _DAYS
    sought = Sought(start=since, end=subject.today, today=subject.today, size=_SIZE)
    told = {
        _NOTICES: attempt(ledger, lambda: notices(ledger, subject.symbol, sought).texts),
        _NEWS: attempt(
            ledger, lambda: headlines(ledger, desk.names, subject.symbol, (), _SIZE).texts
        ),
    }
    why = {what: one.why for what, one in told.items() if isinstance(one, Absence)}
    texts = [text for one in told.values() if not isinstance(one, Absence) for text in one]
    said = [
        _Said(text, tone_of(text.item.title))
        for text in texts
        if (day := read_published_day(text.call, text.item)) is not None
        and since <= day <= subject.today
    ]
    said.sort(key=lambda one: (-_time(one.text.item), one.text.item.item_id))
    if not said:
        why = why or {_NEWS: Text("近期没有注明日期的标题", "no dated titles of late")}
        return _nothing(subject, why)
    return _tell_news(ledger, subject, desk, said, why)


def _time(item: Item) -> float:
    return item.published_at.timestamp() if item.published_at else 0.0


def _nothing(subject: RunSubject, why: Mapping[Text, Text]) -> NewsAnalysis:
    return NewsAnalysis(
        stock_code=subject.symbol.value,
        stock_name=subject.name,
        status="missing",
        why=reasons(why),
    )


def _tell_news(
    ledger: Ledger,
    subject: RunSubject,
    desk: AnalysisDesk,
    said: Sequence[_Said],
    why: Mapping[Text, Text],
) -> NewsAnalysis:
    counts = _count_texts(ledger, subject, desk, said)
    counted, negative = counts["counted_texts"], counts["negative_texts"]
    formula = formula_for("negative_share", "negative / counted * 100")
    share = ledger.derive(formula, [negative, counted]) if formula is not None else None
    summary = Text(
        f"近期标题 {place(counted)} 条，其中负面标题 {place(negative)} 条。",
        f"{place(counted)} titles of late, {place(negative)} of them negative.",
    )
    return NewsAnalysis(
        stock_code=subject.symbol.value,
        stock_name=subject.name,
        status="partial" if why else "ok",
        why=reasons(why),
        summary=summary.zh,
        summary_en=summary.en,
        findings=tuple(_make_finding(one) for one in said if one.tone != "neutral")[:_QUOTED],
        figures=ids([share]),
        headlines=tuple(_headline(one) for one in said),
        counted=counted.claim_id,
        positive=counts["positive_texts"].claim_id,
        negative=negative.claim_id,
    )


def _headline(one: _Said) -> Headline:
    item = one.text.item
    return Headline(
        item_id=item.item_id,
        tool_call_id=one.text.call.tool_call_id,
        kind=item.kind,
        title=item.title,
        origin=item.origin or one.text.call.source,
        published_at=item.published_at,
        direction=one.tone,
    )


def _make_finding(one: _Said) -> Finding:
    day = read_published_day(one.text.call, one.text.item)
    title = _plain(one.text.item.title)
    return finding(Text(f"「{title}」", f"「{title}」"), one.tone, (), day)


def _plain(title: str) -> str:
    """The title as it may stand between marks and in a template."""
    return title.translate({ord(mark): None for mark in "「」{}"}).strip()


def _count_texts(
    ledger: Ledger, subject: RunSubject, desk: AnalysisDesk, said: Sequence[_Said]
) -> Mapping[str, Claim]:
    """The counts, put in the trace as a calculation over these very titles."""
    tones = Counter(one.tone for one in said)
    values = {
        "counted_texts": len(said),
        "positive_texts": tones["positive"],
        "negative_texts": tones["negative"],
    }
    read = "\n".join(f"{one.text.item.item_id}\t{one.text.item.title}" for one in said)
    digest = sha256(read.encode()).hexdigest()
    now = desk.clock.now()
    rows = tuple(
        Fact(
            symbol=subject.symbol.value,
            metric=metric,
            value=value,
            unit="number",
            as_of=subject.today,
            field=metric,
            raw=str(value),
        )
        for metric, value in values.items()
    )
    call = ToolCall(
        tool_call_id=f"tc_{digest[:12]}",
        name="score",
        arguments={"symbol": subject.symbol.value},
        attempts=(),
        source="youju",
        table=_TABLE,
        served_by="youju",
        fetched_at=max([now, *(one.text.call.known_at for one in said)]),
        duration_ms=0.0,
        body_sha256=digest,
        rows=rows,
    )
    ledger.record(call)
    return {fact.metric: ledger.claim(call, fact) for fact in rows}
