"""Pages of Oracle instances: sessions on demand, what is read, lists of instances, what is to be confirmed."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse

from apps.inventory.models import Credential, Target
from apps.platforms.oracle.grants import views_read
from apps.snapshots.models import Fact
from apps.web import read_now
from apps.web.tests.scenes import signed_in
from testing.oracle_server import Clock, OracleServer, instance

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 2, 17, tzinfo=UTC)


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The targets that were put into the queue to be read."""
    readings: list[int] = []
    monkeypatch.setattr(read_now, "collect_at_once", lambda pk, **how: readings.append(pk))
    return readings


@pytest.fixture
def server() -> Iterator[OracleServer]:
    database = instance("GISPRD", clock=Clock(NOW), started_at=NOW - timedelta(days=9))
    with OracleServer(database, service="GISPRD", users={"HEADROOM": "secret-of-gis"}) as server:
        yield server


@pytest.fixture
def add() -> Callable[..., Target]:
    def made(name: str = "GISPRD", **fields: object) -> Target:
        fields = {
            "kind": Target.Kind.INSTANCE,
            "platform": "oracle",
            "collector": "oracle",
            "address": {},
        } | fields
        return Target.objects.create(name=name, registered_at=NOW, **fields)

    return made


def test_sessions_are_read_when_asked_for_and_nothing_of_them_is_stored(planner, server, add):
    target = add(address={"host": "127.0.0.1", "port": server.port, "service": "GISPRD"})
    Credential.objects.create(target=target, username="HEADROOM", password="secret-of-gis")
    address = reverse("target_sessions", args=[target.pk])

    before = planner.get(address).content.decode()
    after = planner.post(address).content.decode()

    assert "Read the sessions now" in before
    assert "JDBC Thin Client" not in before
    assert "JDBC Thin Client" in after
    assert "db file sequential read" in after
    assert not Fact.objects.exists()


def test_sessions_that_cannot_be_read_get_a_sentence(planner, server, add):
    target = add(address={"host": "127.0.0.1", "port": server.port, "service": "NOSUCH"})
    Credential.objects.create(target=target, username="HEADROOM", password="secret-of-gis")

    page = planner.post(reverse("target_sessions", args=[target.pk])).content.decode()

    assert "the listener does not know this service" in page


def test_who_may_only_read_cannot_ask_for_sessions(add):
    response = signed_in(is_planner=False).post(reverse("target_sessions", args=[add().pk]))

    assert response.status_code == 403


def test_a_host_has_no_sessions(planner, add):
    host = add("db01", kind=Target.Kind.HOST, collector="linux")

    page = planner.post(reverse("target_sessions", args=[host.pk])).content.decode()

    assert "db01 has no sessions that could be asked for." in page


def test_the_page_of_what_is_read_names_every_view_and_every_script(planner):
    page = planner.get(reverse("reads")).content.decode()

    assert [view for view in views_read() if f"<code>{view}</code>" not in page] == []
    assert page.count("SELECT_CATALOG_ROLE TO") == 2
    assert page.count("CONTAINER_DATA=ALL") == 2


CSV = "name,host,port,service,user,password\nA,db1,1521,a,HR,tiger's secret\nB,db2,1521,b,,\nC,,,c,,\n"


def test_a_list_is_shown_first_and_nothing_is_registered(planner, queued):
    page = planner.post(
        reverse("targets_import"),
        {"text": CSV, "username": "HEADROOM", "password": "lion", "time_zone": "UTC"},
    ).content.decode()

    assert "2 of 3 instances can be registered" in page
    assert "db2:1521/b" in page
    assert "It has no host." in page
    assert "tiger" not in page
    assert "lion" not in page
    assert not Target.objects.exists()


def sealed_in(page: str) -> str:
    return page.partition('name="sealed" value="')[2].partition('"')[0]


def test_the_ticked_rows_of_a_list_are_registered_with_their_accounts(planner, queued):
    address = reverse("targets_import")
    fields = {
        "text": CSV,
        "username": "HEADROOM",
        "password": "lion",
        "time_zone": "Europe/Berlin",
        "group_name": "Pay",
    }
    page = planner.post(address, fields).content.decode()

    response = planner.post(address, {"sealed": sealed_in(page), "take": ["B", "C"]})

    assert response.status_code == 302
    [target] = Target.objects.all()
    credential = target.credentials.get()
    assert (target.name, target.address) == ("B", {"host": "db2", "port": 1521, "service": "b"})
    assert (target.time_zone, str(target.group)) == ("Europe/Berlin", "Pay")
    assert (credential.username, credential.peek_at(credential.target.address)) == ("HEADROOM", "lion")
    assert queued == [target.pk]


def test_a_whole_tnsnames_is_registered(planner, queued):
    address = reverse("targets_import")
    text = "\n".join(
        f"I{n} = (DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=h{n})(PORT=1521))(CONNECT_DATA=(SERVICE_NAME=s{n})))"
        for n in range(30)
    )
    page = planner.post(
        address, {"text": text, "username": "HR", "password": "x", "time_zone": "UTC"}
    ).content.decode()

    planner.post(address, {"sealed": sealed_in(page), "take": [f"I{n}" for n in range(30)]})

    assert Target.objects.count() == len(queued) == 30


def test_the_list_of_somebody_else_is_not_taken(planner, queued):
    address = reverse("targets_import")
    page = planner.post(
        address, {"text": CSV, "username": "HR", "password": "x", "time_zone": "UTC"}
    ).content.decode()
    other = signed_in("other", is_planner=True)

    other.post(address, {"sealed": sealed_in(page), "take": ["A"]})

    assert not Target.objects.exists()


