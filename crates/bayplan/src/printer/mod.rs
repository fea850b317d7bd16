//! From a result to bytes on standard output, in any of the output forms.
//!
//! A command builds one [`Output`]: the document for JSON and YAML, tables for people and spreadsheets, names for
//! scripts. The printer alone knows how each form looks.

mod csv;
mod markdown;
mod sort;
mod table;
mod text;
mod yaml;

use std::io::{self, Write};

use bayplan_api::{Body, Document};
use serde::Serialize;

use crate::args::{OutputArguments, OutputFormat};
pub use sort::SortError;
pub use text::{Paint, Tone};

impl Table {
    /// Totals and rows in the order in which they are shown.
    fn all_rows(&self) -> impl Iterator<Item = &Vec<Cell>> {
        self.totals.iter().chain(&self.rows)
    }
}

/// Everything a command has to say on standard output.
pub struct Output<'a, B> {
    /// Content of the JSON and YAML forms.
    pub document: &'a Document<B>,
    /// Tables; the first is the main one, to which the CSV form is limited.
    pub tables: Vec<Table>,
    /// Lines of the name form, `kind/name`.
    pub names: Vec<String>,
}

/// A titled table.
#[derive(Debug, Default)]
pub struct Table {
    /// Heading; may be empty.
    pub title: String,
    /// Its columns.
    pub columns: Vec<Column>,
    /// Rows that sorting leaves on top, such as totals.
    pub totals: Vec<Vec<Cell>>,
    /// Its rows, one cell for each column.
    pub rows: Vec<Vec<Cell>>,
    /// Lines below it; the CSV form and `--no-headers` leave them out.
    pub notes: Vec<String>,
}

/// A column.
#[derive(Debug)]
pub struct Column {
    /// Header in upper case, without blanks.
    pub header: String,
    /// The forms that show it.
    pub shown: Shown,
    /// Numbers are set flush right.
    pub numeric: bool,
}

/// The forms that show a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// All of them.
    Always,
    /// All but the narrow table and Markdown.
    Wide,
    /// Only CSV, which has room for long texts.
    Data,
}

/// The content of a cell.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cell {
    /// What is printed.
    pub text: String,
    /// How it is painted on a terminal; the text says the same without it.
    pub tone: Tone,
}

impl Column {
    /// A text column that every form shows.
    pub fn text(header: impl Into<String>) -> Self {
        Column {
            header: header.into(),
            shown: Shown::Always,
            numeric: false,
        }
    }

    /// A number column that every form shows.
    pub fn number(header: impl Into<String>) -> Self {
        Column {
            numeric: true,
            ..Column::text(header)
        }
    }

    /// The same column, shown by wide forms only.
    pub fn wide(self) -> Self {
        Column {
            shown: Shown::Wide,
            ..self
        }
    }

    /// The same column, shown by CSV only.
    pub fn data(self) -> Self {
        Column {
            shown: Shown::Data,
            ..self
        }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Cell {
            text: text.into(),
            tone: Tone::Plain,
        }
    }
}

impl Cell {
    /// A cell for a value that may be missing.
    pub fn or_none(text: Option<impl Into<String>>) -> Self {
        text.map_or_else(|| Cell::from("<none>"), |text| Cell::from(text))
    }

    /// The same cell, painted.
    pub fn toned(self, tone: Tone) -> Self {
        Cell { tone, ..self }
    }
}

/// Why nothing, or not everything, was printed.
#[derive(Debug, thiserror::Error)]
pub enum PrintError {
    /// Standard output cannot be written to.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// The document cannot be encoded.
    #[error("cannot encode the result: {0}")]
    Encode(#[from] serde_json::Error),
    /// `--sort-by` names no column.
    #[error(transparent)]
    Sort(#[from] SortError),
}

/// Whether diagnostics belong on standard error: the JSON and YAML documents carry them themselves.
pub fn diagnostics_on_stderr(arguments: &OutputArguments) -> bool {
    !matches!(arguments.output, OutputFormat::Json | OutputFormat::Yaml)
}

/// Prints `output` in the wanted form.
///
/// # Errors
/// When writing fails or `--sort-by` names no column.
pub fn print<B: Body>(
    output: Output<'_, B>,
    arguments: &OutputArguments,
    paint: Paint,
    out: &mut impl Write,
) -> Result<(), PrintError> {
    let mut tables = output.tables;
    if let Some(column) = &arguments.sort_by {
        sort::sort(&mut tables, column)?;
    }
    match arguments.output {
        OutputFormat::Json => json(output.document, out)?,
        OutputFormat::Yaml => yaml::write(&serde_json::to_value(output.document)?, out)?,
        OutputFormat::Name => {
            for name in output.names {
                writeln!(out, "{name}")?;
            }
        }
        OutputFormat::Csv => {
            if let Some(table) = tables.first() {
                csv::write(table, !arguments.no_headers, out)?;
            }
        }
        OutputFormat::Markdown => markdown::write(&tables, out)?,
        OutputFormat::Table | OutputFormat::Wide => {
            // Without headers nothing tells where a second table begins, so only the main one is printed.
            let shown = if arguments.no_headers { 1 } else { tables.len() };
            let style = table::Style {
                wide: arguments.output == OutputFormat::Wide,
                headers: !arguments.no_headers,
                paint,
            };
            table::write(tables.get(..shown).unwrap_or_default(), style, out)?;
        }
    }
    out.flush()?;
    Ok(())
}

fn json(document: &impl Serialize, out: &mut impl Write) -> Result<(), PrintError> {
    serde_json::to_writer_pretty(&mut *out, document).map_err(|error| match error.io_error_kind() {
        Some(kind) => PrintError::Write(kind.into()),
        None => PrintError::Encode(error),
    })?;
    writeln!(out)?;
    Ok(())
}
