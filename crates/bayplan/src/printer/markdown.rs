//! Markdown tables, for pull requests and tickets.

use std::io::{self, Write};

use super::{Shown, Table};

/// Writes tables with their titles and notes.
pub fn write(tables: &[Table], out: &mut impl Write) -> io::Result<()> {
    for (index, table) in tables.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        if !table.title.is_empty() {
            writeln!(out, "**{}**\n", escaped(&table.title))?;
        }
        let shown: Vec<usize> = (0..table.columns.len())
            .filter(|&column| table.columns[column].shown == Shown::Always)
            .collect();
        if !shown.is_empty() {
            let headers: Vec<String> = shown
                .iter()
                .map(|&column| escaped(&table.columns[column].header))
                .collect();
            writeln!(out, "| {} |", headers.join(" | "))?;
            let rules: Vec<&str> = shown
                .iter()
                .map(|&column| {
                    if table.columns[column].numeric {
                        "---:"
                    } else {
                        "---"
                    }
                })
                .collect();
            writeln!(out, "| {} |", rules.join(" | "))?;
        }
        for row in table.all_rows() {
            let cells: Vec<String> = shown
                .iter()
                .filter_map(|&column| row.get(column))
                .map(|cell| escaped(&cell.text))
                .collect();
            writeln!(out, "| {} |", cells.join(" | "))?;
        }
        if !table.notes.is_empty() {
            writeln!(out)?;
        }
        for note in &table.notes {
            writeln!(out, "{}  ", escaped(note.trim_start()))?;
        }
    }
    Ok(())
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '|' | '<' | '>' | '*' | '_' | '`' | '[' | ']' | '\\' => safe.extend(['\\', character]),
            '\n' => safe.push(' '),
            _ => safe.push(character),
        }
    }
    safe
}
