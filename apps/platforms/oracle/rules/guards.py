"""What rules of instances are never made of."""

from apps.advisors.engine.finding_rules import Guard

NO_LIFETIME_AVERAGE = Guard(
    key="NO_LIFETIME_AVERAGE",
    title="averages since start-up",
    reason="An average since start-up hides the day; a statistic of the day stands beside it.",
    metrics=frozenset({"pga_cache_hit_pct"}),
)
NO_HIT_RATIO_ALERT = Guard(
    key="NO_HIT_RATIO_ALERT",
    title="buffer cache hit ratio",
    reason="It is high on bad days too; it is shown and never judged.",
    metrics=frozenset({"buffer_cache_hit_pct"}),
)
MIN_COUNT = Guard(
    key="MIN_COUNT",
    title="averages of few",
    reason="Fewer than 100 waits, or 1,000 requests of a file, are no average to judge.",
)
