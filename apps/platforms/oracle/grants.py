"""What an account must be allowed: single grants, the whole script, and the page that says what Headroom reads."""

from collections.abc import Iterable
from pathlib import Path

from apps.platforms.oracle.guard import views_in
from apps.platforms.oracle.history_queries import STATEMENTS as OF_HISTORY
from apps.platforms.oracle.queries import OF_ROOT, QUERIES, Query, statements, statements_for
from apps.platforms.oracle.versions import SCOPES, Release, Scope, State
from apps.platforms.reads import Reads, SourceRead

READ_GRANTS_SINCE: Release = (12, 1, 0, 2)  # READ cannot lock rows, SELECT can

STATES = {
    State.STARTED: "always",
    State.MOUNTED: "once the database is mounted",
    State.OPEN: "once the database is open",
}


def underlying(view: str) -> str:
    """What is granted, with its owner: v$sysstat is a synonym of sys.v_$sysstat, and grants go to the view itself."""
    if "." in view:
        return view
    return f"sys.{view.replace('v$', 'v_$', 1) if view.startswith(('v$', 'gv$')) else view}"


def grant(views: Iterable[str], username: str, release: Release = READ_GRANTS_SINCE) -> str:
    """The grants that let an account read these views, as SQL on one line."""
    right = "READ" if release >= READ_GRANTS_SINCE else "SELECT"
    return " ".join(f"GRANT {right} ON {underlying(view)} TO {username};" for view in sorted(views))


def views_read(scopes: Iterable[Scope] = SCOPES) -> list[str]:
    """Every view that is read in any of these kinds of session."""
    return sorted(
        {view for scope in scopes for query, sql in statements_for(scope) for view in views_in(sql)}
    )


def needs_of(view: str) -> State:
    """How far an instance must be up before the view answers."""
    name = view.replace("cdb_", "dba_", 1)
    return max((query.needs for query in QUERIES if name in views_of(query)), default=State.STARTED)


def grants_script(
    username: str, *, is_container: bool, has_catalog_role: bool, release: Release = (19,)
) -> str:
    """
    The script that makes the account, for a DBA to read and run.

    `is_container`: a common user for the root of a container database and all its pluggable databases, else a user of
    one database. `has_catalog_role`: SELECT_CATALOG_ROLE in place of one grant for each view.
    """
    everywhere = " CONTAINER=ALL" if is_container else ""
    lines = [
        f"-- Headroom reads, and does nothing else. {'Run in the root.' if is_container else 'Run in the database.'}",
        f'CREATE USER {username} IDENTIFIED BY "<password>"{everywhere};',
        f"GRANT CREATE SESSION TO {username}{everywhere};",
    ]
    if has_catalog_role:
        lines.append(f"GRANT SELECT_CATALOG_ROLE TO {username}{everywhere};")
    else:
        right = "READ" if release >= READ_GRANTS_SINCE else "SELECT"
        scopes = [scope for scope in SCOPES if scope.is_root == is_container]
        lines += [
            f"GRANT {right} ON {underlying(view)} TO {username}{everywhere};" for view in views_read(scopes)
        ]
    if is_container:
        lines += [
            "-- without this the pluggable databases look empty",
            f"ALTER USER {username} SET CONTAINER_DATA=ALL CONTAINER=CURRENT;",
        ]
    return "\n".join(lines) + "\n"


def views_of(query: Query) -> list[str]:
    """The views a query reads, in any release."""
    return sorted(
        {view for statement, _, sql in statements() if statement is query for view in views_in(sql)}
    )


def sources_read() -> list[SourceRead]:
    """Every statement with its views, its rhythm, its limit of time, and its text as it is sent to release 19."""
    plain = next(scope for scope in SCOPES if scope.release >= (19,) and not scope.is_root)
    root = next(scope for scope in SCOPES if scope.release >= (19,) and scope.is_root)
    return [
        SourceRead(
            views_of(query),
            STATES[query.needs],
            query.rhythm or "each time",
            query.seconds,
            query.sql(root if query in OF_ROOT else plain),
        )
        for query in QUERIES
    ] + [
        SourceRead(
            sorted(views_in(query.sql(plain))),
            STATES[query.needs],
            query.rhythm,
            query.seconds,
            query.sql(plain),
        )
        for query in OF_HISTORY
    ]


