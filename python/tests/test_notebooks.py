"""The notebooks run from top to bottom, and show what they should."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
# What must be among the outputs, by their kinds.
SHOWN = {
    "process": {"image/svg+xml", "text/html", "application/vnd.jupyter.widget-view+json"},
    "mutex": {"image/svg+xml", "text/html", "image/png"},
    "contest": {"image/svg+xml", "text/html"},
    "cell_cycle": {"text/html"},
}


# The package has types, but not for this.
read: Any = nbformat.read


def executed(name: str) -> Any:
    notebook = read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": NOTEBOOKS}}).execute()
    return notebook


def test_all_notebooks_are_tested() -> None:
    assert {path.stem for path in NOTEBOOKS.glob("*.ipynb")} == set(SHOWN)


@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook(name: str) -> None:
    stored = read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in stored.cells), "notebooks are kept without outputs"
    outputs = [output for cell in executed(name).cells for output in cell.get("outputs", [])]
    kinds = {kind for output in outputs for kind in output.get("data", {})}
    assert SHOWN[name] <= kinds
