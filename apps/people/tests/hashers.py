"""A quick hasher that says how often it was asked."""

from django.contrib.auth.hashers import MD5PasswordHasher

COUNTED = ["apps.people.tests.hashers.Counted"]


class Counted(MD5PasswordHasher):
    algorithm = "counted"
    times = 0

    def encode(self, password: str, salt: str) -> str:
        Counted.times += 1
        return super().encode(password, salt)
