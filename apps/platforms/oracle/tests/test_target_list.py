"""Lists of instances: a CSV, a tnsnames.ora, and what is wrong with either."""

import time
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as some

from apps.platforms.oracle.target_list import read_list
from apps.platforms.target_list import UnreadableList

CSV = """name,host,port,service,user,password,time_zone,group,environment
PAYPRD,db1.example.net,1521,payprd.example.net,HEADROOM,secret,Europe/Berlin,Payments,production
HRPRD,db2,,hrprd,HEADROOM,secret,,,
"""

TNSNAMES = """
# made by hand
PAYPRD.WORLD, PAY =
  (DESCRIPTION =
    (ADDRESS = (PROTOCOL = TCP)(HOST = db1.example.net)(PORT = 1526))
    (CONNECT_DATA = (SERVER = DEDICATED)(SERVICE_NAME = payprd.example.net))
  )
OLD = (DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=db9)(PORT=1521))(CONNECT_DATA=(SID=OLD)))
RAC = (DESCRIPTION=(FAILOVER=on)(ADDRESS_LIST=(ADDRESS=(PROTOCOL=TCP)(HOST=n1)(PORT=1521))
  (ADDRESS=(PROTOCOL=TCP)(HOST=n2)(PORT=1521)))(CONNECT_DATA=(SERVICE_NAME=rac)))
SAFE = (DESCRIPTION=(ADDRESS=(PROTOCOL=TCPS)(HOST=db3)(PORT=2484))(CONNECT_DATA=(SERVICE_NAME=safe)))
"""


def test_a_csv_is_read_by_the_names_of_its_columns():
    first, second = read_list(CSV)

    assert first.address == {"host": "db1.example.net", "port": 1521, "service": "payprd.example.net"}
    assert (first.name, first.username, first.password) == ("PAYPRD", "HEADROOM", "secret")
    assert (first.time_zone, first.group, first.environment) == ("Europe/Berlin", "Payments", "production")
    assert (first.line, second.line) == (2, 3)
    assert second.address["port"] == 1521
    assert not first.problem
    assert "secret" not in repr(first)


def test_a_csv_of_another_country_has_semicolons_and_a_mark_before_its_first_letter():
    [row] = read_list("\ufeffName;Host;SID\nOLD;db9;OLD\n")

    assert (row.name, row.address) == ("OLD", {"host": "db9", "port": 1521, "sid": "OLD"})


def test_a_tnsnames_gives_an_instance_for_each_of_its_names():
    rows = {row.name: row for row in read_list(TNSNAMES)}

    assert list(rows) == ["PAYPRD", "PAY", "OLD", "RAC", "SAFE"]
    assert rows["PAY"].address == {"host": "db1.example.net", "port": 1526, "service": "payprd.example.net"}
    assert rows["OLD"].address == {"host": "db9", "port": 1521, "sid": "OLD"}
    assert rows["RAC"].address["descriptor"].startswith("(DESCRIPTION=(FAILOVER=on)")
    assert "PROTOCOL=TCPS" in rows["SAFE"].address["descriptor"]
    assert rows["PAYPRD"].where == "db1.example.net:1526/payprd.example.net"
    assert [row.problem for row in rows.values()] == [""] * 5


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (",db1,1521,svc,u,p,,,", "It has no name."),
        ("A,,1521,svc,u,p,,,", "It has no host."),
        ("A,db1,1521,,u,p,,,", "It has neither a service nor a SID."),
        ("A,db1,x,svc,u,p,,,", "“x” is not a port; give a number from 1 to 65535."),
        ("A,db1,70000,svc,u,p,,,", "“70000” is not a port; give a number from 1 to 65535."),
        ("A,db1,1521,svc,u,p,Moon/Crater,,", "“Moon/Crater” is not a time zone; give one such as Europe/Berlin."),
        (f"A,db1,{'9' * 5000},svc,u,p,,,", f"“{'9' * 20}” is not a port; give a number from 1 to 65535."),
        (f"A,db1,1521,svc,u,p,,{'g' * 81},", "Its group has 81 letters; at most 80 are possible."),
        (f"A,{'h' * 5000},1521,svc,u,p,,,", "The host has 5,000 characters; at most 255 are possible."),
        ("A\0,db1,1521,svc,u,p,,,", "It has a character in it that nobody can type; enter it again."),
        ("Payprd,db1,1521,svc,u,p,,,", "There is a target named Payprd already."),
        (f"{'A' * 81},db1,1521,svc,u,p,,,", "Its name has 81 letters; at most 80 are possible."),
    ],
)  # fmt: skip
def test_a_row_says_what_is_wrong_with_it(line, problem):
    [row] = read_list(f"{CSV.splitlines()[0]}\n{line}\n", registered=["PAYPRD"])

    assert row.problem == problem


