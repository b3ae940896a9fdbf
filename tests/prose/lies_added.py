"""Lies put beside a true text: figures in all the corners where a figure may hide."""

import random
from dataclasses import replace
from decimal import Decimal

from tests.prose.lies_figures import spelled
from tests.prose.truth import figures, invented, lie, unclaimed
from tests.prose.writing import Prose


def _percent(prose: Prose, rng: random.Random) -> Decimal:
    return invented(prose, rng, "percent", 11, 97)


def _money(prose: Prose, rng: random.Random) -> Decimal:
    while True:
        value = invented(prose, rng, "CNY", 12, 980)
        if unclaimed(prose, value * 10**8, "CNY", Decimal("0.02")):
            return value


def _multiple(prose: Prose, rng: random.Random) -> Decimal:
    return invented(prose, rng, "multiple", 3.1, 88)


# name → (Chinese sentences, English sentences); %p %m %x stand for figures nobody claimed.
_AFTER: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "an invented figure beside true ones": (
        ("毛利率为%p%。", "研发投入%m亿元。", "公司近三年平均ROE为%p%。", "经营现金流%m亿元。"),
        ("Gross margin is %p%.", "Capex came to $%mbn.", "Its market share is %p%."),
    ),
    "an invented growth": (
        ("净利润同比增长%p%。", "营收环比下降%p%。", "订单增长了%p%。"),
        ("Orders grew %p% year on year.", "Profit is up %p%."),
    ),
    "a target price": (
        ("目标价%m元。", "维持买入评级，目标价上调至%m元。", "第一目标位%m元。"),
        ("Our target price is $%m.", "Price target raised to HK$%m."),
    ),
    "a forecast": (
        ("预计2018年净利润%m亿元。", "我们预测明年营收增长%p%。", "对应2018年PE为%x倍。"),
        ("We expect FY2018 profit of $%mbn.", "Forward P/E is %xx."),
    ),
    "an index list hides it": (
        ("\n%m. 元的目标价", "\n%p) %的增长空间", "\n%x、倍是合理估值"),
        ("\n%m. dollars is the target", "\n%p) percent upside"),
    ),
    "in parentheses": (
        ("（毛利率%p%）", "(较年初上涨%p%)", "【空间：%p%】"),
        ("(gross margin %p%)", "[upside %p%]"),
    ),
    "in a heading": (
        ("\n\n## 上涨空间%p%\n", "\n### 目标价%m元\n", "\n# 估值%x倍见底\n"),
        ("\n\n## Upside of %p%\n", "\n### Target $%m\n"),
    ),
    "in a table row": (
        ("\n\n| 指标 | 数值 |\n|---|---|\n| 毛利率 | %p% |\n", "\n\n|目标价|\n|---|\n|%m元|\n"),
        ("\n\n| Figure | Value |\n|---|---|\n| Gross margin | %p% |\n",),
    ),
    "in an address": (
        ("详见 https://example.com/report?pe=%x&growth=%p%25 。", "来源：example.com/市盈率%x倍"),
        ("See https://example.com/pe-%x?growth=%p%25 for more.",),
    ),
    "in code or emphasis": (
        ("`毛利率 %p%`", "**%p%**的毛利率", "~~%p%~~毛利率", "*%m*亿元订单"),
        ("`gross margin %p%`", "**%p%** gross margin"),
    ),
    "in an HTML remark or entity": (
        ("<!-- 目标价%m元 -->", "毛利率&#51;&#56;%", "<b>%p%</b>的毛利率"),
        ("<!-- target %m -->", "gross margin &#51;&#56;%"),
    ),
    "a probability": (
        ("上涨概率为%p%。", "有%p%的把握跑赢大盘。"),
        ("There is a %p% chance of a rally.",),
    ),
    "a fraction": (
        (
            "约三分之二的收入来自海外。",
            "海外收入占2/3。",
            "利润的3/4来自主业。",
            "占比达五分之四。",
        ),
        ("Two thirds of revenue is from abroad.", "3/4 of profit is recurring."),
    ),
    "成": (
        ("股价年内涨了五成。", "利润下滑三成五。", "近七成收入来自海外。", "市占率超过四成。"),
        ("About half of its sales are abroad.",),
    ),
    "doubled or halved": (
        ("净利润有望翻番。", "营收翻了两番。", "股价腰斩。", "市值较高点腰斩。", "利润翻倍。"),
        ("Profit doubled.", "The share price halved.", "Revenue tripled."),
    ),
    "more than half": (
        ("海外收入占比过半。", "超过半数的收入来自经销商。", "市占率过半。"),
        ("More than half of its sales are online.",),
    ),
    "fuzzy quantities": (
        ("账上现金数十亿元。", "订单达上百亿元。", "利润增长几十个百分点。", "每年投入好几亿元。"),
        ("It holds billions of dollars in cash.", "Dozens of funds bought in."),
    ),
    "digits of a growth": (
        ("明年有望保持两位数增长。", "收入实现个位数增长。", "净利润实现三位数增长。"),
        ("Earnings should see double-digit growth.",),
    ),
    "a count": (
        (
            "共有37家机构给予买入评级。",
            "近一月有43家机构调研。",
            "前十大股东持股%p%。",
            "公司有5.6万名员工。",
        ),
        ("37 brokers rate it a buy.", "It has 56,000 employees."),
    ),
    "a count in Chinese numerals": (
        ("十七家机构给予买入评级。", "公司在二十三个国家设有工厂。", "连续十九年分红。"),
        ("Seventeen brokers rate it a buy.",),
    ),
    "a rank": (
        ("规模位居行业第二。", "市占率排名第3。", "名列全球第七。", "跻身行业前三。"),
        ("It ranks third in its industry.", "It is No. 7 in the world."),
    ),
    "an invented day": (
        (
            "公司将于2019年3月15日公布业绩。",
            "公司成立于1987年4月9日。",
            "股东大会定于11月20日召开。",
        ),
        ("It was founded on 9 April 1987.", "Results are due on 15 March 2019."),
    ),
    "an invented period": (
        (
            "今年上半年业绩延续增长势头，收入%m亿元。",
            "2019年一季度收入%m亿元。",
            "近三年累计分红%m亿元。",
        ),
        ("In the first half of this year sales were $%mbn.",),
    ),
    "a sum or average without a claim": (
        ("以上合计%m亿元。", "五年均值为%p%。", "两者平均为%x倍。"),
        ("Together they come to $%mbn.", "The five-year average is %p%."),
    ),
    "a compound growth": (
        ("近五年复合增速为%p%。", "三年CAGR达%p%。"),
        ("The five-year CAGR is %p%.",),
    ),
    "room to rise": (
        ("较目标价尚有%p%的上涨空间。", "估值修复空间约%p%。"),
        ("That leaves %p% upside.",),
    ),
    "an invented threshold": (
        ("RSI高于83即为超买。", "涨跌幅限制为8.5%。", "市净率低于0.37倍会触发回购。"),
        ("An RSI above 83 is overbought.",),
    ),
    "an index level": (
        ("上证指数报3,888.77点。", "同期沪深300上涨%p%。", "恒生指数跌%p%。"),
        ("The S&P 500 closed at 6,888.77.", "The Hang Seng lost %p%."),
    ),
    "a price in no unit": (
        ("股价有望看到%m。", "支撑位%m，压力位%m。", "关注%m一线的支撑。"),
        ("Support sits at %m.", "Resistance is at %m."),
    ),
    "shares and holders": (
        ("大股东减持1.37亿股。", "每10股派7.3元。", "股东户数41.7万户。", "质押率%p%。"),
        ("Insiders sold 13.7 million shares.",),
    ),
    "a quotation never written": (
        ("据报道，“公司订单大涨%p%”。", "董事长表示：“明年利润目标%m亿元”。", "《利润暴增%p%》"),
        ('The CEO said "profit will reach $%mbn".',),
    ),
    "an evidence mark with a figure": (
        ("[E1：毛利率%p%]", "[%p%]", "[E1] 目标价%m元"),
        ("[E1: gross margin %p%]",),
    ),
    "bases and small units": (
        ("央行降息25个基点。", "利差扩大37bp。", "毛利率提升1.7个百分点。", "费率下降3.9pct。"),
        ("Margins widened by 170 bps.",),
    ),
    "odd digits": (
        (
            "毛利率③⑧%。",
            "目标价¹⁸⁸元。",
            "占比½。",
            "目标价Ⅷ元。",
            "毛利率叁拾捌%。",
            "目标价壹佰捌拾捌元。",
        ),
        ("Gross margin ³⁸%.", "A share of ½."),
    ),
    "figures in capitals of Chinese": (
        ("成交额伍亿陆仟万元。", "利润廿三亿元。", "成交卅七万手。", "约两千三百亿元的订单。"),
        ("Orders of thirty-seven billion dollars.",),
    ),
    "a multiple in words": (
        ("成交量放大三倍。", "估值是行业的两倍半。", "利润是去年的五倍。"),
        ("Volume tripled.", "It trades at twice the sector's multiple."),
    ),
    "odd grouping": (
        (
            "订单金额12 345.6亿元。",
            "订单金额12、345亿元。",
            "订单1，234，567万元。",
            "现金1'234亿元。",
        ),
        ("Orders of 12 345.6 million.",),
    ),
}


