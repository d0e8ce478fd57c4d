"""What the tests of the package share: the source's files, and the program where it was built."""

import pathlib
import shutil

import pytest

ROOT = pathlib.Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"


@pytest.fixture(scope="session")
def program() -> str:
    """The built program, with which the package is compared."""
    file = ROOT / "build" / "release" / "bin" / "sharpzero"
    if not file.exists():
        pytest.skip("no build/release/bin/sharpzero to compare with")
    return str(file)


@pytest.fixture
def run(tmp_path: pathlib.Path) -> pathlib.Path:
    """A folder with the games of a run, that may be written."""
    shutil.copy(DATA / "games.db", tmp_path)
    return tmp_path
