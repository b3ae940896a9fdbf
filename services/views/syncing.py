"""The local copy of whole markets: what is in it, and how far a sync has come."""

from collections.abc import Mapping, Sequence

from services.core.errors import ProviderError
from services.core.symbols import Market
from services.core.text import Text
from services.market.publishing import PULLED
from services.market.sync_jobs import SyncJob
from services.market.sync_plan import MARKETS, Kind, Synced, TaskFailure
from services.views.parts import Parts
from services.views.source_words import problem_words, source_words
from services.views.view import CopyState, SyncState, Told

MARKET_NAMES: Mapping[str, Text] = {
    "CN": Text("A 股", "A shares"),
    "HK": Text("港股", "Hong Kong"),
    "US": Text("美股", "US"),
}
_KINDS: Mapping[str, Text] = {
    "universe": Text("名单与行情", "list and prices"),
    "reports": Text("财报", "reports"),
    "bars": Text("日线", "daily bars"),
}
_TOLD = 5


def copies(parts: Parts) -> tuple[CopyState, ...]:
    """What the copy holds, by market and kind; nothing in snapshot mode, bundled or frozen."""
    if parts.settings.mode == "snapshot" or parts.settings.frozen:
        return ()
    found = (_copy(parts, market, kind) for market in MARKETS for kind in _KINDS)
    return tuple(one for one in found if one is not None)


def _copy(parts: Parts, market: Market, kind: str) -> CopyState | None:
    marks = [one for one in parts.copy.marks(market, kind).values() if one.state == "done"]
    if not marks:
        return None
    name, what = MARKET_NAMES[market], _KINDS[kind]
    newest = max(marks, key=lambda one: one.done_at)
    return CopyState(
        name=Text(f"{name.zh} · {what.zh}", f"{name.en}: {what.en}"),
        count=len(marks) if kind != "universe" else None,
        fetched_at=newest.done_at,
        due=newest.good_until <= parts.clock.now(),
    )


def start(parts: Parts, market: Market, kinds: Sequence[Kind] = PULLED) -> SyncState:
    """Begin to pull the market, or join the pull that runs already."""
    return _state(parts.syncs.start(market, kinds))


def start_lists(parts: Parts) -> None:
    """Begin to pull the list of every market, with its prices and multiples."""
    for market in MARKETS:
        start(parts, market, ("universe",))


def lists(parts: Parts) -> tuple[SyncState, ...]:
    """How far the pulls of all markets are, of those that were begun."""
    found = (state(parts, market) for market in MARKETS)
    return tuple(one for one in found if one is not None)


def state(parts: Parts, market: Market) -> SyncState | None:
    """How far the pull is, or how the last one ended; None when there was none."""
    job = parts.syncs.of(market)
    return _state(job) if job else None


def _state(job: SyncJob) -> SyncState:
    name = MARKET_NAMES[job.market]
    if job.running:
        return SyncState(job.market, running=True, share=_share(job), told=_progress(job, name))
    if job.broken or job.done is None:
        told = Text(
            f"{name.zh}同步中断，原因已写入日志；再点一次会从断处继续",
            f"{name.en}: the sync broke off, the log says why; start it again to go on",
        )
        return SyncState(job.market, running=False, share=1.0, told=told, ok=False)
    failures = tuple(map(_failure, job.done.failures[:_TOLD]))
    told = _result(job.done, name)
    return SyncState(
        job.market, running=False, share=1.0, told=told, ok=not failures, failures=failures
    )


def _share(job: SyncJob) -> float:
    return job.progress.done / job.progress.total if job.progress else 0.0


def _progress(job: SyncJob, name: Text) -> Text:
    if job.progress is None:
        return Text(f"{name.zh}：正在取名单与行情…", f"{name.en}: asking for the list…")
    kind, done, total, subject = job.progress
    what = _KINDS[kind]
    return Text(
        f"{name.zh}：{what.zh} {done}/{total}（{subject}）",
        f"{name.en}: {what.en} {done}/{total} ({subject})",
    )


def _result(done: Synced, name: Text) -> Text:
    counts = [sum(one.values()) for one in (done.pulled, done.good_already, done.nothing)]
    zh = [f"新取 {counts[0]} 项", f"{counts[1]} 项仍有效"]
    en = [f"{counts[0]} pulled", f"{counts[1]} still good"]
    if counts[2]:
        zh.append(f"{counts[2]} 项来源没有")
        en.append(f"{counts[2]} the source has not")
    if done.failures:
        zh.append(f"{len(done.failures)} 项失败，再点一次会从断处继续")
        en.append(f"{len(done.failures)} failed; start it again to go on")
    return Text(
        f"{name.zh}同步{'未完成' if done.failures else '完成'}：{'，'.join(zh)}",
        f"{name.en} {'not all done' if done.failures else 'done'}: {', '.join(en)}",
    )


def _failure(failure: TaskFailure) -> Told:
    """`CN:reports:2026_Q3` and what the source did, in words."""
    kind = _KINDS[failure.task.split(":")[1]]
    error = failure.error
    why = problem_words(type(error).__name__)
    who = source_words(error.provider) if isinstance(error, ProviderError) else Text("", "")
    return Told(
        Text(f"{kind.zh}：{who.zh}{why.zh}", f"{kind.en}: {who.en} {why.en}"),
        f"{failure.task} {error}",
    )
