//! Tests of the volume plugins: real answers, and small cases in text.

mod answers;
mod objects;
mod preemption;
mod replay;
mod rules;
