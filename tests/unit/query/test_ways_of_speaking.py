"""A question spoken in another way is the same plan: politely, in Cantonese, wide, in English."""

import re
from collections.abc import Callable, Sequence
from functools import cache

import pytest
from opencc import OpenCC

from services.core.data_files import DATA_FOLDER, read_data_file
from services.language.asides import asides
from services.language.standard_words import in_standard_words
from tests.blocks import block_of, blocks
from tests.unit.query.asking import query, reading
from tests.unit.query.stored_questions import questions

ASIDES = read_data_file(DATA_FOLDER / "lexicon" / "asides.toml").tables
CHINESE, ENGLISH = "贵州茅台的市盈率是多少", "what is the P/E of Tencent"


@pytest.mark.parametrize("kind", [one for one in ASIDES["zh"] if one != "single"])
def test_what_only_says_how_somebody_speaks_changes_nothing(kind: str) -> None:
    plain = query(CHINESE)
    assert plain is not None
    changed = [one for one in ASIDES["zh"][kind] if query(f"{one}，{CHINESE}") != plain]
    assert changed == []


@pytest.mark.parametrize("kind", list(ASIDES["en"]))
def test_the_same_in_english_before_and_behind(kind: str) -> None:
    plain = query(ENGLISH)
    assert plain is not None
    said = ASIDES["en"][kind]
    assert [one for one in said if query(f"{one}, {ENGLISH}") != plain] == []
    assert [one for one in said if query(f"{ENGLISH}, {one}") != plain] == []


@pytest.mark.parametrize("text", ["贵州茅台的市盈率不过20倍", "贵州茅台冷却的市盈率"])
def test_a_bound_or_a_part_of_a_word_is_no_aside(text: str) -> None:
    assert query("贵州茅台的市盈率") is not None
    assert query(text) != query("贵州茅台的市盈率")


@pytest.mark.parametrize(
    "word", ["很高", "首次", "一直", "几乎", "没有", "只", "仅", "大约", "曾经"]
)
def test_degree_time_number_negation_and_scope_are_no_asides(word: str) -> None:
    assert list(asides(word, [(0, len(word))])) == []


# Cantonese, and the same in standard Chinese.
CANTONESE = (
    ("港股汽車股入面ROE最高係邊三隻", "港股汽车股里ROE最高的是哪三只"),
    ("有幾多隻港股市值細過五億蚊", "有多少只港股市值小于五亿元"),
    ("騰訊舊年賺咗幾多錢", "腾讯去年赚了多少钱"),
    ("恒生銀行同匯豐邊個PB平啲", "恒生银行和汇丰哪个PB便宜些"),
    ("唔計銀行，港股市值最大嗰五間", "不包括银行，港股市值最大的五家"),
    ("俾我睇吓格力嘅毛利率", "给我看下格力的毛利率"),
    ("茅台而家幾錢", "茅台现在多少钱"),
    ("美股頭廿隻市值最大嘅", "美股前二十只市值最大的"),
)


@pytest.mark.parametrize(("spoken", "written"), CANTONESE)
def test_cantonese_means_what_standard_chinese_does(spoken: str, written: str) -> None:
    assert query(written) is not None, written
    assert query(spoken) == query(written)


@pytest.mark.parametrize(
    "text",
    ["关系企业", "周边产品", "五粮液和同仁堂", "合计市值", "统计系统", "前边那家", "家居定制"],
)
def test_standard_chinese_is_left_as_it_is(text: str) -> None:
    assert in_standard_words(text) == text


# English in its own word order, and the same in plain words.
SPOKEN = (
    ("How much revenue did Gree report for 2015?", "Gree revenue 2015"),
    ("How fast did Hengrui's net profit grow in 2015?", "Hengrui net profit growth 2015"),
    ("By what percentage did Gree's net profit increase in 2016?", "Gree net profit growth 2016"),
    ("What yield does ICBC pay?", "ICBC dividend yield"),
    ("What does Ping An Bank trade at?", "price of Ping An Bank"),
    ("Show the 10 A-shares with the highest ROE", "top 10 A-shares by ROE"),
    ("the ten biggest US companies by market value", "top 10 US companies by market cap"),
    ("Yili's net profit for each of the last five years", "Yili net profit each year last 5 years"),
    ("the 5 largest in the A-share market", "the 5 largest A-shares"),
    ("banks listed in Shanghai with P/B below 1", "Shanghai-listed banks with P/B below 1"),
    ("Rank A-share automakers by P/E, lowest first", "A-share autos sorted by P/E, lowest first"),
)  # fmt: skip


