"""`score`: a hold score, drafted, reviewed, and released only when approved."""

import json
import sys
from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

import typer

from services.cli.documents import (
    answer_lines,
    json_object,
    print_json,
    read_text,
    write_json,
)
from services.cli.opening import open_services
from services.cli.telling import StepTelling
from services.core.errors import InputError, VetoedError
from services.core.symbols import Market
from services.core.text import Language
from services.market.sync_plan import MARKETS
from services.settings import load_settings
from services.tools.schema import NOTHING

if TYPE_CHECKING:
    from services.container import Services
    from services.scoring.models import ScoreResult, Step1Output
    from services.scoring.scorer import MarketScore, ScoreRefused, ScoreRequest

_LANGUAGES = ("zh", "en")


def score_command(
    symbol: Annotated[str | None, typer.Argument(help="Company by code or name.")] = None,
    language: Annotated[
        str | None, typer.Option("--lang", metavar="zh|en", help="Language of the reason.")
    ] = None,
    batch: Annotated[
        str | None,
        typer.Option("--batch", metavar="FILE", help='JSON Lines of {"symbol"} (- is stdin).'),
    ] = None,
    market: Annotated[
        str | None,
        typer.Option(
            "--market",
            help="CN, HK or US: a whole market by rule from one screen of it, a line a company; "
            "not kept in the history. Companies a screen tells too little of have no score; the "
            "summary on standard error counts them and says why.",
        ),
    ] = None,
    *,
    by_rule: Annotated[
        bool, typer.Option("--by-rule", help="Ask no model, though one is configured.")
    ] = False,
    step1_only: Annotated[
        bool, typer.Option("--step1-only", help="Step 1 alone: a Step1Output, not scored.")
    ] = False,
    from_step1: Annotated[
        str | None,
        typer.Option(
            "--from-step1",
            metavar="FILE",
            help="Score that Step1Output (- is stdin): nothing is fetched, no history is kept.",
        ),
    ] = None,
    output: Annotated[
        str | None, typer.Option("--output", metavar="FILE", help="Write the JSON there instead.")
    ] = None,
    pack: Annotated[
        str | None,
        typer.Option("--pack", metavar="FILE", help="Write an evidence pack (.youju.zip) too."),
    ] = None,
    session: Annotated[
        str, typer.Option("--session", help="Session the run is stored under.")
    ] = "cli",
) -> None:
    """持有评分 HoldRecommendation with engine, rounds, factors, claims and trace, as JSON.

    Kept in the company's history, as a score of the pages is; a whole market is only printed.
    Exit 4, after the rounds and why each was refused, when no draft was approved.
    """
    from services.cli.verifying import write_pack
    from services.evidence_pack.answers import score_pack
    from services.scoring.scorer import ScoreRefused, ScoreRequest

    spoken = _language("--lang", language or load_settings().language)
    _refuse_mixed(symbol=symbol, batch=batch, market=market, from_step1=from_step1)
    if step1_only and symbol is None:
        raise InputError(
            "--step1-only", symbol or NOTHING, "one company: score SYMBOL --step1-only"
        )
    if output is not None and (batch is not None or market is not None):
        raise InputError("--output", output, "of one company: --batch and --market print lines")
    if batch is not None:
        with open_services() as youju:
            answer_lines(batch, lambda line: _line(youju, line, spoken, session, by_rule=by_rule))
        return
    if market is not None:
        _market(_read_market(market), spoken, session)
        return
    step1 = _read_step1(from_step1) if from_step1 is not None else None
    asked = step1.stock_code if step1 is not None else symbol
    if asked is None:
        raise InputError(
            "SYMBOL", NOTHING, "a company such as 600036.SH, --batch FILE or --market CN"
        )
    request = ScoreRequest(symbol=asked, language=spoken, by_rule=by_rule)
    with open_services() as youju:
        if step1_only:
            facts = youju.scores.find_facts(request, session, StepTelling())
            write_json(output, facts.model_dump(mode="json"))
            return
        found = _score_request(youju, request, step1, session)
        document = score_wire(found)
        packed = score_pack(youju, found, document, spoken) if pack is not None else None
    write_json(output, {**document, "made_at": _real_time()})
    if pack is not None and packed is not None:
        write_pack(pack, packed)
    if isinstance(found, ScoreRefused):
        raise VetoedError(found.reviews)


def _score_request(
    youju: "Services", request: "ScoreRequest", step1: "Step1Output | None", session: str
) -> "ScoreResult | ScoreRefused":
    """The whole of it, kept in the history; of a Step 1 made before, Step 2 alone."""
    if step1 is None:
        return youju.scores.keep(request, session, StepTelling())
    return youju.scores.score_facts(step1, request, StepTelling())


