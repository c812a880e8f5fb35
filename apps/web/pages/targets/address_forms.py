"""Where targets are, as people type it: an Oracle instance, a Linux host, and another address for one of them."""

from contextlib import suppress
from pathlib import PurePath
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from apps.inventory.models import Credential, Target, validate_time_zone
from apps.inventory.secrets import UnreadableSecret
from apps.platforms.linux.keys import fingerprint_of, key_line
from apps.platforms.oracle.address import wrong_host, wrong_with
from apps.web.pages.targets.forms import free_name
from apps.web.pages.targets.secret_forms import SecretForm, StoredSecrets, password_field


class InstanceForm(SecretForm):
    """An Oracle instance to be registered: host, port and service or SID, or a whole connect descriptor."""

    name = forms.CharField(max_length=80, help_text="How people call it, for example PAYPRD.")
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
        help_text="In place of all the above: (DESCRIPTION=…) as in tnsnames.ora.",
    )
    protocol = forms.ChoiceField(
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
    time_zone = forms.CharField(
        initial="UTC", validators=[validate_time_zone], help_text="Its days are calendar days of this zone."
    )
    group_name = forms.CharField(label="group", required=False, max_length=80)
    environment = forms.CharField(required=False, max_length=40, help_text="For example production.")

    def clean_name(self) -> str:
        return free_name(self.cleaned_data["name"])

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
        given = self.cleaned_data
        if given["descriptor"]:
            address: dict[str, Any] = {"descriptor": given["descriptor"]}
        else:
            last = "service" if given["service"] else "sid"
            address = {"host": given["host"], "port": given["port"] or 1521, last: given[last]}
            if given["protocol"] == "tcps":
                address["protocol"] = "tcps"
        return address | {name: given[name] for name in ("wallet", "server_dn") if given[name]}


class HostForm(SecretForm):
    """A Linux host to be read over SSH."""

    name = forms.CharField(max_length=80)
    host = forms.CharField(max_length=255, help_text="Name or address.")
    port = forms.IntegerField(initial=22, min_value=1, max_value=65535)
    username = forms.CharField(
        label="user", max_length=128, help_text="An ordinary account; it reads /proc and nothing else."
    )
    host_key = forms.CharField(
        label="host key",
        required=False,
        widget=forms.Textarea(attrs={"rows": 2, "spellcheck": "false"}),
        help_text="As known_hosts or ssh-keyscan have it. Test connection fetches it, for you to compare.",
    )
    is_compared = forms.BooleanField(required=False, widget=forms.HiddenInput)
    key = forms.CharField(
        label="private key file",
        required=False,
        max_length=400,
        help_text="Path on the machine Headroom runs on; or give a password.",
    )
    password = password_field(
        "Of the account, or of the private key. Kept encrypted, never shown again.", required=False
    )
    time_zone = forms.CharField(initial="UTC", validators=[validate_time_zone])

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.has_fetched:
            field = self.fields["is_compared"]
            field.widget = forms.CheckboxInput()
            field.label = f"The host itself says {fingerprint_of(self.data['fetched'])}"

    def clean_name(self) -> str:
        return free_name(self.cleaned_data["name"])

    def clean_host(self) -> str:
        host = str(self.cleaned_data["host"])
        if wrong := wrong_host(host):
            raise ValidationError(wrong)
        return host

    def clean_host_key(self) -> str:
        text = str(self.cleaned_data["host_key"])
        line = key_line(text)
        if text and not line:
            raise ValidationError(
                f"“{text[:40]}” is not a host key; give a line such as ssh-ed25519 AAAA…, or leave it empty and test."
            )
        return line

    def clean_key(self) -> str:
        path = str(self.cleaned_data["key"])
        if path and not PurePath(path).is_absolute():
            raise ValidationError(f"“{path}” is not a whole path; give one such as /etc/headroom/id_ed25519.")
        return path

    def clean(self) -> dict[str, Any]:
        cleaned = self.cleaned_data
        if not self.is_testing and "host_key" not in self.errors and not cleaned.get("host_key"):
            self.add_error(
                "host_key", "Nobody knows its host key yet; Test connection fetches it, for you to compare."
            )
        if not self.is_testing and self.has_fetched and not cleaned.get("is_compared"):
            self.add_error("is_compared", "Compare the fingerprint with the host's own, and say so here.")
        if not self.errors or set(self.errors) <= {"host_key"}:
            self._clean_proof()
        return super().clean()

    def _clean_proof(self) -> None:
        """A host is signed in to by a key or by a password."""
        if not self.cleaned_data.get("key") and not self.has_password:
            self.add_error("key", "Give the path of a private key, or a password below.")

    @property
    def has_password(self) -> bool:
        return bool(self.cleaned_data.get("password") or (self.test and self.secrets.get("password")))

    @property
    def is_password_needed(self) -> bool:
        return False  # a private key may have no passphrase

    @property
    def has_fetched(self) -> bool:
        """Whether the host key came over the network, so that a person has to compare it."""
        return (
            bool(self.data.get("fetched"))
            and key_line(str(self.data.get("host_key", ""))) == self.data["fetched"]
        )

    def with_fetched(self, key: str) -> dict[str, Any]:
        """What was typed, with a key that the host presented in its box, not compared yet."""
        given = {name: value for name, value in self.data.items() if name != "is_compared"}
        return given | {"host_key": key, "fetched": key}

    @property
    def user(self) -> str:
        return str(self.cleaned_data["username"])

    @property
    def address(self) -> dict[str, Any]:
        given = self.cleaned_data
        return {
            "host": given["host"], "port": given["port"], "user": self.user, "key_file": given["key"],
            "host_key": given.get("host_key", ""),
        }  # fmt: skip


# what is said once, when a target is registered, and is not part of its address
NOT_OF_ADDRESS = ("name", "username", "time_zone", "group_name", "environment")
OF_ADDRESS = "It is kept for one address: type it again where that changes."


class InstanceAddressForm(StoredSecrets, InstanceForm):
    """Another address for an instance that is registered; its account stays."""

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


class HostAddressForm(StoredSecrets, HostForm):
    """Another address, host key or private key for a host that is registered; its account stays."""

    password = password_field(f"Of the account, or of the private key. {OF_ADDRESS}")

    def __init__(self, *args: Any, target: Target, **kwargs: Any) -> None:
        known = dict(target.address)
        kwargs["initial"] = known | {"key": known.get("key_file", "")}
        self.known_user = str(known.get("user", ""))
        super().__init__(*args, target=target, **kwargs)
        for name in NOT_OF_ADDRESS:
            self.fields.pop(name, None)

    @property
    def user(self) -> str:
        return self.known_user

    @property
    def has_other_key(self) -> bool:
        """Whether another private key takes the place of what was stored; it may have no passphrase."""
        key = self.cleaned_data.get("key")
        return bool(key) and key != self.target.address.get("key_file")

    @property
    def secrets(self) -> dict[str, str]:
        return ({"password": ""} if self.has_other_key else {}) | super().secrets

    def clean_secrets(self) -> None:
        if self.address["host_key"]:  # without one nobody is signed in, and nothing is sent
            super().clean_secrets()

    def _clean_proof(self) -> None:
        """What is stored for this address will do; what is stored for another is asked for again."""
        ordinary = self.stored.get(Credential.Use.COLLECT)
        with suppress(UnreadableSecret):
            if ordinary is None or not ordinary.peek_at(self.address):
                super()._clean_proof()
