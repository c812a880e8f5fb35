import asyncio
from datetime import timedelta
from decimal import Decimal

import oracledb
import pytest

from testing.oracle_server import OracleServer, instance

from .conftest import ask, at, complaint


def test_values_come_back_as_a_real_database_sends_them(fetch):
    (row,) = fetch("select 1, 2.5, 'text', sysdate, cast(null as date), 0.1 + 0.2, 1e30, -17, '' from dual")

    assert row == (1, 2.5, "text", at("2026-03-02 11:00"), None, pytest.approx(0.3), 10**30, -17, None)
    assert [type(value) for value in row[:3]] == [int, float, str]


def test_columns_are_described_even_if_there_are_no_rows(connection):
    with connection.cursor() as cursor:
        cursor.execute("select name, value, startup_time from v$sysstat cross join v$instance where 1 = 0")
        described = [(column[0], column[1]) for column in cursor.description]

    assert described == [
        ("NAME", oracledb.DB_TYPE_VARCHAR),
        ("VALUE", oracledb.DB_TYPE_NUMBER),
        ("STARTUP_TIME", oracledb.DB_TYPE_DATE),
    ]


@pytest.mark.parametrize(
    ("sql", "names"),
    [
        ("select count(*), sysdate - 1 from dual", ["COUNT(*)", "SYSDATE-1"]),
        ('select dummy d, dummy as "Mixed", dual.dummy from dual', ["D", "Mixed", "DUMMY"]),
        ("select nvl(sum(value), 0) from v$sysstat", ["NVL(SUM(VALUE),0)"]),
        ("with x as (select 1 a from dual) select x.*, a + 1 from x", ["A", "A+1"]),
    ],
)
def test_result_columns_have_the_names_oracle_gives_them(connection, sql, names):
    with connection.cursor() as cursor:
        cursor.execute(sql)

        assert [column[0] for column in cursor.description] == names


def test_timestamps_and_time_zones_keep_their_types(connection):
    with connection.cursor() as cursor:
        cursor.execute(
            "select systimestamp, sys_extract_utc(systimestamp), to_char(systimestamp, 'TZH:TZM'), "
            "sysdate - startup_time, systimestamp - interval '1' hour from v$instance"
        )
        kinds = [column[1] for column in cursor.description]
        row = cursor.fetchone()

    assert kinds[:2] == [oracledb.DB_TYPE_TIMESTAMP_TZ, oracledb.DB_TYPE_TIMESTAMP]
    assert kinds[3:] == [oracledb.DB_TYPE_NUMBER, oracledb.DB_TYPE_TIMESTAMP_TZ]
    assert row == (
        at("2026-03-02 11:00"),
        at("2026-03-02 10:00"),
        "+01:00",
        40,
        at("2026-03-02 10:00"),
    )


def test_binds_work_by_name_and_by_place(fetch):
    by_name = fetch("select :a, :b, :a from dual where :c is null", {"a": 5, "b": "höhe", "c": None})
    by_place = fetch("select :1 + :2 from dual", [40, Decimal("2.5")])
    moments = fetch("select :d + 1, :t from dual", {"d": at("2026-01-01"), "t": timedelta(days=2, hours=1)})

    assert by_name == [(5, "höhe", 5)]
    assert by_place == [(42.5,)]
    assert moments == [(at("2026-01-02"), timedelta(days=2, hours=1))]


def test_long_texts_travel_in_pieces(fetch):
    text = "ä" * 20_000

    assert fetch("select length(:x), :x from dual", {"x": text}) == [(20_000, text)]


def test_a_statement_runs_again_with_other_binds(connection):
    with connection.cursor() as cursor:
        answers = [
            cursor.execute("select :x from dual", [value]).fetchone()[0] for value in (1, 2, "three", None, 4)
        ]

    assert answers == [1, 2, "three", None, 4]


def test_many_binds_run_a_block_many_times(server, connection):
    with connection.cursor() as cursor:
        cursor.executemany("begin dbms_application_info.set_module(:1, null); end;", [["a"], ["b"]])

    assert "set_module" in server.statements[-1].sql


