"""Presence: on a floor of its own, for limits and pages speak of it that build no profile."""

from enum import StrEnum


class Presence(StrEnum):
    """Whether a figure is there, and if not, which of two very different things that means."""

    PRESENT = "present"
    NOT_PRESENT = "not_present"  # the target was read and it did not occur
    NO_DATA = "no_data"  # the target was not read, or the figure cannot be told
