"""Headlines about one company or with some keywords, each with how much it is about them.

The relevance score is between 0 and 1 and is computed from names found in the text, nothing else:

    score = 0.7 × title + 0.3 × summary

where `title` and `summary` are the weight of the best name found there: 1 for the company's own
name or code, 0.85 for a nickname, old or shortened name, 0.7 for a keyword of the caller, 0 for
none. A headline that the source files under the company without naming it has 0.1. What has 0 is
left out. How recent a text is does not count.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from services.core.catalogue import CATALOGUE
from services.core.errors import NoDataError, ProviderError
from services.core.ledger import Answer, Ledger
from services.core.requests import NewsRequest
from services.core.symbols import Symbol
from services.core.text import Text
from services.core.trace import Fact, Item, ToolCall
from services.market.names.names import Names
from services.market.outages import why_missing
from services.market.texts import Article, Found, fold_width, list_texts, once, stale_notes, text_of

TITLE, SUMMARY = 0.7, 0.3
OWN_NAME, OTHER_NAME, KEYWORD = 1.0, 0.85, 0.7
FILED_UNDER = 0.1
RELEVANCE = "relevance_score"
_SHORT_TICKER = 2
_LATIN = re.compile(r"[a-z0-9]")


class Alias(NamedTuple):
    """A name to look for: what it is worth and what it is."""

    text: str
    weight: float
    kind: str


class CompanyMention(NamedTuple):
    """How much of a text is about the company, and which name was found where."""

    score: float
    said: str


@dataclass(frozen=True, slots=True)
class Headlines:
    """News, the most relevant first and then the newest; `hits` by item id."""

    texts: tuple[Article, ...]
    hits: Mapping[str, CompanyMention]
    notes: tuple[Text, ...]

    def facts(self, today: date) -> tuple[Fact, ...]:
        """The scores as facts of a calculation made `today`; `raw` says what matched where."""
        return tuple(
            Fact(
                symbol=text.item.item_id,
                metric=RELEVANCE,
                metric_code=CATALOGUE.codes.get(RELEVANCE),
                value=self.hits[text.item.item_id].score,
                unit="score",
                as_of=today,
                field=RELEVANCE,
                raw=self.hits[text.item.item_id].said,
            )
            for text in self.texts
        )


def aliases(names: Names, symbol: Symbol | None, keywords: Sequence[str]) -> tuple[Alias, ...]:
    """Every name to look for, the weightiest first, each once."""
    found: list[Alias] = []
    if symbol is not None:
        called = names.list_names(symbol)
        found += [Alias(name, OWN_NAME, "名称或代码") for name in (*called.own, symbol.xueqiu)]
        found += [Alias(name, OTHER_NAME, "别名") for name in called.other]
    found += [Alias(word.strip(), KEYWORD, "关键词") for word in keywords if word.strip()]
    first: dict[str, Alias] = {}
    for alias in found:
        first.setdefault(fold_width(alias.text), alias)
    return tuple(first.values())


def relevance(item: Item, wanted: Sequence[Alias], symbol: Symbol | None) -> CompanyMention:
    """The score of one headline and why; see the module for the formula."""
    title, summary = _best(item.title, wanted), _best(item.text, wanted)
    said = [
        f"{place}含「{alias.text}」（{alias.kind}）"
        for place, alias in (("标题", title), ("摘要", summary))
        if alias is not None
    ]
    if said:
        score = TITLE * (title.weight if title else 0) + SUMMARY * (
            summary.weight if summary else 0
        )
        return CompanyMention(round(score, 4), "；".join(said))
    if symbol is not None and item.symbol == symbol.value:
        return CompanyMention(FILED_UNDER, f"来源归在 {symbol.xueqiu} 名下，标题与摘要未提到")
    return CompanyMention(0.0, "")


def headlines(
    ledger: Ledger, names: Names, symbol: Symbol | None, keywords: Sequence[str], size: int
) -> Headlines:
    """News about a company (`symbol`), or with any of the keywords, from whoever answers.

    The source is asked for the company and for the keywords; one of the two failing loses nothing.
    Raises: NoDataError, ProviderError when neither brought a headline that is about it.
    """
    words = tuple(dict.fromkeys(word.strip() for word in keywords if word.strip()))
    if symbol is not None and not words:
        words = _names_to_ask(names, symbol)
    requests = [NewsRequest(symbol=symbol.value, size=size)] if symbol is not None else []
    requests += [NewsRequest(keywords=words, size=size)] if words else []
    answers, notes = _ask_each(ledger, requests)
    wanted = aliases(names, symbol, keywords)
    hits: dict[str, CompanyMention] = {}
    owner: dict[str, Answer] = {}
    found: list[Found] = []
    for answer in answers:
        for call, item in list_texts(answer):
            hits.setdefault(item.item_id, relevance(item, wanted, symbol))
            owner.setdefault(item.item_id, answer)
            found.append((call, item))
    told = _each_once(found)
    about = [one for one in told if hits[one[1].item_id].score > 0]
    if not about:
        why = Text(
            f"来源给出 {len(told)} 条，标题与摘要都没有提到它", f"none of {len(told)} names it"
        )
        raise NoDataError(f"news {symbol or ' '.join(words)}", why)
    if len(about) < len(told):
        left = len(told) - len(about)
        notes.append(
            Text(f"另有 {left} 条未提到它，未列出", f"{left} that do not name it left out")
        )
    about.sort(key=lambda one: _rank(one[1], hits))
    texts = tuple(text_of(ledger, owner[item.item_id], (call, item)) for call, item in about[:size])
    return Headlines(texts, hits, tuple(notes))


def _ask_each(ledger: Ledger, requests: Sequence[NewsRequest]) -> tuple[list[Answer], list[Text]]:
    """Every answer there is. Raises: the first source failure, else NoDataError, if none is."""
    answers: list[Answer] = []
    failures: list[ProviderError | NoDataError] = []
    notes: list[Text] = []
    for request in requests:
        try:
            answers.append(ledger.fetch(request))
        except (ProviderError, NoDataError) as error:
            failures.append(error)
            why = why_missing(ledger, error)
            about = request.symbol or " ".join(request.keywords)
            notes.append(Text(f"按「{about}」检索：{why.zh}", f"Asked for {about}: {why.en}"))
    if not answers:
        broken = [error for error in failures if isinstance(error, ProviderError)]
        raise (broken or failures)[0]
    calls = [call for one in answers for call in one.calls]
    return answers, [*notes, *stale_notes(calls), *_unread(calls)]


def _unread(calls: Sequence[ToolCall]) -> list[Text]:
    """The feeds that failed where others of the same source did not."""
    feeds = [key.partition(":")[2] for c in calls for key in c.labels if key.startswith("feed:")]
    zh, en = "RSS 源 {} 未能读取", "The feed {} could not be read"
    return [Text(zh.format(feed), en.format(feed)) for feed in dict.fromkeys(feeds)]


def _names_to_ask(names: Names, symbol: Symbol) -> tuple[str, ...]:
    """What a feed of all companies is searched for: the name, and the shortest English one."""
    called = names.list_names(symbol)
    every = [name for name in (*called.own, *called.other) if name != symbol.code]
    english = [name for name in every if name.isascii()]
    return tuple(dict.fromkeys((*every[:1], *([min(english, key=len)] if english else []))))


def _each_once(found: Sequence[Found]) -> list[Found]:
    """Without repeats of an address or of a headline: the same piece is in several media."""
    kept: dict[str, Found] = {}
    for call, item in once(found):
        kept.setdefault(fold_width(item.title) or item.item_id, (call, item))
    return list(kept.values())


def _rank(item: Item, hits: Mapping[str, CompanyMention]) -> tuple[float, bool, float]:
    at = item.published_at
    return (-hits[item.item_id].score, at is None, -at.timestamp() if at else 0.0)


def _best(text: str, wanted: Sequence[Alias]) -> Alias | None:
    """The weightiest name that occurs in the text; of several the first."""
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    found = [alias for alias in wanted if _occurs(alias.text, plain)]
    return max(found, key=lambda alias: alias.weight, default=None)


def _occurs(name: str, text: str) -> bool:
    """Chinese as it stands; Latin and codes as whole words; a one or two letter ticker as $GE."""
    if not name:
        return False
    if not _LATIN.search(name.casefold()):
        return fold_width(name) in fold_width(text)
    edge = re.escape(name)
    if len(name) <= _SHORT_TICKER and name.isascii():
        return re.search(rf"[$(:]\s?{edge}(?![A-Za-z0-9])", text) is not None
    pattern = rf"(?<![A-Za-z0-9]){edge}(?![A-Za-z0-9])"
    return re.search(pattern, text, re.IGNORECASE) is not None
