"""Targets, their accounts and lists of them, as people type them."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from apps.inventory.form_errors import OurVoice
from apps.inventory.models import Credential, Group, Target, validate_time_zone
from apps.people.models import User
from apps.platforms.forms import free_name
from apps.platforms.registration import registration_of
from apps.web.field_choices import offer


class TargetForm(OurVoice, forms.ModelForm[Target]):
    """What people say of a target, and when it is read."""

    group_name = forms.CharField(
        label="group",
        required=False,
        max_length=80,
        help_text="An application, a site, a team; a new name makes a new group.",
    )

    class Meta:
        model = Target
        fields = [
            "name",
            "environment",
            "owner",
            "runs_on",
            "time_zone",
            "collect_at",
            "interval_minutes",
            "notes",
        ]
        labels = {
            "runs_on": "runs on host",
            "collect_at": "read daily at",
            "interval_minutes": "read every, minutes",
        }
        help_texts = {
            "time_zone": "Its days are calendar days of this zone, for example Europe/Berlin.",
            "collect_at": "Of a target that is read once a day, in its time zone.",
            "interval_minutes": "1440 is once a day; hosts are usually read every 5 minutes.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "runs_on", Target.objects.in_estate().filter(kind=Target.Kind.HOST))
        offer(self, "owner", User.objects.filter(is_active=True))
        if self.instance.pk and self.instance.group:
            self.fields["group_name"].initial = self.instance.group.name

    def clean_name(self) -> str:
        return free_name(self.cleaned_data["name"], besides=self.instance)

    def clean_interval_minutes(self) -> int:
        minutes = int(self.cleaned_data["interval_minutes"])
        if minutes < 1 or minutes > 1440 or (minutes < 1440 and 1440 % minutes):
            raise ValidationError(f"{minutes} does not divide a day; give 1440, or for example 5, 15 or 60.")
        return minutes

    def save(self, commit: bool = True) -> Target:
        name = self.cleaned_data["group_name"].strip()
        self.instance.group = Group.objects.get_or_create(name=name)[0] if name else None
        target: Target = super().save(commit)
        return target


class ListForm(OurVoice, forms.Form):
    """A list of targets, with what holds for all of them."""

    file = forms.FileField(required=False)
    text = forms.CharField(
        label="or the list itself",
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        help_text="Pasted from a file or a spreadsheet.",
    )
    username = forms.CharField(
        label="user", required=False, max_length=128, help_text="Where the list names none."
    )
    password = forms.CharField(
        required=False,
        strip=False,
        widget=forms.PasswordInput(render_value=False),
        help_text="Kept encrypted, never shown again.",
    )
    time_zone = forms.CharField(initial="UTC", validators=[validate_time_zone])
    group_name = forms.CharField(label="group", required=False, max_length=80)
    environment = forms.CharField(required=False, max_length=40)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        file = cleaned.get("file")
        if file is not None:
            if file.size > 1_000_000:
                self.add_error("file", f"The file has {file.size:,} bytes; give at most 1,000,000 at a time.")
            else:
                content = file.read()
                try:
                    cleaned["text"] = content.decode("utf-8-sig")
                except UnicodeDecodeError:
                    cleaned["text"] = content.decode("latin-1")
        elif not cleaned.get("text", "").strip():
            self.add_error("file", "Give a file, or paste the list below.")
        return cleaned


class PasswordForm(OurVoice, forms.Form):
    """Another account or password for a target."""

    username = forms.CharField(label="user", max_length=128)
    password = forms.CharField(
        widget=forms.PasswordInput(render_value=False),
        strip=False,
        help_text="Kept encrypted, never shown again.",
    )

    def __init__(self, *args: Any, target: Target, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._offer_uses(target)
        credential = Credential.objects.filter(target=target, use=Credential.Use.COLLECT).first()
        if credential is not None:
            self.fields["username"].initial = credential.username

    def _offer_uses(self, target: Target) -> None:
        """Ask what the account is used for, where the target can have several."""
        registration = registration_of(target.collector)
        if registration is None or registration.account_uses is None:
            return
        self.fields["use"] = forms.ChoiceField(
            label="used",
            required=False,
            choices=registration.account_uses.choices,
            help_text=registration.account_uses.help_text,
        )
