#!/usr/bin/env python3
"""`starset.cluster` on the local clusters of Dask and Ray: workers.py [--time SECONDS] [--only local,dask,ray] PROGRAM

The jobs of a batch are done by worker processes of which each is killed in the middle; then the one that hands them out is
killed and begun again. No job must be lost, none done twice, and all answers be those of plain batch. Then one problem is asked in
several ways. Needs `starset.cluster` where Python finds it, and dask[distributed] and ray: what is not there is said, and the
status is 77 if nothing could be checked. Status 1 if a check failed.
"""
import argparse
import concurrent.futures
import importlib.util
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
import sample
from starset import cluster

WORKERS = 2
# Batches until one has workers killed at two moments.
ATTEMPTS = 4


class Local:
    """Threads of this process, which have nothing that could be killed but the programs that they wait for."""

    def __init__(self):
        self.client = None

    def workers(self):
        return [process for process in sample.descendants(os.getpid()) if b"\0batch\0" in sample.command(process)]

    def close(self):
        pass


class Dask:
    def __init__(self):
        import distributed

        self.client = distributed.Client(
            distributed.LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=None, silence_logs=50))

    def workers(self):
        # Asking the workers themselves would wait for those that were killed a moment ago.
        return [process for process in sample.descendants(os.getpid()) if b"--multiprocessing-fork" in sample.command(process)]

    def close(self):
        self.client.cluster.close()
        self.client.close()


class Ray:
    def __init__(self):
        import ray

        ray.init(num_cpus=WORKERS, include_dashboard=False, logging_level="ERROR", log_to_driver=False,
                 object_store_memory=100 << 20)
        self.client = ray

    def workers(self):
        return [process for process in sample.descendants(os.getpid()) if sample.command(process).startswith(b"ray::do")]

    def close(self):
        self.client.shutdown()


SYSTEMS = {"local": Local, "dask": Dask, "ray": Ray}
MODULES = {"local": "starset", "dask": "distributed", "ray": "ray"}


