"""What tests share: the models of the source tree, and the program where it has been built."""

import os
import shutil
from pathlib import Path

import pytest

from starset import Net

ROOT = Path(__file__).resolve().parent.parent.parent
MODELS = ROOT / "models"


@pytest.fixture
def philosophers() -> Net:
    return Net.read(MODELS / "philo-5.pnml")


@pytest.fixture(scope="session")
def program() -> str:
    """The program starset: the one that STARSET_PROGRAM names, or one that was built in the tree."""
    named = os.environ.get("STARSET_PROGRAM")
    built = [ROOT / "target" / profile / "starset" for profile in ("release", "debug")]
    found = named or next((str(path) for path in built if path.exists()), None) or shutil.which("starset")
    if found is None:
        pytest.fail("the program starset is needed: build it with cargo build, or name it in STARSET_PROGRAM")
    return found
