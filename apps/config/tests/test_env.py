"""A wrong setting stops the program with a sentence that names it."""

import pytest

from apps.config import env

A_KEY = "QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE="


def test_a_setting_may_be_given_as_a_file(monkeypatch, tmp_path):
    file = tmp_path / "secret"
    file.write_text("from the file\n")

    monkeypatch.setenv("HEADROOM_X", "from the environment")
    monkeypatch.setenv("HEADROOM_X_FILE", str(file))

    assert env.text("HEADROOM_X") == "from the file"


def test_an_empty_setting_counts_as_not_given(monkeypatch):
    monkeypatch.setenv("HEADROOM_X", " ")

    assert env.text("HEADROOM_X", "default") == "default"
    assert env.flag("HEADROOM_X", default=True) is True
    assert env.integer("HEADROOM_X", 7, least=0, most=9) == 7


def test_a_file_that_cannot_be_read_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADROOM_X_FILE", str(tmp_path / "missing"))

    with pytest.raises(
        env.WrongSetting, match=r"HEADROOM_X_FILE names .*missing, which cannot be read: No such file"
    ):
        env.text("HEADROOM_X")


@pytest.mark.parametrize(("written", "is_on"), [("1", True), ("yes", True), ("0", False), ("OFF", False)])
def test_a_flag_is_on_or_off(monkeypatch, written, is_on):
    monkeypatch.setenv("HEADROOM_X", written)

    assert env.flag("HEADROOM_X", default=not is_on) is is_on


@pytest.mark.parametrize(
    ("read", "value", "sentence"),
    [
        (
            lambda: env.flag("HEADROOM_X", default=True),
            "perhaps",
            "HEADROOM_X is 'perhaps'; expected is 1 or 0.",
        ),
        (
            lambda: env.integer("HEADROOM_X", 1, least=1, most=9),
            "10",
            "HEADROOM_X is '10'; expected is a whole number from 1 to 9.",
        ),
        (
            lambda: env.integer("HEADROOM_X", 1, least=1, most=9),
            "-1",
            "expected is a whole number from 1 to 9.",
        ),
        (
            lambda: env.integer("HEADROOM_X", 1, least=1, most=9),
            "²",
            "expected is a whole number from 1 to 9.",
        ),
        (
            lambda: env.integer("HEADROOM_X", 1, least=1, most=9),
            "1" * 5000,
            "expected is a whole number from 1 to 9.",
        ),
        (
            lambda: env.site_url("HEADROOM_X", ""),
            "headroom.example.com",
            "expected is an address without a path",
        ),
        (lambda: env.site_url("HEADROOM_X", ""), "https://example.com/headroom", "without a path"),
        (lambda: env.site_url("HEADROOM_X", ""), "http://example.com:99999", "without a path"),
        (lambda: env.broker("HEADROOM_X", ""), "amqp://somewhere", "not the address of a Redis or Valkey"),
        (
            lambda: env.fernet_keys("HEADROOM_X", ""),
            f"{A_KEY},short",
            "HEADROOM_X holds something that is not a key",
        ),
    ],
)
def test_a_wrong_setting_gets_a_sentence(monkeypatch, read, value, sentence):
    monkeypatch.setenv("HEADROOM_X", value)

    with pytest.raises(env.WrongSetting) as stop:
        read()

    assert sentence in str(stop.value)


@pytest.mark.parametrize(
    "value", ["mysql://u:hush@host/name", "postgresql://u:hush@host/", "hush", "postgres://[::1/hush"]
)
def test_a_wrong_database_address_is_told_without_its_password(monkeypatch, value):
    monkeypatch.setenv("HEADROOM_X", value)

    with pytest.raises(env.WrongSetting) as stop:
        env.database("HEADROOM_X", "")

    assert "HEADROOM_X is not the address of a PostgreSQL database" in str(stop.value)
    assert "hush" not in str(stop.value)


