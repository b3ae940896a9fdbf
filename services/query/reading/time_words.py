"""Words of time as they are said, Chinese and English. Data only; read by periods_said.py."""

from collections.abc import Mapping, Sequence

QUARTER_OF: Mapping[str, int] = {
    **dict.fromkeys(("一季报", "一季度报告", "第一季度", "一季度", "1季度", "首季", "q1"), 1),
    **dict.fromkeys(("1季报", "first quarter", "1st quarter"), 1),
    **dict.fromkeys(
        ("半年报", "半年度报告", "中报", "中期报告", "上半年", "半年度", "前半年", "头半年"), 2
    ),
    **dict.fromkeys(("第二季度", "二季度", "二季报", "2季度", "2季报", "年中", "q2", "h1"), 2),
    **dict.fromkeys(("second quarter", "2nd quarter", "first half", "half year"), 2),
    **dict.fromkeys(("half-year", "interim", "interims", "interim report"), 2),
    **dict.fromkeys(("前三季度", "前三季", "前3季度", "三季报", "三季度报告", "第三季度"), 3),
    **dict.fromkeys(("三季度", "3季度", "3季报", "q3", "third quarter", "3rd quarter"), 3),
    **dict.fromkeys(("first three quarters", "first nine months", "nine months"), 3),
    **dict.fromkeys(("年度报告", "年报", "第四季度", "四季度", "四季报", "4季度", "q4"), 4),
    **dict.fromkeys(("年末", "年底", "末", "底", "全年", "fourth quarter", "4th quarter"), 4),
    **dict.fromkeys(("最后一天", "最后一个交易日", "最后一日", "第四财季", "四财季"), 4),
    **dict.fromkeys(("第一财季", "一财季"), 1),
    **dict.fromkeys(("第二财季", "二财季", "中期"), 2),
    **dict.fromkeys(("第三财季", "三财季"), 3),
    **dict.fromkeys(("full year", "full-year", "year-end", "year end", "annual report"), 4),
}
SECOND_HALVES = ("下半年", "后半年", "second half", "h2")
# Said of the last days of a year where days are meant: 2016年底, 2016年最后一天.
YEAR_ENDS = frozenset(
    {"年末", "年底", "末", "底", "最后一天", "最后一个交易日", "最后一日", "year-end", "year end"}
)
# Reports that count from the first of January; a quarter alone is dated by its three months.
FROM_JANUARY = frozenset(
    {
        *(
            "上半年",
            "头半年",
            "半年度",
            "半年报",
            "h1",
            "前三季度",
            "前三季",
            "前3季度",
            "全年",
            "年报",
        ),
        *("first half", "first three quarters", "first nine months", "nine months", "full year"),
    }
)
# The month from which a report of that quarter must be out (the annual one: of the next year).
OUT_FROM: Mapping[int, int] = {4: 5, 1: 5, 2: 9, 3: 11}
YEARS_AGO: Mapping[str, int] = {
    **dict.fromkeys(("大前年",), 3),
    **dict.fromkeys(("前年", "前一年度"), 2),
    **dict.fromkeys(
        ("去年", "旧年", "上一年度", "上年度", "上一年", "上年", "上财年", "上一财年"), 1
    ),
    **dict.fromkeys(("last fiscal year", "previous fiscal year"), 1),
    **dict.fromkeys(("今年", "本年", "本年度", "当年"), 0),
}
MONTH_NAMES: Sequence[str] = (
    *("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"),
)
WEEKDAYS: Mapping[str, int] = {
    **{char: at for at, char in enumerate("一二三四五六日")},
    "天": 6,
    **{char: at for at, char in enumerate("123456")},
    **{
        word: at
        for at, word in enumerate(
            ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
        )
    },
}
RANGES: Mapping[str, str] = {"天": "一天内", "周": "一周内", "月": "一个月内", "年": "一年内"}
# 这几天, 近几周, 最近几个月: how far back that is, as a number of another unit.
A_FEW: Mapping[str, tuple[int, str]] = {"天": (1, "周"), "周": (1, "月"), "月": (3, "月")}
NAMED: Mapping[str, str] = {
    **dict.fromkeys(("今天", "今日", "当天", "今儿", "today"), "today"),
    **dict.fromkeys(("昨天", "昨日", "昨儿", "昨晚", "yesterday"), "yesterday"),
    **dict.fromkeys(("前天", "前日"), "before"),
    **dict.fromkeys(("本周", "这周", "这个星期", "本星期", "这星期", "this week"), "week"),
    **dict.fromkeys(("上周", "上个星期", "上星期", "上个礼拜", "last week"), "last_week"),
    **dict.fromkeys(("本月", "这个月", "当月", "this month"), "month"),
    **dict.fromkeys(("上个月", "上月"), "last_month"),
    **dict.fromkeys(("上个季度", "上一季度", "上季度", "上一季"), "last_quarter"),
    **dict.fromkeys(("本季度", "这个季度", "this quarter"), "quarter"),
    **dict.fromkeys(("今年以来", "年初至今", "年初以来", "年内", "今年至今"), "year"),
    **dict.fromkeys(
        (
            "今年到现在",
            "今年截至目前",
            "年头到现在",
            "年头至今",
            "开年以来",
            "从年初到现在",
            "年初到现在",
        ),
        "year",
    ),
    **dict.fromkeys(("year to date", "year-to-date", "ytd", "so far this year"), "year"),
    "this year": "this_year",
    **dict.fromkeys(("每年", "历年", "逐年", "各年", "每一年", "历年来"), "every_year"),
    **dict.fromkeys(("every year", "each year", "by year", "yearly", "annually"), "every_year"),
    **dict.fromkeys(("每季度", "每个季度", "各季度", "逐季", "历季"), "every_quarter"),
    **dict.fromkeys(("every quarter", "each quarter", "by quarter", "quarterly"), "every_quarter"),
    **dict.fromkeys(("上市以来", "上市至今", "上市到现在", "自上市以来", "有史以来"), "ever"),
    **dict.fromkeys(("since listing", "since its listing", "since ipo", "all-time"), "ever"),
    **dict.fromkeys(("since its ipo", "since the ipo", "all time", "in history"), "ever"),
    **dict.fromkeys(("52周", "五十二周", "52-week", "52 week", "52-wk"), "year_back"),
    **dict.fromkeys(("实时", "盘中", "real-time", "real time", "realtime", "live"), "实时"),
    **dict.fromkeys(("一致预期", "机构预期", "机构预测", "盈利预期", "预期", "预测"), "预期"),
    **dict.fromkeys(("预计", "预估", "forecast", "forecasts", "consensus", "expected"), "预期"),
    **dict.fromkeys(("estimate", "estimates", "estimated", "consensus estimate"), "预期"),
    **dict.fromkeys(("consensus estimates", "analyst estimates", "analysts expect"), "预期"),
    **dict.fromkeys(("consensus forecast", "projected", "projection", "projections"), "预期"),
    **dict.fromkeys(("expecting", "analysts' estimates", "analyst forecasts"), "预期"),
    # Of a year to come there are only estimates.
    **dict.fromkeys(("明年", "明年度", "后年", "下一年度", "next year"), "预期"),
}
