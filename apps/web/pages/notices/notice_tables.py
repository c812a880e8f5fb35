"""Who gets the weekly report, who is told what happens, and what was sent, as tables."""

from django.urls import reverse

from apps.charts import figures
from apps.notices.models import Delivery, RecipientList, Subscriber
from apps.web.cells import after, link
from apps.web.tables import Column, DrawingColumn, FigureColumn, RowHead, Table


def recipients_table(*, can_change: bool) -> Table[RecipientList]:
    """The lists that get the weekly report; their names lead to their forms for who may change them."""

    def url(row: RecipientList) -> str:
        return reverse("recipient_list", args=[row.pk]) if can_change else ""

    return Table(
        "recipients",
        "Recipients of the weekly report",
        (
            RowHead("list", lambda row: row.name, lambda row: link(url(row), row.name, ""), css=""),
            Column("of", lambda row: str(row.group or "all targets")),
            Column("sent", _sent),
            Column("to", lambda row: ", ".join(row.recipients), css="quiet-text"),
            Column("last week", lambda row: row.last_week or None, lambda row: row.last_week or "–"),
        ),
        title="Recipients",
        scrolls=False,
    )


def _sent(row: RecipientList) -> str:
    return f"{row.get_weekday_display()} {row.at:%H:%M}, {row.time_zone}" if row.is_active else "not sent"


def subscribers_table(*, can_change: bool) -> Table[Subscriber]:
    """Who is told of violations, late steps and failing collections."""

    def named(row: Subscriber) -> str:
        url = reverse("subscriber", args=[row.pk]) if can_change else ""
        return after(link(url, row.name, ""), "quiet-text", "" if row.is_active else "not told")

    return Table(
        "told",
        "Who gets messages",
        (
            RowHead("who", lambda row: f"{row.name}{'' if row.is_active else ' not told'}", named, css=""),
            Column("by", lambda row: f"{_way(row)} {_address(row)}".strip(), _by_way),
            Column("of", lambda row: str(row.group or "all targets")),
            Column("at most every", lambda row: f"{row.digest_minutes} min"),
            DrawingColumn("test", template="pages/notices/test_button.html"),
        ),
        title="Who is told",
        scrolls=False,
    )


def _way(row: Subscriber) -> str:
    return row.get_way_display()


def _address(row: Subscriber) -> str:
    return row.mail_address if row.way == Subscriber.Way.MAIL else ""


def _by_way(row: Subscriber) -> str:
    return after(_way(row), "quiet-text", _address(row))


def _state(row: Delivery) -> str:
    return f"{row.get_state_display()}{', sent twice' if row.is_second else ''}"


def _ended(row: Delivery) -> str:
    return f"{figures.moment(row.ended_at)} UTC" if row.ended_at else ""


def _why(row: Delivery) -> str:
    if row.state == Delivery.State.QUEUED and row.next_try_at:
        return f"{row.reason} Tried again at {figures.moment(row.next_try_at)} UTC."
    return row.reason


DELIVERIES: Table[Delivery] = Table(
    "deliveries",
    "Deliveries",
    (
        RowHead("state", _state, css=""),
        Column("to", lambda row: row.recipient),
        Column("what", lambda row: row.subject),
        Column(
            "prepared",
            lambda row: row.made_at,
            lambda row: f"{figures.moment(row.made_at)} UTC",
            css="nowrap",
            file_head="prepared, UTC",
        ),
        Column("ended", lambda row: row.ended_at, _ended, css="nowrap", file_head="ended, UTC"),
        FigureColumn("tries", lambda row: row.tries),
        Column("why", lambda row: row.reason, _why, css="quiet-text"),
    ),
    title="Delivery log",
    css="",
)
