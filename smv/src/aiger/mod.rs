//! And-inverter graphs in the AIGER format, as programs.
//!
//! A circuit has inputs, latches, and-gates, and properties; `.aag` files are text, `.aig` files have their gates in
//! bytes. It becomes a program whose state is the latches: inputs are `IVAR`, gates are `DEFINE`.
//!
//! | in the file | in the program |
//! |---|---|
//! | a latch with its next value, and reset 0, 1 or itself | `VAR`, `next(l) := …`, and `init(l) := FALSE`, `TRUE`, or nothing |
//! | an output | a definition, for formulas |
//! | a constraint (C) | `TRANS`: it holds in each step |
//! | a bad state (B) | `INVARSPEC C -> !b`: true if it is not reached while constraints hold, there too |
//! | a justice property (J) | `LTLSPEC !(G F j1 & …)`: false if some path has each of them again and again |
//! | a fairness constraint (F) | `JUSTICE`: what justice properties take for granted |
//!
//! Reference: Biere, Heljanko, Wieringa, *AIGER 1.9 and Beyond*, 2011, and Biere, *The AIGER And-Inverter Graph (AIG)
//! Format Version 20071012*, 2007.

mod circuit;
mod program;
mod read;

pub use circuit::Circuit;

impl Circuit {
    /// The circuit in a file, by the first bytes of which its form is known.
    ///
    /// ```
    /// use starset_smv::{Circuit, read};
    /// // A bit that toggles if the input is on.
    /// let text = "aag 5 1 1 0 3 1\n2\n4 11\n4\n6 4 2\n8 5 3\n10 7 9\ni0 on\nl0 bit\n";
    /// let program = Circuit::read(text.as_bytes()).unwrap().program();
    /// assert!(program.contains("INVARSPEC NAME b0 := !(bit);"), "{program}");
    /// assert_eq!(read(&program, false).unwrap().variables.len(), 2);
    /// ```
    ///
    /// # Errors
    /// The first fault, by line; among the bytes of gates by byte, too.
    pub fn read(bytes: &[u8]) -> Result<Circuit, crate::Fault> {
        read::circuit(bytes)
    }

    /// The circuit as a program.
    pub fn program(&self) -> String {
        program::text(self)
    }

    /// The name of the first output, where there is no property: in circuits before AIGER 1.9 outputs say what is bad.
    pub fn first_output(&self) -> Option<String> {
        let is_asked = !self.bad.is_empty() || !self.justice.is_empty() || self.outputs.is_empty();
        (!is_asked).then(|| program::first_output(self))
    }
}
