"""Files of real data, which are kept beside the repository."""

import warnings
from pathlib import Path

import pytest

SAMPLES = Path(__file__).resolve().parents[4] / "shared" / "samples"


def sample_path(name: str) -> Path:
    """A file of real data that is kept beside the repository; where it is not, the test is skipped aloud."""
    path = SAMPLES / name
    if not path.exists():
        warnings.warn(f"not tested against real data: there is no {path.name}", stacklevel=2)
        pytest.skip(f"NOT TESTED AGAINST REAL DATA: there is no {path.name} beside the repository")
    return path
