//! From API objects to what the scheduler sees.
