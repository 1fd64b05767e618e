//! Logical networks: Boolean and multi-valued networks of systems biology.
//!
//! **Meaning.** Variables have levels 0 to a greatest one, and a function over the levels of others gives each a target.
//! A step moves a variable by one level towards its target: one variable at a time (*asynchronous*), all at once
//! (*synchronous*), any that want to move (*mixed*), or one as if it took its time (`most_permissive`). A variable without
//! a function is an input and keeps its level.
//! *All* combinations of levels are states; none is initial more than others, and so a formula holds of a network if it
//! holds in all states. The set of states is known without being explored.
//!
//! | file | concern |
//! |---|---|
//! | `condition` | conditions on levels, each part kept once |
//! | `function` | variables and their functions, as they are read |
//! | `most_permissive` | variables on their way, of which others see what they like |
//! | `network` | variables, functions and update: a model behind the next-state function |
//! | `mediators` | variables that can be left out, their functions in the place of them |
//! | `relation` | its steps as events of one variable each, or as conjunctions |
//! | `infix` | conditions with operators and brackets, read without recursion |
//! | `read` | texts of all forms |
//! | `bnet` | `.bnet`, the form of BoolNet and PyBoolNet |
//! | `booleannet` | the text of BooleanNet: `A* = B and not C` |
//! | `aeon` | `.aeon`: regulations with signs, and functions |
//! | `sbml` | SBML-qual |
//! | `ginml` | GINML, the form of GINsim |
//!
//! References: Kauffman, *Metabolic stability and epigenesis in randomly constructed genetic nets*, 1969; Thomas,
//! *Boolean formalization of genetic control circuits*, 1973; Naldi, Remy, Thieffry, Chaouiya, *Dynamically consistent
//! reduction of logical regulatory graphs*, 2011 (unit steps).

mod aeon;
mod bnet;
mod booleannet;
mod condition;
mod function;
mod ginml;
mod infix;
mod mediators;
mod most_permissive;
mod network;
mod read;
mod relation;
mod sbml;

pub use function::Update;
pub use network::Logical;
pub use read::{Form, Named};
