"""What the package costs beside the program: overhead.py PROGRAM [--rounds N] [NET ...]

For each net both compute the set of deadlocks and decide a formula, with one thread, in turns; of the processor time of each the
least counts. The interpreter starts once and reads a net anew each time; the program starts anew each time. A NET is a
family with its size, as in kanban:50. Prints a table in Markdown.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from starset import Net

NETS = ["kanban:100", "fms:20", "slot:30", "philo:1000", "phils:1000", "batches:200"]
FORMULA = "AG EF !deadlock"


def spent() -> float:
    """Seconds of processor time of this process, all its threads, and the programs that it has run."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def least(work: list[Callable[[], object]], rounds: int) -> list[float]:
    """The least of the times that each takes, in turns."""
    times = [[] for _ in work]  # type: list[list[float]]
    for _ in range(rounds):
        for one, found in zip(work, times, strict=True):
            begin = spent()
            one()
            found.append(spent() - begin)
    return [min(found) for found in times]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("program")
    parser.add_argument("nets", nargs="*", default=NETS)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print("| net | question | program, s | package, s | ratio |\n|---|---|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.nets:
            family, size = name.split(":")
            file = Path(folder) / f"{family}-{size}.pnml"
            file.write_text(Net.family(family, int(size)).to_text())

            def run(*arguments: str, file: Path = file) -> None:
                command = [options.program, arguments[0], str(file), *arguments[1:], "--threads", "1"]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

            def read(file: Path = file) -> Net:
                return Net.read(file).with_limits(threads=1)

            for question, theirs, ours in [
                ("states with a deadlock", lambda: run("satset", "-f", "deadlock"), lambda: read().deadlocks().count()),
                (f"`{FORMULA}`", lambda: run("check", "-f", FORMULA), lambda: read().check(FORMULA, witness=False)),
            ]:
                program, package = least([theirs, ours], options.rounds)
                print(f"| {name} | {question} | {program:.3f} | {package:.3f} | {package / program:.2f} |")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
