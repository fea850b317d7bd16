//! What no file may contain.

use std::collections::HashMap;
use std::fs;

use crate::{files, none, root, text};

#[test]
fn nothing_is_left_to_do() {
    // In two parts, so that this file does not match.
    let words = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X:")];
    let mut found = Vec::new();
    for file in files()
        .into_iter()
        .filter(|file| file.ends_with(".rs") || file.ends_with(".go") || file.ends_with(".md"))
    {
        let text = text(&file).unwrap();
        for (index, line) in text.lines().enumerate() {
            if words.iter().any(|word| line.contains(word)) {
                found.push(format!("{file}:{}", index + 1));
            }
        }
    }
    none("work that is not finished", found);
}

#[test]
fn no_file_names_a_registry() {
    // In two parts, so that this file does not match. Lock files name registries by nature, Go modules are hosts.
    let hosts = [
        concat!("crates", ".io"),
        concat!("proxy.golang", ".org"),
        concat!("sum.golang", ".org"),
        concat!("npmjs", ".org"),
        concat!("pypi", ".org"),
        concat!("pythonhosted", ".org"),
        concat!("docker", ".io"),
        concat!("registry.k8s", ".io"),
        concat!("quay", ".io"),
        concat!("ghcr", ".io"),
        concat!("nvcr", ".io"),
        concat!("gcr", ".io"),
    ];
    let mut found = Vec::new();
    for file in files()
        .into_iter()
        .filter(|file| !file.ends_with(".lock") && !file.ends_with("go.sum"))
    {
        let Some(text) = text(&file) else { continue };
        found.extend(
            hosts
                .iter()
                .filter(|host| text.contains(*host))
                .map(|host| format!("{file}: {host}")),
        );
    }
    none("hosts of registries", found);
}

#[test]
fn no_public_data_is_in_the_repository() {
    // Names that stand in every record of the public trace, in two parts.
    let marks = [
        concat!("openb-", "pod-0"),
        concat!("openb-", "node-0"),
        concat!("openb.", "trace/"),
    ];
    let mut found = Vec::new();
    for file in files() {
        let Some(text) = text(&file) else { continue };
        found.extend(
            marks
                .iter()
                .filter(|mark| text.contains(*mark))
                .map(|mark| format!("{file}: {mark}")),
        );
    }
    none("public data", found);
}

#[test]
fn no_file_is_a_copy_of_data_beside_the_repository() {
    let shared = root().join("../shared");
    if !shared.is_dir() {
        println!("skipped: no data at {}", shared.display());
        return;
    }
    let mut known: HashMap<Vec<u8>, String> = HashMap::new();
    let mut folders = vec![shared];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                known.insert(fs::read(&path).unwrap(), path.display().to_string());
            }
        }
    }
    let copies = files().into_iter().filter_map(|file| {
        let bytes = fs::read(root().join(&file)).unwrap();
        // What is shorter can be the same by chance.
        let original = known.get(&bytes).filter(|_| bytes.len() > 100)?;
        Some(format!("{file} is {original}"))
    });
    none("copies", copies.collect());
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut found = Vec::new();
    for file in files().into_iter().filter(|file| file.ends_with(".md")) {
        let text = text(&file).unwrap();
        let folder = root().join(&file).parent().unwrap().to_owned();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap();
            if !path.is_empty() && !link.contains("://") && !folder.join(path).exists() {
                found.push(format!("{file}: {link}"));
            }
        }
    }
    none("broken links", found);
}

#[test]
fn the_readme_shows_what_the_demo_prints() {
    let readme = text("README.md").unwrap();
    let block = readme
        .split("```")
        .find(|block| block.contains("NAIVE"))
        .unwrap()
        .trim();
    let printed = text("crates/bayplan/tests/snapshots/cli__demo.snap").unwrap();
    assert!(
        printed.contains(block),
        "README.md shows\n{block}\nbut the demo prints\n{printed}"
    );
}
