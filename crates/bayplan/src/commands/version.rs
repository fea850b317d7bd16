//! `bayplan version`.

use bayplan_api::{Document, Release, SCHEDULER_VERSION, TOOL_VERSION};

use super::show;
use crate::args::version::VersionArguments;
use crate::exit::Exit;
use crate::printer::{Column, Output, Table};

/// Prints the versions.
///
/// # Errors
/// When standard output cannot be written to.
pub fn run(arguments: &VersionArguments) -> anyhow::Result<Exit> {
    let release = Release {
        version: TOOL_VERSION,
        architecture: std::env::consts::ARCH,
        operating_system: std::env::consts::OS,
    };
    let table = Table {
        columns: vec![
            Column::text("NAME"),
            Column::text("VERSION"),
            Column::text("PLATFORM").wide(),
        ],
        rows: vec![
            vec![
                "bayplan".into(),
                TOOL_VERSION.into(),
                format!("{}/{}", release.operating_system, release.architecture).into(),
            ],
            vec!["kube-scheduler".into(), SCHEDULER_VERSION.into(), "<none>".into()],
        ],
        ..Table::default()
    };
    let names = vec![
        format!("bayplan/{TOOL_VERSION}"),
        format!("kube-scheduler/{SCHEDULER_VERSION}"),
    ];
    let document = Document::new(release);
    show(
        Output {
            document: &document,
            tables: vec![table],
            names,
        },
        &arguments.output,
    )?;
    Ok(Exit::Clean)
}
