//! Exit codes.

use std::io;
use std::process::ExitCode;

use crate::printer::PrintError;

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: fine.
    Clean,
    /// 1: findings, such as pods that stay pending.
    Findings,
    /// 2: bad usage or input that cannot be used; said on standard error or in the document already.
    Failure,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Clean => ExitCode::from(0),
            Exit::Findings => ExitCode::from(1),
            Exit::Failure => ExitCode::from(2),
        }
    }
}

/// A failure with advice on the way out of it.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Advised {
    /// What went wrong.
    pub message: String,
    /// What to do instead; printed as `help:` lines.
    pub help: Vec<String>,
}

/// The exit code of a result; prints the error, if it is one. A reader that has gone away is no error.
pub fn code(result: anyhow::Result<Exit>) -> ExitCode {
    let error = match result {
        Ok(exit) => return exit.into(),
        Err(error) => error,
    };
    if is_broken_pipe(&error) {
        return Exit::Clean.into();
    }
    let mut text = format!("error: {error:#}\n");
    if let Some(advised) = error.downcast_ref::<Advised>() {
        for line in &advised.help {
            text.push_str(&format!("help: {line}\n"));
        }
    }
    // With standard error gone as well there is nobody left to tell.
    let _ = io::Write::write_all(&mut io::stderr(), text.as_bytes());
    Exit::Failure.into()
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let io_error = match cause.downcast_ref::<PrintError>() {
            Some(PrintError::Write(error)) => Some(error),
            _ => cause.downcast_ref::<io::Error>(),
        };
        io_error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// Makes Ctrl-C end the process with exit code 130.
pub fn on_interrupt() {
    // Without the handler Ctrl-C still ends the process, by the signal itself.
    let _ = ctrlc::set_handler(|| std::process::exit(130));
}
