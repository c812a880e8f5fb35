"""CPU: what it may be spent on, and who waits for it."""

from apps.advisors.engine.finding_rules import Classification, FindingRule, RuleParameter
from apps.advisors.engine.rules import Advice, Observation, rule
from apps.platforms.oracle.rules.inputs.load import ACTIVE, CORES, LGWR_PCT, RUN_QUEUE
from apps.platforms.oracle.subjects import FAULTS

AAS_OVER_CORES = FindingRule(
    key="AAS_OVER_CORES",
    title="More active sessions than cores",
    subject="CPU",
    classification=Classification.CAPACITY,
    inputs=(ACTIVE, CORES),
    parameters=(
        RuleParameter(
            key="limit", label="active sessions of each core", default=1, least=0.1, most=100, unit="sessions"
        ),
    ),
    condition=lambda inputs: inputs.cpu_cores > 0 and inputs.aas > inputs.limit * inputs.cpu_cores,
    critical=lambda inputs: inputs.aas >= 2 * inputs.cpu_cores,
    fires_when="active sessions per core > {limit}; critical ≥ 2",
    meaning="On average more sessions want to work than there are cores.",
    actions=(
        "Look at the CPU share of DB time: sessions on CPU need cores or better SQL, waiting ones the largest wait solved.",
        "Look at the busy hour; the mean of a day hides it.",
    ),
    source="login storm",
)
LGWR_PREEMPTED = FindingRule(
    key="LGWR_PREEMPTED",
    title="The log writer loses its CPU",
    subject="CPU",
    classification=Classification.PERFORMANCE,
    inputs=(LGWR_PCT,),
    optional_inputs=(RUN_QUEUE,),
    condition=lambda inputs: inputs.host_lgwr_icsw_pct >= 5,
    critical=lambda inputs: inputs.host_lgwr_icsw_pct >= 20,
    fires_when="involuntary switches of the log writer ≥ 5 %; critical ≥ 20 %",
    meaning="It is put aside before it has finished, although the host may look idle.",
    actions=(
        "Linux: leave its priority as it is delivered, and look at CPU limits of control groups and _high_priority_processes.",
        "Solaris: a fixed-priority class, a longer time slice, or a processor set.",
    ),
    source="planning method",
)


@rule("cpu_time")
def misses_of_the_address_translation(observation: Observation) -> Advice | None:
    """CPU is what most time goes to while page faults rise: small pages may make the processor look up addresses."""
    if not (observation.is_rising(FAULTS) and observation.is_largest):
        return None
    return Advice(
        because="CPU is what most time goes to, and page faults rise",
        action="look whether the CPU is spent on misses of the address translation (TLB), by page size;"
        " huge pages for the SGA are the usual cure",
    )
