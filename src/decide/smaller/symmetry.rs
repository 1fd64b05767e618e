//! The swaps of places that leave a formula as it is ([`crate::reduction::symmetries`]).
//!
//! A swap may be made anew in every marking of a run, so that it is not enough if the formula as a whole stays what it is:
//! each of the conditions on single markings that it is made of has to, the largest ones without quantifiers and temporal
//! operators. That is checked by a fingerprint of the condition, in which the order of operands of ∧, ∨ and + does not count,
//! before and after the swap. Lists of transitions that steps are asked for must stay the same lists.
//!
//! Different conditions have the same fingerprint with probability 2⁻¹²⁸.

use crate::budget::Budget;
use crate::decide::context::Context;
use crate::explicit::{Encoding, Explicit};
use crate::formula::{Expr, ExprId, Formula, FormulaId, MAX_SIZE, Pool};
use crate::net::{Arc, PetriNet, PlaceId, TransitionId};
use crate::reduction::symmetries::{Colour, Colours, Swap, kept, mix, swaps};
use rustc_hash::FxHashMap;

/// The part of the budget that the search for swaps may take.
const PART: u32 = 10;
/// To arrange each marking takes as long as to store two or three: one swap leaves no fewer than half of them.
const ENOUGH: usize = 3;

/// Swaps of places, and the classes of transitions that they exchange.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(in crate::decide) struct Exchanges {
    pub(in crate::decide) swaps: std::sync::Arc<[Swap]>,
    classes: std::sync::Arc<[Colour]>,
}

impl Exchanges {
    /// An encoding with them in the place of others.
    pub(in crate::decide) fn encoding(&self, others: &Encoding) -> Encoding {
        let Exchanges { swaps, classes } = self.clone();
        Encoding { swaps, classes, ..others.clone() }
    }
}

/// Swaps of places that nobody notices who asks for these formulas, or for these sums. `known` are swaps of the net that
/// are known already: if all of them are such, no more are looked for.
pub(in crate::decide) fn of(
    net: &PetriNet,
    known: &[Swap],
    (pool, formulas): (&Pool, &[FormulaId]),
    sums: &[&[PlaceId]],
    budget: &Budget,
) -> Exchanges {
    let Some(conditions) = conditions(pool, formulas) else { return Exchanges::default() };
    let mut colours = Colours::same(net);
    // Each place by where it is asked for.
    for (number, &condition) in conditions.iter().enumerate() {
        let mut contexts = Contexts { net, pool, places: &mut colours.places };
        contexts.formula(condition, mix(number as Colour, 11));
    }
    for (number, sum) in sums.iter().enumerate() {
        for place in *sum {
            colours.places[place.index()] = colours.places[place.index()].wrapping_add(mix(number as Colour, 12));
        }
    }
    for (number, id) in pool.subformulas(formulas).into_iter().enumerate() {
        if let Formula::Action(list) | Formula::Diamond(Some(list), _) | Formula::Box(Some(list), _) = &pool[id] {
            for t in list {
                colours.transitions[t.index()] = colours.transitions[t.index()].wrapping_add(mix(number as Colour, 13));
            }
        }
    }
    let print = |images: &dyn Fn(PlaceId) -> PlaceId| -> Vec<Colour> {
        let mut prints = Prints { net, pool, images: Some(images), known: FxHashMap::default() };
        conditions.iter().map(|&condition| prints.formula(condition)).collect()
    };
    let before = print(&|place| place);
    let keeps = |images: &[PlaceId]| print(&|place| images[place.index()]) == before;
    let mut most = kept(net, known, &colours, keeps);
    if most.is_empty() || most.len() < known.len() {
        let found = swaps(net, &colours, keeps, &budget.part(1, PART));
        most = if found.len() > most.len() { found } else { most };
    }
    Exchanges { swaps: most.into(), classes: colours.transitions.into() }
}

