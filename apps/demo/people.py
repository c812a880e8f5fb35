"""The owners: accounts without a password, so that nobody signs in as them."""

from apps.demo.estate import PEOPLE
from apps.people.models import User


def add_people() -> dict[str, User]:
    """The people of the estate by user name, made where missing."""
    found = {
        user.username: user for user in User.objects.filter(username__in=[one.username for one in PEOPLE])
    }
    for one in PEOPLE:
        if one.username not in found:
            user = User(
                username=one.username, first_name=one.first_name, last_name=one.last_name, may_change=True
            )
            user.set_unusable_password()
            user.save()
            found[one.username] = user
    return found
