"""Every data file of ours read as its reader reads it: a faulty one is refused at the start."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import get_args

from services.core.boards import read_boards
from services.core.catalogue import Turn, read_catalogue
from services.core.data_files import DATA_FOLDER, read_data_file
from services.core.groups import read_groups
from services.core.indexes import read_indexes
from services.core.industries import read_industries
from services.core.limits import read_limits
from services.core.score_rules import read_factors
from services.core.source_marks import read_remarks
from services.language.lattice import read_typed_words
from services.language.web_industries import Industry
from services.language.word_lists import read_word_list
from services.query.algebra.words import read_told
from services.query.planning.entries import read_entries
from services.query.reading.reasons import read_reasons
from services.query.sayings import read_sayings

# A file with no line here is one of words that are not compared with any other.
_READERS: Mapping[str, Callable[[Path], object]] = {
    "asked.toml": read_entries,
    "boards.toml": read_boards,
    "factors.toml": read_factors,
    "figures.toml": read_catalogue,
    "groups.toml": read_groups,
    "indexes.toml": read_indexes,
    "industries.toml": read_industries,
    "limits.toml": read_limits,
    "no_figures.toml": read_word_list,
    "put_back.toml": read_reasons,
    "remarks.toml": read_remarks,
    "question_words.toml": read_typed_words,
    "sayings.toml": read_sayings,
    "told.toml": read_told,
    "turns.toml": lambda path: read_word_list(path, (*get_args(Turn), "other")),
    "unknown_figures.toml": read_word_list,
    "web_industries.toml": lambda path: read_word_list(path, get_args(Industry), no_figures=False),
}


def list_data_files(folder: Path = DATA_FOLDER) -> list[Path]:
    """The files of meanings and words, by folder and name."""
    return sorted(folder.glob("catalogue/*.toml")) + sorted(folder.glob("lexicon/*.toml"))


def check_data_files(folder: Path = DATA_FOLDER) -> int:
    """How many there are, each read and none faulty: a tenth of a second.

    Raises: ConfigError with file, line and reason.
    """
    files = list_data_files(folder)
    for path in files:
        _READERS.get(path.name, read_data_file)(path)
    return len(files)
