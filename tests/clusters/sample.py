"""Jobs to try clusters on, what they must come to, and how results are looked at."""
import json
import pathlib
import subprocess

# Small nets of scalable families, and some whose markings are too many for explicit search within any limit of these tests:
# their state space takes a job all of its time, and is unknown in the end whoever asks.
QUICK = [("philo", 4), ("philo", 6), ("kanban", 2), ("kanban", 3), ("slot", 3), ("slot", 4)]
SLOW = [("kanban", 300), ("kanban", 301), ("kanban", 302), ("kanban", 303)]
EXAMINATIONS = ["StateSpace", "OneSafe", "ReachabilityDeadlock"]


def instances(program, folder):
    """A folder of instances."""
    for family, size in QUICK + SLOW:
        instance = pathlib.Path(folder) / f"{family.title()}-{size}"
        instance.mkdir(parents=True)
        subprocess.run([program, "-q", "generate", family, str(size), "-o", instance / "model.pnml"], check=True)
    return pathlib.Path(folder)


def options(time):
    return ["--examinations", ",".join(EXAMINATIONS), "--engine", "explicit", "--threads", "1", "--memory", "1G",
            "--time", str(time)]


def lines(*files):
    """The records of files, whole lines only."""
    found = []
    for file in files:
        if pathlib.Path(file).exists():
            whole = pathlib.Path(file).read_bytes().rpartition(b"\n")[0]
            found += [json.loads(line) for line in whole.splitlines()]
    return found


def answers(records):
    """By job: the answers by question, and nothing that depends on who found them when."""
    return {(record["model"], record["examination"]): {answer["id"]: answer["value"] for answer in record["answers"]}
            for record in records}


def command(process):
    """Its command line."""
    try:
        return pathlib.Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""


def descendants(process):
    """The processes that it has started, and those that they have."""
    try:
        children = [int(child) for task in pathlib.Path(f"/proc/{process}/task").iterdir()
                    for child in (task / "children").read_text().split()]
    except OSError:
        return
    for child in children:
        yield child
        yield from descendants(child)


class Checks:
    def __init__(self):
        self.passed, self.failed = 0, 0

    def __call__(self, what, found, wanted=True):
        if found == wanted:
            self.passed += 1
            print(f"  {what}")
        else:
            self.failed += 1
            print(f"  FAILED: {what}: {found!r}, not {wanted!r}")

    def whole(self, records, reference):
        """The records are those of the jobs of the reference: none lost, none twice, the same answers, and from somewhere."""
        jobs = [(record["model"], record["examination"]) for record in records]
        self("no job is lost", set(reference) - set(jobs), set())
        self("no job is done twice", sorted({job for job in jobs if jobs.count(job) > 1}), [])
        self("the answers are those of plain batch", answers(records) == reference)
        self("no job failed", [record["error"] for record in records if record["error"]], [])
        provenance = ["version", "options", "seed", "host", "begun", "threads"]
        self("each result says how it was made", all(record.get(field) is not None for record in records for field in provenance))

    def end(self):
        print(f"{self.passed} checks passed, {self.failed} failed")
        return 1 if self.failed else 0


def reference(program, paths, given, folder):
    """The answers of plain batch."""
    file = pathlib.Path(folder) / "reference.jsonl"
    ended = subprocess.run([program, "-q", "batch", *map(str, paths), *given, "--results", file, "--jobs", "2"],
                           capture_output=True, text=True)
    if ended.returncode not in (0, 1, 3):
        raise SystemExit(f"batch: status {ended.returncode}: {ended.stderr}")
    return answers(lines(file))
