"""Words of direction and comparison, and the marks of a shadow they stand between. Data only."""

import re

from services.grounding.tokens import MARKS

ENTITY, METRIC, PERIOD = MARKS["entity"], MARKS["metric"], MARKS["period"]
NUMBER, PLACE, TURN = MARKS["number"], MARKS["place"], MARKS["turn"]
FIGURES = (NUMBER, PLACE)
_UP = (
    "增长|增幅|增加|上升|上涨|提升|提高|走高|走强|攀升|回升|扩大|上行|收涨|大涨|微涨|高开|反弹|拉升|"
    "增(?![值发持资量幅速强])|升(?![级值幅])|涨(?![跌停幅势])"
)
_DOWN = (
    "负增长|降幅|减幅|下降|下滑|下跌|减少|降低|回落|走低|缩减|缩水|收缩|下行|萎缩|下挫|滑落|收跌|大跌|微跌|低开|"
    "下调|跌(?![停幅])|降(?![本准息幅级])|减(?![值持幅])"
)
_UP_EN = (
    r"\b(?:rose|risen|rises?|rising|grew|grown|grows?|growing|growth|increased?|increases|"
    r"increasing|up|gain(?:s|ed)?|climbed|climbs?|jump(?:s|ed)?|surged?|advanced|expanded|"
    r"improved|soared|rebounded|added|higher(?! than))\b"
)
_DOWN_EN = (
    r"\b(?:fell|falls?|fallen|falling|drop(?:s|ped)?|declin(?:es?|ed|ing)|decreas(?:es?|ed|ing)|"
    r"down|lost|loses|lower(?! than)|slid|slipped|shrank|shrunk|contracted|plunged|tumbled|sank|"
    r"retreated|slumped|dipped|reduced|weakened)\b"
)
WAY = re.compile(f"(?P<up>{_UP}|{_UP_EN})|(?P<down>{_DOWN}|{_DOWN_EN})")
# Behind a direction they make what follows a level: 增至, rose to; also before the start of a move.
LEVEL = re.compile(
    r"[至到为达成于在从由:]|\b(?:from|to|at|reached|reaching|totall?ed|stood|was|were|is|are)\b"
)
WAY_AFTER = re.compile(
    rf"{TURN}*(?:的|\s){TURN}*(?:的|\s)?"
    "(?:(?P<up>增长|增幅|涨幅|上涨|升幅|提升|growth|increase|rise|gain|jump|higher)"
    "|(?P<down>下降|降幅|跌幅|下跌|下滑|减少|decrease|decline|drop|fall|lower|loss))"
    "(?![a-z]|至|到|为| to| than)"
)
# Right before a company, a figure's name or a time: it is what the subject is held against.
COMPARED = re.compile(
    r"(?:与|和|同|较|比|相比|相较于|相较|对比|相对于|相对|高于|低于|大于|小于|超过|超出|不及|不如|"
    r"优于|逊于|落后于|领先于|高过|低过|(?:than|versus|vs\.?|compared with|compared to|against|"
    r"over|above|below|from|relative to)(?: that of| those of)?)(?:同期|上市公司|公司)?\s?$"
)
COMPARED_AFTER = re.compile(r"(?:相比|相较|比较|对比|的水平|之间)")
JOINED = re.compile(
    r"^(?:\([^()]*\))?(?:和|与|、|及|以及|跟|/|,|, ?and | ?and |&|对比|vs\.?| vs\.? )\s?$"
)
# Between a company and a figure: the figure is that company's, whoever else is named before.
HEADS = re.compile(
    rf"^(?:\([^()]*\)|'s|\s)*(?:的|:|,|为|是|报|在|于|[{METRIC}{PERIOD}{NUMBER}{PLACE}]|[\s\-—(|]|"
    rf"has|had|at|is|was|reported|posted|最近|当前|目前|[一-鿿]{{0,4}}[{METRIC}{NUMBER}{PLACE}{PERIOD}])"
)
NOW_WORDS = re.compile(
    r"目前|当前|现在|现时|实时|盘中|此刻|眼下|当下|"
    r"\b(?:now|currently|presently|at the moment|live|real-time)\b"
)
NEWEST_WORDS = re.compile(r"最近|最新|目前|当前|近期|\b(?:latest|most recent|newest|current)\b")
OF_COMPANY = re.compile(rf"(?: (?:of|for|at) ?)(?={ENTITY})")
