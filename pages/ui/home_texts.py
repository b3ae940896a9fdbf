"""The texts of the first page and of the guided tour: key → (Chinese, English)."""

from collections.abc import Mapping

HOME_TEXTS: Mapping[str, tuple[str, str]] = {
    "home_lead": (
        "每个数都带来源。点任何一个数，看它从哪来、怎么算、能否核验。",
        "Every figure carries its source. Click one to see where it comes from, how it was worked "
        "out and whether it still holds.",
    ),
    "first_title": ("看哪个市场？", "Which market?"),
    "first_sub": (
        "选定之前不会联网。以后可在右上角设置里换。",
        "Nothing is asked of the network before you choose. The settings at the top right "
        "change it later.",
    ),
    "first_live": ("今天的市场（联网）", "Today's market (online)"),
    "first_snapshot": (
        "随附的 2017 年市场（离线）",
        "The bundled market of 2017 (offline)",
    ),
    "first_pulling": (
        "正在取各市场的名单与行情；取到即显示，其他页面现在就能用。",
        "Lists and prices of the markets are on their way; the page shows them when they are "
        "here, the other pages work already.",
    ),
    "first_failed": (
        "今天的市场没有取到，先看随附的 2017 年市场。",
        "Today's market could not be had; this is the bundled market of 2017.",
    ),
    "first_again": ("再取一次", "Try again"),
    "home_table": ("行业数据表", "Industries as a table"),
    "a_shares": ("A 股", "A shares: "),
    "basis_000001.SH": ("A 股日线", "A-share bars"),
    "basis_HSI": ("港股日线", "Hong Kong bars"),
    "basis_IXIC": ("美股止于", "US bars end"),
    "basis_valued": ("估值", "Valuation"),
    "heat": ("颜色", "Colour"),
    "heat_title": ("A 股热力图", "A shares at a glance"),
    "heat_sub": (
        "面积＝总市值 · 颜色与行业名后的数＝中位数",
        "area: market cap · colour and the figure after a name: the median",
    ),
    "heat_pe_ttm_median": ("市盈率 TTM", "P/E TTM"),
    "heat_pe_lyr_median": ("市盈率 LYR", "P/E LYR"),
    "heat_pb_median": ("市净率", "P/B"),
    "heat_unnamed": ("来源没有给行业", "No industry given by the source"),
    "heat_none": ("没有行业", "no industry"),
    "moves": ("市场异动", "Abnormal moves"),
    "market_moves_sub": (
        "指数与有日线的 A 股 · 一周一行",
        "indexes, A shares with bars · a row a week",
    ),
    "market_moves_all": ("全部", "All"),
    "market_moves_rise": ("涨", "Up"),
    "market_moves_fall": ("跌", "Down"),
    "market_moves_day": ("日期", "Date"),
    "market_moves_company": ("公司", "Company"),
    "market_moves_trigger": ("触发", "Trigger"),
    "market_moves_cause": ("原因", "Cause"),
    "moves_explained": ("随大盘或复牌", "Market or halt"),
    "market_moves_none": ("近来没有触发规则的异动", "No rule was triggered lately"),
    "market_moves_times": ("{count} 次", "×{count}"),
    "trigger_run": ("连续同向", "a run"),
    "trigger_resumption": ("复牌首日", "first day after a halt"),
    "trigger_deviation": ("偏离", "deviation"),
    "trigger_volume": ("放量", "volume"),
    "trigger_gap": ("跳空", "a gap"),
    "trigger_limit": ("疑似涨跌停", "a likely price limit"),
    "trigger_index": ("指数大幅波动", "the index moved"),
    "trigger_published": ("来源标记", "flagged by the source"),
    "tour": ("三分钟演示", "Three-minute tour"),
    "tour_sub": ("给第一次来的人；全程用内置数据，不联网", "For a first visit; offline"),
    "tour_begin": ("开始演示", "Start the tour"),
    "tour_next": ("下一步", "Next"),
    "tour_end": ("结束", "End"),
    "tour_1": ("选股", "Screen"),
    "tour_1_sub": ("低市盈率、高 ROE、够大", "low P/E, high ROE, large"),
    "tour_1_says": (
        "三个条件从全市场选出这些公司；旁边写着多少家有数可判断。",
        "Three conditions choose these of the whole market; beside it, how many could be judged.",
    ),
    "tour_2": ("打开招商银行", "Open China Merchants Bank"),
    "tour_2_sub": ("异动逐条有数", "each abnormal move with its figures"),
    "tour_2_says": (
        "图上的每个三角是表里的一行；没有可引用的原因就写原因不明。",
        "Each triangle of the chart is a row of the table; without a citable cause it says so.",
    ),
    "tour_3": ("点一个数", "Click a figure"),
    "tour_3_sub": ("看它由哪两个数算出", "see which two it was worked out from"),
    "tour_3_says": (
        "点净资产收益率：公式、两个输入、来源与取得时间都在右边。",
        "Click ROE: its formula, its two inputs, the source and the time stand at the right.",
    ),
    "tour_size": ("200亿_max", "20bn_max"),
    "tour_question": (
        "招商银行、浦发银行和宁波银行的市盈率",
        "P/E of China Merchants Bank and Ping An Bank",
    ),
    "tour_4": ("问一句", "Ask"),
    "tour_4_sub": ("读成了什么，当场可改", "what was read can be changed"),
    "tour_4_says": (
        "每个条件是一枚按钮：点开换一家、换一个指标，答案重做；读到的字都标出来。",
        "Each condition is a button: change a company or a figure and the answer is made again.",
    ),
    "tour_5": ("改一个数再核验", "Change a figure and verify"),
    "tour_5_sub": ("改过的数当场查出", "the changed figure is found at once"),
    "tour_5_says": (
        "演示文件里有一个数被改过：哪一行、证据里原来是多少，都指出来。",
        "One figure of the demo file was changed: the line and what the evidence holds are shown.",
    ),
    "tour_6": ("看评分", "See a score"),
    "tour_6_sub": ("由哪些因子得来", "the factors it is made of"),
    "tour_6_says": (
        "条越长权重越大，填得越满得分越高；每个因子都写着依据和缺什么。没评过的当场按规则评。",
        "A longer bar weighs more, a fuller one scores higher; each says what it rests on and what "
        "is missing. Without a score, one is made now by the rules.",
    ),
}  # fmt: skip
