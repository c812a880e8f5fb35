"""No statement that needs a licensed pack gets past the guard."""

import pytest

from apps.platforms.oracle.grants import views_read
from apps.platforms.oracle.guard import LICENSED, READABLE, RefusedStatement, check, views_in
from apps.platforms.oracle.queries import statements


@pytest.mark.parametrize(
    ("query", "scope", "sql"),
    [pytest.param(*each, id=f"{each[0].name} {each[1].release}") for each in statements()],
)
def test_every_shipped_statement_may_be_sent(query, scope, sql):
    assert check(sql) == sql
    assert views_in(sql)


def test_every_view_read_is_free_of_licences():
    assert {view.replace("cdb_", "dba_") for view in views_read()} <= READABLE
    assert not [view for view in READABLE for name in LICENSED if name in view]


@pytest.mark.parametrize(
    "sql",
    [
        "select * from dba_hist_sysstat",
        "select * from Dba_Hist_SysStat",
        'select * from "DBA_HIST_SYSSTAT"',
        'select * from sys . "DBA_HIST_SYSSTAT"',
        "select * from sys./* nothing */dba_hist_sysstat",
        "select * from\n\tdba_hist_sysstat",
        "select * from cdb_hist_sysstat",
        "select * from awr_root_sysstat",
        "select * from v$active_session_history",
        "select * from sys.v_$active_session_history",
        "select * from gv$active_session_history",
        "select /* harmless */ count(*) from v$sysstat, dba_hist_snapshot",
        "select 1 from dual; select * from dba_hist_sysstat",
        "with x as (select * from dba_hist_sysstat) select * from x",
        "with dba_hist_sysstat as (select 1 from dual) select * from dba_hist_sysstat",
        "select (select count(*) from dba_hist_sysstat) from dual",
        "select 1 from dual where exists (select 1 from dba_addm_findings)",
        "select 1 from dual union all select 1 from dba_hist_snapshot",
        "select dbms_xmlgen.getxml('select * from dba_' || 'hist_sysstat') from dual",
        "select dbms_xmlgen.getxml('select 1 from ' || chr(100) || 'ba' || '_hist_sysstat') from dual",
        "select dbms_xmlgen.getxml(reverse('tatssys_tsih_abd morf 1 tceles')) from dual",
        "select extractvalue(xmltype(dbms_xmlgen.getxml('x')), '/y') from dual",
        "select * from xmltable('x' passing dbms_xmlgen.getxmltype('select 1 from dual'))",
        "select * from table(dbms_workload_repository.awr_report_text(1, 1, 1, 2))",
        "select * from table(some_package.rows('x'))",
        "begin execute immediate 'select 1 from dual'; end;",
        "declare x number; begin null; end;",
        "with function f return number is begin return 1; end; select f from dual",
        "select f('x') from dual",
        "select * from v$sysstat@elsewhere",
        "select * from x$ash",
        "select * from x$ksllt",
        "select * from wrh$_sysstat",
        "select * from v$sql_monitor",
        "select dbms_sqltune.report_sql_monitor() from dual",
        "select sys.dbms_addm.get_report('x') from dual",
        "select utl_http.request('http://example.com') from dual",
        "select * from dba_users",
        "select * from other.v$sysstat",
        "select * from unknown_view",
        "select value from v$sysstat for update",
        "select name into x from v$sysstat",
        "update v$sysstat set value = 1",
        "delete from v$sysstat",
        "create table t as select * from v$sysstat",
        "alter system flush shared_pool",
        "grant dba to headroom",
        "call dbms_workload_repository.create_snapshot()",
        "",
        "select",
    ],
)
def test_nothing_else_may_be_sent(sql):
    with pytest.raises(RefusedStatement):
        check(sql)


def test_a_view_is_known_by_all_its_names():
    assert views_in('select 1 from SYS."V_$SYSSTAT"') == {"v$sysstat"}
    assert views_in("select 1 from cdb_data_files") == {"cdb_data_files"}


def test_views_of_a_recovery_catalog_may_be_read_in_a_schema_of_any_plain_name():
    sql = "select db_key from RMAN_19.rc_database"
    assert views_in(sql) == {"rman_19.rc_database"}


@pytest.mark.parametrize(
    "sql",
    [
        "select * from rc_database",
        "select * from sys.rc_database",
        'select * from "rman x".rc_database',
        "select * from rman.rc_backup_set",
        "select * from rman.dba_hist_sysstat",
    ],
)
def test_nothing_else_of_a_catalog_may_be_read(sql):
    with pytest.raises(RefusedStatement):
        check(sql)
