#!/bin/sh
# ABC (Debian bookworm, berkeley-abc 1.01+20221019git70cb339+dfsg-4): outputs of an AIGER file count as bad states
# beside bad states.
#
# AIGER 1.9 has a list of its own for bad states, so that outputs are what their circuit shows; where the list is
# empty, tools take outputs for bad states, as before 1.9. A good guess is that a file with bad states is asked about
# these. ABC puts outputs and bad states into one list: it refutes the property that a circuit never shows a 1, which
# nobody asked for, and what it writes has two bad states, of which the first was the output. Where it has read
# outputs alone, it writes them as bad states, too.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -q berkeley-abc=1.01+20221019git70cb339+dfsg-4 >apt.log 2>&1
dpkg -x berkeley-abc_*.deb .
# A latch that is 1 for ever. The output shows it; the bad state, in which it is 0, is never reached.
printf 'aig 1 0 1 1 0 1\n2 1\n2\n3\n' >both.aig
printf 'aig 1 0 1 0 0 1\n2 1\n3\n' >bad.aig
printf 'aig 1 0 1 1 0\n2 1\n2\n' >output.aig
asked() {
    usr/bin/berkeley-abc -q "read_aiger $1.aig; write_aiger $1-again.aig; pdr" 2>&1 |
        grep -Eo 'Output . of|Property proved' || true
}
seen=$(for file in bad both output; do echo "$file: $(asked $file), written: $(head -n 1 $file-again.aig)"; done)
expected='bad: Property proved, written: aig 1 0 1 0 0 1 0
both: Output 0 of, written: aig 1 0 1 0 0 2 0
output: Output 0 of, written: aig 1 0 1 0 0 1 0'
printf '%s\n' "$seen"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed; expected:"; printf '%s\n' "$expected"; exit 1; }
