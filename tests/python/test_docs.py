"""The examples of docs/python.md, and what the package says of itself."""

import inspect
import pathlib
import re

import pytest
from conftest import ROOT

import sharpzero

PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text.split("\n")[0][:40])
def test_an_example_runs_as_written(example, run, tmp_path, monkeypatch):
    for package in ("torch", "pettingzoo"):
        if re.search(rf"^(import|from) (sharpzero\.)?{package}\b", example, re.M):
            pytest.importorskip(package, reason=f"no {package}: its example is not run")
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "quick").symlink_to(run)
    monkeypatch.chdir(tmp_path)
    assert len(example.splitlines()) <= 20
    exec(compile(example, "docs/python.md", "exec"), {})


def test_the_page_has_examples():
    assert len(EXAMPLES) >= 6


def test_all_that_is_public_says_what_it_is():
    for name in sharpzero.__all__:
        thing = getattr(sharpzero, name)
        if inspect.isclass(thing):
            assert thing.__doc__, name
            members = [member for member in vars(thing) if not member.startswith("_")]
            assert all(getattr(thing, member).__doc__ for member in members), (name, members)
        elif callable(thing):
            assert thing.__doc__, name


def test_types_come_along():
    folder = pathlib.Path(sharpzero.__file__).parent
    stub = (folder / "_core.pyi").read_text()
    assert (folder / "py.typed").exists()
    for name in set(sharpzero.__all__) - {"__version__"}:
        assert re.search(rf"^ *(class|def) {name}\b|^{name}:", stub, re.M), name
    assert "NDArray[numpy.float32], dict(shape=(None, None, 8, 8))" in stub
