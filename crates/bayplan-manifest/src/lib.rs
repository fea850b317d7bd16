//! From text to Kubernetes objects, with a place for everything that is wrong.
//!
//! Two ways in, for two needs:
//!
//! * [`load_manifests`]: what a user wants to apply (`-f`). Every document becomes a span tree, is checked as strictly
//!   as the API server's decoder checks it, and is decoded into an object that remembers where each field stands.
//! * [`load_cluster`]: what a cluster holds (`--cluster`), up to a gigabyte of it. Items are cut out of the text,
//!   decoded in parallel with only the fields that scheduling reads, handed over in input order and dropped.
//!
//! Bad input is never a crash and never silence: it becomes a [`Diagnostic`] with file, line, column and a hint, and
//! what can still be used is used.
//!
//! Reading files happens in [`source`] alone; everything else works on bytes the caller brings.

pub mod decode;
pub mod diagnostic;
pub mod load;
pub mod schema;
pub mod source;
pub mod strict;
pub mod tree;

pub use decode::{Manifest, load_manifests};
pub use diagnostic::{Diagnostic, Location, Severity};
pub use load::{LoadReport, Located, load_cluster};
pub use source::Input;
pub use tree::{Span, Tree};
