"""CPU time: what it may be spent on."""

from apps.advisors.engine.rules import Advice, Observation, rule
from apps.platforms.oracle.subjects import FAULTS


@rule("cpu_time")
def misses_of_the_address_translation(observation: Observation) -> Advice | None:
    """CPU is what most time goes to while page faults rise: small pages may make the processor look up addresses."""
    if not (observation.is_rising(FAULTS) and observation.is_largest):
        return None
    return Advice(
        because="CPU is what most time goes to, and page faults rise",
        action="look whether the CPU is spent on misses of the address translation (TLB), by page size;"
        " huge pages for the SGA are the usual cure",
    )