def test_a_database_address_may_name_a_host_or_a_socket():
    over_tcp = env.database("HEADROOM_X", "postgresql://u:p%40ss@db.example.com:5433/name?sslmode=require")
    over_a_socket = env.database("HEADROOM_X", "postgresql://u:p@/name?host=/run/postgres")

    assert (over_tcp["HOST"], over_tcp["PORT"], over_tcp["PASSWORD"]) == ("db.example.com", 5433, "p@ss")
    assert over_tcp["OPTIONS"] == {"sslmode": "require"}
    assert (over_a_socket["HOST"], over_a_socket["OPTIONS"]) == ("", {"host": "/run/postgres"})


def test_the_address_people_use_is_kept_without_its_slash():
    assert (
        env.site_url("HEADROOM_X", "https://headroom.example.com/").geturl() == "https://headroom.example.com"
    )


def test_keys_are_listed_newest_first(monkeypatch):
    monkeypatch.setenv("HEADROOM_X", f"{A_KEY}, {A_KEY[::1]}\n")

    assert env.fernet_keys("HEADROOM_X", "") == [A_KEY, A_KEY]


@pytest.mark.parametrize(
    ("address", "server"),
    [
        ("", env.Smtp()),
        ("smtp://mail", env.Smtp("mail", 25)),
        ("smtp+tls://me:a%40b@mail:2525", env.Smtp("mail", 2525, "me", "a@b", use_tls=True)),
        ("smtps://mail", env.Smtp("mail", 465, use_ssl=True)),
        ("smtp://me:b@mail", env.Smtp("mail", 25, "me", "b", use_tls=True)),  # S5: no password in the clear
    ],
)
def test_a_mail_server_is_read_from_its_address(monkeypatch, address, server):
    monkeypatch.setenv("HEADROOM_SMTP_URL", address)

    assert env.smtp("HEADROOM_SMTP_URL") == server


@pytest.mark.parametrize(
    "address", ["mail:25", "http://mail", "smtp://", "smtp://mail:99999", "smtp://me:secret@mail/x"]
)
def test_what_is_no_mail_server_stops_with_a_sentence_that_keeps_the_password(monkeypatch, address):
    monkeypatch.setenv("HEADROOM_SMTP_URL", address)

    with pytest.raises(env.WrongSetting, match="not the address of a mail server") as stopped:
        env.smtp("HEADROOM_SMTP_URL")
    assert "secret" not in str(stopped.value)


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("smtp://me@mail", "HEADROOM_SMTP_URL has a user without a password"),
        ("smtps://:hush@mail", "HEADROOM_SMTP_URL has a password without a user"),
    ],
)
def test_half_a_sign_in_at_the_mail_server_stops_with_a_sentence(monkeypatch, address, sentence):
    monkeypatch.setenv("HEADROOM_SMTP_URL", address)

    with pytest.raises(env.WrongSetting, match=sentence) as stopped:
        env.smtp("HEADROOM_SMTP_URL")
    assert "hush" not in str(stopped.value)


@pytest.mark.parametrize(("content", "reason"), [("no certificate", "it holds no"), (None, "No such file")])
def test_certificates_that_cannot_be_used_stop_with_a_sentence(monkeypatch, tmp_path, content, reason):
    file = tmp_path / "ca.pem"
    if content:
        file.write_text(content)
    monkeypatch.setenv("HEADROOM_X", str(file))

    with pytest.raises(env.WrongSetting, match=f"HEADROOM_X names .*ca.pem, which cannot be used: {reason}"):
        env.certificates("HEADROOM_X")


def test_networks_are_addresses_or_ranges_of_them(monkeypatch):
    monkeypatch.setenv("HEADROOM_X", "10.0.0.5, 192.168.7.0/24 ::1")
    assert [str(network) for network in env.networks("HEADROOM_X")] == [
        "10.0.0.5/32", "192.168.7.0/24", "::1/128",
    ]  # fmt: skip

    monkeypatch.setenv("HEADROOM_X", "10.0.0.5/8")
    with pytest.raises(
        env.WrongSetting, match=r"HEADROOM_X is not understood: 10\.0\.0\.5/8 has host bits set"
    ):
        env.networks("HEADROOM_X")
