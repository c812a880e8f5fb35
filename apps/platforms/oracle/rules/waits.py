"""Wait events against their limits and their past."""

from apps.advisors.engine.finding_rules import Classification, FindingRule, Weight
from apps.platforms.oracle.rules.inputs.waits import WAIT_CS, WAIT_CS_BEFORE, WAIT_LIMIT_CS

WAIT_OVER_THRESHOLD = FindingRule(
    key="WAIT_OVER_THRESHOLD",
    title="Average waits are over their limits",
    subject="waits",
    classification=Classification.PERFORMANCE,
    inputs=(WAIT_CS, WAIT_LIMIT_CS),
    condition=lambda inputs: inputs.wait_avg_cs > inputs.threshold_cs,
    fires_when="average wait > its limit",
    meaning="The event is slower than agreed.",
    actions=("Compare with 7, 30 and 90 days before; then open the event.",),
    source="planning method",
)
WAIT_TREND = FindingRule(
    key="WAIT_TREND",
    title="Average waits became slower",
    subject="waits",
    classification=Classification.PERFORMANCE,
    weight=Weight.INFO,
    inputs=(WAIT_CS, WAIT_CS_BEFORE),
    condition=lambda inputs: (
        inputs.wait_avg_cs_90d > 0
        and inputs.wait_avg_cs >= 1.2 * inputs.wait_avg_cs_90d
        and inputs.wait_avg_cs >= 0.05
    ),
    fires_when="≥ 1.2 × that of 90 days before, and ≥ 0.05 cs",
    meaning="It takes at least a fifth longer than 90 days before.",
    actions=("Hold it against the growth of work and the dates of changes.",),
    source="planning method",
)
