"""How people register a host."""

from apps.inventory.models import Target
from apps.platforms.registration import Registration, ThisMachine

REGISTRATION = Registration(
    key="host",
    thing="a Linux host",
    lead="Headroom reads /proc and sysstat over SSH, as an ordinary user.",
    platform="linux",
    kind=Target.Kind.HOST,
    collector="linux-ssh",
    form="apps.platforms.linux.forms.HostForm",
    address_form="apps.platforms.linux.forms.HostAddressForm",
    address_words="apps.platforms.linux.forms.address_in_words",
    interval_minutes=5,
    readings=2,
)

THIS_MACHINE = ThisMachine(
    platform="linux", collector="linux", interval_minutes=REGISTRATION.interval_minutes
)
