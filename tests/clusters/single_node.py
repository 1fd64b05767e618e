"""A real Slurm on one machine, for as long as a `with` lasts: munged, slurmctld and slurmd on the loopback.

Everything it writes is in a folder of its own, and so are its key, its socket and its configuration; ports are free ones. It
runs as whoever calls it, and needs the packages slurm-wlm and munge: no control groups, no data base. A job that is requeued
waits for as long as a credential is good: 10 seconds here, two minutes by default.
"""
import getpass
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time

PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel"]
CONFIGURATION = """
ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=10
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=5,bf_interval=5
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
KillWait=2
SlurmdTimeout=10
MinJobAge=86400
MaxArraySize=10001
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=4000 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def missing():
    """The programs that are not there."""
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    return [program for program in PROGRAMS if not shutil.which(program, path=path)]


def free_ports(number):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def until(what, condition, seconds=60):
    """Wait for something that comes without our doing."""
    deadline, error = time.monotonic() + seconds, None
    while time.monotonic() < deadline:
        try:
            if found := condition():
                return found
        except RuntimeError as failure:
            # A controller that has lost its node is not always in the mood for questions.
            error = failure
        time.sleep(0.05)
    raise TimeoutError(f"{what}: not within {seconds} s") from error


class SingleNode:
    def __init__(self, folder, cpus):
        self.folder, self.cpus = pathlib.Path(folder), cpus
        self.configuration = self.folder / "slurm.conf"
        path = os.environ["PATH"] + ":/usr/sbin:/sbin"
        self.environment = dict(os.environ, SLURM_CONF=str(self.configuration), PATH=path)

    def __enter__(self):
        for name in ["state", "spool"]:
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        # munged wants its socket in a folder that others may enter, and only its owner may write to.
        self.folder.chmod(0o755)
        controller, daemon = free_ports(2)
        self.configuration.write_text(CONFIGURATION.format(
            host=socket.gethostname().split(".")[0], user=getpass.getuser(), folder=self.folder, cpus=self.cpus,
            controller=controller, daemon=daemon))
        files = {"key-file": "munge.key", "socket": "munge.socket", "pid-file": "munged.pid", "log-file": "munged.log",
                 "seed-file": "munge.seed"}
        self.run("munged", "--force", *(f"--{option}={self.folder / name}" for option, name in files.items()))
        self.run("slurmctld")
        self.start_daemon()
        return self

    def __exit__(self, *_):
        self.crash()
        for name in ["slurmctld", "munged"]:
            process = int((self.folder / f"{name}.pid").read_text())
            # The controller would like to part with the node in good order, which is not there any more.
            self.kill(process)
            # They write to the folder until they have ended.
            until(f"the end of {name}", lambda: not self.is_alive(process))

    def run(self, *command):
        """A command in the environment of this Slurm; its output."""
        ended = subprocess.run(command, env=self.environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if ended.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: status {ended.returncode}: {ended.stderr.strip()}")
        return ended.stdout

    def start_daemon(self):
        self.run("slurmd")
        until("the node", lambda: re.search(r"State=(IDLE|MIXED|ALLOCATED)\S* ", self.run("scontrol", "show", "node", "-o"))
              and "NOT_RESPONDING" not in self.run("scontrol", "show", "node", "-o"))

    def processes(self):
        """slurmd, and all that it has started: they have its environment."""
        mark = f"SLURM_CONF={self.configuration}\0".encode()
        names = {"slurmctld", "munged"}
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if entry.name.isdigit() and mark in (entry / "environ").read_bytes() + b"\0":
                    parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                    # What is asked of Slurm from here runs elsewhere, so to speak.
                    if (entry / "comm").read_text().strip() not in names and parent != os.getpid():
                        yield int(entry.name)
            except OSError:
                pass  # It has ended.

    def kill(self, process, how=signal.SIGKILL):
        try:
            os.kill(process, how)
        except ProcessLookupError:
            pass

    def is_alive(self, process):
        """Does it run? One that has ended may wait for somebody to ask how."""
        try:
            return pathlib.Path(f"/proc/{process}/cmdline").read_bytes() != b""
        except OSError:
            return False

    def crash(self):
        """What happens to a node whose power fails: the daemon and all that runs on the node are gone at once."""
        for _ in range(3):
            for process in list(self.processes()):
                self.kill(process)

    def submit(self, *command, **environment):
        """sbatch; the number of the job."""
        ended = subprocess.run(["sbatch", "--parsable", *map(str, command)], env={**self.environment, **environment},
                               capture_output=True, text=True, cwd=self.folder)
        if ended.returncode != 0:
            raise RuntimeError(f"sbatch: {ended.stderr.strip()}")
        return int(ended.stdout.split(";")[0])

    def tasks(self, job):
        """The tasks of an array: by number, what Slurm says about them."""
        lines = self.run("scontrol", "show", "job", "-o", str(job)).splitlines()
        fields = [dict(re.findall(r"(\S+?)=(\S*)", line)) for line in lines]
        return {int(task["ArrayTaskId"]): task for task in fields if task.get("ArrayTaskId", "").isdigit()}

    def wait(self, job, seconds):
        """Until no task of the job waits or runs; the tasks."""
        until(f"job {job}", lambda: not self.run("squeue", "--noheader", f"--jobs={job}").strip(), seconds)
        return self.tasks(job)
