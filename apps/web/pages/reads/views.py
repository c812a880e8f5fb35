"""What Headroom reads: every view, how often, and the grants that it takes."""

from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.charts import figures
from apps.platforms.oracle.grants import SourceRead, scripts, sources_read
from apps.web.sentences import Part
from apps.web.tables import Column, Drawn, Figure, RowHead, Table, page_or_file


def reads(request: HttpRequest) -> HttpResponse:
    """The views by source, the four grants scripts, the statements themselves."""
    context = {
        "sentence": [
            Part("Headroom only reads", True),
            Part(", and nothing that needs the Diagnostics or the Tuning Pack."),
        ],
        "sources": STATEMENTS.fill(sources_read()),
        "scripts": scripts(),
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
        Figure(
            "time limit",
            lambda source: source.seconds,
            lambda source: figures.seconds_text(source.seconds),
            file_head="time limit, s",
            label="limit",
        ),
        Drawn("statement", lambda source: source.sql, _statement),
    ),
    title="What Headroom reads",
    opens_rows=True,
)
