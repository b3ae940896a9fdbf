"""How Chinese analysts write about one company or a few: templates, one style each."""

from tests.prose.styles import Style, table

_VALUATION = (
    ("one-liner", "", "{who}{what:pe_ttm}为{fig:pe_ttm}。"),
    ("dated one-liner", "", "截至{when:pe_ttm}，{who}的{what:pe_ttm}为{fig:pe_ttm}。"),
    ("bare PE", "", "{who}目前的{bare:pe_ttm}是{fig:pe_ttm}。"),
    ("default subject", "default", "{what:pe_ttm}{fig:pe_ttm}，{what:pb}{fig:pb}。"),
    (
        "three in a sentence",
        "",
        "{who}{what:pe_ttm}{fig:pe_ttm}、{what:pb}{fig:pb}，{what:market_cap}{fig:market_cap}。",
    ),
    (
        "TTM beside LYR",
        "differ:pe_ttm,pe_lyr",
        "{who}的{what:pe_ttm}为{fig:pe_ttm}，{what:pe_lyr}为{fig:pe_lyr}，两者口径不同。",
    ),
    ("loose cap", "", "{who}（{code}）{what:market_cap}{loose:market_cap}。"),
    (
        "loose cap with comment",
        "",
        "按{when:market_cap}数据，{who}{what:market_cap}{loose:market_cap}，属于大盘股。",
    ),
    (
        "more than",
        "",
        "{who}{what:market_cap}有{more:market_cap}，{what:pb}{fig:pb}。",
    ),
    (
        "bullets",
        "",
        "**{who}（{code}）估值速览**\n\n- {what:pe_ttm}：{fig:pe_ttm}\n- {what:pb}：{fig:pb}\n"
        "- {what:market_cap}：{fig:market_cap}\n",
    ),
    (
        "numbered list",
        "",
        "{who}的几个要点：\n1. {what:pe_ttm}为{fig:pe_ttm}；\n2. {what:pb}为{fig:pb}；\n"
        "3. {what:market_cap}为{fig:market_cap}。",
    ),
    (
        "chinese numbered",
        "",
        "一、估值\n{who}{what:pe_ttm}{fig:pe_ttm}。\n二、规模\n{what:market_cap}{fig:market_cap}。",
    ),
    (
        "circled",
        "",
        "{who}：①{what:pe_ttm}{fig:pe_ttm}；②{what:pb}{fig:pb}；③{what:market_cap}"
        "{fig:market_cap}。",
    ),
    (
        "footnotes",
        "",
        "{who}的{what:pe_ttm}为{fig:pe_ttm}[E1]，{what:pb}为{fig:pb}[E2]。\n\n"
        "[E1] 估值数据，{when:pe_ttm}\n[E2] 估值数据，{when:pb}",
    ),
    (
        "table",
        "",
        "| 指标 | {who} |\n|---|---|\n| {what:pe_ttm} | {fig:pe_ttm} |\n| {what:pb} | {fig:pb} |\n"
        "| {what:market_cap} | {fig:market_cap} |\n",
    ),
    (
        "headings",
        "",
        "## 1. 公司估值\n\n{who}{what:pe_ttm}为{fig:pe_ttm}。\n\n### 1.1 规模\n\n"
        "{what:market_cap}为{fig:market_cap}，<属沪深300成分|纳入上证50>。",
    ),
    (
        "placed",
        "",
        "截至{when:pe_ttm}，{who}的{what:pe_ttm}为{place:pe_ttm}，{what:pb}为{place:pb}。",
    ),
    (
        "placed and free",
        "",
        "{who}{what:market_cap}为{place:market_cap}，{what:pe_ttm}{fig:pe_ttm}，{what:pb}"
        "{place:pb}。",
    ),
    (
        "parentheses",
        "",
        "{who}（{what:pe_ttm}{fig:pe_ttm}，{what:pb}{fig:pb}）是板块内的代表公司。",
    ),
    (
        "colon seconds",
        "",
        "{who}：{what:market_cap} {fig:market_cap} / {what:pe_ttm} {fig:pe_ttm} / {what:pb} "
        "{fig:pb}",
    ),
    (
        "risk words",
        "",
        "风险提示：{who}当前{what:pe_ttm}{fig:pe_ttm}，若业绩不及预期，估值可能回落。以上数据截至"
        "{when:pe_ttm}，不构成投资建议。",
    ),
    (
        "shares",
        "",
        "{who}{what:total_shares}{fig:total_shares}，对应{what:market_cap}{fig:market_cap}。",
    ),
    (
        "headline quoted",
        "quote",
        "据报道，“{quote}”。从数据看，{who}{what:pe_ttm}为{fig:pe_ttm}。",
    ),
    (
        "headline in title marks",
        "quote",
        "媒体标题《{quote}》不能代替数据：{who}{what:pb}{fig:pb}，{what:market_cap}"
        "{fig:market_cap}。",
    ),
    (
        "headline cited late",
        "quote",
        "{who}的{what:pe_ttm}为{fig:pe_ttm}。相关新闻：「{quote}」（未经核实）。",
    ),
    (
        "two companies",
        "",
        "{who}{what:pe_ttm}{fig:pe_ttm}，{who:b}{what:b.pe_ttm}{fig:b.pe_ttm}。",
    ),
    (
        "two companies compared",
        "gt:pe_ttm,b.pe_ttm",
        "{who}的{what:pe_ttm}为{fig:pe_ttm}，高于{who:b}的{fig:b.pe_ttm}。",
    ),
    (
        "two companies less",
        "gt:b.market_cap,market_cap",
        "{who}{what:market_cap}{fig:market_cap}，而{who:b}为{fig:b.market_cap}，前者规模较小。",
    ),
    (
        "respectively",
        "",
        "{who}、{who:b}、{who:c}的{what:pe_ttm}分别为{fig:pe_ttm}、{fig:b.pe_ttm}和"
        "{fig:c.pe_ttm}。",
    ),
    (
        "respectively bare",
        "",
        "{who}、{who:b}、{who:c}{what:pb}分别为{bareno:pb}、{bareno:b.pb}、{fig:c.pb}。",
    ),
    (
        "slashes",
        "",
        "{who}/{who:b}/{who:c}{what:pe_ttm}分别为{bareno:pe_ttm}/{bareno:b.pe_ttm}/"
        "{fig:c.pe_ttm}。",
    ),
    (
        "company table",
        "",
        "| 公司 | {what:pe_ttm} | {what:pb} |\n|:--|--:|--:|\n| {who} | {fig:pe_ttm} | {fig:pb} |\n"
        "| {who:b} | {fig:b.pe_ttm} | {fig:b.pb} |\n| {who:c} | {fig:c.pe_ttm} | {fig:c.pb} |\n",
    ),
    (
        "company bullets",
        "",
        "同业估值（{when:pe_ttm}）：\n- {who}：{what:pe_ttm}{fig:pe_ttm}，{what:pb}{fig:pb}\n"
        "- {who:b}：{what:b.pe_ttm}{fig:b.pe_ttm}，{what:b.pb}{fig:b.pb}\n",
    ),
    (
        "range of two",
        "gt:b.pe_ttm,pe_ttm",
        "{who}与{who:b}的{what:pe_ttm}在{bareno:pe_ttm}至{fig:b.pe_ttm}之间。",
    ),
    (
        "long paragraph",
        "",
        "从估值角度看，{who}（{code}）截至{when:pe_ttm}的{what:pe_ttm}为{fig:pe_ttm}，"
        "{what:pe_lyr}为"
        "{fig:pe_lyr}，{what:pb}为{fig:pb}；公司{what:market_cap}{fig:market_cap}，"
        "{what:total_shares}"
        "{fig:total_shares}。与之相比，{who:b}的{what:b.pe_ttm}为{fig:b.pe_ttm}，{what:b.pb}为"
        "{fig:b.pb}。"
        "两家公司所处的行业、增长阶段与盈利质量并不相同，市盈率高低本身不足以说明贵贱，需要结合"
        "盈利增速、"
        "现金流与分红政策一并判断。市净率以最近一季净资产计，市盈率(TTM)以近十二个月净利润计，口"
        "径见数据说明。"
        "需要提醒的是，上述数字均为采集时点的数据，股价变动后估值会随之改变；本文不作涨跌预测，"
        "也不构成任何投资建议，"
        "投资者应结合自身的风险承受能力独立作出判断，对短期波动保持耐心。",
    ),
)
_REPORTS = (
    ("annual revenue", "", "{who}{when:revenue}{what:revenue}{fig:revenue}。"),
    (
        "revenue and profit",
        "pos:net_profit",
        "{when:revenue}，{who}实现{what:revenue}{fig:revenue}，{what:net_profit}{fig:net_profit}。",
    ),
    (
        "carried yoy",
        "",
        "{who}{when:revenue}{what:revenue}{fig:revenue}，同比{move:revenue_yoy}。",
    ),
    (
        "profit carried yoy",
        "pos:net_profit pos:net_profit@1",
        "{when:revenue}{who}{what:revenue}{fig:revenue}，同比{move:revenue_yoy}；{what:net_profit}"
        "{fig:net_profit}，同比{move:net_profit_yoy}。",
    ),
    (
        "yoy by sign",
        "",
        "{who}{when:revenue_yoy}{what:revenue_yoy}{fig:revenue_yoy:plus}。",
    ),
    (
        "loss",
        "neg:net_profit",
        "{who}{when:net_profit}亏损{abs:net_profit}。",
    ),
    (
        "loss of profit",
        "neg:net_profit",
        "{who}{when:net_profit}{what:net_profit}为{fig:net_profit}，处于亏损状态。",
    ),
    (
        "loss older",
        "neg:net_profit@1",
        "{who}{when:net_profit@1}净亏损{abs:net_profit@1}。",
    ),
    (
        "two years",
        "",
        "{who}{when:revenue@1}和{when:revenue}的{what:revenue}分别为{fig:revenue@1}和"
        "{fig:revenue}。",
    ),
    (
        "three years by semicolon",
        "",
        "{who}{what:revenue}：{when:revenue@2} {fig:revenue@2}；{when:revenue@1} {fig:revenue@1}；"
        "{when:revenue} {fig:revenue}。",
    ),
    (
        "three years slashes",
        "y3:revenue",
        "{year:revenue@2}-{year:revenue}年，{who}{what:revenue}分别为{bareno:revenue@2:YI}/"
        "{bareno:revenue@1:YI}/{fig:revenue:YI}。",
    ),
    (
        "from to",
        "gt:revenue,revenue@2",
        "{who}{what:revenue}由{when:revenue@2}的{fig:revenue@2}增至{when:revenue}的{fig:revenue}。",
    ),
    (
        "year table",
        "",
        "| 年度 | {what:revenue} | {what:net_profit} |\n|---|---|---|\n"
        "| {year:revenue@1} | {fig:revenue@1} | {fig:net_profit@1} |\n"
        "| {year:revenue} | {fig:revenue} | {fig:net_profit} |\n\n注：{who}年报数据。",
    ),
    (
        "balance",
        "",
        "{when:total_assets}，{who}{what:total_assets}{fig:total_assets}，{what:total_liabilities}"
        "{fig:total_liabilities}，{what:debt_to_assets}{fig:debt_to_assets}。",
    ),
    (
        "ratios",
        "pos:net_profit",
        "盈利能力方面，{who}{when:roe}{what:roe}为{fig:roe}，{what:net_margin}为{fig:net_margin}。",
    ),
    (
        "ratio two years",
        "gt:net_margin,net_margin@1 pos:net_margin@1",
        "{who}{what:net_margin}从{when:net_margin@1}的{fig:net_margin@1}提升至{when:net_margin}的"
        "{fig:net_margin}。",
    ),
    ("eps", "pos:eps", "{who}{when:eps}{what:eps}{fig:eps}。"),
    (
        "range of years",
        "gt:debt_to_assets,debt_to_assets@1",
        "{year:debt_to_assets@1}至{year:debt_to_assets}年，{who}{what:debt_to_assets}在"
        "{bareno:debt_to_assets@1:%}-{fig:debt_to_assets}之间。",
    ),
    (
        "placed report",
        "pos:net_profit",
        "{who}{when:revenue}{what:revenue}为{place:revenue}，{what:net_profit}为"
        "{place:net_profit}。",
    ),
    (
        "placed yoy",
        "",
        "{who}{when:revenue}{what:revenue}为{place:revenue}，同比变动{place:revenue_yoy}。",
    ),
    (
        "placed fall",
        "neg:revenue_yoy",
        "{who}{when:revenue}{what:revenue}为{place:revenue}，同比下降{place:revenue_yoy}。",
    ),
    (
        "placed rise",
        "pos:revenue_yoy",
        "{who}{when:revenue}{what:revenue}为{place:revenue}，同比增长{place:revenue_yoy}。",
    ),
    ("loose report", "", "{who}{when:revenue}{what:revenue}{loose:revenue}。"),
    ("wan", "", "{who}{when:revenue}{what:revenue}为{wan:revenue}。"),
    ("plain yuan", "", "{who}{when:revenue}{what:revenue}为{yuan:revenue}。"),
    (
        "default report",
        "default pos:net_profit",
        "公司{when:revenue}{what:revenue}{fig:revenue}，{what:net_profit}{fig:net_profit}。",
    ),
    (
        "two companies report",
        "pos:net_profit pos:b.net_profit sameyear:revenue,b.revenue",
        "{year:revenue}年，{who}{what:revenue}{fig:revenue}、{what:net_profit}{fig:net_profit}；"
        "{who:b}"
        "{what:b.revenue}{fig:b.revenue}、{what:b.net_profit}{fig:b.net_profit}。",
    ),
    (
        "report bullets",
        "pos:net_profit",
        "### {who}{when:revenue}业绩\n\n* {what:revenue}：{fig:revenue}（同比"
        "{fig:revenue_yoy:plus}）\n"
        "* {what:net_profit}：{fig:net_profit}\n* {what:roe}：{fig:roe}\n",
    ),
    (
        "long report",
        "pos:net_profit",
        "{who}是本次分析的对象。{when:revenue}，公司实现{what:revenue}{fig:revenue}，同比"
        "{move:revenue_yoy}，"
        "{what:net_profit}{fig:net_profit}，{what:eps}{fig:eps}。{when:total_assets}，公司"
        "{what:total_assets}"
        "{fig:total_assets}，{what:total_liabilities}{fig:total_liabilities}，"
        "{what:debt_to_assets}为"
        "{fig:debt_to_assets}。{when:roe@1}，公司{what:roe@1}为{fig:roe@1}，{when:roe}为{fig:roe}。"
        "整体来看，公司经营一贯稳健，业务结构清晰，但行业竞争仍在加剧，原材料价格与汇率的变化都"
        "可能影响利润，"
        "后续仍需跟踪新产品的推进节奏、渠道库存的变化以及费用投放的效率，并留意一次性损益对利润"
        "的影响。",
    ),
)
_TRADED = (
    ("close", "tool", "{who}最近收盘{fig:close}（{when:close}）。"),
    ("close on day", "", "{when:close}，{who}收于{fig:close}。"),
    ("close reported", "", "{who}{when:close@1}报收{fig:close@1}。"),
    (
        "two days",
        "",
        "{who}{when:close@1}收盘{fig:close@1}，{when:close}收盘{fig:close}。",
    ),
    (
        "bar",
        "sameday",
        "{when:close}，{who}{what:open}{fig:open}，{what:high}{fig:high}，{what:low}{fig:low}，"
        "收盘{fig:close}，"
        "{what:volume}{fig:volume}。",
    ),
    (
        "averages",
        "",
        "截至{when:ma_20}，{who}{what:ma_5}为{fig:ma_5}，{what:ma_20}为{fig:ma_20}，{what:ma_60}"
        "为{fig:ma_60}。",
    ),
    ("rsi", "", "{who}的{what:rsi}为{fig:rsi}（{when:rsi}）。"),
    (
        "rsi with rule",
        "rule:rsi lt:rsi,70 gt:rsi,30",
        "{who}{what:rsi}为{fig:rsi}，既未高于70的超买线，也未低于30的超卖线。",
    ),
    (
        "rsi over rule",
        "rule:rsi gt:rsi,70",
        "{who}{what:rsi}为{fig:rsi}，超过70，处于超买区间。",
    ),
    (
        "range of highs",
        "",
        "近20个交易日，{who}{what:low_20}为{fig:low_20}，{what:high_20}为{fig:high_20}。",
    ),
    (
        "bollinger",
        "",
        "{who}{what:boll_upper}{fig:boll_upper}、{what:boll_mid}{fig:boll_mid}、"
        "{what:boll_lower}{fig:boll_lower}。",
    ),
    (
        "macd",
        "",
        "技术面上，{who}{what:macd_dif}为{fig:macd_dif}，{what:macd_dea}为{fig:macd_dea}，"
        "{what:macd_histogram}为"
        "{fig:macd_histogram}，{what:kdj_k}为{fig:kdj_k}。",
    ),
    (
        "stop",
        "",
        "按规则计算，{who}{what:stop_loss}{fig:stop_loss}、{what:take_profit}{fig:take_profit}，"
        "{what:atr}为{fig:atr}，"
        "仅为规则测算，不构成投资建议。",
    ),
    ("score", "", "{who}{what:technical_score}为{fig:technical_score}，{what:rsi}为{fig:rsi}。"),
    ("volume", "", "{when:volume}，{who}{what:volume}{fig:volume}。"),
    (
        "placed technical",
        "",
        "{who}{when:close}最近收盘{place:close}，{what:ma_20}{place:ma_20}，{what:rsi}"
        "{place:rsi}。",
    ),
    (
        "long technical",
        "",
        "{who}（{code}）最近收盘{fig:close}（{when:close}）。均线方面，{what:ma_5}为{fig:ma_5}，"
        "{what:ma_20}为{fig:ma_20}，"
        "{what:ma_60}为{fig:ma_60}。摆动指标方面，{what:rsi}为{fig:rsi}，{what:kdj_k}为"
        "{fig:kdj_k}。波动方面，{what:atr}为"
        "{fig:atr}，{what:boll_upper}与{what:boll_lower}分别为{fig:boll_upper}和{fig:boll_lower}"
        "。近60个交易日"
        "{what:high_60}为{fig:high_60}，{what:low_60}为{fig:low_60}。指标一般反映过去的价格，对"
        "未来没有保证，"
        "T+1制度下的短线交易尤其需要留意流动性与止损纪律，成交清淡时信号的参考意义会打折扣。",
    ),
)
STYLES: tuple[Style, ...] = table("zh", "company", (*_VALUATION, *_REPORTS, *_TRADED))
