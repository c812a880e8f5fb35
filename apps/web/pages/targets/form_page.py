"""The form of a target on a page of its own, and what several of them do with what was typed."""

from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from apps.inventory.models import Credential, Group, Target
from apps.inventory.register import BadTarget, register_target, set_password
from apps.platforms.forms import NAMES, SecretForm
from apps.platforms.registration import Registration
from apps.web.tables import page_or_file


def show_form(
    request: HttpRequest,
    title: str,
    lead: str,
    form: Any,
    groups: list[Any],
    submit: str,
    cancel_url: str,
    **more: Any,
) -> HttpResponse:
    """A form of a target on a page of its own, with the steps of a test beside it."""
    context = {
        "title": title,
        "lead": lead,
        "form": form,
        "groups": groups,
        "late_heading": getattr(form, "late_group", ""),
        "folded_heading": getattr(form, "folded_group", ("", ""))[0],
        "group_names": Group.objects.values_list("name", flat=True),
        "environments": Target.objects.in_estate()
        .exclude(environment="")
        .order_by("environment")
        .values_list("environment", flat=True)
        .distinct(),
        "submit": submit,
        "cancel_url": cancel_url,
    }
    return page_or_file(
        request, "pages/targets/form.html", context | {"report": None, "can_test": False} | more
    )


def register_typed(request: HttpRequest, registration: Registration, form: SecretForm) -> Target | None:
    """The target that was typed, registered; none where it cannot be, and the form says why."""
    fields, secrets = form.cleaned_data, form.secrets
    try:
        with transaction.atomic():
            added = register_target(
                fields["name"],
                kind=registration.kind,
                platform=registration.platform,
                collector=registration.collector,
                interval_minutes=registration.interval_minutes,
                address=form.address,
                now=timezone.now(),
                username=form.account,
                password=secrets.pop("password", ""),
                time_zone=fields["time_zone"],
                by=request.user,
                environment=fields.get("environment", ""),
                group=_group_named(fields.get("group_name", "")),
                owner=fields.get("owner"),
            )
            keep_secrets(request, added, form.account, secrets)
    except BadTarget as error:
        form.add_error(None, str(error))
        return None
    return added


def keep_secrets(request: HttpRequest, target: Target, account: str, secrets: dict[str, str]) -> None:
    """Keep what was typed for the address that the target has now."""
    uses = {name: use for use, name in NAMES.items()}
    stored = {credential.use: credential.username for credential in target.credentials.all()}
    for name, text in secrets.items():
        use = uses[name]
        username = "wallet" if use == Credential.Use.WALLET else stored.get(use, account)
        set_password(target, username, text, use, by=request.user)


def _group_named(name: str) -> Group | None:
    return Group.objects.get_or_create(name=name.strip())[0] if name.strip() else None
