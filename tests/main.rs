//! All integration tests in one binary, one module per concern.

mod reference;
