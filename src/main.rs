//! The `starset` program: arguments, command, exit status. Nothing else prints or exits.

mod cli;

use cli::{Args, Console, Failure, say_last_words};
use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::give_back();
    let args = match Args::read() {
        Ok(args) => args,
        Err(help) => {
            // A reader that went away does not want to know.
            let _broken_pipe = help.print();
            return ExitCode::from(if help.use_stderr() { 2 } else { 0 });
        }
    };
    let mut console = Console::new(io::stdout(), args.loudness()).coloured(args.colour());
    let outcome = args.run(&mut console).and_then(|status| {
        console.flush()?;
        Ok(status)
    });
    match outcome {
        Ok(status) => status.into(),
        Err(failure) => {
            if let Some(message) = failure.message() {
                console.error(&message);
            }
            if let Failure::Unknown(_) = failure {
                say_last_words();
            }
            failure.into()
        }
    }
}
