"""English says one thing in many orders of words: each means what the plain order means."""

import pytest

from services.language.standard_words import in_standard_words
from services.query.algebra.explain import explain
from services.query.algebra.nodes import Query
from services.query.reading.question_words import scope_book
from services.query.told_turns import names_in
from tests.unit.market.bundled import names
from tests.unit.query.asking import query

# As an analyst says it, and the same in plain words.
ALIKE = (
    ("Hong Kong stocks worth more than HK$1tn, list them", "港股总市值大于10000亿港元的公司"),
    ("BYD revenue 2016 in RMB bn, two decimals", "比亚迪2016年营业收入"),
    ("Was Apple's debt to assets over half in 2016?", "苹果2016年资产负债率是否大于50%"),
    (
        "Was Apple's 2016 revenue more than twice Google's?",
        "苹果2016年营收是否大于谷歌2016年营收的2倍",
    ),
    ("median P/E of Shanghai vs Shenzhen listed A shares?", "沪市和深市A股市盈率中位数"),
    ("lowest price Evergrande touched this year", "恒大今年最低价"),
    ("Tesla share price high over its history here?", "特斯拉历史最高价"),
    ("What's Tesla at today?", "特斯拉收盘价"),
    ("Where's Alphabet trading?", "谷歌收盘价"),
    (
        "How's Great Wall's ROE moved over five years, FY12–FY16?",
        "长城汽车2012到2016年逐年净资产收益率",
    ),
    ("Total market cap of all A-shares in the snapshot", "A股总市值合计"),
    (
        "Which of Tencent, Kingsoft and Geely has done best since the start of 2016?",
        "腾讯、金山软件、吉利2016年初以来谁涨得最多",
    ),
    ("vipshop worst single day ever in your data, and how bad", "唯品会历史上单日跌得最多的是哪天"),
    ("Is Vanke more leveraged than Gree, FY2016?", "万科2016年资产负债率比格力高吗"),
    ("Does Gree have a higher P/E than Midea?", "格力市盈率比美的高吗"),
    (
        "Did Tencent's profit grow faster than its revenue in 2016?",
        "腾讯2016年净利润增速比2016年营收增速高吗",
    ),
    (
        "Did Tencent's revenue grow faster than Alibaba's in 2016?",
        "腾讯2016年营收增速比阿里巴巴2016年营收增速高吗",
    ),
    (
        "names where trailing PE is less than half the static PE, A-shares over 50bn cap",
        "A股里市盈率TTM低于0.5倍静态市盈率且总市值超过500亿的公司",
    ),
    ("Lowest close for Baidu in 2015 and when", "百度2015年哪天收盘最低"),
    ("Where does the Hang Seng stand now", "恒指最新收盘"),
    ("Tesla's deepest loss", "特斯拉净利润最低的是哪一年"),
    ("Which of the five years was Tesla's loss deepest?", "特斯拉净利润最低的是哪一年"),
    ("Great Wall Motor's EPS: biggest one-year drop?", "长城汽车哪年每股收益同比最低"),
    ("HSBC's multiple on last year's earnings?", "HSBC static PE"),
    ("Tencent's multiple of book", "Tencent PB"),
    ("pb of CMB A share and H share", "招行A股和H股的市净率"),
    ("Ping An H PE", "Ping An H-share PE"),
    ("closing price of Kingsoft in HK on 18 May 2015", "Kingsoft closing price on 2015-05-18"),
    (
        "What percentile is Moutai's price-to-book at among all A shares?",
        "percentile rank of Moutai's PB among A shares",
    ),
    (
        "How many sessions has the Hang Seng closed above 28,000 in the whole history you hold?",
        "how many days has the Hang Seng closed above 28000",
    ),
    ("A-share banks, lowest PB first, show me five", "the 5 A-share banks with the lowest PB"),
    (
        "Over the last 60 trading days, how far is Tencent below its peak close?",
        "how far is Tencent below its highest close over the last 60 sessions",
    ),
    (
        "Is Kweichow Moutai worth more than all listed A-share steel makers together?",
        "is Moutai's market cap above the combined market cap of A-share steel",
    ),
    ("Top three by market cap in each of steel and mining", "钢铁、采掘每个行业市值前三"),
    ("net profit of each of Gree and Midea in 2016", "格力和美的2016年净利润"),
    ("Sort Hong Kong insurers by PB, lowest first", "Hong Kong insurers by PB, lowest first"),
    (
        "Between Apple and Alphabet, whose 2016 net margin was fatter and by how many points?",
        "how much higher is Apple's 2016 net margin than Alphabet's",
    ),
    ("How leveraged is Vanke?", "Vanke debt to assets"),
    (
        "Did Apple's revenue ever shrink between 2012 and 2016, and when?",
        "in which years did Apple's revenue fall between 2012 and 2016",
    ),
    ("Which A-share brewers trade under 20x earnings?", "A-share brewers with PE under 20"),
    ("Which brokers trade below 1.5x book?", "brokers with PB below 1.5"),
    ("HK stocks below half of book value", "HK stocks with PB below 0.5"),
    ("US stocks at less than twice sales", "US stocks with PS less than 2"),
    ("5-year net profit CAGR for Hengrui", "Hengrui net profit CAGR last 5 years"),
    ("Hengrui net profit CAGR over five years", "Hengrui net profit CAGR last five years"),
    (
        "A shares with ROE above 20% in each of the last three years",
        "for three consecutive years ROE above 20% A shares",
    ),
    (
        "A shares whose gross margin has risen every year for five years",
        "A shares whose gross margin rose for five consecutive years",
    ),
    (
        "Was Vanke's net profit higher in 2016 than in 2015?",
        "is Vanke 2016 net profit higher than 2015 net profit",
    ),
    (
        "Where does Intel rank in its industry by market cap?",
        "Intel market cap rank in its industry",
    ),
    (
        "Which US sectors have a median P/E under 18 and more than 100 companies?",
        "美股市盈率中位数低于18且公司数超过100的行业",
    ),
    (
        "Median PE by industry, only industries with at least 20 companies, lowest PE first",
        "各行业市盈率中位数，只看不少于20家公司的行业，按市盈率从低到高",
    ),
    ("Median P/B per industry, lowest first", "Median PB by industry, sorted by PB, lowest first"),
    ("Which industries in China have more than 100 listed companies?", "哪些A股行业超过100家公司"),
    (
        "Difference in P/E between Home Depot and Lowe's",
        "how much higher is Home Depot's PE than Lowe's",
    ),
    (
        "What fraction of A-share bank profit comes from ICBC?",
        "ICBC as a percentage of A-share bank profit",
    ),
    ("Ratio of Facebook's market cap to Twitter's", "Facebook market cap divided by Twitter's"),
    ("HK stocks up over 50% this year", "HK stocks with price change this year above 50%"),
    (
        "US stocks that have halved since 2015",
        "US stocks with price change since 2015 at most -50%",
    ),
    (
        "cheapest 3 HK-listed autos on trailing PE, profitable only",
        "3 HK autos with the lowest PE, profitable only",
    ),
    ("sort the 10 largest A shares by PE", "the 10 largest A shares by market cap, sorted by PE"),
    (
        "HSI and SSE returns side by side for 2016",
        "Hang Seng and Shanghai Composite price change in 2016",
    ),
    (
        "P/E of the five biggest A-share carmakers",
        "the 5 largest A-share carmakers by market cap, P/E",
    ),
    ("BYD net margin 2012 thru 16", "BYD net margin 2012 to 2016"),
    ("Tesla losses 2012 to 2016", "Tesla net profit 2012 to 2016"),
    (
        "what percentage of A-share bank market cap is China Merchants Bank",
        "China Merchants Bank market cap as a percentage of A-share bank market cap",
    ),
    (
        "which US names do you have 2016 total assets for",
        "US stocks sorted by 2016 total assets, highest first",
    ),
    (
        "China Merchants Bank EPS in 2016, up or down on 2015 and by how much",
        "China Merchants Bank EPS in 2016 vs 2015 growth",
    ),
    ("correlation? no just show me Tencent PE", "Tencent PE"),
    (
        "On how many days in 2016 did China Merchants Bank close up more than 3%?",
        "2016年招行有几天涨幅超过3%",
    ),
    (
        "How many days in June 2015 did the Shanghai Composite fall more than 2%",
        "上证指数2015年6月跌幅超过2%的有几天",
    ),
    ("Top ten gainers on the Shanghai exchange in 2016", "沪市2016年涨幅最大的十家"),
    ("Biggest losers among A-share brokers year to date", "biggest losers among brokers this year"),
    ("Any A-share steel companies with positive profit growth?", "钢铁公司净利润增速大于0"),
    ("Compare Coke and Pepsi on P/E", "Compare Coca-Cola and Pepsi on P/E"),
    (
        "Did Goldman Sachs pay a higher yield than Morgan Stanley?",
        "Is the yield of Goldman Sachs higher than that of Morgan Stanley?",
    ),
    ("What percentage did Amazon's net profit grow in 2016?", "Amazon 2016 net profit growth"),
    ("Total market cap of the A-share liquor sector", "combined market cap of A-share liquor"),
    ("A-share insurers: PE and PB", "list A-share insurers with PE and PB"),
    ("Least indebted US retailers", "US retailers with the lowest debt ratio"),
    ("Intel EPS growth from 2012 to 2016, annualised", "Intel EPS CAGR 2012 to 2016"),
    (
        "A-shares whose revenue fell in 2016 while profit rose",
        "A-shares whose 2016 revenue fell but 2016 profit rose",
    ),
    (
        "roe > 25% us mcap > 50bn sort pe asc",
        "US ROE > 25% market cap > 50bn sorted by PE ascending",
    ),
    ("How many straight years has Gree grown its EPS?", "格力电器每股收益连续几年增长"),
    ("what was the biggest one day drop for Vanke A in 2016", "万科A2016年跌得最多的一天"),
    ("Stocks with a market cap between 10 and 20 billion yuan", "市值100到200亿的A股"),
    ("HK stocks with market cap of 5-15bn hkd", "市值50到150亿港元的港股"),
    (
        "Average P/E of the ten largest US companies",
        "US市值最大的十家公司的平均市盈率",
    ),
    (
        "Only mainland brokers with P/B below 1.5, largest first",
        "A-share brokers with P/B below 1.5, sorted by market cap, highest first",
    ),
    (
        "Total revenue of Alibaba and Tencent in 2016",
        "combined 2016 revenue of Alibaba and Tencent",
    ),
    ("Which A-share banks fell most this month?", "A股银行本月跌得最多的"),
    (
        "Which A-share companies' net profit fell most in 2016",
        "A-share companies with the lowest net profit growth in 2016",
    ),
    ("which day did Tesla fall most in 2017", "特斯拉2017年跌得最多的一天"),
    ("Delta vs United Airlines: ROE 2016", "Delta Air Lines vs United Airlines: ROE 2016"),
    ("Rank the big four by ROE", "Rank the big four banks by ROE"),
    (
        "Show me A-shares yielding north of 4% with debt under half of assets",
        "A股股息率大于4%且资产负债率小于50%的公司",
    ),
    (
        "Screen: mcap > 50bn CNY, rev growth > 20, gm > 40",
        "市值大于500亿、营收增长率大于20%、毛利率大于40%的A股",
    ),
    ("HK stocks over 100bn HKD paying 5%+", "港股股息率不低于5%、市值大于1000亿港元"),
    ("Of the 200 largest, the ten best yielders", "A股市值最大的200家里股息率最高的10家"),
    (
        "the ten highest by dividend yield of the 200 largest A shares",
        "A股市值最大的200家里股息率最高的10家",
    ),
    ("how many trillion-yuan companies are there", "A股总市值大于1万亿的公司有多少家"),
    ("Anta revenue over a decade", "安踏近10年营收"),
    ("what portion of Gree's profit was handed out", "Gree payout ratio"),
    ("wats the divident yeild of bank of china", "dividend yield of Bank of China"),
    ("median PE of the whole Shanghai board", "median PE of Shanghai-listed stocks"),
    (
        "how many banks rose more than the CSI 300 this year",
        "how many banks with price change this year above the CSI 300",
    ),
    (
        "A shares with net profit below 0 in 2015 and net profit above 0 in 2016",
        "2015年净利润小于0、2016年净利润大于0的A股",
    ),
    (
        "companies with a loss in 2015 and a profit in 2016",
        "2015年净利润小于0、2016年净利润大于0的A股",
    ),
    (
        "Companies that lost money in both 2015 and 2016",
        "A股中2015年净利润小于0且2016年净利润小于0的公司",
    ),
    ("Sector profits, total, 2016, sorted", "total net profit in 2016 by industry"),
    ("who earns more per share, Yanghe or Wuliangye", "洋河股份和五粮液谁的每股收益高"),
    (
        "which of Coke and Pepsi has the better ROE",
        "who has the higher ROE, Coca-Cola or Pepsi",
    ),
    ("Is Walmart cheaper than Costco on P/E?", "is Walmart's PE lower than Costco's"),
    (
        "Stocks with sales up 30%+ in each of the last three years",
        "A shares with revenue growth at least 30% in each of the last three years",
    ),
    (
        "profit up, sales down, 2016",
        "A shares with 2016 net profit growth above 0 and 2016 revenue growth below 0",
    ),
    ("Sany's worst year for earnings", "三一重工净利润最低的一年"),
    ("Goertek 52 week hi/lo", "歌尔股份52周最高价和最低价"),
    ("which industries trade under 1.5x book", "industries with median PB below 1.5"),
    ("What did the steel companies make between them last year", "钢铁公司2016年净利润合计"),
    ("What happened to BYD's gross margin between 2012 and 2016", "比亚迪2012到2016年毛利率"),
    ("how much did CMB net profit grow from 2013 to 2016", "招行净利润2016年比2013年增长了多少"),
    ("how much has CMB's net profit grown since 2013", "招行2013年以来净利润累计增长多少"),
    ("How has CM Bank's net profit grown since 2013?", "招行2013年以来每年的净利润和净利润增速"),
    ("by how many bps did CMB's ROE change between 2015 and 2016", "招行ROE2016年比2015年差多少"),
    ("How many times bigger is Tencent's 2016 revenue than BIDU's?", "腾讯2016年营收是百度的几倍"),
    ("what share of Vanke's revenue is net profit in 2016", "万科2016年净利润占营收的比例"),
    ("growth of revenue and net profit of Tencent in 2016", "腾讯2016年营收增速和净利润增速"),
    ("Tencent revenue and net profit growth 2016", "腾讯2016年营收增速和净利润增速"),
    ("Tencent rev + profit 2012 thru 2016", "腾讯2012到2016年营收和净利润"),
    ("wat is tencents p/e", "Tencent's PE"),
    ("apple debt to assets 2012-16", "苹果2012到2016年资产负债率"),
    ("Facebook's net margin each year from 2012", "Facebook 2012年以来每年的净利率"),
    ("how much did baidu shares gain between jan and jun 2016", "百度2016年1月到6月涨了多少"),
    ("Tencent 2016 high and low", "腾讯2016年最高价和最低价"),
    ("Tesla's biggest loss year", "特斯拉净利润最低的一年"),
    ("how often did BYD close higher in March 2017", "比亚迪2017年3月有多少天上涨"),
    ("biggest liquor company", "市值最大的1家白酒公司"),
    (
        "which Hong Kong insurers are profitable and below 1x book value",
        "盈利且市净率低于1的港股保险",
    ),
    ("A-shares worth more than RMB200bn with P/B under 2", "总市值大于2000亿元、市净率低于2的A股"),
    ("which two banks have the lowest PE", "市盈率最低的两家银行"),
    ("哪两家银行市盈率最低", "市盈率最低的两家银行"),
    ("Where did Tesla finish on Feb 10, 2016?", "特斯拉2016年2月10日的收盘价"),
    ("did Moutai make more money than Wuliangye last year", "去年茅台的净利润比五粮液高吗"),
    ("What proportion of ChiNext trades above 80x earnings?", "创业板市盈率大于80的公司占比"),
    (
        "What proportion of ChiNext trades above eighty times earnings?",
        "创业板市盈率大于80的公司占比",
    ),
)


