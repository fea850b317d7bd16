//! A fast reader for the YAML that kubectl writes: block mappings and lists, scalars plain, quoted or literal.
//!
//! It decodes straight from the text into a type, and passes over what the type does not want by looking at
//! indentation alone. Everything outside that subset (anchors, tags, flow collections with content, comments behind
//! values, tabs, folded scalars ...) and every type mismatch gives [`NotCanonical`]; the caller then reads the same text
//! with the general parser, which accepts all of YAML and says where a fault is. So this reader may refuse, but what it
//! accepts it must read as the general parser does; a property test compares the two.

mod cursor;
mod scalar;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;

use serde::de::value::{BorrowedStrDeserializer, StringDeserializer};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use crate::tree::{Scalar, float_key, resolve_plain, whole_number};
use cursor::{Cursor, Place};
use scalar::Text;

/// Text outside the subset, or not of the wanted type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not the YAML that kubectl writes")]
pub(crate) struct NotCanonical;

impl de::Error for NotCanonical {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

type Read<T> = Result<T, NotCanonical>;
type MaybeText<'de> = Option<Cow<'de, str>>;

/// Nested deeper, the general parser reads it.
const DEEPEST_NESTING: usize = 100;

/// A reader over one object.
pub(crate) struct Block<'de> {
    cursor: Cursor<'de>,
    depth: usize,
}

impl<'de> Block<'de> {
    /// A reader for an object whose first key is the first content of `text`; `dash` is the column of the list dash
    /// before it, if it is an item.
    pub(crate) fn new(text: &'de str, dash: Option<usize>) -> Read<Self> {
        Ok(Self {
            cursor: Cursor::new(text, dash)?,
            depth: 0,
        })
    }

    /// The values of the top-level keys `apiVersion` and `kind`, as far as they are there.
    pub(crate) fn identity(&mut self) -> Read<(MaybeText<'de>, MaybeText<'de>)> {
        let indent = self.cursor.column;
        let (mut api_version, mut kind) = (None, None);
        while (api_version.is_none() || kind.is_none()) && self.cursor.column == indent {
            let key = self.cursor.key()?;
            let wanted = match &*key.text {
                "apiVersion" => &mut api_version,
                "kind" => &mut kind,
                _ => {
                    self.cursor.skip_value(indent)?;
                    continue;
                }
            };
            match self.node(indent)? {
                Node::Scalar(text) => *wanted = Some(text.text),
                _ => return Err(NotCanonical),
            }
        }
        Ok((api_version, kind))
    }

    /// Decodes the object.
    pub(crate) fn object(&mut self) -> Classified<'_, 'de> {
        let indent = self.cursor.column;
        Classified {
            block: self,
            node: Node::Mapping(indent),
        }
    }

    /// Whether everything was read.
    pub(crate) fn is_at_end(&self) -> bool {
        self.cursor.column < 0
    }

    /// Looks at the value behind a key or dash whose collection is indented by `parent`.
    fn node(&mut self, parent: i32) -> Read<Node<'de>> {
        let place = self.cursor.place;
        if self.cursor.is_line_end() {
            self.cursor.next_line()?;
            let (column, dash) = (self.cursor.column, self.cursor.is_dash());
            // A list may stand at the indentation of its key, but not at that of the list around it.
            if column == parent && dash && place == Place::AfterKey {
                return Ok(Node::Sequence(column));
            }
            if column <= parent {
                return Ok(Node::Null);
            }
            return self.nested(column, parent);
        }
        if place == Place::AfterDash {
            let column = self.cursor.column;
            return self.nested(column, parent);
        }
        self.inline(parent)
    }

    /// A value that starts where a key or dash may stand.
    fn nested(&mut self, column: i32, parent: i32) -> Read<Node<'de>> {
        if self.cursor.is_dash() {
            return Ok(Node::Sequence(column));
        }
        if self.cursor.has_key()? {
            return Ok(Node::Mapping(column));
        }
        self.inline(parent)
    }

    fn inline(&mut self, parent: i32) -> Read<Node<'de>> {
        Ok(match self.cursor.empty_collection()? {
            Some(b'{') => Node::EmptyMapping,
            Some(_) => Node::EmptySequence,
            None => Node::Scalar(self.cursor.scalar(parent)?),
        })
    }
}

/// A value, seen but not decoded.
enum Node<'de> {
    Null,
    Mapping(i32),
    Sequence(i32),
    EmptyMapping,
    EmptySequence,
    Scalar(Text<'de>),
}

/// A value whose kind is known.
pub(crate) struct Classified<'a, 'de> {
    block: &'a mut Block<'de>,
    node: Node<'de>,
}

