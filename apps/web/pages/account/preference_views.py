"""How a person reads, and the targets they keep at hand."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from apps.people.models import Preferences, User
from apps.web.address import way_back
from apps.web.target_page import target_of

MOST_PINNED = 6


class PreferencesForm(forms.ModelForm[Preferences]):
    """Marks, clock, unit of waits, and the columns of the profile that are wanted."""

    columns = forms.MultipleChoiceField(
        label="columns of a profile",
        choices=Preferences.Column.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Statistic, today and state are always there.",
    )

    class Meta:
        model = Preferences
        fields = ("locale", "time_zone", "waits_in", "has_single_keys", "has_help")
        widgets = {"waits_in": forms.RadioSelect}
        labels = {
            "locale": "numbers and dates",
            "time_zone": "time zone of moments",
            "waits_in": "average waits in",
            "has_single_keys": "single letters are keys",
            "has_help": "a line of help on each page",
        }
        help_texts = {
            "locale": "Files keep plain numbers and ISO days, whatever is chosen here.",
            "time_zone": "Such as Europe/Berlin; empty: each target's own. Days stay days of the target's time zone.",
            "waits_in": "In profiles and the report of waits. Limits, violations and files name their unit.",
            "has_single_keys": "Such as / to find and j, k to move. Off for speech input.",
        }

    def __init__(self, *args: object, **how: object) -> None:
        super().__init__(*args, **how)  # type: ignore[arg-type]
        hidden = set(self.instance.hidden_columns)
        self.fields["columns"].initial = [key for key, _ in Preferences.Column.choices if key not in hidden]

    def clean_time_zone(self) -> str:
        return str(self.cleaned_data["time_zone"]).strip()

    def save(self, commit: bool = True) -> Preferences:
        columns = set(self.cleaned_data["columns"])
        self.instance.hidden_columns = [key for key, _ in Preferences.Column.choices if key not in columns]
        return super().save(commit)


def preferences(request: HttpRequest) -> HttpResponse:
    """One's own preferences; nobody else's."""
    person = request.user
    assert isinstance(person, User)
    form = PreferencesForm(request.POST or None, instance=person.prefers)
    if form.is_valid():
        form.save()
        messages.success(request, "Saved. Pages are written this way now.")
        return redirect("preferences")
    return render(request, "pages/account/preferences.html", {"form": form})


@require_POST
def pin(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep a target at hand in the side bar, or let it go."""
    target = target_of(pk)
    person = request.user
    assert isinstance(person, User)
    mine, _ = Preferences.objects.get_or_create(person=person)
    if mine.pinned.filter(pk=target.pk).exists():
        mine.pinned.remove(target)
    elif mine.pinned.filter(retired_at=None).count() >= MOST_PINNED:
        messages.warning(
            request, f"{MOST_PINNED} targets are pinned already; unpin one before {target.name}."
        )
    else:
        mine.pinned.add(target)
    return redirect(way_back(request, request.POST.get("back", "")) or target.get_absolute_url())
