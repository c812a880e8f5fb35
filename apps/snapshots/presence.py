"""Presence: on a floor of its own, for limits and pages speak of it that build no profile."""

from enum import StrEnum


class Presence(StrEnum):
    """Whether a figure is there, and if not, which of three very different things that means."""

    PRESENT = "present"
    NOT_PRESENT = "not_present"  # the target was read and it did not occur
    NO_DATA = "no_data"  # the target was not read, or the figure cannot be told
    NOT_MEASURABLE = "not_measurable"  # the way by which the target is read cannot give it on any day

    @property
    def words(self) -> str:
        """As a table says it in the place of a figure."""
        return self.replace("_", " ").capitalize()

    @property
    def is_unknown(self) -> bool:
        """Whether nothing is known of the figure, not even that it did not occur."""
        return self in (Presence.NO_DATA, Presence.NOT_MEASURABLE)
