"""scale_averages(): what the averages of a study would be at more work, told from the days after its change."""

from dataclasses import dataclass

import numpy as np

from apps.advisors.case_figures import work_keys
from apps.advisors.engine.scaling import Floats, ScaledFigure, scale_figure
from apps.advisors.models import ChangeStudy
from apps.advisors.study_registry import find_kind
from apps.advisors.study_result import ComparedFigure, StudyResult
from apps.catalog.metric import Metric
from apps.catalog.registry import get_metric
from apps.snapshots.dictionary import Name
from apps.snapshots.measured import Measured, read_series


@dataclass(frozen=True)
class ScaledAverage:
    """An average with a target, and what it would be at more of some work."""

    figure: ComparedFigure
    work: Metric
    scaled: ScaledFigure


def scale_averages(study: ChangeStudy, result: StudyResult) -> list[ScaledAverage]:
    """The averages with a target, held against the work of their days; none while the days after are not over."""
    averages = [figure for figure in result.aimed if figure.rate_unit]
    kind = find_kind(study.kind)
    work = [(kind.statistic_of(key, study.windows), component) for key, component in work_keys(study.target)]
    if not averages or not work or not result.is_over:
        return []
    names = [*work, *((figure.metric.key, figure.component) for figure in averages)]
    measured = read_series([study.target], names, study.after_from, study.after_to)[study.target.pk]
    name, amounts = max(((name, _days(measured, name)) for name in work), key=lambda pair: _count(pair[1]))
    return [
        ScaledAverage(
            figure,
            get_metric(name[0]),
            scale_figure(amounts, _days(measured, (figure.metric.key, figure.component))),
        )
        for figure in averages
    ]


def _days(measured: Measured, name: Name) -> Floats:
    """The figures of a series that count, in the unit of the profile; NaN where a day has none."""
    row = measured.row_of[name]
    is_known = measured.counts[row] & ~measured.is_absent[row]
    return np.where(is_known, measured.totals[row], np.nan) * get_metric(name[0]).to_display_unit(1.0)


def _count(values: Floats) -> int:
    return int((~np.isnan(values)).sum())
