"""
S11: whatever is sent to any address, by whoever, is answered by a page and a sentence: no 5xx, no traceback, no hang,
and nothing half-saved where it is refused.

HEADROOM_TEST_FUZZ is how many examples each kind of question gets in place of the usual few.
"""

import os
import socket
import time
import traceback
from dataclasses import dataclass
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import quote

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection, transaction
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from apps.inventory.models import Target
from apps.people.models import User
from apps.snapshots import dictionary
from apps.web.tests import nasty
from apps.web.tests.addresses import POSTS
from apps.web.tests.scenes import measured_target, signed_in
from apps.web.tests.test_pages import addresses

pytestmark = [pytest.mark.django_db, pytest.mark.long]

EXAMPLES = int(os.environ.get("HEADROOM_TEST_FUZZ", "60"))
SECONDS = 10.0  # of processor time; the slowest page takes half a second of it
MILLISECONDS_OF_A_QUERY = 20_000
LONG = EXAMPLES > 60
ROUNDS = min(4, 1 + EXAMPLES // 100)  # texts that each field gets
AT_A_TIME = 1 if LONG else 3  # fields of a form that are wrong together
UNWATCHED = (
    "django_session",
    "axes_",
    "snapshot",
    "figure",
    "coverage",
    "celery",
)  # tables: not what people save

bounded = settings(
    max_examples=EXAMPLES,
    derandomize=not LONG,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    print_blob=False,
)


@pytest.fixture(autouse=True)
def _without_names_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """No question leaves this machine, whatever host was typed."""
    resolve = socket.getaddrinfo

    def of_this_machine(host: Any, *rest: Any, **options: Any) -> Any:
        if host not in (None, "localhost", "127.0.0.1", "::1"):
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return resolve(host, *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", of_this_machine)


@dataclass
class Estate:
    """The pages of an estate that was measured, and three people who look at them."""

    target: Target
    addresses: dict[str, str]
    forms: list[nasty.FormSeen]
    parameters: list[str]
    people: dict[str, SimpleCookie]
    shown_once: set[str]  # addresses whose answer itself is all that is ever seen of what was saved

    def problem(self, who: str, method: str, address: str, body: dict[str, Any] | None = None) -> str:
        """What is wrong with the answer, with its cause; empty where nothing is."""
        try:
            self.send(who, method, address, body)
        except AssertionError as error:
            return "".join(traceback.format_exception(error)[-12:])
        return ""

    def send(self, who: str, method: str, address: str, body: dict[str, Any] | None = None) -> None:
        """Ask, look at the answer and at what was saved, and take it all back."""
        with transaction.atomic():
            self._send(who, method, address, body)
            transaction.set_rollback(True)
        dictionary.forget()

    def _send(self, who: str, method: str, address: str, body: dict[str, Any] | None) -> None:
        before = saved() if method == "POST" else ""
        response = self._answer(who, method, address, body)
        if method != "POST":
            return
        if response.status_code == 302:
            connection.check_constraints()
            if response["Location"].startswith("/"):
                self._answer(who, "GET", response["Location"], None)
        elif address not in self.shown_once:  # what was saved is told on the page that follows
            assert saved() == before, f"{method} {address[:200]} was refused and changed something: {body}"

    def _answer(self, who: str, method: str, address: str, body: dict[str, Any] | None) -> Any:
        client: Any = Client(raise_request_exception=False)
        client.cookies = SimpleCookie(self.people[who].output(header="", sep=";"))
        began = time.process_time()
        if body is None:
            response = client.generic(method, address)
        elif "encoded" in body:
            response = client.generic(
                method, address, body["encoded"], content_type="application/x-www-form-urlencoded"
            )
        else:
            response = client.post(address, body)
        took = time.process_time() - began
        question = f"{method} {address[:300]} by a {who} with {str(body)[:2000]}"
        if response.exc_info:
            raise AssertionError(question) from response.exc_info[1]
        is_health = address.startswith("/healthz")  # which says by 503 that a part does not work
        assert response.status_code < 500 or (is_health and response.status_code == 503), question
        content = b"" if response.streaming else response.content
        assert b"Traceback (most recent" not in content, question
        assert response.status_code not in (400, 404, 405) or b"<h1>" in content, question
        assert took < SECONDS, f"{question} took {took:.1f} s"
        return response


def saved() -> str:
    """A digest of all that people save; equal where nothing changed."""
    tables = sorted(
        {
            model._meta.db_table
            for model in apps.get_models()
            if model._meta.managed and not model._meta.db_table.startswith(UNWATCHED)
        }
    )
    each = [
        f"SELECT '{table}' AS name, count(*) AS n, sum(hashtext(t::text)::bigint) AS h FROM {table} t"
        for table in tables
    ]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(each))
        return str(sorted(cursor.fetchall()))


@pytest.fixture(scope="module")
def estate(module_db: None) -> Estate:
    """Made once; what is sent to it is taken back each time."""
    target = measured_target()
    people = {
        "reader": signed_in(),
        "planner": signed_in(is_planner=True),
        "administrator": signed_in("administrator", is_planner=True),
        "stranger": Client(),
    }
    User.objects.filter(username="administrator").update(is_staff=True)
    doors = dict(addresses(target)) | {"healthz": "/healthz"}
    assert {name.partition(":")[0] for name in doors} == {name for name, _ in nasty.patterns()}
    pages = [address for name, address in doors.items() if name not in POSTS]
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(MILLISECONDS_OF_A_QUERY)])
    return Estate(
        target,
        doors,
        nasty.forms_of(people["administrator"], pages),
        nasty.parameters(),
        {who: client.cookies for who, client in people.items()},
        {
            doors[name]
            for name in ("person_add", "person_password", "driver", "benchmark", "target_experience")
        },
    )


