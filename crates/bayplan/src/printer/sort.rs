//! `--sort-by`.

use std::cmp::Ordering;

use super::{Cell, Table};

/// `--sort-by` names no column.
#[derive(Debug, thiserror::Error)]
#[error("cannot sort by `{wanted}`: no table has such a column; there are {columns}")]
pub struct SortError {
    wanted: String,
    columns: String,
}

/// Sorts the rows of every table that has the column; tables without it stay as they are.
///
/// The column is its header in any case, also as kubectl's users write paths (`.node`, `{.node}`). Numbers and
/// quantities are compared by value and come before text. A leading `-` sorts downwards.
pub fn sort(tables: &mut [Table], wanted: &str) -> Result<(), SortError> {
    let (downwards, name) = match wanted.strip_prefix('-') {
        Some(name) => (true, name),
        None => (false, wanted),
    };
    let plain = |text: &str| text.trim_matches(['{', '}', '.', ' ']).to_ascii_uppercase();
    let mut found = false;
    for table in &mut *tables {
        let Some(column) = table
            .columns
            .iter()
            .position(|column| plain(&column.header) == plain(name))
        else {
            continue;
        };
        found = true;
        table.rows.sort_by(|left, right| {
            let order = compare(left.get(column), right.get(column));
            if downwards { order.reverse() } else { order }
        });
    }
    if found || tables.is_empty() {
        return Ok(());
    }
    let columns: Vec<&str> = tables
        .iter()
        .flat_map(|table| &table.columns)
        .map(|column| column.header.as_str())
        .collect();
    Err(SortError {
        wanted: wanted.to_owned(),
        columns: columns.join(", "),
    })
}

fn compare(left: Option<&Cell>, right: Option<&Cell>) -> Ordering {
    let text = |cell: Option<&Cell>| cell.map(|cell| cell.text.clone()).unwrap_or_default();
    let (left, right) = (text(left), text(right));
    match (number(&left), number(&right)) {
        (Some(left), Some(right)) => left.total_cmp(&right),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => left.cmp(&right),
    }
}

fn number(text: &str) -> Option<f64> {
    if let Some(percent) = text.strip_suffix('%') {
        return percent.parse().ok();
    }
    let quantity: bayplan_model::Quantity = text.parse().ok()?;
    Some(quantity.nanos() as f64)
}
