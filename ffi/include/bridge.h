// What Rust calls: see src/bridge.rs for the other side.
#pragma once

#include "rust/cxx.h"

namespace starset {

struct Automaton;

// The version of the headers this file was compiled with, and of the library that is loaded.
rust::String header_version();
rust::String library_version();

// Translates a formula of linear-time logic; throws on a syntax error and on anything Spot throws.
Automaton translate(rust::Str formula);

}  // namespace starset
