"""More of how Chinese analysts write: asides, comparisons, peers, screens and events."""

from tests.prose.styles import Style, table

_ASIDE = (
    (
        "metrics respectively",
        "",
        "{who}的{what:pe_ttm}、{what:pb}分别为{fig:pe_ttm}、{fig:pb}。",
    ),
    (
        "metrics respectively placed",
        "",
        "{who}{what:pe_ttm}与{what:pb}分别为{place:pe_ttm}和{place:pb}。",
    ),
    ("metric after", "", "{who}当前以{fig:pe_ttm}的{what:pe_ttm}交易，{what:pb}为{fig:pb}。"),
    ("equals", "", "{who}：{what:pe_ttm}={fig:pe_ttm}，{what:pb}={fig:pb}"),
    (
        "two reasons",
        "",
        "{who}估值可从两方面看：一是{what:pe_ttm}，为{fig:pe_ttm}；二是{what:pb}，为{fig:pb}。",
    ),
    (
        "first of all",
        "",
        "首先，{who}{what:market_cap}为{fig:market_cap}；其次，{what:pb}为{fig:pb}；最后，"
        "{what:pe_ttm}为{fig:pe_ttm}。",
    ),
    (
        "nested bullets",
        "",
        "- {who}\n  - {what:pe_ttm}：{fig:pe_ttm}\n  - {what:pb}：{fig:pb}\n- {who:b}\n"
        "  - {what:b.pe_ttm}：{fig:b.pe_ttm}\n  - {what:b.pb}：{fig:b.pb}\n",
    ),
    (
        "a heading a company",
        "",
        "### {who}\n- {what:pe_ttm}：{fig:pe_ttm}\n\n"
        "### {who:b}\n- {what:b.pe_ttm}：{fig:b.pe_ttm}\n",
    ),
    (
        "question and answer",
        "",
        "问：{who}贵不贵？\n答：{what:pe_ttm}为{fig:pe_ttm}，{what:pb}为{fig:pb}。",
    ),
    ("quoted block", "", "> {who}{what:pe_ttm}{fig:pe_ttm}，{what:market_cap}{fig:market_cap}。"),
    (
        "former and latter",
        "",
        "{who}和{who:b}的{what:pe_ttm}差异明显：前者为{fig:pe_ttm}，后者为{fig:b.pe_ttm}。",
    ),
    (
        "the company",
        "",
        "{who}是行业内的代表公司。公司{what:pe_ttm}为{fig:pe_ttm}，{what:market_cap}为{fig:market_cap}。",
    ),
    (
        "heading and table placed",
        "",
        "**{who}**\n\n| 指标 | 数值 |\n|---|---|\n| {what:pe_ttm} | {place:pe_ttm} |\n"
        "| {what:pb} | {place:pb} |\n",
    ),
    (
        "brackets of metrics",
        "",
        "{who}的{what:pb}（{fig:pb}）与{what:pe_ttm}（{fig:pe_ttm}）如上。",
    ),
    (
        "note first",
        "",
        "注：估值数据截至{when:pe_ttm}。{who}{what:pe_ttm}{fig:pe_ttm}，{what:pb}{fig:pb}。",
    ),
    (
        "both respectively",
        "pos:net_profit pos:net_profit@1",
        "{who}{when:revenue}{what:revenue}、{what:net_profit}分别为{fig:revenue}、{fig:net_profit}。",
    ),
    (
        "growths respectively",
        "pos:net_profit@1 pos:revenue_yoy pos:net_profit_yoy",
        "{when:revenue}，{who}{what:revenue}{fig:revenue}、{what:net_profit}{fig:net_profit}，同比分别增长"
        "{abs:revenue_yoy}、{abs:net_profit_yoy}。",
    ),
    (
        "the year before in brackets",
        "next:revenue",
        "{who}{when:revenue}{what:revenue}为{fig:revenue}（上年为{fig:revenue@1}）。",
    ),
    (
        "compared with the year before",
        "",
        "与{when:revenue@1}的{fig:revenue@1}相比，{who}{when:revenue}{what:revenue}为{fig:revenue}。",
    ),
    (
        "growth slowed",
        "pos:revenue_yoy gt:revenue_yoy@1,revenue_yoy",
        "{who}{what:revenue_yoy}由{when:revenue_yoy@1}的{fig:revenue_yoy@1}回落至{when:revenue_yoy}的"
        "{fig:revenue_yoy}。",
    ),
    (
        "one year after another",
        "",
        "{who}{what:net_profit}：{when:net_profit@1}为{fig:net_profit@1}，{when:net_profit}为"
        "{fig:net_profit}。",
    ),
    (
        "many in a line",
        "pos:net_profit pos:net_profit@1",
        "{when:revenue}{who}{what:revenue}{fig:revenue}，同比{move:revenue_yoy}；{what:net_profit}"
        "{fig:net_profit}，同比{move:net_profit_yoy}；{what:roe} {fig:roe}；{what:eps} {fig:eps}。",
    ),
    (
        "default placed report",
        "default pos:net_profit",
        "{when:revenue}，公司{what:revenue}{place:revenue}，{what:net_profit}{place:net_profit}，"
        "{what:roe}{place:roe}。",
    ),
    ("by close", "", "截至{when:close}收盘，{who}报{fig:close}。"),
    (
        "above the average",
        "sameday gt:close,ma_20",
        "{when:close}，{who}收盘价{fig:close}，位于{what:ma_20}（{fig:ma_20}）之上。",
    ),
    (
        "support and resistance",
        "",
        "{who}的{what:low_20}{fig:low_20}构成支撑，{what:high_20}{fig:high_20}构成压力。",
    ),
    ("MACD line", "", "{who} MACD：DIF {fig:macd_dif}，DEA {fig:macd_dea}。"),
    ("rsi equals", "", "{who} {what:rsi}={fig:rsi}，{what:atr}={fig:atr}"),
)
_PAIRS = (
    (
        "difference and ratio",
        "",
        "{who}{what:pe_ttm}{fig:pe_ttm}，{who:b}为{fig:b.pe_ttm}，两者相差"
        "{fig:pe_ttm_difference}，前者是后者的"
        "{fig:pe_ttm_ratio}。",
    ),
    (
        "cap lower",
        "gt:b.market_cap,market_cap",
        "{who}{what:market_cap}比{who:b}低{abs:b.market_cap_difference}。",
    ),
    (
        "cap difference",
        "gt:market_cap,b.market_cap",
        "{who}{what:market_cap}比{who:b}高{fig:market_cap_difference}，是后者的"
        "{fig:market_cap_ratio}。",
    ),
    (
        "points difference",
        "gt:roe,b.roe",
        "{who}的{what:roe}为{fig:roe}，比{who:b}高{abs:roe_difference}。",
    ),
    (
        "points lower",
        "gt:b.debt_to_assets,debt_to_assets",
        "{who}{what:debt_to_assets}比{who:b}低{abs:b.debt_to_assets_difference}。",
    ),
    (
        "points higher",
        "gt:debt_to_assets,b.debt_to_assets",
        "{who}{what:debt_to_assets}{fig:debt_to_assets}，比{who:b}高"
        "{abs:debt_to_assets_difference}。",
    ),
)
_PEERS = (
    (
        "peer median",
        "",
        "{who}{what:pe_ttm}为{fig:pe_ttm}，同行中位数为{fig:pe_ttm_peer_median}。",
    ),
    (
        "peer rank",
        "",
        "{who}{what:pb}{fig:pb}，在{fig:pb_peer_count}有数据的同行公司中排名第"
        "{bareno:pb_peer_rank}。",
    ),
)
_SCREENS = (
    (
        "screen counts",
        "",
        "A股{fig:CN.company_count}公司中，符合条件的有{fig:CN.match_count}。",
    ),
    (
        "screen first",
        "",
        "共有{fig:CN.match_count}公司符合条件，例如{who}，{what:pe_ttm}{fig:pe_ttm}，{what:pb}"
        "{fig:pb}。",
    ),
)
_EVENTS = (
    (
        "event",
        "sameday",
        "{when:pct_change}，{who}收盘较前收盘{went:pct_change}，偏离前60个交易日均值"
        "{fig:return_z}。",
    ),
    ("event move", "sameday", "{who}于{when:pct_change}{went:pct_change}。"),
    ("event by sign", "sameday", "{who} {when:pct_change} 涨跌幅 {fig:pct_change:plus}"),
    (
        "event volume",
        "sameday",
        "{when:volume_multiple}，{who}成交量为前20个交易日均量的{fig:volume_multiple}。",
    ),
    ("event gap", "sameday", "{when:gap}，{who}开盘{jump:gap}。"),
    (
        "event placed",
        "sameday",
        "{when:pct_change}，{who}涨跌幅为{place:pct_change}。",
    ),
)
STYLES: tuple[Style, ...] = (
    *table("zh", "company", _ASIDE),
    *table("zh", "pair", _PAIRS),
    *table("zh", "peer", _PEERS),
    *table("zh", "screen", _SCREENS),
    *table("zh", "event", _EVENTS),
)