TEXT = some.sampled_from(nasty.TEXTS) | some.text(max_size=30)
WHO = some.sampled_from(["administrator", "planner", "planner", "reader", "stranger"])


def test_each_address_answers_other_methods_with_a_page_of_ours(estate: Estate):
    problems = [
        estate.problem("administrator", method, address)
        for name, address in estate.addresses.items()
        for method in (("GET", "POST") if name in POSTS else ("POST",))
        if name != "demo"  # which removes the estate and takes its time
    ]

    assert not any(problems), "\n".join(filter(None, problems))


def test_each_parameter_of_each_address_takes_any_text(estate: Estate):
    problems = []
    for number, address in enumerate(estate.addresses.values()):
        for shift in range(ROUNDS):
            texts = [
                nasty.TEXTS[(number * 7 + shift * 31 + place) % len(nasty.TEXTS)]
                for place in range(len(estate.parameters))
            ]
            sent = nasty.encoded(list(zip(estate.parameters, texts, strict=True)))
            problems.append(estate.problem("administrator", "GET", f"{address}?{sent}"))
            problems.append(estate.problem("planner", "POST", address, {"encoded": sent}))

    assert not any(problems), "\n".join(filter(None, problems))


def test_each_field_of_each_form_takes_any_text(estate: Estate):
    assert len(estate.forms) > 40
    problems = []
    number = 0
    for form in estate.forms:
        for names in batched(list(form.fields), AT_A_TIME):
            for _ in range(ROUNDS):
                number += 1
                wrong = [
                    (name, nasty.TEXTS[(number * 5 + place * 29) % len(nasty.TEXTS)])
                    for place, name in enumerate(names)
                ]
                right = [(key, value) for key, values in form.fields.items() for value in values]
                pairs = [pair for pair in right if pair[0] not in names] + wrong
                problems.append(estate.problem("administrator", *request_of(form, pairs)))

    assert not any(problems), "\n".join(filter(None, problems))


def batched(names: list[str], size: int) -> list[list[str]]:
    return [names[start : start + size] for start in range(0, len(names), size)]