def test_a_list_that_is_none_gets_a_sentence(planner, queued):
    page = planner.post(
        reverse("targets_import"), {"text": "what is this", "time_zone": "UTC"}
    ).content.decode()

    assert "“name” is missing" in page


@pytest.mark.parametrize(
    ("fields", "address"),
    [
        ({"host": "db1", "port": "1521", "sid": "OLD"}, {"host": "db1", "port": 1521, "sid": "OLD"}),
        ({"descriptor": "(DESCRIPTION = (ADDRESS=(PROTOCOL=TCP)(HOST=a)(PORT=1521)))"}, {"descriptor": "(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=a)(PORT=1521)))"}),
        (
            {"host": "db1", "port": "2484", "service": "s", "protocol": "tcps", "wallet": "/w", "server_dn": "CN=x"},
            {"host": "db1", "port": 2484, "service": "s", "protocol": "tcps", "wallet": "/w", "server_dn": "CN=x"},
        ),
    ],
    ids=["SID", "descriptor", "TCPS"],
)  # fmt: skip
def test_an_instance_is_registered_by_every_kind_of_address(planner, queued, fields, address):
    form = {
        "name": "A",
        "username": "HR",
        "password": "x",
        "wallet_password": "w",
        "time_zone": "UTC",
    } | fields

    response = planner.post(reverse("target_add", args=["instance"]), form)

    assert response.status_code == 302
    target = Target.objects.get()
    assert target.address == address
    wallet = target.credentials.get(use=Credential.Use.WALLET)
    assert wallet.peek_at(wallet.target.address) == "w"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "Give the host, or a whole connect descriptor."),
        ({"host": "a"}, "Give the service, or the SID where there is none."),
        ({"host": "a", "service": "s", "sid": "t"}, "Give a service or a SID, not both."),
        ({"descriptor": "(ADDRESS=x"}, "A descriptor begins with (DESCRIPTION="),
    ],
)
def test_an_address_that_cannot_be_gets_a_sentence(planner, queued, fields, sentence):
    form = {"name": "A", "username": "HR", "password": "x", "time_zone": "UTC"} | fields

    page = planner.post(reverse("target_add", args=["instance"]), form).content.decode()

    assert sentence in page
    assert not Target.objects.exists()


def say(target: Target, **facts: str) -> None:
    for name, value in facts.items():
        Fact.objects.create(target=target, name=name, since=NOW, value=value)


def test_the_host_that_an_instance_names_is_confirmed_with_one_button(planner, add):
    target, host = add(), add("dbx-gis01", kind=Target.Kind.HOST, platform="linux", collector="linux")
    say(target, proposed_host="dbx-gis01.example.net")

    page = planner.get(target.get_absolute_url()).content.decode()
    planner.post(reverse("target_host", args=[target.pk]))
    target.refresh_from_db()

    assert "GISPRD says it runs on dbx-gis01.example.net." in page
    assert "It runs on dbx-gis01" in page
    assert target.runs_on == host
    assert "says it runs on" not in planner.get(target.get_absolute_url()).content.decode()


def test_a_host_that_is_not_watched_can_be_added(planner, add):
    target = add()
    say(target, proposed_host="db9.example.net")

    page = planner.get(target.get_absolute_url()).content.decode()
    form = planner.get(f"{reverse('target_add', args=['host'])}?name=db9.example.net").content.decode()

    assert "Add the host" in page
    assert 'value="db9.example.net"' in form


def test_instances_of_one_database_are_joined_with_one_button(planner, add, queued):
    first, second, other = add("RAC1"), add("RAC2"), add("OTHER")
    for target in (first, second):
        say(target, dbid="4711", cluster="yes", db_unique_name="RAC")
    say(other, dbid="4712", cluster="yes", db_unique_name="RAC")

    page = planner.get(first.get_absolute_url()).content.decode()
    planner.post(reverse("target_database", args=[first.pk]))

    assert "RAC1 and RAC2 are instances of one database, RAC." in page
    database = Target.objects.get(kind=Target.Kind.DATABASE)
    assert (database.name, sorted(member.name for member in database.members.all())) == (
        "RAC",
        ["RAC1", "RAC2"],
    )
    assert queued == [database.pk]


def test_what_changed_is_shown_beside_the_runs(planner, add):
    target = add()
    for since, value in ((NOW, "8G"), (NOW + timedelta(days=1), "16G")):
        Fact.objects.create(target=target, name="parameter", component="sga_target", since=since, value=value)

    page = planner.get(reverse("target_collection", args=[target.pk])).content.decode()

    assert "What changed" in page
    assert "sga_target" in page
    assert "8G" in page
    assert "16G" in page


def test_a_standby_gets_a_second_account(planner, add, queued):
    target = add()
    Credential.objects.create(target=target, username="HEADROOM", password="first")
    address = reverse("target_password", args=[target.pk])

    page = planner.get(address).content.decode()
    planner.post(address, {"username": "SB", "password": "second", "use": "standby"})
    planner.post(address, {"username": "HR", "password": "third"})

    assert "while it is a standby that is only mounted" in page
    accounts = {
        credential.use: (credential.username, credential.peek_at(credential.target.address))
        for credential in target.credentials.all()
    }
    assert accounts == {"collect": ("HR", "third"), "standby": ("SB", "second")}
    assert queued == [target.pk, target.pk]
