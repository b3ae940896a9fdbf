"""Why a part of an answer is missing, in plain words that name the source."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from services.core.errors import ConfigError, NoDataError, ProviderError, YoujuError
from services.core.ledger import Ledger
from services.core.text import Text, join_texts
from services.core.trace import Attempt
from services.market.source_names import source_name

T = TypeVar("T")

_WHY: Mapping[str, Text] = {
    "UnavailableError": Text("暂不可用", "is unavailable"),
    "NotCoveredError": Text("未收录", "does not cover it"),
    "PausedError": Text("连续失败，暂停询问", "failed repeatedly and is left alone for a while"),
    "RateLimitError": Text("限流", "asks us to slow down"),
    "DeniedError": Text("拒绝访问", "denies access"),
    "ChangedError": Text("返回格式有变", "answered in an unknown format"),
}
_UNKNOWN = Text("没有答复", "did not answer")


@dataclass(frozen=True, slots=True)
class Absence:
    """A part of an answer that did not come; `error` what happened."""

    why: Text
    error: NoDataError | ProviderError | ConfigError | None = None


def attempt(ledger: Ledger, ask: Callable[[], T]) -> T | Absence:
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
        question: attempt(ledger, lambda asked=question: ask(asked))
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
    return _tell_failures(failed)


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
    told = Text("{why}（{who}，那里或许有）", "{why} ({who} and may have it)")
    return NoDataError(error.what, told.format(why=error.why, who=_tell_failures(failed)))


def _tell_failures(failed: Mapping[str, str]) -> Text:
    """Each source that was asked, by provider and kind of failure, with what became of it."""
    return join_texts(_tell_failure(name, kind) for name, kind in failed.items())


def _tell_failure(provider: str, kind: str) -> Text:
    name, what = source_name(provider), _WHY.get(kind, _UNKNOWN)
    # A Latin word stands apart from the Chinese behind it.
    gap = " " if name.zh[-1].isascii() else ""
    return Text(f"{name.zh}{gap}{what.zh}", f"{name.en} {what.en}")


def _failures(ledger: Ledger) -> dict[str, str]:
    """Who was asked in the call that failed last, and how each of them ended."""
    calls = ledger.trace.tool_calls
    if not calls or not calls[-1].attempts or calls[-1].attempts[-1].error is None:
        return {}
    return {one.provider: one.error for one in calls[-1].attempts if one.error is not None}
