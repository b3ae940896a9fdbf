"""Every typed word of a question that is no company, a number or a time: data alone.

Names of figures are the catalogue's, of sets those of `scopes.toml`, boards and groups.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from services.core.boards import BOARDS
from services.core.catalogue import CATALOGUE
from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.groups import GROUPS
from services.core.industries import INDUSTRIES
from services.language.lattice import TypedWords, read_typed_words, spelled_for_questions
from services.query.reading.figures_said import HAD, base, names_of_figures, unknown_figures

SCOPES = DATA_FOLDER / "lexicon" / "scopes.toml"
# What a company is that no list here has.
UNLISTED = "unlisted"
# 各有几家 asks of each of two lists before it counts one.
_SURE = {"each": 0.6, "all": 0.1, "ever": 0.2}
# What the whole name of a class costs: less than words in it for a wider one.
_WHOLE_NAME = 0.6
# The sources of a market whose classes are its industries.
_CLASSES = {"CN": "bundle_cn", "HK": "bundle_hk", "US": "bundle_us"}
# 总市值, total revenue: a figure of a company, of a set the sum of them all.
_TOTAL, _OF_SETS = ("总", "total "), 1.5
# Parts of the mainland market that a list may be of.
_BOARDS = ("main", "sme", "chinext", "star", "bse", "b_share")


@cache
def small_tickers() -> frozenset[str]:
    """Tickers that people write in small letters too."""
    return frozenset(_company_words()["small_tickers"]["words"])


@cache
def _company_words() -> Mapping[str, Any]:
    path = DATA_FOLDER / "lexicon" / "company_words.toml"
    return read_data_file(path).tables


@cache
def question_words() -> TypedWords:
    """Every typed word that is no company: read once, from data alone."""
    words = read_typed_words()
    _add_edits(words)
    _add_figures(words)
    _add_scopes(words)
    for symbol, names in _company_words()["called"].items():
        for name in names:
            words.add(name, "ENT", (symbol,))
    for name, symbols in _company_words()["shared"].items():
        words.add(name, "ENT", tuple(symbols))
    return words


def _add_edits(words: TypedWords) -> None:
    """The words by which a turn changes the one before."""
    file = read_data_file(DATA_FOLDER / "lexicon" / "edits.toml").tables
    for cat, table in file.items():
        for sem, said in table.items():
            for word in said:
                words.add(word, cat, sem, _SURE.get(sem, 1.0))


def _add_figures(words: TypedWords) -> None:
    lexicon = DATA_FOLDER / "lexicon"
    said = read_data_file(lexicon / "question_words.toml").tables["figures"]
    lost = {*said["net_profit:lost"]}  # told with its sign, and ordered without it
    for name, figure in names_of_figures():
        if name in lost:
            continue
        words.add(name, "METRIC", figure, 1.0 if len(name) > 1 else 1.3)
        if figure in CATALOGUE and CATALOGUE[figure].additive and name.startswith(_TOTAL):
            words.add(name, "total", figure, _OF_SETS)
    for figure, names in said.items():
        assert base(figure) in HAD  # noqa: S101 — data of ours, see its test
        for name in names:
            words.add(name, "METRIC", figure, 1.0 if len(name) > 1 else 1.3)
    known = {spelled_for_questions(name) for name, _ in names_of_figures()}
    files = [read_data_file(lexicon / name) for name in ("unknown_figures.toml", "not_held.toml")]
    lists = [listed for one in files for table in one.tables.values() for listed in table.values()]
    for name in {*unknown_figures(), *(name for listed in lists for name in listed)}:
        spelled = spelled_for_questions(name)
        if spelled not in known and not words.meanings(spelled):
            words.add(name, "NOFIG", name)


def _add_scopes(words: TypedWords) -> None:  # noqa: C901, PLR0912 — one case a line
    book = scope_book()
    for name in book["unknown_concepts"]["say"]:
        words.add(name, "CONCEPT", name)
    for name in book["unlisted"]["say"]:
        words.add(name, "CONCEPT", UNLISTED)
    for dim in ("market", "board", "exchange", "st"):
        for key, table in book[dim].items():
            for name in table["say"]:
                words.add(name, "SCOPE", (dim, (key,), None))
    for key, table in book["industry"].items():
        for name in (*table["say"], key):
            values = tuple(table.get("members") or (key,))
            words.add(name, "SCOPE", ("industry", values, composed_label(key, table)))
        for part, names in table.get("parts", {}).items():
            for name in names:
                words.add(name, "SCOPE", ("industry", (key,), f"{key}{_say_undivided(part)}"))
    for key in _BOARDS:
        part = BOARDS[key]
        for name in (part.zh, *part.says_zh, *part.says_en):
            if not words.meanings(spelled_for_questions(name)):
                words.add(name, "SCOPE", ("board", (key,), None))
    at_home = tuple(book["market"]["CN"]["say"])
    otherwise = frozenset(book["classes_not_said"]["say"])
    for key, called in _classes():
        for name in called:
            is_two = name.startswith(at_home)  # 中国媒体: a place and an industry
            if not (is_two or name in otherwise or words.meanings(spelled_for_questions(name))):
                words.add(name, "SCOPE", ("industry", (key,), None), _WHOLE_NAME)
    for group in GROUPS.values():
        for name in () if group.part_of_industry else group.called:
            words.add(name, "SCOPE", ("symbol", group.members, group.zh))


def _classes() -> Iterator[tuple[str, Sequence[str]]]:
    """The classes of each market's own source, and what each is called."""
    for key, one in INDUSTRIES.items():
        if not set(_CLASSES.values()).isdisjoint(one.sources):
            yield key, one.called


def _say_undivided(part: str) -> str:
    return f"（数据源未细分{part}）"


def composed_label(name: str, table: Mapping[str, Any]) -> str | None:
    """How an industry of no source is told, with what it is made of: 科技行业（电子/通信）."""
    is_own = "members" in table and any(market in table for market in ("hk", "us"))
    return f"{name}（{'/'.join(table['members'])}）" if is_own and table["members"] else None


@cache
def industry_labels() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """By market, the labels its source has for an industry, and for what is finer than the
    mainland's source by how it is told here; none where it has no such class.
    """
    book = scope_book()["industry"]
    found: dict[str, Mapping[str, Sequence[str]]] = {
        "CN": {
            composed_label(name, table) or name: table.get("members", (name,))
            for name, table in book.items()
        }
        | {part: (key,) for key, table in book.items() for part in table.get("parts", {})}
    }
    for market in ("hk", "us"):
        labels = {
            composed_label(name, table) or name: table.get(market, ())
            for name, table in book.items()
        }
        for table in book.values():
            of_parts = table.get(f"{market}_parts", {})
            labels |= {_say_undivided(one): of_parts.get(one, ()) for one in table.get("parts", {})}
        found[market.upper()] = labels
    for market, source in _CLASSES.items():  # none of a class of another market alone
        own = {key: (key,) if source in INDUSTRIES[key].sources else () for key, _ in _classes()}
        found[market] = {**own, **found[market]}
    return found


def is_of_one_source(industry: str) -> bool:
    """Whether it is a class of a market's source, and no word of ours for one of every market."""
    return industry not in scope_book()["industry"]


@cache
def scope_book() -> Mapping[str, Any]:
    """The words of sets, as the file has them."""
    return read_data_file(SCOPES).tables
