#!/bin/sh
# NuSMV 2.6.0 (the NuSMV-a of PyPI's pyboolnet 3.0.16), option -old: a 0 or 1 assigned to a boolean is neither FALSE nor TRUE.
#
# The option is there so that files for NuSMV 2.4 and before are read, where booleans were 0 and 1, and such files ask for
# it. A good guess is that `init(b) := 0` means FALSE, as the guard `1 :` of a case means TRUE. It means that b has no
# value: there is no initial state, and every specification is true, FALSE, b and !b among them. In `next(b)` the value
# cuts the run: nothing follows the state, so that an invariant that the next state violates is true. There is a warning
# about types, one about empty sets beside CTL, and none beside the invariant. `b = 1` in a formula is false for ever.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 -m venv venv
venv/bin/pip download --quiet --no-deps pyboolnet==3.0.16
venv/bin/python -m zipfile -e pyboolnet-3.0.16-*.whl wheel
tool=wheel/pyboolnet/binaries/linux64/NuSMV-a
chmod +x $tool/NuSMVa_linux64
# It is linked to an older library of terminals.
apt-get download -q libtinfo5 >apt.log 2>&1
dpkg -x libtinfo5_*.deb tinfo
cat >init.smv <<'SMV'
MODULE main
VAR b : boolean;
ASSIGN init(b) := 0; next(b) := !b;
CTLSPEC b
CTLSPEC !b
LTLSPEC FALSE
INVARSPEC FALSE
SMV
cat >next.smv <<'SMV'
MODULE main
VAR b : boolean; x : 0..3;
ASSIGN
  init(b) := FALSE; init(x) := 0;
  next(b) := case x = 2 : 1; 1 : b; esac;
  next(x) := (x + 1) mod 4;
INVARSPEC x < 3
INVARSPEC x < 2
SMV
asked() {
    LD_LIBRARY_PATH=$PWD/$tool:$(dirname "$(find "$PWD/tinfo" -name libtinfo.so.5)") $tool/NuSMVa_linux64 -old -dcx -r "$1" 2>&1 |
        grep -E '^-- (specification|invariant)|reachable states:' | sed 's/  */ /g' | sort | tee "$1.out"
}
asked init.smv
printf '%s\n' '-- invariant FALSE is true' '-- specification !b is true' '-- specification FALSE is true' \
    '-- specification b is true' >wanted
grep '^--' init.smv.out | cmp - wanted
grep -q '^reachable states: 0 ' init.smv.out
asked next.smv
printf '%s\n' '-- invariant x < 2 is false' '-- invariant x < 3 is true' >wanted
grep '^--' next.smv.out | cmp - wanted
grep -q '^reachable states: 3 ' next.smv.out
