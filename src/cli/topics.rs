//! `starset models`, `orders`, `techniques` and `examinations`, which are also `starset help models` and so on: what
//! options take, once and not in the help of each command.

use super::mcc::OF_EACH;
use super::{Console, Failure, Status};
use starset::decide::{Part, SWITCHES};
use starset::examination::{Each, Examination};
use starset::order::HEURISTICS;

/// Arguments of `starset models`: none.
#[derive(clap::Args, Debug)]
#[command(after_help = MODELS)]
pub(super) struct ModelsArgs {}

/// Arguments of `starset orders`: none.
#[derive(clap::Args, Debug)]
#[command(after_help = orders())]
pub(super) struct OrdersArgs {}

/// Arguments of `starset techniques`.
#[derive(clap::Args, Debug)]
#[command(after_help = techniques())]
pub(super) struct TechniquesArgs {
    /// Print the names alone, one per line
    #[arg(long)]
    names: bool,
}

/// Arguments of `starset examinations`: none.
#[derive(clap::Args, Debug)]
#[command(after_help = examinations())]
pub(super) struct ExaminationsArgs {}

/// The forms of files.
const MODELS: &str = "\
Petri nets         .pnml .tapn        PNML: place/transition nets, coloured nets (docs/coloured.md),
                                      nets with clocks; TAPAAL's nets
                   .net .ndr          nets of TINA, text and drawings; LoLA and GreatSPN
                   .lola .llnet       nets of LoLA
                   .PNPRO .pnpro      projects of GreatSPN with one net
                   FOLDER             an instance of the contest: the model.pnml in it
                   -                  PNML on standard input
Networks           .dot .gv           transition systems that synchronise on labels (docs/lts.md)
                   .pml .promela      parallel problems of the RERS challenge
                   .aut               Aldebaran's form; several are composed on equal labels
Next-state models  .dve               process models of DiVinE (docs/pins.md)
                   .etf               tables of LTSmin
                   .mch               B machines
                   .bum .eventb       Event-B: machines of Rodin, packages of ProB (docs/event-b.md)
                   .zip .buc          a Rodin project: one machine that none refines; FOLDER, too
                   .smv               programs of NuSMV (docs/smv.md)
                   .aag .aig          and-inverter graphs, AIGER 1.9 (docs/smv.md)
                   .probz             the socket of a ProB that explores a machine (feature `prob`)
Logical networks   .bnet              of BoolNet and PyBoolNet (docs/networks.md)
                   .booleannet        of BooleanNet: A* = B and not C
                   .aeon              of AEON
                   .sbml              SBML-qual
                   .zginml .ginml     of GINsim
Processes          .bpmn              diagrams of BPMN 2.0 (docs/processes.md)
Others             .pnwc              nets with clocks (docs/clocks.md)
                   .counters          counter machines (docs/kinds.md)

A file may be compressed (.gz), or in an archive as the contest hands instances out (.tgz).";

/// The variable orders.
fn orders() -> String {
    let width = HEURISTICS.iter().map(|h| h.name.len()).max().unwrap_or(0);
    let lines: Vec<String> = HEURISTICS.iter().map(|h| format!("  {:<width$}  {}", h.name, h.description)).collect();
    format!(
        "--order takes `auto`, the name of a heuristic, or a file of the names of places or variables,\n\
         one per line from the top level. `auto` sorts the orders of all heuristics by a score, starts\n\
         with the best, and races it against the next ones if it does not finish soon; `starset info\n\
         MODEL` shows the scores.\n\
         \n{}",
        lines.join("\n")
    )
}

/// The techniques that can be left out, part by part.
fn techniques() -> String {
    let width = SWITCHES.iter().map(|switch| switch.name.len()).max().unwrap_or(0);
    let mut lines = vec![
        "--without takes names of techniques, separated by commas. Answers stay the same; what a technique".to_owned(),
        "brings is lost, and some questions stay open:".to_owned(),
    ];
    for part in Part::ALL {
        lines.push(format!("\n{}", part.name()));
        let of_part = SWITCHES.iter().filter(|switch| switch.part == part);
        lines.extend(of_part.map(|switch| format!("  {:<width$}  {}", switch.name, switch.effect)));
    }
    lines.join("\n")
}

/// The examinations of the contest.
fn examinations() -> String {
    let line = |examination: Examination| {
        let name = examination.name();
        let file = if examination.has_properties() { format!("the formulas in {name}.xml") } else { about(name) };
        format!("  {name:<24} {file}")
    };
    let each = |(name, each): (&str, Each)| {
        let what = if each.is_of_transitions() { "transition" } else { "place" };
        format!("  {name:<24} {each}, of each {what}")
    };
    format!(
        "--examination and --examinations take the names of the Model Checking Contest:\n\n{}\n\n\
         --examination also takes:\n\n{}",
        Examination::ALL.map(line).join("\n"),
        OF_EACH.map(each).join("\n")
    )
}

/// The question of an examination that has no file of formulas.
fn about(name: &str) -> String {
    let about = match name {
        "StateSpace" => "states, transitions, most tokens in a place and in a marking",
        "ReachabilityDeadlock" => "can a marking be reached that enables no transition?",
        "OneSafe" => "has no place ever more than one token?",
        "QuasiLiveness" => "can each transition fire at some time?",
        "Liveness" => "can each transition always fire again?",
        "StableMarking" => "has some place always the same number of tokens?",
        _ => "",
    };
    about.to_owned()
}

pub(super) fn models(console: &mut Console) -> Result<Status, Failure> {
    console.line(MODELS)?;
    Ok(Status::Answered)
}

pub(super) fn print_orders(console: &mut Console) -> Result<Status, Failure> {
    console.line(orders())?;
    Ok(Status::Answered)
}

pub(super) fn print_techniques(args: &TechniquesArgs, console: &mut Console) -> Result<Status, Failure> {
    let names: Vec<&str> = SWITCHES.iter().map(|switch| switch.name).collect();
    console.line(if args.names { names.join("\n") } else { techniques() })?;
    Ok(Status::Answered)
}

pub(super) fn print_examinations(console: &mut Console) -> Result<Status, Failure> {
    console.line(examinations())?;
    Ok(Status::Answered)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::syntax::SYNTAX;
    use starset::kinds::FORMATS;

    #[test]
    fn topics_are_complete() {
        let words: Vec<&str> = MODELS.split_whitespace().collect();
        for extension in FORMATS.iter().flat_map(|format| format.extensions) {
            assert!(words.contains(&format!(".{extension}").as_str()), "{extension}");
        }
        for examination in Examination::ALL {
            assert!(examination.has_properties() || !about(examination.name()).is_empty(), "{examination:?}");
        }
        for line in [MODELS, SYNTAX, &orders(), &techniques(), &examinations()].iter().flat_map(|text| text.lines()) {
            assert!(line.chars().count() <= 100, "{line}");
        }
    }
}
