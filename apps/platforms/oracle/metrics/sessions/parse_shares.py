"""How much of parsing is hard, and what part of the time it takes."""

from apps.catalog.metric import Worse
from apps.platforms.oracle.categories import TIME_MODEL
from apps.platforms.oracle.metrics.sessions.sources import rate, ratio

METRICS = [
    ratio(
        key="hard_parse_ratio",
        label="hard parses of parses",
        unit="%",
        worse=Worse.HIGHER,
        formula=lambda w: 100 * w.delta("parse_count_hard") / w.delta("parse_count_total"),
        help="Share of parse calls that needed the optimiser. Only worrying together with a high rate.",
    ),
    rate(
        key="hard_parses_per_s",
        label="hard parses per second",
        worse=Worse.HIGHER,
        formula=lambda w: w.delta("parse_count_hard") / w.seconds,
        help="Twenty a second are worth a look, a hundred are a problem.",
    ),
    ratio(
        key="hard_parse_time_pct",
        label="hard parsing of DB time",
        category=TIME_MODEL,
        unit="%",
        worse=Worse.HIGHER,
        formula=lambda w: 100 * w.delta("tm_hard_parse_elapsed") / w.delta("tm_db_time"),
        help="Share of DB time lost to optimising statements.",
    ),
    ratio(
        key="execute_to_parse_pct",
        label="executions without a parse",
        unit="%",
        worse=Worse.LOWER,
        formula=lambda w: 100 * (1 - w.delta("parse_count_total") / w.delta("execute_count")),
        help="Share of executions that reused an open cursor. Low where an application parses before every execution.",
    ),
]