@pytest.mark.parametrize("arraysize", [1, 7, 100, 5000])
@pytest.mark.parametrize("prefetch", [0, 2, 1000])
def test_all_rows_arrive_whatever_is_fetched_at_once(connection, arraysize, prefetch):
    with connection.cursor() as cursor:
        cursor.arraysize, cursor.prefetchrows = arraysize, prefetch
        cursor.execute("select name, value, stat_id from v$sysstat where rownum <= 300")
        rows = cursor.fetchall()

    assert len({row[0] for row in rows}) == 300


def test_the_last_rows_may_fill_a_fetch_exactly(connection):
    with connection.cursor() as cursor:
        cursor.arraysize, cursor.prefetchrows = 5, 5
        cursor.execute("select name from v$sysstat where rownum <= 10")

        assert len(cursor.fetchall()) == 10
        assert cursor.rowcount == 10


def test_numbers_beyond_64_bits_stay_exact(fetch):
    assert fetch("select next_change# from v$log where status = 'CURRENT'") == [(9295429630892703743,)]
    assert fetch("select next_change# - 1 from v$log where status = 'CURRENT'") == [(9295429630892703742,)]


def test_a_pipeline_is_answered_call_by_call(clock):
    async def visit(dsn: str) -> list[object]:
        async with oracledb.connect_async(user="headroom", password="secret", dsn=dsn) as connection:
            pipeline = oracledb.create_pipeline()
            pipeline.add_fetchone("select 1 from dual")
            pipeline.add_fetchall("select instance_name from v$instance")
            pipeline.add_fetchone("select nothing from dual")
            results = await connection.run_pipeline(pipeline, continue_on_error=True)
            return [result.rows or result.error.full_code for result in results]

    database = instance("DWPRD", release="23.5.0.0.0", clock=clock)
    with OracleServer(database, users={"HEADROOM": "secret"}, latency=0.01) as server:
        answers = asyncio.run(visit(server.dsn))

    assert answers == [[(1,)], [("DWPRD",)], "ORA-00904"]


def test_a_data_frame_can_be_fetched(connection):
    frame = connection.fetch_df_all("select stat_name, value from v$osstat where stat_name = 'NUM_CPUS'")

    assert frame.column_names() == ["STAT_NAME", "VALUE"]
    assert frame.num_rows() == 1


@pytest.mark.parametrize(
    ("sql", "code", "offset"),
    [
        ("select nonsense from v$instance", "ORA-00904", 7),
        ("select i.nonsense from v$instance i", "ORA-00904", 7),
        ("select strftime('%Y') from dual", "ORA-00904", 7),
        ("select 1 from v$nonsense", "ORA-00942", 14),
        ("select 1 from other.v$instance", "ORA-00942", 14),
        ("select from dual", "ORA-00936", 7),
        ("select 1", "ORA-00923", 8),
        ("select 1 frm dual", "ORA-00933", None),
        ("select 1 from dual;", "ORA-00933", 18),
        ("select 1 from dual limit 1", "ORA-00933", 19),
        ("select 1 from dual as d", "ORA-00933", 19),
        ("select (1 from dual", "ORA-00907", None),
        ("selec 1 from dual", "ORA-00900", None),
        ("select true from dual", "ORA-00904", 7),
        ("select status from v$instance, v$log", "ORA-00918", 7),
        ("select name, sum(value) from v$sysstat group by class", "ORA-00979", 7),
        ("select name, sum(value) from v$sysstat", "ORA-00937", 7),
        ("select name from v$sysstat where sum(value) > 1", "ORA-00934", None),
        ("select 1 / 0 from dual", "ORA-01476", None),
        ("select to_number('abc') from dual", "ORA-01722", None),
        ("select to_date('31.02.2026', 'DD.MM.YYYY') from dual", "ORA-01839", None),
        ("select to_char(sysdate, 'QQQQX') from dual", "ORA-01821", None),
        ("select 1 from dual union select 1, 2 from dual", "ORA-01789", None),
        ("select sys_context('userenv', 'nonsense') from dual", "ORA-02003", None),
        ("insert into v$instance values (1)", "ORA-02030", None),
        ("create table t (a number)", "ORA-01031", None),
    ],
)
def test_a_wrong_statement_is_told_where_and_why(connection, sql, code, offset):
    with connection.cursor() as cursor:
        error = complaint(cursor.execute, sql)

    assert error.full_code == code
    assert offset is None or error.offset == offset


