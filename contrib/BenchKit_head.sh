#!/bin/sh
# Entry of starset for BenchKit, the harness of the Model Checking Contest. It is started in the folder of the
# instance with the examination and the limits in BK_* variables. The program lies beside this script or on the PATH.
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
if [ -x "$here/starset" ]; then
    starset=$here/starset
else
    starset=starset
fi
ulimit -s unlimited 2>/dev/null || true
exec "$starset" mcc --threads "$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)" .
