"""Either-or, left out, turned round: a screen whose conditions the algebra holds.

What must come out is reckoned here from the rows of the whole market, which the plain screen gives
by its own SQL: a company without the figure satisfies neither a bound nor its contrary.
"""

from collections.abc import Callable
from functools import cache

import pytest

from services.core.claims import Claim
from services.core.errors import InputError, NoDataError
from services.core.rendering import render
from services.evidence_pack.verify import verify_pack
from services.query.algebra.nodes import Compare, Const, In, Metric, Not, Pred, both, either
from services.query.algebra.wire import query_json
from services.query.answering.answers import Answered
from services.views.run_asked import asked_words
from services.views.screen import join_either
from services.views.screen_chips import ChosenSets
from services.views.view import ScreenView
from tests.unit.reports.bundled import desk, services, session

Row = dict[str, float | str | None]
BANKS, INSURERS = "银行", "非银金融"


@cache
def market() -> dict[str, Row]:
    """Every A share by symbol: its figures, industry and name."""
    whole = desk().screen_all({"category": "CN"}, session())
    found: dict[str, Row] = {}
    for row in whole.table.rows:
        cells: Row = {
            key: cell.value if isinstance(cell, Claim) else None for key, cell in row.cells.items()
        }
        words = row.cells["industry"]
        cells["industry"] = getattr(words, "zh", words)  # type: ignore[assignment]
        cells["name"] = getattr(row.cells["name"], "zh", None)
        found[str(row.symbol)] = cells
    return found


def those(test: Callable[[Row], bool]) -> set[str]:
    return {symbol for symbol, row in market().items() if test(row)}


def at_least(row: Row, key: str, value: float) -> bool:
    held = row[key]
    return isinstance(held, float) and held >= value


def below(row: Row, key: str, value: float) -> bool:
    held = row[key]
    return isinstance(held, float) and held < value


def bound(metric: str, sign: str, value: float, unit: str) -> Pred:
    right = Const(value=value, unit=unit)
    return Compare.model_validate({"sign": sign, "left": Metric(id=metric), "right": right})


def industry(*names: str) -> Pred:
    return In(dim="industry", values=names)


ROE_OR_YIELD = either(bound("roe", "ge", 15, "percent"), bound("dy_l", "ge", 4, "percent"))


def every(**given: str) -> ScreenView:
    return desk().screen_all({"category": "CN", **given}, session())


def listed(view: ScreenView) -> set[str]:
    return {str(row.symbol) for row in view.table.rows}


def has(*tests: Pred) -> str:
    whole = both(*tests)
    assert whole is not None
    return query_json(whole)


CASES: tuple[tuple[str, Pred, Callable[[Row], bool]], ...] = (
    ("an industry left out", Not(item=industry(BANKS)), lambda row: row["industry"] != BANKS),
    (
        "any of two industries",
        industry(BANKS, INSURERS),
        lambda row: row["industry"] in {BANKS, INSURERS},
    ),
    (
        "either of two figures",
        ROE_OR_YIELD,
        lambda row: at_least(row, "roediluted", 15) or at_least(row, "dy_l", 4),
    ),
    (
        "outside a range",
        either(bound("pe_ttm", "lt", 30, "multiple"), bound("pe_ttm", "ge", 60, "multiple")),
        lambda row: below(row, "pettm", 30) or at_least(row, "pettm", 60),
    ),
    (
        "an industry or a figure",
        either(industry(BANKS), bound("pb", "lt", 1, "multiple")),
        lambda row: row["industry"] == BANKS or below(row, "pb", 1),
    ),
    (
        "no ST shares",
        Not(item=In(dim="st", values=("ST",))),
        lambda row: not str(row["name"]).startswith(("ST", "*ST", "S*ST", "SST")),
    ),
)


