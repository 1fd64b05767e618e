"""The examples in docstrings are what happens: of the native classes, of the Python modules, and of the README."""

import doctest
import re
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import starset
from starset import _native

FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
ROOT = Path(__file__).resolve().parent.parent


def documented() -> Iterator[tuple[str, str]]:
    """All that has a docstring, with it."""
    yield "starset", starset.__doc__ or ""
    for name, thing in vars(_native).items():
        if not isinstance(thing, type):
            continue
        yield name, thing.__doc__ or ""
        for member, value in vars(thing).items():
            if not member.startswith("__"):
                yield f"{name}.{member}", value.__doc__ or ""


def examples() -> Iterator[Any]:
    parser = doctest.DocTestParser()
    for name, text in documented():
        test = parser.get_doctest(text, dict(vars(starset)), name, None, None)
        if test.examples:
            yield pytest.param(test, id=name)


@pytest.mark.parametrize("test", list(examples()))
def test_examples(test: doctest.DocTest) -> None:
    # Tracebacks are compared, too, but for the class, which `doctest` looks for without its module.
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)


def test_everything_is_documented() -> None:
    missing = [name for name, text in documented() if not text.strip() and not name.rsplit(".", 1)[-1].startswith("_")]
    assert missing == []
    # Guard against finding nothing.
    assert len(list(examples())) > 20


@pytest.mark.parametrize("file", ["README.md", "../README.md", "../docs/python.md"])
def test_the_python_in_documents_runs(file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks, f"{file} has no Python"
    monkeypatch.chdir(ROOT.parent)
    names: types.SimpleNamespace = types.SimpleNamespace(__name__="document")
    for block in blocks:
        exec(compile(block.replace("TMP", str(tmp_path)), file, "exec"), names.__dict__)
