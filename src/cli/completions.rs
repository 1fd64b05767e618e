//! `starset completions`: completion scripts, generated from the definition of the arguments.

use super::examples;
use super::{Args, Console, Failure, Status};
use clap::CommandFactory as _;

/// Arguments of `starset completions`.
#[derive(clap::Args, Debug)]
#[command(after_help = examples::COMPLETIONS)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: clap_complete::Shell,
}

pub(super) fn run(args: &CompletionsArgs, console: &mut Console) -> Result<Status, Failure> {
    // The generator does not report errors of its writer, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "starset", &mut script);
    std::io::Write::write_all(console.out(), &script)?;
    Ok(Status::Answered)
}
