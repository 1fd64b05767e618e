//! Formulas about the skeleton against brute force on the net.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::decide::rewriting::translated::translate;
use crate::decide::{Recorder, Request, Technique, Techniques, decide};
use crate::formula::{Comparison, Expr, Formula, Logic, PathSemantics};
use crate::model::VariableId;
use crate::net::{NetBuilder, PlaceId};
use crate::oracle::{Setting, check};
use crate::random::{FormulaShape, NetShape, Rng, formula as draw, net as plain};
use crate::reference::explore;
use crate::symbolic::Route;

/// Families of places, at random; the places of a family follow one another.
fn families(rng: &mut Rng, net: &PetriNet) -> Vec<Vec<PlaceId>> {
    let mut families: Vec<Vec<PlaceId>> = Vec::new();
    for place in net.place_ids() {
        match families.last_mut() {
            Some(last) if !rng.one_in(2) => last.push(place),
            _ => families.push(vec![place]),
        }
    }
    families
}

/// Approximations of formulas of all logics under all semantics of paths are on the right side, and decide something.
#[test]
fn sides_are_on_their_side() {
    let (mut told, mut of_runs) = ([0; 2], 0);
    for seed in 0..3000 {
        let mut rng = Rng::new(seed);
        let shape = NetShape { max_states: 40, places: 6, transitions: 6, tokens: 2, ..NetShape::default() };
        let net = plain(&mut rng, &shape);
        let Some(graph) = explore(&net, 400) else { continue };
        let families = families(&mut rng, &net);
        let Some(skeleton) = Skeleton::new(&net, &families, &[], &Budget::unlimited()) else { continue };
        let graphs = [Some(skeleton.net().clone()), skeleton.idle()].map(|net| net.and_then(|net| explore(&net, 400)));
        let [Some(without), Some(with)] = graphs else { continue };
        let whole = |list: &[PlaceId]| {
            let families = families.iter().filter(|family| list.iter().any(|place| family.contains(place)));
            Some(families.flatten().copied().collect::<Vec<_>>())
        };
        for _ in 0..4 {
            let logic = [Logic::Ctl, Logic::Ltl, Logic::CtlStar][rng.below(3)];
            let paths = PathSemantics::ALL[rng.below(3)];
            let mut pool = Pool::new();
            let size = 1 + rng.below(4);
            let drawn = draw(&mut rng, &net, &FormulaShape { logic, size }, &mut pool);
            let asked = translate(&mut pool, drawn, whole, |list| Some(list.to_vec())).unwrap();
            let asked = pool.close(asked);
            let verdict = |graph, pool: &Pool, f| Some(check(Setting::new(graph, pool, paths), f).ok()?[&f][0]);
            let Some(expected) = verdict(&graph, &pool, asked) else { continue };
            for side in [Side::Lower, Side::Upper] {
                let mut approximation = Approximation::new(&skeleton, &mut pool, paths, net.transition_count());
                let Some(formula) = approximation.of(asked, side) else { continue };
                let idles = approximation.needs_idling();
                let there = if idles { &with } else { &without };
                let holds = verdict(there, &pool, formula).unwrap();
                let follows = match side {
                    Side::Lower => !holds || expected,
                    Side::Upper => holds || !expected,
                };
                assert!(follows, "seed {seed} {paths} {side:?}: {:?}", pool[asked]);
                let trivial = matches!(pool[formula], Formula::True | Formula::False);
                if !trivial && holds == (side == Side::Lower) {
                    told[usize::from(holds)] += 1;
                    of_runs += usize::from(idles);
                }
            }
        }
    }
    assert!(told[0] > 300 && told[1] > 300 && of_runs > 50, "{told:?} {of_runs}");
}

/// Families of many places whose tokens never get more: what needs their unfolding and no more is answered without it.
fn exchange(colours: usize) -> (PetriNet, Groups) {
    let mut b = NetBuilder::new("exchange");
    let mut family = |name: &str, tokens| {
        (0..colours).map(|colour| b.place(format!("{name}{colour}"), tokens).unwrap()).collect::<Vec<_>>()
    };
    let [here, there] = [family("here", 1), family("there", 0)];
    let mut moves = Vec::new();
    for (&from, &to) in here.iter().flat_map(|from| there.iter().map(move |to| (from, to))) {
        let t = b.transition(format!("t{}_{}", from.0, to.0)).unwrap();
        b.input(from, t, 1).unwrap();
        b.output(t, to, 1).unwrap();
        moves.push(t);
    }
    let net = b.build().unwrap();
    (net, Groups { variables: vec![here, there], actions: vec![moves] })
}

#[test]
fn questions_about_numbers_of_tokens_are_answered_by_it() {
    let (net, groups) = exchange(40);
    let mut pool = Pool::new();
    let sum = |pool: &mut Pool, places: &[VariableId]| pool.add_expr(Expr::Tokens(places.to_vec()));
    let [here, there] = [0, 1].map(|family| sum(&mut pool, &groups.variables[family]));
    let both = pool.add_expr(Expr::Add(vec![here, there]));
    let limit = pool.add_expr(Expr::Const(40));
    let same = pool.add(Formula::Compare(both, Comparison::Eq, limit));
    let always = pool.add(Formula::Globally(same));
    let always = pool.add(Formula::Forall(always));
    let formula = Question::formula(&mut pool, always, PathSemantics::Maximal, Route::Fixpoints);
    let asked: Vec<Request> = [formula, Question::Bound(groups.variables[0].clone())].map(Request::from).into();
    let ways = Ways { structure: true, ..Ways::NONE };
    let techniques = Techniques { fusion: false, ..Default::default() };
    let settings = Settings { ways, techniques, ..Settings::default() };
    let subject = Subject { model: &net, groups: &groups, pool: &pool };
    let kept = Recorder::new(asked.len());
    decide(subject, &asked, &settings, &Budget::unlimited(), &kept);
    let found: Vec<Answer> = kept.into_recorded().into_iter().map(|recorded| recorded.answer.unwrap()).collect();
    assert_eq!((&found[0].value, found[0].technique), (&Value::Verdict(true), Technique::Skeleton));
    assert_eq!(found[1].value, Value::Number(40u32.into()));
}
