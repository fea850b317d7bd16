//! From what the user named to single files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Content, Input};
use crate::diagnostic::{Diagnostic, code};

/// Endings that `kubectl -f DIR` reads, and JSON lines.
const EXTENSIONS: [&str; 5] = ["yaml", "yml", "json", "jsonl", "ndjson"];

/// Deeper folders are not searched; no dump has them, and a broken mount would never end.
const DEEPEST_FOLDER: usize = 64;

/// Replaces directories by the readable files in them, sorted by path; everything else stays as it is.
///
/// In a directory the files ending in `.yaml`, `.yml`, `.json`, `.jsonl` or `.ndjson`, also with a further `.gz`, are
/// taken; the rest (logs of a `kubectl cluster-info dump`, read-me files) is not input and is passed over. Symbolic
/// links to files are followed, links to directories are not. What cannot be listed becomes a diagnostic.
#[must_use]
pub fn collect(inputs: Vec<Input>) -> (Vec<Input>, Vec<Diagnostic>) {
    let mut files = Vec::new();
    let mut diagnostics = Vec::new();
    for input in inputs {
        match &input.content {
            Content::Path { path, recursive } if path.is_dir() => {
                let mut found = Vec::new();
                let skipped = list(path, *recursive, 0, &mut found, &mut diagnostics);
                if found.is_empty() {
                    diagnostics.push(nothing_found(path, skipped));
                }
                files.extend(found.into_iter().map(|file| Input::path(file, false)));
            }
            _ => files.push(input),
        }
    }
    (files, diagnostics)
}

/// Appends the readable files of a folder; true when folders were left out for want of `recursive`.
fn list(
    folder: &Path,
    recursive: bool,
    depth: usize,
    found: &mut Vec<PathBuf>,
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            diagnostics.push(
                Diagnostic::error(
                    code::UNREADABLE,
                    format!("cannot list {}: {error}", folder.display()),
                )
                .hint("check that it exists and may be read"),
            );
            return false;
        }
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let mut skipped = false;
    for path in paths {
        let is_link = path.is_symlink();
        if path.is_dir() {
            if is_link || depth >= DEEPEST_FOLDER {
                continue;
            }
            if recursive {
                list(&path, recursive, depth + 1, found, diagnostics);
            } else {
                skipped = true;
            }
        } else if is_readable_name(&path) {
            found.push(path);
        }
    }
    skipped
}

fn is_readable_name(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        return false;
    };
    let lower = name.to_ascii_lowercase();
    let plain = lower.strip_suffix(".gz").unwrap_or(&lower);
    plain
        .rsplit_once('.')
        .is_some_and(|(_, extension)| EXTENSIONS.contains(&extension))
}

fn nothing_found(folder: &Path, skipped: bool) -> Diagnostic {
    let message = format!("no .yaml, .yml or .json file in {}", folder.display());
    let hint = if skipped {
        "there are folders below it: use -R to read them too"
    } else {
        "name the folder that holds the manifests"
    };
    Diagnostic::error(code::NO_OBJECTS, message)
        .at(crate::diagnostic::Location::line_of(
            Arc::from(folder.to_string_lossy()),
            1,
        ))
        .hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_manifest_names_are_read_from_folders() {
        for name in ["a.yaml", "b.YML", "c.json.gz", "nodes.jsonl"] {
            assert!(is_readable_name(Path::new(name)), "{name}");
        }
        for name in ["logs.txt", "yaml", "a.gz", ".gz", "README.md"] {
            assert!(!is_readable_name(Path::new(name)), "{name}");
        }
    }
}
