"""Network: what goes through each interface, and what is lost on the way."""

from functools import partial

from apps.catalog.metric import Display, Formula, Kind, Metric, Worse
from apps.catalog.window import Window
from apps.platforms.linux.metrics.arithmetic import DAILY, Floats, either, first_known, percent, rate
from apps.platforms.linux.metrics.categories import HOST_FIGURES, INTERFACE_FIGURES, INTERFACES, TCP
from apps.platforms.linux.sections import NETWORK

counter = partial(
    Metric,
    source="/proc/net/dev",
    kind=Kind.COUNTER,
    unit="per second",
    category=INTERFACES,
    component_kind="interface",
    section=NETWORK,
    is_figure=False,
)
averaged = partial(
    Metric,
    source="sadf",
    kind=Kind.GAUGE,
    category=INTERFACES,
    component_kind="interface",
    section=NETWORK,
    is_figure=False,
)
tcp = partial(
    Metric,
    source="/proc/net/snmp",
    kind=Kind.COUNTER,
    unit="per second",
    category=TCP,
    section=NETWORK,
    is_figure=False,
)
figure = partial(
    Metric,
    source="derived",
    kind=Kind.RATIO,
    category=INTERFACE_FIGURES,
    component_kind="interface",
    section=NETWORK,
    reductions=DAILY,
)
host_figure = partial(
    Metric,
    source="derived",
    kind=Kind.RATIO,
    unit="per second",
    category=HOST_FIGURES,
    section=NETWORK,
    worse=Worse.HIGHER,
    reductions=("p95", "max"),
)


def _throughput(direction: str) -> Formula:
    def kilobytes_per_second(window: Window) -> Floats:
        counted = rate(window, f"net_{direction}_bytes") / 1024.0
        return either(window.level(f"sysstat_net_{direction}_kb"), counted)

    return kilobytes_per_second


def _packets(direction: str) -> Formula:
    def packets_per_second(window: Window) -> Floats:
        averaged_by_sysstat = window.level(f"sysstat_net_{direction}_packets")
        return either(averaged_by_sysstat, rate(window, f"net_{direction}_packets"))

    return packets_per_second


def _lost(what: str) -> Formula:
    return lambda window: either(window.level(f"sysstat_net_{what}"), rate(window, f"net_{what}"))


def _errors_and_drops(window: Window) -> Floats:
    lost: Floats = _lost("errors")(window) + _lost("drops")(window)
    return lost


def _utilisation(window: Window) -> Floats:
    """A link carries its speed in each direction: the fuller one counts."""
    received, sent = _throughput("rx")(window), _throughput("tx")(window)
    fuller = received + (sent - received).clip(min=0.0)
    kilobytes_per_second = window.level("net_speed_mbit") * 1e6 / 8 / 1024
    return percent(fuller, kilobytes_per_second)


METRICS = [
    counter(key="net_rx_bytes", label="bytes received", reading_unit="bytes", unit="bytes/s"),
    counter(key="net_tx_bytes", label="bytes sent", reading_unit="bytes", unit="bytes/s"),
    counter(key="net_rx_packets", label="packets received, by the kernel"),
    counter(key="net_tx_packets", label="packets sent, by the kernel"),
    counter(key="net_errors", label="packets with errors, both directions"),
    counter(key="net_drops", label="packets dropped, both directions"),
    averaged(key="sysstat_net_rx_kb", name="rxkB", label="received, by sysstat", unit="kB/s"),
    averaged(key="sysstat_net_tx_kb", name="txkB", label="sent, by sysstat", unit="kB/s"),
    averaged(
        key="sysstat_net_rx_packets", name="rxpck", label="packets received, by sysstat", unit="per second"
    ),
    averaged(key="sysstat_net_tx_packets", name="txpck", label="packets sent, by sysstat", unit="per second"),
    averaged(key="sysstat_net_errors", name="rxerr + txerr", label="errors, by sysstat", unit="per second"),
    averaged(key="sysstat_net_drops", name="rxdrop + txdrop", label="drops, by sysstat", unit="per second"),
    Metric(
        key="net_speed_mbit",
        label="speed of the link in Mbit/s",
        unit="count",
        kind=Kind.SETTING,
        source="/sys/class/net",
        category=INTERFACES,
        component_kind="interface",
        section=NETWORK,
        is_figure=False,
    ),
    tcp(key="tcp_retransmitted", name="RetransSegs", label="TCP segments sent again"),
    tcp(key="tcp_sent", name="OutSegs", label="TCP segments sent"),
    tcp(
        key="tcp_listen_drops",
        name="ListenDrops",
        source="/proc/net/netstat",
        label="TCP connections not accepted",
    ),
    Metric(
        key="sysstat_tcp_retransmitted",
        name="retrans",
        aliases=("retrseg",),
        label="TCP segments sent again, by sysstat",
        unit="per second",
        kind=Kind.GAUGE,
        source="sadf",
        category=TCP,
        section=NETWORK,
        is_figure=False,
    ),
    figure(
        key="host_net_rx_kb",
        label="received",
        unit="kB/s",
        display=Display(unit="MB/s", rows=1),
        formula=_throughput("rx"),
        help="Data received through the interface. A gigabit link is full at about 118 MB/s.",
    ),
    figure(
        key="host_net_tx_kb",
        label="sent",
        unit="kB/s",
        display=Display(unit="MB/s", rows=1),
        formula=_throughput("tx"),
        help="Data sent through the interface. Backups over the network make the peaks.",
    ),
    figure(
        key="host_net_rx_packets",
        label="packets received",
        unit="packets/s",
        formula=_packets("rx"),
        help="Many small packets cost more processor time than few large ones.",
    ),
    figure(
        key="host_net_tx_packets",
        label="packets sent",
        unit="packets/s",
        formula=_packets("tx"),
        help="Many small packets cost more processor time than few large ones.",
    ),
    figure(
        key="host_net_util_pct",
        label="link used",
        unit="%",
        worse=Worse.HIGHER,
        formula=_utilisation,
        help="Throughput of the fuller direction against the speed of the link; not known for virtual interfaces.",
    ),
    figure(
        key="host_net_errors",
        label="errors and drops",
        unit="packets/s",
        worse=Worse.HIGHER,
        formula=_errors_and_drops,
        reductions=("p95", "max"),
        help="Packets damaged or thrown away, in both directions. Any that last point to a cable, a card or full queues.",
    ),
    figure(
        key="host_net_drops",
        label="packets dropped",
        unit="packets/s",
        worse=Worse.HIGHER,
        formula=_lost("drops"),
        reductions=("p95", "max"),
        help="Packets thrown away because nobody had room for them. The interconnect of a cluster should have none.",
    ),
    host_figure(
        key="host_tcp_retrans",
        label="TCP retransmissions",
        formula=lambda window: first_known(
            rate(window, "tcp_retransmitted"), window.level("sysstat_tcp_retransmitted")
        ),
        help="Segments sent again because nobody confirmed them. Each one costs somebody a wait of 200 ms or more.",
    ),
    host_figure(
        key="host_tcp_retrans_pct",
        label="TCP retransmissions, share",
        unit="%",
        formula=lambda window: percent(window.delta("tcp_retransmitted"), window.delta("tcp_sent")),
        help="Share of the segments sent that had to be sent again. Above 1 % users notice.",
    ),
    host_figure(
        key="host_tcp_listen_drops",
        label="TCP connections refused by a full backlog",
        formula=lambda window: rate(window, "tcp_listen_drops"),
        help="Connections a listener was too slow to accept. Logon storms show here.",
    ),
]
