"""Words written by their sound: pinyin (jinglirun), and slips that sound alike (市盈律, 片仔黄).

A text is written anew with the words meant; who reads it sees whether more of it is read then. Of a
company only a whole name of three characters or more is taken: a shorter one is asked about.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

from services.core.data_files import DATA_FOLDER, read_data_file
from services.language.dictionaries import is_general
from services.language.plain_text import is_cjk

# 四大行 is hang to everybody, xing to a dictionary of single characters.
_BANKS = re.compile(r"(?<=[大份有])行$")
_LATIN = re.compile(r"[a-z]+")
# So many characters a name begins with, where the rest of it is said in English or not at all.
_BEGUN = (2, 3)
# 净利率 is said of five syllables at the most by anybody; names of six are.
_LONGEST, _LEAST_NAME, _LEAST_WORD = 6, 3, 2
_MOST_JOINED = 4


class Sounds:
    """Words and names by their sound, without tones."""

    def __init__(self, words: Iterable[str], sure: Iterable[str], names: Iterable[str]) -> None:
        """`words` that pinyin may spell, `sure` ones that a slip may mean too (figures, sets);
        `names` of listed companies. Those of Chinese characters count.
        """
        names = tuple(names)
        self._spelled_so = _by_sound((*names, *words), _LEAST_WORD)
        self._sure = _by_sound(sure, _LEAST_WORD)
        self._names = _by_sound(names, _LEAST_NAME)
        self._begun: dict[str, list[str]] = {}
        self._inside: dict[str, set[str]] = {}
        for name in dict.fromkeys(names):
            if len(name) >= min(_BEGUN) and all(map(is_cjk, name)):
                said = _syllables(name)
                for length in _BEGUN:
                    self._begun.setdefault("".join(said[:length]), []).append(name)
                    for at in range(len(said) - length + 1):
                        self._inside.setdefault("".join(said[at : at + length]), set()).add(name)

    def in_characters(self, text: str) -> str:
        """Pinyin in the text as the words it spells; words of English stay. Small letters.

        Syllables of grammar (he: 和) are pinyin only beside a word or a name that is.
        """
        words = list(_LATIN.finditer(text))
        made, at, place, is_pinyin = list[str](), 0, 0, False
        while place < len(words):
            beside = _beside(text, words[place : place + _MOST_JOINED])
            count, said = self._find_spelled([one.group() for one in beside])
            if not count:
                place += 1
                continue
            is_pinyin = is_pinyin or len(said) >= _LEAST_WORD
            made += [text[at : words[place].start()], said]
            at = words[place + count - 1].end()
            place += count
        return "".join([*made, text[at:]]) if is_pinyin else text

    def _find_spelled(self, words: list[str]) -> tuple[int, str]:
        """How many of the words spell one of ours, the most first, and that one."""
        for count in range(min(_MOST_JOINED, len(words)), 0, -1):
            key = "".join(words[:count])
            if count < len(words) and words[count] in english_of_names():
                continue  # Yutong Bus is a name in English
            found = self._spelled_so.get(key) or _by_syllable().get(key)
            if found and not (count == 1 and is_general(key) and key not in _by_syllable()):
                return count, found
        return 0, ""

    def begun(self, word: str, beside: str) -> list[str]:
        """Names whose first characters sound so and that have what the English word `beside` stands
        for (daqin railway: 大秦铁路); without such a word every name that sounds so anywhere.
        """
        found = list(dict.fromkeys(self._begun.get(word, ())))
        wanted = english_of_names().get(beside, ())
        if kept := [name for name in found if any(one in name for one in wanted)]:
            return kept
        return [*found, *sorted(self._inside.get(word, set()) - set(found))]

    def corrected(self, text: str, start: int, end: int) -> str | None:
        """The text with a word that sounds like what stands around an unread run, or None."""
        for left in range(max(end - _LONGEST, 0), start + 1):
            for right in range(min(left + _LONGEST, len(text)), end - 1, -1):
                said = text[left:right]
                if len(said) < _LEAST_WORD or not all(map(is_cjk, said)):
                    continue
                key = sound(said)
                # 买的 sounds like 卖的: of two characters only a name is sure enough.
                meant = self._names.get(key) or (len(said) > _LEAST_WORD and self._sure.get(key))
                if meant and meant != said and len(meant) == len(said):
                    return f"{text[:left]}{meant}{text[right:]}"
        return None


def _beside(text: str, words: Sequence["re.Match[str]"]) -> list["re.Match[str]"]:
    """The words up to one behind a figure or a mark: jin 3 nian is no jinnian."""
    kept = list(words[:1])
    for one in words[1:]:
        if text[kept[-1].end() : one.start()].strip(" '-"):
            break
        kept.append(one)
    return kept


@cache
def english_of_names() -> Mapping[str, Sequence[str]]:
    """English words of names, and what Chinese names have in their place."""
    return read_data_file(DATA_FOLDER / "lexicon" / "english_of_names.toml").tables["words"]


@cache
def _by_syllable() -> Mapping[str, str]:
    """Each word of grammar by what it sounds like, in small letters."""
    words = read_data_file(DATA_FOLDER / "lexicon" / "grammar_words.toml").tables["spelled"][
        "words"
    ]
    return {sound(one).lower(): one for one in words}


def _by_sound(words: Iterable[str], least: int) -> Mapping[str, str]:
    """The first of the words that sound so, shorter lists first."""
    found: dict[str, str] = {}
    for word in words:
        if least <= len(word) <= _LONGEST and all(map(is_cjk, word)):
            found.setdefault(sound(word), word)
            if _BANKS.search(word):
                found[sound(_BANKS.sub("航", word))] = word
    return found


def sound(word: str) -> str:
    """Its pinyin without tones: 市盈率 is shiyinglv."""
    return "".join(_syllables(word))


@lru_cache(maxsize=16384)
def _syllables(word: str) -> tuple[str, ...]:
    from pypinyin import lazy_pinyin  # 0.1 s: only where a word is not read

    return tuple(lazy_pinyin(word))
