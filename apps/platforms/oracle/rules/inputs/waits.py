"""Waits, and what is said of readings."""

from apps.advisors.engine.rule_inputs import DayQuality, FigureInput, LimitInput, QualityInput

WAIT_CS = FigureInput(key="wait_avg_cs", label="average wait", unit="cs", metric="wait_avg_ms", is_each=True)
WAIT_CS_BEFORE = FigureInput(
    key="wait_avg_cs_90d",
    label="90 days before",
    unit="cs",
    metric="wait_avg_ms",
    back=(97, 83),
    needs="Ninety days of readings.",
    is_each=True,
)
WAIT_LIMIT_CS = LimitInput(
    key="threshold_cs",
    label="its limit",
    unit="cs",
    metric="wait_avg_ms",
    needs="Set a limit on the average wait of an event.",
    is_each=True,
)
RESTARTS = QualityInput(key="startup_time_changed", label="restarts", quality=DayQuality.RESTARTS)
FALLEN = QualityInput(key="negative_delta", label="counters that fell", quality=DayQuality.FALLEN)
