//! Questions for numbers of steps, as NuSMV's `COMPUTE` has them: `MIN [f, g]`, `MAX [f, g]`.

use super::assumptions::operands;
use super::parse::parse;
use super::pool::{FormulaId, Pool};
use super::symbols::Symbols;

/// The shortest way, or the longest, from states of one sort to those of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Extreme {
    /// The states where ways begin.
    pub from: FormulaId,
    /// Those where they end.
    pub to: FormulaId,
    /// The longest, and not the shortest.
    pub longest: bool,
}

/// Read `MIN [f, g]` or `MAX [f, g]`, with two state formulas.
///
/// ```
/// use starset::formula::{Pool, Symbols, read_extreme};
/// let (symbols, mut pool) = (Symbols::of_labels([]), Pool::new());
/// assert!(read_extreme("MAX [EX deadlock, deadlock]", &symbols, &mut pool).unwrap().longest);
/// assert!(read_extreme("MIN [deadlock]", &symbols, &mut pool).unwrap_err().starts_with("expected"));
/// ```
///
/// # Errors
/// What is wrong, in words.
pub fn read_extreme(text: &str, symbols: &Symbols, pool: &mut Pool) -> Result<Extreme, String> {
    let (word, rest) = text.trim().split_at_checked(3).unwrap_or_default();
    let inside = rest.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let parts = inside.map(operands).unwrap_or_default();
    let (&[from, to], true) = (&parts[..], matches!(word, "MIN" | "MAX")) else {
        return Err("expected `MIN [f, g]` or `MAX [f, g]`, with two formulas".to_owned());
    };
    let mut state = |part: &str| {
        let formula = parse(part, symbols, pool).map_err(|error| error.to_string())?;
        match pool.is_state(formula) {
            true => Ok(formula),
            false => Err(format!("`{part}` is about paths; quantify it with E or A")),
        }
    };
    Ok(Extreme { from: state(from)?, to: state(to)?, longest: word == "MAX" })
}
