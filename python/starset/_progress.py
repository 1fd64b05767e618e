"""Progress: a bar of tqdm, or a function that is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from starset._native import Progress
from starset.errors import MisuseError


def listener(progress: object) -> Callable[[Progress], object] | None:
    """What is called with the progress, for what was given as `progress=`."""
    if progress is None or progress is False:
        return None
    if progress is True:
        return _Bar()
    if callable(progress):
        return progress
    raise MisuseError("progress is True, False, or a function that is called with a Progress")


class _Bar:
    """A bar of tqdm for each computation: states found, nodes of diagrams, the order and the level."""

    def __init__(self) -> None:
        self._bar: Any = None

    def __call__(self, progress: Progress) -> None:
        if self._bar is None:
            # What is over before it could be shown is not shown.
            if progress.done:
                return
            try:
                from tqdm.auto import tqdm
            except ImportError as error:
                raise ImportError("progress=True needs tqdm: pip install tqdm") from error
            self._bar = tqdm(desc="starset", unit=" nodes", bar_format="{desc}: {n_fmt}{unit} [{elapsed}{postfix}]")
        self._bar.n = progress.nodes
        details = {"searches": progress.searches, "order": progress.order}
        if progress.level is not None:
            details["level"] = progress.level
        if progress.states:
            details["states"] = f"{progress.states:.3g}" if progress.states < 10**300 else "more than 1e300"
        self._bar.set_postfix(details, refresh=True)
        if progress.done:
            self._bar.close()
            self._bar = None
