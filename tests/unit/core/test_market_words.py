"""Industries, parts of a market and groups of companies: what their files say, and that a faulty
one is refused with file, line and reason."""

import re
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from services.core.boards import BOARDS, part_of_code, read_boards
from services.core.errors import ConfigError, InputError
from services.core.groups import GROUPS, read_groups
from services.core.industries import INDUSTRIES, industry_label, read_industries
from services.core.symbols import Symbol

_SNAPSHOT = Path("data/snapshot/companies.parquet")
_RECORDED = Path("../shared/data/market2025/lists.parquet")


# The code rules as they stood in core/symbols.py before the file took their place.
_RULES = {
    "SH": {"main": "60[0135]", "star": "68[89]", "b_share": "900", "index": "000", "fund": "5"},
    "SZ": {
        "main": "00[0123]",
        "chinext": "30[012]",
        "b_share": "200",
        "index": "39[59]",
        "fund": "1[568]",
    },
    "BJ": {"bse": "920|43|82|83|87|88"},
}


def _part_of_symbol(text: str) -> str | None:
    """The part core/symbols.py puts it in."""
    try:
        symbol = Symbol.parse(text)
    except InputError:
        return None
    return "fund" if symbol.is_fund else symbol.board


@pytest.mark.parametrize("exchange", ["SH", "SZ", "BJ"])
def test_every_code_is_of_the_part_the_code_rules_say(exchange: str) -> None:
    for number in range(1000):
        code = f"{number:03d}123"
        rules = _RULES[exchange].items()
        wanted = next((part for part, head in rules if re.match(f"(?:{head})", code)), None)
        assert part_of_code(code, exchange) == wanted
        assert _part_of_symbol(f"{code}.{exchange}") == wanted


def test_every_class_of_the_bundled_lists_has_an_english_name() -> None:
    listed = pd.read_parquet(_SNAPSHOT)
    for label in listed["industry"].dropna().unique():
        assert industry_label(label).en.isascii()


@pytest.mark.skipif(not _RECORDED.exists(), reason="the recorded lists are not here")
def test_every_class_of_the_lists_of_2025_has_an_english_name() -> None:
    listed = pd.read_parquet(_RECORDED)
    labels = [label for label in listed["industry"].dropna().unique() if label]
    assert len(labels) > 100
    for label in labels:
        assert "tushare" in INDUSTRIES[label].sources
        assert industry_label(label).en.isascii()


def test_a_word_for_an_industry_is_said_of_one_alone() -> None:
    said = [word for one in INDUSTRIES.values() for word in (*one.says_zh, *one.says_en)]
    assert sorted(said) == sorted(set(said))


def test_parts_and_groups_are_called_apart() -> None:
    said = [word for one in BOARDS.values() for word in (one.zh, *one.says_zh, *one.says_en)]
    said += [word for one in GROUPS.values() for word in one.called]
    assert sorted(said) == sorted(set(said))


_INDUSTRY = '["甲"]\nen = "A"\nwithin = "乙"\nsources = []\n'
_BOARD = '[one]\nzh = "甲"\nen = "A"\nsays_zh = []\nsays_en = []\nmarket = "CN"\nreference = "x"\n'
_GROUP = '["甲"]\nen = "A"\nsays_zh = []\nsays_en = []\nreference = "x"\n'


@pytest.mark.parametrize(
    ("read", "text", "said"),
    [
        (read_industries, _INDUSTRY, "line 3.*within: no industry is called 乙"),
        (
            read_industries,
            _INDUSTRY + '["乙"]\nen = "B"\nwithin = "甲"\nsources = []\n',
            "line 3.*lies within itself",
        ),
        (read_industries, '["甲"]\nen = "A"\nsources = ["nobody"]\n', "line 3.*sources"),
        (
            read_boards,
            _BOARD + 'codes = { SH = ["600"] }\n'
            + _BOARD.replace("[one]", "[two]") + 'codes = { SH = ["600"] }\n',
            "line 16.*600 is of one too",
        ),
        (read_boards, _BOARD.replace('"CN"', '"DE"'), "line 6.*market"),
        (read_groups, _GROUP + 'members = ["600519"]\n', "line 6.*two or more|line 6.*no symbol"),
        (read_groups, _GROUP + 'members = ["600519.SH"]\n', "line 6.*two or more"),
    ],
)  # fmt: skip
def test_a_faulty_file_is_refused_with_its_line(
    tmp_path: Path, read: Callable[[Path], object], text: str, said: str
) -> None:
    path = tmp_path / "words.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=f"(?s)words.toml.*{said}"):
        read(path)