def kill_workers(system, results, total, ended):
    """Kill workers until `ended`: one after the other, each with results before and after it. Gives the numbers of results at
    which each was killed."""
    killed = []
    for wanted in [2, total // 3, total // 2]:
        workers = []
        while not workers and not ended.wait(0.05):
            if len(sample.lines(results)) >= wanted:
                workers = system.workers()
        for process in workers[: 1 if wanted == 2 else None]:
            try:
                os.kill(process, signal.SIGKILL)
                killed.append(wanted)
            except ProcessLookupError:
                pass
    return killed


def batch(system, name, program, folder, given, checks, reference):
    results = folder / f"{name}.jsonl"
    arguments = dict(results=results, client=system.client, program=program, examinations=sample.EXAMINATIONS,
                     time=given["time"], memory="1G", options=["--engine", "explicit"], attempts=10)
    # All results may come at once while a cluster begins a worker again: then nothing was killed late.
    for _ in range(ATTEMPTS):
        results.unlink(missing_ok=True)
        begun, ended = time.monotonic(), threading.Event()
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            killed = pool.submit(kill_workers, system, results, len(reference), ended)
            try:
                summary = cluster.batch([folder / "instances"], **arguments)
            finally:
                ended.set()
        seconds, at = time.monotonic() - begun, sorted(set(killed.result()))
        print(f"  {summary.jobs} jobs in {seconds:.1f} s; killed: {len(killed.result())} workers, at {at} results")
        if len(at) >= 2:
            break
    checks("workers were killed in the middle, more than once", len(at) >= 2)
    checks.whole(sample.lines(results), reference)
    before = results.read_bytes()
    checks("again: nothing is done", (cluster.batch([folder / "instances"], **arguments).jobs, results.read_bytes()), (0, before))
    ended = subprocess.run([program, "batch", folder / "instances", "--examinations", ",".join(sample.EXAMINATIONS),
                            "--results", results, "--todo"], capture_output=True, text=True)
    checks("the program sees that all is done", (ended.returncode, ended.stdout), (0, ""))
    table = folder / f"{name}.parquet"
    if importlib.util.find_spec("pyarrow"):
        import pyarrow.parquet

        cluster.to_parquet(results, table)
        rows = pyarrow.parquet.read_table(table).to_pylist()
        found = {(row["model"], row["examination"], row["id"]): row["value"] for row in rows}
        wanted = {(*job, id): value for job, answers in reference.items() for id, value in answers.items()}
        checks("so says the table", found, wanted)


def running():
    """The command lines of programs that look for an answer."""
    lines = [sample.command(process) for process in sample.descendants(os.getpid())]
    return [line for line in lines if b"\0check\0" in line or b"\0states\0" in line]


def portfolio(system, program, folder, checks):
    model = folder / "instances" / "Kanban-300" / "model.pnml"
    # Explicit search does not find out that this holds, diagrams do; the second is found by both, soon.
    formulas = {"hard": "AG #Pm1 <= 300", "easy": "EF #Pm1 = 0"}
    without = ["--without", "structure,walks,reductions,coverability"]
    variants = [["--engine", "symbolic", "--order", "force"], ["--engine", "explicit", *without]]
    begun, lines = time.monotonic(), folder / "portfolio.jsonl"
    found = cluster.portfolio(model, formulas, states=True, client=system.client, variants=variants, time=300, memory="1G",
                              program=program, results=lines)
    seconds = time.monotonic() - begun
    counted = subprocess.run([program, "-q", "states", model, "--json"], capture_output=True, text=True, check=True)
    wanted = {"hard": True, "easy": True, "states": json.loads(counted.stdout)["states"]}
    checks("verdicts, and the number of states", {answer.id: answer.verdict for answer in found}, wanted)
    checks("the hard one is answered by diagrams", found[0].variant, tuple(variants[0]))
    checks("the first answer ends the others", seconds < 100)
    # What Ray kills ends by itself.
    deadline = time.monotonic() + 20
    while (left := running()) and time.monotonic() < deadline:
        time.sleep(0.2)
    checks("nothing is left of them", left, [])
    checks("the answers are lines of a file", sorted(record["id"] for record in sample.lines(lines)), sorted(wanted))
    lines.unlink()


DRIVER = """
import sys
from starset import cluster
cluster.batch([sys.argv[1]], results=sys.argv[2], program=sys.argv[3], examinations=sys.argv[4].split(","), time=float(sys.argv[5]),
              memory="1G", options=["--engine", "explicit"])
"""


def driver(program, folder, given, checks, reference):
    """The process that hands out the jobs is killed, twice, and begun again."""
    results = folder / "driver.jsonl"
    call = [sys.executable, "-c", DRIVER, folder / "instances", results, program, ",".join(sample.EXAMINATIONS), str(given["time"])]
    for wanted in [5, 12]:
        process = subprocess.Popen(call)
        while len(sample.lines(results)) < wanted:
            time.sleep(0.02)
        process.kill()
        process.wait()
    # As if it had been killed in the middle of a line.
    with open(results, "a") as file:
        file.write('{"schema":"starset/ba')
    checks("begun again after two kills", subprocess.run(call).returncode, 0)
    checks.whole(sample.lines(results), reference)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", help="starset")
    parser.add_argument("--time", type=float, default=1, help="seconds for each job")
    parser.add_argument("--only", default=",".join(SYSTEMS), help="the systems to try")
    args = parser.parse_args()
    given, checks, program = {"time": args.time}, sample.Checks(), str(pathlib.Path(args.program).resolve())
    wanted = args.only.split(",")
    there = [name for name in wanted if importlib.util.find_spec(MODULES[name])]
    for name in set(wanted) - set(there):
        print(f"{name} is not installed: not checked")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        sample.instances(program, folder / "instances")
        reference = sample.reference(program, [folder / "instances"], sample.options(args.time), folder)
        for name in there:
            print(name)
            system = SYSTEMS[name]()
            try:
                batch(system, name, program, folder, given, checks, reference)
                portfolio(system, program, folder, checks)
            finally:
                system.close()
        print("the process that hands them out")
        driver(program, folder, given, checks, reference)
    return checks.end() if there else 77


if __name__ == "__main__":
    sys.exit(main())
