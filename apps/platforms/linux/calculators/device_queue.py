"""Where requests to a device wait: in the queue of the host, or in that of the LUN."""

from apps.advisors.calculators import (
    Alternative,
    Calculation,
    CalculationStep,
    Calculator,
    CalculatorInput,
    Inputs,
    Share,
)
from apps.charts.figures import SPACE, figure, whole

DEEPEST = 128  # that a LUN takes; a target port takes up to 10,240 for all its LUNs
USUAL = (8, 30, 256)  # of vendors, of practice with arrays, and what a host begins with
PENDING = 10  # requests waiting at peak that are no matter


def _depth(inputs: Inputs) -> Calculation:
    (requests,), (depth,) = inputs["requests"], inputs["depth"]
    in_lun, waiting = min(requests, depth), max(requests - depth, 0.0)
    figures = {"in_lun": in_lun, "in_host": waiting}
    steps = [
        CalculationStep("in the LUN", f"least of {figure(requests)} and {figure(depth)}", figure(in_lun)),
        CalculationStep("in the host", f"{figure(requests)} − {figure(in_lun)}", figure(waiting)),
    ]
    if inputs["luns"]:
        (luns,) = inputs["luns"]
        figures["of_port"] = luns * depth
        steps.append(
            CalculationStep("of the port", f"{whole(luns)} LUNs × {figure(depth)}", whole(luns * depth))
        )
    return Calculation(
        answer=f"Of {figure(requests)} requests {figure(in_lun)} are in the LUN and {figure(waiting)} wait in the host.",
        rest="" if waiting else "The LUN takes all of them.",
        advice=_advice(waiting, depth),
        figures=figures,
        steps=steps,
        alternatives=[
            Alternative(
                figure(other),
                f"{figure(max(requests - other, 0.0))} wait",
                {
                    8: "what vendors advise",
                    30: "what arrays took well",
                    256: "what a host begins with; more than a LUN takes",
                }.get(int(other), ""),
                is_present=other == depth,
            )
            for other in sorted({*map(float, USUAL), depth})
        ],
        alternatives_of="depth",
        shares=[Share("in the LUN", in_lun), Share("in the host", waiting, is_idle=True)],
        limit=depth,
        limit_label="depth",
    )


def _advice(waiting: float, depth: float) -> str:
    if depth > DEEPEST:
        return f"A LUN takes {DEEPEST} at most: what is beyond is refused, and comes back as SCSI resets."
    if waiting > PENDING:
        return (
            f"More than {PENDING} wait: raise the depth step by step, and go back where SCSI resets appear."
        )
    if waiting:
        return (
            f"Up to {PENDING} waiting at peak are no matter; look at service time before the depth is raised."
        )
    return "The depth is enough for this load."


def _law(inputs: Inputs) -> Calculation:
    (rate,), (service,) = inputs["rate"], inputs["service"]
    active = rate * service / 1000
    steps = [
        CalculationStep("at work at once", f"{figure(rate)}/s × {figure(service)} ms ÷ 1,000", figure(active))
    ]
    figures = {"active": active}
    rest = ""
    if inputs["measured"]:
        (measured,) = inputs["measured"]
        figures["apart"] = measured - active
        alike = abs(measured - active) <= 0.1 + 0.1 * active
        rest = f"{figure(measured)} was measured: {'that agrees' if alike else 'the three figures are not of the same time'}."
    return Calculation(
        answer=f"{figure(rate)} requests a second of {figure(service)}{SPACE}ms keep {figure(active)} at work.",
        rest=rest,
        advice="Above the queue depth the rest waits in the host, and the response grows with the load.",
        figures=figures,
        steps=steps,
        shares=[Share("at work", active)],
    )


QUEUE_DEPTH = Calculator(
    key="queue-depth",
    title="Queue depth of a LUN",
    question="How many requests wait in the host because the LUN takes no more?",
    source="what is beyond the depth of the LUN waits in the host",
    inputs=(
        CalculatorInput(key="requests", label="Requests at once", example="4", most=100_000),
        CalculatorInput(key="depth", label="Depth", example="2", least=1, most=10_240, is_whole=True, help="1 to 128 for a LUN"),
        CalculatorInput(key="luns", label="LUNs on the port", example="20", is_optional=True, is_whole=True, least=1, most=10_000),
    ),
    calculate=_depth,
)  # fmt: skip
QUEUE_LAW = Calculator(
    key="queue-law",
    title="Requests at work",
    question="Do rate, service time and queue of a device agree?",
    source="Little's law: requests at work = requests a second × service time",
    inputs=(
        CalculatorInput(key="rate", label="Requests", unit="", example="0.7", help="a second", most=10_000_000),
        CalculatorInput(key="service", label="Service time", unit="ms", example="22.4", most=3_600_000),
        CalculatorInput(key="measured", label="Queue measured", example="0.0", is_optional=True, most=1_000_000),
    ),
    calculate=_law,
)  # fmt: skip
