//! One YAML document to a tree.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use granit_parser::{Event, Options, Parser, ScalarStyle, Span as EventSpan, StrInput, Tag};
use rustc_hash::FxHashMap;

use super::build::{Builder, Keys, Refusal};
use super::resolve::{Scalar, float_key, resolve_plain};
use super::{DEEPEST_NESTING, Entry, NodeId, Span, Tree, Value, syntax_error};
use crate::diagnostic::{Diagnostic, code};
use crate::source::SourceText;

/// Reads the document in `piece` of the text. Diagnostics are ready for the user; without a tree one is an error.
pub(super) fn parse_document(
    source: &Arc<SourceText>,
    piece: Range<usize>,
) -> (Option<Tree>, Vec<Diagnostic>) {
    let mut reader = Reader {
        source,
        base: piece.start,
        builder: Builder::default(),
        anchors: FxHashMap::default(),
        open: Vec::new(),
        diagnostics: Vec::new(),
    };
    let root = match reader.read(piece) {
        Ok(root) => root,
        Err(diagnostic) => {
            reader.diagnostics.push(*diagnostic);
            None
        }
    };
    let Reader {
        builder,
        mut diagnostics,
        ..
    } = reader;
    // A document that is empty or `null` is passed over, as kubectl does.
    let root = root.filter(|root| builder.nodes[root.0 as usize].value != Value::Null);
    let tree = root.map(|root| {
        diagnostics.extend(syntax_error::duplicates(source, &builder.duplicates));
        Tree {
            source: Arc::clone(source),
            nodes: builder.nodes,
            root,
            has_duplicate_keys: !builder.duplicates.is_empty(),
        }
    });
    (tree, diagnostics)
}

/// A collection whose end has not been seen.
enum Open {
    Sequence {
        items: Vec<NodeId>,
        start: Span,
        anchor: usize,
    },
    Mapping {
        keys: Keys,
        /// The key that waits for its value.
        key: Option<Key>,
        start: Span,
        anchor: usize,
    },
}

/// A key as read.
enum Key {
    Name { name: Box<str>, span: Span },
    Merge { span: Span },
}

struct Reader<'source> {
    source: &'source Arc<SourceText>,
    base: usize,
    builder: Builder,
    anchors: FxHashMap<usize, NodeId>,
    open: Vec<Open>,
    diagnostics: Vec<Diagnostic>,
}

type Failure = Box<Diagnostic>;

