"""What a search of the web is limited to by its own words."""

import pytest

from services.language.web_industries import industries_of


@pytest.mark.parametrize(
    ("query", "industries"),
    [
        ("白酒 三季报", ("finance",)),
        ("证监会 立案调查", ("law", "news_center")),
        ("创新药 临床试验 进展", ("medical",)),
        ("增值税 税率 调整", ("tax",)),
        ("央行 降息", ("finance", "news_center")),
        ("量子计算 最新进展", ()),
        ("Stockholm weather", ()),
        ("Tesla stock split", ("finance",)),
    ],
)
def test_an_industry_is_one_whose_words_are_searched_for(
    query: str, industries: tuple[str, ...]
) -> None:
    assert industries_of(query) == industries