@pytest.mark.parametrize(("said", "plain"), ALIKE)
def test_an_english_frame_means_what_plain_words_do(said: str, plain: str) -> None:
    assert query(plain) is not None, plain
    assert query(said) == query(plain)


@pytest.mark.parametrize(("said", "plain"), [
    ("2014到2016年每年ROE都超过20%的A股", "A shares with ROE above 20% every year 2014 to 2016"),
    ("过去三年每年ROE都超过20%的A股", "连续三年ROE大于20%的A股"),
])  # fmt: skip
def test_every_year_of_a_span_is_each_of_them(said: str, plain: str) -> None:
    assert query(plain) is not None, plain
    assert query(said) == query(plain)


@pytest.mark.parametrize(
    "text",
    [
        "None of the US banks yield over 5%?",  # of no bank is said, not without the US
        "Five largest one-day moves, up or down, for Vanke A",
        "How profitable are US airlines?",
        "Is Tesla a buy?",
        "Is Shanghai Jahwa worth looking at?",
        "In each A-share industry the company with the highest yield, "
        "but only industries with at least 20 members",
        "Which US banks have gained more than the S&P in each of the last three months?",
        "Which stocks in the CSI 300 fell most this month?",
        "delta and coke PE",  # ordinary words name nobody
        "Facebook or Google, who grew faster",  # of which figure is not said; no price did
        "China Merchants dividend yield",
        "CITIC profits",
    ],
)
def test_what_is_not_read_whole_is_put_back(text: str) -> None:
    assert query(text) is None


