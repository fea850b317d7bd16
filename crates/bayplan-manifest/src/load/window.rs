//! A stream seen through a buffer that holds only what is being looked at.

use std::io::{self, Read};

/// Bytes asked for in one read.
const BLOCK_BYTES: usize = 256 * 1024;

/// The unread part of a stream, as far as it was fetched.
pub(super) struct Window<'reader> {
    reader: Box<dyn Read + 'reader>,
    /// Fetched bytes, and behind them room that is kept for the next read.
    buffer: Vec<u8>,
    filled: usize,
    /// Whether the stream has ended (or failed).
    ended: bool,
    /// Why it failed.
    failure: Option<io::Error>,
    /// Line number of the first byte in the buffer, from 1.
    line: u32,
    /// Column of the first byte in the buffer, from 1.
    column: u32,
}

impl<'reader> Window<'reader> {
    pub(super) fn new(reader: Box<dyn Read + 'reader>) -> Self {
        Self {
            reader,
            buffer: Vec::new(),
            filled: 0,
            ended: false,
            failure: None,
            line: 1,
            column: 1,
        }
    }

    /// What was fetched and not consumed.
    pub(super) fn bytes(&self) -> &[u8] {
        self.buffer.get(..self.filled).unwrap_or_default()
    }

    /// The byte at `at`, fetching it if need be; `None` at the end of the stream.
    pub(super) fn byte(&mut self, at: usize) -> Option<u8> {
        while at >= self.filled {
            if !self.fetch() {
                return None;
            }
        }
        self.buffer.get(at).copied()
    }

    /// Fetches more; false when there is no more.
    pub(super) fn fetch(&mut self) -> bool {
        if self.ended {
            return false;
        }
        if self.buffer.len() - self.filled < BLOCK_BYTES / 4 {
            self.buffer.resize(self.filled + BLOCK_BYTES, 0);
        }
        let read = loop {
            match self.reader.read(&mut self.buffer[self.filled..]) {
                Ok(read) => break read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.failure = Some(error);
                    break 0;
                }
            }
        };
        self.filled += read;
        self.ended = read == 0;
        !self.ended
    }

    /// Fetches until `bytes` are there or the stream ends; true when it ended.
    pub(super) fn fetch_up_to(&mut self, bytes: usize) -> bool {
        while self.filled < bytes {
            if !self.fetch() {
                return true;
            }
        }
        self.ended
    }

    /// Drops the first `count` bytes.
    pub(super) fn consume(&mut self, count: usize) {
        let count = count.min(self.filled);
        (self.line, self.column) = self.place_of(count);
        self.buffer.copy_within(count..self.filled, 0);
        self.filled -= count;
    }

    /// Line and column (in bytes) of a byte, both from 1.
    pub(super) fn place_of(&self, at: usize) -> (u32, u32) {
        let before = &self.buffer[..at.min(self.filled)];
        let lines = memchr::memchr_iter(b'\n', before).count();
        let clamp = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        let column = match memchr::memrchr(b'\n', before) {
            Some(newline) => clamp(before.len() - newline),
            None => self.column.saturating_add(clamp(before.len())),
        };
        (self.line.saturating_add(clamp(lines)), column)
    }

    /// The error that ended the stream, if one did.
    pub(super) fn take_failure(&mut self) -> Option<io::Error> {
        self.failure.take()
    }

    /// Everything that is left, which must have been fetched.
    pub(super) fn into_bytes(mut self) -> Vec<u8> {
        self.buffer.truncate(self.filled);
        self.buffer
    }
}
