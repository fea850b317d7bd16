//! Progress of long work: one line on standard error, on a terminal only, after the first second.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const SILENT: Duration = Duration::from_secs(1);
const BETWEEN: Duration = Duration::from_millis(100);

/// A line that says how far the work is.
pub struct Progress {
    what: &'static str,
    total: u64,
    shows: bool,
    next: Mutex<Option<Instant>>,
}

impl Progress {
    /// Progress over `total` steps.
    pub fn new(what: &'static str, total: u64) -> Progress {
        Progress {
            what,
            total,
            shows: io::stderr().is_terminal(),
            next: Mutex::new(Instant::now().checked_add(SILENT)),
        }
    }

    /// Shows that `done` steps are done, if it is time to.
    pub fn show(&self, done: u64) {
        if !self.shows {
            return;
        }
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if next.is_some_and(|next| now >= next) {
            *next = now.checked_add(BETWEEN);
            // A terminal that cannot be written to shows no progress; that is no reason to stop.
            let _ = write!(io::stderr(), "\r\u{1b}[K{done}/{} {}", self.total, self.what);
        }
    }

    /// Removes the line.
    pub fn finish(&self) {
        if self.shows {
            let _ = write!(io::stderr(), "\r\u{1b}[K");
        }
    }
}
