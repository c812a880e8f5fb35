"""add_instance, as its folder has it."""

from apps.platforms.oracle.add_instance import Command as Command