def scripts() -> list[tuple[str, str]]:
    """The grants scripts: without and with containers, with a grant for each view and with SELECT_CATALOG_ROLE."""
    return [
        (
            title,
            grants_script(
                "C##HEADROOM" if is_container else "HEADROOM",
                is_container=is_container,
                has_catalog_role=has_role,
            ),
        )
        for title, is_container, has_role in SCRIPTS
    ]


def reads() -> Reads:
    """What the page “What Headroom reads” says of the database."""
    sources = sources_read()
    return Reads(
        nothing_of="that needs the Diagnostics or the Tuning Pack",
        guard="Every statement passes a guard before it is sent to an Oracle database. The guard knows the views below and"
        " refuses anything else, however it is written.",
        views_aside=f"{len(sources)} statements; in the root of a container database cdb_ stands in for dba_",
        grants_aside="for a DBA to read and run; SELECT ANY DICTIONARY in place of the list works as well",
        sources=sources,
        scripts=scripts(),
    )


def page() -> str:
    """The text of docs/what-headroom-reads.md."""
    sources = sources_read()
    rows = [
        f"| {', '.join(f'`{view}`' for view in source.views)} | {source.answers} | {source.rhythm} | {source.seconds:.0f} s |"
        for source in sources
    ]
    listed = "\n\n".join(f"```sql\n{source.sql}\n```" for source in sources)
    parts = [PAGE_TOP, PAGE_VIEWS, *rows, "", PAGE_GRANTS]
    for title, script in scripts():
        parts += [f"### {title}", "", f"```sql\n{script}```", ""]
    return "\n".join([*parts, PAGE_STATEMENTS, listed, ""])


def write() -> None:
    """Write what is made from the statements: the page, and the accounts of a database to test against."""
    Path("docs/what-headroom-reads.md").write_text(page())
    for name, script in accounts_for_tests().items():
        Path(".ci/oracle/grants", name).write_text(script)


def accounts_for_tests() -> dict[str, str]:
    """The scripts with a grant for each view, by the names they have beside docker-compose.yml."""
    made = [script for (_, _, has_role), (_, script) in zip(SCRIPTS, scripts(), strict=True) if not has_role]
    return dict(zip(("database.sql", "container-database.sql"), made, strict=True))


SCRIPTS = [
    ("One database, a grant for each view", False, False),
    ("One database, with SELECT_CATALOG_ROLE", False, True),
    ("Container database, a grant for each view", True, False),
    ("Container database, with SELECT_CATALOG_ROLE", True, True),
]

PAGE_TOP = """\
# What Headroom reads

Headroom only reads, and only what comes with the database itself: no view of the Diagnostics or the Tuning Pack, no
AWR, no ASH. Every statement passes a guard before it is sent. The guard knows the views below and refuses anything
else, however it is written; a test holds every shipped statement, and many attempts to get around it, against the
guard.

This page is made from the statements themselves.
"""

PAGE_VIEWS = """\
## Views

In the root of a container database the `cdb_` view stands in for the `dba_` one.

| views of one statement | answers | read, at most | a round trip may take |
| --- | --- | --- | --- |"""

PAGE_GRANTS = """\
## Grants

SELECT ANY DICTIONARY in place of either list works as well. Before 12.1.0.2 there is no READ: say SELECT. Let the
account's password neither expire nor be locked by failed tries: Headroom stops after the first wrong password until
somebody gives a new one.
"""

PAGE_STATEMENTS = """\
## Statements

As they are sent to a database of release 19 without containers, those about pluggable databases to a root. Each session calls itself `Headroom` (module) and
names the view it is reading (action). `:names` are segments that were at the head of a list within five weeks, or statistics of the catalogue, bound one by one;
`:low` and `:high` are Statspack's snapshots of one day. Statspack's tables need grants of their own, which the page of an instance's history shows where they are missing.
"""


if __name__ == "__main__":
    write()
