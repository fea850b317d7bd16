//! The state of a cluster, up to a gigabyte of it, as a stream of objects.
//!
//! An input is read block by block; objects are cut out of the text by its outer structure ([`json_cut`], [`yaml_cut`]),
//! gathered into chunks of a megabyte and decoded by worker threads into the few fields that scheduling reads. They
//! reach the caller in the order of the input and are not kept, so memory does not grow with the input.
//!
//! Reading is lenient: fields nobody asks for are not looked at, and a faulty object costs only itself.

mod block_yaml;
mod chunk;
mod item;
mod json_cut;
mod json_layout;
mod json_scan;
mod pipeline;
mod small;
#[cfg(test)]
mod tests;
mod whole;
mod window;
mod yaml_cut;

use std::collections::BTreeMap;
use std::sync::Arc;

use bayplan_model::object::{Object, UnknownKind};

use crate::decode::unknown_kind;
use crate::diagnostic::{Diagnostic, Location, code};
use crate::source::{Input, broken_off, collect, not_text, open};
use chunk::{CHUNK_BYTES, Receiver};
use item::Decoded;
use pipeline::{Piece, Pipeline};
use window::Window;

pub use item::Located;

/// What was read besides the objects themselves.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LoadReport {
    /// Everything that is wrong or worth knowing, in the order of the input; kinds that were passed over come last.
    pub diagnostics: Vec<Diagnostic>,
    /// Kinds that scheduling does not read, with the number of objects.
    pub unknown_kinds: BTreeMap<UnknownKind, usize>,
    /// Objects handed over, by kind.
    pub counts: BTreeMap<&'static str, usize>,
}

impl LoadReport {
    /// Whether anything could not be read.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Reads a cluster's state: what `kubectl get ... -o yaml|json` prints, lists, several documents, JSON lines,
/// directories of such files (always with the folders below them), `kubectl cluster-info dump` as folder or stream,
/// all of it also as gzip.
///
/// `sink` gets each object in the order of the inputs and of the text. `workers` is the number of decoding threads;
/// 0 means as many as the machine runs at once.
#[must_use]
pub fn load_cluster(inputs: Vec<Input>, workers: usize, sink: &mut dyn FnMut(Located<Object>)) -> LoadReport {
    let workers = match workers {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        workers => workers,
    };
    let (files, diagnostics) = collect(inputs.into_iter().map(Input::into_recursive).collect());
    let mut report = LoadReport {
        diagnostics,
        ..LoadReport::default()
    };
    let mut take = |decoded: Decoded| {
        for located in decoded.objects {
            *report.counts.entry(located.object.kind()).or_insert(0) += 1;
            sink(located);
        }
        for unknown in decoded.unknown {
            *report.unknown_kinds.entry(unknown).or_insert(0) += 1;
        }
        report.diagnostics.extend(decoded.diagnostics);
    };
    pipeline::run(workers, &mut take, |pipeline| {
        for file in files {
            read(file, pipeline);
        }
    });
    let passed_over = report
        .unknown_kinds
        .iter()
        .map(|(kind, &count)| unknown_kind(kind, count));
    report.diagnostics.extend(passed_over);
    report
}

fn read(input: Input, pipeline: &mut Pipeline) {
    let name = Arc::clone(&input.name);
    let stream = match open(input) {
        Ok(stream) => stream,
        Err(diagnostic) => return pipeline.diagnostic(*diagnostic),
    };
    let mut window = Window::new(stream);
    let is_small = window.fetch_up_to(small::SMALL_BYTES);
    if let Some(diagnostic) = not_text(&name, window.bytes()) {
        return pipeline.diagnostic(diagnostic);
    }
    let mut failure = window.take_failure();
    if is_small {
        let bytes = window.into_bytes();
        if bytes.iter().all(u8::is_ascii_whitespace) {
            if failure.is_none() {
                pipeline.diagnostic(
                    Diagnostic::warning(code::NO_OBJECTS, "this input is empty")
                        .at(Location::line_of(Arc::clone(&name), 1))
                        .hint("check that the command that wrote it succeeded"),
                );
            }
        } else {
            let file = Arc::clone(&name);
            pipeline.put(Piece::Whole { file, bytes });
        }
    } else {
        cut(&name, &mut window, CHUNK_BYTES, pipeline);
        failure = window.take_failure();
    }
    if let Some(error) = failure {
        pipeline.diagnostic(broken_off(&name, &error));
    }
}

/// Cuts everything in a window, as JSON or YAML by its first character, into chunks of at least `chunk_bytes`.
fn cut(file: &Arc<str>, window: &mut Window<'_>, chunk_bytes: usize, receiver: &mut dyn Receiver) {
    let start = if window.bytes().starts_with("\u{feff}".as_bytes()) {
        3
    } else {
        0
    };
    let mut text = window
        .bytes()
        .get(start..)
        .unwrap_or_default()
        .trim_ascii_start()
        .iter();
    if matches!(text.next(), Some(b'{' | b'[' | b'=')) {
        window.consume(start);
        json_cut::cut(file, window, chunk_bytes, receiver);
    } else {
        yaml_cut::cut(file, window, chunk_bytes, receiver);
    }
}