def request_of(form: nasty.FormSeen, pairs: list[tuple[str, str]]) -> tuple[str, str, dict[str, str] | None]:
    """Method, address and body of a form with these pairs of names and values."""
    path, _, query = form.action.partition("?")
    if form.method == "post":
        return "POST", form.action, {"encoded": nasty.encoded(pairs)}
    return "GET", f"{path}?{nasty.encoded(pairs)}{'&' if query else ''}{query}", None


def test_any_question_of_any_address_gets_an_answer(estate: Estate):
    @bounded
    @given(
        who=WHO,
        address=some.sampled_from(sorted(estate.addresses.values())),
        pairs=some.lists(some.tuples(some.sampled_from(estate.parameters), TEXT), max_size=6),
    )
    def ask_any(who: str, address: str, pairs: list[tuple[str, str]]) -> None:
        estate.send(who, "GET", f"{address}?{nasty.encoded(pairs)}")

    ask_any()


def test_any_form_that_is_partly_wrong_gets_an_answer(estate: Estate):
    @bounded
    @given(
        who=WHO,
        form=some.sampled_from(estate.forms),
        places=some.lists(some.integers(0, 30), min_size=1, max_size=3),
        texts=some.lists(TEXT, min_size=3, max_size=3),
        is_twice=some.booleans(),
    )
    def fill_in(who: str, form: nasty.FormSeen, places: list[int], texts: list[str], is_twice: bool) -> None:
        pairs = [(key, value) for key, values in form.fields.items() for value in values]
        for place, text in zip(places, texts, strict=False):
            if pairs:
                name = pairs[place % len(pairs)][0]
                pairs[place % len(pairs)] = (name, text)
                pairs += [(name, text)] * is_twice
        estate.send(who, *request_of(form, pairs))

    fill_in()


def test_any_path_gets_an_answer(estate: Estate):
    taking = [(name, pattern) for name, pattern in nasty.patterns() if pattern.pattern.converters]
    pk = str(estate.target.pk)

    @bounded
    @given(
        door=some.sampled_from(taking),
        parts=some.lists(TEXT, min_size=3, max_size=3),
        method=some.sampled_from(["GET", "POST"]),
    )
    def open_any(door: tuple[str, Any], parts: list[str], method: str) -> None:
        _, pattern = door
        path = str(pattern.pattern)
        for (name, converter), part in zip(pattern.pattern.converters.items(), parts, strict=False):
            kind = type(converter).__name__
            text = part if kind != "IntConverter" or (part.isdigit() and part.isascii()) else pk
            path = path.replace(f"<int:{name}>", quote(text.encode("utf-8", "surrogatepass"), safe=""))
            path = path.replace(f"<str:{name}>", quote(text.encode("utf-8", "surrogatepass"), safe=""))
        estate.send("planner", method, f"/{path}")

    open_any()


def test_any_file_gets_an_answer(estate: Estate):
    uploads = [form for form in estate.forms if form.files]
    assert {name for form in uploads for name in form.files} >= {"file"}

    @bounded
    @given(
        form=some.sampled_from(uploads),
        text=some.sampled_from(nasty.FILES),
        places=some.lists(some.tuples(some.integers(0, 40), TEXT), max_size=4),
        name=TEXT,
        as_bytes=some.binary(max_size=40) | some.none(),
    )
    def upload(
        form: nasty.FormSeen, text: str, places: list[tuple[int, str]], name: str, as_bytes: bytes | None
    ) -> None:
        content = as_bytes if as_bytes is not None else spoilt(text, places).encode("utf-8", "surrogatepass")
        body: dict[str, Any] = dict(form.fields)
        for field in form.files:
            body[field] = SimpleUploadedFile(
                name.encode("utf-8", "replace").decode().replace("\0", "") or "x", content
            )
        estate.send("planner", "POST", form.action, body)

    upload()


def spoilt(text: str, places: list[tuple[int, str]]) -> str:
    """A text in which words were replaced."""
    for place, word in places:
        words = list(nasty.WORDS.finditer(text))
        if words:
            at = words[place % len(words)]
            text = f"{text[: at.start()]}{word}{text[at.end() :]}"
    return text
