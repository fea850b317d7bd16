//! Pieces of an input that are decoded on their own.

use std::ops::Range;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Location};

/// Chunks are handed over once they hold this much: large enough to forget about hand-over costs, small enough that
/// the few in flight do not count.
pub(super) const CHUNK_BYTES: usize = 1024 * 1024;

/// An item larger than this cannot be an object (etcd stores at most a few megabytes): its end was not found.
pub(super) const LARGEST_ITEM_BYTES: usize = 64 * 1024 * 1024;

/// How the text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Json,
    /// A list item (its dash at column `indent`) or a whole document (`None`).
    Yaml {
        dash: Option<usize>,
    },
}

/// What a list says about its items.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identity {
    pub(super) api_version: String,
    pub(super) kind: String,
}

/// Consecutive items of one input.
#[derive(Debug)]
pub(super) struct Chunk {
    pub(super) file: Arc<str>,
    pub(super) format: Format,
    pub(super) bytes: Vec<u8>,
    /// Line of the first byte, from 1.
    pub(super) line: u32,
    /// Column of the first byte, from 1, in bytes.
    pub(super) column: u32,
    pub(super) items: Vec<Range<usize>>,
    /// For items that do not name their own kind.
    pub(super) inherited: Option<Arc<Identity>>,
}

/// Takes what a cutter finds, in the order of the input.
pub(super) trait Receiver {
    /// Takes a chunk.
    fn chunk(&mut self, chunk: Chunk);
    /// Takes a diagnostic.
    fn diagnostic(&mut self, diagnostic: Diagnostic);
}

/// Collects the items of a list into chunks, and holds them back while the list's kind is needed but not known.
pub(super) struct Collector {
    file: Arc<str>,
    format: Format,
    chunk_bytes: usize,
    items: Vec<Range<usize>>,
    pub(super) inherited: Option<Arc<Identity>>,
    /// Chunks whose items name no kind, until the list does.
    held: Vec<Chunk>,
    holding: bool,
}

impl Collector {
    /// A collector that hands over at `chunk_bytes`.
    pub(super) fn new(file: &Arc<str>, format: Format, chunk_bytes: usize) -> Self {
        Self {
            file: Arc::clone(file),
            format,
            chunk_bytes,
            items: Vec::new(),
            inherited: None,
            held: Vec::new(),
            holding: false,
        }
    }

    /// Holds chunks back from now on.
    pub(super) fn hold(&mut self) {
        self.holding = true;
    }

    pub(super) fn push(&mut self, item: Range<usize>) {
        self.items.push(item);
    }

    /// Whether enough was collected to hand it over.
    pub(super) fn is_full(&self) -> bool {
        match (self.items.first(), self.items.last()) {
            (Some(first), Some(last)) => last.end - first.start >= self.chunk_bytes,
            _ => false,
        }
    }

    /// Where the last collected item ends in the window; 0 when there is none.
    pub(super) fn end(&self) -> usize {
        self.items.last().map_or(0, |last| last.end)
    }

    /// Hands the collected items over and returns how many bytes of `window` are no longer needed.
    pub(super) fn hand_over(
        &mut self,
        window: &super::window::Window<'_>,
        receiver: &mut dyn Receiver,
    ) -> usize {
        let (Some(first), Some(last)) = (self.items.first(), self.items.last()) else {
            return 0;
        };
        let end = last.end;
        // The indentation of the first item comes along: it shows the layout.
        let before = window.bytes().get(..first.start).unwrap_or_default();
        let start = first.start - before.iter().rev().take_while(|&&byte| byte == b' ').count();
        let (line, column) = window.place_of(start);
        let bytes = window.bytes().get(start..end).unwrap_or_default().to_vec();
        let items = self
            .items
            .drain(..)
            .map(|item| item.start - start..item.end - start);
        let chunk = Chunk {
            file: Arc::clone(&self.file),
            format: self.format,
            bytes,
            line,
            column,
            items: items.collect(),
            inherited: self.inherited.clone(),
        };
        if self.holding {
            self.held.push(chunk);
        } else {
            receiver.chunk(chunk);
        }
        end
    }

    /// The list is over: chunks that were held back get the kind that is known by now.
    pub(super) fn release(&mut self, receiver: &mut dyn Receiver) {
        self.holding = false;
        for mut chunk in self.held.drain(..) {
            chunk.inherited.clone_from(&self.inherited);
            receiver.chunk(chunk);
        }
    }
}

/// A place in an input that is not held in memory.
pub(super) fn place(file: &Arc<str>, (line, column): (u32, u32)) -> Location {
    Location::point(Arc::clone(file), line, column)
}
