//! The SMV language: reading, types and meaning of its programs.
//!
//! NuSMV and nuXmv read it. A program is modules with variables, assignments and constraints; it becomes one flat
//! [`Model`] of terms that are kept once each. The package knows no engine: a checker takes the terms, or asks a
//! [`System`] for first states and steps.
//!
//! | file | concern |
//! |---|---|
//! | `lexer`, `parser`, `expressions`, `ast` | text to modules and expressions |
//! | `elaborate`, `assign`, `operations`, `rules`, `logic` | modules to a model: names, types, who assigns what, which logic |
//! | `term`, `model`, `print`, `show` | what a model is, and its text |
//! | `flat`, `names` | a model as a program of one module; names of what is written |
//! | `aiger` | and-inverter graphs, read as programs |
//! | `eval`, `faults` | values of terms; values out of range, missing cases, divisions by zero |
//! | `substitute`, `latch`, `cone` | terms made from terms; what a step is like as a variable; what properties rest on |
//! | `diagram`, `compile`, `interleaved` | decision diagrams; first states and steps as conditions |
//! | `solve`, `system` | first states and steps, one by one |
//!
//! What is read and what it means is NuSMV's, version 2.6: Cavada, Cimatti, Jochim, Keighren, Olivetti, Pistore,
//! Roveri, Tchaltsev,
//! *NuSMV 2.6 User Manual*; where the manual is silent, what the program does.
//!
//! ```
//! use starset_smv::{Limits, System, read};
//! let text = "MODULE main VAR n : 0..3; ASSIGN init(n) := 0; next(n) := (n + 1) mod 4; CTLSPEC AG EF n = 0";
//! let mut model = read(text, false).unwrap();
//! let system = System::new(&mut model);
//! let first = system.first_states(&model, Limits { solutions: 10, trials: 100 }).unwrap();
//! assert_eq!((first.all.len(), model.properties[0].text.as_str()), (1, "AG EF n = 0"));
//! ```

mod aiger;
mod assign;
mod ast;
mod compile;
mod cone;
mod diagram;
mod elaborate;
mod error;
mod eval;
mod expressions;
mod faults;
mod flat;
mod halves;
mod interleaved;
mod latch;
mod lexer;
mod logic;
mod model;
mod names;
mod operations;
mod parser;
mod print;
mod rules;
mod show;
mod solve;
mod substitute;
mod system;
mod term;

pub use aiger::Circuit;
pub use ast::{Role, Sort, When};
pub use compile::{Compiler, Steps, Trouble, first_states};
pub use diagram::{Diagram, Diagrams, Leaf, TooLarge};
pub use error::{Fault, Place, Stage};
pub use eval::{Evaluator, Failure, Memory};
pub use flat::chained;
pub use latch::Latches;
pub use lexer::Word;
pub use model::{Assignment, Domain, Model, Property, Variable};
pub use names::Names;
pub use solve::{Limits, Solutions};
pub use system::{Event, System};
pub use term::{Lack, Node, Op, Temporal, Term, Terms, Type, Value};

/// Stack of the thread that reads a program: expressions and definitions are nested.
const STACK: usize = 512 << 20;

/// Read a program. If `old`, 0 and 1 are truth values where such are wanted.
///
/// # Errors
/// Its first fault.
pub fn read(text: &str, old: bool) -> Result<Model, Fault> {
    read_with(text, old, &[])
}

/// Read a program with further properties of its main module, each as it may stand in a file: `CTLSPEC AG x = 1`.
///
/// # Errors
/// The first fault, in the program or in a property.
pub fn read_with(text: &str, old: bool, properties: &[String]) -> Result<Model, Fault> {
    let read = || {
        let mut modules = parser::program(text)?;
        let further = properties.iter().enumerate().map(|(number, text)| parser::property(text, number));
        let further: Vec<ast::Item> = further.collect::<Result<_, _>>()?;
        let main = modules.iter_mut().find(|module| module.name == "main");
        main.into_iter().for_each(|main| main.items.extend(further.iter().cloned()));
        elaborate::elaborate(&modules, old)
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, read);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            _ => {
                Err(Fault::new(Stage::Syntax, Place { line: 1, column: 1 }, "there is no memory to read this program"))
            }
        }
    })
}
