"""Oracle Database, as the core sees it."""

from pathlib import Path

from apps.platforms.oracle.causes import CAUSES
from apps.platforms.oracle.courses import COURSES
from apps.platforms.oracle.details import DETAILS
from apps.platforms.oracle.guests import FILE_LEVEL, GUESTS
from apps.platforms.oracle.metrics import METRICS
from apps.platforms.oracle.process_names import PROCESS_NAMES
from apps.platforms.oracle.registration import REGISTRATION, REPORTS, SESSIONS
from apps.platforms.oracle.splits import SPLITS
from apps.platforms.oracle.subjects import NEIGHBOURHOODS, SUBJECTS
from apps.platforms.platform import Platform

PLATFORM = Platform(
    packs=Path(__file__).parent / "packs",
    key="oracle",
    label="Oracle Database",
    metrics=METRICS,
    collectors={"oracle": "apps.platforms.oracle.collector.OracleCollector"},
    places={"oracle": "apps.platforms.oracle.address.receiver_of"},
    testers={"oracle": "apps.platforms.oracle.preflight.test_account"},
    registrations=[REGISTRATION],
    sessions=[SESSIONS],
    reads="apps.platforms.oracle.grants.reads",
    files=REPORTS,
    history={"oracle": "apps.platforms.oracle.history.session.open_history"},
    details=DETAILS,
    splits=SPLITS,
    neighbourhoods=NEIGHBOURHOODS,
    subjects=SUBJECTS,
    guests=GUESTS,
    file_level=FILE_LEVEL,
    process_names=PROCESS_NAMES,
    causes=CAUSES,
    rules="apps.platforms.oracle.rules",
    calculators="apps.platforms.oracle.calculators",
    courses=COURSES,
)
