"""A web server, as the core and the pages see it."""

from apps.platforms.platform import Platform
from apps.platforms.tests.sketch.metrics import METRICS
from apps.platforms.tests.sketch.registration import REGISTRATION

PLATFORM = Platform(
    key="sketch",
    label="Web server",
    metrics=METRICS,
    collectors={"sketch": "apps.platforms.tests.sketch.collector.ServerCollector"},
    testers={"sketch": "apps.platforms.tests.sketch.collector.test_account"},
    registrations=[REGISTRATION],
)
