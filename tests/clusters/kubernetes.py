#!/usr/bin/env python3
"""contrib/kubernetes against the published schema, and what it runs: kubernetes.py PROGRAM

The manifests are validated, strictly, against the JSON Schema of Kubernetes (the package kubernetes-validate has those of each
version); a field with a slip in its name must be refused. Then the arguments of the container are run here as Kubernetes would
spell them out, for each index, some of them after a kill, and the results are merged. Needs kubernetes-validate; says so and ends
with status 77 where it is not there. Status 1 if a check failed.
"""
import argparse
import copy
import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import sample

CONTRIB = pathlib.Path(__file__).resolve().parent.parent.parent / "contrib" / "kubernetes"
# backoffLimitPerIndex is stable from the first of them on.
VERSIONS = ["1.33", "1.34", "1.35"]


def refused(manifest, version):
    """Why the schema refuses it."""
    import kubernetes_validate

    try:
        kubernetes_validate.validate(manifest, version, strict=True)
        return None
    except (kubernetes_validate.ValidationError, kubernetes_validate.InvalidSchemaError) as error:
        return str(error)


def schemas(manifests, checks):
    for name, manifest in manifests.items():
        for version in VERSIONS:
            checks(f"{name} is as Kubernetes {version} wants it", refused(manifest, version), None)
    for path, slip in [(["spec"], "completionsMode"), (["spec", "template", "spec"], "restartPolice"),
                       (["spec", "template", "spec", "containers", 0], "arguments")]:
        wrong = copy.deepcopy(manifests["batch.yaml"])
        at = wrong
        for step in path:
            at = at[step]
        at[slip] = "x"
        checks(f"a field {slip} is refused", refused(wrong, VERSIONS[0]) is not None)
    wrong = copy.deepcopy(manifests["batch.yaml"])
    wrong["spec"]["completions"] = "many"
    checks("a number that is none is refused", refused(wrong, VERSIONS[0]) is not None)


def arguments(manifest, index, folder):
    """What a container is called with: variables and mounted folders in their places."""
    container = manifest["spec"]["template"]["spec"]["containers"][0]
    spelled = [re.sub(r"\$\((\w+)\)", lambda name: {"JOB_COMPLETION_INDEX": str(index)}[name[1]], argument)
               for argument in container["args"]]
    for mount in container["volumeMounts"]:
        spelled = [re.sub(f"(^|=){mount['mountPath']}(?=/|$)", rf"\g<1>{folder}{mount['mountPath']}", each) for each in spelled]
    return spelled


def pods(program, manifests, folder, checks):
    sample.instances(program, folder / "instances")
    (folder / "results").mkdir()
    # The test has limits of its own: the last ones count.
    given = ["--examinations", ",".join(sample.EXAMINATIONS), "--engine", "explicit"]
    reference = sample.reference(program, [folder / "instances"], sample.options(1), folder)
    job = manifests["batch.yaml"]
    completions = job["spec"]["completions"]
    own = ("--time", "--memory", "--jobs", "--threads")

    def call(name, index=0, limits=("--memory=1G", "--time=1", "--jobs=1", "--threads=1")):
        spelled = [each for each in arguments(manifests[name], index, folder) if not each.startswith(own)]
        return [program, "--quiet", *spelled, *given, *limits]

    for index in range(completions):
        if index % 10 == 3:
            # Lost with its node; the next pod goes on.
            process = subprocess.Popen(call("batch.yaml", index), stdout=subprocess.DEVNULL)
            try:
                process.wait(0.3)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
    status = {subprocess.run(call("batch.yaml", index), stdout=subprocess.DEVNULL).returncode for index in range(completions - 50)}
    checks("pods succeed, whatever the answers are", status, {0})
    ended = subprocess.run(call("merge.yaml", limits=()), capture_output=True, text=True)
    checks("merged too early: to be tried again", ended.returncode, 75)
    status = {subprocess.run(call("batch.yaml", index), stdout=subprocess.DEVNULL).returncode for index in range(completions)}
    checks("the other pods succeed, too", status, {0})
    ended = subprocess.run(call("merge.yaml", limits=()), capture_output=True, text=True)
    checks("merged", ended.returncode, 0)
    checks.whole(sample.lines(*(folder / "results").glob("part-*.jsonl")), reference)
    checks.whole(sample.lines(folder / "results" / "results.jsonl"), reference)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", help="starset")
    args = parser.parse_args()
    if not importlib.util.find_spec("kubernetes_validate"):
        print("no kubernetes-validate: nothing is checked")
        return 77
    import yaml

    checks, program = sample.Checks(), str(pathlib.Path(args.program).resolve())
    manifests = {path.name: yaml.safe_load(path.read_text()) for path in sorted(CONTRIB.glob("*.yaml"))}
    schemas(manifests, checks)
    job = manifests["batch.yaml"]["spec"]
    shard = next(each for each in job["template"]["spec"]["containers"][0]["args"] if each.startswith("--shard"))
    checks("the shares are as many as the pods", shard, f"--shard=$(JOB_COMPLETION_INDEX)+1/{job['completions']}")
    with tempfile.TemporaryDirectory() as folder:
        pods(program, manifests, pathlib.Path(folder), checks)
    return checks.end()


if __name__ == "__main__":
    sys.exit(main())
