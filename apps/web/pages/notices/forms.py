"""Who is told what, as people type it."""

from typing import Any

from django import forms
from django.conf import settings

from apps.inventory.form_errors import OurVoice
from apps.notices.address import RefusedAddress, resolve
from apps.notices.digest import start_subscription
from apps.notices.models import RecipientList, Subscriber
from apps.people.models import User
from apps.web.field_choices import offer


class RecipientListForm(OurVoice, forms.ModelForm[RecipientList]):
    """Who gets the weekly report, and when."""

    class Meta:
        model = RecipientList
        fields = ["name", "addresses", "group", "weekday", "at", "time_zone", "is_active"]
        labels = {"addresses": "mail addresses", "weekday": "on", "is_active": "is sent"}
        help_texts = {
            "addresses": "One a line.",
            "group": "Empty: all targets.",
            "at": "Hours and minutes, in the time zone below.",
            "time_zone": "For example Europe/Berlin.",
        }
        widgets = {"addresses": forms.Textarea(attrs={"rows": 5})}

    def clean_addresses(self) -> str:
        return "\n".join(RecipientList(addresses=self.cleaned_data["addresses"]).recipients)


class SubscriberForm(OurVoice, forms.ModelForm[Subscriber]):
    """Who gets messages, and how."""

    failing_days = forms.IntegerField(label="... for days in a row", min_value=1, max_value=30)
    digest_minutes = forms.IntegerField(
        label="at most one message in minutes",
        min_value=1,
        max_value=10_080,
        help_text="What happens meanwhile comes together in one message.",
    )
    webhook = forms.CharField(
        required=False,
        max_length=2000,
        label="webhook address",
        help_text="Of a webhook. It is kept encrypted and never shown; empty keeps the one that is stored.",
    )

    class Meta:
        model = Subscriber
        fields = [
            "name", "way", "person", "address", "group", "opened", "predicted", "overdue", "failing", "failing_days",
            "digest_minutes", "quiet_from", "quiet_until", "time_zone", "is_active",
        ]  # fmt: skip
        labels = {
            "way": "told by",
            "address": "mail address",
            "opened": "a violation opened",
            "predicted": "a violation predicted within its lead time",
            "overdue": "a step overdue",
            "failing": "a collection that fails",
            "quiet_from": "quiet from",
            "quiet_until": "quiet until",
            "is_active": "is told",
        }
        help_texts = {
            "person": "Whose mail address is used when none is given.",
            "group": "Empty: all targets.",
            "quiet_until": "Quiet hours may go over midnight; both empty: never quiet.",
            "time_zone": "Of the quiet hours, for example Europe/Berlin.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offer(self, "person", User.objects.filter(is_active=True))

    def clean_webhook(self) -> str:
        url = str(self.cleaned_data["webhook"]).strip()
        if url:
            try:
                resolve(url, allow_private=settings.HEADROOM_WEBHOOK_PRIVATE)
            except RefusedAddress as error:
                raise forms.ValidationError(str(error)) from None
            except OSError:
                raise forms.ValidationError(
                    "The name in this address is not known; check its spelling."
                ) from None
        return url

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        person, is_mail = cleaned.get("person"), cleaned.get("way") == Subscriber.Way.MAIL
        has_address = bool(cleaned.get("address")) or "address" in self.errors
        if is_mail and not has_address and not (person and person.email):
            self.add_error("address", "Mail needs an address, or a person who has one.")
        if (
            not is_mail
            and not cleaned.get("webhook")
            and not self.instance.url
            and "webhook" not in self.errors
        ):
            self.add_error("webhook", "A webhook needs its address.")
        if (cleaned.get("quiet_from") is None) != (cleaned.get("quiet_until") is None):
            self.add_error("quiet_until", "Quiet hours need both ends, or neither.")
        return cleaned

    def save(self, commit: bool = True) -> Subscriber:
        subscriber: Subscriber = super().save(commit=False)
        if self.cleaned_data["webhook"]:
            subscriber.url = self.cleaned_data["webhook"]
        if subscriber.pk is None:
            start_subscription(subscriber)
        if commit:
            subscriber.save()
        return subscriber
