#!/bin/sh
# Spin 6.5.2 (Debian bookworm): in a block `ltl p { … }` && is above ||, while `spin -f` has them on one level: one
# text is two formulas.
#
# A good guess is one reading for both ways to give a formula to one program, and `spin -f` groups &&, ||, -> and <->
# to the left, on one level (spin-one-level.sh). A block groups them as expressions of Promela: && above ||, and both
# above -> and <->. So `[] a || [] b && [] c`, tried out with -f and then put into a model, becomes another property.
# Between -> and <->, and between U and V, there is no such difference: both ways group them to the left, against Spot.
# Claims are compared line by line, but for the comment.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -q spin=6.5.2+dfsg-1 >apt.log 2>&1
dpkg -x spin_*.deb .
spin=$work/usr/bin/spin
"$spin" -V
plain() { grep -v '^never' | sed 's/[() ]//g'; }
# Spin negates the formula of a block.
option() { "$spin" -f "!($1)" | plain; }
block() {
    rm -f _spin_nvr.tmp
    printf 'bool a, b, c;\ninit { do :: a = !a :: b = !b :: c = !c od }\nltl p { %s }\n' "$1" >model.pml
    "$spin" -a model.pml >out.txt 2>&1
    plain <_spin_nvr.tmp
}
reads() {
    echo "'$1': -f reads '$2', a block '$3'"
    test "$(option "$1")" = "$(option "$2")" && test "$(block "$1")" = "$(block "$3")" || { echo "changed"; exit 1; }
}
differ() {
    test "$(option "$1")" != "$(option "$2")" && test "$(block "$1")" != "$(block "$2")" || { echo "changed"; exit 1; }
}
left='([] a || [] b) && [] c'
right='[] a || ([] b && [] c)'
differ "$left" "$right"
reads '[] a || [] b && [] c' "$left" "$right"
left='([] a <-> [] b) || [] c'
right='[] a <-> ([] b || [] c)'
differ "$left" "$right"
reads '[] a <-> [] b || [] c' "$left" "$right"
differ '(<> a -> <> b) -> <> c' '<> a -> (<> b -> <> c)'
reads '<> a -> <> b -> <> c' '(<> a -> <> b) -> <> c' '(<> a -> <> b) -> <> c'
differ '(a U b) U c' 'a U (b U c)'
reads 'a U b U c' '(a U b) U c' '(a U b) U c'
