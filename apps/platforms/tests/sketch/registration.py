"""How people register a web server."""

from apps.inventory.models import Target
from apps.platforms.registration import Registration

REGISTRATION = Registration(
    key="web-server",
    thing="a web server",
    lead="Headroom reads its status page.",
    platform="sketch",
    kind=Target.Kind.HOST,
    collector="sketch",
    form="apps.platforms.tests.sketch.forms.ServerForm",
    address_form="apps.platforms.tests.sketch.forms.ServerAddressForm",
    address_words="apps.platforms.tests.sketch.collector.address_in_words",
)
