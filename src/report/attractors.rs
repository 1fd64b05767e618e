//! The attractors of a model as a page: what is counted, a table of the values in each, and two pictures.
//!
//! The *influence graph* has an edge for each variable on which the function of another depends: `+` where that rises
//! with it, `-` where it falls, `±` where it does either. The *graph of states* is that of all states with the steps
//! between them, for models of few; states of attractors are green (fixed points) and orange. A table has a row for each
//! variable: the values that it takes within an attractor.
//!
//! **Invariant.** No script, nothing loaded, and all text that comes from the model is escaped.

use super::number::count;
use super::timing::document;
use crate::budget::Budget;
use crate::decide::StateSpace;
use crate::formula::Symbols;
use crate::mdd::Mdd;
use crate::model::{State, Step, TransitionSystem, VariableId};
use crate::picture::Graph;
use crate::report::state;
use crate::symbolic::{Attractors, Basins, Shape};
use crate::xml::escaped;
use num_bigint::BigUint;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// States and variables of which pictures show no more.
const MOST_STATES: usize = 32;
const MOST_VARIABLES: usize = 60;

/// An attractor that is told of.
pub struct Listed {
    /// Its shape.
    pub shape: Shape,
    /// How many states it has.
    pub size: BigUint,
    /// A state.
    pub state: State,
    /// The sizes of its basins, if they are known.
    pub basins: Option<Basins>,
    /// What is fixed in the trap space around it, if that is known.
    pub fixed: Option<Vec<(VariableId, u64)>>,
    /// Its states.
    pub set: Mdd,
}

/// The name of a shape.
pub fn name(shape: Shape) -> &'static str {
    match shape {
        Shape::Fixed => "fixed point",
        Shape::Cycle => "cycle",
        Shape::Complex => "complex",
    }
}

/// What a page is about.
pub struct Page<'a> {
    /// The model.
    pub model: &'a dyn TransitionSystem,
    /// How its names are shown.
    pub symbols: &'a Symbols,
    /// The model in words: its name, and its sizes.
    pub header: &'a str,
    /// Its states.
    pub space: &'a StateSpace,
    /// How many there are.
    pub states: &'a BigUint,
    /// The attractors among them.
    pub found: &'a Attractors,
    /// Some of these.
    pub listed: &'a [Listed],
}