/// The model compiled so that of markings which nobody tells apart who asks for these formulas and sums one is kept, if there
/// is enough that is alike.
pub(in crate::decide) fn compiled<'a>(
    context: &Context<'a>,
    pool: &Pool,
    formulas: &[FormulaId],
    sums: &[&[PlaceId]],
) -> Option<std::sync::Arc<dyn Explicit<'a> + 'a>> {
    let settings = context.settings;
    let wanted = settings.ways.reductions && settings.techniques.symmetries && settings.encoding.swaps.is_empty();
    let net = context.net().filter(|_| wanted)?;
    let exchanges = of(net, context.swaps(), (pool, formulas), sums, &context.programs_budget());
    let encoding = exchanges.encoding(&settings.encoding);
    let compile = || context.subject.model.compile(&encoding, context.budget).ok();
    (encoding.swaps.len() >= ENOUGH).then(compile).flatten().map(std::sync::Arc::from)
}

/// The conditions on single states that formulas are made of; `None` if these ask for more than tokens and steps, or are too large.
/// Greatest sums of tokens are more: they would be those of the markings that are kept.
fn conditions(pool: &Pool, formulas: &[FormulaId]) -> Option<Vec<FormulaId>> {
    let all = pool.subformulas(formulas);
    let mut plain: FxHashMap<FormulaId, bool> = FxHashMap::default();
    for &id in &all {
        let node = &pool[id];
        let compared = match *node {
            Formula::Still(_) | Formula::Label(_) | Formula::Set(_) => return None,
            Formula::Compare(a, _, b) => pool.subexpressions(vec![a, b]),
            _ => Vec::new(),
        };
        if compared.into_iter().any(|expr| matches!(pool[expr], Expr::Bounds(_))) {
            return None;
        }
        let about_more = node.is_temporal()
            || node.is_past()
            || node.is_about_steps()
            || matches!(node, Formula::Exists(_) | Formula::Forall(_));
        let is_plain = !about_more && node.children().iter().all(|child| plain.get(child) == Some(&true));
        plain.insert(id, is_plain);
    }
    let is_plain = |id: &FormulaId| plain.get(id) == Some(&true);
    let mut conditions: Vec<FormulaId> = formulas.iter().copied().filter(is_plain).collect();
    for &id in all.iter().filter(|id| !is_plain(id)) {
        conditions.extend(pool[id].children().into_iter().filter(|child| is_plain(child)));
    }
    conditions.sort_unstable();
    conditions.dedup();
    conditions.iter().all(|&id| pool.size(id) <= MAX_SIZE).then_some(conditions)
}

/// The colour of a kind of nodes.
fn kind(node: &Formula) -> Colour {
    match node {
        Formula::True => 1,
        Formula::False => 2,
        Formula::Deadlock => 3,
        Formula::Enabled(_) => 4,
        Formula::Compare(_, comparison, _) => 20 + *comparison as Colour,
        Formula::Not(_) => 5,
        Formula::And(_) => 6,
        Formula::Or(_) => 7,
        Formula::Implies(..) => 8,
        Formula::Iff(..) => 9,
        _ => 10,
    }
}

/// Fingerprints of conditions, with each place replaced by another, or with only the numbers of places where there is no
/// replacement.
struct Prints<'a> {
    net: &'a PetriNet,
    pool: &'a Pool,
    images: Option<&'a dyn Fn(PlaceId) -> PlaceId>,
    known: FxHashMap<FormulaId, Colour>,
}

impl Prints<'_> {
    fn formula(&mut self, id: FormulaId) -> Colour {
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let node = &self.pool[id];
        let children: Vec<Colour> = match node {
            Formula::Compare(a, _, b) => vec![self.expr(*a), self.expr(*b)],
            Formula::Enabled(list) => list.iter().map(|&t| self.transition(t)).collect(),
            _ => node.children().iter().map(|&child| self.formula(child)).collect(),
        };
        let any_order = matches!(node, Formula::And(_) | Formula::Or(_) | Formula::Enabled(_) | Formula::Iff(..));
        let print = combined(kind(node), any_order, children);
        self.known.insert(id, print);
        print
    }

    fn expr(&mut self, id: ExprId) -> Colour {
        let node = &self.pool[id];
        let (kind, any_order) = expr_kind(node);
        let children = match node {
            Expr::Tokens(list) | Expr::Bounds(list) => list.iter().map(|&place| self.place(place)).collect(),
            _ => node.children().iter().map(|&child| self.expr(child)).collect(),
        };
        combined(kind, any_order, children)
    }

    fn place(&self, place: PlaceId) -> Colour {
        self.images.map_or(0, |images| mix(14, images(place).index() as Colour))
    }

    /// A transition is asked whether it is enabled: by its arcs.
    fn transition(&self, t: TransitionId) -> Colour {
        let t = self.net.transition(t);
        let sum = |kind: Colour, arcs: &[Arc]| {
            let of_arc = |arc: &Arc| mix(mix(kind, arc.weight.into()), self.place(arc.place));
            arcs.iter().map(of_arc).fold(0, Colour::wrapping_add)
        };
        sum(15, &t.pre).wrapping_add(sum(16, &t.inhibitors))
    }
}

