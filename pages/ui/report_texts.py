"""The texts of the page 报告: by key. Part of the table in texts.py."""

from collections.abc import Mapping

from services.core.text import Text

REPORT_TEXTS: Mapping[str, Text] = {
    "page_reports": Text("报告", "Reports"),
    "error_report": Text("报告", "Report"),
    "report_lead": Text(
        "深入分析：查齐行情、估值、财报、指标、同行、异动与新闻，写成每个数字都可追溯的报告。持有评分也在这里。",
        "A deep analysis looks at prices, value, reports, indicators, peers, moves and news, and "
        "writes a report whose every figure can be traced. Hold scores are kept here, too.",
    ),
    "report_company": Text("公司", "Company"),
    "report_company_hint": Text("代码、名称或拼音首字母", "Code, name or pinyin initials"),
    "report_question": Text("想弄清什么（可不填）", "What you want to know (optional)"),
    "report_question_hint": Text(
        "如：估值贵不贵，利润靠什么增长", "such as: is it dear, what grew"
    ),
    "report_start": Text("深入分析", "Analyse"),
    "report_start_market": Text("市场总览", "The market"),
    "report_start_help": Text(
        "查齐资料后写成报告，在「报告」页可随时回看",
        "Looks everything up and writes a report, kept on the page Reports",
    ),
    "schedule_title": Text("定时报告", "Scheduled reports"),
    "schedule_help": Text(
        "收盘后自动写一份，写好放在下面的列表里。第一份在几分钟内开始。",
        "Written by itself after the close, into the list below. The first begins within minutes.",
    ),
    "schedule_every": Text("多久一次", "How often"),
    "schedule_daily": Text("每个交易日收盘后", "After each session"),
    "schedule_weekly": Text("每周最后一个交易日收盘后", "After the last session of a week"),
    "schedule_add": Text("定时写", "Schedule"),
    "schedule_remove": Text("不再写", "Stop"),
    "schedule_first": Text("还没有写过", "none yet"),
    "schedule_last": Text("最近一份", "The last one"),
    "schedule_failed": Text("上一次没有开始：", "The last one was not begun:"),
    "report_all": Text("全部报告", "All reports"),
    "report_only": Text("只看", "Only"),
    "report_none": Text(
        "还没有报告。在上面填一家公司，或在「个股」「问答」里点「深入分析」。",
        "No report yet. Name a company above, or press Analyse on the pages Stock and Ask.",
    ),
    "report_none_of": Text("还没有关于它的报告", "No report about it yet"),
    "report_no_question": Text("全面分析", "General analysis"),
    "report_confidence": Text("可信度", "Confidence"),
    "status_running": Text("进行中", "running"),
    "status_ok": Text("完成", "done"),
    "status_refused": Text("文字未通过核对", "text refused"),
    "status_failed": Text("失败", "failed"),
    "status_cancelled": Text("已取消", "cancelled"),
    "status_interrupted": Text("中断", "interrupted"),
    "report_under_way": Text("正在分析", "Analysing"),
    "report_stopping": Text("正在停止…", "Stopping…"),
    "report_cancel": Text("取消", "Cancel"),
    "report_keeps": Text(
        "可以离开或刷新本页，也可以换一个标签页看：进度都在库里。",
        "You may leave, reload, or look from another tab: the progress is in the store.",
    ),
    "report_elapsed": Text("已用 {seconds} 秒", "{seconds} s so far"),
    "report_took": Text("用时 {seconds} 秒", "took {seconds} s"),
    "report_seconds": Text("{seconds} 秒", "{seconds} s"),
    "report_tokens": Text("已写 {tokens} tokens", "{tokens} tokens written"),
    "report_queued": Text("排队等候", "waiting for its turn"),
    "step_running": Text("进行中", "under way"),
    "step_done": Text("完成", "done"),
    "step_failed": Text("没有成", "failed"),
    "step_stopped": Text("停下", "stopped"),
    "report_steps": Text("经过", "Course"),
    "report_summary": Text("结论", "Summary"),
    "report_writer": Text("撰写", "Written"),
    "report_day": Text("分析日", "As of"),
    "report_nothing_less": Text("各项检查全部通过", "every check holds"),
    "report_evidence": Text("证据", "Evidence"),
    "report_evidence_note": Text("每个 [E] 是一次取数", "each [E] is one fetch"),
    "report_evidence_none": Text(
        "没有取得可以引用的资料，原因见下。",
        "Nothing that could be cited was had; the reasons are below.",
    ),
    "report_figures": Text("文中的数字", "Figures in the text"),
    "report_figures_stand": Text("核对无误的数字", "Figures that stand"),
    "report_work": Text("怎样得来", "How it was made"),
    "report_tools": Text("用过的工具", "Tools used"),
    "report_models": Text("模型调用", "Calls of the model"),
    "report_notes": Text("须知", "Notes"),
    "report_refused": Text(
        "这份文字没有通过核对，不予显示", "The text did not pass, and is not shown"
    ),
    "report_refused_why": Text(
        "模型写了两次，每次都有数字对不上来源。没有对上的是：",
        "The model wrote twice, and each time some figure did not match its source:",
    ),
    "report_refused_why_rule": Text(
        "由规则写成的文字有数字对不上来源。没有对上的是：",
        "In the text written by rule some figure did not match its source:",
    ),
    "report_round": Text("第 {round} 次", "try {round}"),
    "report_next": Text("下一步", "Next"),
    "report_by_rule": Text("由规则撰写", "Write it by rule"),
    "report_again": Text("再跑一次", "Run again"),
    "ended_failed": Text("分析没有做成", "The analysis failed"),
    "ended_cancelled": Text("分析已取消", "The analysis was cancelled"),
    "ended_interrupted": Text("分析中断了", "The analysis was interrupted"),
    "because_cancelled": Text(
        "没有留下结果；取过的数仍在「溯源」。",
        "It left no result; what was fetched is in Traces.",
    ),
    "because_interrupted": Text(
        "服务在它做完之前停了。下面是它做到的地方；再跑一次会从头做。",
        "The server stopped before it was done. Below is how far it came; run again begins anew.",
    ),
    "report_trace": Text("在溯源中打开", "Open in Traces"),
    "report_jump": Text("看证据 {mark}", "See evidence {mark}"),
}
