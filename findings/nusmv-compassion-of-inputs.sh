#!/bin/sh
# NuSMV 2.6.0 (the NuSMV-a of PyPI's pyboolnet 3.0.16): with a COMPASSION, fairness about an input is about every step.
#
# COMPASSION (p, q) is about paths where p holds infinitely often: there q has to, too; JUSTICE j asks for j infinitely
# often. A good guess is that a choice that an input makes in the first step alone does not matter to them, as it does not
# where the same choice is a variable. With COMPASSION about an input, and q never again true, p may not hold even once:
# `G j` is true below, and `j` is, too, though the path with `!j` first and `j` ever after is fair. And beside any
# COMPASSION, one of constants among them, JUSTICE of an input makes `G j` true. With a variable in the place of the
# input, or without COMPASSION, all is as it should be.
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
program() {
    printf 'MODULE main\n%s j : boolean; VAR v : 0..3;\nASSIGN next(v) := 0;\n%s;\n' "$1" "$2"
    printf 'LTLSPEC %s\n' 'j' 'G j' 'F G j' 'FALSE'
}
asked() {
    LD_LIBRARY_PATH=$PWD/$tool:$(dirname "$(find "$PWD/tinfo" -name libtinfo.so.5)") $tool/NuSMVa_linux64 -dcx "$1" 2>&1 |
        grep '^-- specification' | sed 's/  */ /g; s/-- specification *//; s/ is /: /' | sort | tr '\n' ',' | sed 's/,$//'
}
program IVAR 'COMPASSION (!j, v > 1)' >input.smv
program VAR 'COMPASSION (!j, v > 1)' >variable.smv
program IVAR 'JUSTICE j' >justice.smv
program IVAR 'JUSTICE j; COMPASSION (FALSE, TRUE)' >both.smv
for file in input variable justice both; do echo "$file:" "$(asked $file.smv)"; done
test "$(asked input.smv)" = 'F ( G j): true,FALSE: false,G j: true,j: true'
test "$(asked variable.smv)" = 'F ( G j): true,FALSE: false,G j: false,j: false'
test "$(asked justice.smv)" = 'F ( G j): false,FALSE: false,G j: false,j: false'
test "$(asked both.smv)" = 'F ( G j): true,FALSE: false,G j: true,j: true'
