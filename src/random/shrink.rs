//! Making a failing case small: a net or network and a formula on which something goes wrong, reduced step by step
//! to a net or network and a formula on which it still does.
//!
//! Greedy, in the manner of delta debugging (Zeller and Hildebrandt 2002): every single simplification is tried, the
//! first that still fails is kept, and so on until none does. Formulas lose operators, operands and members of lists;
//! nets lose transitions, places (but the last: a net has one), arcs, weights and tokens, networks components (but the
//! last) and edges, models behind a next-state function groups and initial states (but the last). Names stay, so that
//! the small case can be found in the large one.

use super::Partitioned;
use crate::formula::{Expr, ExprId, Formula, FormulaId, Pool, Symbols, parse};
use crate::kinds::network::{Component, Network};
use crate::net::{BuildError, NetBuilder, PetriNet, PlaceId, TransitionId};
use rustc_hash::FxHashMap;

/// Reduce a case while `fails` is true of it. `fails` is called with cases smaller than the given one, among
/// them nets that are unbounded where the given one was not: it should answer false where it cannot tell.
/// A state formula stays one, a path formula may become a state formula.
///
/// ```
/// use starset::formula::{Pool, Symbols, parse};
/// use starset::net::NetBuilder;
/// use starset::random::shrink;
/// let mut b = NetBuilder::new("n");
/// for id in ["p", "q", "r"] {
///     b.place(id, 2)?;
/// }
/// let net = b.build()?;
/// let mut pool = Pool::new();
/// let f = parse("AG (#p = 2 & EX (#q > 1 | deadlock))", &Symbols::new(&net), &mut pool).unwrap();
/// // "Fails" if place q occurs.
/// let (net, pool, f) = shrink(&net, &pool, f, |net, pool, f| {
///     pool.display(f, &Symbols::new(net)).to_string().contains("#q")
/// });
/// assert_eq!(pool.display(f, &Symbols::new(&net)).to_string(), "#q > 0");
/// assert_eq!(net.place_count(), 1);
/// # Ok::<(), starset::net::BuildError>(())
/// ```
pub fn shrink(
    net: &PetriNet,
    pool: &Pool,
    formula: FormulaId,
    fails: impl FnMut(&PetriNet, &mut Pool, FormulaId) -> bool,
) -> (PetriNet, Pool, FormulaId) {
    reduce(net, pool, formula, Symbols::new, smaller_nets, fails)
}

/// The same for a network.
pub fn shrink_network(
    network: &Network,
    pool: &Pool,
    formula: FormulaId,
    fails: impl FnMut(&Network, &mut Pool, FormulaId) -> bool,
) -> (Network, Pool, FormulaId) {
    let symbols = |network: &Network| Symbols::of_labels(network.label_ids().map(|label| network.label(label)));
    reduce(network, pool, formula, symbols, smaller_networks, fails)
}

/// The same for a model behind a next-state function.
pub fn shrink_partitioned(
    model: &Partitioned,
    pool: &Pool,
    formula: FormulaId,
    fails: impl FnMut(&Partitioned, &mut Pool, FormulaId) -> bool,
) -> (Partitioned, Pool, FormulaId) {
    reduce(model, pool, formula, Partitioned::symbols, Partitioned::smaller, fails)
}

fn reduce<M: Clone>(
    model: &M,
    pool: &Pool,
    formula: FormulaId,
    symbols: impl Fn(&M) -> Symbols,
    smaller_models: impl Fn(&M) -> Vec<M>,
    mut fails: impl FnMut(&M, &mut Pool, FormulaId) -> bool,
) -> (M, Pool, FormulaId) {
    let (mut model, mut pool, mut formula) = (model.clone(), pool.clone(), formula);
    loop {
        if let Some(smaller) = smaller_formulas(&mut pool, formula).into_iter().find(|&f| fails(&model, &mut pool, f)) {
            formula = smaller;
            continue;
        }
        let text = pool.display(formula, &symbols(&model)).to_string();
        let found = smaller_models(&model).into_iter().find_map(|smaller| {
            // The formula with the places and transitions of the smaller model, if it has all of them.
            let mut fresh = Pool::new();
            let f = parse(&text, &symbols(&smaller), &mut fresh).ok()?;
            fails(&smaller, &mut fresh, f).then_some((smaller, fresh, f))
        });
        match found {
            Some(smaller) => (model, pool, formula) = smaller,
            None => return (model, pool, formula),
        }
    }
}