impl<'de> Deserializer<'de> for Classified<'_, 'de> {
    type Error = NotCanonical;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match self.node {
            Node::Null => visitor.visit_unit(),
            Node::EmptyMapping => visitor.visit_map(Empty),
            Node::EmptySequence => visitor.visit_seq(Empty),
            Node::Mapping(indent) => self
                .block
                .nested_value(|block| visitor.visit_map(Mapping { block, indent })),
            Node::Sequence(indent) => self
                .block
                .nested_value(|block| visitor.visit_seq(Sequence { block, indent })),
            Node::Scalar(text) => visit_scalar(text, visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        match &self.node {
            Node::Null => visitor.visit_none(),
            Node::Scalar(text) if text.plain && resolve_plain(&text.text) == Scalar::Null => {
                visitor.visit_none()
            }
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Read<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> Block<'de> {
    fn nested_value<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= DEEPEST_NESTING {
            return Err(NotCanonical);
        }
        self.depth += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }
}

fn visit_scalar<'de, V: Visitor<'de>>(text: Text<'de>, visitor: V) -> Read<V::Value> {
    if !text.plain {
        return visit_text(text.text, visitor);
    }
    match resolve_plain(&text.text) {
        Scalar::Text(_) => visit_text(text.text, visitor),
        Scalar::Null => visitor.visit_unit(),
        Scalar::Bool(value) => visitor.visit_bool(value),
        Scalar::Int(value) => visitor.visit_i64(value),
        Scalar::Uint(value) => visitor.visit_u64(value),
        Scalar::Float(value) => match whole_number(value) {
            Some(whole) => visitor.visit_i64(whole),
            None => visitor.visit_f64(value),
        },
    }
}

fn visit_text<'de, V: Visitor<'de>>(text: Cow<'de, str>, visitor: V) -> Read<V::Value> {
    match text {
        Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
        Cow::Owned(text) => visitor.visit_string(text),
    }
}

/// A value that was not looked at yet, in a collection indented by `parent`.
struct Unread<'a, 'de> {
    block: &'a mut Block<'de>,
    parent: i32,
}

impl<'a, 'de> Unread<'a, 'de> {
    fn classify(self) -> Read<Classified<'a, 'de>> {
        let node = self.block.node(self.parent)?;
        Ok(Classified {
            block: self.block,
            node,
        })
    }
}

impl<'de> Deserializer<'de> for Unread<'_, 'de> {
    type Error = NotCanonical;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.classify()?.deserialize_any(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.classify()?.deserialize_option(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Read<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Read<V::Value> {
        self.block.cursor.skip_value(self.parent)?;
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier
    }
}

struct Mapping<'a, 'de> {
    block: &'a mut Block<'de>,
    indent: i32,
}

impl<'de> MapAccess<'de> for Mapping<'_, 'de> {
    type Error = NotCanonical;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Read<Option<K::Value>> {
        let cursor = &mut self.block.cursor;
        if cursor.column < self.indent {
            return Ok(None);
        }
        if cursor.column > self.indent || cursor.is_dash() {
            return Err(NotCanonical);
        }
        let key = cursor.key()?;
        let name = match resolve_plain(&key.text) {
            Scalar::Text(_) => key.text,
            _ if !key.plain => key.text,
            Scalar::Int(value) => Cow::Owned(value.to_string()),
            Scalar::Bool(value) => Cow::Borrowed(if value { "true" } else { "false" }),
            Scalar::Float(value) => Cow::Owned(float_key(value)),
            Scalar::Null | Scalar::Uint(_) => return Err(NotCanonical),
        };
        if key.plain && name == "<<" {
            return Err(NotCanonical);
        }
        match name {
            Cow::Borrowed(name) => seed.deserialize(BorrowedStrDeserializer::<NotCanonical>::new(name)),
            Cow::Owned(name) => seed.deserialize(StringDeserializer::<NotCanonical>::new(name)),
        }
        .map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Read<V::Value> {
        seed.deserialize(Unread {
            block: self.block,
            parent: self.indent,
        })
    }
}

struct Sequence<'a, 'de> {
    block: &'a mut Block<'de>,
    indent: i32,
}

impl<'de> SeqAccess<'de> for Sequence<'_, 'de> {
    type Error = NotCanonical;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Read<Option<T::Value>> {
        let cursor = &mut self.block.cursor;
        if cursor.column < self.indent || (cursor.column == self.indent && !cursor.is_dash()) {
            return Ok(None);
        }
        if cursor.column > self.indent {
            return Err(NotCanonical);
        }
        cursor.dash()?;
        seed.deserialize(Unread {
            block: self.block,
            parent: self.indent,
        })
        .map(Some)
    }
}

/// `{}` and `[]`.
struct Empty;

impl<'de> MapAccess<'de> for Empty {
    type Error = NotCanonical;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, _: K) -> Read<Option<K::Value>> {
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, _: V) -> Read<V::Value> {
        Err(NotCanonical)
    }
}

impl<'de> SeqAccess<'de> for Empty {
    type Error = NotCanonical;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, _: T) -> Read<Option<T::Value>> {
        Ok(None)
    }
}
