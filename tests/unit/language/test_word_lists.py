"""The word lists are data: a faulty one is refused with its file, its line and the reason."""

from pathlib import Path

import pytest

from services.core.errors import ConfigError
from services.language.word_lists import LEXICON_FOLDER, NO_FIGURES, TURNS, read_word_list

_HEAD = '# A list.\n\n[one]\nwords = [\n  "登陆",\n]\n\n'


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('[two]\nwords = [\n  "陆续",\n  "登陆",\n]\n', "line 11, [two]: words: 登陆 is in [one]"),
        ('[two]\nwords = ["登陸"]\n', "line 9, [two]: words: 登陸 is in [one] already"),
        ('[two]\nwords = ["陆续", "净利润"]\n', "line 9, [two]: words: 净利润 is a name of net_"),
        ('[two]\nwords = ["陆续", " "]\n', "line 9, [two]: words: an empty word"),
        ("[two]\nwords = []\n", "line 9, [two]: words: Tuple should have at least 1 item"),
        ("[two]\nwords = [1]\n", "line 9, [two]: words.0: Input should be a valid string"),
        ('[two]\nword = ["陆续"]\n', "line 8, [two]: words: Field required"),
        ('[two]\nwords = ["陆续"\n', "Unclosed array (at end of document)"),
        ('[three]\nwords = ["陆续"]\n', "line 8, [three]: no such kind; one of one, two"),
    ],
)
def test_a_faulty_list_is_refused_with_its_line(tmp_path: Path, more: str, told: str) -> None:
    path = tmp_path / "words.toml"
    path.write_text(_HEAD + more, encoding="utf-8")
    with pytest.raises(ConfigError) as refusal:
        read_word_list(path, ("one", "two"))
    assert f"words.toml: {told}" in str(refusal.value)


def test_a_value_outside_of_any_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "words.toml"
    path.write_text('words = ["登陆"]\n', encoding="utf-8")
    with pytest.raises(ConfigError, match=r"line 1.*words: not a table"):
        read_word_list(path)


def test_every_list_of_the_folder_is_read() -> None:
    lists = {"no_figures.toml", "turns.toml", "unknown_figures.toml"}
    assert all(read_word_list(LEXICON_FOLDER / name) for name in lists)
    # Typed words of questions and of searches have readers of their own.
    typed = {"question_words.toml", "scopes.toml", "web_industries.toml"}
    typed |= {"company_words.toml", "vague.toml", "refusals.toml", "frames.toml"}
    typed |= {
        "composed.toml",
        "english_of_names.toml",
        "edits.toml",
        "actions.toml",
        "searches.toml",
    }
    typed |= {"replies.toml", "cantonese.toml", "colloquial.toml", "asides.toml", "plan_words.toml"}
    typed |= {"not_held.toml", "english.toml", "nicknames.toml", "times.toml"}
    typed |= {"off_topic.toml", "grammar_words.toml", "found_times.toml"}
    assert {path.name for path in LEXICON_FOLDER.glob("*.toml")} == lists | typed
    assert NO_FIGURES["登陆"] == "chinese"
    assert TURNS["同比"] == "yoy"
