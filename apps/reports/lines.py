"""The rows of a report in words: the same in the page, the PDF, the mail and plain text."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from apps.charts import figures
from apps.charts.words import capital, uncapital
from apps.reports.engine.week import Week, parse_week
from apps.reports.facts import GROUPS as GROUPS
from apps.reports.facts import (
    Closer,
    Decision,
    Facts,
    Item,
    QuarterAccount,
    WeekFinding,
    WeekVerdict,
)

MOST_TRUE = 5  # predictions that are named because they came true


@dataclass(frozen=True)
class ReportLine:
    """One row of the table of violations; `mark` names its icon and colour."""

    mark: str
    state: str
    target: str
    what: str
    figure: str
    day: str  # of the figure
    limit: str
    unit: str
    when: str
    who: str
    step: str
    due: str
    slack: str
    note: str = ""  # what is to be known of the figure: that it is a mean of several days


def write_lines(items: Sequence[Item]) -> list[ReportLine]:
    return [_line(item) for item in items]


def _line(item: Item) -> ReportLine:
    mark, state = _state(item)
    return ReportLine(
        mark=mark,
        state=state,
        target=item.target,
        what=item.what,
        figure=figures.figure(item.value if item.broke_at is None else item.broke_at),
        day=_day(item),
        limit=item.limit,
        unit=item.unit,
        when=_when(item),
        who=item.owner or "nobody yet",
        step="" if item.closed_on else item.next_step or "no plan",
        due=short(item.due_on) if item.due_on and not item.closed_on else "",
        slack=figures.slack(item.slack),
        note=item.note,
    )


def _day(item: Item) -> str:
    """The day of the figure that broke the limit, else of that of the week's end."""
    on = item.value_on if item.broke_at is None else item.broke_on
    return short(on) if on else ""


def _state(item: Item) -> tuple[str, str]:
    if item.closed_on:
        return "comfortable", item.state
    if item.standing:
        return ("closing", item.standing) if item.value is not None else ("no_data", "no data")
    return ("violated", "violated") if item.opened_on else ("at_risk", "at risk")


def _when(item: Item) -> str:
    if item.closed_on:
        return short(item.closed_on)
    if item.opened_on:
        return f"{'back ' if item.returned else ''}since {short(item.opened_on)}"
    around = f"around {short(item.likely_on)}" if item.likely_on else "foreseen"
    return f"{around}, over since {short(item.came_true_on)}" if item.came_true_on else around


def short(text: str | None) -> str:
    """`14 Mar` of ISO text."""
    return figures.short_day(date.fromisoformat(text)) if text else figures.MISSING


def count_items(facts: Facts) -> list[tuple[str, int, str]]:
    """The six figures of the strip: word, count, and the state that colours it."""
    return [
        ("new", len(facts.new), "violated"),
        ("continuing", len(facts.continuing), ""),
        ("predicted, 90 days", len(facts.predicted), "at_risk"),
        ("resolved", len(facts.resolved), ""),
        ("wait for a decision", len(facts.decisions), ""),
        ("not read every night", len(facts.not_collected), ""),
    ]


def decision_text(decision: Decision) -> str:
    """`sessions on HRPRD: needs an owner. Raise processes to 700, or accept the risk.`"""
    if not decision.options:
        return decision.text
    first, *rest = decision.options
    *others, last = first, *map(uncapital, rest)
    listed = ", ".join(others)
    return f"{decision.text} {capital(f'{listed}, or {last}' if others else last)}."


def closer_text(closer: Closer) -> str:
    """`around 14 Mar, 12 days nearer than a week ago`."""
    if closer.days is None:
        return f"around {short(closer.likely_on)}; a week ago none was predicted"
    return f"around {short(closer.likely_on)}, {closer.days} days nearer than a week ago"


def account_text(account: QuarterAccount) -> str:
    """`Of 128 violations forecast, 97 came; the day was off by 6 in the median, that of a straight line by 15.`"""
    if account.predicted:
        plural = "" if account.predicted == 1 else "s"
        text = f"Of {figures.whole(account.predicted)} violation{plural} forecast, {figures.whole(account.came)} came"
    else:
        text = "No violation was forecast"
    if account.days_off is not None:
        text += f"; the day was off by {figures.figure(account.days_off)} in the median"
        if account.line_days_off is not None:
            text += f", that of a straight line by {figures.figure(account.line_days_off)}"
    of = " of the demo’s targets" if account.is_demo else ""
    text += f". {figures.whole(account.promises)} promises{of} fell due"
    if account.chance_off is not None:
        text += f"; their chances were off by {figures.figure(account.chance_off)} points in the mean"
    return f"{text}."


def verdict_text(verdict: WeekVerdict) -> str:
    """ "slow on 12 Mar: month end took until noon (accounting)" """
    by = f" ({verdict.said_by})" if verdict.said_by else ""
    return f"{verdict.verdict} on {short(verdict.on)}: {verdict.text}{by}"


def finding_text(finding: WeekFinding) -> str:
    """`Commits are slow (warning).`"""
    return f"{finding.title} ({finding.weight})."


def write_span(week: Week) -> str:
    """`9–15 February 2026`, across months `29 December 2025 – 4 January 2026`."""
    first, last = week.first_day, week.last_day
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{figures.long_day(last)} {last.year}"
    year = f" {first.year}" if first.year != last.year else ""
    return f"{figures.long_day(first)}{year} – {figures.long_day(last)} {last.year}"


def headline(facts: Facts, week: str) -> str:
    """Which week, and of what."""
    of = parse_week(week)
    scope = f"group {facts.group}, " if facts.group else "all "
    number = of.first_day.isocalendar().week
    return f"week {number}, {write_span(of)} · {scope}{facts.targets:,} target{'' if facts.targets == 1 else 's'}"


def write_known_at(facts: Facts) -> str:
    """From when the report's knowledge is."""
    if not facts.known_at:
        return ""
    moment = datetime.fromisoformat(facts.known_at)
    return f"As known on {moment:%A} {figures.long_day(moment.date())} {moment.year}, {moment:%H:%M} UTC."


def knowledge_text(facts: Facts) -> str:
    """From when the report's knowledge is, which predictions came true since, and what of it is newer."""
    when = write_known_at(facts)
    if not when:
        return ""
    true = [item for item in facts.predicted if item.came_true_on]
    if true:
        what = ", ".join(
            f"{item.what} on {item.target} on {short(item.came_true_on)}" for item in true[:MOST_TRUE]
        )
        more = f" and {len(true) - MOST_TRUE} more" if len(true) > MOST_TRUE else ""
        when += f" Since then over its limit, as predicted: {what}{more}."
    if not facts.is_later:
        return when
    return (
        f"{when} Composed later: violations and steps by when they were recorded, forecasts by their run; "
        "figures, owners and plans as they stand."
    )