@pytest.mark.parametrize(
    ("test", "wanted"), [one[1:] for one in CASES], ids=[one[0] for one in CASES]
)
def test_the_companies_are_those_reckoned_from_the_whole_market(
    test: Pred, wanted: Callable[[Row], bool]
) -> None:
    view = every(filter=has(test))
    assert listed(view) == those(wanted)
    assert 0 < view.match_count.value == len(view.table.rows) < len(market())
    assert view.company_count.value == len(market())


def test_boards_are_told_by_their_codes_and_companies_by_name() -> None:
    chinext = In(dim="board", values=("chinext",))
    maotai = Not(item=In(dim="symbol", values=("600519.SH",)))
    assert listed(every(filter=has(chinext, maotai))) == {
        symbol for symbol in market() if symbol.startswith(("300", "301", "302"))
    }
    food = every(industry="食品饮料", filter=has(maotai))
    assert "600519.SH" in market()
    assert listed(food) == those(lambda row: row["industry"] == "食品饮料") - {"600519.SH"}


def test_beside_ranges_and_an_industry_all_of_it_holds() -> None:
    view = every(pettm="0_20", industry="房地产", filter=has(ROE_OR_YIELD))
    wanted = those(
        lambda row: (
            at_least(row, "pettm", 0)
            and below(row, "pettm", 20)
            and row["industry"] == "房地产"
            and (at_least(row, "roediluted", 15) or at_least(row, "dy_l", 4))
        )
    )
    assert listed(view) == wanted
    assert [chip.key for chip in view.chips] == ["pettm", "industry", "0"]
    assert view.company_count.value == len(those(lambda row: row["industry"] == "房地产"))
    for chip in view.chips:  # what dropping a condition is said to bring, it brings
        dropped = desk().screen(chip.dropped, session())
        assert dropped.match_count.value == view.relaxed[chip.key].value > view.match_count.value


@pytest.mark.parametrize("order_by", ["market_cap", "pettm", "symbol"])
@pytest.mark.parametrize("order", ["asc", "desc"])
def test_the_same_conditions_either_way_give_the_same_rows(order_by: str, order: str) -> None:
    asked = {"order_by": order_by, "order": order, "size": "40"}
    test = both(bound("pb", "ge", 2, "multiple"), bound("pb", "lt", 3, "multiple"))
    assert test is not None
    for page in (1, 3):
        plain = desk().screen({"pb": "2_3", **asked}, session(), page)
        mine = desk().screen({"filter": has(test), **asked}, session(), page)
        assert [row.symbol for row in mine.table.rows] == [row.symbol for row in plain.table.rows]
        assert len(mine.table.rows) == 40
        for one, other in zip(mine.table.rows, plain.table.rows, strict=True):
            assert {key: getattr(cell, "value", None) for key, cell in one.cells.items()} == {
                key: getattr(cell, "value", None) for key, cell in other.cells.items()
            }
    assert [render(one.zh, mine.claims) for one in mine.standing] == [
        render(one.zh, plain.claims) for one in plain.standing
    ]
    assert (mine.match_count.value, mine.pages) == (plain.match_count.value, plain.pages)


def test_a_condition_turned_round_is_the_others_that_can_be_judged_and_turns_back() -> None:
    view = every(pettm="30_60", industry=BANKS)
    by_key = {chip.key: chip for chip in view.chips}
    outside = every(**by_key["pettm"].turned)
    assert listed(outside) == those(
        lambda row: (
            row["industry"] == BANKS and (below(row, "pettm", 30) or at_least(row, "pettm", 60))
        )
    )
    turned = next(chip for chip in outside.chips if chip.key == "0")
    assert turned.words.zh == "市盈率(TTM) < 30 或 ≥ 60"
    assert turned.turned["pettm"] == "30_60"
    assert "filter" not in turned.turned
    # Who is not known to have grown is not known to have fallen.
    rising = desk().read_screen("连续三年净利润增长的银行", "CN", "zh").arguments
    grown = desk().screen(rising, session()).chips[-1]
    assert (grown.words.zh, grown.turned) == ("最近3年每期都净利润同比变化率大于0%", {})
    others = desk().screen(by_key["industry"].turned, session())
    assert others.chips[-1].words.zh == "不含银行"
    assert others.chips[-1].words.en == "excluding Banks"
    assert others.chips[-1].turned["industry"] == BANKS
    assert others.standing[-1].zh.endswith("的行业来源没有给出，无从剔除，仍在其中。")
    assert others.standing[-1].en.startswith("The source gives ")


