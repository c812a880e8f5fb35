"""
The same collector against a database that this project did not write: one that HEADROOM_TEST_ORACLE_DSN names.

    HEADROOM_TEST_ORACLE_DSN=HEADROOM/password@host:1521/FREEPDB1 make test ARGS="-k real_database"

Without the variable there is nothing here to run. The account needs the grants of docs/what-headroom-reads.md.
"""

import os
import re

from apps.inventory.models import Target
from apps.platforms.oracle.collector import Run
from apps.platforms.oracle.connect import Login

DSN = os.environ.get("HEADROOM_TEST_ORACLE_DSN", "")

if DSN:

    def test_a_real_database_is_read_in_full():
        parts = re.fullmatch(r"([^/]+)/(.+)@([^:/]+):(\d+)/(.+)", DSN)
        assert parts, "Give HEADROOM_TEST_ORACLE_DSN as user/password@host:port/service."
        user, password, host, port, service = parts.groups()
        target = Target(
            name="real",
            kind=Target.Kind.INSTANCE,
            platform="oracle",
            collector="oracle",
            address={"host": host, "port": int(port), "service": service},
        )

        collected = Run(target, [Login(user, password)]).collect()

        assert [(source.name, source.error) for source in collected.failed] == []
        assert sum(len(source.readings) for source in collected.sources) > 500
        assert collected.facts["version"]
