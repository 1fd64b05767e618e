//! The `starset` program: arguments, command, exit status. Nothing else prints or exits.

mod cli;

use cli::{Args, Console, Failure, Loudness, asks_for_json, error, say_last_words};
use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::give_back();
    let args = match Args::read() {
        Ok(args) => args,
        Err(help) => {
            // A reader that went away does not want to know.
            let _broken_pipe = help.print();
            if help.use_stderr() && asks_for_json() {
                let message = help.render().to_string();
                let message = message.lines().next().unwrap_or_default().trim_start_matches("error: ");
                let mut console = Console::new(io::stdout(), Loudness::Normal);
                let _broken_pipe = console.json(&error(message, 2)).and_then(|()| console.flush());
            }
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
                if asks_for_json() && !matches!(failure, Failure::Output(_)) {
                    // Where nothing can be printed the status tells.
                    let _broken_pipe = console.json(&error(&message, failure.code())).and_then(|()| console.flush());
                }
            }
            if let Failure::Unknown(_) = failure {
                say_last_words();
            }
            failure.into()
        }
    }
}
