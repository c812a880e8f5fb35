"""What an account must be allowed, and the page that says so."""

from pathlib import Path

from apps.platforms.oracle.grants import accounts_for_tests, grant, grants_script, page, views_read
from apps.platforms.oracle.versions import Scope

ROOT = Path(__file__).parents[4]
PAGE = ROOT / "docs" / "what-headroom-reads.md"


def test_the_page_is_current():
    assert PAGE.read_text() == page(), "Write the page again: python -m apps.platforms.oracle.grants"


def test_the_accounts_of_a_database_to_test_against_are_current():
    written = {path.name: path.read_text() for path in (ROOT / ".ci/oracle/grants").iterdir()}

    assert written == accounts_for_tests(), "Write them again: python -m apps.platforms.oracle.grants"


def test_grants_go_to_the_view_below_the_synonym():
    assert grant(["v$sysstat"], "HEADROOM", (19,)) == "GRANT READ ON sys.v_$sysstat TO HEADROOM;"
    assert grant(["dba_data_files"], "HEADROOM", (11, 2)) == "GRANT SELECT ON sys.dba_data_files TO HEADROOM;"


def test_the_script_grants_every_view_that_is_read():
    script = grants_script("HEADROOM", is_container=False, has_catalog_role=False)

    for view in views_read([Scope((19,))]):
        assert f" ON sys.{view.replace('v$', 'v_$')} TO HEADROOM;" in script
    assert "CONTAINER" not in script


def test_in_a_container_database_all_containers_are_shown():
    script = grants_script("C##HEADROOM", is_container=True, has_catalog_role=True)

    assert "SET CONTAINER_DATA=ALL CONTAINER=CURRENT;" in script
    assert "GRANT SELECT_CATALOG_ROLE TO C##HEADROOM CONTAINER=ALL;" in script
    assert " ON " not in script
