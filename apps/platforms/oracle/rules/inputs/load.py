"""Signing in, sessions and CPU."""

from apps.advisors.engine.rule_inputs import FigureInput
from apps.platforms.oracle.rules.inputs.sources import of_host

RELEASE = FigureInput(key="oracle_version_num", label="release", metric="oracle_version_num")
LOGIN_MS = FigureInput(
    key="login_time_ms",
    label="time to sign in",
    unit="ms",
    metric="login_time_ms",
    needs="The time to sign in is measured with each reading of the instance.",
)
SESSIONS = FigureInput(
    key="sessions_max", label="sessions, most since start-up", unit="sessions", metric="sessions_max"
)
CORES = FigureInput(key="cpu_cores", label="CPU cores", unit="cores", metric="cpu_cores")
LOGONS = FigureInput(key="logons_per_s", label="logons", unit="per second", metric="logons_per_s")
PROCESSES_PCT = FigureInput(
    key="processes_pct", label="processes of their limit", unit="%", metric="processes_pct"
)
ACTIVE = FigureInput(key="aas", label="average active sessions", unit="sessions", metric="aas")
LGWR_PCT = of_host(
    key="host_lgwr_icsw_pct",
    label="involuntary switches of the log writer",
    unit="%",
    metric="host_lgwr_icsw_pct",
    needs="Let the host be read over SSH, by an account that /proc shows all processes: no file of sar has them.",
)
RUN_QUEUE = of_host(key="host_runq", label="run queue", unit="threads", metric="host_runq")
