"""Why a part of an answer is missing, in plain words that name the source."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from services.core.errors import ConfigError, NoDataError, ProviderError, YoujuError
from services.core.ledger import Ledger
from services.core.text import Text
from services.core.trace import Attempt
from services.market.source_names import source_name

T = TypeVar("T")

_WHY: Mapping[str, tuple[str, str]] = {
    "UnavailableError": ("暂不可用", "is unavailable"),
    "NotCoveredError": ("未收录", "does not cover it"),
    "PausedError": ("连续失败，暂停询问", "failed repeatedly and is left alone for a while"),
    "RateLimitError": ("限流", "asks us to slow down"),
    "DeniedError": ("拒绝访问", "denies access"),
    "ChangedError": ("返回格式有变", "answered in an unknown format"),
}
_UNKNOWN = ("没有答复", "did not answer")


@dataclass(frozen=True, slots=True)
class Absence:
    """A part of an answer that did not come; `error` what happened."""

    why: Text
    error: NoDataError | ProviderError | ConfigError | None = None


def attempted(ledger: Ledger, ask: Callable[[], T]) -> T | Absence:
    """What `ask` gives; Absence when the source has nothing, failed, or is not configured."""
    try:
        return ask()
    except (NoDataError, ProviderError, ConfigError) as error:
        return Absence(why_missing(ledger, error), error)


def ask_each(
    ledger: Ledger, questions: Iterable[str], ask: Callable[[str], T]
) -> dict[str, T | Absence]:
    """The answer to each question, or why there is none: one failing does not lose the others."""
    return {
        question: attempted(ledger, lambda asked=question: ask(asked))
        for question in dict.fromkeys(questions)
    }


def require_one(parts: Iterable[object]) -> None:
    """An answer of which no part came is no answer.

    Raises: what happened to the first part: a setting or a source that failed before "nothing".
    """
    found = list(parts)
    absent = [one for one in found if isinstance(one, Absence)]
    errors = [one.error for one in absent if one.error is not None]
    if len(absent) < len(found) or not errors:
        return
    for kind in (ConfigError, ProviderError):
        if first := next((error for error in errors if isinstance(error, kind)), None):
            raise first
    raise errors[0]


def why_missing(ledger: Ledger, error: YoujuError) -> Text:
    """The reason for the reader; every source asked is named with what became of it."""
    if isinstance(error, NoDataError):
        return error.why
    if isinstance(error, ConfigError):
        return Text("没有配置来源", "no source is configured")
    if not isinstance(error, ProviderError):
        return Text.of(str(error))
    failed = _failures(ledger) or {error.provider: type(error).__name__}
    zh = "；".join(f"{_zh(who)}{_WHY.get(kind, _UNKNOWN)[0]}" for who, kind in failed.items())
    en = "; ".join(f"{_en(who)} {_WHY.get(kind, _UNKNOWN)[1]}" for who, kind in failed.items())
    return Text(zh, en)


def nothing_said(error: NoDataError, attempts: Sequence[Attempt]) -> NoDataError:
    """The same, naming the sources that failed before another said so: they might have it."""
    answered = attempts[-1].provider if attempts else ""
    failed = {
        one.provider: kind
        for one in attempts
        if (kind := one.error or "") in _WHY
        and kind != "NotCoveredError"
        and one.provider != answered
    }
    if not failed:
        return error
    who = "；".join(f"{_zh(name)}{_WHY[kind][0]}" for name, kind in failed.items())
    told = "; ".join(f"{_en(name)} {_WHY[kind][1]}" for name, kind in failed.items())
    zh, en = f"{error.why.zh}（{who}，那里或许有）", f"{error.why.en} ({told} and may have it)"
    return NoDataError(error.what, Text(zh, en))


def _zh(provider: str) -> str:
    name = source_name(provider)[0]
    return f"{name} " if name.isascii() or name[-1].isascii() else name


def _en(provider: str) -> str:
    return source_name(provider)[1]


def _failures(ledger: Ledger) -> dict[str, str]:
    """Who was asked in the call that failed last, and how each of them ended."""
    calls = ledger.trace.tool_calls
    if not calls or not calls[-1].attempts or calls[-1].attempts[-1].error is None:
        return {}
    return {one.provider: one.error for one in calls[-1].attempts if one.error is not None}
