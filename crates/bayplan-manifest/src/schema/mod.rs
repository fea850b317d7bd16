//! The fields of the kinds that are checked strictly, and the Go types behind them.
//!
//! `v1_37.json` is made from the Go types of Kubernetes 1.37; `leaderworkerset_v1.json` describes LeaderWorkerSet
//! (`sigs.k8s.io/lws/api/leaderworkerset/v1`). Both map a type's name to its JSON fields and their types.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

const KUBERNETES: &str = include_str!("v1_37.json");
const LEADER_WORKER_SET: &str = include_str!("leaderworkerset_v1.json");

/// The type of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldType {
    /// A string.
    String,
    /// A boolean.
    Bool,
    /// A whole number of 32 bits.
    Int32,
    /// A whole number of 64 bits.
    Int64,
    /// Any number.
    Float,
    /// `resource.Quantity`: a string or a number.
    Quantity,
    /// `intstr.IntOrString`.
    IntOrString,
    /// `metav1.Time`: a string in RFC 3339.
    Time,
    /// Bytes as base64.
    Bytes,
    /// Anything at all.
    Any,
    /// A list.
    List(Box<FieldType>),
    /// A mapping from free keys.
    Map(Box<FieldType>),
    /// A struct, by its name in the schema.
    Struct(Box<str>),
}

impl FieldType {
    fn parse(text: &str) -> Self {
        if let Some(item) = text.strip_prefix("[]") {
            return Self::List(Box::new(Self::parse(item)));
        }
        if let Some(item) = text.strip_prefix("map:") {
            return Self::Map(Box::new(Self::parse(item)));
        }
        match text {
            "string" => Self::String,
            "bool" => Self::Bool,
            "int32" => Self::Int32,
            "int64" => Self::Int64,
            "float" => Self::Float,
            "quantity" => Self::Quantity,
            "intorstring" => Self::IntOrString,
            "time" => Self::Time,
            "bytes" => Self::Bytes,
            "any" => Self::Any,
            name => Self::Struct(Box::from(name)),
        }
    }

    /// The struct that this type is or holds, through lists but not through maps.
    #[must_use]
    pub fn inner_struct(&self) -> Option<&str> {
        match self {
            Self::Struct(name) => Some(name),
            Self::List(item) => item.inner_struct(),
            _ => None,
        }
    }

    /// The type as Go prints it in the decoder's errors.
    #[must_use]
    pub fn go_name(&self) -> String {
        match self {
            Self::String => "string".to_owned(),
            Self::Bool => "bool".to_owned(),
            Self::Int32 => "int32".to_owned(),
            Self::Int64 => "int64".to_owned(),
            Self::Float => "float64".to_owned(),
            Self::Quantity => "resource.Quantity".to_owned(),
            Self::IntOrString => "intstr.IntOrString".to_owned(),
            Self::Time => "v1.Time".to_owned(),
            Self::Bytes => "[]uint8".to_owned(),
            Self::Any => "interface {}".to_owned(),
            Self::List(item) => format!("[]{}", item.go_name()),
            Self::Map(item) if **item == Self::Quantity => "v1.ResourceList".to_owned(),
            Self::Map(item) => format!("map[string]{}", item.go_name()),
            Self::Struct(name) => format!("v1.{name}"),
        }
    }
}

/// The fields of a struct by JSON name, sorted.
pub type Fields = BTreeMap<Box<str>, FieldType>;

/// All structs.
#[derive(Debug, Clone)]
pub struct Schema {
    structs: FxHashMap<Box<str>, Fields>,
}

impl Schema {
    /// The types of Kubernetes 1.37 and LeaderWorkerSet v1.
    ///
    /// Reading the tables takes well under a millisecond; keep the result when many documents are checked.
    #[must_use]
    pub fn v1_37() -> Self {
        let mut structs = FxHashMap::default();
        for table in [KUBERNETES, LEADER_WORKER_SET] {
            // The tables are part of the program and a test reads them, so there is nobody to report to here.
            let table: BTreeMap<Box<str>, BTreeMap<Box<str>, String>> =
                serde_json::from_str(table).unwrap_or_default();
            structs.extend(table.into_iter().map(|(name, fields)| {
                let fields = fields
                    .into_iter()
                    .map(|(field, kind)| (field, FieldType::parse(&kind)));
                (name, fields.collect())
            }));
        }
        Self { structs }
    }

    /// The fields of a struct.
    #[must_use]
    pub fn fields(&self, name: &str) -> Option<&Fields> {
        self.structs.get(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_type_exists() {
        let schema = Schema::v1_37();
        assert!(schema.structs.len() > 250, "tables were read");
        for (name, fields) in schema.structs.iter().collect::<BTreeMap<_, _>>() {
            for (field, kind) in fields {
                if let Some(inner) = kind.inner_struct() {
                    assert!(schema.fields(inner).is_some(), "{name}.{field} names {inner}");
                }
            }
        }
    }

    #[test]
    fn every_kind_that_is_read_can_be_checked() {
        let schema = Schema::v1_37();
        for (_, _, kind, _, _) in bayplan_model::object::Object::KINDS {
            assert!(schema.fields(kind).is_some(), "{kind}");
        }
    }
}
