//! Which nodes changed since somebody last looked.

use crate::ids::NodeId;

/// Entries kept before the oldest half is forgotten.
const KEPT: usize = 1 << 16;

/// A log of changed nodes. Readers remember a position and ask for what came after it.
#[derive(Debug, Clone, Default)]
pub struct TouchedNodes {
    log: Vec<NodeId>,
    forgotten: u64,
}

impl TouchedNodes {
    /// Notes that a node changed.
    pub fn push(&mut self, node: NodeId) {
        if self.log.len() >= KEPT {
            self.log.drain(..KEPT / 2);
            self.forgotten += (KEPT / 2) as u64;
        }
        self.log.push(node);
    }

    /// Position after the newest entry.
    pub fn position(&self) -> u64 {
        self.forgotten + self.log.len() as u64
    }

    /// Entries after `position`; `None` when some of them are forgotten and everything must be looked at again.
    pub fn since(&self, position: u64) -> Option<&[NodeId]> {
        let start = position.checked_sub(self.forgotten)?;
        self.log.get(start as usize..)
    }
}
