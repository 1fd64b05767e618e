//! A part of a network, in which the other components do as they like.
//!
//! **Abstraction.** Some components are kept; the others are left out, and never block a label. Labels that no kept
//! component takes part in are possible in every state and change nothing: those that matter keep their name, all the
//! others are one label. A step of the network is then a step of the part, with its label or that one; so every run of
//! the network is, label by label, one of the part, which may have more. (Localization reduction: Kurshan,
//! "Computer-aided verification of coordinating processes", 1994.)

use super::{Component, LabelId, Network};

impl Network {
    /// The part with these components, by index, in which labels that are not theirs and not `named` are one label
    /// ([`Network::other_label`]).
    ///
    /// ```
    /// use starset::kinds::network::read_dot;
    /// let text = r#"digraph G {
    ///   subgraph one { 0 -> 1 [label=""]; 1 -> 2 [label=go]; 2 -> 1 [label=back]; }
    ///   subgraph two { 3 -> 4 [label=""]; 4 -> 5 [label=back]; 5 -> 5 [label=stay]; }
    /// }"#;
    /// let network = read_dot(text, "n.dot").unwrap();
    /// let part = network.part(&[0], &[]);
    /// // Component `one`, where `back` is not blocked, and `stay` as some other step.
    /// let labels: Vec<&str> = part.label_ids().map(|label| part.label(label)).collect();
    /// assert_eq!(labels, ["go", "back", network.other_label().as_str()]);
    /// ```
    pub fn part(&self, kept: &[usize], named: &[LabelId]) -> Network {
        let mut components: Vec<Component> = kept.iter().filter_map(|&at| self.components().get(at).cloned()).collect();
        let theirs = |label: &LabelId| self.participants(*label).iter().any(|p| kept.contains(&p.component));
        let (free, others): (Vec<LabelId>, Vec<LabelId>) =
            self.label_ids().filter(|label| !theirs(label)).partition(|label| named.contains(label));
        let mut edges: Vec<(u32, String, u32)> =
            free.into_iter().map(|label| (0, self.label(label).to_owned(), 0)).collect();
        if !others.is_empty() {
            edges.push((0, self.other_label(), 0));
        }
        if !edges.is_empty() || components.is_empty() {
            let taken = |name: &str| components.iter().any(|component| component.name == name);
            let mut name = "others".to_owned();
            while taken(&name) {
                name.push('_');
            }
            components.push(Component { name, states: vec!["0".to_owned()], initial: 0, edges });
        }
        // A part of what made a network makes one.
        Network::new(self.name(), components).unwrap_or_else(|_| self.clone())
    }

    /// The label of all other steps in a part of this network: one that it does not have.
    pub fn other_label(&self) -> String {
        let mut label = "other".to_owned();
        while self.find_label(&label).is_some() {
            label.push('_');
        }
        label
    }
}
