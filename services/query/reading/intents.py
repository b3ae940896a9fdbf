"""What a question wants done, from its words: free texts, refusals, and the action on a company."""

import re
from dataclasses import dataclass

from services.query.planning.nlir import Action
from services.query.reading.free_texts import trimmed
from services.query.reading.off_topic import off_topic
from services.query.reading.sentence import FIGURE, any_of
from services.query.reading.wording import INDUSTRIES

_M = any_of(FIGURE)
_INDUSTRY = "|".join(sorted(INDUSTRIES, key=len, reverse=True))
_ADVICE = re.compile(
    r"能不能买|能买|可以买|可买|该不该|值得(?:买|投资|入手|持有)|买入吗|买不买|要不要(?:买|卖)|买点|卖点|"
    r"卖出|卖掉|该卖|抄底|加仓|减仓|清仓|止损|推荐|荐股|下单|买\d+股|买哪|should i (?:buy|sell)|"
    r"recommend|good (?:buy|investment)|worth buying|place an order|好股票|牛股|满仓|梭哈|"
    r"空仓|上车|割肉|该买|该卖|买入还是|买.{1,12}还是|(?:buy|sell) now|"
    r"(?:stocks?|shares?|what|which).{0,20} (?:to|should i) (?:buy|sell)",
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
    r"怎么(?:算|计算|理解|规定|定义|界定|判断|判定)|如何(?:计算|理解|规定|定义|界定|判断|判定)|"
    r"的(?:定义|含义|公式|规则|规定|概念|意思)|啥意思|是啥\??$|什么概念|"
    r"(?:交易|涨跌停|异常波动|停牌|分红|打新)(?:的)?(?:规则|制度|规定|标准)|"
    r"(?:有什么|有何)?(?:区别|差别)(?:是什么)?\??$|有什么不(?:同|一样)|"
    r"(?:说明|代表|意味着?|反映)了?什么|有什么(?:用|意义)|多少(?:算|才)|越[高低大小]越好|"
    r"(?:判定|认定)标准|"
    r"(?:交易|涨跌停|涨停|跌停|熔断|停牌|复牌|融资融券|打新|除权|除息|退市|a股|港股|美股).{0,4}"
    r"(?:制度|规则|机制|规定|流程|时间)|"
    rf"^what (?:is|are) (?:an? )?{_M}(?: ratio)?\??$|^what does .+ mean|"
    r"^what (?:is|are) an? [a-z -]+\??$|meaning of|definition of|^explain |^define |"
    r"^how (?:is|are) .+ (?:calculated|computed|defined|measured)|"
    r"^how (?:do|does|can|to) .{0,20}(?:calculate|compute|define)|"
    r"difference between|^what'?s (?:an? |the )?(?:meaning|definition|difference)|"
    rf"^what(?:'?s)? (?:an? )?{_M}(?: ratio)?\??$|\bstand for\??$"
)
_FEEDS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            r"公告|披露了?|announcements?|filings?|notices?|disclosures?|"
            r"[停复]牌的?(?:原因|时间|情况)|(?:为什么|为何|为啥|什么时候|何时)[又会要还]?[停复]牌(?![前后])"
        ),
        "公告",
    ),
    (
        re.compile(
            r"(?:最热|热门|热议|最火)的?(?:讨论|帖子|帖|话题)?|热帖|"
            r"热度|讨论度|关注度|人气|hot(?:test)? (?:posts?|discussions?)"
        ),
        "最热讨论",
    ),
    (
        re.compile(r"大v(?:们?都?在?.{0,2}(?:讨论|聊|说|看|关注))?|影响力用户|influencers?|big v"),
        "大V",
    ),
    (
        re.compile(
            r"(?:最新的?)?(?:讨论|帖子|新帖|评论|评价|口碑|吐槽)|"
            r"(?:大家|股友|网友|球友|投资者|股民|散户|雪球|股吧|论坛).{0,5}"
            r"(?:说|看|聊|议论|觉得|评价)|"
            r"(?:latest |recent |newest )?(?:discussions?|posts?|comments|chatter)|opinions|"
            r"(?:people|investors|users|everyone|they) (?:are |is )?(?:say|think|talk)(?:ing)?|"
            r"(?:are |is )(?:people|investors|users|everyone) (?:saying|thinking|talking)|"
            r"sentiment|buzz"
        ),
        "最新讨论",
    ),
)
_ACTIONS: tuple[tuple[Action, re.Pattern[str]], ...] = (
    (
        "compare",
        re.compile(
            r"(?:同行业?|同业)(?:公司)?(?:对比|比较|相比|比)?|"
            r"行业(?:内|里|中)?(?:对比|比较|排名|排行|地位|排第几|排多少|平均|中位数|均值)|"
            r"[里中内]的?(?:地位|排名)|"
            r"行业(?:内|里|中).{0,12}排(?:第几|名|第多少|多少|老几)|"
            r"排(?:名)?(?:在)?(?:第几|第多少|多少名|老几)(?:名|位)?|"
            r"\bwhere does .{1,30}rank|\branks? (?:in|among)|"
            rf"(?:在)?(?:同)?(?:{_INDUSTRY}|行业)(?:行业|板块|股)?(?:里面|里|中|内).{{0,8}}"
            r"(?:高不高|低不低|贵不贵|高吗|低吗|贵吗|算高|算低|什么水平|什么位置)|"
            r"(?:和|跟|与)(?:其他|其它|别的).{0,6}(?:对比|相比|比较|比)|"
            r"(?:竞争对手|可比公司|友商)(?:对比|比较|相比|比)?|"
            r"peers?(?: comparison| group)?|competitors?|"
            r"industry (?:comparison|average|median|rank)"
        ),
    ),
    (
        "abnormal",
        re.compile(
            r"为(?:什么|啥|何)(?:会)?(?:大|暴|急)?[涨跌]?|怎么(?:就|会|又|突然)?[大暴]?[涨跌]了?|异动(?:原因)?|异常(?:波动)?|"
            r"[大暴急][涨跌](?:的?原因)?|[涨跌]得(?:这么|那么|很|太|特别|最)?(?:厉害|猛|凶|惨|狠)|[涨跌]停(?:的?原因)?|闪崩|[涨跌]的?原因|\bwhy\b|"
            r"怎么回事|怎么了|咋了|咋回事|发生了?什么|出了?什么事|什么情况|what (?:has )?caused|"
            r"reasons? (?:for|behind)|what happened to|what'?s (?:up|wrong) with|"
            r"abnormal(?: moves?)?|unusual moves?|plunged?|surged?|spiked?"
        ),
    ),
    (
        "price_history",
        re.compile(
            r"(?:历史)?走势图?|曲线|日?k线图?|日线|"
            rf"历史(?=的?(?:{_M}|价格|行情|数据))|(?<={_M})历史|"
            rf"(?<={_M})(?:的)?(?:变化|趋势)|(?<={_M}) trends?|"
            r"(?:historical )?(?:price )?(?:history|charts?|candles?|candlesticks?)|"
            r"historical prices?|k-?lines?"
        ),
    ),
)
SPANNED: frozenset[Action] = frozenset({"abnormal", "feed", "price_history"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """The action said, if any; of a feed its parts; the shadow without those words; the words."""

    action: Action | None
    wants: tuple[str, ...]
    rest: str
    words: tuple[str, ...] = ()


def wanted(shadow: str) -> Wanted:
    """Which action the words around a company ask for."""
    rest, wants, words = shadow, list[str](), list[str]()
    for pattern, want in _FEEDS:
        if match := pattern.search(rest):
            wants.append(want)
            words.append(match.group())
            rest = _blanked(rest, match)
    action: Action | None = "feed" if wants else None
    for one, pattern in _ACTIONS:
        if match := pattern.search(rest):
            action = action or one
            words.append(match.group())
            rest = _blanked(rest, match)
    return Wanted(action, tuple(wants), rest, tuple(words))


def refusal(text: str) -> str | None:
    """Why a text is put back whatever it names: advice, a prediction, or what off_topic.py says."""
    if kind := off_topic(text):
        return kind
    if _ADVICE.search(text):
        return "advice"
    return "prediction" if _FUTURE.search(text) else None


def is_knowledge(shadow: str) -> bool:
    """Whether it asks what a word means. Only of questions that name no company."""
    return _KNOWLEDGE.search(shadow) is not None


def trimmed_question(text: str) -> str:
    """The question as it is searched for: without marks at its end."""
    return trimmed(text)


def _blanked(text: str, match: re.Match[str]) -> str:
    return text[: match.start()] + "\n" * (match.end() - match.start()) + text[match.end() :]
