"""Dask, Ray and executors of Python behind one interface: functions are called somewhere, and futures say when they are done.

Each of them has futures with `add_done_callback`, so that the one who waits has a queue and looks at what is done, whatever the
number of those that are not. What they do not have in common is how a call that runs is told to end: Dask does not stop threads,
so that its workers look at an event on the scheduler; Ray raises `KeyboardInterrupt` in the worker; threads share memory.
"""

from __future__ import annotations

import concurrent.futures
import os
import sys
import threading
import uuid
from typing import Any, Callable, Optional


class Local:
    """An executor of `concurrent.futures`; without one, as many threads as there are cores, each of which waits for a process."""

    name = "local"

    def __init__(self, executor: Optional[concurrent.futures.Executor], attempts: int, threads: int) -> None:
        self.own = executor is None
        self.executor = executor or concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0)))
        self.shared = isinstance(self.executor, concurrent.futures.ThreadPoolExecutor)

    def flag(self) -> Any:
        # Other processes do not see it; they end with theirs.
        return threading.Event() if self.shared else None

    def raise_flag(self, flag: Any) -> None:
        if flag is not None:
            flag.set()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self.executor.submit(function, *arguments)

    def cancel(self, future: Any) -> None:
        future.cancel()

    def close(self) -> None:
        if self.own:
            self.executor.shutdown(wait=False, cancel_futures=True)

    def is_death(self, error: BaseException) -> bool:
        # An executor that has lost a process does nothing any more: that is no failure of one job.
        return False


class DaskFlag:
    """An event that the scheduler keeps."""

    def __init__(self, name: str) -> None:
        self.name = name

    def is_set(self) -> bool:
        return bool(event(self.name).is_set())


def event(name: str, client: Any = None) -> Any:
    """An event on the scheduler; a worker knows its client."""
    import distributed

    make: Any = distributed.Event
    return make(name, client=client)


class Dask:
    """A `dask.distributed.Client`. Its scheduler gives a job of a worker that died to another, `allowed-failures` times. How many
    run on a worker at a time is a matter of its threads."""

    name = "dask"

    def __init__(self, client: Any, attempts: int, threads: int) -> None:
        self.client = client

    def flag(self) -> DaskFlag:
        return DaskFlag(f"starset-{uuid.uuid4()}")

    def raise_flag(self, flag: DaskFlag) -> None:
        event(flag.name, self.client).set()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self.client.submit(function, *arguments, pure=False)

    def cancel(self, future: Any) -> None:
        future.cancel()

    def close(self) -> None:
        pass

    def is_death(self, error: BaseException) -> bool:
        import distributed

        return isinstance(error, distributed.KilledWorker)


# How long Ray has to end what was cancelled before its workers are killed, in seconds.
PATIENCE = 5


class Ray:
    """Ray, where it was begun with `ray.init()`. It runs a job of a worker that died `attempts` more times."""

    name = "ray"

    def __init__(self, ray: Any, attempts: int, threads: int) -> None:
        self.ray, self.attempts, self.threads = ray, attempts, threads
        self.references: dict[int, Any] = {}
        self.cancelled: list[Any] = []

    def flag(self) -> None:
        return None

    def raise_flag(self, flag: None) -> None:
        pass

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        remote = self.ray.remote(num_cpus=self.threads, max_retries=self.attempts)(function)
        reference = remote.remote(*arguments)
        future = reference.future()
        self.references[id(future)] = reference
        future.add_done_callback(lambda done: self.references.pop(id(done), None))
        return future

    def cancel(self, future: Any) -> None:
        reference = self.references.get(id(future))
        if reference is not None:
            self.cancelled.append(future)
            self.ray.cancel(reference)

    def close(self) -> None:
        # A worker may miss that it is cancelled. The program ends with it.
        for future in concurrent.futures.wait(self.cancelled, PATIENCE).not_done:
            reference = self.references.get(id(future))
            if reference is not None:
                self.ray.cancel(reference, force=True)

    def is_death(self, error: BaseException) -> bool:
        lost = self.ray.exceptions
        return isinstance(error, (lost.WorkerCrashedError, lost.NodeDiedError, lost.OutOfMemoryError))


def backend(client: Any, attempts: int, threads: int) -> Any:
    """What speaks to this client."""
    if client is None or isinstance(client, concurrent.futures.Executor):
        return Local(client, attempts, threads)
    distributed, ray = sys.modules.get("distributed"), sys.modules.get("ray")
    if distributed is not None and isinstance(client, distributed.Client):
        return Dask(client, attempts, threads)
    if ray is not None and client is ray:
        if not ray.is_initialized():
            raise TypeError("Ray is not begun: call ray.init() first")
        return Ray(ray, attempts, threads)
    what = "a dask.distributed.Client, the module ray after ray.init(), or an executor of concurrent.futures"
    raise TypeError(f"client is {client!r}; give {what}")
