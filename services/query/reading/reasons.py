"""Why a question is put back, in words: the reasons of the reader, each in two languages."""

from collections.abc import Mapping, Sequence

from services.query.algebra.nodes import Ask
from services.query.reading.unheld import Place


def make_ask(why: tuple[str, str], words: Sequence[str]) -> Ask:
    """The question put back for these words, which its reason names."""
    named = tuple(dict.fromkeys(word.strip() for word in words if word.strip()))
    zh, en = "、".join(f"「{one}」" for one in named), ", ".join(f"“{one}”" for one in named)
    return Ask(why=(why[0].format(zh), why[1].format(en)), unread=named)


HANGS: Mapping[Place, tuple[str, str]] = {
    "condition": ("不能用它作条件", "it cannot be a condition"),
    "order": ("不能按它排序", "nothing can be ordered by it"),
    "reckoned": ("算不出来", "so this cannot be reckoned"),
    "summed": ("算不全", "so this cannot be reckoned in full"),
    "whom": ("它的数据也就没有", "so there are no figures of it"),
}
WHOLE = ("{0}：要看整个行业吗？", "{0}: is the whole industry wanted?")
ELSEWHERE = (
    "A股没有{0}这一类：要看{1}的吗？",
    "A shares have no class of {0}: is that of {1} wanted?",
)
SINCE_JANUARY = (
    "来源的报告从年初累计，没有单独一个季度的{0}。要看累计数吗？",
    "Reports count from the start of the year: no source gives {0} of one quarter alone. Is the "
    "figure since the start of the year wanted?",
)
TOO_LONG = ("问题太长了，请用一两句话说。", "Too long: please ask in a sentence or two.")
TOO_MANY = (
    "这个问题有太多种读法，请分成几句问。",
    "This question can be read in too many ways: please ask it in several sentences.",
)
UNREAD = ("没有读懂{0}，请换个说法。", "Not understood: {0}. Please put it another way.")
NO_DATA = ("没有{0}的数据或分类。", "There is nothing here on {0}.")
LOST = (
    "不确定{0}在问题里指什么，请换个说法。",
    "It is not clear what {0} does in this question; please put it another way.",
)
NEVER_IN = (
    "{0}本来就不在范围里，请确认要排除的是谁。",
    "{0} was never in the set: who is to be left out?",
)
SEVERAL = ("这个问题有几种读法，请选一种。", "This can be read in several ways; please choose.")
WHICH = ("这个名字可能指几家，请选一家。", "That name may be several companies; please choose.")
BEYOND = (
    "指数没有公司的财务数据，成份股名单也没有收录；可以看指数的点位、涨跌幅或市盈率、市净率。",
    "An index has no company figures, and its list of members is not held; ask for its level, "
    "its change, its P/E or P/B.",
)
EXCLUDING = (
    "条件互相矛盾，没有公司能同时满足。是要满足其中一个吗？请换个说法。",
    "The conditions exclude each other: no company can meet both. Is one of them enough?",
)
EMPTIED = (
    "这样去掉之后就没有公司了，请确认要排除的是谁。",
    "That would leave nobody: who is to be left out?",
)
OF_WHICH_COMPANY = ("这是问哪一家公司？", "Of which company is that asked?")
UNPUBLISHED = (
    "没有{report}的发布日，只知道最晚须在{day}披露。要看这一天{way}的同样一段时间吗？",
    "The day the {report} report came out is not held, only that it was due by {day}. Is the same "
    "time {way} that day wanted?",
)
UNPUBLISHED_THERE = ("没有{report}的发布日。", "The day the {report} report came out is not held.")
NO_SENSE = (
    "每个词都认得，但合起来没有读成一个问题，请换个说法。",
    "Every word was read, but together they made no question; please put it another way.",
)
