//! The table of filters and points that `--explain` shows for one pod.

use bayplan_api::{NodeReport, PodPlacement};

use crate::printer::{Cell, Column, Table, Tone};

/// Refused nodes with the same verdict are summed up beyond this many.
const REFUSED_LISTED: usize = 20;

/// Verdict and points of every node for a pod, the best first.
///
/// A point cell is `raw>weighted`: what the plugin gave, and what it counts after normalisation and weighting.
/// Plugins that treat all nodes alike are left to a note and to the wide form.
pub fn point_tables(pod: &PodPlacement) -> Option<Table> {
    let reports = pod.nodes.as_ref()?;
    let mut table = Table {
        title: title(pod),
        ..Table::default()
    };
    table.columns.push(Column::text("NODE"));
    table.columns.push(Column::number("TOTAL"));
    let scored: Vec<&NodeReport> = reports
        .iter()
        .filter(|report| !report.scores.is_empty())
        .collect();
    let plugins: Vec<(&str, i64)> = scored
        .first()
        .map(|report| {
            report
                .scores
                .iter()
                .map(|score| (score.plugin.as_str(), score.weight))
                .collect()
        })
        .unwrap_or_default();
    let mut alike = Vec::new();
    for (place, (plugin, weight)) in plugins.iter().enumerate() {
        let points: Vec<i64> = scored
            .iter()
            .map(|report| report.scores[place].weighted)
            .collect();
        let same = points.windows(2).all(|pair| pair[0] == pair[1]);
        let header = if *weight == 1 {
            (*plugin).to_owned()
        } else {
            format!("{plugin}(x{weight})")
        };
        let column = Column::number(header);
        if same {
            alike.extend(points.first().map(|points| format!("{plugin} {points}")));
            table.columns.push(column.wide());
        } else {
            table.columns.push(column);
        }
    }
    let refused = reports.iter().filter(|report| !report.feasible).count();
    if refused > 0 {
        table.columns.push(Column::text("REFUSED"));
    }
    if refused > REFUSED_LISTED {
        table.rows.extend(
            reports
                .iter()
                .filter(|report| report.feasible)
                .map(|report| row(report, &plugins, pod, true)),
        );
        table.rows.extend(summed_up(reports, plugins.len()));
    } else {
        table.rows.extend(
            reports
                .iter()
                .map(|report| row(report, &plugins, pod, refused > 0)),
        );
    }
    if scored.len() == 1 {
        table
            .notes
            .push("a live scheduler takes the only feasible node without scoring it".to_owned());
    } else if !alike.is_empty() {
        table
            .notes
            .push(format!("the same for all feasible nodes: {}", alike.join(", ")));
    }
    Some(table)
}

fn title(pod: &PodPlacement) -> String {
    match (&pod.node, pod.score, &pod.runner_up) {
        (Some(node), Some(score), Some(second)) => format!(
            "pod {} lands on {node} with {score} points, {} more than {}",
            pod.pod, second.margin, second.node
        ),
        (Some(node), ..) => format!("pod {} lands on {node}", pod.pod),
        (None, ..) => format!("pod {} stays pending", pod.pod),
    }
}

fn row(report: &NodeReport, plugins: &[(&str, i64)], pod: &PodPlacement, has_refused: bool) -> Vec<Cell> {
    let chosen = pod.node.as_ref() == Some(&report.node);
    let tone = if chosen { Tone::Good } else { Tone::Plain };
    let mut row = vec![Cell::from(report.node.as_str()).toned(tone)];
    row.push(Cell::from(
        report
            .total
            .map_or_else(|| "-".to_owned(), |total| total.to_string()),
    ));
    for place in 0..plugins.len() {
        row.push(match report.scores.get(place) {
            Some(score) => format!("{}>{}", score.raw, score.weighted).into(),
            None => "-".into(),
        });
    }
    if has_refused {
        row.push(if report.feasible {
            Cell::from("-")
        } else {
            Cell::from(verdict(report)).toned(Tone::Warn)
        });
    }
    row
}

fn verdict(report: &NodeReport) -> String {
    let reasons = report.reasons.join(", ");
    match &report.plugin {
        Some(plugin) => format!("{plugin}: {reasons}"),
        None => reasons,
    }
}

/// One row for each verdict, with the first node and the number of the others.
fn summed_up(reports: &[NodeReport], plugins: usize) -> Vec<Vec<Cell>> {
    let mut verdicts: Vec<(String, &str, usize)> = Vec::new();
    for report in reports.iter().filter(|report| !report.feasible) {
        let text = verdict(report);
        match verdicts.iter_mut().find(|(known, ..)| *known == text) {
            Some((_, _, count)) => *count += 1,
            None => verdicts.push((text, &report.node, 1)),
        }
    }
    let row = |(text, first, count): (String, &str, usize)| {
        let name = if count == 1 {
            first.to_owned()
        } else {
            format!("{first}+{}", count - 1)
        };
        let mut row: Vec<Cell> = vec![name.into(), "-".into()];
        row.extend((0..plugins).map(|_| Cell::from("-")));
        row.push(Cell::from(text).toned(Tone::Warn));
        row
    };
    verdicts.into_iter().map(row).collect()
}
