"""Signing in: how long it takes, how often it happens, how many sessions there may be."""

from apps.advisors.engine.finding_rules import Classification, FindingRule, RuleParameter
from apps.platforms.oracle.rules.inputs.facts import PRE_PAGE_SGA
from apps.platforms.oracle.rules.inputs.load import CORES, LOGIN_MS, LOGONS, PROCESSES_PCT, RELEASE, SESSIONS

_SLOW = RuleParameter(key="slow_ms", label="time to sign in", default=1000, least=1, most=600_000, unit="ms")

PREPAGE_LOGIN = FindingRule(
    key="PREPAGE_LOGIN",
    title="pre_page_sga slows each login",
    subject="login",
    classification=Classification.PERFORMANCE,
    inputs=(RELEASE, PRE_PAGE_SGA, LOGIN_MS),
    parameters=(_SLOW,),
    condition=lambda inputs: bool(
        inputs.oracle_version_num < 12.1
        and inputs.cfg_pre_page_sga
        and inputs.login_time_ms >= inputs.slow_ms
    ),
    fires_when="release before 12c, pre_page_sga=TRUE, time to sign in ≥ {slow_ms}",
    meaning="Before 12.1 a new server process touches every page of the SGA before it serves, and there are most of them where"
    " pages are small. From 12.1 on one background process does it once.",
    actions=(
        "Set pre_page_sga=FALSE and restart, or use huge pages: 512 times fewer pages.",
        "Keep connections in a pool.",
    ),
    source="huge pages",
)
LOGIN_SLOW = FindingRule(
    key="LOGIN_SLOW",
    title="New connections are slow",
    subject="login",
    classification=Classification.PERFORMANCE,
    inputs=(LOGIN_MS,),
    parameters=(_SLOW,),
    condition=lambda inputs: inputs.login_time_ms >= inputs.slow_ms,
    critical=lambda inputs: inputs.login_time_ms >= 5000,
    fires_when="time to sign in ≥ {slow_ms}; critical ≥ 5,000 ms",
    meaning="Signing in should take much less than half a second. Slow logins make a storm of each restart of an application.",
    actions=(
        "Look first at the release and pre_page_sga (PREPAGE_LOGIN): before 12.1 it makes logins slow whatever the size of pages is.",
        "Then at HP_MISSING, CPU_BOTTLENECK, the listener's queue, names and addresses, logon triggers.",
        "Compare with the server's time per logon: where that is short, process start or network take the rest.",
    ),
    source="huge pages",
)
LOGIN_STORM = FindingRule(
    key="LOGIN_STORM",
    title="More sessions than the server could serve at once",
    subject="login",
    classification=Classification.CAPACITY,
    inputs=(SESSIONS, CORES),
    parameters=(
        RuleParameter(
            key="per_core", label="sessions of each core", default=50, least=1, most=10_000, unit="sessions"
        ),
    ),
    condition=lambda inputs: (
        inputs.cpu_cores > 0 and inputs.sessions_max >= inputs.per_core * inputs.cpu_cores
    ),
    critical=lambda inputs: inputs.sessions_max >= 100 * inputs.cpu_cores,
    fires_when="sessions per core ≥ {per_core}; critical ≥ 100",
    meaning="So many connections exist that the server breaks down when all of them work, or sign in, at the same time.",
    actions=(
        "Make the pools of the applications smaller: a few sessions for each core.",
        "Funnel the rest through shared servers or DRCP.",
        "Start application servers one after another; set RATE_LIMIT at the listener.",
        "Quicker logins (huge pages) take the pain away and leave the cause: the size of the pools.",
    ),
    source="login storm",
)
LOGON_RATE = FindingRule(
    key="LOGON_RATE",
    title="Connections are opened too often",
    subject="login",
    classification=Classification.PERFORMANCE,
    inputs=(LOGONS,),
    condition=lambda inputs: inputs.logons_per_s >= 1,
    critical=lambda inputs: inputs.logons_per_s >= 5,
    fires_when="logons ≥ 1 per second; critical ≥ 5",
    meaning="There is no pool of connections, or one that shrinks and grows.",
    actions=("Pools whose least and most number of connections are the same.",),
    source="usual practice",
)
PROCESS_LIMIT = FindingRule(
    key="PROCESS_LIMIT",
    title="The limit of processes is close",
    subject="login",
    classification=Classification.CAPACITY,
    inputs=(PROCESSES_PCT,),
    condition=lambda inputs: inputs.processes_pct >= 80,
    critical=lambda inputs: inputs.processes_pct >= 95,
    fires_when="processes ≥ 80 % of their limit; critical ≥ 95 %",
    meaning="The next storm of logins ends in ORA-00020.",
    actions=("Raise processes, or make the pools smaller.",),
    source="usual practice",
)
