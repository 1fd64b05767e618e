//! A diagram of BPMN as it was read: nodes in containers, flows between them, messages between pools.

use super::problem::Problem;

/// The number of a node in [`Diagram::nodes`].
pub type NodeId = usize;
/// The number of a sequence flow in [`Diagram::flows`].
pub type FlowId = usize;
/// The number of a pool in [`Diagram::pools`].
pub type PoolId = usize;

/// Where a node lies: in a pool, or in a sub-process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Container {
    /// Directly in the process of a pool.
    Pool(PoolId),
    /// In a sub-process.
    Sub(NodeId),
}

/// The sort of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// A task of any kind but that, or a call.
    Task,
    /// A task that receives a message.
    ReceiveTask,
    /// A sub-process, a transaction among them.
    Sub,
    /// A sub-process that an event starts.
    EventSub,
    /// An exclusive gateway.
    Exclusive,
    /// A parallel gateway.
    Parallel,
    /// An inclusive gateway.
    Inclusive,
    /// An event-based gateway.
    EventBased,
    /// A start event.
    Start,
    /// An end event.
    End,
    /// An intermediate event that throws.
    Throw,
    /// An intermediate event that catches.
    Catch,
    /// An event on the border of an activity.
    Boundary,
}

impl Sort {
    /// Is it a task, a call or a sub-process, not one that an event starts?
    pub fn is_activity(self) -> bool {
        matches!(self, Sort::Task | Sort::ReceiveTask | Sort::Sub)
    }
}

/// What an event is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trigger {
    /// A message.
    Message,
    /// Time: how often the timer goes off, if it says so.
    Timer(Option<Repeats>),
    /// A condition.
    Conditional,
    /// A signal, by its reference.
    Signal(Option<String>),
    /// An error, by its reference.
    Error(Option<String>),
    /// An escalation, by its reference.
    Escalation(Option<String>),
    /// The cancellation of a transaction.
    Cancel,
    /// Compensation.
    Compensation,
    /// A link, by its name.
    Link(String),
    /// The end of the container.
    Terminate,
}

/// How often a timer goes off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeats {
    /// So often.
    Times(u32),
    /// Any number of times.
    Always,
}

/// A node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// Its identifier, unique among nodes.
    pub id: String,
    /// Its name; empty without one.
    pub name: String,
    /// The line of the file in which it begins, from 1.
    pub line: u64,
    /// Its sort.
    pub sort: Sort,
    /// Where it lies.
    pub container: Container,
    /// What the event is about; nothing for a plain one, and for other nodes.
    pub triggers: Vec<Trigger>,
    /// The duration of its timer, as it is written: of ISO 8601, or an expression.
    pub duration: Option<String>,
    /// Does a boundary event, or the start of an event sub-process, end what it interrupts?
    pub interrupts: bool,
    /// The activity whose border it is on.
    pub host: Option<NodeId>,
    /// The flow that is taken if no other is.
    pub default: Option<FlowId>,
    /// Does a sub-process begin again, any number of times?
    pub repeats: bool,
    /// Does it belong to compensation, and takes no part?
    pub left_out: bool,
    /// Flows into it.
    pub incoming: Vec<FlowId>,
    /// Flows out of it.
    pub outgoing: Vec<FlowId>,
    /// The nodes in it.
    pub children: Vec<NodeId>,
    /// The events on its border that take part.
    pub events: Vec<NodeId>,
}

impl Node {
    /// What people call it: its name, or its identifier.
    pub fn shown(&self) -> &str {
        if self.name.is_empty() { &self.id } else { &self.name }
    }
}

/// A sequence flow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SequenceFlow {
    /// Its identifier.
    pub id: String,
    /// Its name; empty without one.
    pub name: String,
    /// From.
    pub source: NodeId,
    /// To.
    pub target: NodeId,
}

