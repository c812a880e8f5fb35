"""
The forms in which people type where a target is; each technology has its own, made of these.

Passwords are never shown again, and go to no other address than the one they were typed for.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError

from apps.collection.connection import typed_passwords
from apps.collection.models import ConnectionTest
from apps.inventory.form_errors import OurVoice
from apps.inventory.models import Credential, Target, validate_time_zone
from apps.inventory.register import find_namesake
from apps.inventory.secrets import UnreadableSecret
from apps.people.models import User

NAMES = {  # of fields, by what the credential is used for
    Credential.Use.COLLECT: "password",
    Credential.Use.STANDBY: "standby_password",
    Credential.Use.WALLET: "wallet_password",
}
Groups = Sequence[tuple[str, Sequence[str]]]  # headings, and the fields below each

# what is said once, when a target is registered, and is not part of its address
NOT_OF_ADDRESS = ("name", "username", "time_zone", "group_name", "environment", "owner")
OF_ADDRESS = "It is kept for one address: type it again where that changes."
AS_TESTED = "As typed for the test, unless you type another."


def free_name(typed: object, besides: Target | None = None) -> str:
    """A name that no other target has, in whatever case. Raises ValidationError."""
    name = " ".join(str(typed).split())
    if namesake := find_namesake(name, besides):
        raise ValidationError(f"There is a target named {namesake} already; choose another name.")
    return name


def password_field(help_text: str, **more: Any) -> forms.CharField:
    """A box for a password, which is never sent back."""
    widget = forms.PasswordInput(render_value=False, attrs={"autocomplete": "new-password"})
    return forms.CharField(widget=widget, strip=False, help_text=help_text, **more)


class SecretForm(OurVoice, forms.Form):
    """
    A form with an address and passwords. What was typed for a test need not be typed again to save that very address.

    `test` is the test that the page made last, if any. `groups` are the headings of the page with the fields below them;
    `late_group` is the one whose content a test may bring, `folded_group` one that most do without, and what is in it.
    Fields that are `expected` are asked for unless another one takes their place.
    """

    groups: ClassVar[Groups] = ()
    late_group: ClassVar[str] = ""
    folded_group: ClassVar[tuple[str, str]] = ("", "")
    expected: ClassVar[Sequence[str]] = ()

    def __init__(self, *args: Any, test: ConnectionTest | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.test = test
        for name in typed_passwords(test, test.address, test.username) if test else ():
            if name in self.fields:
                self.fields[name].required = False
                self.fields[name].help_text = AS_TESTED

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if not self.errors:
            self.clean_secrets()
        return cleaned

    def clean_secrets(self) -> None:
        """Ask for what was held for another address than this one."""
        if self.test and self.is_password_needed and not self.secrets.get("password"):
            self.add_error("password", ValidationError("", code="required"))

    @property
    def field_groups(self) -> list[tuple[str, list[forms.BoundField]]]:
        """The headings of the page with the boxes that stand below them; none without a box."""
        groups = [
            (heading, [self[name] for name in names if name in self.fields and not self[name].is_hidden])
            for heading, names in self.groups
        ]
        return [(heading, fields) for heading, fields in groups if fields]

    @property
    def is_unfolded(self) -> bool:
        """Whether something was typed below the folded heading, or is wrong there."""
        fields = dict(self.field_groups).get(self.folded_group[0], [])
        return any(field.errors or field.value() not in (None, "", field.field.initial) for field in fields)

    @property
    def fetched(self) -> dict[str, Any] | None:
        """What was typed, with what a test brought in the place of what nobody typed; None where it brought nothing."""
        return None

    @property
    def is_testing(self) -> bool:
        """Whether nothing is saved by what was pressed."""
        return "test" in self.data or "look" in self.data

    @property
    def is_password_needed(self) -> bool:
        return True

    @property
    @abstractmethod
    def address(self) -> dict[str, Any]:
        """Where it is, as the fields of its target; each technology says it."""

    @property
    def account(self) -> str:
        """The user that signs in."""
        return str(self.cleaned_data["username"])

    @property
    def secrets(self) -> dict[str, str]:
        """What was typed, now or for the test of this very address, by the names of fields."""
        typed = {name: self.cleaned_data[name] for name in NAMES.values() if self.cleaned_data.get(name)}
        return (typed_passwords(self.test, self.address, self.account) if self.test else {}) | typed


class NewTargetForm(SecretForm):
    """A target to be registered, with whose it is."""

    group_name = forms.CharField(
        label="group",
        required=False,
        max_length=80,
        widget=forms.TextInput(attrs={"list": "groups", "autocomplete": "off"}),
        help_text="An application, a site, a team; a new name makes a new group.",
    )
    environment = forms.CharField(
        required=False,
        max_length=40,
        widget=forms.TextInput(attrs={"list": "environments", "autocomplete": "off"}),
        help_text="For example production.",
    )
    owner = forms.ModelChoiceField(
        User.objects.filter(is_active=True),
        required=False,
        empty_label="nobody",
        help_text="Who looks after it.",
    )
    time_zone = forms.CharField(
        initial="UTC", validators=[validate_time_zone], help_text="Its days are calendar days of this zone."
    )

    def clean_name(self) -> str:
        return free_name(self.cleaned_data["name"])


class StoredSecrets(SecretForm):
    """Another address for a target that is registered: whatever is stored for another one has to be typed again."""

    lead: ClassVar[str] = "Its account and its history stay."

    def __init__(self, *args: Any, target: Target, **kwargs: Any) -> None:
        self.target = target
        self.stored = {credential.use: credential for credential in target.credentials.all()}
        super().__init__(*args, **kwargs)
        for name in NAMES.values():
            if name in self.fields:
                self.fields[name].required = False
        if Credential.Use.STANDBY not in self.stored:
            self.fields.pop("standby_password", None)
        if not self.account and not self.is_account_typed:
            del self.fields["password"]  # nobody is known whose it would be

    @property
    def is_account_typed(self) -> bool:
        """Whether a target without an account may get one here."""
        return False

    @property
    def account(self) -> str:
        ordinary = self.stored.get(Credential.Use.COLLECT)
        return ordinary.username if ordinary else str(self.target.address.get("user", ""))

    def clean_secrets(self) -> None:
        secrets = self.secrets
        for use, credential in self.stored.items():
            name = NAMES[Credential.Use(use)]
            if name in secrets or name not in self.fields or not credential.is_for(self.address):
                continue
            try:
                credential.peek_at(self.address)
            except UnreadableSecret as error:
                self.add_error(name, str(error))
