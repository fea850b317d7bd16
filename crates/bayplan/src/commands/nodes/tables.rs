//! What `nodes` counted, for people.

use std::collections::BTreeMap;

use bayplan_analysis::capacity::{Amount, Amounts, Capacity, Group};
use bayplan_analysis::domains::Level as Domain;
use bayplan_analysis::gpu;
use bayplan_api as api;

use super::document::{domain, group_levels};
use crate::args::nodes::Level;
use crate::commands::percent;
use crate::printer::{Cell, Column, Table, Tone};

/// Columns of amounts: for every GPU resource, cpu and memory what is used and what is free.
struct AmountColumns {
    resources: Vec<(String, String)>,
}

impl AmountColumns {
    fn of(capacity: &Capacity) -> AmountColumns {
        let gpus = capacity.gpu_resources();
        let short = |name: &str| {
            let last = name.rsplit_once('/').map_or(name, |(_, last)| last);
            let alone = gpus
                .iter()
                .filter(|other| other.rsplit_once('/').is_some_and(|(_, it)| it == last))
                .count()
                == 1;
            (if alone { last } else { name }).to_ascii_uppercase()
        };
        let mut resources: Vec<(String, String)> =
            gpus.iter().map(|name| (name.clone(), short(name))).collect();
        resources.push(("cpu".to_owned(), "CPU".to_owned()));
        resources.push(("memory".to_owned(), "MEMORY".to_owned()));
        AmountColumns { resources }
    }

    fn used_and_free(&self) -> Vec<Column> {
        let pair = |(_, header): &(String, String)| {
            [
                Column::number(format!("{header}-USED")),
                Column::number(format!("{header}-FREE")),
            ]
        };
        self.resources.iter().flat_map(pair).collect()
    }

    fn used(&self) -> Vec<Column> {
        self.resources
            .iter()
            .map(|(_, header)| Column::number(header.clone()))
            .collect()
    }

    fn cells(&self, allocatable: &Amounts, used: &Amounts) -> Vec<Cell> {
        let pair = |(name, _): &(String, String)| {
            let shown = |value| {
                Amount {
                    resource: name,
                    value,
                }
                .rounded()
            };
            let (all, taken) = (allocatable.get(name), used.get(name));
            let free = all.saturating_sub(taken);
            // What a node does not offer at all is told from what it offers none of.
            let nothing = !allocatable.has(name) && taken == 0;
            let tone = if free < 0 { Tone::Bad } else { Tone::Plain };
            if nothing {
                [Cell::from("-"), Cell::from("-")]
            } else {
                [Cell::from(shown(taken)), Cell::from(shown(free)).toned(tone)]
            }
        };
        self.resources.iter().flat_map(pair).collect()
    }
}

/// The tables that were asked for.
pub fn tables(capacity: &Capacity, body: &api::Capacity, by: &[Level]) -> Vec<Table> {
    let columns = AmountColumns::of(capacity);
    let wanted = |level: Level| by.is_empty() || by.contains(&level);
    let mut tables = Vec::new();
    if wanted(Level::Node) {
        tables.push(node_table(capacity, body, &columns));
    }
    for domain_level in group_levels(capacity) {
        let groups = capacity.group_by(|node| domain(capacity, node, domain_level));
        let asked = by.iter().any(|level| level.domain() == Some(domain_level));
        // Regions are listed only when asked for: few clusters span several.
        if asked || (by.is_empty() && domain_level != Domain::REGION) {
            let keys = capacity.domains.keys(domain_level).join(", ");
            tables.push(group_table(
                capacity.domains.name(domain_level),
                &format!("by {keys}"),
                &groups,
                &columns,
            ));
        }
    }
    let types = capacity.group_by(|node| gpu::gpu_type(&node.node).map(str::to_owned));
    if wanted(Level::Gpu) && !types.is_empty() {
        tables.push(group_table(
            "gpu-type",
            "by the labels of the nodes",
            &types,
            &columns,
        ));
    }
    if wanted(Level::Model) && (!capacity.models.is_empty() || !by.is_empty()) {
        tables.push(model_table(capacity, body, &columns));
    }
    if let (Some(first), true) = (tables.first_mut(), body.pending.pods > 0) {
        let asks: Vec<String> = body
            .pending
            .requests
            .iter()
            .map(|(name, amount)| format!("{amount} {name}"))
            .collect();
        first.notes.push(format!(
            "{} pending pods ask for {}",
            body.pending.pods,
            asks.join(", ")
        ));
    }
    tables
}

