//! Counts of pods by domain, kept up to date as pods come and go.
//!
//! Inter-pod affinity and topology spread both ask one question: how many pods of a kind are in the domain of a node?
//! A [`Table`] answers it for one kind of pod and one topology key. Placing a pod touches only the tables that
//! count it, so the cost of a placement does not depend on the number of nodes or pods.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::catalog::Catalog;
use crate::ids::{DomainId, LabelSetId, MaskId, MatcherId, NONE, NodeId, SpecId, TableId};
use crate::nodes::Nodes;
use crate::symbol::Symbol;

/// Which domain each node is in.
#[derive(Debug)]
pub struct DomainColumn {
    /// Domain by node; [`NONE`] where the node lacks the label.
    pub of_node: Vec<u32>,
    /// How many domains there are.
    pub count: usize,
    /// Some node lacks the label.
    gaps: bool,
}

impl DomainColumn {
    fn new(of_node: Vec<u32>, count: usize) -> DomainColumn {
        DomainColumn {
            gaps: of_node.contains(&NONE),
            of_node,
            count,
        }
    }

    /// True when some node is in no domain.
    pub fn has_gaps(&self) -> bool {
        self.gaps
    }
}

/// A role in which running pods carry a term that concerns incoming pods.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Carried {
    /// Required anti-affinity, which keeps others away.
    RequiredAntiAffinity,
    /// Required affinity, which attracts with a configured weight.
    RequiredAffinity,
    /// Preferred terms of this weight, negative for anti-affinity.
    Preferred(i64),
}

/// When a table leaves a pod out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Leaves {
    /// Never.
    Nothing,
    /// Terminating pods, as topology spread does.
    Terminating,
    /// Every pod, as topology spread does for an empty selector.
    Everything,
}

/// What a table counts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Counted {
    /// Pods that match all of these.
    Selected(SmallVec<[MatcherId; 1]>, Leaves, Option<MaskId>),
    /// Pods that carry this term.
    Carrying(Carried, MatcherId),
}

/// Counts by domain.
#[derive(Debug, Clone)]
pub struct Table {
    /// Domains of the nodes.
    pub domains: Arc<DomainColumn>,
    /// Nodes whose pods count; `None` means all.
    mask: Option<Arc<[bool]>>,
    leaves: Leaves,
    /// Pods by domain.
    pub counts: Vec<i32>,
    /// Pods in all domains.
    pub total: i64,
    /// Domains that have at least one counted node; `None` means all.
    pub present: Option<Arc<[bool]>>,
    /// How many domains have a counted node.
    pub domain_count: usize,
}

impl Table {
    /// The count in the domain of a node; `None` where the node is in no domain.
    pub fn at(&self, node: NodeId) -> Option<i32> {
        let domain = self.domains.of_node[node.index()];
        (domain != NONE).then(|| self.counts[domain as usize])
    }

    /// The smallest count over the domains that have a counted node.
    pub fn smallest(&self) -> Option<i32> {
        match &self.present {
            None => self.counts.iter().min().copied(),
            Some(present) => self
                .counts
                .iter()
                .zip(present.iter())
                .filter(|(_, here)| **here)
                .map(|(count, _)| *count)
                .min(),
        }
    }
}

/// A carried term and who counts it.
#[derive(Debug, Clone, Copy)]
pub struct Carrier {
    /// Role of the term.
    pub role: Carried,
    /// Pods that the term selects.
    pub matcher: MatcherId,
    /// Topology key of the term.
    pub key: Symbol,
    /// Where the carrying pods are.
    pub table: TableId,
}

/// All tables and who feeds them.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    domains: Vec<Arc<DomainColumn>>,
    domain_ids: FxHashMap<Option<Symbol>, DomainId>,
    masks: Vec<Arc<[bool]>>,
    mask_ids: FxHashMap<Arc<[bool]>, MaskId>,
    tables: Vec<Table>,
    table_ids: FxHashMap<(Counted, DomainId), TableId>,
    selections: Vec<(SmallVec<[MatcherId; 1]>, TableId)>,
    by_label_set: Vec<Vec<TableId>>,
    by_spec: Vec<Vec<TableId>>,
    carriers: Vec<Carrier>,
    carriers_by_label_set: FxHashMap<LabelSetId, (usize, Vec<Carrier>)>,
}

