#!/bin/sh
# ABC (Debian bookworm, berkeley-abc 1.01+20221019git70cb339+dfsg-4): pdr, bmc2 and dprove take a constraint of an
# AIGER file for one more thing that must not happen.
#
# AIGER 1.9: only runs on which all constraints hold count. ABC says that it interprets the last output as a
# constraint, and keeps its number (`c=1` in its statistics). A good guess is that its provers keep to it, or refuse;
# bmc3 and int do refuse, with a hint at `fold`. The others answer that the circuit is wrong, without a warning:
# output 1, which is the constraint, is violated in the first step, or, where the constraint is about the latch, a bad
# state is reached on a run that violates it. After `fold` pdr proves both.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -q berkeley-abc=1.01+20221019git70cb339+dfsg-4 >apt.log 2>&1
dpkg -x berkeley-abc_*.deb .
# An input, and a latch that is 0 at first and takes the input over. Bad is the state in which the latch is 1. The
# constraint is that the input is 0, or that the latch is.
printf 'aig 2 1 1 0 0 1 1\n2\n4\n3\n' >input.aig
printf 'aig 2 1 1 0 0 1 1\n2\n4\n5\n' >latch.aig
asked() {
    usr/bin/berkeley-abc -q "read_aiger $1.aig; $2" 2>&1 |
        grep -Eo 'Output .*frame .|Property proved|(Constraints have|Use) .*"fold' | sed 's/of miter ".*" //'
}
seen=$(
    for file in input latch; do
        for how in pdr bmc2 dprove bmc3 int 'fold; pdr'; do echo "$file: $how: $(asked $file "$how")"; done
    done
)
expected='input: pdr: Output 1 was asserted in frame 0
input: bmc2: Output 1 was asserted in frame 0
input: dprove: Output 1 was asserted in frame 0
input: bmc3: Constraints have to be folded (use "fold
input: int: Use "fold
input: fold; pdr: Property proved
latch: pdr: Output 0 was asserted in frame 1
latch: bmc2: Output 0 was asserted in frame 1
latch: dprove: Output 0 was asserted in frame 1
latch: bmc3: Constraints have to be folded (use "fold
latch: int: Use "fold
latch: fold; pdr: Property proved'
printf '%s\n' "$seen"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed; expected:"; printf '%s\n' "$expected"; exit 1; }
