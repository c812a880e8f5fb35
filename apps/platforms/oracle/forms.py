"""Where an instance is, as people type it when they register it or give it another address."""

from typing import Any, ClassVar

from django import forms

from apps.inventory.models import Target
from apps.platforms.forms import (
    NOT_OF_ADDRESS,
    OF_ADDRESS,
    Groups,
    NewTargetForm,
    StoredSecrets,
    password_field,
)
from apps.platforms.oracle.address import TIMES_LOGINS, wrong_with

MORE_WAYS = (
    "More ways to connect",
    ("sid", "descriptor", "protocol", "wallet", "wallet_password", "server_dn", TIMES_LOGINS),
)


class InstanceForm(NewTargetForm):
    """An Oracle instance to be registered: host, port and service or SID, or a whole connect descriptor."""

    groups: ClassVar[Groups] = (
        ("Connection", ("name", "host", "port", "service", "username", "password")),
        MORE_WAYS,
        ("Whose it is", ("group_name", "environment", "owner", "time_zone")),
    )
    folded_group = (MORE_WAYS[0], "SID, connect descriptor, TCPS with a wallet")
    expected = ("host", "service")

    name = forms.CharField(max_length=80, help_text="What people call it; it stands on every page.")
    host = forms.CharField(max_length=255, required=False, help_text="Name or address of the database host.")
    port = forms.IntegerField(
        initial=1521,
        required=False,
        min_value=1,
        max_value=65535,
        help_text="The listener's port, usually 1521; 2484 where it is encrypted.",
    )
    service = forms.CharField(max_length=255, required=False, help_text="Service name, as clients give it.")
    sid = forms.CharField(
        label="SID", max_length=64, required=False, help_text="In place of the service, where there is none."
    )
    descriptor = forms.CharField(
        label="connect descriptor",
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="In place of host, port and service: (DESCRIPTION=…) as in tnsnames.ora.",
    )
    protocol = forms.ChoiceField(
        initial="tcp",
        required=False,
        choices=[("tcp", "TCP"), ("tcps", "TCPS, encrypted")],
        help_text="What the listener speaks.",
    )
    wallet = forms.CharField(
        label="wallet directory",
        required=False,
        max_length=400,
        help_text="Of an encrypted connection: the directory with ewallet.pem on the machine Headroom runs on.",
    )
    wallet_password = password_field(
        "Where the wallet has one. Kept encrypted, never shown again.", required=False
    )
    server_dn = forms.CharField(
        label="server's distinguished name",
        required=False,
        max_length=400,
        help_text="Where its certificate is made out to another name than the host.",
    )
    username = forms.CharField(
        label="user", max_length=128, help_text="An account that may read v$ views and nothing else."
    )
    password = password_field("Kept encrypted, never shown again.")

    times_logins = forms.BooleanField(
        label="time logins each night",
        required=False,
        help_text="Opens five sessions once a day and closes them at once, and keeps how long the middle one and the longest took.",
    )

    def clean_descriptor(self) -> str:
        return "".join(str(self.cleaned_data["descriptor"]).split())

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        for name, sentence in wrong_with(cleaned).items():
            self.add_error(name, sentence)
        if cleaned.get("descriptor") or "descriptor" in self.errors:
            return super().clean()
        if not cleaned.get("host") and "host" not in self.errors:
            self.add_error("host", "Give the host, or a whole connect descriptor.")
        if cleaned.get("service") and cleaned.get("sid"):
            self.add_error("sid", "Give a service or a SID, not both.")
        elif not cleaned.get("service") and not cleaned.get("sid") and "service" not in self.errors:
            self.add_error("service", "Give the service, or the SID where there is none.")
        return super().clean()

    @property
    def address(self) -> dict[str, Any]:
        fields = self.cleaned_data
        if fields["descriptor"]:
            address: dict[str, Any] = {"descriptor": fields["descriptor"]}
        else:
            last = "service" if fields["service"] else "sid"
            address = {"host": fields["host"], "port": fields["port"] or 1521, last: fields[last]}
            if fields["protocol"] == "tcps":
                address["protocol"] = "tcps"
        return address | {
            name: fields[name] for name in ("wallet", "server_dn", TIMES_LOGINS) if fields[name]
        }


class InstanceAddressForm(StoredSecrets, InstanceForm):
    """Another address for an instance that is registered; its account stays."""

    lead = "Its account and its history stay. If another database answers there, no difference is taken over the change."
    groups: ClassVar[Groups] = (
        ("Connection", ("host", "port", "service", "password", "standby_password")),
        MORE_WAYS,
    )
    password = password_field(OF_ADDRESS)
    standby_password = password_field(f"Of the account for a standby that is only mounted. {OF_ADDRESS}")
    wallet_password = password_field(f"Where the wallet has one. {OF_ADDRESS}")

    def __init__(self, *args: Any, target: Target, **kwargs: Any) -> None:
        kwargs["initial"] = dict(target.address)
        super().__init__(*args, target=target, **kwargs)
        for name in NOT_OF_ADDRESS:
            del self.fields[name]
        self.kept = {name: target.address[name] for name in ("instance",) if name in target.address}

    @property
    def address(self) -> dict[str, Any]:
        own = {} if self.cleaned_data["descriptor"] else self.kept
        return super().address | own