@pytest.mark.parametrize(
    "told",
    [
        "A shares with ROE above 20% in each of the last 3 years",
        "A shares with revenue year-on-year change above 0% in each of 2012 to 2016",
        "compound annual growth of revenue over the last 5 years of Kweichow Moutai",
        "2016 revenue year-on-year change of Kweichow Moutai",
        "Hong Kong shares with price change from 2017-01-01 to 2017-06-30 above 50%",
        "the day with the lowest close of Kweichow Moutai 2016-01-01 to 2016-12-31",
        "the 5 days with the highest change % of Kweichow Moutai 2016-01-01 to 2016-12-31",
        "the number of days of Kweichow Moutai 2016-01-01 to 2016-12-31 with change % above 3%",
        "whether it holds of Kweichow Moutai: ROE above 20% in each of the last 3 years",
        "the one highest by market cap in each industry of US shares",
    ],
)
def test_a_told_sentence_is_read_as_itself(told: str) -> None:
    meant = query(told)
    assert isinstance(meant, Query)
    assert explain(meant, {"600519.SH": "Kweichow Moutai"}, "en") == told


@pytest.mark.parametrize(("said", "other"), [
    ("腾讯2016年营收和净利润增速", "腾讯2016年净利润增速和营收"),
    ("Tencent 2016 revenue and net profit growth", "Tencent 2016 revenue, net profit growth"),
    ("腾讯2016年净资产收益率和净利润增速", "腾讯2016年净资产收益率增速和净利润增速"),
    ("largest bank in Hong Kong by market cap", "largest banks in Hong Kong by market cap"),
    ("the 10 largest A shares sorted by PE", "the 10 A shares with the highest PE"),
    ("who is cheaper on book, Moutai or Vanke", "who is cheaper on earnings, Moutai or Vanke"),
])  # fmt: skip
def test_one_word_more_is_another_question(said: str, other: str) -> None:
    """Growth is of both amounts named right before it; one is no list; book is not earnings."""
    assert query(said) is not None
    assert query(said) != query(other)


