//! What a user wants to apply: documents, checked strictly, as typed objects that know their place in the text.

use std::collections::BTreeMap;
use std::sync::Arc;

use bayplan_model::object::{Object, UnknownKind};

use crate::diagnostic::{Diagnostic, Location, code};
use crate::schema::Schema;
use crate::source::{Input, SourceText, collect, read_text};
use crate::strict;
use crate::tree::{NodeDeserializer, NodeId, Span, Tree, Value, parse_documents};

/// Lists inside lists beyond this are refused; kubectl writes one level.
const DEEPEST_LIST: usize = 8;

/// One object of a manifest, with the text it came from.
#[derive(Debug, Clone)]
pub struct Manifest {
    /// The object, as written: nothing is defaulted yet.
    pub object: Object,
    /// `apiVersion` as written.
    pub api_version: String,
    tree: Arc<Tree>,
    root: NodeId,
}

impl Manifest {
    /// The document that holds the object.
    #[must_use]
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// The object within the document: its root, or an item of a list.
    #[must_use]
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The bytes to mark for a field path such as `spec.template.spec.containers[0].image`: the value, or the key of
    /// the nearest field above it that exists.
    #[must_use]
    pub fn span_of(&self, field_path: &str) -> Span {
        self.tree.mark(self.tree.field_from(self.root, field_path))
    }

    /// The place of a field path, for a diagnostic.
    #[must_use]
    pub fn locate(&self, field_path: &str) -> Location {
        self.tree.locate(self.span_of(field_path))
    }

    /// Whether the field is written at all, be it as `null`.
    #[must_use]
    pub fn has(&self, field_path: &str) -> bool {
        self.tree.field_from(self.root, field_path).complete
    }

    /// `namespace/Kind/name` as written.
    #[must_use]
    pub fn name(&self) -> String {
        self.object.reference().to_string()
    }
}

/// Reads manifests: every object of a kind that is known, and everything that is wrong with the rest.
///
/// Objects come in the order of the inputs and of the text; `List` items one by one. An object with an error is not
/// returned (the API server would not store it), the others are. Kinds that scheduling does not read are named once
/// each as information.
#[must_use]
pub fn load_manifests(inputs: Vec<Input>) -> (Vec<Manifest>, Vec<Diagnostic>) {
    let (files, diagnostics) = collect(inputs);
    let mut reader = Reader {
        schema: None,
        manifests: Vec::new(),
        diagnostics,
        unknown: BTreeMap::new(),
    };
    for file in files {
        let (source, found) = read_text(file);
        reader.diagnostics.extend(found);
        if let Some(source) = source {
            reader.read_source(&Arc::new(source));
        }
    }
    reader.report_unknown_kinds();
    (reader.manifests, reader.diagnostics)
}

struct Reader {
    /// Read when the first object is checked.
    schema: Option<Schema>,
    manifests: Vec<Manifest>,
    diagnostics: Vec<Diagnostic>,
    /// Kinds that are not read: the first place and how many.
    unknown: BTreeMap<UnknownKind, (Location, usize)>,
}

impl Reader {
    fn read_source(&mut self, source: &Arc<SourceText>) {
        let (trees, found) = parse_documents(source);
        let nothing = trees.is_empty() && found.is_empty() && source.damaged.is_empty();
        self.diagnostics.extend(found);
        if nothing {
            self.diagnostics.push(
                Diagnostic::warning(code::NO_OBJECTS, "there is no object in this input")
                    .at(Location::line_of(Arc::clone(&source.name), 1))
                    .hint("check that the command that wrote it succeeded"),
            );
        }
        for tree in trees {
            let root = tree.root();
            self.read_object(&Arc::new(tree), root, None, 0);
        }
    }

    /// Reads the object at a node. `inherited` is what the list around it says its items are.
    fn read_object(&mut self, tree: &Arc<Tree>, node: NodeId, inherited: Option<(&str, &str)>, depth: usize) {
        if !matches!(tree.value(node), Value::Mapping(_)) {
            let found = tree.value(node).json_name();
            self.diagnostics.push(
                Diagnostic::error(
                    code::NOT_AN_OBJECT,
                    format!("a Kubernetes object is wanted, this is of type {found}"),
                )
                .at(tree.locate(tree.node(node).span))
                .hint("an object has apiVersion, kind and metadata"),
            );
            return;
        }
        let api_version = self.identity(tree, node, "apiVersion", inherited.map(|(version, _)| version));
        let kind = self.identity(tree, node, "kind", inherited.map(|(_, kind)| kind));
        let (Some(api_version), Some(kind)) = (api_version, kind) else {
            return;
        };
        if let Some(item_kind) = kind
            .strip_suffix("List")
            .filter(|_| tree.get(node, "items").is_some())
        {
            self.read_list(tree, node, &api_version, item_kind, depth);
            return;
        }
        match lookup(&api_version, &kind) {
            Lookup::Known => self.decode(tree, node, &api_version, &kind),
            Lookup::Unknown => {
                let place = tree.locate(tree.mark(tree.field_from(node, "kind")));
                let key = UnknownKind { api_version, kind };
                self.unknown.entry(key).or_insert((place, 0)).1 += 1;
            }
            Lookup::Misnamed(hint) => {
                let field = if hint.starts_with("kind") {
                    "kind"
                } else {
                    "apiVersion"
                };
                self.diagnostics.push(
                    Diagnostic::error(
                        code::UNKNOWN_KIND,
                        format!("no matches for kind \"{kind}\" in version \"{api_version}\""),
                    )
                    .at(tree.locate(tree.mark(tree.field_from(node, field))))
                    .object(tree.object_name(node))
                    .hint(format!("write {hint}")),
                );
            }
        }
    }

