"""What several inputs have in common."""

from functools import partial

from apps.advisors.engine.rule_inputs import FigureInput, Whose

KB_OF_GB = 1024 * 1024
HOST_NEEDED = "Register the host that the instance runs on, and let it be read."
of_host = partial(FigureInput, whose=Whose.HOST, needs=HOST_NEEDED)
