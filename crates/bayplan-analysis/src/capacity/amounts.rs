//! Amounts of resources as the scheduler counts them: cpu in millicores, everything else in units, rounded up.

use std::collections::BTreeMap;

use bayplan_model::Quantity;

/// Amounts by resource name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Amounts(BTreeMap<String, i64>);

/// One amount with its resource, to be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amount<'a> {
    /// Resource name.
    pub resource: &'a str,
    /// Millicores for cpu, bytes for memory and storage, else a number.
    pub value: i64,
}

impl From<&BTreeMap<String, Quantity>> for Amounts {
    fn from(list: &BTreeMap<String, Quantity>) -> Self {
        let value = |name: &str, quantity: &Quantity| match name {
            "cpu" => quantity.milli_value(),
            _ => quantity.value(),
        };
        Amounts(
            list.iter()
                .map(|(name, quantity)| (name.clone(), value(name, quantity)))
                .collect(),
        )
    }
}

impl Amounts {
    /// The amount of a resource, 0 when it is not listed.
    pub fn get(&self, resource: &str) -> i64 {
        self.0.get(resource).copied().unwrap_or(0)
    }

    /// Whether a resource is listed, be it with 0.
    pub fn has(&self, resource: &str) -> bool {
        self.0.contains_key(resource)
    }

    /// Sets an amount.
    pub fn set(&mut self, resource: &str, value: i64) {
        self.0.insert(resource.to_owned(), value);
    }

    /// Adds amounts.
    pub fn add(&mut self, other: &Amounts) {
        for (name, value) in &other.0 {
            match self.0.get_mut(name) {
                Some(sum) => *sum = sum.saturating_add(*value),
                None => {
                    self.0.insert(name.clone(), *value);
                }
            }
        }
    }

    /// Names of the listed resources.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

impl Amount<'_> {
    /// In Kubernetes' exact notation.
    pub fn exact(self) -> String {
        match self.resource {
            "cpu" => Quantity::from_milli(self.value).to_string(),
            resource if is_bytes(resource) => Quantity::from_bytes(self.value).to_string(),
            _ => self.value.to_string(),
        }
    }

    /// For people: cores and binary multiples with at most two decimals.
    pub fn rounded(self) -> String {
        match self.resource {
            "cpu" => decimals(self.value as f64 / 1000.0),
            resource if is_bytes(resource) => bytes(self.value),
            _ => self.value.to_string(),
        }
    }
}

fn is_bytes(resource: &str) -> bool {
    resource == "memory" || resource == "ephemeral-storage" || resource.starts_with("hugepages-")
}

fn bytes(value: i64) -> String {
    const UNITS: [(&str, f64); 4] = [
        ("Ti", (1u64 << 40) as f64),
        ("Gi", (1u64 << 30) as f64),
        ("Mi", (1u64 << 20) as f64),
        ("Ki", 1024.0),
    ];
    let size = value.unsigned_abs() as f64;
    match UNITS.iter().find(|(_, unit)| size >= *unit) {
        Some((suffix, unit)) => format!("{}{suffix}", decimals(value as f64 / unit)),
        None => value.to_string(),
    }
}

fn decimals(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 100.0 => 0,
        size if size >= 10.0 => 1,
        _ => 2,
    };
    let text = format!("{value:.digits$}");
    if digits == 0 {
        text
    } else {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_round_numbers_and_programs_exact_ones() {
        let shown = |resource, value| {
            (
                Amount { resource, value }.exact(),
                Amount { resource, value }.rounded(),
            )
        };
        assert_eq!(shown("cpu", 191_450), ("191450m".to_owned(), "191".to_owned()));
        assert_eq!(shown("cpu", -1_500), ("-1500m".to_owned(), "-1.5".to_owned()));
        assert_eq!(shown("memory", 1 << 39), ("512Gi".to_owned(), "512Gi".to_owned()));
        assert_eq!(
            shown("memory", (3 << 40) / 2),
            ("1536Gi".to_owned(), "1.5Ti".to_owned())
        );
        assert_eq!(shown("nvidia.com/gpu", 8), ("8".to_owned(), "8".to_owned()));
    }
}
