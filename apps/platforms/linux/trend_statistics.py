"""What the long way of a CPU bottleneck follows over three months."""

from apps.catalog.trend_statistics import TrendStatistic
from apps.platforms.linux.metrics import NOT_MEASURED

TREND_STATISTICS = (
    TrendStatistic("host_runq:p95"),
    TrendStatistic("host_cpu_busy_pct"),
    TrendStatistic("host_ctxsw_per_s"),
    TrendStatistic("host_icsw_pct", "only this host and hosts over SSH count switches of each thread"),
    TrendStatistic("host_migrations_per_s", NOT_MEASURED["Thread migrations"]),
    TrendStatistic("host_interrupts_per_s"),
)
