"""What a pack would do, limit by limit, and what it leaves out, as tables."""

from django.utils.html import format_html
from django.utils.safestring import SafeString

from apps.catalog.registry import find_metric
from apps.charts import figures
from apps.thresholds.packs import Pack, PackExclusion, PlannedLimit
from apps.web.cells import after, link
from apps.web.statistic_names import write_name
from apps.web.tables import Column, DrawingColumn, FigureColumn, RowHead, Table

KINDS = {"new": "new", "changes": "changes", "same": "there already", "refused": "refused"}
Numbered = tuple[int, PlannedLimit]  # its place in the pack, by which it is chosen


def left_out_table(pack: Pack) -> Table[PackExclusion]:
    """The suggestions that are not in a pack, and why."""
    return Table(
        f"left-out-{pack.name}",
        f"Suggestions that are not in {pack.title}",
        (
            RowHead("statistic", lambda row: row.statistic),
            Column("suggestion", lambda row: row.suggestion),
            Column("why not", lambda row: row.why, css="quiet-text"),
        ),
        title="Suggestions left out",
    )


def planned_table(caption: str) -> Table[Numbered]:
    """What becomes of each limit of a pack, with boxes to tick those that are taken over."""
    return Table(
        "what-happens",
        caption,
        (
            DrawingColumn("take", show=_box),
            RowHead("statistic", _statistic, _named),
            Column("component", lambda row: row[1].limit.component or "all"),
            FigureColumn("limit", lambda row: row[1].limit.notation, _limit, css="strong"),
            Column("severity", lambda row: row[1].limit.fields.get("severity", "")),
            Column("what happens", lambda row: KINDS[row[1].kind], _happens, css=_happens_css),
            Column("why", lambda row: row[1].why, css="quiet-text"),
            Column("source", lambda row: row[1].limit.source, css="quiet-text"),
        ),
        title="What applying it would do",
        css="folds two-facts",
    )


def _box(row: Numbered) -> SafeString | str:
    number, planned = row
    limit = planned.limit
    if planned.kind == "same" or not limit.can_be_edited:
        return ""
    return format_html(
        '<input type="checkbox" class="form-check-input" name="take" value="{}"{} aria-label="Take {} {} {}">',
        number, SafeString("" if planned.kind == "refused" else " checked"), write_name(limit.statistic), limit.component, limit.notation,
    )  # fmt: skip


def _statistic(row: Numbered) -> str:
    return write_name(row[1].limit.statistic)


def _named(row: Numbered) -> SafeString:
    """The label, with the key behind it."""
    key = row[1].limit.statistic
    return after(write_name(key), "sub", key if find_metric(key) is not None else "")


def _limit(row: Numbered) -> SafeString | str:
    """A field for a limit that would be set, so that it can be another one here."""
    number, planned = row
    if planned.kind == "same" or not planned.limit.can_be_edited:
        return figures.threshold(planned.limit.notation)
    return format_html(
        '<input class="form-control limit-box" name="limit:{}" value="{}" aria-label="Limit of {} {}">',
        number, planned.limit.notation, _statistic(row), planned.limit.component,
    )  # fmt: skip


def _happens(row: Numbered) -> SafeString:
    existing = row[1].existing
    return link(existing.get_absolute_url() if existing else "", KINDS[row[1].kind], "")


def _happens_css(row: Numbered) -> str:
    return "nowrap c-over" if row[1].kind == "refused" else "nowrap"
