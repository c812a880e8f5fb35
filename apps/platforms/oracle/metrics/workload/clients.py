"""Calls of clients and what travels to and from them."""

from apps.catalog.metric import Worse
from apps.platforms.oracle.metrics.workload.sources import sysstat

METRICS = [
    sysstat(
        key="user_calls",
        reductions=("p95", "max", "busy"),
        name="user calls",
        label="user calls",
        unit="calls/s",
        help="Calls that clients made: sign in, parse, fetch, execute. Many calls for few rows mean small fetches.",
    ),
    sysstat(
        key="recursive_calls",
        name="recursive calls",
        label="recursive calls",
        unit="calls/day",
        help="Calls the database makes for itself: dictionary look-ups, space management, PL/SQL's own SQL.",
    ),
    sysstat(
        key="sqlnet_bytes_to_client",
        name="bytes sent via SQL*Net to client",
        label="sent to clients",
        reading_unit="bytes",
        unit="GB/day",
        help="What went over the network to clients. Two hundred columns where three are shown end up here.",
    ),
    sysstat(
        key="sqlnet_bytes_from_client",
        name="bytes received via SQL*Net from client",
        label="received from clients",
        reading_unit="bytes",
        unit="GB/day",
        help="What clients sent: statements, bind values, loads.",
    ),
    sysstat(
        key="sqlnet_roundtrips",
        name="SQL*Net roundtrips to/from client",
        label="round trips with clients",
        reading_unit="trips",
        unit="per second",
        help="Each costs the client one network delay: a chatty application is slow on a distant network.",
    ),
    sysstat(
        key="non_idle_wait_time",
        name="non-idle wait time",
        label="time in waits",
        reading_unit="centiseconds",
        unit="hours/day",
        worse=Worse.HIGHER,
        help="Time in all waits that are not idle: a check on the sum of the wait events. Since 11.1.",
    ),
]
