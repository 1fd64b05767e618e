//! Pictures in the simple case, as documents of SVG.

use super::{Model, NamedState, StateGraph};
use crate::picture::{Graph, View};

/// Places and transitions, and states, of which a picture shows no more.
const NODES: usize = 300;
const STATES: usize = 60;

impl Model {
    /// A picture of the net, of one that is large the part nearest to the tokens; of a model of another kind of what
    /// takes the place of a net.
    ///
    /// ```
    /// assert!(starset::Model::read("models/philo-5.pnml")?.svg().starts_with("<svg"));
    /// # Ok::<(), starset::Error>(())
    /// ```
    pub fn svg(&self) -> String {
        let net = self.kind().picture();
        match self.kind().as_net() {
            Some(_) => View::new(&net, NODES).named(&self.shared.loaded.symbols).svg(),
            None => View::new(&net, NODES).svg(),
        }
    }
}

impl NamedState {
    /// A picture of the net in this marking; `None` for a state of another kind of model.
    ///
    /// ```
    /// let model = starset::Model::read("models/philo-5.pnml")?;
    /// let later = model.initial().fire("FF1a_0")?;
    /// assert_ne!(later.svg(), model.initial().svg());
    /// # Ok::<(), starset::Error>(())
    /// ```
    pub fn svg(&self) -> Option<String> {
        let net = self.model().kind().as_net()?;
        Some(View::new(net, NODES).named(&self.model().shared.loaded.symbols).marked(self.state()).svg())
    }
}

impl StateGraph {
    /// A picture of the graph, of one that is large the states that are nearest to the initial one. States in which
    /// nothing is possible are red.
    ///
    /// ```
    /// let graph = starset::Model::read("models/buffer.counters")?.graph(100)?;
    /// assert!(graph.svg().contains("consumer=resting free=3"));
    /// # Ok::<(), starset::Error>(())
    /// ```
    pub fn svg(&self) -> String {
        let mut graph = Graph::new("reachable states");
        let mut left = vec![false; self.states().len()];
        self.edges().iter().for_each(|&(from, _, _)| left[from] = true);
        for (number, state) in self.states().iter().enumerate() {
            let class = match (number < self.initial(), left[number]) {
                (true, true) => "first",
                (true, false) => "end first",
                (false, true) => "",
                (false, false) => "end",
            };
            let text = state.to_string();
            graph.vertex(if text.is_empty() { "no tokens" } else { &text }, &text, class);
        }
        for (from, label, to) in self.edges() {
            graph.edge(*from, *to, label);
        }
        graph.svg(STATES)
    }
}
