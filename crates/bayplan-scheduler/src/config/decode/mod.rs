//! Strict decoding of JSON values into the fields of Go structs, as `sigs.k8s.io/json` does.
//!
//! A field that is missing or `null` keeps the zero value, an unknown field and a value of a wrong type are errors.
//! The real decoder stops at the first wrong type; here decoding goes on, so that all faults are reported at once.

mod arguments;
mod configuration;
mod core;
mod extender;

pub(super) use arguments::{RawArguments, RawStrategy};
pub(super) use configuration::{
    RawConfiguration, RawLeaderElection, RawPlugin, RawPluginConfig, RawPluginSet, RawProfile, configuration,
};

pub(super) use extender::RawExtender;

use serde_json::{Map, Value};

use super::duration;
use super::error::{ConfigError, Errors, did_you_mean};

/// A JSON object that stands for a Go struct.
pub(super) struct Object<'value> {
    map: Option<&'value Map<String, Value>>,
    place: Place,
    /// Name of the Go struct, for the decoder's own words.
    struct_name: &'static str,
}

/// Where a value stands.
#[derive(Debug, Clone, Default)]
struct Place {
    /// Field path for messages to the user.
    path: String,
    /// Path of Go's decoder: field names from the outermost struct, without indices.
    stack: String,
    /// Go struct that has the field; none for an outermost value.
    parent: Option<&'static str>,
}

/// Collects the errors while values are taken out.
#[derive(Default)]
pub(super) struct Decoder {
    pub(super) errors: Errors,
}

impl<'value> Object<'value> {
    fn get(&self, field: &str) -> Option<&'value Value> {
        self.map?.get(field).filter(|value| !value.is_null())
    }

    fn place_of(&self, field: &str) -> Place {
        Place {
            path: join(&self.place.path, field),
            stack: join(&self.place.stack, field),
            parent: Some(self.struct_name),
        }
    }

    fn path_of(&self, field: &str) -> String {
        join(&self.place.path, field)
    }
}

fn join(path: &str, field: &str) -> String {
    if path.is_empty() {
        field.to_owned()
    } else {
        format!("{path}.{field}")
    }
}

