"""
The names of months and weekdays in the languages in which dates are written.

They are those of CLDR, for lack of room without the dot that ends an abbreviation in some languages.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Names:
    """Months from January, weekdays from Monday; `ordinal` stands behind the number of a day: `14. März`."""

    months: tuple[str, ...]
    short_months: tuple[str, ...]
    weekdays: tuple[str, ...]
    short_weekdays: tuple[str, ...]
    ordinal: str = ""


def _names(months: str, short_months: str, weekdays: str, short_weekdays: str, ordinal: str = "") -> Names:
    return Names(
        tuple(months.split()),
        tuple(short_months.split()),
        tuple(weekdays.split()),
        tuple(short_weekdays.split()),
        ordinal,
    )


NAMES = {
    "en": _names(
        "January February March April May June July August September October November December",
        "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
        "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
        "Mon Tue Wed Thu Fri Sat Sun",
    ),
    "de": _names(
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez",
        "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag",
        "Mo Di Mi Do Fr Sa So",
        ordinal=".",
    ),
    "fr": _names(
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "janv févr mars avr mai juin juil août sept oct nov déc",
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
        "lun mar mer jeu ven sam dim",
    ),
    "sv": _names(
        "januari februari mars april maj juni juli augusti september oktober november december",
        "jan feb mars apr maj juni juli aug sep okt nov dec",
        "måndag tisdag onsdag torsdag fredag lördag söndag",
        "mån tis ons tors fre lör sön",
    ),
}
