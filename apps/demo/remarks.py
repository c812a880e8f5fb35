"""What people of the estate noted on days of its targets."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from apps.demo.cast.people import CASTELLANOS, LINDQVIST, OKAFOR
from apps.inventory.models import Target
from apps.people.models import User
from apps.profiles.models import Note


@dataclass(frozen=True, kw_only=True)
class Remark:
    """A note on a day, or on so many days, counted from the last day loaded; with what users said of them, where they did."""

    member: str
    by: str
    age: int
    text: str
    days: int = 1
    verdict: str = ""
    said_by: str = ""


REMARKS = (
    Remark(
        member="DWPRD", by=LINDQVIST, age=-37, text="Patch 19.24; SALES_2026 is loaded from the day after."
    ),
    Remark(member="DWPRD", by=CASTELLANOS, age=-17, days=3, text="Load test of the new ETL."),
    Remark(
        member="PAYPRD",
        by=OKAFOR,
        age=-19,
        days=3,
        text="Payment runs end late: every commit waits.",
        verdict="slow",
        said_by="accounting",
    ),
    Remark(
        member="PAYPRD",
        by=OKAFOR,
        age=-12,
        days=3,
        text="Payment runs end in time.",
        verdict="fine",
        said_by="accounting",
    ),
    Remark(
        member="PAYPRD", by=OKAFOR, age=-15, text="Redo path rebuilt: log buffer of 72 MB, members of 8 GB."
    ),
)


def write_remarks(target: Target, last_day: date) -> None:
    """Write the notes on a target's days, once; those before it was watched are left out."""
    registered_on = target.registered_at.astimezone(target.zone).date()
    for remark in REMARKS:
        first = last_day + timedelta(days=remark.age)
        if remark.member != target.address["member"] or first < registered_on:
            continue
        Note.objects.get_or_create(
            target=target,
            first_day=first,
            last_day=first + timedelta(days=remark.days - 1),
            text=remark.text,
            defaults={
                "verdict": remark.verdict,
                "said_by": remark.said_by,
                "written_by": User.objects.get(username=remark.by),
                "written_at": datetime.combine(first, time(17, 30), target.zone),
            },
        )
