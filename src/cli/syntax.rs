//! `starset formulas`, which is also `starset help formulas`: the syntax of formulas on one screen.

use super::{Console, Failure, Status};

/// Arguments of `starset formulas`: none.
#[derive(clap::Args, Debug)]
#[command(after_help = SYNTAX)]
pub(super) struct SyntaxArgs {}

/// The parts of formulas.
pub(super) const SYNTAX: &str = "\
Atoms        true  false  deadlock  enabled(t, u)  #p >= 1  p + 2 * q < tokens(r, s)
             bounds(p) <= 3    P1 = crit or P1.crit, where values have names
             action(a) on paths: the next step has this label;  label(l): a state label of the model
             %name: a saved set, with --set name=FILE;  %attractors;  !{x}: f names states
Boolean      !f  f & g  f | g  f xor g  f -> g  f <-> g
             also  not and or implies, && || ^ => <=>, ¬ ∧ ∨ ⊕ → ↔
On paths     X f next   F f eventually   G f always   f U g until   f W g weak until
             f R g release   f M g strong release;  also  <> f and ◇ f for F,  [] f and □ f for G
             X[3] f in three steps   F[1:4] f   G[2:] f  with bounds on the steps
The past     Y f in the state before   Z f there, if there is one   O f now or before
             H f always so far   f S g g now or before, f since then   f T g its dual
             of the path from its quantifier on;  places called so:  #O  or  O = 1
Quantifiers  E f on some path   A f on all paths      joined: EF AG EX AF, E[f U g], E<> f, A[] f
One step     <a, b> f some step with this label leads to f   [a] f all of them do;  <*> [*] any
Names        as they are; in double quotes where they have more than letters, digits, _ and .

Tightest first: # and -; * /; + -; = != < <= > >=; prefix operators (! X F G E A Y Z O H);
U R W M S T; &; xor; |; -> and <-> together, to the right (Spot's order). So EF a & b is
(EF a) & b: write EF (a & b) if b should hold there, too.

A formula without a quantifier is of linear time and means all paths: G (p -> F q).
In files (check -x FILE): a formula on each line, perhaps with a name: `safe: AG #p <= 1`; `# `
begins a comment; `let both = P1.crit & P2.crit` names a formula for the lines below.
Fair paths   --justice F   --compassion P Q   --weak-fair t   --strong-fair all;  in files, lines
             `justice F`   `compassion P, Q`   `weak-fair t, u`   `strong-fair t`

Examples     EF deadlock                  can it get stuck?
             AG (#a + #b <= 1)            are a and b exclusive?
             AG EF enabled(t)             can t always become possible again?
             G (#req > 0 -> F #ack > 0)   is each request answered?
Paths, deadlocks, and runs that end (N f weak next, Declare): --paths. All: docs/semantics.md";

pub(super) fn run(console: &mut Console) -> Result<Status, Failure> {
    console.line(SYNTAX)?;
    Ok(Status::Answered)
}