    fn read_list(
        &mut self,
        tree: &Arc<Tree>,
        node: NodeId,
        api_version: &str,
        item_kind: &str,
        depth: usize,
    ) {
        let Some(Value::Sequence(items)) = tree.get(node, "items").map(|items| tree.value(items)) else {
            return;
        };
        let inherited = (!item_kind.is_empty()).then_some((api_version, item_kind));
        if depth >= DEEPEST_LIST {
            self.diagnostics.push(
                Diagnostic::error(code::TOO_DEEP, "lists inside lists inside lists")
                    .at(tree.locate(tree.mark(tree.field_from(node, "items")))),
            );
            return;
        }
        for &item in items {
            self.read_object(tree, item, inherited, depth + 1);
        }
    }

    /// `apiVersion` or `kind`; reports when it is missing or no string.
    fn identity(
        &mut self,
        tree: &Tree,
        node: NodeId,
        field: &str,
        inherited: Option<&str>,
    ) -> Option<String> {
        if let Some(text) = tree
            .get_str(node, field)
            .filter(|text| !text.is_empty())
            .or(inherited)
        {
            return Some(text.to_owned());
        }
        let place = tree.locate(tree.mark(tree.field_from(node, field)));
        let diagnostic = if tree.get(node, field).is_some() {
            Diagnostic::error(code::NOT_AN_OBJECT, format!("{field} must be a string"))
                .hint("for example: apiVersion: apps/v1, kind: Deployment")
        } else {
            Diagnostic::error(code::NOT_AN_OBJECT, format!("{field} is not set")).hint(format!(
                "every object names its {field}; for example: apiVersion: apps/v1, kind: Deployment"
            ))
        };
        self.diagnostics
            .push(diagnostic.at(place).object(tree.object_name(node)));
        None
    }

    fn decode(&mut self, tree: &Arc<Tree>, node: NodeId, api_version: &str, kind: &str) {
        let schema = self.schema.get_or_insert_with(Schema::v1_37);
        let found = strict::check(schema, tree, node, api_version, kind);
        let faulty = found.iter().any(Diagnostic::is_error);
        self.diagnostics.extend(found);
        if faulty || tree.has_duplicate_keys() {
            return;
        }
        match Object::decode(api_version, kind, NodeDeserializer::new(tree, node)) {
            Ok(Ok(object)) => self.manifests.push(Manifest {
                object,
                api_version: api_version.to_owned(),
                tree: Arc::clone(tree),
                root: node,
            }),
            // Known kinds were looked up before.
            Ok(Err(_)) => {}
            Err(error) => {
                let place = error.node.unwrap_or(node);
                self.diagnostics.push(
                    Diagnostic::error(code::INVALID_VALUE, error.message)
                        .at(tree.locate(tree.node(place).span))
                        .object(tree.object_name(node)),
                );
            }
        }
    }

    fn report_unknown_kinds(&mut self) {
        for (kind, (place, count)) in std::mem::take(&mut self.unknown) {
            self.diagnostics.push(unknown_kind(&kind, count).at(place));
        }
    }
}

/// The remark about a kind that is passed over.
pub(crate) fn unknown_kind(kind: &UnknownKind, count: usize) -> Diagnostic {
    let objects = if count == 1 {
        "1 object".to_owned()
    } else {
        format!("{count} objects")
    };
    Diagnostic::info(
        code::UNKNOWN_KIND,
        format!(
            "{objects} of kind {} ({}) passed over: scheduling does not read it",
            kind.kind, kind.api_version
        ),
    )
}

/// What the server of version 1.37 knows about a kind.
enum Lookup {
    Known,
    /// A kind that scheduling does not read, or a custom resource.
    Unknown,
    /// Not served under this name; what to write instead.
    Misnamed(String),
}

fn lookup(api_version: &str, kind: &str) -> Lookup {
    let version_of = |group: &str, version: &str| {
        if group.is_empty() {
            version.to_owned()
        } else {
            format!("{group}/{version}")
        }
    };
    let same_kind = Object::KINDS
        .iter()
        .filter(|(_, _, known, ..)| known.eq_ignore_ascii_case(kind));
    let mut misnamed = None;
    for (group, version, known, ..) in same_kind {
        let right_version = version_of(group, version);
        let written_group = api_version.rsplit_once('/').map_or("", |(group, _)| group);
        if right_version == api_version && *known == kind {
            return Lookup::Known;
        }
        // A custom resource may share its kind's name with a built-in one.
        let built_in = written_group == *group || !written_group.contains('.');
        if right_version == api_version {
            misnamed = Some(format!("kind: {known}"));
        } else if built_in && *known == kind {
            misnamed = Some(format!("apiVersion: {right_version}"));
        }
    }
    misnamed.map_or(Lookup::Unknown, Lookup::Misnamed)
}
