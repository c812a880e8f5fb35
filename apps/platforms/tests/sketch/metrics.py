"""The statistics of a web server."""

from apps.catalog.metric import Display, Kind, Metric, Worse
from apps.catalog.section import Section

SERVER = 951  # the category of what it tells

METRICS = [
    Metric(
        key="sketch_connections",
        label="open connections",
        unit="connections",
        kind=Kind.GAUGE,
        source="/status",
        category=SERVER,
        worse=Worse.HIGHER,
        section=Section("Traffic"),
        display=Display(rows=1),
    )
]
