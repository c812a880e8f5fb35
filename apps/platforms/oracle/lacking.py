"""Views that an account may not read, all of them in one sentence, with what grants them."""

from collections.abc import Collection, Sequence

from apps.platforms.oracle import queries
from apps.platforms.oracle.errors import code_of
from apps.platforms.oracle.grants import grant, views_read
from apps.platforms.oracle.read import Reader, unreadable_views

MOST_GRANTS = 8  # that one sentence names


def tell_refused(reader: Reader, username: str, error: BaseException) -> str:
    """Which views may not be read by an account that may not even read v$instance, and the first grants."""
    first = queries.INSTANCE.name
    others = [view for view in views_read([reader.scope]) if view != first]
    views = [first, *unreadable_views(reader, others)]
    more = f" and {len(views) - 1} more views" if len(views) > 1 else ""
    return f"{first}{more} cannot be read ({code_of(error)}). {_grants(reader, username, views)}"


def tell_missing_grants(reader: Reader, username: str, refused: Collection[frozenset[str]]) -> list[str]:
    """Of several sources that were refused, by the views of each: those that lack a grant, in one sentence."""
    if len(set(refused)) < 2:
        return []
    views = unreadable_views(reader, sorted(frozenset[str]().union(*refused)))
    if not views:
        return []
    more = f" and {len(views) - MOST_GRANTS} more" if len(views) > MOST_GRANTS else ""
    named = f"{', '.join(views[:MOST_GRANTS])}{more}"
    return [f"{len(views)} views may not be read by {username}: {named}. {_grants(reader, username, views)}"]


def _grants(reader: Reader, username: str, views: Sequence[str]) -> str:
    script = " ".join(grant([view], username, reader.scope.release) for view in views[:MOST_GRANTS])
    rest = len(views) - MOST_GRANTS
    return (
        f"{script} {rest} more grants stand in the script of “What Headroom reads”." if rest > 0 else script
    )
