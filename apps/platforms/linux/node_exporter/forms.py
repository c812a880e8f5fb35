"""Where the page of a node_exporter is, as people type it when they register its host or give it another address."""

from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError

from apps.inventory.models import Target
from apps.platforms.forms import (
    NOT_OF_ADDRESS,
    OF_ADDRESS,
    Groups,
    StoredSecrets,
    password_field,
)
from apps.platforms.linux.forms import NamedHostForm
from apps.platforms.linux.node_exporter.endpoint import PATH, PORT, wrong_certificate, wrong_path

ACCESS = "HTTPS and password"


class NodeExporterForm(NamedHostForm):
    """A Linux host that is read from the page of its node_exporter."""

    groups: ClassVar[Groups] = (
        ("Connection", ("name", "host", "port", "path")),
        (ACCESS, ("protocol", "certificate", "username", "password")),
        ("Whose it is", ("group_name", "environment", "owner", "time_zone")),
    )
    folded_group = (ACCESS, "where its page is protected")

    port = forms.IntegerField(initial=PORT, min_value=1, max_value=65535)
    path = forms.CharField(
        initial=PATH,
        max_length=200,
        help_text="Of the page, as node_exporter has it (--web.telemetry-path).",
    )
    protocol = forms.ChoiceField(choices=(("http", "HTTP"), ("https", "HTTPS")), initial="http")
    certificate = forms.CharField(
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text="In PEM: of the authority that signed its certificate, or its own. Empty: those that this machine knows.",
    )
    username = forms.CharField(
        label="user", required=False, max_length=128, help_text="Of its web configuration, if it has one."
    )
    password = password_field("Kept encrypted, never shown again.", required=False)

    def clean_path(self) -> str:
        path = str(self.cleaned_data["path"])
        if wrong := wrong_path(path):
            raise ValidationError(wrong)
        return path

    def clean_certificate(self) -> str:
        certificate = str(self.cleaned_data["certificate"]).strip()
        if wrong := wrong_certificate(certificate):
            raise ValidationError(wrong)
        return certificate

    def clean_username(self) -> str:
        user = str(self.cleaned_data["username"])
        if ":" in user:
            raise ValidationError(
                "A user has no colon in its name: nobody could tell where the password begins."
            )
        return user

    def clean(self) -> dict[str, Any]:
        fields = self.cleaned_data
        is_plain = fields.get("protocol") == "http"
        if is_plain and fields.get("certificate"):
            self.add_error("protocol", "A certificate is looked at over HTTPS alone; choose it.")
        if is_plain and self.user:
            self.add_error("protocol", "A password is sent over HTTPS alone; choose it.")
        if fields.get("password") and not self.user:
            self.add_error("username", "Give the user whose password it is.")
        if self.is_password_needed and not self.errors and not self.secrets.get("password"):
            self.add_error("password", ValidationError("", code="required"))
        return super().clean()

    @property
    def user(self) -> str:
        return str(self.cleaned_data.get("username") or "")

    @property
    def is_password_needed(self) -> bool:
        return bool(self.user)

    @property
    def account(self) -> str:
        return self.user

    @property
    def address(self) -> dict[str, Any]:
        fields = self.cleaned_data
        names = ("host", "port", "path", "protocol", "certificate")
        return {name: fields[name] for name in names} | {"user": self.user}


class NodeExporterAddressForm(StoredSecrets, NodeExporterForm):
    """Another address for a host that is registered; its account stays, and one without an account may get one."""

    groups: ClassVar[Groups] = (
        ("Connection", ("host", "port", "path", "protocol", "certificate", "username", "password")),
    )
    folded_group = ("", "")

    password = password_field(OF_ADDRESS)

    def __init__(self, *args: Any, target: Target, **kwargs: Any) -> None:
        kwargs["initial"] = dict(target.address)
        super().__init__(*args, target=target, **kwargs)
        for name in NOT_OF_ADDRESS:
            if name != "username" or not self.is_account_typed:
                self.fields.pop(name, None)

    @property
    def is_account_typed(self) -> bool:
        return not super().account

    @property
    def account(self) -> str:
        return super().account or self._typed_user

    @property
    def user(self) -> str:
        return self.account

    @property
    def _typed_user(self) -> str:
        return str(
            getattr(self, "cleaned_data", {}).get("username") or ""
        )  # asked before anything is clean, too

    @property
    def is_password_needed(self) -> bool:
        """Of one that has an account already, what is stored for this address will do."""
        return self.is_account_typed and bool(self.user)