def test_conditions_are_joined_and_sets_added_as_a_reader_picks_them() -> None:
    given = {"category": "CN", "pettm": "0_10", "pb": "min_1", "industry": BANKS}
    joined = join_either(given, ("pettm", "pb"))
    assert joined.keys() == {"category", "industry", "filter"}
    view = every(**joined)
    assert listed(view) == those(
        lambda row: (
            row["industry"] == BANKS
            and ((at_least(row, "pettm", 0) and below(row, "pettm", 10)) or below(row, "pb", 1))
        )
    )
    assert view.chips[-1].words.zh == "(市盈率(TTM) ≥ 0 且 < 10) 或 市净率(MRQ) < 1"
    with pytest.raises(InputError):
        join_either(given, ("pettm",))
    chosen = ChosenSets(
        left_out=True, industries=(BANKS, INSURERS), boards=("star", "st"), companies="茅台、万科A"
    )
    added = desk().add_to_screen({"category": "CN"}, chosen)
    assert [one.words.zh for one in every(**added).chips] == [
        "不含银行 或 非银金融", "不含科创板", "不含ST股", "不含贵州茅台、万科A",
    ]  # fmt: skip
    with pytest.raises(InputError):
        desk().add_to_screen({}, ChosenSets(left_out=True, companies="没有这家公司"))
    one = desk().add_to_screen({}, ChosenSets(left_out=False, industries=(BANKS,)))
    assert one == {"industry": BANKS}


SAID = (
    "除了银行，ROE不低于15%或股息率不低于4%的公司",
    "银行或非银金融里市净率小于2的",
    "不含科创板和ST，市值大于500亿",
    "除了贵州茅台的食品饮料公司，市盈率低于40",
    "主板和创业板里PE小于10的",
    "除了银行市盈率最低的12家",
    "市净率最低的5家银行",
    "P/E below 20, not banks",
    "companies with ROE at least 15% or dividend yield at least 4%",
)


@pytest.mark.parametrize("sentence", SAID)
def test_a_sentence_and_the_link_of_its_answer_are_the_very_companies_of_the_answer(
    sentence: str,
) -> None:
    conversation = desk().begin()
    desk().ask(sentence, conversation)
    (turn,) = desk().conversation(conversation).turns
    (answered,) = services().query.replay(conversation)
    assert isinstance(answered, Answered)
    assert answered.draft.table is not None
    wanted = {str(row.symbol) for row in answered.draft.table.rows}
    assert len(wanted) > 1
    assert turn.opens is not None
    assert turn.opens.page == "screen"
    assert listed(every(**turn.opens.params)) == wanted
    read = desk().read_screen(sentence, "CN", "zh")
    assert (read.why.zh, read.left) == ("", ())
    assert listed(every(**read.arguments)) == wanted


def test_a_sentence_is_of_the_market_looked_at_and_what_no_condition_holds_is_told() -> None:
    read = desk().read_screen("市盈率低于20、除了银行的公司", "HK", "zh")
    assert read.arguments["category"] == "HK"
    assert desk().read_screen("A股市盈率低于20", "HK", "zh").arguments["category"] == "CN"
    middle = desk().read_screen("除了银行的公司市盈率中位数", "CN", "zh")
    assert middle.left[0].zh == "算 市盈率(TTM)中位数"
    for sentence in ("茅台的营收", "近20日涨幅最大的5家", "沪深300里市盈率小于10的"):
        refused = desk().read_screen(sentence, "CN", "zh")
        assert refused.arguments == {}
        assert refused.why.zh


