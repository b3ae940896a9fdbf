"""The texts of the first page and of the guided tour: by key."""

from collections.abc import Mapping

from services.core.text import Text

HOME_TEXTS: Mapping[str, Text] = {
    "home_lead": Text(
        "每个数都带来源。点任何一个数，看它从哪来、怎么算、能否核验。",
        "Every figure carries its source. Click one to see where it comes from, how it was worked "
        "out and whether it still holds.",
    ),
    "first_title": Text("看哪个市场？", "Which market?"),
    "first_sub": Text(
        "选定之前不会联网。以后可在右上角设置里换。",
        "Nothing is asked of the network before you choose. The settings at the top right "
        "change it later.",
    ),
    "first_live": Text("今天的市场（联网）", "Today's market (online)"),
    "first_snapshot": Text(
        "随附的 2017 年市场（离线）",
        "The bundled market of 2017 (offline)",
    ),
    "first_pulling": Text(
        "正在取各市场的名单与行情；取到即显示，其他页面现在就能用。",
        "Lists and prices of the markets are on their way; the page shows them when they are "
        "here, the other pages work already.",
    ),
    "first_failed": Text(
        "今天的市场没有取到，先看随附的 2017 年市场。",
        "Today's market could not be had; this is the bundled market of 2017.",
    ),
    "first_again": Text("再取一次", "Try again"),
    "home_scope": Text("哪些公司没有计入，各数是哪天的", "Who is not counted, and of which days"),
    "home_table": Text("行业数据表", "Industries as a table"),
    "a_shares": Text("A 股", "A shares: "),
    "basis_000001.SH": Text("A 股日线", "A-share bars"),
    "basis_HSI": Text("港股日线", "Hong Kong bars"),
    "basis_IXIC": Text("美股止于", "US bars end"),
    "basis_valued": Text("估值", "Valuation"),
    "heat": Text("颜色", "Colour"),
    "heat_title": Text("A 股热力图", "A shares at a glance"),
    "heat_sub": Text(
        "面积＝总市值 · 颜色与行业名后的数＝中位数",
        "area: market cap · colour and the figure after a name: the median",
    ),
    "heat_pe_ttm_median": Text("市盈率 TTM", "P/E TTM"),
    "heat_pe_lyr_median": Text("市盈率 LYR", "P/E LYR"),
    "heat_pb_median": Text("市净率", "P/B"),
    "heat_pct_change_median": Text("涨跌幅", "Change"),
    "heat_empty": Text(
        "没有取到任何行业的总市值，原因见上。",
        "No market value of any industry came; see above why.",
    ),
    "heat_few": Text("不到一半公司有", "under half have it"),
    "heat_none_moved": Text("没有行业或没有涨跌幅", "no industry or no change"),
    "heat_unnamed": Text("来源没有给行业", "No industry given by the source"),
    "heat_none": Text("没有行业", "no industry"),
    "moves": Text("市场异动", "Abnormal moves"),
    "market_moves_sub": Text(
        "指数与有日线的公司 · 一周一行",
        "indexes, companies with bars · a row a week",
    ),
    "market_moves_all": Text("全部", "All"),
    "market_moves_rise": Text("涨", "Up"),
    "market_moves_fall": Text("跌", "Down"),
    "market_moves_day": Text("日期", "Date"),
    "market_moves_company": Text("公司", "Company"),
    "market_moves_change": Text("涨跌幅", "Change %"),
    "market_moves_trigger": Text("触发", "Trigger"),
    "market_moves_cause": Text("原因", "Cause"),
    "market_moves_since": Text("{day} 起{words}", "{words} since {day}"),
    "market_moves_none": Text("近来没有触发规则的异动", "No rule was triggered lately"),
    "market_moves_times": Text("{count} 次", "×{count}"),
    "trigger_up": Text("涨", "up"),
    "trigger_down": Text("跌", "down"),
    "trigger_run": Text("连{way}", "a run {way}"),
    "trigger_resumption": Text("复牌首日", "first day after a halt"),
    "trigger_deviation": Text("偏离大盘", "off the index"),
    "trigger_rare": Text("幅度罕见", "unusually large"),
    "trigger_volume": Text("放量", "high volume"),
    "trigger_gap": Text("跳空", "a gap"),
    "trigger_limit": Text("疑似{way}停", "likely limit {way}"),
    "trigger_index": Text("指数大幅波动", "a large index move"),
    "tour": Text("三分钟演示", "Three-minute tour"),
    "tour_sub": Text("给第一次来的人；不联网", "For a first visit; offline"),
    "tour_begin": Text("开始演示", "Start the tour"),
    "tour_next": Text("下一步", "Next"),
    "tour_keys": Text(
        "<kbd>Enter</kbd> 点开 · <kbd>PgDn</kbd> 下一步 · <kbd>Esc</kbd> 结束",
        "<kbd>Enter</kbd> opens · <kbd>PgDn</kbd> goes on · <kbd>Esc</kbd> ends",
    ),
    "tour_end": Text("结束", "End"),
    "tour_1": Text("选股", "Screen"),
    "tour_1_sub": Text("低市盈率、高 ROE、够大", "low P/E, high ROE, large"),
    "tour_1_says": Text(
        "三个条件从全市场选出这些公司；旁边写着多少家有数可判断。",
        "Three conditions choose these of the whole market; beside it, how many could be judged.",
    ),
    "tour_2": Text("打开招商银行", "Open China Merchants Bank"),
    "tour_2_sub": Text("异动逐条有数", "every move, with figures"),
    "tour_2_says": Text(
        "图上的每个三角是表里的一行；没有可引用的原因就写原因不明。",
        "Each triangle of the chart is a row of the table; without a citable cause it says so.",
    ),
    "tour_3": Text("点一个数", "Click a figure"),
    "tour_3_sub": Text("看它由哪两个数算出", "what it is worked out from"),
    "tour_3_says": Text(
        "点净资产收益率：公式、两个输入、来源与取得时间都在右边。",
        "Click ROE: its formula, its two inputs, the source and the time stand at the right.",
    ),
    "tour_size": Text("200亿_max", "20bn_max"),
    "tour_question": Text(
        "招商银行、浦发银行和宁波银行的市盈率",
        "P/E of China Merchants Bank and Ping An Bank",
    ),
    "tour_4": Text("问一句", "Ask"),
    "tour_4_sub": Text("读成了什么，当场可改", "change what was read"),
    "tour_4_says": Text(
        "每个条件是一枚按钮：点开换一家、换一个指标，答案重做；读到的字都标出来。",
        "Each condition is a button: change a company or a figure and the answer is made again.",
    ),
    "tour_5": Text("改一个数再核验", "Change a figure and verify"),
    "tour_5_sub": Text("改过的数当场查出", "it is found at once"),
    "tour_5_says": Text(
        "演示文件里有一个数被改过：哪一行、证据里原来是多少，都指出来。",
        "One figure of the demo file was changed: the line and what the evidence holds are shown.",
    ),
    "tour_6": Text("看评分", "See a score"),
    "tour_6_sub": Text("由哪些因子得来", "the factors it is made of"),
    "tour_6_says": Text(
        "条越长权重越大，填得越满得分越高；每个因子都写着依据和缺什么。没评过的当场按规则评。",
        "A longer bar weighs more, a fuller one scores higher; each says what it rests on and what "
        "is missing. Without a score, one is made now by the rules.",
    ),
}  # fmt: skip
