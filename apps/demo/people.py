"""The owners: accounts without a password, so that nobody signs in as them."""

from apps.demo.estate import PEOPLE
from apps.people.models import User


def add_people() -> dict[str, User]:
    """The people of the estate by user name, made where missing."""
    users = {
        user.username: user
        for user in User.objects.filter(username__in=[person.username for person in PEOPLE])
    }
    for person in PEOPLE:
        if person.username not in users:
            user = User(
                username=person.username,
                first_name=person.first_name,
                last_name=person.last_name,
                may_change=True,
            )
            user.set_unusable_password()
            user.save()
            users[person.username] = user
    return users