/// The formulas that arise by one simplification of one subformula, the largest steps first.
fn smaller_formulas(pool: &mut Pool, root: FormulaId) -> Vec<FormulaId> {
    let mut found = Vec::new();
    let subformulas = pool.subformulas(&[root]);
    for &id in subformulas.iter().rev() {
        let node = pool[id].clone();
        let mut replacements: Vec<FormulaId> = Vec::new();
        if !matches!(node, Formula::True | Formula::False) {
            replacements.extend([pool.add(Formula::True), pool.add(Formula::False)]);
        }
        replacements.extend(node.children());
        match node {
            Formula::And(operands) | Formula::Or(operands) if operands.len() > 2 => {
                let is_and = matches!(pool[id], Formula::And(_));
                for i in 0..operands.len() {
                    let mut fewer = operands.clone();
                    fewer.remove(i);
                    replacements.push(if is_and { pool.and(fewer) } else { pool.or(fewer) });
                }
            }
            Formula::Iff(a, b) => replacements.push(pool.add(Formula::Implies(a, b))),
            Formula::Enabled(transitions) => {
                replacements.extend(one_less(&transitions).map(|fewer| pool.add(Formula::Enabled(fewer))));
            }
            Formula::Action(labels) => {
                replacements.extend(one_less(&labels).map(|fewer| pool.add(Formula::Action(fewer))));
            }
            Formula::Diamond(Some(labels), a) => {
                replacements.extend(one_less(&labels).map(|fewer| pool.add(Formula::Diamond(Some(fewer), a))));
            }
            Formula::Box(Some(labels), a) => {
                replacements.extend(one_less(&labels).map(|fewer| pool.add(Formula::Box(Some(fewer), a))));
            }
            Formula::Compare(a, comparison, b) => {
                for smaller in smaller_exprs(pool, a) {
                    replacements.push(pool.add(Formula::Compare(smaller, comparison, b)));
                }
                for smaller in smaller_exprs(pool, b) {
                    replacements.push(pool.add(Formula::Compare(a, comparison, smaller)));
                }
            }
            _ => {}
        }
        for replacement in replacements {
            let candidate = substitute(pool, root, &subformulas, id, replacement);
            if candidate != root && (pool.is_state(candidate) || !pool.is_state(root)) {
                found.push(candidate);
            }
        }
    }
    found
}

/// A list of several without each of its members in turn.
fn one_less(list: &[TransitionId]) -> impl Iterator<Item = Vec<TransitionId>> {
    let several = if list.len() > 1 { list.len() } else { 0 };
    (0..several).map(|i| {
        let mut fewer = list.to_vec();
        fewer.remove(i);
        fewer
    })
}

/// `root` with `replacement` for `target`.
fn substitute(
    pool: &mut Pool,
    root: FormulaId,
    subformulas: &[FormulaId],
    target: FormulaId,
    replacement: FormulaId,
) -> FormulaId {
    let mut image: FxHashMap<FormulaId, FormulaId> = FxHashMap::default();
    for &id in subformulas {
        let result = if id == target {
            replacement
        } else {
            let node = pool[id].map(|a| image[&a]);
            pool.add(node)
        };
        image.insert(id, result);
    }
    image[&root]
}

fn smaller_exprs(pool: &mut Pool, expr: ExprId) -> Vec<ExprId> {
    let mut found: Vec<ExprId> = pool[expr].children().to_vec();
    let node = pool[expr].clone();
    match node {
        Expr::Const(n) if n != 0 => found.extend([pool.add_expr(Expr::Const(0)), pool.add_expr(Expr::Const(n / 2))]),
        Expr::Tokens(ref places) | Expr::Bounds(ref places) if places.len() > 1 => {
            for i in 0..places.len() {
                let mut fewer = places.clone();
                fewer.remove(i);
                let tokens = matches!(node, Expr::Tokens(_));
                found.push(pool.add_expr(if tokens { Expr::Tokens(fewer) } else { Expr::Bounds(fewer) }));
            }
        }
        _ => {}
    }
    found
}

/// One change to a net.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    DropTransition(TransitionId),
    DropPlace(PlaceId),
    /// The arc with this number, counting input, output and inhibitor arcs of all transitions.
    DropArc(usize),
    UnitWeight(usize),
    /// One token less at first.
    DropToken(PlaceId),
}

