"""What Headroom reads: every view, how often, and the grants that it takes."""

from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.charts import figures
from apps.platforms.reads import SourceRead, all_reads
from apps.web.sentences import Part
from apps.web.tables import Column, DrawingColumn, FigureColumn, RowHead, Table, page_or_file


def reads(request: HttpRequest) -> HttpResponse:
    """The views by source, the grants scripts, the statements themselves, of each technology that tells them."""
    technologies = all_reads()
    nothing_of = " or ".join(technology.nothing_of for technology in technologies)
    context = {
        "sentence": [
            Part("Headroom only reads", True),
            Part(f", and nothing {nothing_of}." if nothing_of else "."),
        ],
        "technologies": technologies,
        "sources": STATEMENTS.fill([source for technology in technologies for source in technology.sources]),
        "scripts": [script for technology in technologies for script in technology.scripts],
    }
    return page_or_file(request, "pages/reads/reads.html", context)


def _statement(source: SourceRead) -> SafeString:
    return format_html('<details class="fold"><summary>SQL</summary><pre>{}</pre></details>', source.sql)


STATEMENTS: Table[SourceRead] = Table(
    "statements",
    "Statements and the views they read",
    (
        RowHead(
            "views",
            lambda source: ", ".join(source.views),
            lambda source: format_html_join(", ", "<code>{}</code>", ((view,) for view in source.views)),
        ),
        Column("answers", lambda source: source.answers, css="quiet-text"),
        Column("read, at most", lambda source: source.rhythm, label="read"),
        FigureColumn(
            "time limit",
            lambda source: source.seconds,
            lambda source: figures.seconds_text(source.seconds),
            file_head="time limit, s",
            label="limit",
        ),
        DrawingColumn("statement", lambda source: source.sql, _statement),
    ),
    title="What Headroom reads",
    opens_rows=True,
)
