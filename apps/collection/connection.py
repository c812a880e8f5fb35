"""
"Test connection": a page asks for it, a worker makes it, so that no listener that says nothing can hold a page.

Each person has so many tests at a time and in ten minutes, all people together so many at a time. An honest answer
tells open ports from closed ones; that many answers are no scan, and each is on record with who asked.
"""

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from apps.collection.collect import release_connection
from apps.collection.collector import Account, ConnectionResult, ConnectionStep, get_tester
from apps.collection.models import ConnectionTest
from apps.inventory.models import Credential, Deed, Target
from apps.inventory.places import fingerprint_of
from apps.inventory.record import record_deed
from apps.inventory.secrets import UnreadableSecret
from apps.people.models import User

MOST_AT_ONCE = 2  # tests of one person
MOST_IN_ALL = 16  # tests of all people, and of one worker
MOST_IN_A_WHILE = 20  # tests of one person within ...
WHILE = timedelta(minutes=10)
ONE_AT_A_TIME = 7_305_001  # the number of a lock in the database
UNHEARD = timedelta(seconds=8)  # until a test that no worker took is given up
LOST = timedelta(seconds=90)  # until a test that a worker took is; none lasts so long
HELD = timedelta(minutes=15)  # until what was typed is forgotten

State = ConnectionTest.State


class CannotTest(Exception):
    """The test is not made; the message says why, and when it can be."""


def ask_test(
    person: User,
    session_key: str,
    *,
    target: Target | None,
    collector: str,
    address: Mapping[str, Any],
    username: str,
    typed: Mapping[str, str],
) -> ConnectionTest:
    """Write down a test for a worker to make, with who asked for it. Raises CannotTest."""
    now = timezone.now()
    with transaction.atomic():
        _take_turn()
        forget_old_tests(now)
        _check_limits(person, now)
        record_deed(Deed.Kind.CONNECTION_TESTED, person, target, _words_of(address), address=dict(address))
        return ConnectionTest.objects.create(
            token=secrets.token_urlsafe(24),
            person=person,
            session=digest_of(session_key),
            target=target,
            collector=collector,
            address=dict(address),
            username=username,
            typed=json.dumps(dict(typed)),
            asked_at=now,
        )


def _words_of(address: Mapping[str, Any]) -> str:
    return str(address.get("descriptor") or f"{address.get('host')}:{address.get('port')}")


def _take_turn() -> None:
    """Until the transaction ends nobody else asks for a test: else all who press at once would find room."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ONE_AT_A_TIME])


def _check_limits(person: User, now: datetime) -> None:
    unfinished = ConnectionTest.objects.filter(
        Q(state=State.WAITING, asked_at__gt=now - UNHEARD) | Q(state=State.RUNNING, began_at__gt=now - LOST)
    )
    if unfinished.filter(person=person).count() >= MOST_AT_ONCE:
        raise CannotTest(
            f"{MOST_AT_ONCE} of your tests are under way; wait for one of them, then test again."
        )
    if unfinished.count() >= MOST_IN_ALL:
        raise CannotTest("Many connections are being tested just now; test again in a few seconds.")
    lately = Deed.objects.filter(kind=Deed.Kind.CONNECTION_TESTED, actor=person, moment__gt=now - WHILE)
    if lately.count() >= MOST_IN_A_WHILE:
        minutes = WHILE.seconds // 60
        raise CannotTest(
            f"You have tested {MOST_IN_A_WHILE} connections within {minutes} minutes; test again a little later."
        )


def digest_of(session_key: str) -> str:
    """What is kept of a session: enough to know it again."""
    return hashlib.sha256(session_key.encode()).hexdigest()


def find_test(person: User, session_key: str, token: str) -> ConnectionTest | None:
    """The test of this name, for the person and the session that asked for it."""
    since = timezone.now() - HELD
    mine = ConnectionTest.objects.filter(person=person, session=digest_of(session_key), asked_at__gt=since)
    return mine.filter(token=token).first() if token else None


def typed_passwords(test: ConnectionTest, address: Mapping[str, Any], username: str) -> dict[str, str]:
    """
    The passwords that were typed for a test, where address and user are still those of the test; else none.

    The host key that the test itself fetched makes no difference: it was asked for in order to be saved.
    """
    before = dict(address)
    if test.host_key and not test.address.get("host_key") and before.get("host_key") == test.host_key:
        before["host_key"] = ""
    try:
        typed = test.typed.reveal(test, "typed", fingerprint_of(test.collector, before))
    except UnreadableSecret:
        return {}
    return dict(json.loads(typed)) if username == test.username else {}


def forget_old_tests(now: datetime) -> None:
    """Delete what was typed too long ago."""
    ConnectionTest.objects.filter(asked_at__lte=now - HELD).delete()


# in the worker


def run_test(test_id: int) -> None:
    """Make a test that waits, once, whoever else hears of it; one that was given up is left alone."""
    now = timezone.now()
    waiting = ConnectionTest.objects.filter(pk=test_id, state=State.WAITING, asked_at__gt=now - UNHEARD)
    if not waiting.update(state=State.RUNNING, began_at=now):
        return
    test = ConnectionTest.objects.select_related("target").get(pk=test_id)
    tested = ConnectionResult(
        [ConnectionStep("Test", False, "The test broke off; the log of the worker says where.")]
    )
    try:
        account = _account_of(test)
        release_connection()
        tested = get_tester(test.collector)(test.address, account)
    except UnreadableSecret as error:
        tested = ConnectionResult([ConnectionStep("Account", False, str(error))])
    finally:
        steps = [asdict(step) for step in tested.steps]
        ConnectionTest.objects.filter(pk=test_id).update(
            state=State.DONE, steps=steps, host_key=tested.host_key
        )


def _account_of(test: ConnectionTest) -> Account:
    """What was typed, and what is stored for this very address. Raises UnreadableSecret."""
    typed = json.loads(test.typed.reveal(test, "typed", test.secret_place))
    account = Account(test.username, typed.get("password", ""), typed.get("wallet_password", ""))
    if (
        test.target is None or test.address.get("host_key") == ""
    ):  # nobody signs in to a host that is not known
        return account
    stored = {credential.use: credential for credential in test.target.credentials.all()}
    ordinary, wallet = stored.get(Credential.Use.COLLECT), stored.get(Credential.Use.WALLET)
    if ordinary is None and not account.username and "user" not in test.address:
        raise UnreadableSecret("Nobody gave a user name and password; give them first.")
    if ordinary and "password" not in typed:
        account = replace(account, username=ordinary.username, password=ordinary.secret_at(test.address))
    if wallet and "wallet_password" not in typed and wallet.is_for(test.address):
        account = replace(account, wallet_password=wallet.secret_at(test.address))
    return account


# for the page


def steps_of(test: ConnectionTest) -> list[ConnectionStep] | None:
    """What came of a test, also where nothing did; none while it may still end."""
    now = timezone.now()
    if test.state == State.DONE:
        return [ConnectionStep(**step) for step in test.steps]
    if test.state == State.WAITING and now - test.asked_at > UNHEARD:
        sentence = f"No worker took the test within {UNHEARD.seconds} s; see whether the worker for collections runs."
        return [ConnectionStep("Test", False, sentence)]
    if test.state == State.RUNNING and test.began_at and now - test.began_at > LOST:
        return [ConnectionStep("Test", False, "The worker ended before the test did; test again.")]
    return None
