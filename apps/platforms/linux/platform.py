"""Linux hosts: sysstat, /proc and /sys."""

from pathlib import Path

from apps.catalog.not_measurable import NotMeasurable
from apps.platforms.linux.causes import CAUSES
from apps.platforms.linux.courses import COURSES
from apps.platforms.linux.details import DETAILS
from apps.platforms.linux.device_level import DEVICE_LEVEL
from apps.platforms.linux.metrics import METRICS
from apps.platforms.linux.node_exporter.registration import NODE_EXPORTER, NODE_EXPORTER_REGISTRATION
from apps.platforms.linux.not_measurable import NOT_MEASURABLE, STATISTICS
from apps.platforms.linux.registration import (
    FILE_SOURCE,
    FILES,
    FILES_REGISTRATION,
    REGISTRATION,
    THIS_MACHINE,
)
from apps.platforms.linux.splits import SPLITS
from apps.platforms.linux.subjects import SUBJECTS
from apps.platforms.linux.trend_statistics import TREND_STATISTICS
from apps.platforms.linux.walks import SHORT_OF_CPU
from apps.platforms.platform import Platform

PLATFORM = Platform(
    packs=Path(__file__).parent / "packs",
    key="linux",
    label="Linux host",
    metrics=METRICS,
    collectors={
        "linux": "apps.platforms.linux.collector.LocalCollector",
        "linux-ssh": "apps.platforms.linux.ssh.SshCollector",
        NODE_EXPORTER: "apps.platforms.linux.node_exporter.collector.NodeExporterCollector",
        FILES: "apps.platforms.linux.files_collector.FilesCollector",
    },
    passive=(FILES,),
    not_measurable=NotMeasurable(by_way=NOT_MEASURABLE, statistics=STATISTICS, of_files=(FILES,)),
    files=FILE_SOURCE,
    places={
        "linux-ssh": "apps.platforms.linux.address.receiver_of",
        NODE_EXPORTER: "apps.platforms.linux.node_exporter.endpoint.receiver_of",
    },
    testers={
        "linux-ssh": "apps.platforms.linux.preflight.test_account",
        NODE_EXPORTER: "apps.platforms.linux.node_exporter.preflight.test_endpoint",
    },
    history={
        "linux": "apps.platforms.linux.history.open_local_history",
        "linux-ssh": "apps.platforms.linux.history.open_ssh_history",
    },
    registrations=[REGISTRATION, NODE_EXPORTER_REGISTRATION, FILES_REGISTRATION],
    this_machine=THIS_MACHINE,
    details=DETAILS,
    splits=SPLITS,
    subjects=SUBJECTS,
    device_level=DEVICE_LEVEL,
    trend_statistics=TREND_STATISTICS,
    walk=SHORT_OF_CPU,
    causes=CAUSES,
    rules="apps.platforms.linux.rules",
    calculators="apps.platforms.linux.calculators",
    courses=COURSES,
)
