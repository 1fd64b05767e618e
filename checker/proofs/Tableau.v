(** Automata as the checker has them: sets of formulas as locations, without worse edges, and with equal locations as one
    (docs/certificates.md, "The automaton of a path formula"). *)

Require Import Arith Lia List.
From Starset Require Import Semantics Automaton Claims.
Import ListNotations.

(** An edge is no worse than another: it asks for no more now and has all its marks. *)
Definition no_worse (e' e : edge) : Prop := incl (guard e') (guard e) /\ incl (off e') (off e).

(** Which locations can be met. *)
Definition at_most (f : form) (q : list form) : Prop := forall g, In g q -> size g <= size f.

(** Locations are all sets; that guards are small is asked of those only that are met. So an automaton is taken up to the
    locations with small formulas. *)
Section Tableau.

Variable f : form.

(** [kept q] are the edges of location q that are not left out. *)
Variable kept : list form -> list edge.
Hypothesis kept_edges : forall q e, In e (kept q) -> In e (edges q).
Hypothesis kept_better : forall q e, In e (edges q) ->
  exists e', In e' (kept q) /\ no_worse e' e /\ incl (next e') (next e).

Definition fits (q : list form) : bool := forallb (fun g => size g <=? size f) q.

Lemma fits_true : forall q, fits q = true <-> at_most f q.
Proof.
  intro q. unfold fits, at_most. rewrite forallb_forall. split; intros all g it; apply Nat.leb_le; auto.
Qed.

(** Edges from a location whose formulas are small; there are no others among those that are met. *)
Definition kept_out (q : list form) : list (edge * list form) :=
  if fits q then map (fun e => (e, next e)) (kept q) else [].

Definition is_set (q l : list form) : Prop := q = l /\ at_most f q.

Lemma kept_next : forall q e, at_most f q -> In e (edges q) -> at_most f (next e).
Proof. intros q e all it. exact (proj2 (edges_bounded _ _ _ all it)). Qed.

Definition without_worse : automaton f.
Proof.
  refine {| loc := list form; first := [f]; out := kept_out; stands := is_set; covers := is_set |}.
  - intros q l e q' (same & all) it. subst l. unfold kept_out in it.
    destruct (fits q); [| contradiction]. apply in_map_iff in it. destruct it as (e' & is & member).
    injection is as same_e same_q. subst. apply kept_edges in member.
    exists e. repeat split; auto using incl_refl.
    + now apply edges_are_ways.
    + exact (kept_next q e all member).
  - intros q l e (same & all) member. subst l. destruct (kept_better q e member) as (e' & it & (guards & offs) & nexts).
    exists e', (next e'), (next e'). repeat split; auto.
    + unfold kept_out. rewrite (proj2 (fits_true q) all). apply in_map_iff. eauto.
    + exact (kept_next q e' all (kept_edges q e' it)).
  - split; [reflexivity |]. intros g [same | none]; [subst; apply le_n | contradiction].
  - split; [reflexivity |]. intros g [same | none]; [subst; apply le_n | contradiction].
  - intros q e q' g it member. unfold kept_out in it. destruct (fits q) eqn:all; [| contradiction].
    apply fits_true in all. apply in_map_iff in it. destruct it as (e' & is & it).
    injection is as same_e same_q. subst. apply kept_edges in it. exact (proj1 (edges_bounded _ _ _ all it) g member).
Defined.

End Tableau.

(** Nothing need be left out. *)
Definition tableau (f : form) : automaton f.
Proof.
  refine (without_worse f edges _ _).
  - intros q e it. exact it.
  - intros q e it. exists e. repeat split; auto using incl_refl.
Defined.

(** Of edges of one location to one target worse ones can be left out, in any automaton. *)
Section Fewer.

Variables (f : form) (aut : automaton f).
Variable fewer : loc _ aut -> list (edge * loc _ aut).
Hypothesis are_edges : forall q, incl (fewer q) (out _ aut q).
Hypothesis are_better : forall q e q', In (e, q') (out _ aut q) -> exists e', In (e', q') (fewer q) /\ no_worse e' e.

Definition fewer_edges : automaton f.
Proof.
  refine {| loc := loc _ aut; first := first _ aut; out := fewer; stands := stands _ aut; covers := covers _ aut |}.
  - intros q l e q' it member. exact (sound _ aut q l e q' it (are_edges q _ member)).
  - intros q l e it member. destruct (complete _ aut q l e it member) as (e' & q' & l' & there & guards & offs & rest).
    destruct (are_better q e' q' there) as (e'' & kept & guards' & offs').
    exists e'', q', l'. intuition eauto using incl_tran.
  - exact (stands_first _ aut).
  - exact (covers_first _ aut).
  - intros q e q' g member. exact (small _ aut q e q' g (are_edges q _ member)).
Defined.

End Fewer.

(** Locations with equal lists of edges can be one, in any automaton. *)
Section Merged.

Variables (f : form) (aut : automaton f).
Variable number : Type.
Variable name : loc _ aut -> number.
Variable merged : number -> list (edge * number).
Hypothesis same_edges : forall q, merged (name q) = map (fun eq => (fst eq, name (snd eq))) (out _ aut q).
(** Numbers that are no location's have no edges. *)
Hypothesis no_others : forall n, (forall q, name q <> n) -> merged n = [].

Lemma merged_edge : forall q e n, In (e, n) (merged (name q)) -> exists q', In (e, q') (out _ aut q) /\ name q' = n.
Proof.
  intros q e n it. rewrite same_edges in it. apply in_map_iff in it. destruct it as ((e', q') & same & member).
  injection same as same_e same_n. subst. eauto.
Qed.

Definition merged_locations : automaton f.
Proof.
  refine {| loc := number; first := name (first _ aut); out := merged;
            stands := fun n l => exists q, name q = n /\ stands _ aut q l;
            covers := fun n l => exists q, name q = n /\ covers _ aut q l |}.
  - intros n l e n' (q & is & it) member. subst n. apply merged_edge in member. destruct member as (q' & member & is').
    destruct (sound _ aut q l e q' it member) as (e' & way & guards & offs & there).
    exists e'. repeat split; auto. eauto.
  - intros n l e (q & is & it) member. subst n.
    destruct (complete _ aut q l e it member) as (e' & q' & l' & there & guards & offs & covered & nexts).
    exists e', (name q'), l'. repeat split; auto; eauto. rewrite same_edges. apply in_map_iff. exists (e', q'). auto.
  - exists (first _ aut). split; [reflexivity | apply stands_first].
  - exists (first _ aut). split; [reflexivity | apply covers_first].
  - intros n e n' g it member.
    destruct (Classical_Prop.classic (exists q, name q = n)) as [(q & is) | none].
    + subst n. apply merged_edge in it. destruct it as (q' & it & _). exact (small _ aut q e q' g it member).
    + rewrite no_others in it; [contradiction |]. intros q is. apply none. eauto.
Defined.

End Merged.

(** The location ∅: from it everything is accepted. *)
Lemma top_of_tableau : forall f e q', In (e, q') (out _ (tableau f) []) -> guard e = [] /\ off e = [] /\ q' = [].
Proof. intros f e q' [it | none]; [injection it as is_e is_q; subst; auto | contradiction]. Qed.
