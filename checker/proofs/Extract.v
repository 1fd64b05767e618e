(** The reference checker as a program of OCaml. Numbers become machine integers. *)

Require Import ExtrOcamlBasic ExtrOcamlNatInt.
From Starset Require Import Semantics Automaton Reference.

Extraction Language OCaml.
Extraction "reference.ml" check edges.
