"""Statements that hold: what they say, that it recomputes, and that no word of it can change."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.core.claims import DerivedCite, ToolCite
from services.core.ledger import Ledger
from services.core.rendering import PLACE, Language, render
from services.core.verifier import verify
from services.statements.book import ESTIMATED, Book
from services.statements.candidates import StatementCandidate, candidates, is_old
from services.statements.choosing import Chosen, balance, choose, section_of
from services.statements.level import LevelStatement
from services.statements.paragraphs import Paragraph
from services.statements.proved_texts import Made, Opening, tell_part, unproved
from services.statements.statement import Broken
from services.statements.tongue import Tongue, number_words
from services.statements.weigh import Weigh, weighed
from tests.unit.statements import samples
from tests.unit.statements.samples import BUMPY, MOVED, NOW, SOUND, SPLIT

EVERYONE = (SOUND, BUMPY, SPLIT, MOVED)
# Days, years, windows and names of figures that have a number in them.
ALLOWED = re.compile(
    r"\d{4}年报|\d{4}年|\d+月\d+日|FY\d{4}|\d+ [A-Z][a-z]+(?: \d{4})?|RSI\(14\)|MA\(\d+\)"
    r"|(?:5、20、)?(?:20|60) 日|5-, 20- and 60|(?:20|60)-session|20 个交易日|20 sessions"
    r"|\d{4}-\d\d-\d\d|\d{6}\.SH"
)
FLIPS: dict[Language, tuple[tuple[str, str], ...]] = {
    "zh": (
        ("增长", "下降"), ("下降", "增长"), ("上涨", "下跌"), ("高", "低"), ("低", "高"),
        ("加快", "放缓"), ("放缓", "加快"), ("收窄", "扩大"), ("由盈转亏", "扭亏为盈"),
        ("支持", "反对"), ("跌破", "升破"), ("四年", "五年"),
    ),
    "en": (
        ("up", "down"), ("down", "up"), ("above", "below"), ("below", "above"),
        ("faster", "slower"), ("slower", "faster"), ("grew", "fell"), ("highest", "lowest"),
    ),
}  # fmt: skip


def found(symbol: str, ledger: Ledger) -> tuple[Book, tuple[StatementCandidate, ...]]:
    book = samples.book(symbol, ledger)
    return book, candidates(book).candidates


@pytest.mark.parametrize("symbol", EVERYONE)
def test_every_figure_a_statement_adds_is_recomputed_by_the_verifier(symbol: str) -> None:
    ledger = samples.ledger()
    before = len(ledger.claims)
    _, known = found(symbol, ledger)
    assert known
    added = ledger.claims[before:]
    result = verify(ledger.claims, ledger.trace, NOW)
    assert [one for one in result.failures if one.claim_index >= before] == []
    ids = {one.claim_id for one in ledger.claims}
    for one in known:
        assert {each.claim_id for each in (*one.held.uses, *one.held.derived)} <= ids
    assert all(one.value >= 0 for one in added)  # the word says the direction, the figure none


def test_a_changed_figure_of_a_statement_is_refused() -> None:
    ledger = samples.ledger()
    before = len(ledger.claims)
    found(SOUND, ledger)
    claims = list(ledger.claims)
    at = next(n for n, one in enumerate(claims) if n >= before and one.metric == "revenue_rise")
    claims[at] = claims[at].model_copy(update={"value": claims[at].value + 1})
    checks = [one.check for one in verify(claims, ledger.trace, NOW).failures]
    assert checks == ["value_recomputed"]


def test_an_average_over_other_years_is_refused() -> None:
    ledger = samples.ledger()
    found(SOUND, ledger)
    one = next(c for c in ledger.claims if c.metric == "revenue_yearly_rise")
    assert isinstance(one.cite, DerivedCite)
    wrong = one.cite.model_copy(update={"formula": "yearly(later, earlier, 3)"})
    lie = one.model_copy(update={"cite": wrong, "value": 15.983, "claim_id": "c_" + "0" * 16})
    failures = verify([*ledger.claims, lie], ledger.trace, NOW).failures
    assert [one.check for one in failures] == ["period_equal"]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("symbol", EVERYONE)
def test_a_sentence_types_no_figure_and_no_sign_beside_a_word(
    symbol: str, language: Language
) -> None:
    book, known = found(symbol, samples.ledger())
    tongue = Tongue(language, book, 2017)
    for one in known:
        said = one.statement.say(one.held, tongue)
        assert said.endswith("。" if language == "zh" else "."), said
        bare = ALLOWED.sub("", PLACE.sub("", said))
        assert re.search(r"\d", bare) is None, said
        printed = render(said, book.claims, language)
        # An event tells changes with their sign and no word; a loss is told with its own.
        if one.statement.kind != "event" and min((c.value for c in one.held.uses), default=0) >= 0:
            assert re.search(r"[+\-]\d", ALLOWED.sub("", printed)) is None, printed
        if language == "en":
            assert re.search("[一-鿿]", said.replace("甲公司", "").replace("新闻", "")) is None, (
                said
            )


def test_the_direction_in_a_sentence_is_that_of_the_figures() -> None:
    """Read again from the printed words and the raw values, by other means than the kinds."""
    words = {"增长": 1, "下降": -1, "上涨": 1, "下跌": -1, "高 ": 1, "低 ": -1}
    for symbol in EVERYONE:
        book, known = found(symbol, samples.ledger())
        tongue = Tongue("zh", book, 2017)
        for one in known:
            tail = one.statement.clause(one.held, tongue).tail
            said = {way for word, way in words.items() if word in tail}
            if one.statement.kind in {"change", "move", "compare"} and said:
                first, second = one.held.uses[0].value, one.held.uses[1].value
                assert said == {1 if first > second else -1}, tail
            if one.statement.kind == "trend" and "连续" in tail:
                ways = {b.value > a.value for a, b in pairwise(one.held.uses)}
                assert said == ({1} if ways == {True} else {-1}) or "上升" in tail, tail


def _made(symbol: str, language: Language, ledger: Ledger, chosen: Chosen) -> list[Made]:
    book = samples.book(symbol, ledger)
    tongue = Tongue(language, book, 2017)
    told = [one for each in chosen.values() for one in each]
    parts: list[Opening | Paragraph] = [
        Opening(
            name="样本",
            dated=tuple(one.statement for one in told),
            answer=weighed(told, book),
        ),
        *(
            Paragraph(section=name, statements=tuple(one.statement for one in each), titled=True)
            for name, each in chosen.items()
            if each
        ),
    ]
    made: list[Made] = []
    for part in parts:
        text = tell_part(part, tongue)
        assert not isinstance(text, Broken), text
        made.append(
            Made(
                text=text, part=part, symbol=symbol, language=language, year=2017, names=book.names
            )
        )
    return made


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("symbol", EVERYONE)
def test_a_text_told_again_from_what_was_stored_is_the_same(
    symbol: str, language: Language
) -> None:
    ledger = samples.ledger()
    book, known = found(symbol, ledger)
    made = _made(symbol, language, ledger, choose(known, book))
    stored = [Made.model_validate_json(one.model_dump_json()) for one in made]
    assert unproved(stored, ledger.claims) is None


@pytest.mark.parametrize("language", ["zh", "en"])
def test_one_changed_word_is_named(language: Language) -> None:
    ledger = samples.ledger()
    flipped = 0
    for symbol in EVERYONE:
        book, known = found(symbol, ledger)
        for one in _made(symbol, language, ledger, choose(known, book)):
            for word, other in FLIPS[language]:
                if word not in one.text:
                    continue
                lie = one.model_copy(update={"text": one.text.replace(word, other, 1)})
                wrong = unproved([lie], ledger.claims)
                assert wrong is not None
                assert wrong.code == "another_text"
                assert other[0] in wrong.why.zh
                flipped += 1
    assert flipped >= 10


def test_a_statement_whose_figure_was_not_kept_does_not_stand() -> None:
    ledger = samples.ledger()
    book, known = found(SOUND, ledger)
    made = _made(SOUND, "zh", ledger, choose(known, book))
    kept = [one for one in ledger.claims if one.metric != "revenue_yearly_rise"]
    wrong = unproved(made, kept)
    assert wrong is not None
    assert wrong.code == "no_formula"


@pytest.mark.parametrize("symbol", EVERYONE)
@settings(max_examples=10)
@given(data=st.data())
def test_any_choice_is_told_and_has_both_sides(symbol: str, data: st.DataObject) -> None:
    ledger = samples.ledger()
    book, known = found(symbol, ledger)
    chosen: Chosen = {}
    picked = st.lists(st.sampled_from(known), min_size=1, max_size=9, unique_by=id)
    for one in data.draw(picked):
        section = section_of(one)
        if section is not None:
            chosen.setdefault(section, []).append(one)
    chosen = balance(chosen, known, book)
    for language in ("zh", "en"):
        assert unproved(_made(symbol, language, ledger, chosen), ledger.claims) is None
    told = [one for each in chosen.values() for one in each]
    answer = weighed(told, book)
    # A side that is known and telling is never called empty.
    assert answer.check(book, known) is None


def test_an_answer_that_leaves_a_side_out_is_refused() -> None:
    book, known = found(SOUND, samples.ledger())
    pro = next(one for one in known if one.held.stance == 1 and one.statement.kind == "trend")
    con = next(one for one in known if one.held.stance == -1 and one.statement.kind == "trend")
    only = Weigh(pro=(pro.statement,)).check(book, known)
    assert only is not None
    assert only.code == "one_sided"
    turned = Weigh(pro=(con.statement,), con=(pro.statement,)).check(book, known)
    assert turned is not None
    assert turned.code == "wrong_side"
    assert Weigh(pro=(pro.statement,), con=(con.statement,)).check(book, known) is None


def test_the_results_of_a_sound_company_read_as_an_analyst_would() -> None:
    ledger = samples.ledger()
    book, known = found(SOUND, ledger)
    made = _made(SOUND, "zh", ledger, choose(known, book))
    texts = [render(one.text, samples.book(SOUND, ledger).claims, "zh") for one in made]
    results = next(text for text in texts if text.startswith("业绩"))
    # 156 / 150, 150 / 125, and (156 / 100) to the quarter.
    assert "营业收入 156亿元，同比增长 4.00%，增速由上年的 20.0% 放缓" in results
    assert "自2012年（100亿元）起连续四年增长，年均增长 11.8%" in results
    assert "但" in results
    assert "净资产收益率 14.3%，自2012年（16.7%）起连续四年下降" in results


def test_a_record_takes_no_word_of_its_own() -> None:
    with pytest.raises(ValueError, match="extra"):
        LevelStatement.model_validate({"claims": ["c_" + "0" * 16], "word": "up"})


def test_a_month_is_told_beside_the_month_before_and_on_its_side_of_the_line() -> None:
    book = samples.book(samples.PMI)
    found = {one.held.topic: one for one in candidates(book).candidates}
    reading = found["pmi_manufacturing"]
    assert reading.statement.kind == "reading"
    told: dict[str, str] = {}
    for language in ("zh", "en"):
        clause = reading.statement.clause(reading.held, Tongue(language, book, 2017))
        told[language] = render(f"{clause.head}，{clause.tail}", book.claims, language)
    # 51.7 in May, 51.4 in June: 0.3 points lower, above 50.
    assert told["zh"] == "制造业PMI 51.4点，比5月低 0.30点，在荣枯线 50点之上"
    assert "down 0.30 pts from May, above the 50 pts line" in told["en"]
    assert found["cpi_yoy"].statement.kind == "level"  # across a hole nothing is said to move


def _paragraph(symbol: str, *kinds: tuple[str, str]) -> dict[Language, str]:
    """What those statements (kind and figure) of the company read like as the results section."""
    book, known = found(symbol, samples.ledger())
    newest = sorted(known, key=lambda one: one.held.when.order, reverse=True)
    chosen = tuple(
        next(
            one.statement
            for one in newest
            if (one.statement.kind, one.held.topic) == wanted and not is_old(one.held, book)
        )
        for wanted in kinds
    )
    told: dict[Language, str] = {}
    for language in ("zh", "en"):
        text = tell_part(
            Paragraph(section="results", statements=chosen), Tongue(language, book, 2017)
        )
        assert not isinstance(text, Broken), text
        told[language] = render(text, book.claims, language)
    return told


def test_a_rate_is_told_once_where_the_one_before_it_is_told_too() -> None:
    told = _paragraph(SOUND, ("change", "revenue"), ("pace", "revenue"))
    assert told["zh"].count("同比增长 4.00%") == 1
    assert told["en"].count("4.00%") == 1


def test_a_loss_is_told_once_and_weighs_against() -> None:
    told = _paragraph(BUMPY, ("change", "net_profit"), ("level", "net_profit"))
    assert told["zh"] == "2016年，净利润 -1.00亿元，亏损收窄，上年为 -4.00亿元。"
    book, known = found(BUMPY, samples.ledger())
    answer = weighed([one for each in choose(known, book).values() for one in each], book)
    assert "最近一年亏损" in answer.say(book, Tongue("zh", book, 2017)).partition("但")[2]
    assert "the newest year is a loss" in answer.say(book, Tongue("en", book, 2017))


def test_growth_of_a_year_whose_next_report_is_out_speaks_for_nothing() -> None:
    _, known = found(samples.LAGGING, samples.ledger())
    of_revenue = [one for one in known if one.held.topic == "revenue"]
    assert of_revenue
    assert {one.held.stance for one in of_revenue} == {0}


def test_what_grew_is_named_in_english_where_two_things_grew() -> None:
    book, known = found(SOUND, samples.ledger())
    paces = [one for one in known if one.statement.kind == "pace"]
    slower = tuple(one.statement for one in paces if one.held.word == "slower")
    said = Weigh(con=slower).say(book, Tongue("en", book, 2017))
    assert "revenue growth slowed" in said or "revenue growth and" in said
    assert not re.search(r"(?:revenue|profit) and [a-z ]+ growth slowed", said)


def test_a_place_among_peers_is_no_estimate_though_its_figure_is() -> None:
    guessed = [
        one.model_copy(update={"cite": one.cite.model_copy(update={"note": ESTIMATED})})
        if one.metric == "pe_ttm" and isinstance(one.cite, ToolCite)
        else one
        for one in samples.ledger().claims
    ]
    book = Book.of_claims(guessed, SOUND)
    rank, median = (book.one(f"pe_ttm_peer_{word}") for word in ("rank", "median"))
    assert rank is not None
    assert median is not None
    assert book.is_rough(rank)
    assert Tongue("zh", book).figure(rank).startswith("{{")
    assert Tongue("zh", book).figure(median).startswith("约 {{")


@pytest.mark.parametrize(
    ("language", "kind", "told"),
    [
        ("zh", "trend", "净利润 14.3亿元、每股收益 1.43元，分别自2012年（100亿元、10.0亿元、1.00元"
         "）起连续四年增长，年均增长 11.8%、9.35%、9.35%。"),
        ("en", "trend", "revenue was 15.6 bn CNY, net profit was 1.43 bn CNY and EPS was 1.43 CNY, "
         "up four years running from 10.0 bn CNY, 1.00 bn CNY and 1.00 CNY in FY2012, 11.8%, 9.35% "
         "and 9.35% a year, respectively."),
        ("zh", "extreme", "净利润 14.3亿元、每股收益 1.43元，均是五份年报里最高的。"),
        ("en", "extreme", "EPS was 1.43 CNY, each the highest of five annual reports."),
    ],
)  # fmt: skip
def test_what_is_alike_of_three_figures_is_said_once(
    language: Language, kind: str, told: str
) -> None:
    book, known = found(SOUND, samples.ledger())
    wanted = {"revenue", "net_profit", "eps"}
    three = tuple(
        one.statement
        for one in known
        if one.statement.kind == kind and one.held.topic in wanted and len(one.held.uses) == 5
    )
    assert len(three) == 3
    text = tell_part(Paragraph(section="results", statements=three), Tongue(language, book, 2017))
    assert isinstance(text, str)
    assert told in render(text, book.claims, language)


@pytest.mark.parametrize(
    ("count", "zh", "en"),
    [
        (2, "两", "two"),
        (62, "六十二", "sixty-two"),
        (102, "一百零二", "one hundred and two"),
        (112, "一百一十二", "one hundred and twelve"),
        (198, "一百九十八", "one hundred and ninety-eight"),
        (220, "二百二十", "two hundred and twenty"),
    ],
)
def test_so_many_companies_are_told_in_words(count: int, zh: str, en: str) -> None:
    assert (number_words(count, "zh"), number_words(count, "en")) == (zh, en)
