//! Questions for numbers of steps, as NuSMV's `COMPUTE` has them: `MIN [f, g]`, `MAX [f, g]`.

use super::assumptions::{Assumption, offset_in, operands};
use super::ast::Formula;
use super::parse::{Defined, parse_defined};
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

/// The same question, under assumptions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Journey {
    /// The states where ways begin, and those where they end.
    pub extreme: Extreme,
    /// Where paths begin that count: the first state of a way is among those, and of a longest way all are.
    pub counted: FormulaId,
    /// What a way shows that is over, and one that never is, of the state from which it is reached: `E φ`.
    pub shown: [FormulaId; 2],
}

impl Journey {
    /// The same with other formulas, if all have one.
    pub fn map(self, mut of: impl FnMut(FormulaId) -> Option<FormulaId>) -> Option<Journey> {
        let Extreme { from, to, longest } = self.extreme;
        let extreme = Extreme { from: of(from)?, to: of(to)?, longest };
        let [over, forever] = self.shown;
        Some(Journey { extreme, counted: of(self.counted)?, shown: [of(over)?, of(forever)?] })
    }

    /// All its formulas.
    pub fn formulas(&self) -> impl Iterator<Item = FormulaId> + use<> {
        let [over, forever] = self.shown;
        [self.extreme.from, self.extreme.to, self.counted, over, forever].into_iter()
    }
}

impl Pool {
    /// The question for a number of steps, under assumptions.
    pub fn journey(&mut self, extreme: Extreme, assumptions: &[Assumption]) -> Journey {
        let Extreme { from, to, longest } = extreme;
        let (from, to) = (self.under(from, assumptions), self.under(to, assumptions));
        let counted = self.some_fair_path(assumptions);
        let any = assumptions.iter().all(|assumption| assumption.conditions().is_empty());
        let counts = (!any).then_some(counted);
        let not_yet = self.opposite(to);
        let on_the_way = self.and(counts.into_iter().chain([not_yet]).collect());
        let beyond = self.opposite(on_the_way);
        let end = self.and(counts.into_iter().chain([to]).collect());
        let mut shown = |begins: Vec<FormulaId>, goes_on: Formula| {
            let goes_on = self.add(goes_on);
            let way = self.and(begins.into_iter().chain([goes_on]).collect());
            self.sometimes(way)
        };
        let forever = shown(vec![from, on_the_way], Formula::Globally(on_the_way));
        let over = match longest {
            true => shown(vec![from, on_the_way], Formula::Until(on_the_way, beyond)),
            false => shown([from].into_iter().chain(counts).collect(), Formula::Finally(end)),
        };
        Journey { extreme: Extreme { from, to, longest }, counted, shown: [over, forever] }
    }

    /// The negation, without a double one.
    fn opposite(&mut self, formula: FormulaId) -> FormulaId {
        match self[formula] {
            Formula::Not(inner) => inner,
            _ => self.add(Formula::Not(formula)),
        }
    }
}

/// How far some states are from others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Distance {
    /// So many steps.
    Steps(u64),
    /// There is no way, or no longest.
    Infinite,
    /// There are no states of one of the two sorts, so that there is no longest way between them.
    Undefined,
}

/// What follows `MIN` or `MAX` in a text that begins so, after `COMPUTE` or without it; and is it `MAX`?
pub(super) fn extreme_of(text: &str) -> Option<(bool, &str)> {
    let text = text.trim();
    let text =
        text.strip_prefix("COMPUTE").filter(|rest| rest.starts_with(char::is_whitespace)).map_or(text, str::trim);
    let (word, rest) = text.split_at_checked(3)?;
    let rest = rest.trim_start();
    (matches!(word, "MIN" | "MAX") && rest.starts_with('[')).then_some((word == "MAX", rest))
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
    read_extreme_with(text, symbols, pool, &Defined::default()).map_err(|(offset, why)| match offset {
        0 => why,
        _ => format!("column {}: {why}", text[..offset].chars().count() + 1),
    })
}

/// The same with names for formulas. With a mistake comes the offset of the part that has it.
pub(super) fn read_extreme_with(
    text: &str,
    symbols: &Symbols,
    pool: &mut Pool,
    defined: &Defined,
) -> Result<Extreme, (usize, String)> {
    let parts = extreme_of(text).and_then(|(longest, rest)| {
        let inside = rest.strip_prefix('[')?.strip_suffix(']')?;
        <[&str; 2]>::try_from(operands(inside)).ok().map(|parts| (longest, parts))
    });
    let Some((longest, [from, to])) = parts else {
        return Err((0, "expected `MIN [f, g]` or `MAX [f, g]`, with two formulas".to_owned()));
    };
    let mut state = |part: &str| {
        let read = parse_defined(part, symbols, pool, defined);
        let (formula, _) = read.map_err(|error| {
            let inside = part.char_indices().nth(error.column.saturating_sub(1)).map_or(part.len(), |(at, _)| at);
            (offset_in(text, part) + inside, error.kind.to_string())
        })?;
        match pool.is_state(formula) {
            true => Ok(formula),
            false => Err((offset_in(text, part), format!("`{part}` is about paths; quantify it with E or A"))),
        }
    };
    Ok(Extreme { from: state(from)?, to: state(to)?, longest })
}
