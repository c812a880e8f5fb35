"""Section: the part of a profile, and of the full list, in which statistics stand."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Section:
    """
    A section as a platform declares it.

    Rows of components say no more than of what they are: `subtitle` then says under the title what is measured. A
    statistic whose components name themselves (Display.noun) is its own subtitle, with its unit. What `is_rest` lists
    whatever else a source gives, and is not offered where statistics are searched.
    """

    title: str
    subtitle: str = ""
    is_rest: bool = False

    def __str__(self) -> str:
        return self.title


NO_SECTION = Section("")
