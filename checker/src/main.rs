//! `starset-checker MODEL CERTIFICATE`: status 0 and what is proved, or 1 and what is not.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, certificate] = &arguments[..] else {
        eprintln!("usage: starset-checker MODEL CERTIFICATE");
        return ExitCode::from(2);
    };
    let read = |path: &String| {
        std::fs::read_to_string(path).map_err(|error| starset_checker::Refused(format!("cannot read {path}: {error}")))
    };
    let checked = read(model).and_then(|model| {
        let certificate = read(certificate)?;
        starset_checker::with_stack(|| starset_checker::check(&model, &certificate))?
    });
    match checked {
        Ok(proved) => {
            println!("proved: {proved}");
            ExitCode::SUCCESS
        }
        Err(refused) => {
            println!("not proved: {refused}");
            ExitCode::from(1)
        }
    }
}
