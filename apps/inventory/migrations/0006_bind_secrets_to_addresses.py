"""Stored secrets are bound to the address that they stand beside now; what happens to addresses is recorded."""

from typing import Any

from django.conf import settings
from django.db import migrations, models

from apps.inventory.places import fingerprint_of
from apps.inventory.secrets import StoredSecret, UnreadableSecret, contents_of, encrypt


def bind(apps: Any, schema_editor: Any) -> None:
    """
    Keep the fingerprint of the present address with each secret. The running code computes it, for it compares it too.

    A secret that no key can read stays as it is: it has to be entered again in any case.
    """
    credentials = apps.get_model("inventory", "Credential").objects.select_related("target")
    for credential in credentials.exclude(password=None).iterator(chunk_size=500):
        try:
            owner, text, _ = contents_of(credential.password.token)
        except UnreadableSecret:
            continue
        target = credential.target
        place = fingerprint_of(target.collector, target.address)
        credential.password, credential.is_used = StoredSecret(encrypt(text, owner, place)), True
        credential.save(update_fields=["password", "is_used"])


def release(apps: Any, schema_editor: Any) -> None:
    """As the release before keeps them."""
    for credential in apps.get_model("inventory", "Credential").objects.exclude(password=None).iterator():
        try:
            owner, text, _ = contents_of(credential.password.token)
        except UnreadableSecret:
            continue
        credential.password = StoredSecret(encrypt(text, owner))
        credential.save(update_fields=["password"])


class Migration(migrations.Migration):
    dependencies = [
        ("inventory", "0005_target_names_in_any_case"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField("credential", "is_used", models.BooleanField(default=False)),
        migrations.RunPython(bind, release),
    ]