@pytest.mark.parametrize(("spoken", "plain"), SPOKEN)
def test_english_word_order_means_what_plain_words_do(spoken: str, plain: str) -> None:
    assert query(plain) is not None, plain
    assert query(spoken) == query(plain)


@pytest.mark.parametrize(
    "text",
    [
        "companies whose profit fell in 2016 but revenue rose",
        "companies whose net profit fell in 2016 and revenue rose in 2016",
        "2016年净利润下跌但营收上涨的公司",
    ],
)
def test_a_fall_is_never_read_as_a_growth_above_nought(text: str) -> None:
    told = str(query(text))
    assert told == "None" or ("'lt'" in told and "'gt'" in told)


@pytest.mark.parametrize(
    "text", ["港股市值前三十家里市盈率低于15倍的", "total US market cap", "A股市净率低于1的银行"]
)
def test_a_market_takes_no_part_of_a_figure(text: str) -> None:
    told = str(reading(text).answer)
    assert "market_cap" in told or "'pb'" in told


def _wide(text: str) -> str:
    return text.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)})


# Each leaves the meaning of a question as it is.
SAME: dict[str, Callable[[str], str]] = {
    "traditional": OpenCC("s2t").convert,
    "of Hong Kong": OpenCC("s2hk").convert,
    "of Taiwan": OpenCC("s2tw").convert,
    "wide": _wide,
    "spaces": lambda text: f"  {re.sub(r'(?<=[，,。？?])', '  ', text)} ",
    "small": str.lower,
    "no mark": lambda text: text.rstrip("?？。.!！"),
    "请问": lambda text: f"请问{text}",
    "麻烦帮我查一下": lambda text: f"麻烦帮我查一下{text}",
    "唔该": lambda text: f"唔該，{text}",
    "谢谢": lambda text: f"{text.rstrip('?？')}，谢谢",
    "呀": lambda text: f"{text.rstrip('?？')}呀",
    "㗎": lambda text: f"{text.rstrip('?？')}㗎",
    "在线等，挺急的": lambda text: f"{text.rstrip('?？')}，在线等，挺急的",
    "please": lambda text: f"Please, {text}",
    "thanks": lambda text: f"{text.rstrip('?.')}, thanks",
    "if you can": lambda text: f"{text.rstrip('?.')}, if you can",
}
# Every so many of the stored questions: some of each kind, in little time.
_EACH = 4
_CHINESE = {"traditional", "of Hong Kong", "of Taiwan", "wide"}


_BLOCKS = 5


@cache
def answered() -> Sequence[tuple[str, object]]:
    """Single questions of tests/questions that the reader of the algebra answers, and how."""
    texts = (one["turns"][0]["text"] for one in questions()[::_EACH] if len(one["turns"]) == 1)
    plain = [(text, query(text)) for text in dict.fromkeys(texts)]
    return [(text, read) for text, read in plain if read is not None]


@pytest.mark.parametrize("way", list(SAME))
@pytest.mark.parametrize("block", blocks(_BLOCKS))
def test_a_stored_question_spoken_in_another_way_has_the_same_plan(way: str, block: int) -> None:
    made = SAME[way]
    is_latin = way.isascii() and way in {"please", "thanks", "if you can"}
    changed: list[str] = []
    for text, plain in block_of(answered(), block, _BLOCKS):
        if text.isascii() is not is_latin and (is_latin or way in _CHINESE or not way.isascii()):
            continue
        if query(made(text)) != plain:
            changed.append(made(text))
    assert changed == []


# Everyday and dialect forms, and the same as it is written.
EVERYDAY = (
    ("净利率连3%都不到的银行", "净利率不到3%的银行"),
    ("市盈率个位数的银行", "市盈率小于10的银行"),
    ("营收五百个亿以上的公司有哪些", "营收五百亿以上的公司有哪些"),
    ("茅台今儿收盘价", "茅台今天收盘价"),
    ("茅台和五粮液谁跑赢了，2016年", "茅台和五粮液谁涨得多，2016年"),
    ("茅台这俩月涨了多少", "茅台这两个月涨了多少"),
    ("Tencent revenue in the 2016 financial year", "Tencent revenue FY2016"),
    ("Gree net profit for the last five fiscal years", "Gree net profit for the last five years"),
    ("Gree rev, fiscal year 2015", "Gree revenue, FY2015"),
)


@pytest.mark.parametrize(("everyday", "written"), EVERYDAY)
def test_everyday_forms_mean_what_written_ones_do(everyday: str, written: str) -> None:
    assert query(written) is not None, written
    assert query(everyday) == query(written)


