"""A study on paper: its outcome on one page, all figures and what comes next on the second."""

import json
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
from django.conf import settings

from apps.advisors.engine.outcome import GOOD, Outcome
from apps.advisors.models import ChangeStudy
from apps.advisors.study_comparison import compare_study
from apps.advisors.study_deeds import propose_next_limits
from apps.advisors.study_figures import aim_of
from apps.advisors.study_result import ComparedFigure, StudyResult, StudyThing
from apps.advisors.study_storage import StorageResponse, compare_storage
from apps.charts import figures
from apps.charts.outlook import OutlookMarks, outlook
from apps.charts.words import capital, count
from apps.reports.drawings import with_styles
from apps.reports.pdf import compile_paper, legible
from apps.reports.study_text import (
    describe_kind,
    describe_study_windows,
    describe_test,
    headline_of,
    write_causes,
    write_change,
    write_interval,
    write_noise,
    write_scaling,
    write_until,
)
from apps.snapshots.measured import read_series
from apps.thresholds.engine.notation import Limit
from apps.thresholds.limits import notation_with_unit

ON_PAGE_1, ON_PAGE_2 = 16, 22  # figures; of page 2 at most, as far as it holds them
CHARTS = 2
AROUND = timedelta(days=7)  # before and after both windows
Json = dict[str, Any]


def study_as_pdf(study: ChangeStudy) -> bytes:
    """A tagged PDF that screen readers can read (PDF/UA-1)."""
    document = legible(build_document(study))
    return compile_paper(
        "study.typ", {"study": json.dumps(document, ensure_ascii=False)}, pdf_standards="ua-1"
    )


def build_document(study: ChangeStudy) -> Json:
    """Everything that the paper says."""
    result = compare_study(study)
    fact, rest = headline_of(result)
    rows = [*_rows("With a target", result.aimed_things), *_rows("What else changed", result.other_things)]
    more = [*rows[ON_PAGE_1:], *_parts(result)]
    causes = write_causes(study, result)
    return {
        "title": f"Headroom, study, {study.question}",
        "head": f"Study · {study.target.name} · {figures.day_span(study.before_from, study.after_to)}",
        "fact": fact,
        "rest": rest,
        "question": study.question,
        "change": study.change,
        "windows": [{"name": name, "text": text} for name, text in _windows(study, result)],
        "first_rows": rows[:ON_PAGE_1],
        "more_rows": more[:ON_PAGE_2],
        "storage": [_response(row) for row in compare_storage(result)],
        "causes": causes[:-1],
        "causes_total": causes[-1] if causes else "",
        "accepted": _accepted(result),
        "charts": [_chart(study, figure) for figure in result.aimed[:CHARTS]],
        "scaling": write_scaling(study, result),
        "next": _next(study, result),
        "conclusion": study.conclusion,
        "revisit": f"Look at the profile again on {figures.long_day(study.revisit_on)}."
        if study.revisit_on
        else "",
        "foot": describe_test(study),
        "notes": [
            _note(result, len(more) - rows_on_page) for rows_on_page in range(min(len(more), ON_PAGE_2) + 1)
        ],
        "logo": (Path(settings.BASE_DIR) / "static" / "img" / "favicon.svg").read_text(),
    }


def _windows(study: ChangeStudy, result: StudyResult) -> list[tuple[str, str]]:
    of_days = describe_kind(study)
    name = "of each day" if result.is_of_days else "better"
    return [*describe_study_windows(study, result), *([(name, of_days)] if of_days else [])]


def _rows(group: str, things: Sequence[StudyThing]) -> list[Json]:
    return [_row(group, thing.lead) for thing in things]


def _parts(result: StudyResult) -> list[Json]:
    """What else changed of the things that have a row, as rows."""
    return [_row("Of the same things", figure) for thing in result.things for figure in thing.parts]


