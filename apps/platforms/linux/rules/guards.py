"""What rules of hosts are never made of."""

from apps.advisors.engine.finding_rules import Guard

NO_IOWAIT_ALERT = Guard(
    key="NO_IOWAIT_ALERT",
    title="I/O wait",
    reason="It is idle time: 38 % stood on a healthy host.",
    metrics=frozenset({"host_cpu_iowait_pct"}),
)
NO_LOAD_AS_RUNQ = Guard(
    key="NO_LOAD_AS_RUNQ_ON_LINUX",
    title="load average as run queue",
    reason="Linux counts tasks that wait for a disk in it.",
    metrics=frozenset({"host_load1", "host_load5", "host_load15", "os_load"}),
)
