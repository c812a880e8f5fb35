"""add_host, as its folder has it."""

from apps.platforms.linux.add_host import Command as Command
