"""What may be said for and against a score: the factors, and statements code proved of Step 1.

A scorer chooses among these by id and writes no word; each is a template in both languages. What
runs over years is left out: Step 1 knows three reports, a run may have begun before them.
"""

from collections.abc import Mapping, Sequence

from services.core.catalogue import metric_words
from services.core.claims import Claim
from services.core.ledger import Ledger
from services.core.rendering import place
from services.core.score_rules import side_of
from services.core.text import Text
from services.scoring.models import Direction, Saying, Scorecard, Side, Step1Output
from services.statements.book import Book, is_lender
from services.statements.candidates import StatementCandidate, candidates, is_beside_one, is_old
from services.statements.registry import AnyStatement
from services.statements.statement import Broken, Held
from services.statements.tongue import Tongue

# So many statements are offered beside the factors: one of each figure and kind.
_MOST = 16
_LEAST_SIZE = 0.05
_NEWS = Text("消息", "news")
_WAYS: Mapping[Direction, Side] = {"positive": 1, "neutral": 0, "negative": -1}
# A pace says the growth as well.
_SAME = {"pace": "change"}
_UNTOLD = frozenset({"trend", "extreme", "level", "gap", "watch", "event", "quote", "outdated"})


def prove_sayings(step1: Step1Output, ledger: Ledger) -> tuple[Saying, ...]:
    """The statements that hold of the company, the most telling first; nothing that became public
    after the day scored. Their figures are made on `ledger`, what is tried in vain leaves nothing.
    """
    tried = ledger.fork()
    tried.join(ledger)
    told = _list_told(step1)
    known = _book(step1, told, tried)
    held = candidates(known, wanted=lambda one: _is_wanted(one, known)).candidates
    found_ways = _ways_found(step1)
    found = [
        one
        for one in held
        if _is_offered(one, known) and found_ways.get(one.held.topic) != -one.held.stance
    ]
    book, made, topics = _book(step1, told, ledger), list[Saying](), set[tuple[str, str, int]]()
    zh, en = (Tongue(language, book, step1.as_of.year) for language in ("zh", "en"))
    for one in found:
        kind = _SAME.get(one.statement.kind, one.statement.kind)
        about = (one.held.topic, kind, one.held.stance)
        held = one.statement.check(book)
        if about in topics or isinstance(held, Broken) or len(made) == _MOST:
            continue
        topics.add(about)
        made.append(
            Saying(
                id=f"s{len(made) + 1}",
                side=held.stance,
                name=metric_words(held.topic),
                text=Text(one.statement.say(held, zh), one.statement.say(held, en)),
                statement=one.statement,
            )
        )
    whole = kept_book(step1, (*step1.claims, *ledger.claims))
    made = [
        one
        for one in made
        if one.statement is not None and isinstance(one.statement.check(whole), Held)
    ]
    return (*made, *_news(step1))


def _ways_found(step1: Step1Output) -> Mapping[str, Side]:
    """Which way Step 1 found a figure to speak: what counts for a company on the page is not told
    against it as well, as where growth is high and was higher the year before.
    """
    claims = {claim.claim_id: claim for claim in step1.claims}
    return {
        claims[one.claims[0]].metric.removesuffix("_yoy"): _WAYS[one.direction]
        for one in step1.sector.findings
        if one.claims and _WAYS[one.direction]
    }


def _news(step1: Step1Output) -> list[Saying]:
    """The titles that matter, as Step 1 quotes them."""
    return [
        Saying(
            id=f"n{at}",
            side=_WAYS[one.direction],
            name=_NEWS,
            text=Text(f"{one.text}。", f"{one.text_en}."),
        )
        for at, one in enumerate(step1.news.findings, 1)
    ]


def sayings_of(card: Scorecard) -> tuple[Saying, ...]:
    """All a scorer may choose from: the factors that have a score, then the statements."""
    claims = card.by_id
    factors: list[Saying] = []
    for at, one in enumerate(card.factors, 1):
        if one.score is None:
            continue
        score = claims[one.score]
        why = Text(f"：{one.reason}", f": {one.reason_en}") if one.reason else Text("", "")
        told = Text(
            f"{one.zh}得分 {place(score)}{why.zh}。", f"{one.en} score {place(score)}{why.en}."
        )
        name = Text(one.zh, one.en)
        factors.append(Saying(id=f"f{at}", side=side_of(score.value), name=name, text=told))
    return (*factors, *card.sayings)


def both_sides(chosen: Sequence[Saying], known: Sequence[Saying]) -> tuple[Saying, ...]:
    """What was chosen, and the most telling of a side of which nothing was."""
    found = list(chosen)
    for side in (1, -1):
        other = next((one for one in known if one.side == side), None)
        if other is not None and not any(one.side == side for one in found):
            found.append(other)
    return tuple(found)


def kept_book(step1: Step1Output, claims: Sequence[Claim]) -> Book:
    """The book of a run that is over: everything a pack of the score will hold."""
    lender = is_lender(step1.sector.industry or "")
    return Book.of_claims(claims, step1.stock_code, lender=lender)


def _list_told(step1: Step1Output) -> list[Claim]:
    """The figures there were on the day scored, in one order."""
    late = {name for one in step1.since for name in one.claims}
    return [
        one
        for one in sorted(step1.claims, key=_place_of)
        if one.claim_id not in late and not (step1.of_day and one.as_of > step1.of_day)
    ]


def _book(step1: Step1Output, told: Sequence[Claim], ledger: Ledger) -> Book:
    lender = is_lender(step1.sector.industry or "")
    return Book(told, step1.stock_code, ledger, lender=lender)


def _place_of(claim: Claim) -> tuple[str, ...]:
    """An order of claims that every run has: parts end in any order, and ids are each run's own."""
    source = getattr(claim.cite, "source", "") or ""
    told = (claim.metric, claim.symbol, claim.as_of.isoformat(), claim.period, source, claim.value)
    return tuple(str(one) for one in told)


def _is_wanted(statement: AnyStatement, book: Book) -> bool:
    """Of a kind that is a reason, and beside no one company of somebody's choice."""
    return statement.kind not in _UNTOLD and not is_beside_one(statement, book)


def _is_offered(one: StatementCandidate, book: Book) -> bool:
    """Of the newest figures, with a side, and big enough to be a reason."""
    telling = one.held.size >= _LEAST_SIZE and bool(one.held.stance)
    return telling and not is_old(one.held, book)
