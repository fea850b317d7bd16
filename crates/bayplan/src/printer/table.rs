//! Tables as kubectl prints them: no borders, three blanks between columns, no blanks at the end of a line.

use std::io::{self, Write};

use super::{Cell, Column, Paint, Shown, Table};

const GAP: usize = 3;

/// How tables look.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// Wide columns too.
    pub wide: bool,
    /// Header lines, titles and notes.
    pub headers: bool,
    /// Colour.
    pub paint: Paint,
}

/// Writes tables one below the other.
pub fn write(tables: &[Table], style: Style, out: &mut impl Write) -> io::Result<()> {
    for (index, table) in tables.iter().enumerate() {
        if style.headers && index > 0 {
            writeln!(out)?;
        }
        if style.headers && !table.title.is_empty() {
            let (before, after) = style.paint.bold();
            writeln!(out, "{before}{}{after}", table.title)?;
        }
        write_table(table, style, out)?;
        if style.headers {
            for note in &table.notes {
                writeln!(out, "{note}")?;
            }
        }
    }
    Ok(())
}

fn write_table(table: &Table, style: Style, out: &mut impl Write) -> io::Result<()> {
    let shown: Vec<usize> = (0..table.columns.len())
        .filter(|&column| match table.columns[column].shown {
            Shown::Always => true,
            Shown::Wide => style.wide,
            Shown::Data => false,
        })
        .collect();
    let widths: Vec<usize> = shown
        .iter()
        .map(|&column| {
            let header = if style.headers {
                width(&table.columns[column].header)
            } else {
                0
            };
            let cells = table
                .all_rows()
                .filter_map(|row| row.get(column))
                .map(|cell| width(&cell.text));
            cells.fold(header, usize::max)
        })
        .collect();
    if style.headers && !table.columns.is_empty() {
        let header = |column: &Column| Cell::from(column.header.as_str());
        let cells: Vec<Cell> = table.columns.iter().map(header).collect();
        write_row(table, &cells, &shown, &widths, style.paint, out)?;
    }
    for row in table.all_rows() {
        write_row(table, row, &shown, &widths, style.paint, out)?;
    }
    Ok(())
}

fn write_row(
    table: &Table,
    row: &[Cell],
    shown: &[usize],
    widths: &[usize],
    paint: Paint,
    out: &mut impl Write,
) -> io::Result<()> {
    let mut blanks = 0;
    for (&column, &room) in shown.iter().zip(widths) {
        let Some(cell) = row.get(column) else { continue };
        let rest = room.saturating_sub(width(&cell.text));
        let (before, after) = if table.columns[column].numeric {
            (rest, 0)
        } else {
            (0, rest)
        };
        let (start, end) = paint.around(cell.tone);
        write!(
            out,
            "{:blanks$}{start}{}{end}",
            "",
            cell.text,
            blanks = blanks + before
        )?;
        blanks = after + GAP;
    }
    writeln!(out)
}

fn width(text: &str) -> usize {
    text.chars().count()
}