@pytest.mark.parametrize(
    "text",
    ["老板电器和格力电器", "净利润个位数增长的公司", "有没有分红", "一块钱以下", "咋舌", "这两年"],
)
def test_what_is_written_already_is_left_as_it_is(text: str) -> None:
    assert in_standard_words(text) == text


# What somebody tells of himself before he asks, and what is no such thing: a set of his.
TOLD = (
    ("我刚入门，问个傻问题，银行市净率低于1的", "银行市净率低于1的"),
    ("俺寻思着，双汇发展和伊利股份的股息率", "双汇发展和伊利股份的股息率"),
    ("I'm on the train so keep it short: banks with P/B below 1", "banks with P/B below 1"),
)


@pytest.mark.parametrize(("text", "plain"), TOLD)
def test_what_the_asker_tells_of_himself_falls(text: str, plain: str) -> None:
    assert query(plain) is not None
    assert query(text) == query(plain)


@pytest.mark.parametrize(
    "text",
    [
        "我买的，市净率低于1的银行",
        "我自选股里的，市净率低于1的银行",
        "my watchlist, banks with P/B below 1",
        "I hold three of them, banks with P/B below 1",
        "我不要国有的，市净率低于1的银行",
    ],
)
def test_what_he_holds_or_leaves_out_does_not(text: str) -> None:
    assert query(text) is None


def test_an_unread_word_is_told_whole() -> None:
    found = reading("四大行里不羁的，谁的每股净资产最高").lattice
    assert found.unread_words == ("不羁",)
    assert reading("茅台的蓬蓬率是多少").lattice.unread_words == ("蓬蓬率",)


# What is asked once more behind a number, several, a share behind a word, an old name: as it is
# said shortly.
SHORTLY = (
    ("各行业市净率中位数，最低的三个是哪三个", "各行业市净率中位数，最低的三个"),
    ("各行业股息率中位数，排前五的是哪五个", "各行业股息率中位数，排前五的"),
    ("上证指数跌幅最大的三天分别是哪三天", "上证指数跌幅最大的三天"),
    ("腾讯2015年跌得最多的五天是哪几天", "腾讯2015年跌得最多的五天"),
    ("苹果哪三天跌得最多", "苹果跌得最多的三天"),
    ("腾讯净利润最高的是哪几年", "腾讯哪三年净利润最高"),
    ("上证指数2015年哪几个月涨得最多", "上证指数2015年哪三个月涨得最多"),
    ("which years was Tencent's profit highest", "which three years was Tencent's profit highest"),
    ("比亞迪2013到2016年哪幾年淨利是成長的", "比亚迪净利润2013到2016年哪几年增长"),
    ("比亚迪哪几年净利润同比增长", "比亚迪净利润哪几年增长"),
    ("腾讯哪些年营收在增长", "腾讯营收哪几年增长"),
    ("in which years was BYD's profit up", "in which years did BYD's profit grow"),
    ("BYD A股的PE跟汽车行业的median比怎么样", "比亚迪A股的市盈率跟汽车行业的中位数比怎么样"),
    ("SPDB A股市净率", "浦发银行市净率"),
    ("Google vs Apple, which stock did better in 2015", "which rose more in 2015, Google or Apple"),
    ("which stock did better in 2015, Apple or BYD", "which rose more in 2015, Apple or BYD"),
    ("以前叫“中国南车”的那只股票，现在叫什么，市盈率TTM多少", "中国中车市盈率TTM多少"),
    ("茅台流通盘和总股本一样吗", "茅台流通股和总股本差多少"),
    ("银行里市盈率低于10的有几家，总共几家有数", "银行里市盈率低于10的有几家，总共几家有数据"),
)  # fmt: skip
# Nearly the same words, and another meaning or none.
OTHERWISE = (
    ("市净率中位数最低的三个行业是哪五个", "市净率中位数最低的三个行业"),
    ("腾讯近五年哪几年净利润下滑", "腾讯近五年净利润下滑"),
    ("比亚迪哪几年净利润增长最快", "比亚迪净利润哪几年增长"),
    ("比亚迪哪几年净利润没有增长", "比亚迪净利润哪几年增长"),
    ("BYD H股的PE", "BYD A股的PE"),
    ("Google vs Apple, which stock did worse in 2015", "which rose more in 2015, Google or Apple"),
)


@pytest.mark.parametrize(("text", "shortly"), SHORTLY, ids=lambda one: one)
def test_what_is_said_once_more_is_the_same_plan(text: str, shortly: str) -> None:
    plain = query(shortly)
    assert plain is not None
    assert query(text) == plain


@pytest.mark.parametrize(("text", "near"), OTHERWISE, ids=lambda one: one)
def test_nearly_the_same_words_are_another_plan(text: str, near: str) -> None:
    assert query(text) != query(near)
