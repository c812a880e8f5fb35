"""What administrators type of a person."""

from typing import Any

from django import forms

from apps.people.models import User
from apps.people.roles import Role, role_of


class PersonForm(forms.ModelForm[User]):
    """Who somebody is, and what they may do."""

    role = forms.ChoiceField(choices=Role, initial=Role.READER, widget=forms.RadioSelect)

    class Meta:
        model = User
        fields = ["username", "first_name", "last_name", "email"]
        labels = {"username": "signs in as", "email": "mail address"}
        help_texts = {
            "username": "Letters, digits and @ . + - _, for example r.lindqvist.",
            "email": "Where notices and the weekly report go.",
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.fields["role"].initial = role_of(self.instance)
            self.fields["is_active"] = forms.BooleanField(
                label="may sign in",
                required=False,
                initial=self.instance.is_active,
                help_text="Without it the account is closed; what the person did stays.",
            )

    def clean_username(self) -> str:
        name = str(self.cleaned_data["username"])
        if User.objects.filter(username__iexact=name).exclude(pk=self.instance.pk).exists():
            raise forms.ValidationError(f"Somebody signs in as {name} already; choose another name.")
        return name

    @property
    def person_fields(self) -> dict[str, str]:
        """What is known of the account, without what it may do."""
        return {name: self.cleaned_data[name] for name in self.Meta.fields}
