//! Finds libspot by pkg-config and compiles the bridge; see the crate's documentation.

use std::env;

/// Oldest version of Spot with all that the bridge uses.
const OLDEST: &str = "2.11";

fn main() {
    for file in ["src/lib.rs", "src/bridge.rs", "src/bridge.cc", "include/bridge.h"] {
        println!("cargo:rerun-if-changed={file}");
    }
    let find = |library: &str, oldest: &str| pkg_config::Config::new().atleast_version(oldest).probe(library);
    let found = find("libspot", OLDEST).and_then(|spot| Ok([spot, find("libbddx", "0")?]));
    let libraries = match found {
        Ok(libraries) => libraries,
        Err(error) if env::var_os("CARGO_FEATURE_REQUIRED").is_some() => panic!(
            "\n\nThe feature `spot` needs libspot {OLDEST} or later with its headers, found by pkg-config.\n\
             Install it with Homebrew (`brew install spot`), with conda (`conda install -c conda-forge spot`), or\n\
             from the upstream repositories for Debian and Fedora (https://spot.lre.epita.fr/install.html).\n\
             If it is installed elsewhere, point PKG_CONFIG_PATH to the folder of its libspot.pc.\n\n{error}\n"
        ),
        Err(_) => return,
    };
    println!("cargo:rustc-cfg=libspot");
    // A library outside the system's folders is found again when the program runs.
    for path in libraries.iter().flat_map(|library| &library.link_paths) {
        println!("cargo:rustc-link-arg=-Wl,-rpath,{}", path.display());
    }
    cxx_build::bridge("src/bridge.rs")
        .file("src/bridge.cc")
        .includes(libraries.iter().flat_map(|library| &library.include_paths))
        .include("include")
        .std("c++17")
        .warnings(false)
        .compile("spot-rs-bridge");
}
