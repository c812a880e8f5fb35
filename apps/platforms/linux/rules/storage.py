"""Devices and filesystems of a host."""

from apps.advisors.engine.finding_rules import Classification, FindingRule, RuleParameter
from apps.platforms.linux.rules.inputs import (
    DISK_QUEUE,
    FILESYSTEM_PCT,
    HOST_QUEUE,
    LUN_QUEUE,
    QUEUE_DEPTH,
)

LUN_HOST_QUEUE = FindingRule(
    key="LUN_HOST_QUEUE",
    title="Requests wait on the host, not in the device",
    subject="storage",
    classification=Classification.CAPACITY,
    inputs=(HOST_QUEUE, LUN_QUEUE),
    parameters=(
        RuleParameter(
            key="min_wait", label="requests on the host", default=1, least=0, most=10_000, unit="requests"
        ),
        RuleParameter(
            key="share", label="of all that wait, on the host", default=30, least=0, most=100, unit="%"
        ),
    ),
    condition=lambda inputs: (
        inputs.host_disk_host_queue >= inputs.min_wait
        and inputs.host_disk_host_queue
        >= inputs.share / 100 * (inputs.host_disk_host_queue + inputs.host_disk_lun_queue)
    ),
    fires_when="queue on the host ≥ {min_wait} and ≥ {share} of host and device",
    meaning="The queue of the device is full: the array cannot sort or merge what waits, and asynchronous I/O loses its worth.",
    actions=(
        "Raise the queue depth step by step as long as responses stay as quick: 30 for a device, 256 for a port.",
        "Limit at the adapter, not at the driver.",
        "Watch the system log: too deep a queue ends in resets.",
        "More devices or paths where the array is at its limit.",
    ),
    source="planning method",
)
LUN_DEPTH_LOW = FindingRule(
    key="LUN_DEPTH_LOW",
    title="The queue depth of a device is very low",
    subject="storage",
    classification=Classification.PERFORMANCE,
    inputs=(QUEUE_DEPTH, DISK_QUEUE),
    condition=lambda inputs: inputs.host_disk_queue_depth <= 8 and inputs.host_disk_queue >= 1,
    fires_when="depth ≤ 8, requests outstanding ≥ 1",
    meaning="So few requests in a device, as makers advise for the worst case, keep the others waiting on the host.",
    actions=("Set about 30 and measure; never more than 256.",),
    source="planning method",
)
FS_FULL = FindingRule(
    key="FS_FULL",
    title="A filesystem is nearly full",
    subject="space",
    classification=Classification.CAPACITY,
    inputs=(FILESYSTEM_PCT,),
    condition=lambda inputs: inputs.host_fs_used_pct >= 85,
    critical=lambda inputs: inputs.host_fs_used_pct >= 95,
    fires_when="used ≥ 85 %; critical ≥ 95 %",
    meaning="What cannot be written stops whoever writes it.",
    actions=("Extend it, or clean up: archived logs and traces first.",),
    source="usual practice",
)