@pytest.mark.parametrize(
    "text",
    [
        "x",
        '{"node":"in","dim":"board","values":["nowhere"]}',
        '{"node":"in","dim":"symbol","values":["not a code"]}',
        '{"node":"not","item":' * 40 + has(industry(BANKS)) + "}" * 40,
        has(bound("high", "ge", 1, "price")),
        has(bound("pe_ttm", "ge", 1, "money")),
        '{"node":"in","dim":"industry","values":["' + "银" * 12_000 + '"]}',
    ],
)
def test_an_address_that_holds_no_conditions_is_refused_by_name(text: str) -> None:
    with pytest.raises(InputError) as caught:
        desk().screen({"filter": text}, session())
    assert caught.value.name == "filter"


def test_a_list_of_an_address_is_told_by_what_it_holds() -> None:
    lying = In(dim="symbol", values=("600519.SH",), label="没有风险的公司")
    view = desk().screen({"filter": has(lying)}, session())
    assert view.chips[0].words.zh == "公司：贵州茅台"


def test_a_condition_that_lets_in_who_lacks_the_figure_says_so() -> None:
    loose = Not(item=bound("total_liabilities", "ge", 1e10, "money"))
    view = every(filter=has(loose))
    assert view.chips[0].words.zh == "不满足(总负债不低于100亿元)"
    assert listed(view) == those(lambda row: not at_least(row, "tl", 1e10))
    assert any("没有该项数据的公司也在其中" in one.zh for one in view.notes)
    strict = desk().screen({"filter": has(ROE_OR_YIELD)}, session())
    assert not any("也在其中" in one.zh for one in strict.notes)


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("市值大于500亿，净利润增长超过10%", ["有净利润同比变化率的10家，共3,241家。"]),
        (
            "营收增长超过20%或净利润增长超过20%",
            ["有营业收入同比变化率的9家，共3,241家。", "有净利润同比变化率的10家，共3,241家。"],
        ),
        ("市盈率低于20，净资产收益率高于15%", []),
    ],
)
def test_who_has_the_figure_of_a_condition_without_a_control_is_counted(
    text: str, known: list[str]
) -> None:
    read = desk().read_screen(text, "CN", "zh")
    view = desk().screen(read.arguments, session())
    told = [render(one.zh, view.claims) for one in view.standing]
    assert [one for one in told if one.startswith("有")] == known


def test_a_market_whose_reports_cannot_be_compared_says_so() -> None:
    with pytest.raises(NoDataError, match="several currencies"):
        desk().screen({"category": "HK", "filter": has(ROE_OR_YIELD)}, session())


def test_the_pack_of_it_holds_and_its_run_is_told_by_its_conditions() -> None:
    view = every(pettm="0_20", order_by="pettm", filter=has(Not(item=industry(BANKS))))
    found = verify_pack(desk().pack(view, "zh"))
    assert found.failures == ()
    assert found.ok
    run = services().runs.load(view.run_ids[0]).run
    told = asked_words(services().names, run)
    assert told.zh == "选股 · 沪深 A 股 · 市盈率(TTM) ≥ 0 且 < 20 · 不含银行 · 按市盈率(TTM)降序"


def test_a_saved_screen_keeps_them_and_an_old_one_works() -> None:
    kept = services().screens
    given = {"category": "CN", "pb": "2_3", "filter": has(Not(item=industry(BANKS)))}
    kept.save("不含银行", dict(given))
    again = {name: str(text) for name, text in kept.load("不含银行").arguments.items()}
    assert listed(every(**again)) == those(
        lambda row: at_least(row, "pb", 2) and below(row, "pb", 3) and row["industry"] != BANKS
    )
    kept.save("从前的", {"category": "CN", "pb": "2_3", "filter": ""})
    old = {name: str(text) for name, text in kept.load("从前的").arguments.items()}
    assert every(**old).match_count.metric == "match_count"
