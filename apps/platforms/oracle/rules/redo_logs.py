"""Redo: the size and number of log files, and how much is written."""

from apps.advisors.engine.finding_rules import Classification, FindingRule, RuleParameter, Weight
from apps.platforms.oracle.rules.inputs.redo import (
    CHECKPOINT_WAITS,
    FILL_S,
    GROUPS,
    REDO_GB,
    SPACE_REQUESTS,
    SWITCHES,
)

REDO_SPACE_REQ = FindingRule(
    key="REDO_SPACE_REQ",
    title="Sessions wait for room in a log file",
    subject="redo",
    classification=Classification.CAPACITY,
    inputs=(SPACE_REQUESTS,),
    condition=lambda inputs: inputs.redo_space_requests_per_s >= 0.1,
    fires_when="log space requests ≥ 0.1 per second",
    meaning="The log is full, and the next one is not ready.",
    actions=("Larger and more log groups.", "Look at waits for checkpoints and for archiving."),
    source="planning method",
)
CKPT_INCOMPLETE = FindingRule(
    key="CKPT_INCOMPLETE",
    title="A log switch waits for a checkpoint",
    subject="redo",
    classification=Classification.CAPACITY,
    inputs=(CHECKPOINT_WAITS,),
    condition=lambda inputs: inputs.wait_log_file_switch_ckpt_per_s > 0.01,
    fires_when="log file switch (checkpoint incomplete) > 0.01 per second",
    meaning="The logs come round before the database writer has finished the checkpoint.",
    actions=("More or larger groups.", "Quicker writes of data files; fast_start_mttr_target."),
    source="planning method",
)
LOG_SWITCH_RATE = FindingRule(
    key="LOG_SWITCH_RATE",
    title="Logs are switched too often",
    subject="redo",
    classification=Classification.CAPACITY,
    inputs=(SWITCHES,),
    condition=lambda inputs: inputs.log_switches_peak_hour >= 20,
    critical=lambda inputs: inputs.log_switches_peak_hour >= 40,
    fires_when="switches in the busiest hour ≥ 20; critical ≥ 40",
    meaning="No redo is made during a switch, and the archiver has no rest.",
    actions=(
        "Size the members for the busiest hour: 8 GB served where 500 MB had switched each minute.",
        "Look first at archive_lag_target and at scripts that switch logs.",
    ),
    source="planning method",
)
LOG_TOO_SMALL = FindingRule(
    key="LOG_TOO_SMALL",
    title="A log fills within minutes",
    subject="redo",
    classification=Classification.CAPACITY,
    inputs=(FILL_S,),
    condition=lambda inputs: inputs.redo_log_fill_s <= 180,
    fires_when="time to fill a log at peak ≤ 180 s",
    meaning="The size of a member against the rate of redo at its peak.",
    actions=("Size = rate at peak × 20 minutes, rounded up.",),
    source="planning method",
)
REDO_GROUPS = FindingRule(
    key="REDO_GROUPS",
    title="There are few log groups",
    subject="redo",
    classification=Classification.CAPACITY,
    weight=Weight.INFO,
    inputs=(GROUPS,),
    condition=lambda inputs: inputs.redo_log_groups < 4,
    fires_when="groups < 4",
    meaning="With three groups a single slow checkpoint, or a slow archiver, stops the database.",
    actions=("Four groups or more for each thread.",),
    source="planning method",
)
REDO_VOLUME = FindingRule(
    key="REDO_VOLUME",
    title="More redo than agreed",
    subject="redo",
    classification=Classification.CAPACITY,
    inputs=(REDO_GB,),
    parameters=(
        RuleParameter(key="redo_limit", label="redo of a day", default=50, least=0.1, most=1e6, unit="GB"),
    ),
    condition=lambda inputs: inputs.redo_gb_per_day > inputs.redo_limit,
    fires_when="redo of a day > {redo_limit}",
    meaning="Logs, archive and standby were agreed for less.",
    actions=(
        "Look again at the size of logs and log buffer, room for archived logs, and the bandwidth to backup and standby.",
    ),
    source="planning method",
)