def _note(result: StudyResult, left_out: int) -> str:
    """What stands in no row of the paper."""
    on_page = f"{capital(count(left_out, 'more row'))} on the page of the study. " if left_out > 0 else ""
    return on_page + write_noise(result)


def _response(row: StorageResponse) -> Json:
    """A file or a device with its response in both windows, read and written."""
    return {
        "group": row.group,
        "name": row.name,
        **{
            f"{way}_{what}": text
            for way, compared in (("read", row.read), ("write", row.write))
            for what, text in _sides(compared).items()
        },
    }


def _sides(compared: ComparedFigure | None) -> dict[str, str]:
    if compared is None:
        return dict.fromkeys(("before", "after", "effect", "verdict"), figures.MISSING)
    return {
        "before": figures.figure(compared.before),
        "after": figures.figure(compared.after, compared.before),
        "effect": write_change(compared),
        "verdict": compared.verdict,
    }


def _row(group: str, figure: ComparedFigure) -> Json:
    is_worse = figure.outcome is Outcome.WORSE and not figure.is_accepted
    return {
        "group": group,
        "name": figure.name,
        "of": _unit(figure),
        "rate_before": "" if figure.rate_before is None else figures.figure(figure.rate_before),
        "rate_after": "" if figure.rate_after is None else figures.figure(figure.rate_after),
        "before": figures.figure(figure.before),
        "after": figures.figure(figure.after, figure.before),
        "effect": write_change(figure),
        "interval": write_interval(figure),
        "aim": figures.threshold(figure.aim) if figure.aim else "",
        "verdict": figure.verdict,
        "mark": "good" if figure.outcome in GOOD else "bad" if is_worse else "plain",
    }


def _unit(figure: ComparedFigure) -> str:
    """The unit of a row, with that of its rate."""
    unit = (
        f"{figure.metric.display_unit}; {figure.rate_unit}"
        if figure.rate_unit
        else figure.metric.display_unit
    )
    return ", ".join(filter(None, (figure.target.name, unit)))


def _accepted(result: StudyResult) -> list[str]:
    return [
        f"{row.name}{write_until(row.acceptance)}: {row.acceptance.reason}"
        for row in result.worse
        if row.acceptance is not None
    ]


def _next(study: ChangeStudy, result: StudyResult) -> list[str]:
    if not result.is_over:
        return []
    lines = []
    for row in propose_next_limits(study, result):
        if row.proposal.notation:
            limit = notation_with_unit(row.proposal.notation, row.metric.display_unit)
            now = f", now {figures.threshold(row.existing.notation)}" if row.existing else ""
            lines.append(f"{row.metric.called(row.component)}: {limit}{now}; {row.proposal.why}")
    return lines


def _chart(study: ChangeStudy, figure: ComparedFigure) -> Json:
    """The days around both windows, with what was aimed at."""
    first, last = (
        study.before_from - AROUND,
        min(study.after_to + AROUND, study.target.reviewed_through or study.after_to),
    )
    key = (figure.metric.key, figure.component)
    measured = read_series([study.target], [key], first, last)[study.target.pk]
    values = measured.totals[measured.row_of[key]] * figure.metric.to_display_unit(1.0)
    aim = aim_of(figure.metric.key, figure.aim)
    limit = aim.edge if isinstance(aim, Limit) else None
    svg = outlook(
        _days(first, last),
        [None if np.isnan(value) else float(value) for value in values],
        OutlookMarks(limit=limit, limit_text=figures.threshold(figure.aim) if limit is not None else ""),
        label=f"{figure.name}, {figure.metric.display_unit}, by day",
        width=380,
        height=124,
    )
    return {
        "title": figure.name,
        "caption": f"{figure.metric.display_unit}, {figures.day_span(first, last)}",
        "alt": f"{figure.name} by day: {figures.figure(figure.before)} before, {figures.figure(figure.after)} after",
        "svg": with_styles(svg),
    }


def _days(first: date, last: date) -> list[date]:
    return [first + timedelta(days=offset) for offset in range((last - first).days + 1)]
