"""Companies in a text: the names and codes of those given, and what can only be another's."""

import re
from collections.abc import Callable, Mapping, Sequence

from services.core.errors import InputError
from services.core.indexes import INDEXES
from services.core.symbols import Symbol
from services.grounding.figure_senses import SENSES, TEXT_WORDS
from services.grounding.words import COMPANIES, NO_COMPANY
from services.language.lexicon import Lexicon
from services.language.numerals import NUMERALS
from services.language.plain_text import Plain, is_cjk, spelled

UNKNOWN = "?"  # the symbol of a company that no claim is about
FORMER, LATTER = "<former>", "<latter>"
_PRONOUNS: Mapping[str, str] = {
    "前者": FORMER,
    "the former": FORMER,
    "后者": LATTER,
    "the latter": LATTER,
}
_CODE = re.compile(
    r"(?:(?:sh|sz|bj)\.?\d{6}|\d{6}\.(?:sh|ss|sz|bj)|hk\.?\d{4,5}|\d{1,5}\.hk"
    r"|(?:60[0135]|68[89]|00[0123]|30[012]|43\d|83\d|87\d|920)\d{3})(?![\da-z%]|\.\d|,\d{3})"
    r"(?!\s?[万亿元倍股点手家个次名港美%])"
)
_STRANGER = re.compile(
    r"([A-Z](?:[A-Za-z&\-]|\.(?=\w)){1,24}(?: (?:[A-Z][A-Za-z&\-]{0,24}|of|and)){0,4}?)"
    r"(?='s\b|s'\s| (?:trades?|traded|trading|reported|reports|posted|posts|has|had|earned|earns|"
    r"closed|closes|recorded|booked|saw|grew|fell|rose|generated|generates|carries|carried|made|lost|gained|"
    r"dropped|is valued|was valued|is trading|ended|finished|delivered|achieved|stood|with a|at a|"
    r"P/E|PE|ROE|revenues?|net|market|EPS|P/B|PB)\b|, with\b)"
)
_OWNER = re.compile(r"([A-Z](?:[A-Za-z&\-]|\.(?=\w)){2,24}(?: [A-Z][A-Za-z&\-]{0,24}){0,4})")
_SHAPED = re.compile(
    r"(?![该本其此这那各])[一-鿿]{2,4}?(?:股份|集团|科技|银行|证券|控股|实业|重工|机电|电子|医药|药业|生物|"
    r"能源|电力|新材|精密|光电|光学|机械|装备|动力|环保|水泥|煤业|矿业|锂业|稀土|牧业|乳业|饮料|啤酒|家居|服饰|纺织|"
    r"航空|物流|快递|影业|影视|旅游|酒店|医疗|制药|基因|信息|智能|半导体|汽车|食品|酒业|酒厂|地产|置业|保险|国际|电器|电气|通信|软件|网络|传媒|化工|化学|钢铁|材料)"
    r"(?!行业|板块|同行|同业|产业|领域|业务|市场|公司|企业|股|指数|类|等|与|和|及|业|制造|设备|支付|消费|用户|行情|"
    r"景气|需求|价格|赛道|龙头|周期|方面)"
)


