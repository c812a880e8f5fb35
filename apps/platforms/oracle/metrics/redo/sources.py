"""What the statistics of redo have in common."""

from functools import partial

from apps.platforms.oracle.metrics import sources
from apps.platforms.oracle.sections import REDO

sysstat = partial(sources.sysstat, section=REDO)
ratio = partial(sources.ratio, section=REDO)