def test_a_name_is_no_frame() -> None:
    """Bank of America stays a bank, and book value per share a figure."""
    for text in ("Bank of America PE", "twice book value per share", "each year 2012-2016"):
        assert in_standard_words(text) == text
    assert "cvs" in scope_book()["unlisted"]["say"]


def test_a_turn_of_a_few_words_goes_on() -> None:
    """What is counted, left out and asked of the rows before; five is no bound of a figure."""
    before: list[Query] = []
    for said, plain in (
        ("A-shares with ROE above 20%", "净资产收益率大于20%的A股"),
        ("too many, want PE under 20 as well", "净资产收益率大于20%且市盈率小于20的A股"),
        ("just five", "净资产收益率大于20%且市盈率小于20的A股前五"),
    ):
        found = query(said, before)
        assert isinstance(found, Query), said
        if said != "just five":
            assert found == query(plain)
        before.append(found)
    assert before[-1].take is not None
    assert before[-1].take.count == 5
    assert before[-1].where == before[-2].where


# Turns one after the other, and what the last of them asks.
GOING_ON = (
    (
        (
            "How many A-share industries have a median PE above 60?",
            "which of those has the fewest companies",
        ),
        "median P/E (TTM), number of companies of A shares by industry, only where median P/E (TTM)"
        " is above 60x, by number of companies low to high, the first",
    ),
    (
        ("A-shares with PS below 0.5", "rank those by PE instead"),
        "A shares with P/S (TTM) at least 0x and below 0.5x, by P/E (TTM) high to low",
    ),
    (
        ("A-shares with PS below 0.5", "and which industry shows up most often?"),
        "the one with the highest number of companies of A shares with P/S (TTM) at least 0x and"
        " below 0.5x by industry",
    ),
    (
        (
            "Average and median trailing PE for A-share pharma",
            "drop anything above 200x and redo it",
        ),
        "the mean P/E (TTM), median P/E (TTM) of A shares in Pharmaceuticals and biotech with P/E"
        " (TTM) at least 0x and at most 200x",
    ),
    (
        (
            "Is Kweichow Moutai worth more than all listed A-share steel makers together?",
            "what about the A-share electronics sector",
        ),
        "whether market cap of Kweichow Moutai is above the combined market cap of A shares in"
        " Electronics",
    ),
    (
        ("HSBC's PE", "and StanChart's", "ok then just price-to-book for the pair of them"),
        "P/B (MRQ) of HSBC Holdings, Stanchart",
    ),
)


