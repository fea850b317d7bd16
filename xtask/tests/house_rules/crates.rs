//! What code of which crate may use.

use std::collections::{BTreeMap, BTreeSet};

use crate::{files, none, text};

/// Crates whose code is pure: it does no IO and knows no clock, environment, thread or global.
const PURE: [&str; 5] = [
    "bayplan-model",
    "bayplan-scheduler",
    "bayplan-sim",
    "bayplan-analysis",
    "bayplan-admission",
];

/// Programs; what only programs may use is refused elsewhere.
const PROGRAMS: [&str; 4] = ["bayplan", "bayplan-bench", "bayplan-conformance", "xtask"];

/// Soft limit of lines of code in a file, without comments, empty lines and the tests at its end.
const LONGEST: usize = 400;

/// Files that may be longer, each with the reason.
const LONGER: [(&str, &str); 0] = [];

/// The numbered lines of code of a Rust file: without comments and without the unit tests that end it.
fn code(file: &str) -> Vec<(usize, String)> {
    let text = text(file).unwrap();
    let lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim().to_owned()));
    lines
        .take_while(|(_, line)| !line.starts_with("#[cfg(test)]"))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with("//"))
        .collect()
}

/// Rust files of a crate that end up in its library or program, without its tests.
fn sources(name: &str) -> Vec<String> {
    let folder = if name == "xtask" {
        "xtask/src/".to_owned()
    } else {
        format!("crates/{name}/src/")
    };
    let sources: Vec<String> = files()
        .into_iter()
        .filter(|file| file.starts_with(&folder) && file.ends_with(".rs"))
        .filter(|file| !file.contains("/tests/") && !file.ends_with("/tests.rs"))
        .collect();
    assert!(!sources.is_empty(), "no sources of {name}");
    sources
}

/// Names under `[dependencies]` of every crate of the workspace.
fn dependencies() -> BTreeMap<String, BTreeSet<String>> {
    let mut all = BTreeMap::new();
    for file in files() {
        let Some(folder) = file.strip_suffix("/Cargo.toml") else {
            continue;
        };
        let Some(name) = folder
            .strip_prefix("crates/")
            .or_else(|| (folder == "xtask").then_some(folder))
        else {
            continue;
        };
        let text = text(&file).unwrap();
        let section = text.split("\n[dependencies]\n").nth(1).unwrap_or_default();
        let section = section.split("\n[").next().unwrap();
        let names = section
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| line.split(['.', ' ', '=']).next())
            .filter(|name| !name.is_empty());
        all.insert(name.to_owned(), names.map(str::to_owned).collect());
    }
    assert!(all.len() > 5, "{all:?}");
    all
}

/// Places in files where one of the words stands.
fn places(files: impl IntoIterator<Item = String>, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for file in files {
        for (number, line) in code(&file) {
            found.extend(
                words
                    .iter()
                    .filter(|word| line.contains(*word))
                    .map(|word| format!("{file}:{number}: {word}")),
            );
        }
    }
    found
}

#[test]
fn engine_crates_are_pure() {
    let words = [
        "std::fs",
        "std::io",
        "std::env",
        "std::net",
        "std::process",
        "std::thread",
        "Instant",
        "SystemTime",
        "Timestamp::now",
        "Zoned::now",
        "thread_local!",
        "static mut",
        "OnceLock",
        "LazyLock",
        "OnceCell",
        "Mutex",
        "Atomic",
        "rayon",
        "println!",
        "include_str!",
        "env!(",
    ];
    none(
        "the engine crates do no IO and know no clock, environment, thread or global",
        places(PURE.into_iter().flat_map(sources), &words),
    );
}

#[test]
fn hashed_collections_of_the_engine_have_a_fixed_order() {
    // The standard hasher is seeded anew in every process; one set is only asked whether it holds something.
    let allowed = "crates/bayplan-admission/src/field.rs";
    let files = PURE.into_iter().flat_map(sources).filter(|file| file != allowed);
    none(
        "std's HashMap and HashSet are random",
        places(
            files,
            &["collections::HashMap", "collections::HashSet", "RandomState"],
        ),
    );
}

