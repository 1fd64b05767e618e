//! CTL* formulas made from those of the Model Checking Contest: component-wise product, plain product and brute
//! force give the same sets. `benches/ctl-star` does the same, but for brute force, on larger nets.
//!
//! The formulas are CTL formulas of which each path quantifier but the outermost is deleted with probability 0.7
//! (Amparore, Donatelli, Gallà: "starMC: an automata based CTL* model checker", PeerJ CS 2022).

use super::Case;
use crate::oracle::{Setting, check};
use crate::oracle_contest::{instances, temporal};
use crate::reference::explore;
use crate::shared::shared;
use starset::budget::Budget;
use starset::formula::{Formula, FormulaId, PathSemantics, Pool, PropertyQuestion, Symbols, read_properties};
use starset::kinds::Kind;
use starset::mdd::MddManager;
use starset::random::Rng;
use starset::symbolic::{Checker, ProductKind, Search, reachable_set};
use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;

/// The formula without most of its path quantifiers.
fn without_quantifiers(rng: &mut Rng, pool: &mut Pool, formula: FormulaId) -> FormulaId {
    let order = pool.subformulas(&[formula]);
    let quantifier = |pool: &Pool, id: FormulaId| matches!(pool[id], Formula::Exists(_) | Formula::Forall(_));
    let outermost = order.iter().rev().copied().find(|&id| quantifier(pool, id));
    let mut image: HashMap<FormulaId, FormulaId> = HashMap::new();
    for id in order {
        let deleted = quantifier(pool, id) && Some(id) != outermost && rng.below(10) < 7;
        let result = match pool[id].clone() {
            Formula::Exists(path) | Formula::Forall(path) if deleted => image[&path],
            node => {
                let node = node.map(|operand| image[&operand]);
                pool.add(node)
            }
        };
        image.insert(id, result);
    }
    pool.close(image[&formula])
}

#[test]
fn ctl_star_from_the_contest_equals_brute_force() {
    let Some(folder) = shared("mcc") else { return };
    const EFFORT: usize = 30_000;
    let budget = Budget::unlimited();
    let (mut compared, mut linear) = (0, 0);
    for instance in instances(&folder, 300) {
        let net = starset::kinds::net::pnml::read_path(&folder.join(&instance).join("model.pnml")).unwrap();
        let graph = explore(&net, 300).unwrap();
        let symbols = Symbols::new(&net);
        let relation = net.relation(&net.place_ids().collect::<Vec<_>>()).unwrap();
        let space = MddManager::new(relation.levels(), &Budget::unlimited().with_memory(1 << 26)).unwrap();
        let states = reachable_set(&relation, &space, Search::Saturation, &budget, &mut |_| ()).unwrap();
        let mut case =
            Case { net, graph, relation, states, pool: Pool::new(), formula: Pool::new().add(Formula::True) };
        let mut rng = Rng::new(1);
        for examination in ["CTLCardinality", "CTLFireability"] {
            let file = File::open(folder.join(&instance).join(format!("{examination}.xml"))).unwrap();
            let properties = read_properties(BufReader::new(file), examination, &symbols, &mut case.pool).unwrap();
            for property in properties {
                let PropertyQuestion::Formula(formula) = property.query else { continue };
                let formula = without_quantifiers(&mut rng, &mut case.pool, formula);
                let nodes = case.graph.transitions().checked_shl(temporal(&case.pool, formula));
                if nodes.is_none_or(|nodes| nodes > EFFORT) {
                    continue;
                }
                case.formula = formula;
                let paths = PathSemantics::ALL[compared % 3];
                let expected = check(Setting::new(&case.graph, &case.pool, paths), formula).unwrap().remove(&formula);
                let simple = case.pool.push_quantifiers(formula, paths);
                for (product, formula) in [
                    (ProductKind::Components, formula),
                    (ProductKind::Plain, formula),
                    (ProductKind::Components, simple),
                ] {
                    let checker = Checker::new(&case.relation, case.states.clone(), paths).unwrap();
                    let found = checker.with_product(product).sat(&case.pool, formula, &budget).unwrap();
                    let found = Some(case.members(&found));
                    assert_eq!(found, expected, "{}, {product:?}, {paths}: {}", property.id, case.text(formula));
                }
                compared += 1;
                linear += usize::from(case.pool.logic(formula) > starset::formula::Logic::Ctl);
            }
        }
    }
    eprintln!("{compared} formulas compared, {linear} of them beyond CTL");
    assert!(compared > 40 && linear > 20, "{compared}, {linear}");
}
