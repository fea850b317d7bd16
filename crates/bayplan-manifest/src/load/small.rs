//! Inputs that fit into memory easily: the fast way first, and when anything is odd, the whole text again with the
//! general parser. So anchors used across items, flow style or comments in odd places are read as anywhere else, and
//! faults are shown with their lines.

use std::io::Cursor;
use std::sync::Arc;

use super::chunk::{CHUNK_BYTES, Chunk, Receiver};
use super::item::{Decoded, decode_chunk};
use super::window::Window;
use super::{cut, whole};
use crate::diagnostic::Diagnostic;

/// Inputs up to this size are read this way.
pub(super) const SMALL_BYTES: usize = 4 * 1024 * 1024;

/// Decodes a whole input.
pub(super) fn decode(file: &Arc<str>, bytes: Vec<u8>, decoded: &mut Decoded) {
    let bytes: Arc<[u8]> = Arc::from(bytes);
    let mut fast = Fast(Decoded::default());
    let mut window = Window::new(Box::new(Cursor::new(&bytes)));
    cut(file, &mut window, CHUNK_BYTES, &mut fast);
    if fast.0.diagnostics.is_empty() {
        *decoded = fast.0;
    } else {
        whole::decode_text(file, &bytes, decoded);
    }
}

/// Decodes chunks as they come.
struct Fast(Decoded);

impl Receiver for Fast {
    fn chunk(&mut self, chunk: Chunk) {
        decode_chunk(&chunk, &mut self.0);
    }

    fn diagnostic(&mut self, diagnostic: Diagnostic) {
        self.0.diagnostics.push(diagnostic);
    }
}