#[test]
fn manifests_touch_files_in_one_module_and_no_clock() {
    let files = || sources("bayplan-manifest").into_iter();
    let outside = files().filter(|file| !file.contains("/src/source/"));
    none(
        "only `source` reads files",
        places(outside, &["std::fs", "std::env", "std::net", "std::process"]),
    );
    none(
        "reading knows no clock",
        places(files(), &["Instant", "SystemTime", "::now("]),
    );
}

#[test]
fn edges_between_crates_are_those_of_the_architecture() {
    let architecture = text("ARCHITECTURE.md").unwrap();
    let mut written = BTreeMap::new();
    for line in architecture.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let names = |cell: &str| -> BTreeSet<String> {
            cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
        };
        if let [_, name, _, uses, _] = cells.as_slice()
            && let Some(name) = names(name).into_iter().next()
        {
            written.insert(name, names(uses));
        }
    }
    let real: BTreeMap<String, BTreeSet<String>> = dependencies()
        .into_iter()
        .map(|(name, uses)| {
            (
                name,
                uses.into_iter()
                    .filter(|name| name.starts_with("bayplan"))
                    .collect(),
            )
        })
        .collect();
    assert_eq!(
        written, real,
        "the table of crates in ARCHITECTURE.md (left) and Cargo.toml files (right)"
    );
}

#[test]
fn foreign_crates_stay_where_they_belong() {
    let mut found = Vec::new();
    for (name, uses) in dependencies() {
        let program = PROGRAMS.contains(&name.as_str());
        for one in ["anyhow", "clap", "clap_complete", "ctrlc"]
            .iter()
            .filter(|one| uses.contains(**one))
        {
            if !program {
                found.push(format!("{name} uses {one}, which is for programs"));
            }
        }
        for one in ["rayon", "flate2"].iter().filter(|one| uses.contains(**one)) {
            if PURE.contains(&name.as_str()) {
                found.push(format!("{name} uses {one}, but is pure"));
            }
        }
    }
    none("crates in the wrong place", found);
}

#[test]
fn every_crate_has_the_lints_of_the_workspace() {
    let missing = dependencies().into_keys().filter(|name| {
        let file = if name == "xtask" {
            "xtask/Cargo.toml".to_owned()
        } else {
            format!("crates/{name}/Cargo.toml")
        };
        !text(&file).unwrap().contains("\n[lints]\nworkspace = true\n")
    });
    none("crates without `lints.workspace = true`", missing.collect());
}

#[test]
fn every_dependency_has_a_reason() {
    let text = text("Cargo.toml").unwrap();
    let section = text
        .split("\n[workspace.dependencies]\n")
        .nth(1)
        .unwrap()
        .split("\n[")
        .next()
        .unwrap();
    let lines: Vec<&str> = section.lines().collect();
    let bare = lines.windows(2).filter(|pair| {
        !pair[1].is_empty()
            && !pair[1].starts_with('#')
            && !pair[1].starts_with("bayplan-")
            && !pair[0].starts_with('#')
    });
    none(
        "workspace dependencies without a comment above",
        bare.map(|pair| pair[1].to_owned()).collect(),
    );
}

#[test]
fn files_are_short() {
    let (mut long, mut listed) = (Vec::new(), BTreeSet::new());
    for file in files().into_iter().filter(|file| file.ends_with(".rs")) {
        let lines = code(&file).len();
        if lines <= LONGEST {
            continue;
        }
        match LONGER.iter().find(|(name, _)| *name == file) {
            Some((name, _)) => drop(listed.insert(*name)),
            None => long.push(format!(
                "{file}: {lines} lines of code; split it, or list it with a reason"
            )),
        }
    }
    none("long files", long);
    let needless = LONGER
        .iter()
        .map(|(name, _)| *name)
        .filter(|name| !listed.contains(name));
    none(
        "files that are listed as long but are not",
        needless.map(str::to_owned).collect(),
    );
}
