"""The texts of the page 对比, and of a screen whose conditions are dropped: part of texts.py."""

from collections.abc import Mapping

from services.core.text import Text

COMPARE_TEXTS: Mapping[str, Text] = {
    "page_compare": Text("对比", "Compare"),
    "compare_empty": Text(
        "选两家以上。可从选股勾选，或在公司页按＋对比。",
        "Choose two or more: select rows in the screener, or press ＋ Compare on a company.",
    ),
    "compare_one_more": Text("再加一家就能比。", "Add one more to compare."),
    "compare_example": Text("看一个例子", "See an example"),
    "compare_to_screen": Text("到选股里勾选", "Select in the screener"),
    "compare_add": Text("加一家（还可加 {count} 家）", "Add one ({count} more)"),
    "compare_find": Text("代码、名称或拼音", "Code, name or pinyin"),
    "compare_remove": Text("移除 {name}", "Remove {name}"),
    "compare_chosen": Text("对比的公司", "Companies compared"),
    "compare_full": Text(
        "最多六家，后面的没有列入。",
        "Six at most; those behind are left out.",
    ),
    "compare_last": Text("共同的最后一天", "Last common session"),
    "compare_first": Text("共同的第一天", "first"),
    "compare_report": Text("报表", "Accounts"),
    "adjusted_additive_qfq_201707": Text("加法前复权", "adjusted additively"),
    "adjusted_split_only": Text("只复权拆股", "adjusted for splits only"),
    "adjusted_none": Text("不复权", "not adjusted"),
    "compare_long": Text(
        "一年以上的涨跌幅不可比，默认只看一年",
        "beyond a year percentages are overstated: one year is the default",
    ),
    "compare_without": Text("{names} 没有日线，不在图里", "{names} without bars: not in the chart"),
    "compare_chart": Text("走势，起点＝100", "Price, start = 100"),
    "compare_legend": Text(
        "「优」「末」只看数值高低；规模与杠杆不标",
        "best and last go by the value alone; size and leverage are not marked",
    ),
    "compare_best": Text("优", "best"),
    "compare_worst": Text("末", "last"),
    "compare_indexes": Text("加指数", "Add indexes"),
    "compare_metric": Text("指标", "Metric"),
    "compare_remark": Text("说明", "Remark"),
    "compare_no_chart": Text(
        "这几家没有共同的交易日，画不出同一起点的走势。",
        "These have no session in common, so no chart from one start can be drawn.",
    ),
    "compare_alt": Text("{names} 的走势，起点为 100", "Prices of {names}, start = 100"),
    "screen_sentence": Text(
        "用一句话写条件，例如「市盈率低于 20、ROE 高于 15% 的大公司」",
        "Say it in a sentence: P/E below 20 and ROE above 15%",
    ),
    "screen_more": Text("加条件", "Add a condition"),
    "screen_money": Text("如 50亿", "e.g. 5bn"),
    "order_by_of": Text("按{name}排", "By {name}"),
    "screen_covered": Text("{count} 家有数", "{count} have it"),
    "screen_hardly": Text("{count} 家有数，极少", "{count} have it: too few"),
    "screen_columns": Text("列 {count}", "Columns {count}"),
    "screen_columns_filled": Text("只看有数的列", "Only columns with figures"),
    "screen_columns_usual": Text("恢复默认", "As usual"),
    "screen_of_market": Text("有数的公司占比", "share of companies that have it"),
    "screen_nothing": Text("没有公司同时满足。放宽一条：", "No company meets all. Relax one:"),
    "screen_relax": Text("放宽一条", "Relax one"),
    "screen_without": Text("不看{name}", "without {name}"),
}
