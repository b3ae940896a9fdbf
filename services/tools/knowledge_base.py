"""Full-text search over a folder of Markdown the user may extend; Chinese is cut into bigrams.

The index lives in memory, is built at the first search, and again when a file has changed.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from services.core.lazy import import_later

if TYPE_CHECKING:
    import tantivy
else:
    tantivy = import_later("tantivy")

_RUN = re.compile(r"[\u3400-\u9fff]+|[a-z0-9]+(?:[.\-][a-z0-9]+)*")
_HAN = re.compile(r"[\u3400-\u9fff]")
_HEADING = re.compile(r"^#{1,6}\s+(.*\S)\s*$", re.MULTILINE)
_FILLERS = re.compile(
    "请问|什么是|是什么|有什么|为什么|什么|怎么看|怎么样|怎样|怎么|如何|哪些|一下|介绍|吗|呢|？"
)
_ENOUGH = 0.4  # share of the question's tokens a passage must contain to be an answer
_WRITER_BYTES = 15_000_000


@dataclass(frozen=True, slots=True)
class Passage:
    """One section of one file: `heading` is the path of headings above it, `text` as written."""

    file: str
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class FoundPassages:
    """Passages, best first, and the sha256 of the folder they were found in."""

    passages: tuple[Passage, ...]
    body_sha256: str


@dataclass(frozen=True, slots=True)
class _Built:
    state: tuple[tuple[str, int, int], ...]
    passages: tuple[Passage, ...]
    tokens: tuple[frozenset[str], ...]
    index: "tantivy.Index"
    schema: "tantivy.Schema"
    body_sha256: str


def tokens(text: str) -> list[str]:
    """Bigrams of Chinese runs (a lone character stays itself) and whole words of the rest.

    Full-width and upper-case spellings count as the same.
    """
    found: list[str] = []
    for run in _RUN.findall(unicodedata.normalize("NFKC", text).lower()):
        if run[0] < "\u3400" or len(run) == 1:
            found.append(run)
        else:
            found += [run[i : i + 2] for i in range(len(run) - 1)]
    return found


def _index_tokens(text: str) -> list[str]:
    """The tokens of a passage, and each Chinese character for questions of one character."""
    return tokens(text) + _HAN.findall(text)


def sections(file: str, text: str) -> list[Passage]:
    """The file cut at its headings; a section without text of its own is left out."""
    passages: list[Passage] = []
    trail: list[tuple[int, str]] = []
    marks = list(_HEADING.finditer(text))
    starts = [(0, None)] + [(mark.end(), mark) for mark in marks]
    ends = [mark.start() for mark in marks] + [len(text)]
    for (start, mark), end in zip(starts, ends, strict=True):
        if mark is not None:
            level = len(mark.group()) - len(mark.group().lstrip("#"))
            trail = [item for item in trail if item[0] < level] + [(level, mark.group(1))]
        if body := text[start:end].strip():
            passages.append(Passage(file, " / ".join(name for _, name in trail), body))
    return passages


class KnowledgeBase:
    """The folder's passages; safe to share between threads."""

    def __init__(self, folder: Path) -> None:
        """`folder` is read at the first search; it may be empty or absent."""
        self._folder = folder
        self._built: _Built | None = None
        self._lock = Lock()

    def search(self, query: str, limit: int = 5) -> FoundPassages:
        """The passages that answer `query`, best first; none when the folder says nothing on it."""
        built = self._current()
        asked = list(dict.fromkeys(tokens(_FILLERS.sub(" ", query)) or tokens(query)))
        if not asked:
            return FoundPassages((), built.body_sha256)
        clauses = [
            (tantivy.Occur.Should, tantivy.Query.term_query(built.schema, name, token))
            for token in asked
            for name in ("heading", "body")
        ]
        searcher = built.index.searcher()
        hits = searcher.search(tantivy.Query.boolean_query(clauses), limit * 4).hits
        numbers = [int(searcher.doc(address)["number"][0]) for _, address in hits]
        good = [n for n in numbers if _share(asked, built.tokens[n]) >= _ENOUGH]
        return FoundPassages(tuple(built.passages[n] for n in good[:limit]), built.body_sha256)

    def _current(self) -> _Built:
        files = sorted(self._folder.glob("**/*.md"))
        stats = [(path, path.stat()) for path in files]
        state = tuple((str(path), stat.st_mtime_ns, stat.st_size) for path, stat in stats)
        with self._lock:
            if self._built is None or self._built.state != state:
                self._built = self._build(files, state)
            return self._built

    def _build(self, files: Sequence[Path], state: tuple[tuple[str, int, int], ...]) -> _Built:
        digest = sha256()
        passages: list[Passage] = []
        for path in files:
            name = path.relative_to(self._folder).as_posix()
            text = path.read_text(encoding="utf-8", errors="replace")
            digest.update(name.encode() + b"\0" + text.encode())
            passages += sections(name, text)
        builder = tantivy.SchemaBuilder()
        builder.add_unsigned_field("number", stored=True)
        for name in ("heading", "body"):
            builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
        schema = builder.build()
        index = tantivy.Index(schema)
        writer = index.writer(_WRITER_BYTES, 1)
        for number, passage in enumerate(passages):
            heading, body = _index_tokens(passage.heading), _index_tokens(passage.text)
            writer.add_document(
                tantivy.Document(number=number, heading=" ".join(heading), body=" ".join(body))
            )
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        return _Built(
            state,
            tuple(passages),
            tuple(frozenset(_index_tokens(f"{item.heading} {item.text}")) for item in passages),
            index,
            schema,
            digest.hexdigest(),
        )


def _share(asked: Sequence[str], have: frozenset[str]) -> float:
    return sum(token in have for token in asked) / len(asked)
