//! Spot's translation of linear-time temporal logic to Büchi automata, as plain data.
//!
//! [Spot](https://spot.lre.epita.fr) (Duret-Lutz et al. 2022) is linked as the system library that pkg-config
//! finds (`libspot`, `libbddx`); it is neither shipped nor downloaded. Where there is none, this crate builds
//! without it and [`translate`] always fails, unless the feature `required` is on: then the build fails and
//! says where to get it.
//!
//! - One call at a time: Spot's decision diagrams (BuDDy) are global state of the process, so all calls hold
//!   one lock.
//! - The headers and the library must be of the same version: their releases share one name of the shared
//!   object although they are not compatible, and a mixture crashes. This is checked before the first call.
//! - A call cannot be interrupted.
//!
//! Spot is under the GNU General Public License, version 3 or later; so is a program that is linked with it.

#[cfg(libspot)]
mod bridge;

#[cfg(libspot)]
pub use bridge::ffi::{Automaton, Edge};

/// Is there a libspot?
pub const AVAILABLE: bool = cfg!(libspot);

/// Why there is no automaton.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error(pub String);

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Error {}

#[cfg(libspot)]
mod calls {
    use super::bridge::ffi;
    use super::{Automaton, Error};
    use std::sync::{Mutex, PoisonError};

    /// Held during every call.
    static TURN: Mutex<()> = Mutex::new(());

    /// The version of the library; an error when the headers had another.
    pub fn version() -> Result<String, Error> {
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let (headers, library) = (ffi::header_version(), ffi::library_version());
        if headers == library {
            return Ok(library);
        }
        Err(Error(format!("built with the headers of Spot {headers}, but the library is {library}: build it again")))
    }

    /// A generalized Büchi automaton of a formula in Spot's syntax.
    pub fn translate(formula: &str) -> Result<Automaton, Error> {
        version()?;
        let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        ffi::translate(formula).map_err(|e| Error(e.what().trim().to_owned()))
    }
}

#[cfg(not(libspot))]
mod calls {
    use super::Error;

    /// An automaton; without libspot there are none.
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub enum Automaton {}

    fn missing<T>() -> Result<T, Error> {
        Err(Error("built without libspot".to_owned()))
    }

    /// The version of the library: an error, there is none.
    pub fn version() -> Result<String, Error> {
        missing()
    }

    /// A generalized Büchi automaton of a formula: an error, there is no libspot.
    pub fn translate(_formula: &str) -> Result<Automaton, Error> {
        missing()
    }
}

#[cfg(not(libspot))]
pub use calls::Automaton;
pub use calls::{translate, version};

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(libspot)]
    #[test]
    fn automata_are_plain_data() {
        assert!(version().is_ok_and(|v| v.starts_with("2.")));
        let automaton = translate("G F a").unwrap();
        assert_eq!((automaton.states, automaton.initial, automaton.acceptance_sets), (1, 0, 1));
        assert_eq!(automaton.propositions, ["a"]);
        let mut edges: Vec<_> = automaton.edges.iter().map(|e| (e.marks, e.cubes.clone())).collect();
        edges.sort();
        assert_eq!(edges, [(0, vec![-1, 0]), (1, vec![1, 0])]);
        let automaton = translate("X(\"p q\" xor b)").unwrap();
        assert!(automaton.edges.iter().any(|e| e.cubes == [0]));
        assert_eq!(translate("0").unwrap().edges, []);
    }

    #[cfg(libspot)]
    #[test]
    fn mistakes_are_errors() {
        assert!(translate("a U").is_err_and(|e| e.0.contains("syntax error")));
        assert!(translate("{a;b}!").is_err());
    }

    #[cfg(libspot)]
    #[test]
    fn threads_take_turns() {
        let formulas: Vec<String> = (0..8).map(|i| format!("(a U b{i}) & G(b{i} -> F c)")).collect();
        let alone: Vec<_> = formulas.iter().map(|f| translate(f).unwrap()).collect();
        std::thread::scope(|scope| {
            let together: Vec<_> = formulas.iter().map(|f| scope.spawn(|| translate(f).unwrap())).collect();
            for (one, other) in alone.into_iter().zip(together) {
                assert_eq!(one, other.join().unwrap());
            }
        });
    }

    #[cfg(not(libspot))]
    #[test]
    fn skipped_without_libspot() {
        eprintln!("skipped: pkg-config finds no libspot");
        assert!(translate("a").is_err() && version().is_err() && !AVAILABLE);
    }
}