class NameLexicon:
    """Every spelling under which a text may name the companies given, and those it may not."""

    def __init__(self, names: Mapping[str, Sequence[str]], symbols: Sequence[str]) -> None:
        """`symbols` are those of the claims: their codes are names even where none is given."""
        own: dict[str, str] = {}
        listed = [one for one in dict.fromkeys((*names, *symbols)) if is_company(one)]
        for symbol in listed:
            for name in (
                *names.get(symbol, ()),
                *(INDEXES[symbol].called if symbol in INDEXES else ()),
                *_code_spellings(symbol),
            ):
                key = spelled(name)
                if _may_name(key):
                    own[key] = UNKNOWN if own.get(key, symbol) != symbol else symbol
        words = dict.fromkeys(_strangers(names, listed), UNKNOWN) | dict(_PRONOUNS)
        self._lexicon = Lexicon(words | own)
        self.given = frozenset(listed)

    def at(self, text: str, place: int) -> tuple[int, str] | None:
        """The end and symbol of the longest name there, or of a code that is nobody's here."""
        named = self._lexicon.at(text, place)
        for end, symbol in self._lexicon.cut_short(text, place):
            if named and end <= named[0]:
                continue
            if TEXT_WORDS.longest_at(text, end, "metric", begins=True):
                named = end, symbol
        code = _CODE.match(text, place)
        if code and not touches_latin(text, place) and (not named or code.end() > named[0]):
            return code.end(), UNKNOWN
        return named

    def stranger_at(
        self, plain: Plain, at: int, *, is_owned: Callable[[], bool]
    ) -> tuple[int, str] | None:
        """The end of what looks like a company that is nobody's here.

        `is_owned`: whether the closing price of … stands before it.
        """
        end = self._find_doing(plain, at, is_owned=is_owned) or self._find_shape(plain.text, at)
        return (end, UNKNOWN) if end else None

    def _find_doing(self, plain: Plain, at: int, *, is_owned: Callable[[], bool]) -> int | None:
        """The end of a capitalised name that does something only companies do (Halden Corp's …)."""
        cased = plain.cased
        if not cased[at].isupper() or (at and cased[at - 1].isalnum()):
            return None
        match = (_OWNER if is_owned() else _STRANGER).match(cased, at)
        if match is None or match[1].split()[0].lower() in NO_COMPANY:
            return None
        if any(one.cat in {"metric", "skip"} for one in TEXT_WORDS.tokens_at(plain.text, at)):
            return None
        return None if self._has_name(plain.text, match.span(1)) else match.end(1)

    def _find_shape(self, text: str, at: int) -> int | None:
        """The end of what looks like a company at the head of a sentence (长风机电，…)."""
        if at and text[at - 1] not in "。!?;:(|\n# *-":
            return None
        match = _SHAPED.match(text, at)
        return match.end() if match and not self._has_name(text, match.span()) else None

    def _has_name(self, text: str, span: tuple[int, int]) -> bool:
        return any(self.at(text, place) for place in range(*span))


def touches_latin(text: str, place: int) -> bool:
    """Whether a letter, a figure or the sign of a currency stands right before it."""
    return (
        place > 0
        and text[place - 1].isascii()
        and (text[place - 1].isalnum() or text[place - 1] in "¥$.")
    )


def is_company(symbol: str) -> bool:
    """Whether a text can name it: macro:pmi, CN and CN:银行 are no company or index."""
    return symbol not in {"CN", "HK", "US"} and bool(_code_spellings(symbol) or symbol in INDEXES)


def _strangers(names: Mapping[str, Sequence[str]], listed: Sequence[str]) -> list[str]:
    """Well-known names, in the scripts in which every company here has a name given.

    Without one, such a name may be its own.
    """
    given = [[spelled(name) for name in names.get(one, ())] for one in listed if one not in INDEXES]
    chinese = all(any(is_cjk(name[0]) for name in one if name) for one in given)
    latin = all(any(name[0].isalpha() and name.isascii() for name in one if name) for one in given)
    return [name for name in COMPANIES if (chinese if is_cjk(name[0]) else latin)]


def _may_name(name: str) -> bool:
    """No name is a mere number, or a single character: it would hide figures."""
    bare = name.replace(",", "").replace(".", "")
    if bare.isdigit():
        return len(bare) == 6 or (len(bare) == 5 and bare.startswith("0"))
    if len(name) < 2 or name in SENSES:
        return False
    return not all(char in NUMERALS for char in name) or not set(name) & set("十百千万亿")


def _code_spellings(symbol: str) -> list[str]:
    try:
        known = Symbol.parse(symbol)
    except InputError:
        return []  # macro:pmi, CN:银行: no company, so nothing a text could call by name
    code, exchange = known.code, known.exchange
    if exchange == "HK":
        short = code.lstrip("0")
        bare = [code] if code.startswith("0") else []
        return [
            f"{code}.HK",
            *bare,
            f"{short.zfill(4)}.HK",
            f"{short}.HK",
            f"HK{code}",
            f"HK.{code}",
        ]
    if exchange == "US":
        return [symbol, f"{code}.US"] if len(code) > 1 else []
    spellings = [f"{code}.{exchange}", f"{exchange}{code}", f"{exchange}.{code}"]
    if exchange == "SH":
        spellings.append(f"{code}.SS")
    return spellings if known.is_index else [*spellings, code]
