"""What runs out first: what is over, closing or foreseen in the whole estate, the most urgent first."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime

from django.urls import reverse

from apps.charts import figures
from apps.collection.unread_targets import UnreadTarget
from apps.inventory.models import Target
from apps.outlook.counts import Counts, count_limited
from apps.outlook.figure import Outlook
from apps.outlook.outlooks import day_of
from apps.thresholds.judge import FigureState
from apps.web.risk_rows import Risk, line_of
from apps.web.sentences import Part, counted

ROWS = 10
TOGETHER = 3  # figures of one target that their component names, such as wait events, that make one line


def list_risks(
    outlooks: Iterable[Outlook], targets: Iterable[Target], unread: Mapping[int, UnreadTarget], now: datetime
) -> list[Risk]:
    """Cases and what may come as lines, the most urgent first, one for each target that was not read."""
    today = now.date()
    lines = [line_of(outlook, today) for outlook in outlooks if outlook.unread is None]
    lines = [
        *_together(lines),
        *(_unread_line(target, unread, now) for target in targets if target.pk in unread),
    ]
    return sorted(lines, key=lambda line: line.outlook.urgency)


def with_alike(lines: Sequence[Risk], outlooks: Iterable[Outlook]) -> Sequence[Risk]:
    """The lines; those that speak for several of the figures know how many of their kind are under a limit."""
    several = {line.outlook.target.pk: line.outlook.target for line in lines if line.together}
    if not several:
        return lines
    alike = count_limited(several, outlooks)
    return [
        replace(line, alike=alike[line.outlook.target.pk, line.outlook.about.display.noun])
        if line.together
        else line
        for line in lines
    ]


def _together(lines: Iterable[Risk]) -> list[Risk]:
    """Figures of one target that are over their limits and are alike are one line, from three on: the most urgent speaks."""
    alike: dict[tuple[int, str], list[Risk]] = {}
    for line in lines:
        noun = line.outlook.about.display.noun if line.state is FigureState.VIOLATED else ""
        alike.setdefault((line.outlook.target.pk, noun) if noun else (0, line.url), []).append(line)
    rows = []
    for (target, noun), members in alike.items():
        if target and len(members) >= TOGETHER:
            first = members[0]
            every = [line.outlook for line in members]
            url = reverse("target_violations", args=[target])
            what = f"{len(members)} {noun}s"
            members = [Risk(outlook=first.outlook, today=first.today, what=what, url=url, together=every)]
        rows += members
    return rows


def _unread_line(target: Target, unread: Mapping[int, UnreadTarget], now: datetime) -> Risk:
    """A target that was not read: nothing is known of all its limits."""
    outlook = Outlook(
        target=target, metric="", component="", figure="", day=day_of(target, now), unread=unread[target.pk]
    )
    return Risk(outlook=outlook, today=now.date(), what="all its limits", url=target.get_absolute_url())


def sentence(
    lines: Sequence[Risk], counts: Counts, targets: int, filter_words: str, today: date
) -> list[Part]:
    """What is over and what of it is first, what is next, by when to act; of a filter without hits that there is nothing."""
    if filter_words and not targets:
        return [Part(f"There is no target of {filter_words}", True), Part(".")]
    parts = counted(counts, first=_first(lines, counts))
    if not parts:
        subject = f"No target of {filter_words}" if filter_words else "Nothing"
        return [Part(f"{subject} is over or near its limit", True), Part(".")]
    coming = (line for line in lines if line.state is FigureState.AT_RISK and line.outlook.act_by is not None)
    following = next(coming, None)
    if following is not None:
        parts += [Part(" "), *_next(following, today)]
    return parts


def _first(lines: Sequence[Risk], counts: Counts) -> str:
    """What the first line of the list says is over, where the sentence counts what is over."""
    if not counts.over or not lines or lines[0].state is not FigureState.VIOLATED:
        return ""
    return f", first {lines[0].what} on {lines[0].target}"


def _next(line: Risk, today: date) -> list[Part]:
    outlook = line.outlook
    assert outlook.likely_on is not None
    assert outlook.act_by is not None
    soonest = f" (soonest {figures.long_day(outlook.soonest_on)})" if outlook.soonest_on else ""
    return [
        Part(f"Next is {line.what} on {line.target}, around "),
        Part(figures.long_day(outlook.likely_on), True),
        Part(f"{soonest}: act "),
        Part("now" if outlook.act_by <= today else f"by {figures.long_day(outlook.act_by)}", True),
        Part("."),
    ]
