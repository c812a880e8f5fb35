"""Put every stored secret under the newest key."""

from typing import Any

from cryptography.fernet import InvalidToken
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from apps.inventory.models import Credential
from apps.inventory.secrets import StoredSecret, rotate


class Command(BaseCommand):
    help = "Encrypt every stored password again with the first key of HEADROOM_SECRET_KEYS; then drop the older keys."

    def handle(self, *args: Any, **options: Any) -> None:
        with transaction.atomic():
            credentials = list(Credential.objects.select_for_update())
            for credential in credentials:
                try:
                    credential.password = StoredSecret(rotate(credential.password.token))
                except InvalidToken:
                    raise CommandError(
                        f"The password of {credential} cannot be read with the keys at hand; nothing was changed."
                    ) from None
                credential.save(update_fields=["password"])
        self.stdout.write(f"{len(credentials)} passwords are under the newest key.")