def test_a_name_that_comes_twice_counts_once():
    head = CSV.splitlines()[0]

    first, second = read_list(f"{head}\nA,h,,s,,,,,\na,h,,s,,,,,\n")

    assert (first.problem, second.problem) == ("", "a is in the list twice; the first one counts.")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The list is empty"),
        ("host,port\nx,1\n", "“name” is missing"),
        ("name,colour\nx,red\n", "There is no column colour"),
        ("name,host\n", "No instance was found"),
    ],
)
def test_a_text_that_is_no_list_is_refused_as_a_whole(text, sentence):
    with pytest.raises(UnreadableList, match=sentence):
        read_list(text)


@pytest.mark.parametrize("port", ["x", "9" * 5000, "0", "-1", "1e3"])
def test_S11_a_port_of_a_tnsnames_that_is_none_is_told(port):
    [row] = read_list(f"A = (DESCRIPTION=(ADDRESS=(HOST=x)(PORT={port}))(CONNECT_DATA=(SID=S)))")

    assert row.problem == f"“{port[:20]}” is not a port; give a number from 1 to 65535."


@pytest.mark.parametrize("brackets", ["(DESCRIPTION=" * 10_000, "(X=" * 200_000])
def test_S11_a_descriptor_that_nests_without_end_does_not_end_the_process(brackets):
    closed = f"{brackets}{')' * brackets.count('(')}"
    [row] = read_list(f"A = (DESCRIPTION={closed})")

    assert row.problem.startswith("The descriptor has ")
    assert row.problem.endswith("characters; at most 4,000 are possible.")


@pytest.mark.parametrize(
    "text",
    [
        f"A\n{' ' * 900_000}\nB = (DESCRIPTION=)",
        f"A{' ' * 900_000}x = (DESCRIPTION=)",
        "A = (DESCRIPTION=)\n" * 50_000,
        "A = (DESCRIPTION=\n" * 50_000,
        "A = (DESCRIPTION=)" + "=" * 900_000,
    ],
    ids=["a line of blanks", "blanks within", "many", "many that do not close", "equal signs"],
)
def test_S12_a_long_list_is_read_without_going_through_it_again_and_again(text):
    began = time.process_time()

    with suppress(UnreadableList):
        read_list(text)

    assert time.process_time() - began < 30


def test_an_entry_whose_brackets_do_not_close_is_told():
    [row] = read_list("A = (DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=x)")

    assert row.problem == "Its brackets do not close."


@given(some.text(max_size=400))
def test_any_text_is_a_list_or_refused(text):
    try:
        rows = read_list(text)
    except UnreadableList:
        return
    assert all(row.line >= 1 for row in rows)


@given(
    some.lists(
        some.sampled_from(["A", "=", "(DESCRIPTION=", "(HOST=x)", ")", "\n", "#", ",", "(SID=y)"]),
        max_size=40,
    )
)
def test_any_brackets_are_a_list_or_refused(parts):
    try:
        rows = read_list("".join(parts))
    except UnreadableList:
        return
    assert all(row.line >= 1 for row in rows)
