//! Networks of several levels at random, and their asynchronous graphs, computed without the library.

use starset::rng::Rng;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A conjunction of comparisons: a variable has at least this level, or has not.
type Term = Vec<(usize, u32, bool)>;

/// For each variable its greatest level, and terms with the target where the first of them is true; 0 if none is.
pub(super) struct Levels {
    most: Vec<u32>,
    functions: Vec<Vec<(u32, Term)>>,
}

impl Levels {
    pub(super) fn random(rng: &mut Rng) -> Levels {
        let most: Vec<u32> = (0..2 + rng.below(4)).map(|_| 1 + rng.below(2) as u32).collect();
        let function = |own: usize, rng: &mut Rng| {
            let term = |rng: &mut Rng| -> Term {
                let one = |rng: &mut Rng| {
                    let variable = rng.below(most.len());
                    (variable, 1 + rng.below(most[variable] as usize) as u32, rng.below(2) == 0)
                };
                (0..1 + rng.below(2)).map(|_| one(rng)).collect()
            };
            (0..1 + rng.below(3)).map(|_| (rng.below(most[own] as usize + 1) as u32, term(rng))).collect()
        };
        let functions = (0..most.len()).map(|own| function(own, rng)).collect();
        Levels { most, functions }
    }

    /// As SBML-qual.
    pub(super) fn sbml(&self) -> String {
        let (mut species, mut transitions) = (String::new(), String::new());
        for (own, (most, terms)) in self.most.iter().zip(&self.functions).enumerate() {
            let _ = write!(species, "<q:qualitativeSpecies q:id='v{own}' q:maxLevel='{most}'/>");
            let _ = write!(
                transitions,
                "<q:transition q:id='t{own}'><q:listOfInputs/><q:listOfOutputs><q:output q:qualitativeSpecies='v{own}' \
                 q:transitionEffect='assignmentLevel'/></q:listOfOutputs><q:listOfFunctionTerms><q:defaultTerm \
                 q:resultLevel='0'/>"
            );
            for (target, term) in terms {
                let _ = write!(transitions, "<q:functionTerm q:resultLevel='{target}'><math><apply><and/>");
                for (variable, level, least) in term {
                    let sign = if *least { "geq" } else { "lt" };
                    let _ = write!(transitions, "<apply><{sign}/><ci>v{variable}</ci><cn>{level}</cn></apply>");
                }
                transitions += "</apply></math></q:functionTerm>";
            }
            transitions += "</q:listOfFunctionTerms></q:transition>";
        }
        format!(
            "<sbml xmlns:q='q'><model><q:listOfQualitativeSpecies>{species}</q:listOfQualitativeSpecies>\
             <q:listOfTransitions>{transitions}</q:listOfTransitions></model></sbml>"
        )
    }

    fn states(&self) -> Vec<Vec<u32>> {
        self.most.iter().fold(vec![Vec::new()], |all, &most| {
            all.iter().flat_map(|state| (0..=most).map(move |level| [&state[..], &[level]].concat())).collect()
        })
    }

    fn successors(&self, state: &[u32]) -> Vec<Vec<u32>> {
        let moved = |own: usize| {
            let holds = |term: &Term| term.iter().all(|&(variable, level, least)| (state[variable] >= level) == least);
            let target = self.functions[own].iter().find(|(_, term)| holds(term)).map_or(0, |&(target, _)| target);
            let mut next = state.to_vec();
            match target.cmp(&state[own]) {
                std::cmp::Ordering::Less => next[own] -= 1,
                std::cmp::Ordering::Equal => return None,
                std::cmp::Ordering::Greater => next[own] += 1,
            }
            Some(next)
        };
        (0..state.len()).filter_map(moved).collect()
    }

    /// The attractors.
    pub(super) fn attractors(&self) -> BTreeSet<BTreeSet<Vec<u32>>> {
        let reached = |from: &[u32]| {
            let mut seen = BTreeSet::from([from.to_vec()]);
            let mut open = vec![from.to_vec()];
            while let Some(state) = open.pop() {
                open.extend(self.successors(&state).into_iter().filter(|next| seen.insert(next.clone())));
            }
            seen
        };
        let mut found: BTreeSet<BTreeSet<Vec<u32>>> = BTreeSet::new();
        for state in self.states() {
            let all = reached(&state);
            if all.iter().all(|to| reached(to).len() == all.len()) {
                found.insert(all);
            }
        }
        found
    }
}
