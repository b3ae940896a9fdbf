"""Sources and their failures in the reader's words."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from services.core.text import Text
from services.core.trace import Attempt
from services.market.source_names import source_name

CAPABILITY_WORDS: Mapping[str, Text] = {
    "screen": Text("选股", "Screening"),
    "valuation": Text("估值", "Valuation"),
    "dated_valuations": Text("历史估值", "Dated valuations"),
    "spot": Text("盘中实时价", "Spot price"),
    "daily_bars": Text("日线", "Daily bars"),
    "financials": Text("财务报告", "Financial reports"),
    "forecast": Text("机构预期", "Consensus forecast"),
    "points": Text("全市场指标", "Figures of a market"),
    "summary": Text("市场概览", "Market summary"),
    "peers": Text("同行业公司", "Industry peers"),
    "intraday_bars": Text("分钟线", "Intraday bars"),
    "posts": Text("讨论", "Posts"),
    "notices": Text("公告", "Notices"),
    "news": Text("新闻", "News"),
    "influencers": Text("影响力用户", "Influencers"),
    "site_search": Text("站内搜索", "Site search"),
    "web_search": Text("全网搜索", "Web search"),
    "user_search": Text("用户查找", "User search"),
    "user_posts": Text("用户动态", "User posts"),
    "page": Text("页面访问", "Pages"),
    "signals": Text("盘口异动与龙虎榜", "Exchange signals"),
    "fund_flow": Text("资金流", "Money flow"),
    "macro": Text("宏观数据", "Macro series"),
    "universe": Text("全市场行情", "Whole market"),
    "market_reports": Text("全市场财报", "Whole-market reports"),
}
ERRORS: Mapping[str, Text] = {
    "UnavailableError": Text("不可用", "unavailable"),
    "NotCoveredError": Text("未收录", "does not cover it"),
    "PausedError": Text("暂停中", "paused"),
    "RateLimitError": Text("限流", "rate limited"),
    "DeniedError": Text("拒绝访问", "access denied"),
    "ChangedError": Text("返回格式有变", "changed format"),
    "NoDataError": Text("没有数据", "no data"),
}
_UNKNOWN = Text("失败", "failed")
# The same as a sentence, after the name of the source or by itself.
_PROBLEMS: Mapping[str, Text] = {
    "UnavailableError": Text(
        "连不上、出错或没有按时应答", "could not be reached, failed, or was not in time"
    ),
    "NotCoveredError": Text("没有收录这一项", "does not cover this one"),
    "PausedError": Text("连续失败，暂停询问", "failed repeatedly and is left alone for a while"),
    "RateLimitError": Text("请求过于频繁，被限流", "asks us to slow down"),
    "DeniedError": Text(
        "拒绝访问：密钥无效或权限不足", "denies access: the key is wrong or lacks permission"
    ),
    "ChangedError": Text("返回的格式与约定不符", "answered in a format we do not know"),
    "NoDataError": Text("已应答，但没有这项数据", "answered that it has no such data"),
    "ConfigError": Text("没有配置来源", "no source is configured"),
}
_NO_ANSWER = Text("没有答复", "did not answer")


def source_words(name: str) -> Text:
    """What a source is called."""
    return source_name(name)


def error_words(kind: str) -> Text:
    """What an error class means to the reader, in a word or two."""
    return ERRORS.get(kind, _UNKNOWN)


def problem_words(kind: str) -> Text:
    """What an error class means, as a sentence without its subject."""
    return _PROBLEMS.get(kind, _NO_ANSWER)


def failed_words(names: Sequence[str], kind: str) -> Text:
    """Who was asked in turn, and what became of the last: for one who gets no answer at all."""
    known = [source_words(name) for name in names]
    why = problem_words(kind)
    if len(known) < 2:
        return Text(
            f"{''.join(one.zh for one in known)}：{why.zh}",
            f"{''.join(one.en for one in known)} {why.en}",
        )
    return Text(
        f"依次问过{'、'.join(one.zh for one in known)}，都没有给出；"
        f"最后一个（{known[-1].zh}）{why.zh}",
        f"Asked in turn: {', '.join(one.en for one in known)}; none answered. "
        f"The last, {known[-1].en}, {why.en}",
    )


def served_words(served_by: str, attempts: Sequence[Attempt]) -> Text:
    """Who answered, and who could not before that: `AkShare（Tushare 限流）`."""
    failed = {
        attempt.provider: error_words(attempt.error)
        for attempt in attempts
        if attempt.error is not None and attempt.provider != served_by
    }
    name = source_words(served_by)
    if not failed:
        return name
    zh = "、".join(f"{source_words(who).zh} {why.zh}" for who, why in failed.items())
    en = ", ".join(f"{source_words(who).en} {why.en}" for who, why in failed.items())
    return Text(f"{name.zh}（{zh}）", f"{name.en} ({en})")


def age_words(fetched_at: datetime, now: datetime) -> Text:
    """How long ago something was fetched: 3 小时前."""
    age = max(now - fetched_at, timedelta())
    minutes = int(age.total_seconds() // 60)
    if minutes < 1:
        return Text("不到一分钟前", "less than a minute ago")
    if minutes < 120:
        return Text(f"{minutes} 分钟前", f"{minutes} min ago")
    hours = minutes // 60
    if hours < 48:
        return Text(f"{hours} 小时前", f"{hours} h ago")
    return Text(f"{hours // 24} 天前", f"{hours // 24} days ago")
