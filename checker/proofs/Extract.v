(** The reference checker as a program of OCaml. Numbers of states and formulas become machine integers, those of
    inequalities stay as long as they are. *)

Require Import ZArith ExtrOcamlBasic ExtrOcamlNatInt.
From Starset Require Import Semantics Automaton Reference Inequalities Conditions.

Extraction Language OCaml.
Extraction "reference.ml" check edges always_is_checked Z.add Z.mul Z.opp Z.of_nat.
