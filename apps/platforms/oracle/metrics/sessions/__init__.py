"""Sessions, processes, parsing, commits and signing in: what users ask of the instance."""

from apps.catalog.metric import Metric
from apps.platforms.oracle.metrics.sessions import (
    cursors,
    logins_of_night,
    logons,
    parse_shares,
    parsing,
    resource_limits,
    sessions,
    transactions,
)

METRICS: list[Metric] = [
    *resource_limits.METRICS,
    *sessions.METRICS,
    *cursors.METRICS,
    *parsing.METRICS,
    *parse_shares.METRICS,
    *transactions.METRICS,
    *logons.METRICS,
    *logins_of_night.METRICS,
]
