//! Typed values out of a tree, through serde.

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::{Entry, NodeId, Tree, Value};

/// Why a tree does not fit a type, and the innermost node concerned.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct DecodeError {
    /// What does not fit.
    pub message: String,
    /// Where, as far as known.
    pub node: Option<NodeId>,
}

impl de::Error for DecodeError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self {
            message: message.to_string(),
            node: None,
        }
    }
}

/// Decodes the value at a node. Whole numbers written as `1.0` or `1e3` count as integers, as they do once kubectl has
/// turned them into JSON.
#[derive(Debug, Clone, Copy)]
pub struct NodeDeserializer<'tree> {
    tree: &'tree Tree,
    node: NodeId,
}

impl<'tree> NodeDeserializer<'tree> {
    /// A deserializer for one node and what is below it.
    #[must_use]
    pub fn new(tree: &'tree Tree, node: NodeId) -> Self {
        Self { tree, node }
    }
}

/// The integer that a float is in JSON, if Go writes it without point and exponent.
pub(crate) fn whole(value: f64) -> Option<i64> {
    #[allow(clippy::cast_possible_truncation)] // The range is checked first.
    (value.fract() == 0.0 && value.abs() < 9.0e18).then_some(value as i64)
}

impl<'de> Deserializer<'de> for NodeDeserializer<'de> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        let result = match self.tree.value(self.node) {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Int(value) => visitor.visit_i64(*value),
            Value::Uint(value) => visitor.visit_u64(*value),
            Value::Float(value) => match whole(*value) {
                Some(whole) => visitor.visit_i64(whole),
                None => visitor.visit_f64(*value),
            },
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Sequence(items) => visitor.visit_seq(Items {
                tree: self.tree,
                items: items.iter(),
            }),
            Value::Mapping(entries) => visitor.visit_map(Entries {
                tree: self.tree,
                entries: entries.iter(),
                value: None,
            }),
        };
        result.map_err(|error| DecodeError {
            node: error.node.or(Some(self.node)),
            ..error
        })
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.tree.value(self.node) {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct enum identifier
    }
}

struct Items<'tree> {
    tree: &'tree Tree,
    items: std::slice::Iter<'tree, NodeId>,
}

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, DecodeError> {
        let Some(&node) = self.items.next() else {
            return Ok(None);
        };
        seed.deserialize(NodeDeserializer::new(self.tree, node)).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

struct Entries<'tree> {
    tree: &'tree Tree,
    entries: std::slice::Iter<'tree, Entry>,
    value: Option<NodeId>,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, DecodeError> {
        let Some(entry) = self.entries.next() else {
            return Ok(None);
        };
        self.value = Some(entry.value);
        let key: StrDeserializer<'de, DecodeError> = (&*entry.key).into_deserializer();
        seed.deserialize(key).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, DecodeError> {
        let node = self
            .value
            .take()
            .ok_or_else(|| de::Error::custom("a value was asked for before its key"))?;
        seed.deserialize(NodeDeserializer::new(self.tree, node))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}
