#!/bin/sh
# Spin 6.5.2 (Debian bookworm): in `spin -f` &&, ||, -> and <-> have one level, and all binary operators group to the left, U and V too.
#
# A good guess is the order of C, of Promela's own expressions and of Spot: && above ||, and both above ->, which groups to the
# right. So `a || b && c` is (a || b) && c here, `a -> b -> c` is (a -> b) -> c, and `a U b U c` is
# (a U b) U c. Never claims of the text and of its bracketed readings are compared line by line, but for the comment.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -qq spin=6.5.2+dfsg-1
dpkg -x spin_*.deb .
spin=$work/usr/bin/spin
claim() { "$spin" -f "$1" | grep -v '^never'; }
"$spin" -V
same() {
    echo "spin -f '$1' is that of '$2' and not of '$3'"
    test "$(claim "$1" | sed 's/[() ]//g')" = "$(claim "$2" | sed 's/[() ]//g')" || { echo "changed"; exit 1; }
    test "$(claim "$1" | sed 's/[() ]//g')" != "$(claim "$3" | sed 's/[() ]//g')" || { echo "changed"; exit 1; }
}
same '<> a -> <> b -> <> c' '(<> a -> <> b) -> <> c' '<> a -> (<> b -> <> c)'
same '[] a || [] b && [] c' '([] a || [] b) && [] c' '[] a || ([] b && [] c)'
same 'a U b U c' '(a U b) U c' 'a U (b U c)'
