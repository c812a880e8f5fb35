"""Data and temp files."""

from apps.advisors.engine.finding_rules import Classification, FindingRule, RuleParameter
from apps.platforms.oracle.rules.inputs.space import FILE_IO, FILE_MAX_MS, FILE_MS

DATAFILE_SLOW = FindingRule(
    key="DATAFILE_SLOW",
    title="A file responds slowly",
    subject="storage",
    classification=Classification.PERFORMANCE,
    inputs=(FILE_MS, FILE_IO),
    parameters=(
        RuleParameter(key="limit", label="average response", default=20, least=0.1, most=10_000, unit="ms"),
        RuleParameter(key="min_io", label="I/O, at least", default=1000, least=1, most=1e9, unit="a day"),
    ),
    condition=lambda inputs: (
        inputs.datafile_avg_ms >= inputs.limit and inputs.datafile_io_day >= inputs.min_io
    ),
    critical=lambda inputs: inputs.datafile_avg_ms >= 40,
    fires_when="average of the day ≥ {limit}, I/O ≥ {min_io}; critical ≥ 40 ms",
    meaning="On average of the day a file that matters takes longer than it should.",
    actions=(
        "Compare with its device: a slow file on a quick device is queueing, a hot spot or the file system.",
        "Move or spread the file; of temp look at work areas first (PGA).",
    ),
    source="planning method",
)
DATAFILE_SPIKE = FindingRule(
    key="DATAFILE_SPIKE",
    title="A file has spikes",
    subject="storage",
    classification=Classification.PERFORMANCE,
    inputs=(FILE_MAX_MS, FILE_MS),
    condition=lambda inputs: (
        inputs.datafile_max_ms >= 50 and inputs.datafile_max_ms >= 2 * inputs.datafile_avg_ms
    ),
    fires_when="longest read of the day ≥ 50 ms and ≥ 2 × average",
    meaning="The average of the day hides moments that were far slower.",
    actions=("Look for the hour: backups, batch work, others on the same array.",),
    source="planning method",
    closes_after=7,
)
