"""How much of the processors the instance uses."""

from apps.catalog.metric import Worse
from apps.platforms.oracle.categories import DERIVED, TIME_MODEL
from apps.platforms.oracle.metrics.workload.sources import derived, osstat

CPU_CORES = osstat(
    key="cpu_cores",
    role="cores",
    name="NUM_CPU_CORES",
    label="CPU cores",
    unit="cores",
    help="Physical cores that the instance sees. Where the platform does not tell, its CPUs are taken.",
)

METRICS = [
    derived(
        key="aas",
        reductions=("p95", "max", "busy"),
        label="average active sessions",
        category=TIME_MODEL,
        unit="sessions",
        worse=Worse.HIGHER,
        formula=lambda w: w.delta("tm_db_time") / 1e6 / w.seconds,
        help="DB time over the time that passed: how many sessions were working or waiting at any moment. Steadily"
        " above the number of cores means a queue.",
    ),
    derived(
        key="cpus_at_work",
        label="CPUs at work for the instance",
        category=TIME_MODEL,
        unit="cpus",
        worse=Worse.HIGHER,
        formula=lambda w: (w.delta("tm_db_cpu") + w.delta("tm_background_cpu")) / 1e6 / w.seconds,
        help="CPU of this instance, foreground and background, over the time that passed: how many processors it kept"
        " busy. Of all instances on a host it adds up to what they take of it.",
    ),
    derived(
        key="db_cpu_share",
        label="CPU share of DB time",
        category=TIME_MODEL,
        unit="%",
        formula=lambda w: 100 * w.delta("tm_db_cpu") / w.delta("tm_db_time"),
        help="How much of DB time was work. The rest was spent waiting, or ready to run with no CPU free.",
    ),
    derived(
        key="db_cpu_per_core",
        reductions=("p95", "max", "busy"),
        label="database CPU of the host",
        category=DERIVED,
        unit="% of cores",
        worse=Worse.HIGHER,
        formula=lambda w: (
            100
            * (w.delta("tm_db_cpu") + w.delta("tm_background_cpu"))
            / 1e6
            / (w.seconds * w.level("cpu_cores"))
        ),
        help="CPU of this instance, foreground and background, against all cores of its host. An average day of 60 %"
        " leaves little for the busy hours.",
    ),
    CPU_CORES,
]
