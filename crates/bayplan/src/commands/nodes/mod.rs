//! `bayplan nodes`.

mod document;
mod tables;

use bayplan_analysis::capacity::CapacityBuilder;
use bayplan_api::Document;
use bayplan_manifest::Diagnostic;
use bayplan_model::object::Object;

use super::show;
use crate::args::nodes::NodesArguments;
use crate::diagnostics::{issues, tell};
use crate::exit::Exit;
use crate::input::{InputHash, check_levels, code, missing_cluster, parse_selector, read_objects};
use crate::printer::Output;

/// Prints used and free resources.
///
/// # Errors
/// No cluster was given, a selector cannot be read, or standard output cannot be written to.
pub fn run(arguments: &NodesArguments) -> anyhow::Result<Exit> {
    if arguments.cluster.cluster.is_empty() {
        return Err(missing_cluster(&arguments.cluster.live, &["nodes", "pods"], "nodes").into());
    }
    let selector = arguments.selector.as_deref().map(parse_selector).transpose()?;
    let mut hash = InputHash::default();
    let mut builder = CapacityBuilder::new(&arguments.model_label);
    let found = read_objects(
        &arguments.cluster,
        &mut hash,
        &mut false,
        &mut |object| match object {
            Object::Node(node) => builder.add_node(node),
            Object::Pod(pod) => builder.add_pod(&pod),
            _ => {}
        },
    )?;
    let capacity = builder.finish(&arguments.domains.levels, |node| {
        selector
            .as_ref()
            .is_none_or(|selector| selector.matches(&node.metadata.labels))
    });
    check_levels(&capacity.domains)?;
    let mut diagnostics = found.diagnostics;
    diagnostics.extend(capacity.unknown_nodes.iter().map(|(node, pods)| {
        let text = format!("{pods} pods run on node {node}, which is not in the input; they are not counted");
        Diagnostic::warning(code::UNUSED_OBJECT, text).hint("capture nodes and pods together")
    }));
    let empty = !found.counts.contains_key("Node");
    if empty {
        diagnostics.push(
            Diagnostic::error(code::NO_NODES, "there is no node in the input")
                .hint("capture the nodes as well: kubectl get nodes,pods -A -o yaml"),
        );
    }
    let mut document = Document::new(document::body(&capacity, &arguments.model_label));
    document.input_hash = hash.finish();
    document.issues = issues(&diagnostics);
    tell(&diagnostics, &[], &arguments.output)?;
    let tables = if empty {
        Vec::new()
    } else {
        tables::tables(&capacity, &document.body, &arguments.by)
    };
    let names = document
        .body
        .nodes
        .iter()
        .map(|node| format!("node/{}", node.node))
        .collect();
    show(
        Output {
            document: &document,
            tables,
            names,
        },
        &arguments.output,
    )?;
    Ok(if empty { Exit::Failure } else { Exit::Clean })
}
