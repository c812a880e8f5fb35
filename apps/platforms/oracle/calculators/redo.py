"""Redo: how long the log buffer and a log file last at a rate, and whether the archiver keeps up."""

from math import ceil

from apps.advisors.calculators import (
    Alternative,
    Calculation,
    CalculationStep,
    Calculator,
    CalculatorInput,
    Inputs,
    Share,
)
from apps.charts.figures import SPACE, figure

FLOOR_MINUTES = 20.0  # between switches, as the help of `redo_log_fill_s` and the suggested limit say


def _duration(seconds: float) -> str:
    return f"{figure(seconds)}{SPACE}s" if seconds < 120 else f"{figure(seconds / 60)}{SPACE}min"


def _log_buffer(inputs: Inputs) -> Calculation:
    (size,), (rate,) = inputs["buffer"], inputs["rate"]
    fill = size / rate
    return Calculation(
        answer=f"{figure(size)}{SPACE}MB of log buffer fill in {figure(fill)}{SPACE}s at {figure(rate)}{SPACE}MB/s.",
        rest="The log writer begins at a third of it."
        if fill >= 1
        else "That is less than a second of redo.",
        advice=(
            "Sessions wait for room in the log buffer when the log writer pauses for longer: compare with its longest write."
        ),
        figures={"fill_s": fill},
        steps=[
            CalculationStep(
                "time to fill", f"{figure(size)} MB ÷ {figure(rate)} MB/s", f"{figure(fill)}{SPACE}s"
            )
        ],
        alternatives=[
            Alternative(
                f"{figure(other)} MB", f"{figure(other / rate)}{SPACE}s", "", is_present=other == size
            )
            for other in sorted({4.0, 16.0, 72.0, 128.0, size})
        ],
        alternatives_of="log buffer",
    )


def _log_switch(inputs: Inputs) -> Calculation:
    (member,), (rate,) = inputs["member"], inputs["rate"]
    minutes = inputs["wanted"][0] if inputs["wanted"] else FLOOR_MINUTES
    interval = member / rate
    size = rate * 60 * minutes
    figures = {"interval_s": interval, "member_mb_for_wanted": size}
    steps = [
        CalculationStep(
            "between switches", f"{figure(member)} MB ÷ {figure(rate)} MB/s", _duration(interval)
        ),
        CalculationStep(
            f"for {figure(minutes)} minutes",
            f"{figure(minutes)} × 60 s × {figure(rate)} MB/s",
            f"{figure(size / 1024)}{SPACE}GB",
        ),
    ]
    rest = f"That is {'less' if interval < 60 * minutes else 'not less'} than {figure(minutes)} minutes."
    advice = (
        f"Members of {ceil(size / 1024)}{SPACE}GB keep {figure(minutes)} minutes at this peak."
        if interval < 60 * minutes
        else ""
    )
    if inputs["archiver"]:
        (archiver,) = inputs["archiver"]
        archived = member / archiver
        figures["archive_s"] = archived
        steps.append(
            CalculationStep(
                "to archive", f"{figure(member)} MB ÷ {figure(archiver)} MB/s", _duration(archived)
            )
        )
        keeps_up = archived < interval
        rest += f" A member is archived in {_duration(archived)}: the archiver {'keeps up' if keeps_up else 'falls behind'}."
        if not keeps_up:
            advice = f"{advice} More archiver processes or a quicker place are needed: all groups fill up else.".strip()
    return Calculation(
        answer=f"A log file of {figure(member)}{SPACE}MB lasts {_duration(interval)} at {figure(rate)}{SPACE}MB/s.",
        rest=rest,
        advice=advice,
        figures=figures,
        steps=steps,
        alternatives=[
            Alternative(
                f"{figure(other / 1024)} GB",
                _duration(other / rate),
                "a switch too often" if other / rate < 60 * minutes else "",
                is_present=other == member,
            )
            for other in sorted({1024.0, 2048.0, 4096.0, 8192.0, 16384.0, member})
        ],
        alternatives_of="member",
        shares=[Share("lasts", interval / 60)],
        limit=minutes,
        limit_label="wanted, minutes:",
    )


_RATE = CalculatorInput(
    key="rate", label="Redo at peak", unit="MB/s", example="9.45", metric="redo_peak_mb_s", least=0.0001, most=100_000,
    help="Of the busiest hour.",
)  # fmt: skip
LOG_BUFFER = Calculator(
    key="log-buffer",
    title="Log buffer",
    question="How long does the log buffer last at the peak of redo?",
    source="time to fill = log buffer ÷ redo rate",
    inputs=(
        CalculatorInput(
            key="buffer", label="Log buffer", unit="MB", example="4", metric="sga_redo_buffers", least=0.01, most=1_048_576
        ),
        _RATE,
    ),
    calculate=_log_buffer,
)  # fmt: skip
LOG_SWITCH = Calculator(
    key="log-switch",
    title="Size of log files",
    question="How long does a log file last at the peak, how large must it be, and does the archiver keep up?",
    source="interval = member ÷ peak redo rate; archived in member ÷ rate of the archiver",
    inputs=(
        CalculatorInput(
            key="member", label="Member", unit="MB", example="500", metric="redo_log_member_bytes", least=0.1, most=4_194_304
        ),
        _RATE,
        CalculatorInput(
            key="wanted", label="Between switches", unit="minutes", example="20", is_optional=True, least=0.1, most=1440,
            help="As long as you want at the peak; 20 where it is left empty.",
        ),
        CalculatorInput(
            key="archiver", label="Archiver", unit="MB/s", example="150", is_optional=True, least=0.01, most=100_000
        ),
    ),
    calculate=_log_switch,
)  # fmt: skip