fn smaller_nets(net: &PetriNet) -> Vec<PetriNet> {
    let arcs = net.arc_count();
    let changes = net
        .transition_ids()
        .map(Change::DropTransition)
        .chain(net.place_ids().filter(|_| net.place_count() > 1).map(Change::DropPlace))
        .chain((0..arcs).map(Change::DropArc))
        .chain((0..arcs).map(Change::UnitWeight))
        .chain(net.place_ids().map(Change::DropToken));
    changes.filter_map(|change| changed(net, change).ok()).filter(|smaller| smaller != net).collect()
}

fn changed(net: &PetriNet, change: Change) -> Result<PetriNet, BuildError> {
    let mut b = NetBuilder::new(net.name());
    let mut places: Vec<Option<PlaceId>> = Vec::new();
    for (id, place) in net.place_ids().zip(net.places()) {
        let initial = if change == Change::DropToken(id) { place.initial.saturating_sub(1) } else { place.initial };
        let dropped = change == Change::DropPlace(id);
        places.push(if dropped { None } else { Some(b.place(&place.id, initial)?) });
    }
    let mut number = 0;
    for (id, transition) in net.transition_ids().zip(net.transitions()) {
        let new = if change == Change::DropTransition(id) { None } else { Some(b.transition(&transition.id)?) };
        let input = transition.pre.iter().map(|a| (a, 0));
        let output = transition.post.iter().map(|a| (a, 1));
        let inhibitor = transition.inhibitors.iter().map(|a| (a, 2));
        for (arc, kind) in input.chain(output).chain(inhibitor) {
            let weight = if change == Change::UnitWeight(number) { 1 } else { arc.weight };
            let dropped = change == Change::DropArc(number);
            number += 1;
            let (Some(t), Some(p)) = (new, places[arc.place.index()]) else { continue };
            match kind {
                _ if dropped => {}
                0 => b.input(p, t, weight)?,
                1 => b.output(t, p, weight)?,
                _ => b.inhibitor(p, t, weight)?,
            }
        }
    }
    b.build()
}

/// The networks with one component or one edge less.
fn smaller_networks(network: &Network) -> Vec<Network> {
    let components = network.components();
    let without = |at: usize| {
        let others = components.iter().enumerate().filter(|(k, _)| *k != at).map(|(_, component)| component.clone());
        Network::new(network.name(), others.collect()).ok()
    };
    let without_edge = |at: usize, edge: usize| {
        let mut components: Vec<Component> = components.to_vec();
        components[at].edges.remove(edge);
        Network::new(network.name(), components).ok()
    };
    let fewer = (0..components.len()).filter_map(without);
    let edges =
        components.iter().enumerate().flat_map(|(at, component)| (0..component.edges.len()).map(move |e| (at, e)));
    fewer.chain(edges.filter_map(|(at, edge)| without_edge(at, edge))).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::formula::{Logic, PathSemantics};
    use crate::oracle::{Setting, check};
    use crate::random::{FormulaShape, NetShape, Rng, formula, net};
    use crate::reference::explore;

    /// Sat-sets over maximal and over stuttering paths differ only by `X` in a deadlock, so a difference shrinks
    /// to that.
    #[test]
    fn a_difference_between_path_semantics_shrinks_to_a_next() {
        let shape = NetShape { max_states: 30, ..NetShape::default() };
        let mut found = 0;
        for seed in 0..60 {
            let mut rng = Rng::new(seed);
            let net = net(&mut rng, &shape);
            let mut pool = Pool::new();
            let f = formula(&mut rng, &net, &FormulaShape { logic: Logic::Ctl, size: 8 }, &mut pool);
            let differs = |net: &PetriNet, pool: &mut Pool, f: FormulaId| {
                let Some(graph) = explore(net, 30) else { return false };
                let verdict = |paths| check(Setting::new(&graph, pool, paths), f).ok().map(|sat| sat[&f].clone());
                verdict(PathSemantics::Maximal) != verdict(PathSemantics::Stutter)
            };
            if !differs(&net, &mut pool, f) {
                continue;
            }
            found += 1;
            let (net, pool, f) = shrink(&net, &pool, f, differs);
            let text = pool.display(f, &Symbols::new(&net)).to_string();
            assert!(["E X true", "A X false"].contains(&text.as_str()), "{text}");
            assert_eq!(net.transition_count(), 0);
        }
        assert!(found >= 3, "{found}");
    }
}
