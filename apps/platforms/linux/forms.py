"""Where a host is and who reads it, as people type it when they register it or give it another address."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import PurePath
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError

from apps.inventory.host_names import host_and_port, wrong_host
from apps.inventory.models import Credential, Target
from apps.inventory.secrets import UnreadableSecret
from apps.platforms.forms import (
    NOT_OF_ADDRESS,
    OF_ADDRESS,
    Groups,
    NewTargetForm,
    StoredSecrets,
    password_field,
)
from apps.platforms.linux.keys import fingerprint_of, key_line

WHO_IT_IS = "Who it is"
HOST_KEY = (WHO_IT_IS, ("host_key", "is_compared"))
WHAT_IS_READ = ("What is read", ("processes",))


class NamedHostForm(NewTargetForm):
    """A host that answers at an address."""

    name = forms.CharField(max_length=80, help_text="What people call it; it stands on every page.")
    host = forms.CharField(max_length=255, help_text="Name or address.")

    def clean_host(self) -> str:
        host = str(self.cleaned_data["host"])
        if wrong := wrong_host(host):
            raise ValidationError(wrong)
        return host


class HostForm(NamedHostForm):
    """A Linux host to be read over SSH."""

    groups: ClassVar[Groups] = (
        ("Connection", ("name", "host", "port", "username", "key", "password")),
        HOST_KEY,
        WHAT_IS_READ,
        ("Whose it is", ("group_name", "environment", "owner", "time_zone")),
    )
    late_group = WHO_IT_IS

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

    processes = forms.BooleanField(
        required=False,
        help_text="Who uses the processors: CPU and switches by name of the program and by account, never what follows the name.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.has_fetched:
            field = self.fields["is_compared"]
            field.widget = forms.CheckboxInput()
            field.label = f"The host itself says {fingerprint_of(self.data['fetched'])}"

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

    @property
    def fetched(self) -> dict[str, Any] | None:
        """What was typed, with the host key that a test was presented in its box, not compared yet."""
        test = self.test
        if not (test and self.is_testing and test.host_key):
            return None
        if self.data.get("host_key") or test.address.get("host_key"):
            return None
        fields = {name: value for name, value in self.data.items() if name != "is_compared"}
        return fields | {"host_key": test.host_key, "fetched": test.host_key}

    @property
    def user(self) -> str:
        return str(self.cleaned_data["username"])

    @property
    def address(self) -> dict[str, Any]:
        fields = self.cleaned_data
        return {
            "host": fields["host"], "port": fields["port"], "user": self.user, "key_file": fields["key"],
            "host_key": fields.get("host_key", ""),
        } | ({"processes": True} if fields["processes"] else {})  # fmt: skip


class FilesHostForm(NewTargetForm):
    """A host that is read from files alone: it has no address and no account."""

    groups: ClassVar[Groups] = (
        ("Host", ("name", "time_zone")),
        ("Whose it is", ("group_name", "environment", "owner")),
    )

    name = forms.CharField(
        max_length=80, help_text="Best the name in its files: a file of another host is asked about."
    )

    @property
    def is_password_needed(self) -> bool:
        return False

    @property
    def account(self) -> str:
        return ""

    @property
    def address(self) -> dict[str, Any]:
        return {}


class HostAddressForm(StoredSecrets, HostForm):
    """Another address, host key or private key for a host that is registered; its account stays."""

    groups: ClassVar[Groups] = (
        ("Connection", ("host", "port", "key", "password")),
        HOST_KEY,
        WHAT_IS_READ,
    )

    password = password_field(f"Of the account, or of the private key. {OF_ADDRESS}")

    def __init__(self, *args: Any, target: Target, **kwargs: Any) -> None:
        address = dict(target.address)
        kwargs["initial"] = address | {"key": address.get("key_file", "")}
        self.known_user = str(address.get("user", ""))
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


def address_in_words(address: Mapping[str, Any]) -> str:
    """Where an address leads, with the fingerprint of its host key and the private key that is used."""
    words = host_and_port(address)
    if key := address.get("host_key"):
        words += f", host key {fingerprint_of(str(key))}"
    if path := address.get("key_file"):
        words += f", private key {path}"
    if address.get("processes"):
        words += ", with processes"
    return words
