"""Questions that have nothing to do with market data, and what is said around one. Data only."""

import re

_GREETING = re.compile(
    r"\W*(?:你好|您好|嗨|哈喽|在吗|在么|有人吗|早上好|晚上好|谢谢|多谢|感谢|辛苦了|好的|再见|拜拜|帮助|怎么用|"
    r"hi|hello|hey|thanks?(?: you)?|ok|bye|help|good (?:morning|evening)|how are you)"
    r"[\W啊呀呢吗的了]*",
    re.IGNORECASE,
)
_ABOUT_IT = re.compile(
    r"^\W*(?:你|您)(?:是谁|叫什么|是什么|是哪|会什么|会做什么|能做什么|能干什么|能干嘛|可以做什么|有什么功能|是人)|"
    r"^\W*(?:(?:你们?|您|这里|系统|平台)(?:这里|这边)?(?:的|都)?)?(?:(?:有|能查|支持|覆盖|提供|收录)(?:了|到)?(?:哪些|什么|多少)"
    r"(?:数据|市场|公司|股票|资料|指标|信息)(?:的?数据)?(?:啊|呀|呢|可以[查看问]|\W)*$|数据的?(?:来源|出处)|数据(?:是)?(?:从哪|哪里?)来)|"
    r"有没有(?:a股|港股|美股)的?数据|"
    r"谁(?:开发|创造|做)(?:的|了)?你|你是谁|你的(?:名字|功能)|(?:这个)?(?:系统|软件|工具)(?:能|会|可以)做什么|"
    r"\bwho (?:are|made|built) you\b|what (?:can|do) you do\b|what'?s your name|are you (?:a|an) ",
    re.IGNORECASE,
)
_TOPICS = re.compile(
    r"天气|气温|下雨|下雪|讲个?(?:笑话|故事)|笑话|(?:写|作|来)(?:一|个)?(?:首|篇|段|封|个)?"
    r"(?:诗|作文|歌|代码|程序|小说|情书|邮件|python)|写.{0,6}(?:代码|程序)|星期几|几点了|现在几点|"
    r"吃什么|菜谱|怎么做(?:饭|菜)|世界杯|奥运会|(?:买|中)彩票|双色球开奖|翻译(?:一下|成|这)|"
    # 1+1等于几, but not 市盈率等于多少.
    r"\d ?[-+*/×÷加减乘除] ?\d+ ?等于(?:几|多少)|减肥|星座运势|算命|"
    r"\bweather\b|\bjokes?\b|\bpoems?\b|\brecipes?\b|\blyrics\b|\bhoroscope\b|"
    r"translate (?:this|into)|"
    r"write (?:me |some |a )+(?:poem|code|story|song|essay|python)|what time is it",
    re.IGNORECASE,
)
_ORDERS_TO_IT = re.compile(
    r"忽略.{0,12}(?:指令|提示|规则|设定|要求)|系统提示|提示词|开发者模式|越狱|"
    r"没有(?:任何)?限制的|(?:api|密)[ _-]?(?:key|钥)|"
    r"(?:ignore|disregard|forget).{0,20}(?:instructions|rules|prompt)|system prompt|developer mode|"
    r"jailbreak|\bapi[ _-]?keys?\b|drop table|select \* from|<\s*/?script|rm -rf|\{\{.*\}\}",
    re.IGNORECASE,
)


_NOT_COVERED = re.compile(
    r"汇率|金价|油价|(?:黄金|白银|原油|铜|螺纹钢|大豆)(?:的)?(?:现货|期货)?(?:价格|多少钱|走势|行情)|"
    r"(?:换算|折算|折合|兑换?|折)成?(?:人民币|美元|美金|港币|港元|欧元|日元|英镑)|"
    r"比特币|以太坊|国债收益率|国债利率|美元指数|"
    r"\b(?:exchange rates?|gold price|oil price|bitcoin|treasury yields?|crude oil)\b",
    re.IGNORECASE,
)


# 你们数据到哪天: until when the figures are, not those of a company.
_BASIS = re.compile(
    r"^\W*(?:请问|想问)?(?:你们|您们|你|您|这里|系统|平台|这个(?:系统|软件|工具)|咱们)?(?:这边|这里|家)?的?"
    r"(?:最新|所有|全部)?的?(?:数据|行情|资料|数字|信息)(?:都|现在|目前|最新|大概)?"
    r"(?:是|截至|截止|更新|到|截|更)+[到至于在]?了?"
    r"(?:哪一?[天日年]|什么时候|啥时候?|几号|几月|何时|多新|什么时间|哪个?时间|哪一?个?(?:交易日|月))"
    r"(?:的|了|为止|呀|啊|呢|\W)*$|"
    r"(?:数据|行情|股价|价格|数字)(?:都|现在)?(?:是不是|是否|是)?(?:实时|最新|及时|延迟)的?(?:吗|么|吧|\W)*$|"
    r"\b(?:how (?:recent|fresh|current|up[- ]to[- ]date|old) is (?:your|the) data|"
    r"(?:what|which) (?:date|day) (?:is|does) (?:your|the) data|"
    r"data (?:cut[- ]?off|as of when)|when was (?:your|the) data (?:last )?updated|"
    r"how far does (?:your|the) data go)\b",
    re.IGNORECASE,
)


def off_topic(text: str) -> str | None:
    """Why it is put back: `what_it_does` for a greeting, `not_covered`
    for rates and goods, `data_basis`, `off_topic`; None when it may be asked."""
    if _GREETING.fullmatch(text) or _ABOUT_IT.search(text):
        return "what_it_does"
    if _BASIS.search(text):
        return "data_basis"
    if _NOT_COVERED.search(text):
        return "not_covered"
    return "off_topic" if _TOPICS.search(text) or _ORDERS_TO_IT.search(text) else None
