"""Two periods of a target, or of two targets: what is asked for, and the table of the answer."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from urllib.parse import urlencode

from django import forms
from django.urls import reverse

from apps.charts import figures
from apps.collection.today import today_of
from apps.inventory.models import Target
from apps.profiles.differences import ComparedRow, Comparison, DaysUsed
from apps.profiles.engine.periods import NOTEWORTHY, BadPeriod, ChangeVerdict, Period
from apps.snapshots.models import Coverage
from apps.web.field_choices import offer
from apps.web.pages.compare.things import ComparedThing, list_things
from apps.web.sentences import Part, capital, count
from apps.web.target_changes import changes_of

CHANGED = "changed"
ALL = "all"
STATISTICS = "statistics"  # a row for each, not for each thing
MOST = 200  # rows on a page; files have every statistic
EVENTS = 3  # restarts, and changed parameters, that are offered
AROUND = 14  # days before and after an event


class PeriodsForm(forms.Form):
    """The days of both periods, and whose the earlier ones are."""

    then_first = forms.DateField(label="from", widget=forms.DateInput(attrs={"type": "date"}))
    then_last = forms.DateField(label="to", widget=forms.DateInput(attrs={"type": "date"}))
    first = forms.DateField(label="from", widget=forms.DateInput(attrs={"type": "date"}))
    last = forms.DateField(label="to", widget=forms.DateInput(attrs={"type": "date"}))
    other = forms.ModelChoiceField(Target.objects.none(), label="of", required=False)

    def __init__(self, *args: object, target: Target, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        alike = Target.objects.in_estate().filter(platform=target.platform, kind=target.kind)
        other = offer(self, "other", alike.exclude(pk=target.pk))
        other.empty_label, other.initial = target.name, target.pk
        for field in self.fields.values():
            field.error_messages |= {
                "required": "Give a day, for example 2026-02-17.",
                "invalid": "That is not a day. Give one such as 2026-02-17.",
                "invalid_choice": "There is no such target; choose one of the list.",
            }

    def clean(self) -> None:
        days = self.cleaned_data
        for name in ("then_first", "then_last", "first", "last"):
            if days.get(name) and not 1970 <= days[name].year < 3000:
                self.add_error(name, "Give a day since 1970, and one that people now alive may see.")
        for begins, ends in (("then_first", "then_last"), ("first", "last")):
            if days.get(begins) and days.get(ends):
                try:
                    Period(days[begins], days[ends])
                except BadPeriod as error:
                    self.add_error(ends, str(error))

    @property
    def periods(self) -> tuple[Period, Period]:
        days = self.cleaned_data
        return Period(days["then_first"], days["then_last"]), Period(days["first"], days["last"])


class PairForm(forms.Form):
    """A target, and another of its kind where two are compared."""

    target = forms.ModelChoiceField(
        Target.objects.none(),
        empty_label="choose one",
        help_text="Without one, its last week is compared with the week before.",
    )
    other = forms.ModelChoiceField(
        Target.objects.none(), label="with", required=False, empty_label="itself, a week before",
        help_text="Another of its kind, over the same days.",
    )  # fmt: skip

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        for name in ("target", "other"):
            field = offer(self, name, Target.objects.in_estate().order_by("name"))
            field.error_messages |= {
                "required": "Choose a target.",
                "invalid_choice": "There is no such target; choose one of the list.",
            }

    def clean(self) -> None:
        target, other = self.cleaned_data.get("target"), self.cleaned_data.get("other")
        if target and other and (target.platform, target.kind) != (other.platform, other.kind):
            self.add_error(
                "other",
                f"{other.name} is no {target.get_kind_display()}; choose one of the same kind as {target.name}.",
            )

    def address(self, now: datetime) -> str:
        """Where the answer is."""
        target, other = self.cleaned_data["target"], self.cleaned_data["other"]
        path = reverse("target_compare", args=[target.pk])
        today = today_of(target, now) if other and other != target else None
        if today is None:
            return path
        return f"{path}?{urlencode(build_query(week_until(today.day), week_until(today.day), other))}"


@dataclass(frozen=True)
class PeriodChoice:
    """A pair of periods that is one click away."""

    label: str
    url: str
    active: bool


# ── what is asked for ─────────────────────────────────────────────────────────────────────────────────────────────────


def build_query(before: Period, after: Period, other: Target | None = None) -> dict[str, str]:
    """What the address of a comparison says."""
    query = {
        "then_first": before.first.isoformat(), "then_last": before.last.isoformat(),
        "first": after.first.isoformat(), "last": after.last.isoformat(),
    }  # fmt: skip
    return query | ({"other": str(other.pk)} if other else {})


def week_until(day: date) -> Period:
    return Period(day - timedelta(days=6), day)


def offer_choices(
    target: Target, today: date, periods: tuple[Period, Period] | None, other: Target | None
) -> list[PeriodChoice]:
    """This week against others, today against a week ago, and the days around what happened, newest first."""
    week, day = week_until(today), Period(today, today)
    offered: list[tuple[str, Period, Period]] = [
        ("week against the week before", week.earlier(7), week),
        ("against 4 weeks before", week.earlier(28), week),
        ("4 weeks against the 4 before", Period(today - timedelta(days=55), today - timedelta(days=28)),
         Period(today - timedelta(days=27), today)),
        (f"{figures.short_day(today)} against a week ago", day.earlier(7), day),
    ]  # fmt: skip
    if other is not None:
        offered = [("the same week", week, week), ("the same day", day, day)]
    else:
        offered += [
            (f"before and after {what}", Period(on - timedelta(days=AROUND), on - timedelta(days=1)),
             Period(on + timedelta(days=1), min(on + timedelta(days=AROUND), today)))
            for what, on in _events(target, today)
        ]  # fmt: skip
    path = reverse("target_compare", args=[target.pk])
    return [
        PeriodChoice(
            label, f"{path}?{urlencode(build_query(before, after, other))}", (before, after) == periods
        )
        for label, before, after in offered
    ]


def _events(target: Target, today: date) -> list[tuple[str, date]]:
    """Restarts and changes of the last 90 days that lie between days of figures."""
    since = today - timedelta(days=90)
    restarts = (
        Coverage.objects.filter(target=target, restarts__gt=0, day__gt=since, day__lt=today)
        .order_by("-day")
        .values_list("day", flat=True)[:EVENTS]
    )
    events = [(f"the restart of {figures.short_day(on)}", on) for on in restarts]
    changed: dict[tuple[str, date], None] = {}
    for change in changes_of(target):
        if since < change.at.date() < today:
            changed[change.what, change.at.date()] = None
    return events + [
        (f"{what} changed on {figures.short_day(on)}", on) for what, on in list(changed)[:EVENTS]
    ]


# ── what is answered ──────────────────────────────────────────────────────────────────────────────────────────────────


def filter_rows(rows: Sequence[ComparedRow], verdict: str, section: str) -> list[ComparedRow]:
    """The rows of a verdict ("changed" is any that is told) and a section."""
    words = {ALL: set(ChangeVerdict), CHANGED: set(NOTEWORTHY)}.get(verdict) or {
        member for member in ChangeVerdict if member.value == verdict
    }
    return [
        row for row in rows if row.judged.verdict in words and section in ("", row.metric.section.title)
    ]  # fmt: skip


def write_sentence(comparison: Comparison) -> list[Part]:
    """What became worse, and what most; then how much is better, new, gone; the rest is noise."""
    if not comparison.rows:
        return [Part("Nothing was measured in these periods", True), Part(": choose days that were read.")]
    judged = [row for row in comparison.rows if row.judged.verdict in (*NOTEWORTHY, ChangeVerdict.SAME)]
    if not judged:
        return [
            Part("Nothing can be compared", True),
            Part(": a period needs at least three days that were read."),
        ]
    changed = list_things([row for row in judged if row.judged.verdict in NOTEWORTHY])
    if not changed:
        return [
            Part("Nothing changed beyond its noise", True),
            Part(f": {count(len(judged), 'statistic')} compared."),
        ]
    noise = sum(row.judged.verdict is ChangeVerdict.SAME for row in judged)
    return [*_changes(changed), Part(f"; {count(noise, 'statistic')} stayed within their noise.")]


def _changes(things: Sequence[ComparedThing]) -> list[Part]:
    counted = Counter(thing.lead.judged.verdict for thing in things)
    moved = counted[ChangeVerdict.HIGHER] + counted[ChangeVerdict.LOWER]
    words = [
        (counted[ChangeVerdict.BETTER], "better"), (counted[ChangeVerdict.APPEARED], "new"),
        (counted[ChangeVerdict.GONE], "gone"), (moved, "higher or lower"),
    ]  # fmt: skip
    others = ", ".join(f"{figures.whole(number)} {word}" for number, word in words if number)
    worse = counted[ChangeVerdict.WORSE]
    if not worse:
        return [Part("Nothing became worse", True), Part(f": {others}")]
    first = things[0].lead
    return [
        Part(f"{capital(count(worse, 'thing'))} became worse", True),
        Part(f", {'most of all ' if worse > 1 else ''}{first.name}{f'; {others}' if others else ''}"),
    ]


def describe_days(side: DaysUsed) -> str:
    """Which days a period had, and which were left out: "six days of 14 Nov to 20 Nov 2026; one day not read: 16 Nov"."""
    period = side.period
    ends = figures.short_day(period.first)
    if len(period) > 1:
        ends = f"{ends} to {figures.short_day(period.last)} {period.last.year}"
    text = f"{count(len(side.used), 'day')} of {ends}"
    left_out = [(side.partial, "measured in part"), (side.unread, "not read")]
    for days, why in left_out:
        if days:
            named = ", ".join(map(figures.short_day, days[:4])) + (
                f" and {len(days) - 4} more" if len(days) > 4 else ""
            )
            text += f"; {count(len(days), 'day')} {why}: {named}"
    return text
