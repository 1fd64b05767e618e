"""How long are the runs that are shown, against the shortest that are known?

    python3 benches/runs.py STARSET FOLDER [--seconds 20] [--every 1] [--nets NAME...]

FOLDER holds instances of the Model Checking Contest, each with `model.pnml` (or `.pnml.gz`) and `ReachabilityCardinality.xml`,
`ReachabilityFireability.xml`. Each formula is asked with `--witness`, and again with `--shortest`, each within the seconds.
For each run that was shown: its steps, the fewest that any of the two has shown or that are proved to be needed, and
whether that is proved. Printed are the median and the mean of the quotients, and the share of runs that are shortest."""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys


def asked(program, net, formulas, seconds, option):
    """By formula: verdict, steps of the first run, whether it is proved to be shortest."""
    command = [program, "check", net, "-x", formulas, option, "--json", "--time", str(seconds), "--threads", "1"]
    out = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 120).stdout
    found = {}
    for line in out.splitlines():
        answer = json.loads(line)
        runs = (answer.get("witness") or {}).get("runs") or []
        if len(runs) == 1:
            found[answer["id"]] = (answer["verdict"], len(runs[0]["labels"]), runs[0].get("shortest") is True)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--every", type=int, default=1, help="only each so many-th instance")
    parser.add_argument("--nets", nargs="*", default=[], help="only instances whose names contain one of these")
    arguments = parser.parse_args()
    quotients, proved, seen = [], 0, 0
    folders = sorted(path for path in arguments.folder.iterdir() if path.is_dir())
    folders = [path for path in folders if not arguments.nets or any(name in path.name for name in arguments.nets)]
    for folder in folders[:: arguments.every]:
        nets = [path for path in (folder / "model.pnml", folder / "model.pnml.gz") if path.exists()]
        for examination in ("ReachabilityCardinality", "ReachabilityFireability"):
            formulas = folder / f"{examination}.xml"
            if not nets or not formulas.exists():
                continue
            try:
                shown = asked(arguments.program, nets[0], formulas, arguments.seconds, "--witness")
                shortest = asked(arguments.program, nets[0], formulas, arguments.seconds, "--shortest")
            except (subprocess.TimeoutExpired, json.JSONDecodeError) as error:
                print(f"{folder.name} {examination}: {error}", file=sys.stderr)
                continue
            for name, (verdict, steps, is_proved) in shown.items():
                other = shortest.get(name, (verdict, steps, False))
                if other[0] != verdict:
                    sys.exit(f"{name}: {verdict} and {other[0]}")
                least = min(steps, other[1])
                seen += 1
                proved += is_proved or (other[2] and other[1] == steps)
                quotients.append(steps / least if least else 1.0)
                if steps > least:
                    print(f"{name}: {steps} steps, {least} {'needed' if other[2] else 'known'}", flush=True)
    if quotients:
        print(f"{seen} runs: median {statistics.median(quotients):.3f}, mean {statistics.mean(quotients):.3f}, "
              f"{100 * sum(q == 1 for q in quotients) / seen:.1f} % as short as known, {100 * proved / seen:.1f} % proved shortest")


if __name__ == "__main__":
    main()
