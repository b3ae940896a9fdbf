"""Questions whose own words are what is looked for: addresses, members, searches, news."""

import re
from collections.abc import Mapping

from services.query.planning.nlir import Action
from services.query.planning.slots import Draft

_URL = re.compile(
    r"(?:https?://|www\.|(?<![A-Za-z0-9_.@/-])(?:[a-z0-9-]+\.)*xueqiu\.com\b"
    r"|(?<![A-Za-z0-9_.@/-])(?:[a-z0-9-]+\.)+(?:com|cn|net|org|io)/)[^\s一-鿿，。、；）)\]>\"']*",
    re.IGNORECASE,
)
_HOSTS = re.compile(r"(?:https?://)?(?:[a-z0-9-]+\.)?xueqiu\.com(?:[/?#].*)?", re.IGNORECASE)
_NAME = r"(?P<user>[\w一-鿿·\-]{1,20}?)"
# What belongs to a member: behind the name and 的.
_OWNED = "动态|发言|观点|帖子|最新|最近|文章|雪球|主页|看法|资料|简介|持仓|组合"
_USER = tuple(
    re.compile(pattern)
    for pattern in (
        rf"@{_NAME}(?=\s|的(?:{_OWNED})|最近|近期|怎么|说|发|对|关于|$|[,，?？。])(?P<rest>.*)",
        r"(?:雪球)?(?:用户|大V|博主|球友)\s*[「\"“]?(?!在|们|都|怎么|如何|说|讨论|聊|对|最)"
        rf"{_NAME}[」\"”]?\s*"
        rf"(?:最近|近期|近来|今天|昨天|近?一周|的(?=\s*(?:{_OWNED}))"
        r"|说了|发了|说过|发过|怎么看|如何看|动态|对)(?P<rest>.*)",
        r"^(?:请|帮我|麻烦)?(?:看看|看下|看一下|打开)?(?P<user>[\w·\-]{2,12})的雪球"
        r"(?:主页|账号|首页|动态)?(?P<rest>$|[,，?？。].*)",
        rf"(?:posts?|feed|timeline|updates?) (?:by|of|from) (?:the )?user [\"“]?{_NAME}"
        r"(?P<rest>$|[\s\"”?].*)",
        rf"\b(?:did|has) (?:the )?user [\"“]?{_NAME}[\"”]? (?P<rest>.*)",
        rf"(?<!the )\buser [\"“]?{_NAME}(?:'s)?[\"”]? (?:latest |recent )?"
        r"(?:posts?|feed|updates?)(?P<rest>.*)",
    )
)
_ABOUT = re.compile(
    r"(?:怎么看|如何看|对|关于|说)(?P<topic>[\w一-鿿]{2,20}?)(?:的|怎么|吗|$|\?|？|。)"
)
_NO_TOPIC = re.compile(r"什么|了|动态|发言|观点|帖子|内容|文章")
_PLEASE = r"(?:请问|请|帮我|帮忙|麻烦你?|给我|能不能|可以|能|你好[,，]?|我想|想|再)*"
_SEEK = r"(?:搜索|搜|查找|查询|查查|查|找找|找|检索)(?:一下|一搜|搜|下)?(?:关于)?[:：]?\s*"
_SITE = re.compile(
    rf"^{_PLEASE}(?:在|去|到|用)?(?:雪球|站内|社区|本站)(?:上面|上|站内|里面|里|网|社区)?{_SEEK}"
    r"(?P<q>.+)$|^(?:please )?search (?:on )?(?:xueqiu|the community) (?:for )?(?P<e>.+)$",
    re.IGNORECASE,
)
# Google is a company too: google revenue, google and facebook.
_NO_SEARCH = (
    r"(?!(?:and|or|vs\.?|versus|inc|stock|shares?|pe|pb|ps|roe|eps|p/e|p/b|revenue|net|profit|price"
    r"|market|gross|dividend|total|earnings|debt|sales|fy|q[1-4]|h[12]|latest|closing|peers?|chart"
    r"|announcements?|\d+)\b)"
)
_WEB = re.compile(
    rf"^{_PLEASE}(?:(?:在|去|到|用|从)?"
    rf"(?:网上|上网|互联网|全网|百度|谷歌|必应|网络|外网)(?:上面|上|里)?{_SEEK}"
    r"|(?:百度|谷歌)一下[:：]?\s*|(?:搜索一下|搜索|搜一下|搜一搜|搜搜)[:：]?\s*)(?P<q>.+)$"
    r"|^(?:please |can you |could you )*"
    r"(?:search (?:the )?(?:web|internet|net) (?:for |about )?"
    rf"|google (?:for |search )?{_NO_SEARCH}"
    r"|web search:? (?:for )?|search online (?:for )?|look up online |search for )(?P<e>.+)$",
    re.IGNORECASE,
)
_NEWS = re.compile(r"新闻|资讯|快讯|消息|\bnews\b", re.IGNORECASE)
_QUIET = re.compile(
    r"^(?:请问|请|帮我|麻烦)?(?:查一下|查查|看看|看一下|搜一下|有没有|有什么|有哪些|关于)?|"
    r"(?:有什么|有哪些|有没有|有啥)(?=.{0,6}(?:新闻|资讯|快讯|消息))"
)


def addresses(text: str) -> tuple[str, ...]:
    """Every address in the text, with https:// where it was left out."""
    found = (match.group().rstrip(".,;!?") for match in _URL.finditer(text))
    return tuple(one if "://" in one else f"https://{one}" for one in found)


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
            return Draft(action, args={"query": trimmed(words["q"] or words["e"])})
    if _NEWS.search(text):
        return Draft("web_search", args={"query": trimmed(_QUIET.sub("", text))})
    return None


def trimmed(text: str) -> str:
    """The words as they are searched for: without marks at their ends."""
    return text.strip().strip("?？。！!，, ")