/// An end of a message flow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MessageEnd {
    /// A node.
    Node(NodeId),
    /// The border of a pool with nodes.
    Border(PoolId),
    /// A pool without nodes.
    BlackBox,
}

/// A message flow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MessageFlow {
    /// Its identifier.
    pub id: String,
    /// Its name; empty without one.
    pub name: String,
    /// From.
    pub source: MessageEnd,
    /// To.
    pub target: MessageEnd,
}

/// A process with nodes, in a pool or not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pool {
    /// The identifier of the process.
    pub id: String,
    /// The name of the pool, or of the process; empty without one.
    pub name: String,
    /// The nodes directly in it.
    pub children: Vec<NodeId>,
}

impl Pool {
    /// What people call it: its name, or its identifier.
    pub fn shown(&self) -> &str {
        if self.name.is_empty() { &self.id } else { &self.name }
    }
}

/// A diagram.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagram {
    /// Nodes.
    pub nodes: Vec<Node>,
    /// Sequence flows with both ends.
    pub flows: Vec<SequenceFlow>,
    /// Message flows with both ends.
    pub messages: Vec<MessageFlow>,
    /// Processes with nodes.
    pub pools: Vec<Pool>,
    /// How many sequence flows have been dropped.
    pub dropped: usize,
    /// What is to be said of it.
    pub warnings: Vec<Problem>,
}

impl Diagram {
    /// The nodes directly in a container.
    pub fn children(&self, container: Container) -> &[NodeId] {
        match container {
            Container::Pool(pool) => &self.pools[pool].children,
            Container::Sub(node) => &self.nodes[node].children,
        }
    }

    /// The container around a container.
    pub fn around(&self, container: Container) -> Option<Container> {
        match container {
            Container::Pool(_) => None,
            Container::Sub(node) => Some(self.nodes[node].container),
        }
    }

    /// The pool that a container lies in.
    pub fn pool_of(&self, container: Container) -> PoolId {
        // Containers are no circle: each was opened inside the one around it.
        let mut container = container;
        loop {
            match container {
                Container::Pool(pool) => return pool,
                Container::Sub(node) => container = self.nodes[node].container,
            }
        }
    }

    /// The nodes in a container at any depth.
    pub fn inside(&self, container: Container) -> Vec<NodeId> {
        let mut inside = self.children(container).to_vec();
        let mut next = 0;
        while let Some(&node) = inside.get(next) {
            inside.extend_from_slice(&self.nodes[node].children);
            next += 1;
        }
        inside
    }

    /// The events on the border of a node that take part.
    pub fn boundaries(&self, host: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.nodes[host].events.iter().copied()
    }

    /// Is it a sub-process with nodes?
    pub fn is_expanded(&self, node: NodeId) -> bool {
        self.nodes[node].sort == Sort::Sub && !self.nodes[node].children.is_empty()
    }

    /// Does a node begin with its container, where that has no start event: has it no incoming flow, and is nothing else
    /// that starts it?
    pub fn begins(&self, node: NodeId) -> bool {
        let node = &self.nodes[node];
        let is_link = node.triggers.iter().any(|trigger| matches!(trigger, Trigger::Link(_)));
        let is_started = match node.sort {
            Sort::Boundary | Sort::EventSub | Sort::Start => true,
            Sort::Catch => is_link,
            _ => false,
        };
        node.incoming.is_empty() && !node.left_out && !is_started
    }

    /// The start events of a container.
    pub fn starts(&self, container: Container) -> Vec<NodeId> {
        let children = self.children(container).iter().copied();
        children.filter(|&node| self.nodes[node].sort == Sort::Start).collect()
    }

    /// The nodes that begin with a container, as it has no start event.
    pub fn beginners(&self, container: Container) -> Vec<NodeId> {
        if !self.starts(container).is_empty() {
            return Vec::new();
        }
        self.children(container).iter().copied().filter(|&node| self.begins(node)).collect()
    }
}