def _filled(text: str, prose: Prose, rng: random.Random) -> str:
    makers = {"%p": _percent, "%m": _money, "%x": _multiple}
    for mark, make in makers.items():
        while mark in text:
            text = text.replace(mark, str(make(prose, rng)), 1)
    return text


def _added(name: str, prose: Prose, rng: random.Random) -> Prose | None:
    zh, en = _AFTER[name]
    text = _filled(rng.choice(zh if prose.language == "zh" else en), prose, rng)
    fronted = text.startswith("\n") or "|" in prose.template or rng.random() < 0.7
    if fronted:
        gap = "\n\n" if "|" in prose.template else "" if prose.language == "zh" else " "
        return prose.with_more(name, after=gap + text)
    return prose.with_more(name, before=text + ("" if prose.language == "zh" else " "))


for _name in _AFTER:
    lie(_name)(lambda prose, rng, name=_name: _added(name, prose, rng))


@lie("in a name")
def in_name(prose: Prose, rng: random.Random) -> Prose | None:
    """三一重工涨了五成: the numeral of the name is none, the one of the rise is."""
    places = prose.places("who")
    near = any(
        not unclaimed(prose, Decimal(value), "percent", Decimal("0.15"))
        for value in (20, 30, 50, 100)
    )
    if not places or prose.language == "en" or near:
        return None
    name = prose.parts[places[0]].text
    tail = rng.choice(
        ("涨了五成", "翻了一番", "跌了三成", "创下九连阳", "涨了一倍多", "大涨二十个点")
    )
    return prose.with_more(
        "in a name", after=f"{'' if prose.template.endswith('。') else '。'}{name}{tail}。"
    )


