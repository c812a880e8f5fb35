"""Secrets belong to the address they were typed for; what happens is recorded once and for all."""

from datetime import UTC, datetime
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from apps.inventory.models import Credential, Deed, Target
from apps.inventory.places import fingerprint_of
from apps.inventory.record import record_deed
from apps.inventory.register import point_at, register_target, set_password
from apps.inventory.secrets import SavedElsewhere, encrypt

NOW = datetime(2026, 6, 30, tzinfo=UTC)
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ7c+qVvE1H9gOJlX7V0nCzHlyVKFB3MEr4wGvUPtTtm"
ORACLE = {"host": "db1", "port": 1521, "service": "PAY"}
SSH = {"host": "web1", "port": 22, "user": "watch", "host_key": KEY, "key_file": ""}


@pytest.mark.parametrize(
    ("collector", "spelling", "other_spelling"),
    [
        ("oracle", ORACLE, {"host": "DB1.", "port": "1521", "service": "pay"}),
        ("oracle", ORACLE, {"host": "db1", "service": "PAY", "protocol": "tcp", "wallet": ""}),
        ("oracle", {"descriptor": "(DESCRIPTION=(X=1))"}, {"descriptor": "(DESCRIPTION = (X=1))", "host": "db1"}),
        ("linux-ssh", SSH, SSH | {"host_key": f"{KEY} root@web1", "user": "other"}),
    ],
)  # fmt: skip
def test_two_spellings_of_a_place_are_one(collector, spelling, other_spelling):
    assert fingerprint_of(collector, spelling) == fingerprint_of(collector, other_spelling)


@pytest.mark.parametrize(
    ("collector", "address", "change"),
    [
        *[
            ("oracle", ORACLE, change)
            for change in (
                {"host": "db2"}, {"port": 1522}, {"service": "HR"}, {"service": "", "sid": "PAY"}, {"protocol": "tcps"},
                {"wallet": "/w"}, {"server_dn": "CN=x"}, {"descriptor": "(DESCRIPTION=)"}, {"instance": "PAY2"},
            )
        ],
        *[
            ("linux-ssh", SSH, change)
            for change in ({"host": "web2"}, {"port": 2222}, {"host_key": KEY[:-4] + "AAAA"}, {"host_key": ""}, {"key_file": "/k"})
        ],
        ("somebody's", {"x": 1}, {"x": 2}),
    ],
)  # fmt: skip
def test_whatever_leads_elsewhere_is_another_place(collector, address, change):
    assert fingerprint_of(collector, address) != fingerprint_of(collector, address | change)


@pytest.fixture
def target(db: None) -> Target:
    return register_target(
        "PAY", kind="instance", platform="oracle", collector="oracle", address=dict(ORACLE), now=NOW, username="HR",
        password="tiger",
    )  # fmt: skip


def test_a_password_is_revealed_for_its_own_address_alone(target):
    point_at(target, ORACLE | {"host": "evil"})
    credential = Credential.objects.get()

    with pytest.raises(SavedElsewhere, match="saved for another address; type it again"):
        credential.secret_at(target.address)
    with pytest.raises(SavedElsewhere):
        credential.password.reveal(credential)
    assert credential.secret_at(ORACLE) == "tiger"


def test_an_upgrade_binds_stored_secrets_to_their_present_addresses(target):
    credential = Credential.objects.get()
    before = encrypt("tiger", f"{target.pk}/collect/password")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE inventory_credential SET password = %s", [before])
    with pytest.raises(SavedElsewhere):
        Credential.objects.get().peek_at(ORACLE)

    migration = import_module("apps.inventory.migrations.0006_bind_secrets_to_addresses")
    migration.bind(apps, None)

    credential = Credential.objects.get()
    assert credential.peek_at(ORACLE) == "tiger"
    assert credential.is_used
    with pytest.raises(SavedElsewhere):
        credential.peek_at(ORACLE | {"port": 1522})


def test_an_upgrade_leaves_secrets_that_no_key_reads_as_they_are(target, settings):
    from cryptography.fernet import Fernet

    settings.HEADROOM_SECRET_KEYS = [Fernet.generate_key().decode()]
    before = Credential.objects.get().password.token

    import_module("apps.inventory.migrations.0006_bind_secrets_to_addresses").bind(apps, None)

    assert Credential.objects.get().password.token == before


def test_the_first_use_of_each_address_is_recorded_once(target):
    def uses() -> list[Any]:
        return list(Deed.objects.filter(kind="address_used").values_list("details__address__host", flat=True))

    for _ in range(2):
        Credential.objects.get().secret_at(ORACLE)
    assert uses() == ["db1"]
    point_at(target, ORACLE | {"host": "db2"})
    set_password(target, "HR", "lion")
    Credential.objects.get().secret_at(target.address)

    assert uses() == ["db2", "db1"]


def test_what_is_on_record_stays_as_it_is(target):
    deed = record_deed(Deed.Kind.CONNECTION_TESTED, None, target, address=ORACLE)

    for change in (
        deed.save, deed.delete, Deed.objects.all().delete, lambda: Deed.objects.update(subject="x"),
        lambda: Deed.objects.bulk_update([deed], ["subject"]),
    ):  # fmt: skip
        with pytest.raises(TypeError, match="written once"):
            change()
    pk = target.pk
    target.delete()

    assert {(kept_deed.target_id, kept_deed.subject) for kept_deed in Deed.objects.all()} == {(pk, "PAY")}
