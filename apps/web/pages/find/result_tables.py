"""What a search finds, as tables."""

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.web.cells import link, marked, state
from apps.web.pages.find.search import FigureHit, TargetHit
from apps.web.sheet_cells import word
from apps.web.tables import Column, RowHead, Table


def targets_table(words: str) -> Table[TargetHit]:
    """The targets that have the words in their name, group or notes."""
    return Table(
        "targets",
        f"Targets that have “{words}” in their name, group or notes",
        (
            Column("state", lambda row: word(row.state), lambda row: state(row.state), css="nowrap"),
            RowHead(
                "target",
                lambda row: row.target.name,
                lambda row: link(row.target.get_absolute_url(), row.target.name, ""),
            ),
            Column("kind", lambda row: row.target.get_kind_display(), css="quiet-text"),
            Column("group", lambda row: str(row.target.group or "")),
            Column("environment", lambda row: row.target.environment, css="quiet-text"),
        ),
        title="Targets found",
        opens_rows=True,
    )


def figures_table(words: str, noun: str) -> Table[FigureHit]:
    """Statistics, or the things that they are of, with the targets that have them."""
    return Table(
        f"{noun}s",
        f"What has “{words}” in its name, with the targets that have it",
        (
            RowHead(noun, _name, lambda row: link(row.places[0][1] if row.places else "", _name(row))),
            Column("figure", _figure, css="quiet-text"),
            Column("source", lambda row: row.metric.source, css="sub"),
            Column(
                "on", lambda row: " ".join([*(name for name, _ in row.places), _more(row)]).strip(), _places
            ),
        ),
        title=f"{noun.capitalize()}s found",
        opens_rows=True,
    )


def _name(row: FigureHit) -> str:
    return row.metric.called(row.component)


def _figure(row: FigureHit) -> str:
    of = f"{row.metric.label}, " if row.component else ""
    return f"{of}{row.metric.display_unit}"


def _more(row: FigureHit) -> str:
    return f"and {row.more} more" if row.more else ""


def _places(row: FigureHit) -> SafeString:
    links = format_html_join("", '<a href="{}">{}</a>', ((url, name) for name, url in row.places))
    return format_html('<span class="found-where">{}{}</span>', links, marked("muted", _more(row)))
