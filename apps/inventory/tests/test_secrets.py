"""Passwords are encrypted at rest, belong to their row, and are shown nowhere."""

import io
import json
import logging
from datetime import UTC, datetime

import pytest
from cryptography.fernet import Fernet
from django.core import serializers
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from apps.collection.collect import collect_target
from apps.collection.tests import scripted
from apps.inventory.models import Credential, Target
from apps.inventory.register import BadTarget, register_target, set_password
from apps.inventory.secrets import StoredSecret, UnreadableSecret, encrypt

pytestmark = pytest.mark.django_db

SECRET = "tiger's § secret"
NOW = datetime(2026, 6, 30, 0, 5, tzinfo=UTC)


@pytest.fixture
def target() -> Target:
    scripted.register()
    made = scripted.instance()
    set_password(made, "HEADROOM", SECRET)
    return made


def stored() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT password FROM inventory_credential")
        return str(cursor.fetchone()[0])


def test_a_password_is_stored_encrypted_and_revealed_for_its_row(target):
    assert SECRET not in stored()
    assert "tiger" not in stored()

    credential = Credential.objects.get()

    assert credential.peek_at(credential.target.address) == SECRET


def test_saving_a_row_again_keeps_its_password(target):
    credential = Credential.objects.get()
    credential.username = "OTHER"
    credential.save()
    credential.save()

    again = Credential.objects.get()

    assert again.peek_at(again.target.address) == SECRET


def test_a_password_prints_as_dots_wherever_it_is_printed(target):
    credential = Credential.objects.get()
    fresh = Credential(target=target, username="HEADROOM", use="standby", password=SECRET)
    fresh.save()

    for text in (
        repr(credential), str(credential), str(credential.password), f"{credential.password!r}", repr(fresh),
        repr(fresh.password), repr(list(Credential.objects.values())), repr(vars(credential)), f"{target!r} {target.address}",
    ):  # fmt: skip
        assert "tiger" not in text


def test_a_password_does_not_leave_by_serializing_its_row(target):
    document = serializers.serialize("json", Credential.objects.all())

    assert "tiger" not in document
    with pytest.raises(TypeError):
        json.dumps(list(Credential.objects.values("password")))


def test_a_password_is_in_no_log_and_in_no_runs_json(target, caplog):
    scripted.prepare(NOW.date())
    with caplog.at_level(logging.DEBUG):
        run = collect_target(target, NOW, NOW)

    assert "tiger" not in f"{caplog.text} {run.as_json()}"


def test_a_password_cannot_be_written_around_its_encryption(target):
    with pytest.raises(TypeError, match="saving its row"), transaction.atomic():
        Credential.objects.update(password="plain")
    with pytest.raises(TypeError, match="saving its row"):
        Credential.objects.filter(password=SECRET).exists()

    assert Credential.objects.get().peek_at({}) == SECRET


def test_a_ciphertext_that_is_moved_to_another_row_is_refused(target):
    set_password(scripted.instance("OTHER"), "HEADROOM", "another")
    other = Credential.objects.get(target__name="OTHER")
    other.password = StoredSecret(stored())
    other.save()

    with pytest.raises(UnreadableSecret, match="belongs to another target"):
        Credential.objects.get(target__name="OTHER").peek_at({})


def test_a_ciphertext_that_is_moved_to_another_use_is_refused(target):
    moved = Credential(target=target, use="standby", username="HEADROOM", password="")
    moved.password = StoredSecret(stored())
    moved.save()

    with pytest.raises(UnreadableSecret, match="belongs to another"):
        moved.peek_at(moved.target.address)


def test_without_its_key_a_password_has_to_be_entered_again(target, settings):
    settings.HEADROOM_SECRET_KEYS = [Fernet.generate_key().decode()]
    credential = Credential.objects.get()

    with pytest.raises(UnreadableSecret, match="enter it again"):
        credential.peek_at(credential.target.address)


def test_rotation_puts_every_password_under_the_newest_key(target, settings):
    old, new = settings.HEADROOM_SECRET_KEYS[0], Fernet.generate_key().decode()
    settings.HEADROOM_SECRET_KEYS = [new, old]
    output = io.StringIO()

    call_command("rotate_secrets", stdout=output)
    settings.HEADROOM_SECRET_KEYS = [new]

    credential = Credential.objects.get()
    assert credential.peek_at(credential.target.address) == SECRET
    assert "tiger" not in output.getvalue()


def test_rotation_changes_nothing_when_one_password_cannot_be_read(target, settings):
    other = scripted.instance("OTHER")
    lost = Fernet.generate_key().decode()
    keys = settings.HEADROOM_SECRET_KEYS
    settings.HEADROOM_SECRET_KEYS = [lost]
    set_password(other, "HEADROOM", "lost")
    settings.HEADROOM_SECRET_KEYS = [Fernet.generate_key().decode(), *keys]
    before = list(Credential.objects.order_by("pk").values_list("pk", flat=True)), stored()

    with pytest.raises(CommandError, match="nothing was changed"):
        call_command("rotate_secrets")

    assert (list(Credential.objects.order_by("pk").values_list("pk", flat=True)), stored()) == before


@pytest.mark.parametrize("text", ["", "ünïcödé ☃", "x" * 1000, '"quoted", \\ and\nnew lines'])
def test_any_password_comes_back_as_it_was_typed(target, text):
    set_password(target, "HEADROOM", text)

    credential = Credential.objects.get()

    assert credential.peek_at(credential.target.address) == text
    assert encrypt(text, "a row") != encrypt(text, "a row")


# ── registering ──────────────────────────────────────────────────────────────────────────────────────────────────────


def register(name: str = "ERP", **fields: object) -> Target:
    defaults = {
        "kind": "instance",
        "platform": "oracle",
        "collector": "oracle",
        "address": {"host": "db1"},
        "now": NOW,
    }
    return register_target(name, **(defaults | fields))  # type: ignore[arg-type]


def test_a_target_is_registered_with_its_account():
    made = register(username="HEADROOM", password=SECRET, time_zone="Europe/Berlin")

    credential = Credential.objects.get()
    assert (credential.target, credential.username) == (made, "HEADROOM")
    assert "tiger" not in str(made.address)
    assert (made.collect_at.isoformat(), made.interval_minutes, made.is_daily) == ("00:05:00", 1440, True)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            {"time_zone": "Mars/Olympus"},
            "“Mars/Olympus” is not a time zone; give one such as Europe/Berlin or UTC",
        ),
        ({"kind": "cloud"}, "kind"),
        ({"name": ""}, "name"),
        ({"name": "x" * 81}, "name"),
    ],
)
def test_a_target_that_cannot_be_registered_is_refused_whole(fields, sentence):
    with pytest.raises(BadTarget, match=sentence):
        register(username="HEADROOM", password=SECRET, **fields)

    assert not Target.objects.exists()
    assert not Credential.objects.exists()


def test_a_name_is_given_once():
    register()

    with pytest.raises(BadTarget, match="There is a target named ERP already; choose another name"):
        register()


def test_names_that_look_like_markup_are_kept_as_they_are():
    name = "<script>alert(1)</script>"

    assert str(Target.objects.get(pk=register(name).pk)) == name


def test_a_retired_target_is_not_watched_and_its_history_stays(target):
    target.retire(NOW)

    assert not Target.objects.watched().exists()
    assert not Target.objects.in_estate().exists()
    assert Target.objects.get().retired_at == NOW
