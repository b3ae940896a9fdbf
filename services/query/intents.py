"""What a question wants done, from its words: free texts, refusals, and the action on a company."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from services.query.nlir import Action
from services.query.sentence import FIGURE, any_of
from services.query.slots import Draft

_M = any_of(FIGURE)
_URL = re.compile(r"(?:https?://|www\.)[^\s一-鿿，。、；）)\]>\"']+", re.IGNORECASE)
_HOSTS = re.compile(r"(?:https?://)?(?:[a-z0-9-]+\.)?xueqiu\.com(?:[/?#].*)?", re.IGNORECASE)
_USER = tuple(
    re.compile(pattern)
    for pattern in (
        r"@(?P<user>[\w一-鿿·\-]{1,20}?)(?=\s|的(?:动态|发言|观点|帖子|最新|最近|文章|雪球|主页|看法)"
        r"|最近|近期|怎么|说|发|对|关于|$|[,，?？。])(?P<rest>.*)",
        r"(?:雪球)?(?:用户|大V|博主)[「\"“]?(?P<user>[\w·\-]{1,20}?)[」\"”]?"
        r"(?:最近|近期|近来|的(?=动态|发言|观点|帖子|最新|最近|文章|雪球|主页|看法)|说了|发了|怎么看|对)"
        r"(?P<rest>.*)",
    )
)
_ABOUT = re.compile(
    r"(?:怎么看|如何看|对|关于|说)(?P<topic>[\w一-鿿]{2,20}?)(?:的|怎么|吗|$|\?|？|。)"
)
_NO_TOPIC = re.compile(r"什么|了|动态|发言|观点|帖子|内容|文章")
_SITE = re.compile(
    r"^(?:请|帮我|麻烦)?(?:在|去|到)?雪球(?:上|站内|里|网)?(?:搜索|搜|查查|查|找)(?:一下|下|搜)?[:：]?\s*(?P<q>.+)$"
    r"|^search xueqiu (?:for )?(?P<e>.+)$",
    re.IGNORECASE,
)
_WEB = re.compile(
    r"^(?:请|帮我|麻烦)?(?:(?:在|去|到)?(?:网上|上网|互联网|全网|百度|谷歌|网络)(?:上)?"
    r"(?:搜索|搜|查查|查|找)(?:一下|下|搜)?|搜索一下|搜索|搜一下|搜搜)[:：]?\s*(?P<q>.+)$"
    r"|^(?:search (?:the )?web (?:for )?|google |search online (?:for )?)(?P<e>.+)$",
    re.IGNORECASE,
)
_NEWS = re.compile(r"新闻|资讯|快讯|消息面|\bnews\b", re.IGNORECASE)
_QUIET = re.compile(r"^(?:请问|请|帮我|麻烦)?(?:查一下|查查|看看|看一下|搜一下)?")
_ADVICE = re.compile(
    r"能不能买|能买|可以买|可买|该不该|值得(?:买|投资|入手|持有)|买入吗|买不买|要不要(?:买|卖)|买点|卖点|"
    r"卖出|卖掉|该卖|抄底|加仓|减仓|清仓|止损|推荐|荐股|下单|买\d+股|买哪|should i (?:buy|sell)|"
    r"recommend|good (?:buy|investment)|worth buying|place an order|好股票|牛股",
    re.IGNORECASE,
)
_FUTURE = re.compile(
    r"目标价|会(?:不会)?(?:大|暴)?[涨跌]|还能涨|能涨到|涨到多少|能到多少|"
    r"(?:明天|后天|明年|下周|下个?月|未来|今后).{0,8}(?:涨|跌|股价|走势|大盘|多少点)|"
    r"target price|will .{1,30}(?:rise|fall|go up|go down|drop)|tomorrow",
    re.IGNORECASE,
)
_KNOWLEDGE = re.compile(
    r"三分法|^(?:什么是|什么叫|何谓|何为)|^(?:解释|讲解|科普)(?:一下)?|是什么意思|什么意思|是什么\??$|"
    r"怎么(?:算|计算|理解)|如何(?:计算|理解)|的(?:定义|含义|公式)|"
    r"(?:有什么|有何)?(?:区别|差别)(?:是什么)?\??$|"
    rf"^what (?:is|are) (?:an? )?{_M}(?: ratio)?\??$|^what does .+ mean|"
    r"meaning of|definition of|^explain |^define |"
    r"^how is .+ calculated"
)
_FEEDS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"公告|announcements?|filings?|notices?"), "公告"),
    (
        re.compile(
            r"(?:最热|热门|热议|最火)的?(?:讨论|帖子|帖|话题)?|热帖|"
            r"hot(?:test)? (?:posts?|discussions?)"
        ),
        "最热讨论",
    ),
    (re.compile(r"大v|影响力用户|influencers?|big v"), "大V"),
    (
        re.compile(
            r"(?:最新的?)?(?:讨论|帖子|评论)|(?:大家|股友|网友|球友).{0,4}(?:说|看|聊|议论)|"
            r"(?:latest |recent )?(?:discussions?|posts?)"
        ),
        "最新讨论",
    ),
)
_ACTIONS: tuple[tuple[Action, re.Pattern[str]], ...] = (
    (
        "compare",
        re.compile(
            r"(?:同行业?|同业)(?:公司)?(?:对比|比较|相比|比)?|"
            r"行业(?:内|里)?(?:对比|排名|地位|排第几)|peers?(?: comparison)?"
        ),
    ),
    (
        "abnormal",
        re.compile(
            r"为(?:什么|啥|何)(?:会)?(?:大|暴|急)?[涨跌]?|怎么(?:就|会|又|突然)?[大暴]?[涨跌]了?|异动(?:原因)?|异常(?:波动)?|"
            r"[大暴急][涨跌](?:的?原因)?|[涨跌]停(?:的?原因)?|闪崩|[涨跌]的?原因|怎么回事|\bwhy\b|"
            r"abnormal(?: moves?)?|unusual moves?|plunged?|surged?|spiked?"
        ),
    ),
    (
        "price_history",
        re.compile(
            rf"走势图?|曲线|k线图?|日线|历史(?=的?(?:{_M}|价格|行情|数据))|(?<={_M})历史|"
            r"(?:price )?(?:history|chart|candles?)"
        ),
    ),
)
SPANNED: frozenset[Action] = frozenset({"abnormal", "feed", "price_history"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """The action said, if any; of a feed its parts; and the shadow without those words."""

    action: Action | None
    wants: tuple[str, ...]
    rest: str


def wanted(shadow: str) -> Wanted:
    """Which action the words around a company ask for."""
    rest, wants = shadow, list[str]()
    for pattern, want in _FEEDS:
        if match := pattern.search(rest):
            wants.append(want)
            rest = _blanked(rest, match)
    action: Action | None = "feed" if wants else None
    for one, pattern in _ACTIONS:
        if match := pattern.search(rest):
            action = action or one
            rest = _blanked(rest, match)
    return Wanted(action, tuple(wants), rest)


def addresses(text: str) -> tuple[str, ...]:
    """Every address in the text."""
    return tuple(match.group().rstrip(".,;!?") for match in _URL.finditer(text))


def is_community(address: str) -> bool:
    """Whether it is a page of xueqiu.com."""
    return _HOSTS.fullmatch(address) is not None


def free_text(text: str) -> Draft | None:
    """A question whose own words are what is searched: a member, the site, the web, the news."""
    for pattern in _USER:
        if match := pattern.search(text):
            args = {"user": match.group("user")}
            topic = _ABOUT.search(match.group("rest"))
            if topic and not _NO_TOPIC.search(topic.group("topic")):
                args["query"] = topic.group("topic")
            return Draft("user_feed", args=args)
    searches: Mapping[Action, re.Pattern[str]] = {"site_search": _SITE, "web_search": _WEB}
    for action, pattern in searches.items():
        if match := pattern.search(text):
            words = match.groupdict()
            return Draft(action, args={"query": _trimmed(words["q"] or words["e"])})
    if _NEWS.search(text):
        return Draft("web_search", args={"query": _trimmed(_QUIET.sub("", text))})
    return None


def refusal(text: str) -> str | None:
    """`advice` or `prediction` when it asks for one."""
    if _ADVICE.search(text):
        return "advice"
    return "prediction" if _FUTURE.search(text) else None


def is_knowledge(shadow: str) -> bool:
    """Whether it asks what a word means. Only of questions that name no company."""
    return _KNOWLEDGE.search(shadow) is not None


def trimmed_question(text: str) -> str:
    """The question as it is searched for: without marks at its end."""
    return _trimmed(text)


def _trimmed(text: str) -> str:
    return text.strip().strip("?？。！!，, ")


def _blanked(text: str, match: re.Match[str]) -> str:
    return text[: match.start()] + "\n" * (match.end() - match.start()) + text[match.end() :]
