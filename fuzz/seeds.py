#!/usr/bin/env python3
"""Writes seeds for the fuzz targets into corpus/, from the project's own fixtures and golden cases."""

import collections
import gzip
import json
import pathlib

CASES_PER_FAMILY = 12
OBJECTS_PER_KIND = 2  # Small inputs are changed and run faster.

FUZZ = pathlib.Path(__file__).resolve().parent
ROOT = FUZZ.parent


def write(target, name, data):
    folder = FUZZ / "corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())


def small(case):
    """A case with the first objects of each kind, and its configuration as JSON."""
    kept, counts = [], collections.Counter()
    for item in case["objects"]:
        key = item["kind"], "nodeName" in item.get("spec", {})
        counts[key] += 1
        if counts[key] <= OBJECTS_PER_KIND:
            kept.append(item)
    try:
        config = json.loads(case.get("config") or "null")
    except json.JSONDecodeError:  # A few are YAML.
        config = None
    return {"config": config, "objects": kept}


for number, path in enumerate(sorted(ROOT.glob("crates/bayplan/tests/fixtures/*/*.yaml"))):
    text = path.read_bytes()
    write("yaml", f"fixture-{number}", text)
    if number % 8 == 0:
        write("yaml", f"fixture-{number}.gz", gzip.compress(text, mtime=0))

for path in sorted(ROOT.glob("conformance/golden/*.cases.jsonl.gz")):
    family = path.name.split(".")[0]
    with gzip.open(path, "rt") as lines:
        for number, line in zip(range(CASES_PER_FAMILY), lines):
            case = small(json.loads(line))
            write("case", f"{family}-{number}", json.dumps(case, separators=(",", ":")))
            if number == 0:
                items = {"apiVersion": "v1", "kind": "List", "items": case["objects"]}
                write("json", family, json.dumps(items, separators=(",", ":")))
                write("json", f"{family}-pretty", json.dumps(items, indent=4))

for number, text in enumerate(["100m,1.5Gi", "1e3,-7E-3", "9223372036854775807n,8Ei", ".5,+1.,0.0000001Ki"]):
    write("quantity", f"seed-{number}", text)
for number, text in enumerate(["app=a,tier in (b, c)", "a!=b,!c,d notin (e)", "size>6,size<8,x"]):
    write("selector", f"seed-{number}", text)
