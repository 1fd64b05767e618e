//! Networks with many negative cycles, in which candidates for attractors are led along steps, against graphs of all states.

use super::graph::{Function, Graph, Network};
use super::{members, network};
use starset::kinds::pins::PinsModel;
use starset::kinds::pins::logical::Update;
use starset::rng::Rng;
use std::collections::BTreeSet;

/// Half of the functions are sums of their variables, so that influences have both signs.
fn random(rng: &mut Rng) -> Network {
    let variables = 6 + rng.below(4);
    let function = |rng: &mut Rng| {
        let arguments: Vec<usize> = (0..1 + rng.below(3)).map(|_| rng.below(variables)).collect();
        let (table, odd, is_sum) = (rng.below(256), rng.below(2), rng.one_in(2));
        let holds = |row: usize| if is_sum { row.count_ones() as usize % 2 == odd } else { table >> row & 1 == 1 };
        (!rng.one_in(10)).then(|| Function::of_table(&arguments, holds))
    };
    Network::of((0..variables).map(|_| function(rng)).collect())
}

#[test]
fn attractors_stay_where_candidates_are_led() {
    let (mut several, mut large) = (0, 0);
    for seed in 0..300 {
        let network = random(&mut Rng::new(seed));
        let expected: BTreeSet<BTreeSet<usize>> =
            Graph::new(&network, Update::Asynchronous).attractors().into_iter().map(BTreeSet::from_iter).collect();
        let model = PinsModel::new("random", self::network("random.bnet", &network.to_string())).unwrap();
        let numbers = |one: BTreeSet<Vec<u64>>| one.iter().map(|values| network.number(values)).collect();
        let found: BTreeSet<BTreeSet<usize>> = members(&model).into_iter().map(numbers).collect();
        assert_eq!(found, expected, "seed {seed}:\n{network}");
        several += usize::from(found.len() > 1);
        large += usize::from(found.iter().any(|one| one.len() > 16));
    }
    assert!(several > 100 && large > 50, "{several} {large}");
}
