//! Writes seeds into `corpus/` from the project's own fixtures and golden cases.
//!
//! `cargo +nightly run --release --example seeds`, in the folder `fuzz`.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// Cases of a golden family that become seeds.
const CASES_PER_FAMILY: usize = 12;

/// Objects of a kind that are kept in a seed: small inputs are changed and run faster.
const OBJECTS_PER_KIND: usize = 4;

fn main() -> Outcome<()> {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = fuzz.join("..");
    let corpus = |target: &str| -> Outcome<PathBuf> {
        let folder = fuzz.join("corpus").join(target);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    };
    let (yaml, json, case) = (corpus("yaml")?, corpus("json")?, corpus("case")?);
    let mut number = 0;
    for fixture in fs::read_dir(root.join("crates/bayplan/tests/fixtures"))? {
        for file in fs::read_dir(fixture?.path())? {
            let path = file?.path();
            if path.extension().is_some_and(|extension| extension == "yaml") {
                let text = fs::read(&path)?;
                fs::write(yaml.join(format!("fixture-{number}")), &text)?;
                fs::write(yaml.join(format!("fixture-{number}.gz")), packed(&text)?)?;
                number += 1;
            }
        }
    }
    let mut families: Vec<PathBuf> = fs::read_dir(root.join("conformance/golden"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Outcome<_>>()?;
    families.retain(|path| path.to_string_lossy().ends_with(".cases.jsonl.gz"));
    families.sort();
    for family in families {
        let name = family.file_name().unwrap_or_default().to_string_lossy();
        let name = name.split('.').next().unwrap_or_default();
        let lines = BufReader::new(flate2::read::MultiGzDecoder::new(fs::File::open(&family)?)).lines();
        for (index, line) in lines.take(CASES_PER_FAMILY).enumerate() {
            let seed = small(serde_json::from_str(&line?)?)?;
            fs::write(case.join(format!("{name}-{index}")), serde_json::to_vec(&seed)?)?;
            if index == 0 {
                let list = json!({"apiVersion": "v1", "kind": "List", "items": seed["objects"]});
                fs::write(json.join(name), serde_json::to_vec(&list)?)?;
                fs::write(
                    json.join(format!("{name}-pretty")),
                    serde_json::to_vec_pretty(&list)?,
                )?;
            }
        }
    }
    let quantity = corpus("quantity")?;
    for (index, text) in [
        "100m,1.5Gi",
        "1e3,-7E-3",
        "9223372036854775807n,8Ei",
        ".5,+1.,0.0000001Ki",
    ]
    .iter()
    .enumerate()
    {
        fs::write(quantity.join(format!("seed-{index}")), text)?;
    }
    let selector = corpus("selector")?;
    for (index, text) in ["app=a,tier in (b, c)", "a!=b,!c,d notin (e)", "size>6,size<8,x"]
        .iter()
        .enumerate()
    {
        fs::write(selector.join(format!("seed-{index}")), text)?;
    }
    Ok(())
}

/// A case with the first objects of each kind, and its configuration as JSON.
fn small(mut case: Value) -> Outcome<Value> {
    let config = match case["config"].as_str() {
        Some(text) if !text.is_empty() => serde_json::from_str(text)?,
        _ => Value::Null,
    };
    let mut kept = Vec::new();
    let mut counts = std::collections::BTreeMap::<String, usize>::new();
    for object in case["objects"]
        .as_array_mut()
        .map(std::mem::take)
        .unwrap_or_default()
    {
        let bound = object["spec"]["nodeName"].is_string();
        let count = counts.entry(format!("{} {bound}", object["kind"])).or_default();
        *count += 1;
        if *count <= OBJECTS_PER_KIND {
            kept.push(object);
        }
    }
    Ok(json!({"config": config, "objects": kept}))
}

fn packed(text: &[u8]) -> Outcome<Vec<u8>> {
    let mut packed = Vec::new();
    flate2::read::GzEncoder::new(text, flate2::Compression::fast()).read_to_end(&mut packed)?;
    Ok(packed)
}
