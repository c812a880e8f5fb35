"""What is said to somebody who cannot sign in: how often it may be tried again, and from when on."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpRequest
from django.utils import timezone

from apps.charts.words import capital
from apps.people.sign_in_limits import PERIOD, SignInStanding, standing_of, turn_of
from apps.web.sentences import count

MINUTE = timedelta(minutes=1)


class SignInForm(AuthenticationForm):
    """Name and password. After a failure `standing` says how many tries are left, whether or not the name exists."""

    request: HttpRequest
    standing: SignInStanding | None = None

    def clean(self) -> dict[str, Any]:
        with turn_of(self.request, self.cleaned_data.get("username", "")) as has_turn:
            if not has_turn:
                raise forms.ValidationError(
                    "Others are signing in from the same place; try again in a moment."
                )
            return super().clean()

    def get_invalid_login_error(self) -> forms.ValidationError:
        self.standing = standing_of(self.request, self.cleaned_data["username"])
        return forms.ValidationError(sentence_of(self.standing, timezone.now()), code="invalid_login")

    @property
    def opens_at(self) -> datetime | None:
        """When it may be tried again, where it may not be now."""
        return self.standing.opens_at if self.standing else None


def sentence_of(standing: SignInStanding, now: datetime) -> str:
    """Why somebody is not signed in, without a word on whether the name exists."""
    if standing.opens_at is None:
        tries = capital(count(standing.tries, "more try", "more tries"))
        minutes = PERIOD // MINUTE
        return f"The user name or the password is not right. {tries}, then sign-in pauses for up to {minutes} minutes."
    wait = standing.opens_at - now
    if wait <= 2 * MINUTE:
        length = count(max(1, round(wait.total_seconds())), "second")
    else:
        length = count(-(-wait // MINUTE), "minute")
    return f"Too many wrong tries. Sign-in opens again in {length}, at {standing.opens_at:%H:%M:%S} UTC."
