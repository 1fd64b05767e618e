"""What a worker does: it runs the program, and gives back what that has printed.

The program ends with the worker, however that ends: it reads from a pipe whose other end the worker holds, and stops when the
pipe is closed (``--until-closed``). So a job that is run again elsewhere does not go on here, too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Optional, Protocol, Sequence

# Between two looks whether the answer is still wanted, in seconds.
LOOK = 0.2


class ClusterError(Exception):
    """The program refused what it was given, or is not there; the message says what to do."""


class Stopped(Exception):
    """The program ended before it was done: it was told to, or something killed it."""


class Flag(Protocol):
    """Says whether an answer is not wanted any more."""

    def is_set(self) -> bool: ...


@dataclass(frozen=True)
class Job:
    """An examination of an instance."""

    folder: str
    examination: str

    @property
    def model(self) -> str:
        """The name of the instance, as results have it."""
        name = Path(self.folder).name
        for end in (".tar.gz", ".tgz", ".tar"):
            if name.endswith(end) and Path(self.folder).is_file():
                return name[: -len(end)]
        return name


def find_program(program: Optional[str] = None) -> str:
    """The program: as given, as the environment says (STARSET), or on the PATH."""
    name = program or os.environ.get("STARSET") or "starset"
    found = shutil.which(name)
    if found is None:
        raise ClusterError(f"{name}: no such program on this machine; put starset on the PATH or set STARSET")
    return found


@dataclass(frozen=True)
class Said:
    """What the program printed, and how it ended: with a status, or by a signal (negative)."""

    status: int
    out: str
    err: str

    @property
    def last(self) -> str:
        """The last line of its messages."""
        return (self.err.strip().splitlines() or [""])[-1]


def run(command: Sequence[str], flag: Optional[Flag] = None) -> Said:
    """Run the program until it ends, or its answer is not wanted any more (`Stopped`)."""
    reader, writer = os.pipe()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        try:
            try:
                child = subprocess.Popen(command, stdin=reader, stdout=out, stderr=err)
            finally:
                os.close(reader)
            try:
                # Never for long: Ray cancels by a `KeyboardInterrupt`, which does not end a call of the system.
                while True:
                    try:
                        child.wait(LOOK)
                        break
                    except subprocess.TimeoutExpired:
                        if flag is not None and flag.is_set():
                            raise Stopped("its answer is not wanted any more") from None
            finally:
                if child.poll() is None:
                    child.kill()
                    child.wait()
        finally:
            # Also where an exception comes while the program is begun: it ends by itself then.
            os.close(writer)
        out.seek(0), err.seek(0)
        return Said(child.returncode, out.read().decode(), err.read().decode())


def do(job: Job, options: Sequence[str], program: Optional[str], flag: Optional[Flag] = None) -> str:
    """Do a job: the line of its result."""
    with tempfile.TemporaryDirectory(prefix="starset-") as folder:
        jobs, results = Path(folder, "jobs"), Path(folder, "results.jsonl")
        jobs.write_text(f"{job.folder} {job.examination}\n")
        command = [find_program(program), "--quiet", "batch", str(jobs), "--results", str(results), "--jobs", "1"]
        said = run([*command, "--until-closed", *options], flag)
        line = results.read_text() if results.exists() else ""
        if said.status == 2:
            raise ClusterError(said.last or "starset batch ended with status 2")
        if not line.endswith("\n"):
            raise Stopped(f"starset batch ended with status {said.status} and no result: {said.last}")
        return line
