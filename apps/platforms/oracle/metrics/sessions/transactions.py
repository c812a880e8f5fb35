"""Commits and rollbacks."""

from apps.catalog.metric import Worse
from apps.platforms.oracle.metrics.sessions.sources import rate, ratio, sysstat

METRICS = [
    sysstat(
        key="user_rollbacks",
        name="user rollbacks",
        label="user rollbacks",
        reading_unit="rollbacks",
        unit="per second",
        worse=Worse.HIGHER,
        help="Rollbacks that users asked for. Some frameworks send one after every query, to no effect.",
    ),
    ratio(
        key="commits_per_s",
        label="commits per second",
        unit="per second",
        formula=lambda w: w.delta("user_commits") / w.seconds,
        help="Rate of commits.",
    ),
    rate(
        key="transactions_per_s",
        label="transactions per second",
        formula=lambda w: (w.delta("user_commits") + w.delta("user_rollbacks")) / w.seconds,
        help="Commits and rollbacks together.",
    ),
    ratio(
        key="rollback_pct",
        label="transactions rolled back",
        unit="%",
        worse=Worse.HIGHER,
        formula=lambda w: (
            100 * w.delta("user_rollbacks") / (w.delta("user_commits") + w.delta("user_rollbacks"))
        ),
        help="Share of transactions that users rolled back: work done for nothing, or an application in trouble.",
    ),
]
