"""Oracle Database, as the core sees it."""

from pathlib import Path

from apps.platforms.oracle.beside import BESIDE, SOURCES
from apps.platforms.oracle.categories import CATEGORIES
from apps.platforms.oracle.collector import OracleCollector
from apps.platforms.oracle.courses import COURSES
from apps.platforms.oracle.details import DETAILS
from apps.platforms.oracle.metrics import METRICS
from apps.platforms.platform import Platform

PLATFORM = Platform(
    packs=Path(__file__).parent / "packs",
    key="oracle",
    label="Oracle Database",
    metrics=METRICS,
    collectors={"oracle": OracleCollector()},
    categories=CATEGORIES,
    details=DETAILS,
    beside=BESIDE,
    sources=SOURCES,
    courses=COURSES,
)
