"""Signing in and out, and one's own password."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import LoginView, LogoutView, PasswordChangeView, RedirectURLMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from apps.people.models import User
from apps.people.sign_in_limits import remember_browser
from apps.web.pages.account.forms import SignInForm
from apps.web.session_ends import sentence_of
from apps.web.unsent import find_unsent, forget_unsent


class SignIn(LoginView):
    template_name = "pages/account/sign_in.html"
    form_class = SignInForm
    redirect_authenticated_user = True

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        remember_browser(self.request, response, form.get_user().get_username())
        return response

    def form_invalid(self, form: Any) -> HttpResponse:
        response = super().form_invalid(form)
        if form.opens_at:
            response.status_code = 429
            response["Retry-After"] = max(1, round((form.opens_at - timezone.now()).total_seconds()))
        return response

    def get_success_url(self) -> str:
        """Where somebody wanted to go; first to what was typed before they had to sign in."""
        return reverse("unsent") if find_unsent(self.request) else super().get_success_url()

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return super().get_context_data(
            ended=sentence_of(self.request.GET.get("ended", "")),
            has_unsent=find_unsent(self.request) is not None,
            **context,
        )


def unsent(request: HttpRequest) -> HttpResponse:
    """What somebody typed before they had to sign in: to be sent now, or dropped."""
    form = find_unsent(request)
    if request.method == "POST":
        forget_unsent(request)
        return redirect(form.page if form is not None else "estate")
    return render(request, "pages/account/unsent.html", {"unsent": form})


class SignOut(LogoutView):
    next_page = "sign_in"


class OwnPasswordForm(PasswordChangeForm):
    """A password of one's own, in place of the old one or of the one that was given."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        chosen, again = self.fields["new_password1"], self.fields["new_password2"]
        chosen.help_text = (
            "12 characters or more, and not easy to guess: not your name, no common password, no repetition. "
            "Four words that have nothing to do with each other do well."
        )
        again.label, again.help_text = "New password again", ""
        if self.user.has_first_password:
            self.fields["old_password"].label = "Password you were given"

    def clean_new_password1(self) -> str:
        chosen = str(self.cleaned_data["new_password1"])
        if chosen and chosen == self.cleaned_data.get("old_password"):
            raise forms.ValidationError("This is the old password; choose another one.")
        return chosen

    def save(self, commit: bool = True) -> User:
        self.user.has_first_password = False
        return super().save(commit)


class ChangePassword(RedirectURLMixin, PasswordChangeView):
    template_name = "pages/account/password.html"
    form_class = OwnPasswordForm
    next_page = "account"

    def get_success_url(self) -> str:
        return RedirectURLMixin.get_success_url(self)

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, "Saved. Use the new password from the next sign-in on.")
        return super().form_valid(form)