fn node_table(capacity: &Capacity, body: &api::Capacity, amounts: &AmountColumns) -> Table {
    let levels: Vec<Domain> = group_levels(capacity)
        .into_iter()
        .filter(|level| *level != Domain::REGION)
        .collect();
    let has_types = body.nodes.iter().any(|node| node.gpu.is_some());
    let mut columns = vec![Column::text("NAME")];
    columns.extend(
        levels
            .iter()
            .map(|level| Column::text(capacity.domains.name(*level).to_ascii_uppercase())),
    );
    if has_types {
        columns.push(Column::text("GPU-TYPE"));
    }
    columns.extend(amounts.used_and_free());
    columns.extend([
        Column::number("PODS").wide(),
        Column::text("STATUS"),
        Column::text("TAINTS").wide(),
        Column::text("MODELS").wide(),
    ]);
    let total = capacity
        .group_by(|_| Some(String::new()))
        .remove("")
        .unwrap_or_default();
    let mut sum: Vec<Cell> = vec!["*".into()];
    sum.extend(levels.iter().map(|_| Cell::from("*")));
    sum.extend(has_types.then(|| Cell::from("*")));
    sum.extend(amounts.cells(&total.allocatable, &total.used));
    sum.extend([
        total.used.get("pods").to_string().into(),
        "*".into(),
        "*".into(),
        "*".into(),
    ]);
    let mut rows = Vec::new();
    for (node, shown) in capacity.nodes.iter().zip(&body.nodes) {
        let mut row: Vec<Cell> = vec![shown.node.as_str().into()];
        row.extend(
            levels
                .iter()
                .map(|level| Cell::or_none(shown.domains.get(capacity.domains.name(*level)))),
        );
        row.extend(has_types.then(|| Cell::or_none(shown.gpu.as_ref())));
        row.extend(amounts.cells(&node.allocatable, &node.used));
        let tone = if shown.status == "Ready" {
            Tone::Plain
        } else {
            Tone::Warn
        };
        let models = shown.models.iter().map(|(model, pods)| format!("{model}={pods}"));
        row.extend([
            node.used.get("pods").to_string().into(),
            Cell::from(shown.status.as_str()).toned(tone),
            list(shown.taints.iter().cloned()),
            list(models),
        ]);
        rows.push(row);
    }
    Table {
        columns,
        totals: vec![sum],
        rows,
        ..Table::default()
    }
}

fn list(items: impl Iterator<Item = String>) -> Cell {
    let items: Vec<String> = items.collect();
    Cell::or_none((!items.is_empty()).then(|| items.join(",")))
}

fn group_table(
    level: &str,
    explanation: &str,
    groups: &BTreeMap<String, Group>,
    amounts: &AmountColumns,
) -> Table {
    let mut columns = vec![Column::text(level.to_ascii_uppercase()), Column::number("NODES")];
    columns.extend(amounts.used_and_free());
    let row = |(name, group): (&String, &Group)| {
        let mut row: Vec<Cell> = vec![name.as_str().into(), group.nodes.to_string().into()];
        row.extend(amounts.cells(&group.allocatable, &group.used));
        row
    };
    Table {
        title: format!("{level}s {explanation}"),
        columns,
        rows: groups.iter().map(row).collect(),
        ..Table::default()
    }
}

fn model_table(capacity: &Capacity, body: &api::Capacity, amounts: &AmountColumns) -> Table {
    let levels: Vec<Domain> = capacity
        .domains
        .levels()
        .iter()
        .copied()
        .filter(|level| *level != Domain::REGION)
        .collect();
    let mut columns = vec![Column::text("MODEL"), Column::number("PODS")];
    columns.extend(amounts.used());
    columns.extend(
        levels
            .iter()
            .map(|level| Column::number(format!("{}S", capacity.domains.name(*level).to_ascii_uppercase()))),
    );
    columns.extend(levels.iter().map(|level| {
        Column::number(format!(
            "WORST-{}",
            capacity.domains.name(*level).to_ascii_uppercase()
        ))
    }));
    let mut rows = Vec::new();
    for (model, shown) in capacity.models.iter().zip(&body.models) {
        let mut row: Vec<Cell> = vec![shown.model.as_str().into(), shown.pods.to_string().into()];
        row.extend(
            amounts
                .resources
                .iter()
                .map(|(resource, _)| match model.requests.get(resource) {
                    0 => Cell::from("-"),
                    value => Cell::from(Amount { resource, value }.rounded()),
                }),
        );
        let counts: Vec<_> = levels
            .iter()
            .map(|level| capacity.model_domains(model, *level))
            .collect();
        row.extend(counts.iter().map(|domains| Cell::from(domains.len().to_string())));
        row.extend(counts.iter().map(|domains| {
            let most = domains.values().max().copied().unwrap_or(0);
            let share = percent(most as f64 / shown.pods.max(1) as f64);
            let alone = most == shown.pods && shown.pods > 1;
            Cell::from(share).toned(if alone { Tone::Warn } else { Tone::Plain })
        }));
        rows.push(row);
    }
    Table {
        title: format!(
            "models by the pod label {}; WORST is the largest share in one domain",
            body.model_label
        ),
        columns,
        rows,
        ..Table::default()
    }
}
