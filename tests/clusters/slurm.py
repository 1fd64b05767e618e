#!/usr/bin/env python3
"""contrib/slurm against a real Slurm on this machine: slurm.py [--time SECONDS] PROGRAM

An array of tasks is run as plain batch would run its jobs, while things happen to it: a task is requeued in the middle, the jobs
of another are killed, the node loses its power. Then no job must be lost, none done twice, and all answers be the same. Then one
problem is asked in several ways, and the first answer ends the others. Needs slurm-wlm and munge (Debian's packages), and
Python; says so and ends with status 77 where they are not there. Status 1 if a check failed.
"""
import argparse
import pathlib
import signal
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import sample
from single_node import SingleNode, missing, until

CONTRIB = pathlib.Path(__file__).resolve().parent.parent.parent / "contrib" / "slurm"
SHARES = 6


def running(node, job):
    return [number for number, task in node.tasks(job).items() if task["JobState"] == "RUNNING"]


def jobs_of(node, part):
    """The processes of starset that work on a share."""
    found = []
    for process in node.processes():
        try:
            command = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"batch" in command[1:2] and str(part).encode() in command and b"--todo" not in command:
            found.append(process)
    return found


def array(node, program, folder, given, checks):
    reference = sample.reference(program, [folder / "instances"], given, folder)
    results = folder / "results"
    parts = [results / f"part-{number}.jsonl" for number in range(1, SHARES + 1)]
    command = [f"--array=1-{SHARES}", CONTRIB / "batch.sh", results, folder / "instances", *given, "--jobs", "1"]
    print(f"{len(reference)} jobs as {SHARES} tasks of an array on {node.cpus} cores")
    begun = time.monotonic()
    job = node.submit(*command, STARSET=program)

    def some(task, wanted):
        return lambda: task in running(node, job) and len(sample.lines(parts[task - 1])) >= wanted

    until("a first result", some(1, 1))
    node.run("scontrol", "requeue", f"{job}_1")
    print(f"  task 1 is requeued, with {len(sample.lines(parts[0]))} results")
    size = {number: len(range(number - 1, len(reference), SHARES)) for number in range(1, SHARES + 1)}
    in_the_middle = lambda: {n for n in running(node, job) if 0 < len(sample.lines(parts[n - 1])) < size[n]}

    def killed():
        """Another task whose jobs were killed before all of them had results: what has them all may end as if nothing were."""
        for number in in_the_middle() - {1}:
            processes = jobs_of(node, parts[number - 1])
            for process in processes:
                node.kill(process, signal.SIGKILL)
            if processes and len(sample.lines(parts[number - 1])) < size[number]:
                return number
        return None

    task = until("a task that is killed in the middle", killed)
    print(f"  the batch of task {task} is killed, with {len(sample.lines(parts[task - 1]))} results")
    lost = until("a task with results, and something left to do", in_the_middle)
    node.crash()
    finished = len(sample.lines(*parts))
    # What had all its results by then may have ended.
    lost = sorted(number for number in lost if len(sample.lines(parts[number - 1])) < size[number])
    print(f"  the node loses its power, and tasks {lost}; {finished} results are there")
    time.sleep(1)
    node.start_daemon()
    print("  the node is there again")
    tasks = node.wait(job, 300)
    print(f"  all tasks have ended after {time.monotonic() - begun:.0f} s")
    restarted = {number: int(task["Restarts"]) for number, task in tasks.items() if task["Restarts"] != "0"}
    checks("each task is COMPLETED", {task["JobState"] for task in tasks.values()}, {"COMPLETED"})
    checks("tasks were restarted: the first, the killed one, and those of the lost node",
           {1, task, *lost} <= set(restarted))
    checks("the node was lost in the middle of a task", bool(lost) and 0 < finished < len(reference))
    checks.whole(sample.lines(*parts), reference)
    merge = [program, "batch", folder / "instances", *given, "--results", folder / "all.jsonl"]
    for attempt in ["merged", "merged again"]:
        ended = sample.subprocess.run([*merge, "--merge", *parts], capture_output=True, text=True)
        # Some are unknown, as they must be: status 3.
        checks(f"{attempt}: status 3, and no job without a result",
               (ended.returncode, "no result yet" in ended.stdout), (3, False))
        checks.whole(sample.lines(folder / "all.jsonl"), reference)
    before = [part.read_bytes() for part in parts]
    job = node.submit(*command, STARSET=program)
    states = {task["JobState"] for task in node.wait(job, 120).values()}
    checks("the same array again: all COMPLETED, and nothing is done", (states, [part.read_bytes() for part in parts] == before),
           ({"COMPLETED"}, True))


def portfolio(node, program, folder, checks):
    variants, results = folder / "variants", folder / "portfolio"
    # Explicit search does not end here, diagrams do.
    variants.write_text("--engine explicit\n--engine symbolic --order force\n--engine explicit --seed 7\n")
    model = folder / "instances" / "Kanban-300" / "model.pnml"
    begun = time.monotonic()
    job = node.submit("--array=1-3", CONTRIB / "portfolio.sh", variants, results, "states", model, "--memory", "1G",
                      "--time", "300", "--threads", "1", "--json", STARSET=program)
    tasks = node.wait(job, 120)
    checks("the first answer ends the others", time.monotonic() - begun < 100)
    checks("it is there, with the options that found it", (results / "answer-2.options").read_text().strip(),
           "--engine symbolic --order force")
    found = [path.name for path in results.iterdir() if path.suffix == "" and path.is_file()]
    checks("it is the only one", found, ["answer-2"])
    states = {number: task["JobState"] for number, task in tasks.items()}
    checks("the others are CANCELLED", states, {1: "CANCELLED", 2: "COMPLETED", 3: "CANCELLED"})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", help="starset")
    parser.add_argument("--time", type=float, default=2, help="seconds for each job")
    args = parser.parse_args()
    if missing():
        print(f"no {', '.join(missing())}: install slurm-wlm and munge; nothing is checked")
        return 77
    program, checks = str(pathlib.Path(args.program).resolve()), sample.Checks()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        sample.instances(program, folder / "instances")
        (folder / "slurm").mkdir()
        with SingleNode(folder / "slurm", cpus=2) as node:
            array(node, program, folder, sample.options(args.time), checks)
            portfolio(node, program, folder, checks)
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
