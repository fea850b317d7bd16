//! From files and pipes to what the commands work on.

mod cluster;
pub mod code;
mod configuration;
mod hash;
mod levels;
mod live;
mod manifests;
mod selector;

use std::io;
use std::path::{Path, PathBuf};

use bayplan_manifest::source::collect;
use bayplan_manifest::{Diagnostic, Input};
use bayplan_model::selector::Selector;

pub use cluster::{ClusterReader, Found, Keep, KnownPod, read_objects, replaces, selects_namespaces};
pub use configuration::read_configuration;
pub use hash::InputHash;
pub use levels::check_levels;
pub use live::missing_cluster;
pub use manifests::read_manifests;

use crate::exit::Advised;

/// Inputs as named on the command line, directories turned into files, every byte hashed.
///
/// # Errors
/// Standard input is asked for more than once over `paths` and `used`.
pub fn open(
    paths: &[PathBuf],
    recursive: bool,
    hash: &mut InputHash,
    stdin_is_taken: &mut bool,
) -> Result<(Vec<Input>, Vec<Diagnostic>), Advised> {
    let mut inputs = Vec::with_capacity(paths.len());
    for path in paths {
        if path == Path::new("-") {
            if *stdin_is_taken {
                return Err(Advised {
                    message: "standard input can be read once only".to_owned(),
                    help: vec!["pass one of the inputs as a file".to_owned()],
                });
            }
            *stdin_is_taken = true;
            inputs.push(Input::reader("-", Box::new(io::stdin())));
        } else {
            inputs.push(Input::path(path, recursive));
        }
    }
    let (files, diagnostics) = collect(inputs);
    Ok((
        files.into_iter().map(|file| hash.watch(file)).collect(),
        diagnostics,
    ))
}

/// Reads a label selector in kubectl's notation (`a=b,c!=d,e in (f,g),!h`).
///
/// # Errors
/// What is wrong with it.
pub fn parse_selector(text: &str) -> Result<Selector, Advised> {
    selector::parse(text).map_err(|error| Advised {
        message: format!("cannot read the selector `{text}`: {error}"),
        help: vec!["write it as kubectl does, for example `app=gateway,tier in (a,b),!canary`".to_owned()],
    })
}