impl Decoder {
    /// Takes a value for a Go struct with these JSON fields.
    fn object<'value>(
        &mut self,
        value: &'value Value,
        place: Place,
        struct_name: &'static str,
        fields: &[&str],
    ) -> Object<'value> {
        let map = match value {
            Value::Object(map) => Some(map),
            Value::Null => None,
            other => {
                self.wrong_type(other, &place, &go_type(struct_name));
                None
            }
        };
        for name in map
            .into_iter()
            .flat_map(Map::keys)
            .filter(|name| !fields.contains(&name.as_str()))
        {
            let message = format!("strict decoding error: unknown field {name:?}");
            let error = ConfigError::new(join(&place.path, name), message);
            self.errors
                .0
                .push(error.hint(did_you_mean(name, fields.iter().copied())));
        }
        Object {
            map,
            place,
            struct_name,
        }
    }

    /// A struct inside a struct; none when missing or `null`.
    fn child<'value>(
        &mut self,
        object: &Object<'value>,
        field: &str,
        struct_name: &'static str,
        fields: &[&str],
    ) -> Option<Object<'value>> {
        let value = object.get(field)?;
        Some(self.object(value, object.place_of(field), struct_name, fields))
    }

    /// The structs of a list.
    fn children<'value>(
        &mut self,
        object: &Object<'value>,
        field: &str,
        struct_name: &'static str,
        fields: &[&str],
    ) -> Vec<Object<'value>> {
        self.items(object, field, &format!("[]{}", go_type(struct_name)))
            .into_iter()
            .map(|(place, value)| self.object(value, place, struct_name, fields))
            .collect()
    }

    fn items<'value>(
        &mut self,
        object: &Object<'value>,
        field: &str,
        list_type: &str,
    ) -> Vec<(Place, &'value Value)> {
        match object.get(field) {
            Some(Value::Array(items)) => {
                let list = object.place_of(field);
                let place = |index| Place {
                    path: format!("{}[{index}]", list.path),
                    ..list.clone()
                };
                items
                    .iter()
                    .enumerate()
                    .map(|(index, item)| (place(index), item))
                    .collect()
            }
            Some(other) => {
                self.wrong_type(other, &object.place_of(field), list_type);
                Vec::new()
            }
            None => Vec::new(),
        }
    }

    fn texts(&mut self, object: &Object<'_>, field: &str) -> Vec<String> {
        let mut texts = Vec::new();
        for (place, item) in self.items(object, field, "[]string") {
            match item {
                Value::String(text) => texts.push(text.clone()),
                Value::Null => texts.push(String::new()),
                other => self.wrong_type(other, &place, "string"),
            }
        }
        texts
    }

    fn text(&mut self, object: &Object<'_>, field: &str) -> Option<String> {
        match object.get(field)? {
            Value::String(text) => Some(text.clone()),
            other => {
                self.wrong_type(other, &object.place_of(field), "string");
                None
            }
        }
    }

    fn boolean(&mut self, object: &Object<'_>, field: &str) -> Option<bool> {
        match object.get(field)? {
            Value::Bool(value) => Some(*value),
            other => {
                self.wrong_type(other, &object.place_of(field), "bool");
                None
            }
        }
    }

    fn int64(&mut self, object: &Object<'_>, field: &str) -> Option<i64> {
        let value = object.get(field)?;
        let number = integer(value);
        if number.is_none() {
            self.wrong_type(value, &object.place_of(field), "int64");
        }
        number
    }

    fn int32(&mut self, object: &Object<'_>, field: &str) -> Option<i32> {
        let value = object.get(field)?;
        let number = integer(value).and_then(|number| i32::try_from(number).ok());
        if number.is_none() {
            self.wrong_type(value, &object.place_of(field), "int32");
        }
        number
    }

    fn float32(&mut self, object: &Object<'_>, field: &str) {
        let Some(value) = object.get(field) else { return };
        let fits = value
            .as_f64()
            .is_some_and(|number| number.abs() <= f64::from(f32::MAX));
        if !fits {
            self.wrong_type(value, &object.place_of(field), "float32");
        }
    }

    /// A `metav1.Duration` in nanoseconds. `null_is_error` for a field that is no pointer: Go hands `null` to the
    /// duration's own decoder there, which refuses the empty text.
    fn duration(&mut self, object: &Object<'_>, field: &str, null_is_error: bool) -> Option<i64> {
        let text = match object.map.and_then(|map| map.get(field))? {
            Value::String(text) => text.as_str(),
            Value::Null if null_is_error => "",
            Value::Null => return None,
            other => {
                self.wrong_type(other, &object.place_of(field), "string");
                return None;
            }
        };
        match duration::parse(text) {
            Ok(nanoseconds) => Some(nanoseconds),
            Err(message) => {
                self.errors.push(&object.path_of(field), message);
                None
            }
        }
    }

    fn wrong_type(&mut self, value: &Value, place: &Place, go_type: &str) {
        let is_number = ["int32", "int64", "float32"].contains(&go_type);
        let found = match value {
            Value::Null => "null".to_owned(),
            Value::Bool(_) => "bool".to_owned(),
            // Go names the number only where it cannot be held.
            Value::Number(number) if is_number => format!("number {number}"),
            Value::Number(_) => "number".to_owned(),
            Value::String(_) => "string".to_owned(),
            Value::Array(_) => "array".to_owned(),
            Value::Object(_) => "object".to_owned(),
        };
        let target = match place.parent {
            Some(parent) => format!("Go struct field {parent}.{}", place.stack),
            None => "Go value".to_owned(),
        };
        self.errors.push(
            &place.path,
            format!("json: cannot unmarshal {found} into {target} of type {go_type}"),
        );
    }
}

/// A struct with its package, as Go prints it.
fn go_type(struct_name: &str) -> String {
    match struct_name {
        "LeaderElectionConfiguration" | "ClientConnectionConfiguration" => format!("v1alpha1.{struct_name}"),
        _ => format!("v1.{struct_name}"),
    }
}

/// A JSON number that Go accepts for an integer field.
///
/// A fraction of zero is taken: configurations are YAML, whose reader writes `1.0` as `1` before Go decodes it.
fn integer(value: &Value) -> Option<i64> {
    if let Some(number) = value.as_i64() {
        return Some(number);
    }
    let number = value.as_f64().filter(|_| !value.is_u64())?;
    let whole = number.fract() == 0.0 && number >= -(2f64.powi(63)) && number < 2f64.powi(63);
    #[allow(clippy::cast_possible_truncation)] // Whole and in range by the check above.
    whole.then_some(number as i64)
}
