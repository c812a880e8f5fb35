"""Put every stored secret under the newest key."""

from typing import Any

from cryptography.fernet import InvalidToken
from django.apps import apps
from django.core.management.base import BaseCommand, CommandError
from django.db import models, transaction

from apps.inventory.secrets import EncryptedTextField, StoredSecret, rotate


class Command(BaseCommand):
    help = "Encrypt every stored password again with the first key of HEADROOM_SECRET_KEYS; then drop the older keys."
    requires_system_checks = ()  # they load every page

    def handle(self, *args: Any, **options: Any) -> None:
        with transaction.atomic():
            count = sum(
                _rotate(model, field.attname)
                for model in apps.get_models()
                for field in model._meta.concrete_fields
                if isinstance(field, EncryptedTextField)
            )
        self.stdout.write(f"{count} passwords are under the newest key.")


def _rotate(model: type[models.Model], field: str) -> int:
    rows = list(model._default_manager.select_for_update().exclude(**{field: None}))
    for row in rows:
        try:
            setattr(row, field, StoredSecret(rotate(getattr(row, field).token)))
        except InvalidToken:
            raise CommandError(
                f"The password of {row} cannot be read with the keys at hand; nothing was changed."
            ) from None
        row.save(update_fields=[field])
    return len(rows)