fn expr_kind(node: &Expr) -> (Colour, bool) {
    match node {
        Expr::Const(value) => (mix(30, *value as Colour), true),
        Expr::Tokens(_) => (31, true),
        Expr::Bounds(_) => (32, true),
        Expr::Neg(_) => (33, true),
        Expr::Add(_) => (34, true),
        Expr::Mul(..) => (35, false),
        Expr::Div(..) => (36, false),
    }
}

fn combined(kind: Colour, any_order: bool, children: Vec<Colour>) -> Colour {
    let role = |number: usize| if any_order { 0 } else { number as Colour };
    let sum = children.into_iter().enumerate().map(|(number, child)| mix(mix(17, role(number)), child));
    mix(kind, sum.fold(0, Colour::wrapping_add))
}

/// Adds to the colour of each place where in a condition it is asked for.
struct Contexts<'a> {
    net: &'a PetriNet,
    pool: &'a Pool,
    places: &'a mut [Colour],
}

impl Contexts<'_> {
    fn shape(&self) -> Prints<'_> {
        Prints { net: self.net, pool: self.pool, images: None, known: FxHashMap::default() }
    }

    fn formula(&mut self, id: FormulaId, context: Colour) {
        let mut open = vec![(id, context)];
        let mut shape = self.shape();
        let mut exprs: Vec<(ExprId, Colour)> = Vec::new();
        let mut seen: Vec<(PlaceId, Colour)> = Vec::new();
        while let Some((id, context)) = open.pop() {
            let node = &self.pool[id];
            let context = mix(context, shape.formula(id));
            match node {
                Formula::Compare(a, _, b) => exprs.extend([(*a, mix(context, 1)), (*b, mix(context, 2))]),
                Formula::Enabled(list) => {
                    for t in list.iter().map(|&t| self.net.transition(t)) {
                        seen.extend(t.pre.iter().map(|arc| (arc.place, mix(context, arc.weight.into()))));
                        seen.extend(
                            t.inhibitors.iter().map(|arc| (arc.place, mix(mix(context, 3), arc.weight.into()))),
                        );
                    }
                }
                Formula::Implies(a, b) => open.extend([(*a, mix(context, 1)), (*b, mix(context, 2))]),
                _ => open.extend(node.children().into_iter().map(|child| (child, context))),
            }
        }
        while let Some((id, context)) = exprs.pop() {
            let context = mix(context, shape.expr(id));
            match &self.pool[id] {
                Expr::Tokens(list) | Expr::Bounds(list) => seen.extend(list.iter().map(|&place| (place, context))),
                Expr::Mul(a, b) | Expr::Div(a, b) => exprs.extend([(*a, mix(context, 1)), (*b, mix(context, 2))]),
                node => exprs.extend(node.children().into_iter().map(|child| (child, context))),
            }
        }
        for (place, colour) in seen {
            self.places[place.index()] = self.places[place.index()].wrapping_add(colour);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::decide::rewriting::translated::translate;
    use crate::decide::{
        Explained, Global, Question, Recorded, Recorder, Request, Settings, Subject, Value, Ways, decide,
    };
    use crate::explicit::Options;
    use crate::formula::{Comparison, Logic, PathSemantics};
    use crate::model::Groups;
    use crate::net::NetBuilder;
    use crate::oracle::{Setting, check};
    use crate::random::{FormulaShape, NetShape, Rng, formula, net as plain};
    use crate::reduction::symmetries;
    use crate::symbolic::Route;

    /// Some copies of a net, which share some of its places: with the copies of each place and transition.
    fn copies(rng: &mut Rng, net: &PetriNet, count: usize) -> (PetriNet, Vec<Vec<PlaceId>>, Vec<Vec<TransitionId>>) {
        let mut b = NetBuilder::new("copies");
        let mut places = Vec::new();
        for place in net.places() {
            let own = if rng.one_in(3) { 1 } else { count };
            let copies = (0..own).map(|i| b.place(format!("{}_{i}", place.id), place.initial).unwrap());
            places.push(copies.collect::<Vec<_>>());
        }
        let mut transitions = Vec::new();
        for t in net.transitions() {
            let mut copies = Vec::new();
            for i in 0..count {
                let id = b.transition(format!("{}_{i}", t.id)).unwrap();
                let at = |place: PlaceId| places[place.index()][i % places[place.index()].len()];
                t.pre.iter().for_each(|arc| b.input(at(arc.place), id, arc.weight).unwrap());
                t.post.iter().for_each(|arc| b.output(id, at(arc.place), arc.weight).unwrap());
                t.inhibitors.iter().for_each(|arc| b.inhibitor(at(arc.place), id, arc.weight).unwrap());
                copies.push(id);
            }
            transitions.push(copies);
        }
        (b.build().unwrap(), places, transitions)
    }

    fn recorded(net: &PetriNet, pool: &Pool, asked: Request, encoding: Encoding, threads: usize) -> Recorded {
        let settings = Settings { ways: Ways::EXPLICIT, encoding, threads, ..Settings::default() };
        let (groups, kept) = (Groups::single(net), Recorder::new(1));
        decide(Subject { model: net, groups: &groups, pool }, &[asked], &settings, &Budget::unlimited(), &kept);
        kept.into_recorded().pop().unwrap()
    }

    fn answers(net: &PetriNet, pool: &Pool, asked: &Question, exchanges: &Exchanges) -> (Value, u64) {
        let encoding = exchanges.encoding(&Encoding::default());
        let Recorded { answer, faults, .. } = recorded(net, pool, asked.clone().into(), encoding, 1);
        assert_eq!(faults, [], "{asked:?}\n{net:?}\n{pool:?}");
        let answer = answer.unwrap();
        (answer.value, answer.explored.map_or(0, |stats| stats.states))
    }

    #[test]
    fn verdicts_do_not_notice_swaps() {
        let (mut swapped, mut without, mut with) = (0, 0, 0);
        for seed in 0..1500 {
            let mut rng = Rng::new(seed);
            let shape = NetShape { max_states: 12, places: 4, transitions: 4, ..NetShape::default() };
            let base = plain(&mut rng, &shape);
            let count = 2 + rng.below(2);
            let (net, places, transitions) = copies(&mut rng, &base, count);
            if crate::reference::explore(&net, 2000).is_none() {
                continue;
            }
            let mut pool = Pool::new();
            let logic = [Logic::Reachability, Logic::Ctl, Logic::Ltl, Logic::CtlStar][seed as usize % 4];
            let size = 1 + rng.below(5);
            let drawn = formula(&mut rng, &base, &FormulaShape { logic, size }, &mut pool);
            // Of all copies, or of the first.
            let whole = !rng.one_in(4);
            let all = |copies: &Vec<PlaceId>| if whole { copies.clone() } else { vec![copies[0]] };
            let sum = |list: &[PlaceId]| Some(list.iter().flat_map(|place| all(&places[place.index()])).collect());
            let list = |list: &[TransitionId]| {
                let mut of: Vec<_> = list.iter().flat_map(|t| transitions[t.index()].clone()).collect();
                of.sort_unstable();
                Some(of)
            };
            let Some(over) = translate(&mut pool, drawn, sum, list) else { continue };
            let paths = [PathSemantics::Maximal, PathSemantics::Stutter][rng.below(2)];
            let listed: Vec<PlaceId> = all(&places[rng.below(places.len())]);
            for question in [
                Question::formula(&mut pool, over, paths, Route::Fixpoints),
                Question::Bound(listed.clone()),
                Question::Global(Global::Deadlock),
            ] {
                let exchanges = match &question {
                    Question::Formula { formula, linear, .. } => {
                        of(&net, &[], (&pool, &[*formula, *linear]), &[], &Budget::unlimited())
                    }
                    Question::Bound(places) => of(&net, &[], (&pool, &[]), &[places], &Budget::unlimited()),
                    _ => of(&net, &[], (&pool, &[]), &[], &Budget::unlimited()),
                };
                if exchanges.swaps.is_empty() {
                    continue;
                }
                let (expected, states) = answers(&net, &pool, &question, &Exchanges::default());
                let (found, fewer) = answers(&net, &pool, &question, &exchanges);
                assert_eq!(found, expected, "seed {seed} {question:?} {exchanges:?}\n{net:?}\n{pool:?}");
                (swapped, without, with) = (swapped + 1, without + states, with + fewer);
            }
        }
        assert!(swapped > 500 && with * 5 < without * 4, "{swapped} {with} {without}");
    }

    /// The net with another transition beside each, of the same effect: every second one may need more tokens.
    fn doubled(rng: &mut Rng, net: &PetriNet) -> PetriNet {
        let mut b = NetBuilder::new("doubled");
        net.places().iter().for_each(|place| assert!(b.place(&place.id, place.initial).is_ok()));
        for (t, again) in net.transitions().iter().flat_map(|t| [(t, false), (t, true)]) {
            let id = b.transition(if again { format!("{}_again", t.id) } else { t.id.clone() }).unwrap();
            t.pre.iter().for_each(|arc| b.input(arc.place, id, arc.weight).unwrap());
            t.post.iter().for_each(|arc| b.output(id, arc.place, arc.weight).unwrap());
            t.inhibitors.iter().for_each(|arc| b.inhibitor(arc.place, id, arc.weight).unwrap());
            if let Some(arc) = t.pre.first().filter(|_| again && rng.one_in(2)) {
                b.input(arc.place, id, 1).unwrap();
                b.output(id, arc.place, 1).unwrap();
            }
        }
        b.build().unwrap()
    }

    /// Runs go through the actions that were read, where others lead from the same markings to the same.
    #[test]
    fn runs_keep_the_actions_that_questions_tell_apart() {
        let (mut swapped, mut shown) = ([0; 2], 0);
        for seed in 0..1500 {
            let mut rng = Rng::new(seed);
            let shape = NetShape { max_states: 6, places: 3, transitions: 3, ..NetShape::default() };
            let base = plain(&mut rng, &shape);
            let base = doubled(&mut rng, &base);
            let count = 2 + rng.below(2);
            let (net, places, transitions) = copies(&mut rng, &base, count);
            let Some(graph) = crate::reference::explore(&net, 500) else { continue };
            let mut pool = Pool::new();
            let logic = [Logic::Ltl, Logic::Ctl][usize::from(rng.one_in(3))];
            let size = 1 + rng.below(5);
            let drawn = formula(&mut rng, &base, &FormulaShape { logic, size }, &mut pool);
            let sum = |list: &[PlaceId]| Some(list.iter().flat_map(|p| places[p.index()].clone()).collect());
            let list = |list: &[TransitionId]| {
                let mut of: Vec<_> = list.iter().flat_map(|t| transitions[t.index()].clone()).collect();
                of.sort_unstable();
                Some(of)
            };
            let Some(over) = translate(&mut pool, drawn, sum, list) else { continue };
            // Steps are asked for, in the place of transitions that are enabled.
            let asked = pool.rebuild(over, |pool, node| {
                let some = Some(transitions[rng.below(transitions.len())].clone());
                Some(match node {
                    Formula::Enabled(list) if logic == Logic::Ltl => Formula::Action(list),
                    Formula::Exists(path) if rng.one_in(2) => Formula::Diamond(some, pool.close(path)),
                    Formula::Forall(path) if rng.one_in(2) => Formula::Box(some, pool.close(path)),
                    node => node,
                })
            });
            let Some(asked) = asked.map(|asked| pool.close(asked)).filter(|&asked| pool.has_actions(asked)) else {
                continue;
            };
            let paths = [PathSemantics::Maximal, PathSemantics::Stutter, PathSemantics::Infinite][rng.below(3)];
            let Ok(sets) = check(Setting::new(&graph, &pool, paths), asked) else { continue };
            let route = [Route::Fixpoints, Route::Automata][rng.below(2)];
            let question = Question::formula(&mut pool, asked, paths, route);
            let Question::Formula { formula, linear, .. } = question else { unreachable!() };
            let exchanges = of(&net, &[], (&pool, &[formula, linear]), &[], &Budget::unlimited());
            if exchanges.swaps.is_empty() {
                continue;
            }
            // Labelled graphs have no witnesses where states stand for others.
            let request = || Request { witness: logic == Logic::Ltl, ..question.clone().into() };
            let encoding = Encoding { drw: rng.one_in(2), ..Encoding::default() };
            let threads = 1 + rng.below(2);
            let without = recorded(&net, &pool, request(), encoding.clone(), threads).answer.unwrap().value;
            if matches!(without, Value::Unknown(_)) {
                continue;
            }
            let with = recorded(&net, &pool, request(), exchanges.encoding(&encoding), threads);
            let Recorded { answer, explained, faults } = with;
            let value = answer.unwrap().value;
            let about = format!("seed {seed} {question:?} {exchanges:?}\n{net:?}\n{pool:?}");
            assert_eq!(faults, [], "{about}");
            assert_eq!((&value, &without), (&Value::Verdict(sets[&asked][0]), &value), "{about}");
            assert!(!matches!(explained, Some(Explained::Broken(_))), "{explained:?} {about}");
            swapped[usize::from(logic == Logic::Ltl)] += 1;
            shown += usize::from(matches!(explained, Some(Explained::Witness(_))));
        }
        assert!(swapped[0] > 100 && swapped[1] > 100 && shown > 50, "{swapped:?} {shown}");
    }

    /// A bound found among the markings that are kept would be that of the smaller of two places, or of the greater.
    #[test]
    fn bounds_in_formulas_leave_the_markings_as_they_are() {
        let mut b = NetBuilder::new("either");
        let [start, p, q] = [("start", 1), ("p", 0), ("q", 0)].map(|(id, tokens)| b.place(id, tokens).unwrap());
        for (id, to) in [("to p", p), ("to q", q)] {
            let t = b.transition(id).unwrap();
            b.input(start, t, 1).unwrap();
            b.output(t, to, 1).unwrap();
        }
        let net = b.build().unwrap();
        let mut pool = Pool::new();
        let below = |pool: &mut Pool, one: PlaceId, other: PlaceId, bound: bool| {
            let left = pool.add_expr(Expr::Tokens(vec![one]));
            let right = if bound { Expr::Bounds(vec![other]) } else { Expr::Tokens(vec![other]) };
            let right = pool.add_expr(right);
            pool.add(Formula::Compare(left, Comparison::Le, right))
        };
        for (bound, has_swaps) in [(false, true), (true, false)] {
            let parts = vec![below(&mut pool, p, q, bound), below(&mut pool, q, p, bound)];
            let both = pool.and(parts);
            let always = pool.add(Formula::Globally(both));
            let always = pool.add(Formula::Forall(always));
            let found = of(&net, &[], (&pool, &[always]), &[], &Budget::unlimited());
            assert_eq!(!found.swaps.is_empty(), has_swaps);
        }
    }

    #[test]
    fn arrangements_are_counted() {
        let (mut used, mut visited, mut stored) = (0, 0, 0);
        for seed in 0..1500 {
            let mut rng = Rng::new(seed);
            let shape = NetShape { max_states: 12, places: 4, transitions: 4, ..NetShape::default() };
            let base = plain(&mut rng, &shape);
            let (count, again) = (2 + rng.below(3), 1 + rng.below(2));
            let (net, ..) = copies(&mut rng, &base, count);
            let (net, ..) = if again == 2 { copies(&mut rng, &net, 2) } else { (net, Vec::new(), Vec::new()) };
            let Some(graph) = crate::reference::explore(&net, 5000) else { continue };
            let families = symmetries::families(&swaps(&net, &Colours::same(&net), |_| true, &Budget::unlimited()));
            if families.is_empty() {
                continue;
            }
            let encoding = Encoding { families: families.clone().into(), ..Encoding::default() };
            let compiled = crate::kinds::Kind::compile(&net, &encoding, &Budget::unlimited()).unwrap();
            let found = compiled.explore(&Options::default(), &Budget::unlimited()).unwrap();
            assert_eq!(
                (found.states, found.transitions, found.deadlocks),
                (graph.states() as u128, graph.transitions() as u128, graph.deadlocks().len() as u128),
                "seed {seed} {families:?}\n{net:?}"
            );
            (used, visited, stored) = (used + 1, visited + graph.states(), stored + found.stats.states as usize);
        }
        assert!(used > 300 && stored * 3 < visited * 2, "{used} {stored} {visited}");
    }
}
