//! A hash over everything that was read, so that two answers can be told to be about the same input.

use std::fs::File;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

use bayplan_manifest::Input;
use bayplan_manifest::source::Content;
use sha1::{Digest, Sha1};

/// Collects the digests of inputs while they are being read.
#[derive(Debug, Default)]
pub struct InputHash {
    digests: Vec<Arc<Mutex<Sha1>>>,
}

impl InputHash {
    /// The same input, with its bytes hashed on the way. Directories must have been turned into files before.
    pub fn watch(&mut self, input: Input) -> Input {
        let digest = Arc::new(Mutex::new(Sha1::new()));
        let reader: Box<dyn Read + Send> = match input.content {
            Content::Path { path, recursive } => match File::open(&path) {
                Ok(file) => Box::new(file),
                // Opening it again fails again, and the loader says so in its own words.
                Err(_) => {
                    return Input {
                        name: input.name,
                        content: Content::Path { path, recursive },
                    };
                }
            },
            Content::Bytes(bytes) => Box::new(io::Cursor::new(bytes)),
            Content::Reader(reader) => reader,
        };
        self.digests.push(Arc::clone(&digest));
        Input {
            name: input.name,
            content: Content::Reader(Box::new(Hashing { reader, digest })),
        }
    }

    /// `sha1:` and the hash over the digests of all inputs in order; `None` when there was no input.
    pub fn finish(self) -> Option<String> {
        if self.digests.is_empty() {
            return None;
        }
        let mut all = Sha1::new();
        for digest in self.digests {
            all.update(
                digest
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .clone()
                    .finalize(),
            );
        }
        let hex: Vec<String> = all.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Some(format!("sha1:{}", hex.concat()))
    }
}

struct Hashing {
    reader: Box<dyn Read + Send>,
    digest: Arc<Mutex<Sha1>>,
}

impl Read for Hashing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        if let Some(read) = buffer.get(..count) {
            self.digest
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .update(read);
        }
        Ok(count)
    }
}
