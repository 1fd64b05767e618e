#!/bin/bash
#SBATCH --job-name=starset
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@20
# A share of a batch as a task of an array of Slurm:
#
#   sbatch --array=1-64 --cpus-per-task=2 --mem=17G batch.sh RESULTS INSTANCES --jobs 2 --memory 8G --time 60
#
# RESULTS is a folder that all nodes see; task I of N writes RESULTS/part-I.jsonl, and nobody else does. What follows goes to
# `starset batch` as it stands (docs/batch.md). STARSET is the program, if it is not the `starset` of the PATH.
#
# The state of the task in Slurm says what became of its jobs:
#   COMPLETED  each of them has a result, be it an error or "unknown"; a task that ran before finds that out and does nothing
#   FAILED     wrong usage or input (status 2), answers that contradict each other (4), or five restarts were not enough (75):
#              look at the task's output before you go on
#   others     (NODE_FAIL, TIMEOUT, CANCELLED) some have none: the task goes on where it was when it is started again, by Slurm
#              after the loss of a node, by itself when its time was over or something killed its jobs, or by whoever calls
#              sbatch again with the same arguments
#
# Whatever kills the task, its file holds whole lines, but for the last one perhaps, which the next run removes. So nothing that
# was finished is done twice, and what was running is done again. Afterwards, anywhere:
#
#   starset batch INSTANCES --results results.jsonl --merge RESULTS/part-*.jsonl
set -u
if [ $# -lt 2 ] || [ -z "${SLURM_ARRAY_TASK_ID:-}" ]; then
    echo "usage: sbatch --array=1-N batch.sh RESULTS INSTANCES [OPTION of starset batch]..." >&2
    exit 2
fi
results=$1
shift
part=$results/part-$SLURM_ARRAY_TASK_ID.jsonl
# An array that does not begin at 1 is a selection: --array=3,17 does these two tasks of SHARES=64 again.
shares=${SHARES:-$SLURM_ARRAY_TASK_COUNT}
mkdir -p "$results" || exit 2

# Bash hears signals only while it waits; jobs that are told to end have no result.
"${STARSET:-starset}" batch "$@" --shard "$SLURM_ARRAY_TASK_ID/$shares" --results "$part" --status work &
child=$!
trap 'kill -TERM $child' TERM
wait $child
status=$?
while kill -0 $child 2>/dev/null; do
    wait $child
    status=$?
done
case $status in
0 | 2 | 4) exit $status ;;
esac
# 75, or whatever killed it.
[ "${SLURM_RESTART_COUNT:-0}" -lt "${RESTARTS:-5}" ] && scontrol requeue "$SLURM_JOB_ID" && sleep 60
exit 75