def test_the_session_goes_on_after_an_error(connection):
    with connection.cursor() as cursor:
        complaint(cursor.execute, "select nonsense from dual")

        assert cursor.execute("select 1 from dual").fetchone() == (1,)


def test_release_11_does_not_know_fetch_first(clock):
    sql = "select name from v$sysstat fetch first 2 rows only"
    with OracleServer(
        instance("OLD", release="11.2.0.4.0", clock=clock), users={"HEADROOM": "secret"}
    ) as server:
        error = complaint(ask, server, sql)

    assert error.full_code == "ORA-00933"


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("nvl(null, 'x') || nvl2(1, 'a', 'b')", "xa"),
        ("decode(3, 1, 'one', 3, 'three', 'many')", "three"),
        ("decode(null, null, 'none')", "none"),
        ("'a' || null || 'b'", "ab"),
        ("greatest(1, 5, 3) - least(4, 2)", 3),
        ("round(2.345, 2)", 2.35),
        ("round(-2.5)", -3),
        ("trunc(2.999, 1)", 2.9),
        ("trunc(-7.5)", -7),
        ("ceil(1.2) + floor(1.8) + mod(7, 3)", 4),
        ("10 / 4", 2.5),
        ("7 / 7", 1),
        ("power(2, 10)", 1024),
        ("substr('headroom', -4)", "room"),
        ("substr('headroom', 1, 4)", "head"),
        ("instr('headroom', 'o', 1, 2)", 7),
        ("instr('/u01/oradata/redo.log', '/', -1)", 13),
        ("upper('a') || lower('B') || initcap('cd')", "AbCd"),
        ("lpad('7', 3, '0') || rpad('x', 3, '.')", "007x.."),
        ("trim('  a ') || ltrim('xxa', 'x') || rtrim('a  ')", "aaa"),
        ("replace('a_b', '_', '-')", "a-b"),
        ("translate('v$log', '$', '_')", "v_log"),
        ("length('')", None),
        ("to_number(' 42 ')", 42),
        ("to_char(1234.5, 'FM9,999.00')", "1,234.50"),
        ("to_char(0.5)", ".5"),
        ("to_char(255, 'FMXX')", "FF"),
        ("to_char(date '2026-03-02', 'DY DD-MON-YYYY')", "MON 02-MAR-2026"),
        ("to_char(sysdate, 'YYYY-MM-DD\"T\"HH24:MI:SS')", "2026-03-02T11:00:00"),
        ("to_char(sysdate, 'IYYY-IW Q DDD SSSSS')", "2026-10 1 061 39600"),
        ("to_char(to_timestamp('2026-01-02 03:04:05.678', 'YYYY-MM-DD HH24:MI:SS.FF'), 'SS.FF3')", "05.678"),
        ("trunc(sysdate) - trunc(sysdate, 'MM')", 1),
        ("trunc(sysdate, 'IW')", at("2026-03-02")),
        ("to_date('2026-02-28 23:30', 'YYYY-MM-DD HH24:MI') + 1/24", at("2026-03-01 00:30")),
        ("add_months(date '2026-01-31', 1)", at("2026-02-28")),
        ("last_day(date '2028-02-03')", at("2028-02-29")),
        ("months_between(date '2026-03-02', date '2025-12-02')", 3),
        ("date '2026-01-01' + interval '36' hour", at("2026-01-02 12:00")),
        ("date '2026-01-31' + interval '1' month", at("2026-02-28")),
        ("date '2026-01-01' + numtodsinterval(90, 'MINUTE')", at("2026-01-01 01:30")),
        ("extract(day from (systimestamp - interval '2' day) - systimestamp)", -2),
        ("extract(year from sysdate)", 2026),
        ("cast('12' as number) + cast(2.7 as number(3))", 15),
        ("cast(12 as varchar2(10))", "12"),
        ("case when 1 = 2 then 'a' when null is null then 'b' end", "b"),
        ("regexp_replace('tbs_01', '[0-9]+', '')", "tbs_"),
        ("regexp_substr('a-b-c', '[^-]+', 1, 2)", "b"),
        ("coalesce(null, null, 3)", 3),
        ("nullif(1, 1)", None),
        ("user", "HEADROOM"),
        ("rawtohex('A')", "41"),
        ("q'[it's]'", "it's"),
        ("bitand(6, 3)", 2),
    ],
)
def test_functions_answer_as_oracle_does(fetch, expression, answer):
    assert fetch(f"select {expression} from dual")[0][0] == answer


