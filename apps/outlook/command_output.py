"""Profiles and how their rows stand, as commands print them."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from apps.outlook.figure import Outlook
from apps.outlook.profile import ProfileOutlook
from apps.profiles.build import ProfileCell
from apps.thresholds.command_output import number
from apps.thresholds.judge import JudgedRow


def outlook_as_json(outlook: Outlook) -> dict[str, Any]:
    """How a limited figure stands; room and value in its unit, days counted from `day`, null where there is none."""
    return {
        "state": outlook.state,
        "day": _iso(outlook.day),
        "since": _iso(outlook.since),
        "days_over": outlook.days_over,
        "closing": outlook.closing_words or None,
        "room": number(outlook.room),
        "room_percent": number(outlook.room_percent),
        "chance": number(outlook.chance),
        "soonest_on": _iso(outlook.soonest_on),
        "likely_on": _iso(outlook.likely_on),
        "latest_on": _iso(outlook.latest_on),
        "days_left": outlook.days_left,
        "lead_time_days": outlook.lead,
        "slack_days": outlook.slack,
        "act_by": _iso(outlook.act_by),
        "owner": outlook.owner or None,
        "note": outlook.note or None,
    }


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


def profile_as_json(profile_outlook: ProfileOutlook) -> dict[str, Any]:
    """A profile: target, day and rows with how they stand. A missing value is null, never 0."""
    judged, profile = profile_outlook.judged, profile_outlook.judged.profile
    return {
        "target": profile.target.name,
        "day": profile.day.isoformat(),
        "is_so_far": profile.is_so_far,
        "state": judged.state,
        "unread": profile_outlook.unread.because if profile_outlook.unread else None,
        "missing": [
            f"{section.title}: {sentence}" for section in profile.sections for sentence in section.missing
        ],
        "rows": [row_as_json(row, profile_outlook.outlooks.get(row.row.key)) for row in judged.rows],
    }


def row_as_json(judged: JudgedRow, outlook: Outlook | None) -> dict[str, Any]:
    row = judged.row
    return {
        "statistic": row.metric.key,
        "component": row.component,
        "class": row.component_class,
        "unit": row.unit,
        **{f"minus_{horizon}": _cell(row.then[horizon], row.metric.is_percent) for horizon in (90, 30, 7)},
        "today": number(row.today.value),
        "today_presence": row.today.presence,
        **_measured(row.today),
        "threshold": judged.threshold.notation if judged.threshold else None,
        "severity": judged.threshold.severity if judged.threshold else None,
        "state": judged.state,
        "reason": judged.reason or row.today.reason or None,
        "outlook": outlook_as_json(outlook) if outlook is not None else None,
    }


def _cell(cell: ProfileCell, is_percent: bool) -> Mapping[str, Any]:
    return {
        "value": number(cell.value),
        "day": cell.day.isoformat() if cell.day and not cell.presence.is_unknown else None,
        "delta_points" if is_percent else "delta_percent": number(cell.delta),
        "change": cell.change or None,
        "presence": cell.presence,
        **_measured(cell),
    }


def _measured(cell: ProfileCell) -> Mapping[str, Any]:
    """How long a figure was measured, so that a mean of several days does not look like a day."""
    return {
        "hours": None if cell.hours is None else round(cell.hours, 2),
        "spans_days": cell.spans_days,
        "is_partial": cell.is_partial,
        "is_since_restart": cell.is_since_restart,
    }
