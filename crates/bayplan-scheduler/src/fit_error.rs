//! The text of a pod that fits nowhere (`pkg/scheduler/framework/types.go:FitError.Error`, v1.37.2).

use std::collections::BTreeMap;

use crate::status::Rejection;

/// What is said of the nodes of a failed cycle.
#[derive(Debug, Clone, Default)]
pub struct Diagnosis {
    /// How many nodes there are.
    pub node_count: usize,
    /// What PreFilter said; the nodes are then not listed.
    pub pre_filter: Option<String>,
    /// Rejections by number of nodes.
    pub rejections: Vec<(Rejection, usize)>,
}

impl Diagnosis {
    /// Adds a rejection of some nodes; one of no node is not spoken of.
    pub fn add(&mut self, rejection: &Rejection, nodes: usize) {
        if nodes == 0 {
            return;
        }
        match self.rejections.iter_mut().find(|(known, _)| known == rejection) {
            Some((_, count)) => *count += nodes,
            None => self.rejections.push((rejection.clone(), nodes)),
        }
    }

    /// The message: reasons counted, sorted as strings, joined by commas.
    pub fn message(&self, post_filter: Option<&str>) -> String {
        let mut text = format!("0/{} nodes are available:", self.node_count);
        match &self.pre_filter {
            Some(reason) => text.push_str(&format!(" {reason}.")),
            None => {
                let mut histogram: BTreeMap<&str, usize> = BTreeMap::new();
                for (rejection, nodes) in &self.rejections {
                    for reason in &rejection.reasons {
                        *histogram.entry(reason).or_default() += nodes;
                    }
                }
                let mut lines: Vec<String> = histogram
                    .into_iter()
                    .map(|(reason, count)| format!("{count} {reason}"))
                    .collect();
                lines.sort();
                if !lines.is_empty() {
                    text.push_str(&format!(" {}.", lines.join(", ")));
                }
            }
        }
        if let Some(post_filter) = post_filter.filter(|text| !text.is_empty()) {
            text.push(' ');
            text.push_str(post_filter);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::Diagnosis;
    use crate::config::Plugin;
    use crate::status::Rejection;

    #[test]
    fn reasons_are_counted_and_sorted_as_strings() {
        let mut diagnosis = Diagnosis {
            node_count: 14,
            ..Diagnosis::default()
        };
        let mut cpu = Rejection::resolvable(Plugin::NodeResourcesFit, "Insufficient cpu");
        cpu.reasons.push("Insufficient memory".to_owned());
        diagnosis.add(&cpu, 2);
        diagnosis.add(
            &Rejection::unresolvable(Plugin::NodeUnschedulable, "node(s) were unschedulable"),
            11,
        );
        diagnosis.add(
            &Rejection::resolvable(Plugin::NodeResourcesFit, "Insufficient cpu"),
            1,
        );
        diagnosis.add(&Rejection::unresolvable(Plugin::NodeAffinity, "nobody"), 0);
        assert_eq!(
            diagnosis.message(Some("preemption: no.")),
            "0/14 nodes are available: 11 node(s) were unschedulable, 2 Insufficient memory, 3 Insufficient cpu. preemption: no."
        );
    }
}
