"""The error tree: as many classes as there are reactions (house-style section 6).

YoujuError
  ConfigError           a setting is missing or wrong; names the variable
  InputError            an argument is not valid; carries name, got, valid
  NotAllowedError       whoever is signed in may not do this; carries why
  ProviderError         the source could not answer; carries provider, table
    UnavailableError    network, timeout, 5xx
      PausedError       left alone for a while after failures; carries until
      NotCoveredError   works, but has not this one; the next may
    RateLimitError      carries retry_after_s
    DeniedError         token or points not sufficient
    ChangedError        the answer has not the shape we know
    UnfinishedError     a model's answer is not whole; ask again, it counts as no answer
  NoDataError           the source answered: there is nothing; carries why
  NotVerifiedError      claims did not survive two rounds; carries failures
  VetoedError           the reviewer refused max_rounds times; carries the reviews
  StoppedError          a check was stopped before its end: it found nothing
  StoreError            database locked or damaged
    StoreHeldError      another process owns the file; a single command may work in memory
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from services.core.model_calls import ModelCall
from services.core.text import Text

Unfinished = Literal["cut", "length", "content_filter", "too_long"]


class YoujuError(Exception):
    """Root of everything a page or the command line turns into a sentence."""


class ConfigError(YoujuError):
    """A setting is missing or wrong; `variable` names it."""

    def __init__(self, variable: str, message: str) -> None:
        super().__init__(f"{variable}: {message}")
        self.variable = variable


class InputError(YoujuError):
    """An argument is not valid: which one, what was given, what is valid."""

    def __init__(
        self, name: str, got: object, valid: Text | str, *, choices: Sequence[str] = ()
    ) -> None:
        shown = repr(got)
        if len(shown) > 120:
            shown = shown[:117] + "…"
        super().__init__(f"{name}: got {shown}; valid: {valid}")
        self.name = name
        self.got = shown
        self.valid = Text.of(valid)
        self.choices = tuple(choices)


class NotAllowedError(YoujuError):
    """Whoever is signed in may not do this; `why` says it to them."""

    def __init__(self, why: Text) -> None:
        super().__init__(str(why))
        self.why = why


class ProviderError(YoujuError):
    """The source could not answer; the next one in the chain may.

    `tried` names every source asked in turn when this one, the last, failed too. `model_call` is
    the record of the call when the source is a language model.
    """

    def __init__(self, provider: str, table: str, message: str) -> None:
        super().__init__(f"{provider} {table}: {message}")
        self.provider = provider
        self.table = table
        self.message = message
        self.tried: tuple[str, ...] = (provider,)
        self.model_call: ModelCall | None = None


class UnavailableError(ProviderError):
    """Network, timeout or a 5xx answer."""


class PausedError(UnavailableError):
    """The source failed too often and is left alone until `until`."""

    def __init__(self, provider: str, table: str, message: str, *, until: datetime) -> None:
        super().__init__(provider, table, message)
        self.until = until


class NotCoveredError(UnavailableError):
    """The source works but cannot say anything of this one; no mark against it."""


class RateLimitError(ProviderError):
    """The source asks us to slow down."""

    def __init__(
        self, provider: str, table: str, message: str, *, retry_after_s: float | None = None
    ) -> None:
        super().__init__(provider, table, message)
        self.retry_after_s = retry_after_s


class DeniedError(ProviderError):
    """The token is missing, wrong, or not entitled."""


class ChangedError(ProviderError):
    """The answer has not the shape we know: a defect to fix, never retried."""


class UnfinishedError(ProviderError):
    """A model's answer that is not whole: nothing of it may be used.

    `why`: the stream was cut, the length it was given is used up, a filter of the endpoint stopped
    it, or it went on beyond every bound of ours.
    """

    def __init__(self, provider: str, table: str, message: str, *, why: Unfinished) -> None:
        super().__init__(provider, table, message)
        self.why: Unfinished = why


def provider_error(
    kind: str,
    provider: str,
    table: str,
    message: str,
    *,
    until: datetime | None = None,
    retry_after_s: float | None = None,
) -> ProviderError:
    """The error of that class name as a record has it; one nobody knows is an UnavailableError."""
    if kind == PausedError.__name__ and until is not None:
        return PausedError(provider, table, message, until=until)
    if kind == RateLimitError.__name__:
        return RateLimitError(provider, table, message, retry_after_s=retry_after_s)
    simple = (ProviderError, UnavailableError, NotCoveredError, DeniedError, ChangedError)
    known = {each.__name__: each for each in simple}
    return known.get(kind, UnavailableError)(provider, table, message)


class NoDataError(YoujuError):
    """The source answered that there is nothing; said as a fact, never replaced.

    `why` is for readers; given as a string it is read as a record has it. `advice` says what to ask
    instead, to whoever can change the arguments.
    """

    def __init__(self, what: str, why: Text | str, *, advice: str = "") -> None:
        super().__init__(f"{what}: {why}")
        self.what = what
        self.why = Text.read(why) if isinstance(why, str) else why
        self.advice = advice


class NotVerifiedError(YoujuError):
    """Claims did not survive verification; `failures` says why, in words."""

    def __init__(self, failures: Sequence[Text | str]) -> None:
        self.failures = tuple(map(str, failures))
        super().__init__("; ".join(self.failures) or "not verified")


class VetoedError(YoujuError):
    """The reviewer refused every draft; `reviews` keeps each reason."""

    def __init__(self, reviews: Sequence[str]) -> None:
        super().__init__(reviews[-1] if reviews else "vetoed")
        self.reviews = tuple(reviews)


class StoppedError(YoujuError):
    """A check was stopped before its end: it found nothing, right or wrong."""


class StoreError(YoujuError):
    """The database is locked or damaged; the message says what holds it."""


class StoreHeldError(StoreError):
    """Another process owns the database file; the message names it."""


class StoreAwayError(StoreError):
    """The server that keeps the records does not answer; the next use after it is back works."""
