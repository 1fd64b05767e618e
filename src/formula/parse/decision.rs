//! Decisions of processes, as atoms of rules about their steps: which way a gateway goes on.

use std::fmt;

/// A decision of a gateway.
///
/// | written | holds where |
/// |---|---|
/// | `flow(accepted)` | a gateway goes on by a flow of that name |
/// | `flow(check, accepted)` | the gateway `check` does |
/// | `gateway(check)` | the gateway `check` goes on, whichever way |
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Decision {
    /// A flow is taken.
    Flow {
        /// Out of this gateway; out of any, if none is named.
        gateway: Option<String>,
        /// The flow.
        flow: String,
    },
    /// A gateway goes on.
    Gateway(String),
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Decision::Gateway(gateway) => write!(f, "gateway({gateway})"),
            Decision::Flow { gateway: None, flow } => write!(f, "flow({flow})"),
            Decision::Flow { gateway: Some(gateway), flow } => write!(f, "flow({gateway}, {flow})"),
        }
    }
}

/// Stands before decisions, and between their names, where they are names of propositions: no name of a diagram has it.
const MARK: char = '\u{1f}';

impl Decision {
    /// The name of the proposition that stands for it.
    pub(crate) fn proposition(&self) -> String {
        match self {
            Decision::Gateway(gateway) => format!("{MARK}{gateway}"),
            Decision::Flow { gateway: None, flow } => format!("{MARK}{MARK}{flow}"),
            Decision::Flow { gateway: Some(gateway), flow } => format!("{MARK}{gateway}{MARK}{flow}"),
        }
    }

    /// The decision that a proposition of this name stands for.
    pub(crate) fn of_proposition(name: &str) -> Option<Decision> {
        let names = name.strip_prefix(MARK)?;
        Some(match names.split_once(MARK) {
            None => Decision::Gateway(names.to_owned()),
            Some(("", flow)) => Decision::Flow { gateway: None, flow: flow.to_owned() },
            Some((gateway, flow)) => Decision::Flow { gateway: Some(gateway.to_owned()), flow: flow.to_owned() },
        })
    }
}
