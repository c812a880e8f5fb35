"""How people register an instance."""

from apps.inventory.models import Credential, Target
from apps.platforms.registration import AccountUses, Registration

REGISTRATION = Registration(
    key="instance",
    thing="an Oracle instance",
    lead="Headroom reads v$ views that need no licence; it writes nothing.",
    platform="oracle",
    kind=Target.Kind.INSTANCE,
    collector="oracle",
    form="apps.platforms.oracle.forms.InstanceForm",
    address_form="apps.platforms.oracle.forms.InstanceAddressForm",
    address_words="apps.platforms.oracle.address.address_in_words",
    account_uses=AccountUses(
        choices=[
            (Credential.Use.COLLECT, "to read it"),
            (Credential.Use.STANDBY, "while it is a standby that is only mounted"),
        ],
        help_text="A standby that is not open lets in accounts with SYSDG alone: give it such a one besides.",
    ),
)
