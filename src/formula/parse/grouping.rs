//! Remarks on formulas that tools of the field group in different ways.
//!
//! Of these the order here is Spot's, and the reading of others is another one (versions and examples:
//! docs/formats.md): Spin's `-f` has all Boolean operators on one level and groups to the left, temporal ones too;
//! PySMT groups implications to the left; ltlf2dfa and pylogics have levels of their own for `->` and `<->`, and for
//! each temporal operator; TAPAAL and LoLA know no order of `and` and `or`, or of `XOR` and `OR`, that their versions
//! agree on. A remark says how the text was read. It is one for a formula, the first.

use super::operators::{Infix, Level};
use super::{Atoms, Operand, Parser, SHOWN};

impl Parser<'_> {
    /// Remark on an infix operator with this spelling whose operand has another one outside of brackets, if others
    /// group them otherwise. The right operand ends where the parser is.
    pub(super) fn remark_grouping(
        &mut self,
        left: Operand,
        (at, spelling): (usize, &str),
        infix: Infix,
        right: Operand,
    ) {
        if self.atoms == Atoms::Actions || self.grouping_remarked {
            return;
        }
        let differs = |operand: Operand| operand.outer.and_then(|inner| who_differs(infix, inner));
        let on_the_left = if infix.groups_right() { None } else { differs(left) };
        let on_the_right = differs(right);
        let Some(who) = on_the_left.or(on_the_right) else { return };
        let shown = |text: &str, enclosed: bool| {
            let mut shown: String = text.trim().chars().take(SHOWN).collect();
            if shown.len() < text.trim().len() {
                shown.push('…');
            }
            if enclosed { format!("({shown})") } else { shown }
        };
        let left = shown(&self.text[left.at..at], on_the_left.is_some());
        let right = shown(&self.text[right.at..self.at], on_the_right.is_some());
        self.grouping_remarked = true;
        let remark = format!("read as `{left} {spelling} {right}`, as by Spot; {who} otherwise, so write the brackets");
        self.remarks.push((at, remark));
    }
}

/// Tools that group an operator and one in its operand otherwise.
fn who_differs(outer: Infix, inner: Infix) -> Option<&'static str> {
    match (outer, inner) {
        (Infix::Or, Infix::And) => Some("Spin and TAPAAL group this"),
        (Infix::Or, Infix::Xor) | (Infix::Xor, Infix::And) => Some("LoLA and others group this"),
        // Of equivalences alone the grouping does not matter.
        (Infix::Iff, Infix::Iff) => None,
        (Infix::Implies | Infix::Iff, Infix::Implies | Infix::Iff) => Some("Spin, PySMT and ltlf2dfa group this"),
        _ if outer.level() == Level::Temporal && inner.level() == Level::Temporal => {
            Some("Spin, ltlf2dfa and pylogics group this")
        }
        _ => None,
    }
}
