"""Courses of action for Oracle instances, by family of statistics and diagnosis."""

from apps.advisors.plan_outlines import PlanOutline
from apps.platforms.oracle.sections import MEMORY, REDO, SESSIONS, SPACE, WAITS, WORKLOAD

METHOD = "Manoharan, redo study, 2008"
USUAL = "Usual practice"

COURSES = [
    PlanOutline(
        key="redo-path",
        name="Slow redo path",
        family=WAITS.title,
        diagnosis="",
        source=METHOD,
        steps=(
            ("Measure the redo path at file, volume and LUN, with the commits per second beside it", 4),
            ("Compute how long the log buffer and a member last at the redo rate", 1),
            ("Enlarge log buffer and members", 2),
            ("Move the redo LUNs to write-cached storage that nothing else uses", 10),
            ("Measure a week before and a week after: waits, work and run queue", 7),
            ("Accept or plan for what became slower instead", 3),
        ),
    ),
    PlanOutline(
        key="redo-volume",
        name="More redo than agreed",
        family=REDO.title,
        diagnosis="",
        source=METHOD,
        steps=(
            ("Find what wrote: redo by segment and by service", 2),
            ("Check member size and switch interval", 3),
            ("Ask the load team what was written twice; use direct loads where that is allowed", 5),
            ("Decide: spread the load, or more redo throughput", 10),
        ),
    ),
    PlanOutline(
        key="wait-performance",
        name="A wait that grew alone",
        family=WAITS.title,
        diagnosis="performance",
        source=USUAL,
        steps=(
            ("See since when: restarts, changed parameters, releases of the application on that day", 1),
            ("Find the statements and objects that wait", 2),
            ("Change the statement, its statistics or its indexes; one change at a time", 5),
            ("Measure a week before and a week after", 7),
        ),
    ),
    PlanOutline(
        key="wait-capacity",
        name="Waits that grow with the work",
        family=WAITS.title,
        diagnosis="capacity",
        source=USUAL,
        steps=(
            ("Say which work grew, whose it is, and whether it will go on", 2),
            ("Compare the response per file with that of its devices", 2),
            ("Add what is short: devices, cache or cores", 30),
            ("Measure a week before and a week after", 7),
        ),
    ),
    PlanOutline(
        key="space-capacity",
        name="A tablespace that fills",
        family=SPACE.title,
        diagnosis="",
        source=USUAL,
        steps=(
            ("Find the segments that grew, and whether they may be archived or compressed", 2),
            ("Check autoextend against the disk group: is the room really there", 1),
            ("Add files, or order storage: name size and day", 14),
            ("Set the limit to the new size", 1),
        ),
    ),
    PlanOutline(
        key="memory-performance",
        name="Memory of an instance",
        family=MEMORY.title,
        diagnosis="",
        source=USUAL,
        steps=(
            ("Find the sessions with the largest work areas, and what they sort", 2),
            ("Compare target and use of PGA and SGA over 90 days", 1),
            ("Change the target; on a host with room, and in huge pages", 7),
            ("Watch for a week, then close", 7),
        ),
    ),
    PlanOutline(
        key="sessions-capacity",
        name="Sessions near their limit",
        family=SESSIONS.title,
        diagnosis="",
        source=USUAL,
        steps=(
            ("Find the pool that grew", 1),
            ("Limit the pools: clients times pool size, against cores", 3),
            ("Raise processes where the sessions are needed; plan the restart", 7),
        ),
    ),
    PlanOutline(
        key="workload-capacity",
        name="More work than before",
        family=WORKLOAD.title,
        diagnosis="",
        source=USUAL,
        steps=(
            ("Find the statements and services whose work grew", 2),
            ("Ask the application whether it will go on: new users, new functions, a loop", 3),
            ("Spread it over the day, make it cheaper, or plan more cores", 20),
        ),
    ),
]
