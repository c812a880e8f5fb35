"""What statements do to the instance."""

from apps.advisors.engine.finding_rules import Classification, FindingRule
from apps.platforms.oracle.rules.inputs.work import CONTINUED_PCT, DEADLOCK_COUNT, HARD_PARSE_PCT, HARD_PARSES

HARD_PARSE = FindingRule(
    key="HARD_PARSE",
    title="A storm of hard parses",
    subject="SQL",
    classification=Classification.PERFORMANCE,
    inputs=(HARD_PARSES, HARD_PARSE_PCT),
    condition=lambda inputs: inputs.hard_parses_per_s >= 20 and inputs.hard_parse_ratio >= 10,
    critical=lambda inputs: inputs.hard_parses_per_s >= 100,
    fires_when="hard parses ≥ 20 per second and ≥ 10 % of all; critical ≥ 100 per second",
    meaning="Statements are optimised again and again: literals in place of binds, a shared pool that is too small, or jobs"
    " that gather statistics.",
    actions=("Bind variables; cursor_sharing=FORCE until then; the shared pool.",),
    source="usual practice",
)
DEADLOCKS = FindingRule(
    key="DEADLOCKS",
    title="There are deadlocks",
    subject="SQL",
    classification=Classification.PERFORMANCE,
    inputs=(DEADLOCK_COUNT,),
    condition=lambda inputs: inputs.enq_deadlocks_day > 0,
    fires_when="deadlocks > 0 a day",
    meaning="Transactions wait for each other, and one of them loses its statement.",
    actions=("The trace files name the statements.",),
    source="usual practice",
)
CHAINED_ROWS = FindingRule(
    key="CHAINED_ROWS",
    title="Many rows are chained or migrated",
    subject="SQL",
    classification=Classification.PERFORMANCE,
    inputs=(CONTINUED_PCT,),
    condition=lambda inputs: inputs.continued_row_pct >= 1,
    fires_when="continued rows ≥ 1 %",
    meaning="Reading such a row takes a second block.",
    actions=("Reorganise the tables; look at PCTFREE and the block size.",),
    source="usual practice",
)
