//! Everything that is known by number: strings, specifications, label sets, matchers, resources.

mod affinity;
mod node_term;
mod spec;
mod spread;

use std::sync::Arc;

use rustc_hash::FxHashMap;

pub use affinity::PodTerm;

pub use node_term::{NameRestriction, NodeTermMatch, intern_node_selector, intern_preferred};
pub use spec::{Amounts, FEATURES, HostPort, Spec, TolerationMatch, is_scalar};
pub use spread::SpreadConstraint;

use crate::ids::{LabelSetId, MatcherId, ResourceId, SpecId};
use crate::matcher::{LabelMatch, LabelSet, Matcher};
use crate::symbol::{Interner, Symbol, SymbolLabels};

/// Interned descriptions shared by running and pending pods.
#[derive(Debug, Clone, Default)]
pub struct Catalog {
    /// Strings.
    pub interner: Interner,
    /// Distinct pod specifications.
    pub specs: Pool<Spec>,
    /// Distinct namespaces with labels.
    pub label_sets: Pool<LabelSet>,
    /// Distinct pod selections.
    pub matchers: Pool<Matcher>,
    /// Resources other than cpu, memory and ephemeral storage.
    pub resources: Pool<Symbol>,
    /// Labels of the namespaces that exist.
    pub namespaces: FxHashMap<Symbol, SymbolLabels>,
    /// Selectors of services by namespace.
    pub services: FxHashMap<Symbol, Vec<SymbolLabels>>,
    /// Selectors of ReplicationControllers, ReplicaSets and StatefulSets by kind, namespace and name.
    pub controllers: FxHashMap<(ControllerKind, Symbol, Symbol), LabelMatch>,
}

/// Controllers whose selector takes part in default spreading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ControllerKind {
    /// `v1` ReplicationController.
    ReplicationController,
    /// `apps/v1` ReplicaSet.
    ReplicaSet,
    /// `apps/v1` StatefulSet.
    StatefulSet,
}

impl Catalog {
    /// The number of a specification.
    pub fn spec_id(&mut self, spec: Spec) -> SpecId {
        SpecId(self.specs.intern(spec))
    }

    /// The specification of a number.
    pub fn spec(&self, id: SpecId) -> &Arc<Spec> {
        self.specs.get(id.index())
    }

    /// The number of a label set.
    pub fn label_set_id(&mut self, set: LabelSet) -> LabelSetId {
        LabelSetId(self.label_sets.intern(set))
    }

    /// The label set of a number.
    pub fn label_set(&self, id: LabelSetId) -> &Arc<LabelSet> {
        self.label_sets.get(id.index())
    }

    /// The number of a matcher.
    pub fn matcher_id(&mut self, matcher: Matcher) -> MatcherId {
        MatcherId(self.matchers.intern(matcher))
    }

    /// The matcher of a number.
    pub fn matcher(&self, id: MatcherId) -> &Arc<Matcher> {
        self.matchers.get(id.index())
    }

    /// The number of a resource.
    pub fn resource_id(&mut self, name: &str) -> ResourceId {
        let symbol = self.interner.intern(name);
        ResourceId(self.resources.intern(symbol))
    }

    /// The name of a resource.
    pub fn resource_name(&self, id: ResourceId) -> &str {
        self.interner.text(**self.resources.get(id.index()))
    }

    /// Labels of a namespace, if its object exists.
    pub fn namespace_labels(&self, namespace: Symbol) -> Option<&[(Symbol, Symbol)]> {
        self.namespaces.get(&namespace).map(AsRef::as_ref)
    }

    /// True when a running pod with these labels matches a term of an incoming pod.
    pub fn selects(&self, matcher: MatcherId, pod: LabelSetId) -> bool {
        let pod = self.label_set(pod);
        self.matcher(matcher)
            .selects(pod, self.namespace_labels(pod.namespace))
    }

    /// True when an incoming pod with these labels matches a term of a running pod.
    pub fn selects_incoming(&self, matcher: MatcherId, pod: LabelSetId) -> bool {
        let pod = self.label_set(pod);
        self.matcher(matcher)
            .selects_incoming(pod, self.namespace_labels(pod.namespace))
    }
}

/// Distinct values, numbered in order of arrival.
#[derive(Debug, Clone)]
pub struct Pool<T> {
    numbers: FxHashMap<Arc<T>, u32>,
    values: Vec<Arc<T>>,
}

impl<T> Default for Pool<T> {
    fn default() -> Self {
        Pool {
            numbers: FxHashMap::default(),
            values: Vec::new(),
        }
    }
}

impl<T: Eq + std::hash::Hash> Pool<T> {
    /// The number of an equal value, or a new one.
    pub fn intern(&mut self, value: T) -> u32 {
        if let Some(number) = self.numbers.get(&value) {
            return *number;
        }
        let number = self.values.len() as u32;
        let value = Arc::new(value);
        self.values.push(Arc::clone(&value));
        self.numbers.insert(value, number);
        number
    }

    /// The value of a number.
    pub fn get(&self, number: usize) -> &Arc<T> {
        &self.values[number]
    }

    /// How many values there are.
    #[allow(clippy::len_without_is_empty, reason = "nobody asks whether a pool is empty")]
    pub fn len(&self) -> usize {
        self.values.len()
    }
}
