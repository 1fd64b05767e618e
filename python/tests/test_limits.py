"""Limits, signals, threads and progress. Nothing here depends on how fast the machine is."""

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import starset
from starset import Net, Progress, errors


@pytest.fixture
def endless(tmp_path: Path) -> Net:
    """A counter machine that never comes to an end in diagrams."""
    file = tmp_path / "endless.counters"
    file.write_text("machine endless\ncounter x = 0\ncounter y = 0\ngo: do x += 1\nstep: when x >= 1 do y += 3\n")
    return Net.read(file)


def test_time_ends_what_has_no_end(endless: Net) -> None:
    with pytest.raises(starset.OutOfTime) as caught:
        endless.reachable(timeout=0.2)
    assert caught.value.reason == "time"
    with pytest.raises(TimeoutError):
        endless.with_limits(timeout=0.2).reachable()


def test_memory_ends_what_has_no_end() -> None:
    net = Net.family("kanban", 200).with_limits(memory=1 << 20, timeout=300)
    with pytest.raises(MemoryError) as caught:
        net.reachable()
    assert isinstance(caught.value, starset.OutOfMemory) and caught.value.reason == "memory"


@pytest.mark.parametrize("memory", ["500M", "2GiB", "1T", "4096k", "123456789", 1 << 30])
def test_sizes(memory: int | str) -> None:
    assert Net.family("philo", 3).with_limits(memory=memory).name


@pytest.mark.parametrize(
    "limits", [{"memory": "much"}, {"memory": "12 parsecs"}, {"timeout": -1.0}, {"threads": 0}, {"progress": 3}]
)
def test_limits_that_are_none(limits: dict[str, object]) -> None:
    with pytest.raises(errors.MisuseError):
        Net.family("philo", 3).with_limits(**limits)  # type: ignore[arg-type]


def test_techniques_that_are_left_out(philosophers: Net) -> None:
    for technique in ["structure", "walks", "search", "stubborn", "state-approximation"]:
        assert philosophers.without(technique).check("AG EF #Eat_0 = 1").value is False
        assert philosophers.check("AG EF #Eat_0 = 1", without=[technique]).value is False
    with pytest.raises(errors.MisuseError, match="no technique `fusoin`.*fusion"):
        philosophers.without("units", "fusoin")
    with pytest.raises(errors.MisuseError, match="no technique `fusoin`.*fusion"):
        philosophers.check("true", without=["fusoin"])


def test_no_limit_is_a_limit_too(philosophers: Net) -> None:
    assert philosophers.with_limits(timeout=float("inf"), threads=3).states() == 243


def test_the_interrupt_of_the_keyboard(endless: Net) -> None:
    """The signal is sent once the work has begun, by the function that hears of progress."""
    # What a shell runs in the background ignores it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    endless = endless.with_limits(timeout=60, memory="1G")

    def interrupt(_: Progress) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        endless.reachable(progress=interrupt)
    with pytest.raises(KeyboardInterrupt):
        endless.satset("true", progress=interrupt)
    signal.signal(signal.SIGINT, before)
    # What was interrupted may be asked again.
    with pytest.raises(starset.OutOfTime):
        endless.reachable(timeout=0.1)


def test_an_error_of_who_hears_ends_the_work(endless: Net) -> None:
    def refuse(_: Progress) -> None:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        endless.reachable(progress=refuse)


def test_other_threads_go_on(endless: Net) -> None:
    """Another thread of Python ends the work, which it can only do if the lock is free meanwhile."""
    stop = threading.Event()

    def hear(_: Progress) -> None:
        if stop.is_set():
            raise InterruptedError

    threading.Thread(target=stop.set).start()
    with pytest.raises(InterruptedError):
        endless.reachable(progress=hear)


def test_work_in_another_thread(endless: Net) -> None:
    caught: list[BaseException] = []

    def work() -> None:
        try:
            endless.reachable(timeout=0.1)
        except starset.OutOfTime as error:
            caught.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert len(caught) == 1


def test_progress(endless: Net) -> None:
    seen: list[Progress] = []
    with pytest.raises(starset.OutOfTime):
        endless.reachable(timeout=0.5, progress=seen.append)
    assert [progress.done for progress in seen] == [False] * (len(seen) - 1) + [True]
    last = seen[-1]
    assert last.searches >= 1 and last.order and last.seconds > 0 and last.nodes >= 0 and last.states >= 0
    assert repr(last).startswith("Progress(searches=")


@pytest.fixture
def bars(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What is shown on bars."""
    import tqdm.auto

    shown: list[str] = []

    class Bar:
        def __init__(self, **_: object) -> None:
            self.n = 0

        def set_postfix(self, details: dict[str, object], refresh: bool) -> None:
            shown.append(",".join(details))

        def close(self) -> None:
            shown.append("closed")

    monkeypatch.setattr(tqdm.auto, "tqdm", Bar)
    yield shown


def test_a_bar(endless: Net, bars: list[str]) -> None:
    with pytest.raises(starset.OutOfTime):
        endless.reachable(timeout=0.5, progress=True)
    assert bars[0].startswith("searches,order") and bars[-1] == "closed"
    bars.clear()
    assert Net.family("philo", 5).states(progress=True) == 243


def test_all_that_takes_time_tells_how_far_it_is() -> None:
    net = Net.from_edges([("start", "a"), ("a", "end")], {"start": 1})
    seen: list[Progress] = []
    assert net.soundness(threads=2, progress=seen.append).classical and seen[-1].done
    seen.clear()
    assert len(net.reachability_graph(threads=2, progress=seen.append)) == 2 and seen[-1].done


def test_reading_has_limits(tmp_path: Path) -> None:
    file = tmp_path / "net.pnml"
    file.write_text(Net.family("philo", 300).to_text())
    with pytest.raises(starset.OutOfTime):
        Net.read(file, timeout=0)
