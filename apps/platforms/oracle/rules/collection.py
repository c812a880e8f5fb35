"""The readings themselves."""

from apps.advisors.engine.finding_rules import Classification, FindingRule, Weight
from apps.platforms.oracle.rules.inputs.facts import TIMED_STATISTICS
from apps.platforms.oracle.rules.inputs.waits import FALLEN, RESTARTS

DQ_RESTART = FindingRule(
    key="DQ_RESTART",
    title="The instance was restarted",
    subject="collection",
    classification=Classification.DATA_QUALITY,
    weight=Weight.INFO,
    inputs=(RESTARTS,),
    condition=lambda inputs: bool(inputs.startup_time_changed),
    fires_when="start-up differs between two readings",
    meaning="All counters began anew: the day is measured from the restart on.",
    actions=("Nothing, where the restart was planned. The day's figures are marked so.",),
    source="usual practice",
    closes_after=1,
)
DQ_TIMED_OFF = FindingRule(
    key="DQ_TIMED_OFF",
    title="timed_statistics is off",
    subject="collection",
    classification=Classification.DATA_QUALITY,
    inputs=(TIMED_STATISTICS,),
    condition=lambda inputs: not inputs.cfg_timed_statistics,
    fires_when="timed_statistics=FALSE",
    meaning="Every time that Oracle counts is 0.",
    actions=("Set timed_statistics=TRUE.",),
    source="usual practice",
)
DQ_NEGATIVE = FindingRule(
    key="DQ_NEGATIVE",
    title="A counter went backwards without a restart",
    subject="collection",
    classification=Classification.DATA_QUALITY,
    weight=Weight.INFO,
    inputs=(FALLEN, RESTARTS),
    condition=lambda inputs: bool(inputs.negative_delta and not inputs.startup_time_changed),
    fires_when="a counter fell, no restart",
    meaning="A file was dropped, a pluggable database was reopened, or a counter wrapped. Its figure of the day was left out.",
    actions=("Nothing; dismiss it where the cause is known.",),
    source="usual practice",
    closes_after=1,
)