@pytest.mark.parametrize(
    ("sql", "answer"),
    [
        ("select count(*) from v$sysstat where rownum <= 3", [(3,)]),
        ("select rownum from v$log where rownum < 3", [(1,), (2,)]),
        ("select rownum n, x from (select 'a' x from dual order by x) where rownum = 1", [(1, "a")]),
        ("select max(n) from (select rownum n from v$sysstat) where n between 5 and 7", [(7,)]),
        ("select count(*) from v$sysstat where rownum = 0", [(0,)]),
        ("select name from v$database fetch first 1 row only", [("DWPRD",)]),
        (
            (
                "select s.name from v$statname n, v$sysstat s where n.statistic# = s.statistic# (+) "
                "and n.name = 'redo size'"
            ),
            [("redo size",)],
        ),
        ("select 1 from dual minus select 2 from dual", [(1,)]),
        ("select count(distinct class) - count(distinct class) from v$sysstat", [(0,)]),
        ("select a from (select 2 a from dual union all select 1 from dual) order by a desc", [(2,), (1,)]),
        (
            "select nvl(x, 0) from (select null x from dual union all select 1 from dual) order by x",
            [(1,), (0,)],
        ),
        (
            (
                "select listagg(name, ',') within group (order by name desc) from v$sgainfo "
                "where name in ('Granule Size', 'Redo Buffers')"
            ),
            [("Redo Buffers,Granule Size",)],
        ),
        (
            (
                "select name, row_number() over (order by name) from v$sgainfo where name like '%Pool Size' "
                "and name not like 'J%' order by 2 fetch first 2 rows only"
            ),
            [("Large Pool Size", 1), ("Shared IO Pool Size", 2)],
        ),
        ("select count(*) from v$sysstat where name like 'REDO%'", [(0,)]),
        ("select ratio_to_report(1) over () from v$log", [(1 / 3,)] * 3),
        ("select thread#, count(*) from sys.v_$log group by thread# having count(*) > 1", [(1, 3)]),
        ("select /*+ ordered */ v$instance.status from v$instance", [("OPEN",)]),
        ("select (select count(*) from v$log l where l.thread# = i.thread#) from v$instance i", [(3,)]),
        ("select 1 from dual where exists (select 1 from v$log) and 'a' in ('a', 'b')", [(1,)]),
    ],
)
def test_queries_mean_what_they_mean_in_oracle(fetch, sql, answer):
    assert fetch(sql) == answer


def test_what_is_not_implemented_says_so(connection):
    with connection.cursor() as cursor:
        error = complaint(cursor.execute, "select level from dual connect by level <= 3")

    assert error.full_code == "ORA-03001"


def test_session_settings_and_transactions_are_accepted(connection):
    with connection.cursor() as cursor:
        cursor.execute("alter session set nls_date_format = 'YYYY-MM-DD'")
        cursor.execute("begin null; end;")
    connection.module = "collector"
    connection.commit()
    connection.rollback()
    connection.ping()
    with connection.cursor() as cursor:
        cursor.execute("select sys_context('userenv', 'module') from dual")

        assert cursor.fetchone() == ("collector",)
