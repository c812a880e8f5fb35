"""Tablespaces and the recovery area."""

from apps.advisors.engine.finding_rules import Classification, FindingRule
from apps.platforms.oracle.rules.inputs.space import RECOVERY_PCT, SPACE_DAYS, SPACE_GROWTH, SPACE_PCT

TS_PCT = FindingRule(
    key="TS_PCT",
    title="A tablespace is nearly full",
    subject="space",
    classification=Classification.CAPACITY,
    inputs=(SPACE_PCT,),
    condition=lambda inputs: inputs.ts_used_pct_max >= 85,
    critical=lambda inputs: inputs.ts_used_pct_max >= 97,
    fires_when="used ≥ 85 % of its maximum; critical ≥ 97 %",
    meaning="Measured against what its files may grow to.",
    actions=("Add a data file, raise the maximum of the files, or clean up.",),
    source="planning method",
    is_of_database=True,
)
TS_FILLING = FindingRule(
    key="TS_FILLING",
    title="A tablespace will be full soon",
    subject="space",
    classification=Classification.CAPACITY,
    inputs=(SPACE_GROWTH, SPACE_DAYS),
    condition=lambda inputs: inputs.ts_growth_mb_day > 0 and inputs.ts_days_to_full <= 90,
    critical=lambda inputs: inputs.ts_days_to_full <= 30,
    fires_when="it grows, full within 90 days; critical within 30",
    meaning="At the pace of the last 30 days it reaches its maximum before new storage would be there.",
    actions=(
        "Order storage or plan the clean-up now.",
        "Look first whether a single load made it grow.",
    ),
    source="planning method",
    is_of_database=True,
)
FRA_FULL = FindingRule(
    key="FRA_FULL",
    title="The recovery area is nearly full",
    subject="space",
    classification=Classification.CAPACITY,
    inputs=(RECOVERY_PCT,),
    condition=lambda inputs: inputs.fra_used_pct >= 85,
    critical=lambda inputs: inputs.fra_used_pct >= 97,
    fires_when="used ≥ 85 %; critical ≥ 97 %",
    meaning="The database stops when a log cannot be archived.",
    actions=("Back up archived logs and delete them, raise the quota, look for guaranteed restore points.",),
    source="usual practice",
    is_of_database=True,
)
