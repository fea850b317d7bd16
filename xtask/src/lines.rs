//! Files of JSON lines, gzip or plain.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

/// Text of a file, unpacked if its name ends in `.gz`.
pub fn text(path: &Path) -> Result<String> {
    let mut file = File::open(path).with_context(|| format!("opening {}", path.display()))?;
    let mut text = String::new();
    let read = if path.extension().is_some_and(|extension| extension == "gz") {
        flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text)
    } else {
        file.read_to_string(&mut text)
    };
    read.with_context(|| format!("reading {}", path.display()))?;
    Ok(text)
}

/// The values of JSON lines; `name` is where they are from.
pub fn values(text: &str, name: &str) -> Result<Vec<Value>> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| {
            serde_json::from_str(line).with_context(|| format!("decoding line {} of {name}", number + 1))
        })
        .collect()
}

/// The values of a file of JSON lines.
pub fn read(path: &Path) -> Result<Vec<Value>> {
    values(&text(path)?, &path.display().to_string())
}