impl Page<'_> {
    /// The page.
    pub fn html(&self) -> String {
        let mut body = format!("<p class=\"soft\">{}</p>", escaped(self.header));
        self.numbers(&mut body);
        self.table(&mut body);
        self.values(&mut body);
        if let Some(picture) = self.influences() {
            body.push_str(
                "<h2>What influences what</h2><p class=\"soft\">+ the function of a variable rises with another; ",
            );
            body.push_str("− it falls; ± either.</p>");
            let _ = write!(body, "<div class=\"picture wide\">{picture}</div>");
        }
        if let Some(picture) = self.graph() {
            let names: Vec<String> = self.variables().map(|variable| escaped(&self.name(variable))).collect();
            body.push_str("<h2>All states</h2>");
            let _ = write!(body, "<p class=\"soft\">Values in the order {}. ", names.join(", "));
            body.push_str("Fixed points are green, states of other attractors orange.</p>");
            let _ = write!(body, "<div class=\"picture wide\">{picture}</div>");
        }
        let title = self.model.name();
        document(title, &format!("Attractors of {title}"), &body)
    }

    /// The variables that people are shown.
    fn variables(&self) -> impl Iterator<Item = VariableId> {
        self.model.variable_ids().filter(|&variable| self.model.remembered(variable).is_none())
    }

    fn name(&self, variable: VariableId) -> String {
        state::variable(self.model, self.symbols, variable).into_owned()
    }

    /// How many states and attractors there are.
    fn numbers(&self, body: &mut String) {
        let found = self.found;
        let mut rows = vec![("states", count(self.states))];
        if found.settings > BigUint::from(1u32) {
            rows.push(("settings of inputs", count(&found.settings)));
        }
        rows.push(("attractors", count(&found.count())));
        rows.extend(found.shapes.iter().map(|(&shape, number)| match shape {
            Shape::Fixed => ("fixed points", count(number)),
            Shape::Cycle => ("cycles", count(number)),
            Shape::Complex => ("complex ones", count(number)),
        }));
        rows.push(("states in them", count(&found.states())));
        body.push_str("<table>");
        for (title, value) in rows {
            let _ = write!(body, "<tr><th>{title}</th><td>{value}</td></tr>");
        }
        body.push_str("</table>");
    }

    /// The attractors that are listed: shape, size, basins.
    fn table(&self, body: &mut String) {
        if self.listed.is_empty() {
            return;
        }
        let basins = self.listed.iter().any(|one| one.basins.is_some());
        body.push_str("<h2>Attractors</h2>");
        let rest = self.found.count() - BigUint::from(self.listed.len());
        if rest > BigUint::ZERO {
            let _ = write!(body, "<p class=\"soft\">The first {}; {} more.</p>", self.listed.len(), count(&rest));
        }
        body.push_str("<div class=\"scroll\"><table><thead><tr><th></th><th>kind</th><th class=\"number\">states</th>");
        if basins {
            body.push_str("<th class=\"number\">weak basin</th><th class=\"number\">strong basin</th>");
        }
        body.push_str("</tr></thead>");
        for (number, one) in (1..).zip(self.listed) {
            let size = count(&one.size);
            let _ = write!(body, "<tr><td>{number}</td><td>{}</td><td class=\"number\">{size}</td>", name(one.shape));
            if let Some(Basins { weak, strong }) = &one.basins {
                let (weak, strong) = (count(weak), count(strong));
                let _ = write!(body, "<td class=\"number\">{weak}</td><td class=\"number\">{strong}</td>");
            }
            body.push_str("</tr>");
        }
        body.push_str("</table></div>");
    }

    /// The values of each variable within each attractor.
    fn values(&self, body: &mut String) {
        if self.listed.is_empty() {
            return;
        }
        let of = |one: &Listed| self.space.values_within(&one.set, &Budget::unlimited());
        let Ok(of) = self.listed.iter().map(of).collect::<Result<Vec<_>, _>>() else { return };
        body.push_str("<h2>Values</h2><p class=\"soft\">What each variable is within each attractor.</p>");
        body.push_str("<div class=\"scroll\"><table><thead><tr><th></th>");
        (1..=of.len()).for_each(|number| {
            let _ = write!(body, "<th class=\"number\">{number}</th>");
        });
        body.push_str("</tr></thead>");
        for variable in self.variables() {
            let _ = write!(body, "<tr><th>{}</th>", escaped(&self.name(variable)));
            for all in &of {
                let values = &all[variable.index()];
                let texts: Vec<_> = values.iter().map(|&value| state::value(self.model, variable, value)).collect();
                let class = if texts.len() > 1 { "number unknown" } else { "number" };
                let _ = write!(body, "<td class=\"{class}\">{}</td>", escaped(&texts.join(" ")));
            }
            body.push_str("</tr>");
        }
        body.push_str("</table></div>");
    }

    /// The influence graph, where it is known.
    fn influences(&self) -> Option<String> {
        let influences = self.space.relation.influences()?;
        let variables = self.space.relation.variables_by_level();
        let mut graph = Graph::new("influences");
        let mut number = vec![0; variables.len()];
        for variable in self.model.variable_ids() {
            let name = self.name(variable);
            let class =
                if influences.iter().any(|one| variables[one.to as usize] == variable.index()) { "" } else { "grey" };
            number[variable.index()] = graph.vertex(&name, &name, class);
        }
        for one in influences {
            let sign = match (one.rises, one.falls) {
                (true, false) => "+",
                (false, true) => "−",
                (true, true) => "±",
                (false, false) => continue,
            };
            graph.edge(number[variables[one.from as usize]], number[variables[one.to as usize]], sign);
        }
        Some(graph.svg(MOST_VARIABLES))
    }

    /// The graph of all states, if they are few.
    fn graph(&self) -> Option<String> {
        let space = self.space;
        let all: Vec<State> = space
            .set
            .members()
            .take(MOST_STATES + 1)
            .map(|tuple| State::new(space.relation.values_of(&tuple)))
            .collect();
        if all.len() > MOST_STATES {
            return None;
        }
        let number: BTreeMap<&[u64], usize> =
            all.iter().zip(0..).map(|(state, number)| (state.as_slice(), number)).collect();
        let mut class = vec![""; all.len()];
        for one in self.listed {
            let colour = if one.shape == Shape::Fixed { "green" } else { "orange" };
            for tuple in one.set.members() {
                if let Some(&number) = number.get(&space.relation.values_of(&tuple)[..]) {
                    class[number] = colour;
                }
            }
        }
        let mut graph = Graph::new("states");
        for (state, class) in all.iter().zip(class) {
            let values = self.variables().map(|variable| state::value(self.model, variable, state.value(variable)));
            let values: Vec<_> = values.collect();
            let short = values.iter().all(|value| value.chars().count() == 1);
            graph.vertex(
                &values.join(if short { "" } else { " " }),
                &state::text(self.model, self.symbols, state, usize::MAX),
                class,
            );
        }
        for (from, state) in all.iter().enumerate() {
            for action in self.model.action_ids() {
                let steps = (0..u32::MAX).map(|choice| Step { action, choice });
                for next in steps.map_while(|step| self.model.fire(state, step)) {
                    if let Some(&to) = number.get(next.as_slice()) {
                        graph.edge(from, to, self.model.action(action));
                    }
                }
            }
        }
        Some(graph.svg(MOST_STATES))
    }
}