/// A placed pod, as far as counting goes.
#[derive(Debug, Clone, Copy)]
pub struct CountedPod {
    /// Namespace and labels.
    pub labels: LabelSetId,
    /// Specification.
    pub spec: SpecId,
    /// Being deleted.
    pub terminating: bool,
}

impl Counts {
    /// A table.
    pub fn table(&self, id: TableId) -> &Table {
        &self.tables[id.index()]
    }

    /// The domains of a topology key, or the nodes themselves for `None`.
    pub fn domain(&mut self, nodes: &Nodes, key: Option<Symbol>) -> DomainId {
        if let Some(id) = self.domain_ids.get(&key) {
            return *id;
        }
        let column = match key {
            None => DomainColumn::new((0..nodes.len() as u32).collect(), nodes.len()),
            Some(key) => {
                let mut numbers: FxHashMap<Symbol, u32> = FxHashMap::default();
                let mut of_node = Vec::with_capacity(nodes.len());
                for node in nodes.ids() {
                    of_node.push(nodes.label(node, key).map_or(NONE, |value| {
                        let next = numbers.len() as u32;
                        *numbers.entry(value).or_insert(next)
                    }));
                }
                DomainColumn::new(of_node, numbers.len())
            }
        };
        let id = DomainId(self.domains.len() as u32);
        self.domains.push(Arc::new(column));
        self.domain_ids.insert(key, id);
        id
    }

    /// The column of a domain number.
    pub fn domain_column(&self, id: DomainId) -> &Arc<DomainColumn> {
        &self.domains[id.index()]
    }

    /// The number of a set of nodes; `None` when it holds every node that has a domain.
    fn mask(&mut self, domain: DomainId, mask: Vec<bool>) -> Option<MaskId> {
        let of_node = &self.domains[domain.index()].of_node;
        if of_node
            .iter()
            .zip(&mask)
            .all(|(domain, counted)| *counted || *domain == NONE)
        {
            return None;
        }
        let mask: Arc<[bool]> = mask.into();
        if let Some(id) = self.mask_ids.get(&mask) {
            return Some(*id);
        }
        let id = MaskId(self.masks.len() as u32);
        self.masks.push(Arc::clone(&mask));
        self.mask_ids.insert(mask, id);
        Some(id)
    }

    /// The table of pods that match all `matchers`, created and filled if needed.
    pub fn selected(
        &mut self,
        catalog: &Catalog,
        matchers: SmallVec<[MatcherId; 1]>,
        leaves: Leaves,
        domain: DomainId,
        mask: Option<Vec<bool>>,
        placed: &super::Placed<'_>,
    ) -> TableId {
        let mask = mask.and_then(|mask| self.mask(domain, mask));
        let key = (Counted::Selected(matchers.clone(), leaves, mask), domain);
        if let Some(id) = self.table_ids.get(&key) {
            return *id;
        }
        if let Some(last) = (catalog.label_sets.len() as u32).checked_sub(1) {
            self.register_label_set(catalog, LabelSetId(last));
        }
        let id = self.new_table(key, domain, mask, leaves);
        self.selections.push((matchers.clone(), id));
        for set in placed.label_sets(catalog, &matchers) {
            if matchers.iter().all(|matcher| catalog.selects(*matcher, set)) {
                self.by_label_set[set.index()].push(id);
                for (pod, node) in placed.pods_of_label_set(set) {
                    self.tables[id.index()].add(node, 1, pod.terminating, false);
                }
            }
        }
        id
    }

    fn new_table(
        &mut self,
        key: (Counted, DomainId),
        domain: DomainId,
        mask: Option<MaskId>,
        leaves: Leaves,
    ) -> TableId {
        let domains = Arc::clone(&self.domains[domain.index()]);
        let mask = mask.map(|id| Arc::clone(&self.masks[id.index()]));
        let present: Option<Arc<[bool]>> = mask.as_ref().map(|mask| {
            let mut present = vec![false; domains.count];
            for (domain, counted) in domains.of_node.iter().zip(mask.iter()) {
                if *counted && *domain != NONE {
                    present[*domain as usize] = true;
                }
            }
            present.into()
        });
        let domain_count = present.as_ref().map_or(domains.count, |present| {
            present.iter().filter(|here| **here).count()
        });
        let id = TableId(self.tables.len() as u32);
        self.tables.push(Table {
            counts: vec![0; domains.count],
            total: 0,
            domains,
            mask,
            leaves,
            present,
            domain_count,
        });
        self.table_ids.insert(key, id);
        id
    }

