//! What tools for diagrams do differently, and what each of them does.
//!
//! The defaults are those of docs/processes.md. A preset has the switches of another tool, so that answers can be
//! compared with those that it gives: where they differ from the defaults, that page says which switch decides.

use super::super::process_net::Completion;

/// Whose reading of diagrams is followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Like {
    /// The one of docs/processes.md.
    #[default]
    Default,
    /// That of rust_bpmn_analyzer (T. Kräuter) at commit 89a334e.
    Rba,
    /// That of fbpmn (P. Poizat and others) at commit a43a26c, whose net is made apart.
    Fbpmn,
}

/// What a pool begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Starts {
    /// One of its start events, in a step; without any, all nodes that nothing leads to.
    One,
    /// All its plain start events, which have happened at first; or one for each message that starts it.
    All,
}

/// Which messages are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kept {
    /// Those that something in the diagram can receive.
    Received,
    /// All that are sent.
    All,
}

/// What an event-based gateway waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    /// Whatever the events behind it wait for.
    Events,
    /// A message to a node behind it, of any sort; the node then sends nothing.
    Messages,
}

/// What a gateway does that chooses among no flows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum DeadEnd {
    /// The token ends there.
    Ends,
    /// The token stays.
    Stays,
}

/// How often the end events of a pool were reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ends {
    /// Never, once, or more often; forgotten when the pool is terminated.
    UpToTwo,
    /// So often, for ever; an event that terminates sends nothing.
    Counted,
}

/// What tools do differently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Switches {
    /// What a pool begins with.
    pub(super) starts: Starts,
    /// Which messages are kept.
    pub(super) kept: Kept,
    /// What an event-based gateway waits for.
    pub(super) choice: Choice,
    /// What an exclusive gateway without outgoing flow does.
    pub(super) dead_end: DeadEnd,
    /// How often end events were reached.
    pub(super) ends: Ends,
    /// What is asked of the end.
    pub(super) completion: Completion,
}

impl Like {
    /// Its switches.
    pub(super) fn switches(self) -> Switches {
        match self {
            Like::Default | Like::Fbpmn => Switches {
                starts: Starts::One,
                kept: Kept::Received,
                choice: Choice::Events,
                dead_end: DeadEnd::Ends,
                ends: Ends::UpToTwo,
                completion: Completion::Possible,
            },
            Like::Rba => Switches {
                starts: Starts::All,
                kept: Kept::All,
                choice: Choice::Messages,
                dead_end: DeadEnd::Stays,
                ends: Ends::Counted,
                completion: Completion::NotStuck,
            },
        }
    }
}
