//! Rules that no compiler checks: `ARCHITECTURE.md` and `STYLE.md` name them.

// Helpers of tests stop at what should not be, as tests do.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

mod content;
mod crates;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// Files of the repository with their paths from its root, sorted; what tools make is left out.
fn files() -> Vec<String> {
    fn visit(folder: &Path, root: &Path, files: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_symlink()
                || ["target", ".git", ".cache", "node_modules", "corpus", "artifacts"]
                    .contains(&name.as_str())
            {
                continue;
            }
            if path.is_dir() {
                visit(&path, root, files);
            } else {
                files.push(
                    path.strip_prefix(root)
                        .unwrap()
                        .to_string_lossy()
                        .replace('\\', "/"),
                );
            }
        }
    }
    let root = root();
    let mut files = Vec::new();
    visit(&root, &root, &mut files);
    files.sort();
    assert!(
        files.iter().any(|file| file == "Cargo.toml"),
        "{} is not the repository",
        root.display()
    );
    files
}

/// Text of a file, unpacked if it is gzip; `None` for anything that is not text.
fn text(file: &str) -> Option<String> {
    let bytes = fs::read(root().join(file)).unwrap();
    if file.ends_with(".gz") {
        let mut text = String::new();
        flate2::read::MultiGzDecoder::new(bytes.as_slice())
            .read_to_string(&mut text)
            .ok()?;
        return Some(text);
    }
    String::from_utf8(bytes).ok()
}

#[track_caller]
fn none(what: &str, found: Vec<String>) {
    assert!(found.is_empty(), "{what}:\n  {}", found.join("\n  "));
}
