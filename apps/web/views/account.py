"""Signing in and out, and one's own password."""

from django.contrib import messages
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import LoginView, LogoutView, PasswordChangeView
from django.http import HttpResponse
from django.urls import reverse_lazy


class SignIn(LoginView):
    template_name = "pages/sign_in.html"
    redirect_authenticated_user = True


class SignOut(LogoutView):
    next_page = "sign_in"


class ChangePassword(PasswordChangeView):
    template_name = "pages/account.html"
    success_url = reverse_lazy("account")

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        messages.success(self.request, "Saved. Use the new password from the next sign-in on.")
        return super().form_valid(form)