@pytest.mark.parametrize(("turns", "told"), GOING_ON)
def test_a_turn_goes_on_from_the_one_before(turns: tuple[str, ...], told: str) -> None:
    """Groups are counted again, rows ordered anew, a bound is of what was folded, a set of a test
    is another one, two turns were of two companies.
    """
    before: list[Query] = []
    for said in turns:
        found = query(said, before)
        assert isinstance(found, Query), said
        before.append(found)
    assert explain(before[-1], names_in(before[-1], names(), "en"), "en") == told


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (
            "Has Tencent had a five-day winning streak this year?",
            "whether it holds of Tencent: longest run of rises of close over 2017-01-01 to "
            "2017-07-26 at least 5 sessions",
        ),
        (
            "did Moutai have a six-day losing streak in 2016",
            "whether it holds of Kweichow Moutai: longest run of falls of close over 2016-01-01 "
            "to 2016-12-31 at least 6 sessions",
        ),
        (
            "Did Tesla ever fall more than 7 days in a row?",
            "whether it holds of Tesla Motors: longest run of falls of close over history above "
            "7 sessions",
        ),
        (
            "longest losing run of Apple in 2016",
            "longest run of falls of close over 2016-01-01 to 2016-12-31 of Apple",
        ),
        (
            "A-share steel or coal/mining names under 20x earnings",
            "A shares in Steel or Mining and extraction with P/E (TTM) at least 0x and below 20x",
        ),
        ("Vanke profit growth 2016 yoy", "2016 net profit year-on-year change of Vanke"),
        ("Vanke revenue growth yoy 2016", "2016 revenue year-on-year change of Vanke"),
        (
            "How many days in 2015 did the Nasdaq close up 2% or more?",
            "the number of days of NASDAQ Composite 2015-01-01 to 2015-12-31 with change % at "
            "least 2%",
        ),
        (
            "on which days in 2016 did Tencent close down 3% or more",
            "Tencent 2016-01-01 to 2016-12-31 day by day with change % at most -3%",
        ),
        ("Where did Moutai end 2015", "2015-12-31 close of Kweichow Moutai"),
        (
            "where does Hikvision's PE sit within its sector, percentile-wise",
            "low-to-high percentile of P/E (TTM) among A shares in Computers, high-to-low rank of "
            "P/E (TTM) among A shares in Computers, P/E (TTM), number of companies of A shares in "
            "Computers that have P/E (TTM) of Hikvision",
        ),
    ],
)
def test_runs_closes_and_growth_as_they_are_spoken(asked: str, told: str) -> None:
    found = query(asked)
    assert isinstance(found, Query)
    assert explain(found, names_in(found, names(), "en"), "en") == told
