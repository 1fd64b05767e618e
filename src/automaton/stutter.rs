//! Whether a language is closed under stuttering: under repeating letters and dropping repetitions.
//!
//! Formulas without `X` have stutter-invariant languages (Peled & Wilke 1997). Others are decided on automata,
//! after Michaud & Duret-Lutz (2015), "Practical stutter-invariance checks for ω-regular languages". A language
//! is stutter-invariant iff repeating letters leads neither out of it nor into it: of two stutter-equivalent
//! words, repeating letters makes one word. So let one automaton read each letter once while the other reads
//! it one or more times; the language is stutter-invariant iff this product is empty with the automaton of the
//! formula on one side and that of its negation on the other, both ways round.
//!
//! While the second automaton repeats, the product remembers the set of letters that are still possible. An
//! extra acceptance set makes each letter repeat finitely often. The size of the product is bounded.
//!
//! Each of the two products is of use alone: it tells whether words stay in the language when they get *longer* by
//! repetitions, or *shorter* (Paviot-Adet, Poitrenaud, Renault and Thierry-Mieg, "LTL under reductions with weaker
//! conditions than stutter invariance", FORTE 2022).

use super::bdd::{Bdd, Bdds};
use super::graph::Graph;
use super::intersection;
use super::tgba::Stuttering;
use crate::budget::Exhausted;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// How the language of `yes`, whose complement is that of `no`, takes repetitions; what more than `fuel` pairs of edges
/// would be needed to tell is not known.
pub(super) fn stuttering(yes: &Graph, no: &Graph, bdds: &mut Bdds, fuel: &mut u64) -> Result<Stuttering, Exhausted> {
    let longer = repetition_escapes(yes, no, bdds, fuel)?.map(|escapes| !escapes);
    // What gets in when it gets longer gets out when it gets shorter.
    let shorter = repetition_escapes(no, yes, bdds, fuel)?.map(|escapes| !escapes);
    Ok(Stuttering { longer, shorter })
}

/// The letter that may be read again; `FALSE` where `once` moves next.
type Vertex = (usize, usize, Bdd);

/// Whether some word of `once` becomes one of `repeating` when letters are repeated.
fn repetition_escapes(
    once: &Graph,
    repeating: &Graph,
    bdds: &mut Bdds,
    fuel: &mut u64,
) -> Result<Option<bool>, Exhausted> {
    // The extra set is the bit above the sets of `once`.
    if once.sets >= 64 {
        return Ok(None);
    }
    let progress = 1u128 << once.sets;
    let all = u128::from(once.all().0) | progress | u128::from(repeating.all().0) << 64;
    let mut vertices: IndexSet<Vertex, FxBuildHasher> = IndexSet::default();
    vertices.insert((once.initial, repeating.initial, Bdd::FALSE));
    let mut edges: Vec<Vec<(usize, u128)>> = Vec::new();
    while let Some(&(p, q, letters)) = vertices.get_index(edges.len()) {
        match fuel.checked_sub(1 + (once.arcs[p].len() * repeating.arcs[q].len()) as u64) {
            Some(left) => *fuel = left,
            None => return Ok(None),
        }
        let mut list = Vec::new();
        let mut reach = |vertex: Vertex, marks: u128| {
            // After a letter, either it is repeated or the next one comes.
            list.push((vertices.insert_full(vertex).0, marks));
            list.push((vertices.insert_full((vertex.0, vertex.1, Bdd::FALSE)).0, marks));
        };
        for y in &repeating.arcs[q] {
            let high = u128::from(y.marks.0) << 64;
            if letters != Bdd::FALSE {
                let still = bdds.and(letters, y.label)?;
                if still != Bdd::FALSE {
                    reach((p, y.target, still), high);
                }
                continue;
            }
            for x in &once.arcs[p] {
                let label = bdds.and(x.label, y.label)?;
                if label != Bdd::FALSE {
                    reach((x.target, y.target, label), high | progress | u128::from(x.marks.0));
                }
            }
        }
        edges.push(list);
    }
    Ok(Some(intersection::accepting(&edges, 1, all)[0]))
}