    /// Makes room for a new specification and registers the terms it carries.
    pub fn register_spec(&mut self, catalog: &Catalog, nodes: &Nodes, id: SpecId) {
        if self.by_spec.len() > id.index() {
            return;
        }
        for number in self.by_spec.len()..=id.index() {
            let spec = Arc::clone(catalog.spec(SpecId(number as u32)));
            let terms = &spec.terms;
            let mut tables = Vec::new();
            let roles = terms
                .required_anti_affinity
                .iter()
                .map(|term| (Carried::RequiredAntiAffinity, *term))
                .chain(
                    terms
                        .required_affinity
                        .iter()
                        .map(|term| (Carried::RequiredAffinity, *term)),
                )
                .chain(
                    terms
                        .preferred
                        .iter()
                        .map(|weighted| (Carried::Preferred(weighted.weight), weighted.term)),
                );
            for (role, term) in roles {
                let domain = self.domain(nodes, Some(term.topology_key));
                let key = (Counted::Carrying(role, term.matcher), domain);
                let table = match self.table_ids.get(&key) {
                    Some(table) => *table,
                    None => {
                        let table = self.new_table(key, domain, None, Leaves::Nothing);
                        self.carriers.push(Carrier {
                            role,
                            matcher: term.matcher,
                            key: term.topology_key,
                            table,
                        });
                        table
                    }
                };
                tables.push(table);
            }
            self.by_spec.push(tables);
        }
    }

    /// Makes room for a new label set and finds the tables that count it.
    pub fn register_label_set(&mut self, catalog: &Catalog, id: LabelSetId) {
        for number in self.by_label_set.len()..=id.index() {
            let set = LabelSetId(number as u32);
            let tables = self
                .selections
                .iter()
                .filter(|(matchers, _)| matchers.iter().all(|matcher| catalog.selects(*matcher, set)))
                .map(|(_, table)| *table)
                .collect();
            self.by_label_set.push(tables);
        }
    }

    /// Carried terms that select incoming pods with these labels.
    pub fn carriers_of(&mut self, catalog: &Catalog, set: LabelSetId) -> &[Carrier] {
        let (seen, found) = self.carriers_by_label_set.entry(set).or_default();
        for carrier in &self.carriers[*seen..] {
            if catalog.selects_incoming(carrier.matcher, set) {
                found.push(*carrier);
            }
        }
        *seen = self.carriers.len();
        found
    }

    /// How many carried terms are known; grows when a new specification brings one.
    pub fn carrier_count(&self) -> usize {
        self.carriers.len()
    }

    /// Counts a pod in (`sign` 1) or out (-1). In a dry run topology spread counts also what it otherwise leaves
    /// out, as its AddPod and RemovePod do (`podtopologyspread/filtering.go:updateWithPod`).
    pub fn apply(&mut self, pod: CountedPod, node: NodeId, sign: i32, dry_run: bool) {
        for table in &self.by_label_set[pod.labels.index()] {
            self.tables[table.index()].add(node, sign, pod.terminating, dry_run);
        }
        for table in &self.by_spec[pod.spec.index()] {
            self.tables[table.index()].add(node, sign, pod.terminating, dry_run);
        }
    }
}

impl Table {
    fn add(&mut self, node: NodeId, sign: i32, terminating: bool, dry_run: bool) {
        let domain = self.domains.of_node[node.index()];
        if domain == NONE || self.mask.as_ref().is_some_and(|mask| !mask[node.index()]) {
            return;
        }
        let left_out = match self.leaves {
            Leaves::Nothing => false,
            Leaves::Terminating => terminating,
            Leaves::Everything => true,
        };
        if left_out && !dry_run {
            return;
        }
        self.counts[domain as usize] += sign;
        self.total += i64::from(sign);
    }
}
