//! Where input comes from. This is the only module of the crate that touches the file system.
//!
//! An [`Input`] is a path, bytes or a reader. [`collect`] turns directories into files in a fixed order, [`open`]
//! gives a byte stream (unpacking gzip by its magic bytes, whatever the name), [`read_text`] a whole text with its
//! line index for the small inputs that need places.

mod collect;
mod read;

use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

pub use collect::collect;
pub use read::{SourceText, open, read_text};
pub(crate) use read::{broken_off, not_text};

/// One input as the user named it.
pub struct Input {
    /// How diagnostics call it: the path as written, or `-` for standard input.
    pub name: Arc<str>,
    /// Where the bytes are.
    pub content: Content,
}

/// Where the bytes of an [`Input`] are.
pub enum Content {
    /// A file, or a directory of files.
    Path {
        /// Its path.
        path: PathBuf,
        /// Whether directories below it are searched too.
        recursive: bool,
    },
    /// Bytes in memory.
    Bytes(Arc<[u8]>),
    /// A stream, read once.
    Reader(Box<dyn Read + Send>),
}

impl Input {
    /// A file or directory; directories below it are searched when `recursive` is set.
    #[must_use]
    pub fn path(path: impl Into<PathBuf>, recursive: bool) -> Self {
        let path = path.into();
        Self {
            name: Arc::from(path.to_string_lossy()),
            content: Content::Path { path, recursive },
        }
    }

    /// Bytes that the caller holds, named for diagnostics.
    #[must_use]
    pub fn bytes(name: &str, bytes: impl Into<Arc<[u8]>>) -> Self {
        Self {
            name: Arc::from(name),
            content: Content::Bytes(bytes.into()),
        }
    }

    /// A stream that the caller opened, such as standard input (named `-`).
    #[must_use]
    pub fn reader(name: &str, reader: Box<dyn Read + Send>) -> Self {
        Self {
            name: Arc::from(name),
            content: Content::Reader(reader),
        }
    }

    /// The same input, with the folders below a directory.
    #[must_use]
    pub(crate) fn into_recursive(self) -> Self {
        let content = match self.content {
            Content::Path { path, .. } => Content::Path {
                path,
                recursive: true,
            },
            other => other,
        };
        Self { content, ..self }
    }
}
