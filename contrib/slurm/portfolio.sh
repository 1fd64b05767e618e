#!/bin/bash
#SBATCH --job-name=starset-portfolio
#SBATCH --open-mode=append
# One hard problem asked in many ways at once, a task of an array each; the first answer ends the others:
#
#   sbatch --array=1-$(wc -l <VARIANTS) --mem=17G portfolio.sh VARIANTS RESULTS check MODEL -f FORMULA --memory 16G
#
# VARIANTS has a line of options for each task, as in `--engine symbolic --order force` or `--seed 7`. What follows RESULTS is a
# command of starset that ends with status 0 when all is answered, and with status 3 when something is unknown. The answer is in
# RESULTS/answer-I, the options that found it in RESULTS/answer-I.options; nothing is there that is not complete.
set -u
if [ $# -lt 4 ] || [ -z "${SLURM_ARRAY_TASK_ID:-}" ]; then
    echo "usage: sbatch --array=1-LINES portfolio.sh VARIANTS RESULTS check MODEL -f FORMULA [OPTION]..." >&2
    exit 2
fi
variants=$1 results=$2
shift 2
options=$(sed -n "${SLURM_ARRAY_TASK_ID}p" "$variants")
answer=$results/answer-$SLURM_ARRAY_TASK_ID
mkdir -p "$results" || exit 2
# Options are words: they hold no blanks.
# shellcheck disable=SC2086
"${STARSET:-starset}" "$@" $options >"$answer.partial"
status=$?
if [ $status -ne 0 ]; then
    # Nothing was found out, in this way.
    mv "$answer.partial" "$answer.unknown"
    [ $status -eq 3 ] && exit 0
    exit $status
fi
echo "$options" >"$answer.options"
mv "$answer.partial" "$answer"
# The others have nothing left to do.
squeue --noheader --array --format=%i --jobs="$SLURM_ARRAY_JOB_ID" |
    grep -vx "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" | xargs --no-run-if-empty scancel