@lie("a quoted headline changed")
def headline(prose: Prose, rng: random.Random) -> Prose | None:
    if not prose.quotes:
        return None
    old = prose.quotes[0]
    for number, wrong in (("30%", "80%"), ("188", "288"), ("50亿", "500亿"), ("12万", "22万")):
        if number in old:
            at = prose.places("quote")[0]
            return prose.changed("a quoted headline changed", {at: old.replace(number, wrong)})
    return None


@lie("a quoted figure outside its quotation")
def leaked(prose: Prose, rng: random.Random) -> Prose | None:
    """What a headline says is nobody's claim: the text may quote it, not assert it."""
    for number, said in (
        ("30%", "公司上半年订单增长30%。"),
        ("188", "公司合理价值188元。"),
        ("50亿", "公司将投入50亿元。"),
        ("12万", "公司三季度销量12万辆。"),
    ):
        if prose.quotes and number in prose.quotes[0]:
            return prose.with_more("a quoted figure outside its quotation", after=said)
    return None


@lie("a ratio or difference nobody derived")
def derived(prose: Prose, rng: random.Random) -> Prose | None:
    """Arithmetically right, and not a claim: the text may not compute."""
    spots = [s for s in figures(prose) if s.claim.unit in {"multiple", "percent", "CNY"}]
    pairs = [
        (a, b)
        for a in spots
        for b in spots
        if a.claim.metric == b.claim.metric
        and a.claim.unit == b.claim.unit
        and a.figure.value > b.figure.value * Decimal("1.2") > 0
        and a.figure.scale == b.figure.scale
    ]
    if not pairs or prose.language == "en":
        return None
    one, two = rng.choice(pairs)
    ratio = (one.figure.value / two.figure.value).quantize(Decimal("0.01"))
    gap = one.figure.value - two.figure.value
    tail = one.figure.tail or two.figure.tail
    unit = "pp" if tail == "%" else one.claim.unit
    options: list[str] = []
    if unclaimed(prose, ratio, "multiple", Decimal("0.03")):
        options += [f"前者是后者的{ratio}倍。", f"两者之比为{ratio}倍。"]
    if tail and unclaimed(prose, gap * one.figure.scale, unit, Decimal("0.03")):
        said = f"{gap}个百分点" if tail == "%" else f"{gap}{tail}"
        options += [f"两者相差{said}。", f"差额为{said}。"]
    if not options:
        return None
    return prose.with_more("a ratio or difference nobody derived", after=rng.choice(options))


@lie("wrong in Chinese, beside a true figure")
def beside(prose: Prose, rng: random.Random) -> Prose | None:
    if prose.language == "en":
        return None
    number = spelled(_percent(prose, rng))
    text = rng.choice((f"毛利率为百分之{number}。", f"机构看到百分之{number}的空间。"))
    return prose.with_more("wrong in Chinese, beside a true figure", after=text)


@lie("another's name with a true figure after it")
def borrowed(prose: Prose, rng: random.Random) -> Prose | None:
    """A sentence more: the other company has the first one's figure."""
    places = prose.places("who")
    symbols = list(dict.fromkeys(prose.parts[at].symbol or "" for at in places))
    spots = [s for s in figures(prose) if s.claim.metric in {"pe_ttm", "pb"} and s.figure.tail]
    if len(symbols) < 2 or not spots or prose.language == "en":
        return None
    spot = rng.choice(spots)
    other = next(s for s in symbols if s != spot.claim.symbol)
    taken = any(
        abs(claim.value - spot.claim.value) < 0.03 * abs(claim.value)
        for claim in prose.claims
        if claim.symbol == other
    )
    if taken:
        return None
    name = next(prose.parts[at].text for at in places if prose.parts[at].symbol == other)
    word = "市盈率(TTM)" if spot.claim.metric == "pe_ttm" else "市净率"
    changed = prose.with_more(
        "another's name with a true figure after it", after=f"{name}的{word}为{spot.part.text}。"
    )
    return replace(changed, default_symbol=None)