impl Reader<'_> {
    /// Reads the first document; the root is `None` when the piece holds none.
    fn read(&mut self, piece: Range<usize>) -> Result<Option<NodeId>, Failure> {
        let source = Arc::clone(self.source);
        let text = &source.text[piece.clone()];
        let mut parser: Parser<'_, StrInput<'_>> = Parser::new_from_str_with_options(text, options());
        let mut root = None;
        while let Some(next) = parser.next_event() {
            let (event, span) = next.map_err(|error| syntax_error::explain(&source, &piece, &error))?;
            let place = self.span(span);
            let done = match event {
                Event::Scalar(value, style, anchor, tag) => {
                    self.scalar(&value, style, anchor, tag.as_deref(), place)?
                }
                Event::Alias(anchor) => self.alias(anchor, place)?,
                Event::SequenceStart(_, anchor, _) => {
                    self.refuse_as_key("a list", place)?;
                    self.open.push(Open::Sequence {
                        items: Vec::new(),
                        start: place,
                        anchor,
                    });
                    None
                }
                Event::MappingStart(_, anchor, _) => {
                    self.refuse_as_key("a mapping", place)?;
                    self.open.push(Open::Mapping {
                        keys: Keys::default(),
                        key: None,
                        start: place,
                        anchor,
                    });
                    None
                }
                Event::SequenceEnd | Event::MappingEnd => self.close(place)?,
                Event::DocumentStart(..) if root.is_some() => {
                    self.warn_about_second_document(place);
                    break;
                }
                _ => None,
            };
            root = root.or(done);
        }
        Ok(root)
    }

    /// A finished value goes into the collection around it, or is the root.
    fn finish(&mut self, id: NodeId, place: Span) -> Result<Option<NodeId>, Failure> {
        match self.open.last_mut() {
            None => Ok(Some(id)),
            Some(Open::Sequence { items, .. }) => {
                items.push(id);
                Ok(None)
            }
            Some(Open::Mapping { keys, key, .. }) => {
                match key.take() {
                    Some(Key::Name { name, span }) => {
                        let entry = Entry {
                            key: name,
                            key_span: span,
                            value: id,
                            merged: false,
                        };
                        self.builder.insert(keys, entry);
                    }
                    Some(Key::Merge { span }) => {
                        let sources = match &self.builder.nodes[id.0 as usize].value {
                            // Earlier ones win, so they are entered last.
                            Value::Sequence(items) => items.iter().rev().copied().collect(),
                            _ => vec![id],
                        };
                        for from in sources {
                            let is_mapping = self.builder.merge(keys, from, span);
                            if !is_mapping.map_err(|refusal| refuse(self.source, refusal))? {
                                return Err(self.fault(
                                    place,
                                    "a merge key (`<<`) needs a mapping or a list of mappings",
                                ));
                            }
                        }
                    }
                    // A list or mapping cannot get here: it was refused when it began.
                    None => {}
                }
                Ok(None)
            }
        }
    }

    fn scalar(
        &mut self,
        text: &str,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<&Tag>,
        place: Span,
    ) -> Result<Option<NodeId>, Failure> {
        let plain = style == ScalarStyle::Plain;
        let scalar = self.resolve(text, plain, tag, place)?;
        if let Some(Open::Mapping { key: key @ None, .. }) = self.open.last_mut() {
            if plain && tag.is_none() && text == "<<" {
                *key = Some(Key::Merge { span: place });
                return Ok(None);
            }
            let name = match scalar {
                Scalar::Text(text) => Box::from(text),
                Scalar::Int(value) => value.to_string().into_boxed_str(),
                Scalar::Float(value) => float_key(value).into_boxed_str(),
                Scalar::Bool(value) => Box::from(if value { "true" } else { "false" }),
                Scalar::Null | Scalar::Uint(_) => {
                    return Err(self.fault(place, "a key must be a string"));
                }
            };
            *key = Some(Key::Name { name, span: place });
            if anchor != 0 {
                let id = self.add(Value::String(Box::from(text)), place)?;
                self.anchors.insert(anchor, id);
            }
            return Ok(None);
        }
        let value = match scalar {
            Scalar::Null => Value::Null,
            Scalar::Bool(value) => Value::Bool(value),
            Scalar::Int(value) => Value::Int(value),
            Scalar::Uint(value) => Value::Uint(value),
            Scalar::Float(value) => Value::Float(value),
            Scalar::Text(text) => Value::String(Box::from(text)),
        };
        let id = self.add(value, place)?;
        if anchor != 0 {
            self.anchors.insert(anchor, id);
        }
        self.finish(id, place)
    }

    /// `resolve()` with tags: strings stay strings, other core tags must fit.
    fn resolve<'text>(
        &self,
        text: &'text str,
        plain: bool,
        tag: Option<&Tag>,
        place: Span,
    ) -> Result<Scalar<'text>, Failure> {
        let Some(tag) = tag else {
            return Ok(if plain {
                resolve_plain(text)
            } else {
                Scalar::Text(text)
            });
        };
        let name = tag
            .suffix_in_namespace("tag:yaml.org,2002:")
            .unwrap_or(Cow::Borrowed(""));
        let resolved = resolve_plain(text);
        match (&*name, &resolved) {
            ("null", Scalar::Null)
            | ("bool", Scalar::Bool(_))
            | ("int", Scalar::Int(_) | Scalar::Uint(_))
            | ("float", Scalar::Float(_)) => Ok(resolved),
            #[allow(clippy::cast_precision_loss)] // Go converts the same way.
            ("float", Scalar::Int(value)) => Ok(Scalar::Float(*value as f64)),
            ("null" | "bool" | "int" | "float", _) => {
                Err(self.fault(place, &format!("`{text}` is not a YAML {name}, as its tag says")))
            }
            ("binary", _) => Err(self.fault(place, "`!!binary` values are not read here")),
            _ => Ok(Scalar::Text(text)),
        }
    }

    fn alias(&mut self, anchor: usize, place: Span) -> Result<Option<NodeId>, Failure> {
        let Some(&target) = self.anchors.get(&anchor) else {
            return Err(self.fault(place, "the value of this anchor contains itself"));
        };
        if let Some(Open::Mapping { key: key @ None, .. }) = self.open.last_mut() {
            let name = match &self.builder.nodes[target.0 as usize].value {
                Value::String(text) => text.clone(),
                _ => return Err(self.fault(place, "an alias used as a key must stand for a string")),
            };
            *key = Some(Key::Name { name, span: place });
            return Ok(None);
        }
        self.builder
            .use_alias(target, place)
            .map_err(|refusal| refuse(self.source, refusal))?;
        self.finish(target, place)
    }

    fn close(&mut self, end: Span) -> Result<Option<NodeId>, Failure> {
        let (value, start, anchor) = match self.open.pop() {
            Some(Open::Sequence { items, start, anchor }) => (Value::Sequence(items), start, anchor),
            Some(Open::Mapping {
                keys, start, anchor, ..
            }) => (Value::Mapping(keys.entries), start, anchor),
            None => return Ok(None),
        };
        let span = Span {
            start: start.start,
            end: self.end_of(&value, start, end),
        };
        let id = self.add(value, span)?;
        if anchor != 0 {
            self.anchors.insert(anchor, id);
        }
        self.finish(id, span)
    }

    /// The end of a collection: its bracket in flow style, else the end of its last line with content. The parser
    /// reports the end of a block only where the next token starts.
    fn end_of(&self, value: &Value, start: Span, end: Span) -> u32 {
        let text = &self.source.text;
        let flow = matches!(text.as_bytes().get(start.start as usize), Some(b'[' | b'{'));
        let empty = matches!(value, Value::Mapping(entries) if entries.is_empty())
            || matches!(value, Value::Sequence(items) if items.is_empty());
        if flow || empty {
            return end.end.max(start.end);
        }
        let last = match value {
            Value::Mapping(entries) => entries.last().map(|entry| (entry.value, entry.key_span.end)),
            Value::Sequence(items) => items.last().map(|&item| (item, start.end)),
            _ => None,
        };
        let (last, at_least) = last.unwrap_or((NodeId(0), start.end));
        let last_end = self.builder.nodes[last.0 as usize].span.end;
        // Behind an alias the node ends elsewhere: then the line of the key is the best there is.
        if last_end >= at_least && last_end <= end.end {
            last_end
        } else {
            at_least
        }
    }

    fn add(&mut self, value: Value, span: Span) -> Result<NodeId, Failure> {
        self.builder
            .add(value, span)
            .map_err(|refusal| refuse(self.source, refusal))
    }

    fn refuse_as_key(&self, what: &str, place: Span) -> Result<(), Failure> {
        match self.open.last() {
            Some(Open::Mapping { key: None, .. }) => {
                Err(self.fault(place, &format!("{what} cannot be a key")))
            }
            _ => Ok(()),
        }
    }

    fn warn_about_second_document(&mut self, place: Span) {
        self.diagnostics.push(
            Diagnostic::warning(code::SYNTAX, "what follows `...` is not read")
                .at(self.source.locate(place.range()))
                .hint("separate documents with `---`"),
        );
    }

    fn span(&self, span: EventSpan) -> Span {
        let range = span.byte_range().unwrap_or(0..0);
        Span::new(self.base + range.start, self.base + range.end.max(range.start))
    }

    fn fault(&self, place: Span, message: &str) -> Failure {
        Box::new(Diagnostic::error(code::SYNTAX, message).at(self.source.locate(place.range())))
    }
}

fn options() -> Options {
    granit_parser::options! {
        block_nesting_limit: DEEPEST_NESTING,
        flow_nesting_limit: DEEPEST_NESTING,
        bom_inside_document_as_content: true,
    }
}

/// The diagnostic for a document that would expand or nest too far.
pub(super) fn refuse(source: &SourceText, refusal: Refusal) -> Box<Diagnostic> {
    Box::new(match refusal {
        Refusal::ExcessiveAliasing(span) => Diagnostic::error(
            code::EXCESSIVE_ALIASING,
            "aliases expand this document to far more than it holds",
        )
        .at(source.locate(span.range()))
        .hint("write the repeated parts out, or split the document"),
        Refusal::TooDeep(span) => Diagnostic::error(
            code::TOO_DEEP,
            format!("nested deeper than {DEEPEST_NESTING} levels"),
        )
        .at(source.locate(span.range()))
        .hint("no Kubernetes object nests this deep; check for brackets that are never closed"),
    })
}
