"""Sessions in the database that do not stand in the way of reading: one that cannot be saved is still good for its page."""

import structlog
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import UpdateError
from django.db import OperationalError

log = structlog.get_logger()


class SessionStore(db.SessionStore):
    """
    Django's, on a full disk too.

    What a page wanted to remember is lost then; a new session, which a sign-in needs, still fails.
    """

    def save(self, must_create: bool = False) -> None:
        try:
            super().save(must_create)
        except UpdateError as error:  # also of a session that somebody has ended meanwhile
            if not isinstance(error.__context__, OperationalError):
                raise
            log.warning("session not saved", reason=str(error.__context__).strip())
