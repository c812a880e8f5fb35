"""What texts of an instance and its host say: system, kernel, parameters."""

from apps.advisors.engine.rule_inputs import FactInput, Whose
from apps.platforms.oracle.places import LOGS_LIE_ON
from apps.platforms.oracle.rules.inputs.sources import HOST_NEEDED


def is_linux(text: str) -> float:
    """1 for the name of a Linux system, 0 for any other."""
    return float("linux" in text.lower())


def is_true(text: str) -> float:
    """1 for a parameter that is TRUE, 0 for one that is not."""
    return float(text.strip().upper() == "TRUE")


def kernel_number(release: str) -> float | None:
    """A release such as "3.8.13-44.el6uek" as 3.0813: two digits for the minor part, two for the patch."""
    parts = release.split("-")[0].split(".")
    numbers = [int(part) for part in parts[:3] if part.isdigit()]
    if len(numbers) < 2:
        return None
    patch = numbers[2] if len(numbers) > 2 else 0
    return numbers[0] + numbers[1] / 100 + min(patch, 99) / 10_000


def is_on_filesystem(places: str) -> float:
    """0 where all of the places are disk groups, 1 where there is a directory."""
    return float(any(not place.strip().startswith("+") for place in places.splitlines()))


IS_LINUX = FactInput(
    key="is_linux",
    label="Linux",
    needs="Let the account read v$database, or register the host of the instance.",
    facts=((Whose.TARGET, "platform"), (Whose.HOST, "operating_system")),
    read=is_linux,
)
KERNEL = FactInput(
    key="kernel_major_minor",
    label="kernel",
    needs=HOST_NEEDED,
    facts=((Whose.HOST, "kernel"),),
    read=kernel_number,
)
_PARAMETER_NEEDED = "Let the account read v$system_parameter."
PRE_PAGE_SGA = FactInput(
    key="cfg_pre_page_sga",
    label="pre_page_sga",
    needs=_PARAMETER_NEEDED,
    facts=((Whose.TARGET, "parameter/pre_page_sga"),),
    read=is_true,
)
TIMED_STATISTICS = FactInput(
    key="cfg_timed_statistics",
    label="timed_statistics",
    needs=_PARAMETER_NEEDED,
    facts=((Whose.TARGET, "parameter/timed_statistics"),),
    read=is_true,
)
IS_FILESYSTEM = FactInput(
    key="is_filesystem",
    label="logs on a filesystem",
    needs="Let the account read v$logfile.",
    facts=((Whose.TARGET, LOGS_LIE_ON),),
    read=is_on_filesystem,
)