def _real_time() -> str:
    """The instant, where `timestamp` is that of the clock of the data."""
    from services.system_clock import SystemClock

    return SystemClock().now().isoformat(timespec="seconds")


def _refuse_mixed(**given: str | None) -> None:
    """Raises: InputError where more than one says whom to score."""
    named = {name: text for name, text in given.items() if text is not None}
    if len(named) > 1:
        (_, first), (name, text), *_ = named.items()
        option = f"--{name.replace('_', '-')}"
        raise InputError(option, text, f"either {option} or {first!r}, not both")


def _read_step1(path: str) -> "Step1Output":
    """What `--step1-only` wrote. Raises: InputError that names the field that is wrong."""
    from pydantic import ValidationError

    from services.scoring.models import Step1Output

    document = json_object("--from-step1", read_text("--from-step1", path))
    try:
        return Step1Output.model_validate_json(json.dumps(document))
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(
            "--from-step1", path, f"a Step1Output of `score --step1-only` ({where} {first['type']})"
        ) from None


def score_wire(found: "ScoreResult | ScoreRefused") -> Mapping[str, Any]:
    """The shape others may rely on: the recommendation's fields, and what is behind them."""
    from services.scoring.scorer import ScoreRefused

    document = found.model_dump(mode="json")
    if isinstance(found, ScoreRefused):
        return document
    told = (
        *("model_problem", "rounds", "factors", "score_claim", "coverage", "missing"),
        *("claims", "trace", "run_id"),
    )
    return {
        **document["recommendation"],
        "engine": found.engine,
        "model": found.draft.model,
        **_tell_standing(found.recommendation.hold_score, _coverage(found), found.of_day),
        **{name: document[name] for name in told},
    }


def _coverage(found: "ScoreResult") -> float:
    return next(one.value for one in found.claims if one.claim_id == found.coverage)


def _tell_standing(score: float, coverage: float, of_day: date | None) -> Mapping[str, Any]:
    """What the score means (`中文 | English`), whether it has a place among others, and the past
    day it is of (null: the run's own).
    """
    from services.scoring.rule_reason import is_ranked, stance_of

    return {
        "verdict": str(stance_of(score, coverage, past=of_day is not None)),
        "ranked": is_ranked(coverage),
        "of_day": of_day.isoformat() if of_day else None,
    }


def _read_market(text: str) -> Market:
    """The market of that name. Raises: InputError."""
    for known in MARKETS:
        if text.strip().upper() == known:
            return known
    raise InputError("--market", text, " | ".join(MARKETS), choices=MARKETS)


def _market(market: Market, language: Language, session: str) -> None:
    with open_services() as youju:
        done = youju.scores.market(
            market,
            session,
            lambda found: print_json(_market_line(found)),
            language=language,
            watch=StepTelling(),
        )
    sys.stderr.write(f"{done.model_dump_json()}\n")


def _market_line(found: "MarketScore") -> Mapping[str, Any]:
    """The recommendation with the claims of its score, its factors and their coverage."""
    if found.approval is None:
        about = {"stock_code": found.symbol, "stock_name": found.name}
        return {**about, "error": {"message": str(found.problem or "")}}
    card = found.approval.card
    claims = card.by_id

    def tell_claim(name: str | None) -> Mapping[str, Any] | None:
        return claims[name].model_dump(mode="json") if name else None

    return {
        **found.approval.recommendation.model_dump(mode="json"),
        "engine": found.approval.draft.engine,
        **_tell_standing(
            found.approval.draft.hold_score, claims[card.coverage].value, found.of_day
        ),
        "score_claim": tell_claim(card.total),
        "coverage": tell_claim(card.coverage),
        "factors": [{"factor": one.factor, "score": tell_claim(one.score)} for one in card.factors],
    }


def _line(
    youju: "Services", line: Mapping[str, Any], language: Language, session: str, *, by_rule: bool
) -> Mapping[str, Any]:
    from services.scoring.scorer import ScoreRefused, ScoreRequest

    for key in line.keys() - {"symbol", "lang"}:
        raise InputError(key, line[key], "the keys of a line are symbol and lang")
    symbol, spoken = line.get("symbol", NOTHING), line.get("lang", language)
    if not isinstance(symbol, str):
        raise InputError("symbol", symbol, "a company such as 600036.SH")
    request = ScoreRequest(symbol=symbol, language=_language("lang", spoken), by_rule=by_rule)
    found = youju.scores.keep(request, session)
    if isinstance(found, ScoreRefused):
        raise VetoedError(found.reviews)
    return score_wire(found)


def _language(name: str, text: object) -> Language:
    if text not in _LANGUAGES:
        raise InputError(name, text, " | ".join(_LANGUAGES))
    return "en" if text == "en" else "zh"
