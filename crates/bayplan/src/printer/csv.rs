//! Comma-separated values (RFC 4180, with line feeds).

use std::io::{self, Write};

use super::Table;

/// Writes one table with all its columns.
pub fn write(table: &Table, headers: bool, out: &mut impl Write) -> io::Result<()> {
    if headers {
        line(table.columns.iter().map(|column| column.header.as_str()), out)?;
    }
    for row in table.all_rows() {
        line(
            row.iter()
                .map(|cell| if cell.text == "<none>" { "" } else { &cell.text }),
            out,
        )?;
    }
    Ok(())
}

fn line<'a>(fields: impl Iterator<Item = &'a str>, out: &mut impl Write) -> io::Result<()> {
    for (index, field) in fields.enumerate() {
        if index > 0 {
            out.write_all(b",")?;
        }
        if field.contains([',', '"', '\n', '\r']) {
            write!(out, "\"{}\"", field.replace('"', "\"\""))?;
        } else {
            out.write_all(field.as_bytes())?;
        }
    }
    out.write_all(b"\n")
}
