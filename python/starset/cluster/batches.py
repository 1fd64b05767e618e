"""Many jobs, and their results in one file."""

from __future__ import annotations

import fcntl
import json
import os
import queue
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Iterable, Optional, Sequence, Union

from .backends import backend
from .work import Job, ClusterError, Stopped, do, find_program

PathLike = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Summary:
    """What a call of `batch` did."""

    jobs: int
    """Jobs that had no result before."""
    failed: int
    """Of them, those whose result has an error: each says why."""


class Results:
    """The file of results, locked: no other batch writes to it, in whatever language."""

    def __init__(self, path: Path) -> None:
        self.path, self.file = path, open(path, "ab")
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.file.close()
            raise ClusterError(f"{path}: another batch writes its results here; wait for it, or give another file") from None

    def append(self, lines: Sequence[str]) -> None:
        """Lines by one call; they have reached the disk afterwards."""
        self.file.write("".join(lines).encode())
        self.file.flush()
        os.fsync(self.file.fileno())

    def close(self) -> None:
        self.file.close()


def batch(
    paths: Iterable[PathLike],
    *,
    results: PathLike,
    client: Any = None,
    examinations: Sequence[str] = (),
    time: float = 60,
    memory: str = "4G",
    threads: int = 1,
    options: Sequence[str] = (),
    retry: bool = False,
    attempts: int = 3,
    window: int = 1000,
    program: Optional[str] = None,
    progress: Optional[Callable[[int, int], None]] = None,
) -> Summary:
    """Do the jobs of `paths` that have no result yet, on the workers of `client`.

    `paths` are instances, folders of them, or lists, as `starset batch` takes them; `examinations` are all where none are given.
    `time` (seconds), `memory` and `threads` are those of each job, and `options` what else `starset batch` is told, as in
    `["--engine", "explicit", "--seed", "7"]`. The workers see the same paths as this process. `retry` repeats jobs that have an
    error or an open question. A job is given up when it was tried `attempts` more times after the first, or, with Dask, when so many
    workers died of it as its scheduler allows (`distributed.scheduler.allowed-failures`). No more than `window` jobs are
    known to the scheduler at a time. `progress` is called with the numbers of jobs that are done, and of all.

    Results are appended to `results`, a file of lines of JSON, as they come. When this is interrupted or killed, the same call goes
    on where it stopped; `starset batch PATHS --results FILE` scores what is there.
    """
    limits = ["--time", str(time), "--memory", memory, "--threads", str(threads), *options]
    file = Path(results)
    todo = missing([str(path) for path in paths], file, examinations, retry, program)
    workers = backend(client, attempts, threads)
    out = Results(file)
    try:
        return _run(todo, out, workers, limits, attempts, window, program, progress)
    finally:
        out.close()
        workers.close()


def missing(
    paths: Sequence[str], results: Path, examinations: Sequence[str], retry: bool, program: Optional[str]
) -> list[Job]:
    """The jobs that have no result yet, as the program says. It also removes what a killed run has left unfinished."""
    command = [find_program(program), "batch", *paths, "--results", str(results), "--todo"]
    if examinations:
        command += ["--examinations", ",".join(examinations)]
    if retry:
        command.append("--retry")
    said = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if said.returncode not in (0, 3):
        raise ClusterError(said.stderr.strip() or f"starset batch --todo ended with status {said.returncode}")
    return [Job(*line.split()) for line in said.stdout.splitlines()]


def _run(
    todo: Sequence[Job],
    out: Results,
    workers: Any,
    options: Sequence[str],
    attempts: int,
    window: int,
    program: Optional[str],
    progress: Optional[Callable[[int, int], None]],
) -> Summary:
    done: queue.SimpleQueue[Any] = queue.SimpleQueue()
    running: dict[int, tuple[Any, Job]] = {}
    tried: dict[Job, int] = {}
    flag, waiting, finished, failed = workers.flag(), list(reversed(todo)), 0, 0
    # What was done while the disk was busy is written together.
    lines: list[str] = []
    try:
        while waiting or running:
            while waiting and len(running) < window:
                job = waiting.pop()
                future = workers.submit(do, job, options, program, flag)
                running[id(future)] = (future, job)
                future.add_done_callback(done.put)
            future = done.get()
            _, job = running.pop(id(future))
            try:
                line = future.result()
            except Stopped as error:
                # Somebody ended the program, but not the worker: that is worth another attempt.
                tried[job] = tried.get(job, 0) + 1
                if tried[job] <= attempts:
                    waiting.append(job)
                    continue
                line = failure(job, f"given up after {tried[job]} attempts: {error}", options, program)
            except Exception as error:
                if not workers.is_death(error):
                    raise
                line = failure(job, f"given up: its workers died ({type(error).__name__})", options, program)
            record = json.loads(line)
            if (record["model"], record["examination"]) != (job.model, job.examination):
                raise ClusterError(f"a worker did {record['model']} {record['examination']} for {job}: other versions?")
            lines.append(line)
            finished += 1
            failed += record["error"] is not None
            if done.empty():
                out.append(lines)
                lines.clear()
            if progress is not None:
                progress(finished, len(todo))
    finally:
        if lines:
            out.append(lines)
        if running:
            # Interrupted, or something is wrong with all of them.
            workers.raise_flag(flag)
            for future, _ in running.values():
                workers.cancel(future)
    return Summary(len(todo), failed)


def failure(job: Job, why: str, options: Sequence[str], program: Optional[str]) -> str:
    """The record of a job of which its workers died, as a line."""
    version = subprocess.run([find_program(program), "--version"], capture_output=True, text=True).stdout.split()
    value = dict(zip(options, options[1:]))
    record = {
        "schema": "starset/batch/1", "version": version[-1], "model": job.model, "examination": job.examination,
        "answers": [], "seconds": 0.0, "peak_memory_bytes": None, "status": None, "error": why,
        "time_limit": float(value["--time"]), "memory_limit": size(value["--memory"]), "options": list(options),
        "seed": int(value.get("--seed", 0)), "threads": int(value["--threads"]), "host": None, "begun": None,
    }
    return json.dumps(record, separators=(",", ":")) + "\n"


def size(text: str) -> int:
    """Bytes, as in 512M or 8G."""
    number = text.upper().rstrip("IB")
    unit = " KMGT".find(number[-1]) if number and number[-1] in "KMGT" else 0
    return int(float(number[:-1] if unit else number) * 1024**unit)
