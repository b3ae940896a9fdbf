"""Everything a reader can see or save, one view a kind, and the files each is saved as."""

import csv
import io
from collections.abc import Callable, Iterator
from functools import cache
from zipfile import ZipFile

import openpyxl

from services.core.text import Language
from services.exports.formats import FORMATS
from services.exports.papers import paper_of
from services.exports.print_html import paper_html
from services.exports.view_files import view_markdown, view_zip
from services.views.company.build import SectionRequest, Tab
from services.views.compare.view import CompareRequest
from services.views.score_view import BatchMembers
from services.views.table import View
from tests.unit.reports.bundled import desk, session
from tests.unit.reports.samples import MADE_AT
from tests.unit.reports.test_views import BUILDERS
from tests.waiting import job_ended

QUESTIONS = (
    "贵州茅台市盈率",
    "腾讯控股近三年净利润",
    "招行近一个月走势",
    "A股银行股",
    "贵州茅台同行对比",
    "万科A 2016年7月为什么跌",
    "招行和万科今年谁涨得多",
    "What is Tencent's PB?",
    "银行业市盈率中位数",
)


TABS: tuple[Tab, ...] = ("chart", "valuation", "fin", "peers", "score", "news", "reports")


def company(name: str, tab: Tab) -> View:
    return desk().company(name, SectionRequest(tab=tab), session())


def asked(question: str) -> View:
    conversation = desk().begin()
    desk().ask(question, conversation)
    return desk().conversation(conversation)


def reported(company: str | None, language: Language) -> View:
    view = desk().analysis(job_ended(desk().analyse(company, session(), language=language))).view
    assert view is not None
    return view


def scored(company: str) -> View:
    return desk().score_page("", job_ended(desk().score(company, session())), session())


def batched() -> View:
    chosen = BatchMembers("list", "600036 600519 AAPL 000002")
    return desk().batch(job_ended(desk().score_batch(chosen, session())))


def traced() -> View:
    mine = session()
    desk().stock("600036", None, None, mine)
    desk().financials("600036", mine)
    return desk().traces(mine)


SHOWN: dict[str, Callable[[], View]] = {
    **{name: lambda make=make: make(session()) for name, make in BUILDERS.items()},
    **{f"company {tab}": lambda tab=tab: company("600036", tab) for tab in TABS},
    "company of Hong Kong": lambda: company("00700.HK", "valuation"),
    "company that implies its figures": lambda: company("600519", "fin"),
    "index": lambda: company("000001.SH", "chart"),
    "compare": lambda: desk().compare_companies(
        CompareRequest(("600036.SH", "000002.SZ", "00700.HK")), session()
    ),
    **{f"ask {text}": lambda text=text: asked(text) for text in QUESTIONS},
    "report": lambda: reported("600036", "zh"),
    "report in English": lambda: reported("000002", "en"),
    "report of the market": lambda: reported(None, "zh"),
    "score": lambda: scored("600036"),
    "batch": batched,
    "trace": traced,
    "sources": lambda: desk().sources(),
}


@cache
def shown(name: str) -> View:
    """The view, built once."""
    return SHOWN[name]()


def files(view: View, language: Language) -> Iterator[tuple[str, str]]:
    """Every text of every file of a view: where it stands, and the text."""
    yield "md", view_markdown(view, language)
    yield "html", paper_html(paper_of(view, language), view.claims, view.trace)
    for form in ("full", "plain"):
        with ZipFile(io.BytesIO(view_zip(view, language, form))) as archive:
            for name in archive.namelist():
                rows = csv.reader(io.StringIO(archive.read(name).decode("utf-8-sig")))
                yield f"{form} {name}", "\n".join(" ".join(row) for row in rows)
    for sheet in workbook(view, language):
        cells = [str(cell) for row in sheet.iter_rows(values_only=True) for cell in row if cell]
        yield f"xlsx {sheet.title}", "\n".join(cells)


def workbook(view: View, language: Language) -> openpyxl.Workbook:
    """The workbook of a view, read again."""
    (sheet,) = [one for one in FORMATS if one.key == "xlsx"]
    return openpyxl.load_workbook(io.BytesIO(sheet.write(view, language, MADE_AT)))
