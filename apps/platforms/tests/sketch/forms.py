"""Where a web server is, as people type it."""

from typing import Any, ClassVar

from django import forms

from apps.inventory.models import validate_time_zone
from apps.platforms.forms import NOT_OF_ADDRESS, Groups, SecretForm, StoredSecrets, free_name


class ServerForm(SecretForm):
    """A web server to be registered; it asks for no account."""

    groups: ClassVar[Groups] = (("Where it answers", ("name", "host", "port")), ("When", ("time_zone",)))

    name = forms.CharField(max_length=80)
    host = forms.CharField(help_text="The name that browsers use.")
    port = forms.IntegerField(initial=8443, min_value=1, max_value=65535)
    time_zone = forms.CharField(initial="UTC", validators=[validate_time_zone])

    def clean_name(self) -> str:
        return free_name(self.cleaned_data["name"])

    @property
    def address(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("host", "port")}

    @property
    def account(self) -> str:
        return ""

    @property
    def is_password_needed(self) -> bool:
        return False


class ServerAddressForm(StoredSecrets, ServerForm):
    """Another address for a web server that is registered."""

    password = forms.CharField(required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = dict(kwargs["target"].address)
        super().__init__(*args, **kwargs)
        for name in NOT_OF_ADDRESS:
            self.fields.pop(name, None)
