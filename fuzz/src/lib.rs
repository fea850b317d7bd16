//! What the fuzz targets share.

pub mod case;
pub mod exact;
pub mod mutate;
pub mod read;
