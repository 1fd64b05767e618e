(** Whole certificates: lower bounds of formulas, claims that rest on each other, and the verdict
    (docs/certificates.md, "What is proved"). *)

Require Import Arith Lia List.
Require Import ClassicalEpsilon.
From Starset Require Import Semantics Automaton Claims.
Import ListNotations.

Section Certificate.

Variables State Step : Type.
Variable steps : State -> Step -> State -> Prop.
Variable atom : nat -> State -> Prop.
Variable about : nat -> option Step -> Prop.
Variable initial : State -> Prop.

Notation path := (path State Step steps).
Notation sat := (sat State Step steps atom about).
Notation holds := (holds State Step steps atom about).
Notation reachable := (reachable State Step steps initial).
Notation atoms := (atoms State atom).
Notation abouts := (abouts Step about).

(** Atoms that are sure in a state. On all places these are those that are true; diagrams on some of the places know
    fewer. *)
Variable sure : bool -> nat -> State -> Prop.
Hypothesis sure_is_true : forall b a s, reachable s -> sure b a s -> atoms b a s.

(** What claims of kind [always] prove: formulas that are true in all reachable states. *)
Variable everywhere : form -> Prop.
Hypothesis everywhere_true : forall f, everywhere f -> is_state f = true /\ forall s, reachable s -> holds f s.

(** Formulas that are true at each position of each path of reachable states. *)
Inductive valid : form -> Prop :=
| valid_claim : forall f, everywhere f -> valid f
| valid_true : valid TT
| valid_and : forall f g, valid f -> valid g -> valid (And f g)
| valid_left : forall f g, valid f -> valid (Or f g)
| valid_right : forall f g, valid g -> valid (Or f g)
| valid_next : forall f, valid f -> valid (X f)
| valid_until : forall f g, valid g -> valid (U f g)
| valid_release : forall f g, valid g -> valid (R f g)
| valid_some : forall f, valid f -> valid (E f)
| valid_all : forall f, valid f -> valid (A f).

Lemma valid_sat : forall f, valid f -> forall p : path, reachable (at_ _ _ _ p 0) -> forall n, sat f p n.
Proof.
  intros f it. induction it; intros p from n; simpl; auto.
  - pose proof (reachable_path _ _ _ _ p from n) as there.
    destruct (everywhere_true f H) as (is & all). exact (all _ there p n eq_refl).
  - exists n. split; [apply le_n |]. split; [auto |]. intros m between. lia.
  - pose proof (reachable_path _ _ _ _ p from n) as there.
    exists (drop _ _ _ n p). simpl. rewrite Nat.add_0_r. split; [reflexivity |].
    apply IHit. simpl. rewrite Nat.add_0_r. exact there.
  - pose proof (reachable_path _ _ _ _ p from n) as there. intros q begins_. apply IHit. rewrite begins_. exact there.
Qed.

Lemma valid_holds : forall f, valid f -> forall s, reachable s -> holds f s.
Proof.
  intros f it s from p n same. rewrite <- (Nat.add_0_r n). apply sat_drop. apply valid_sat; [exact it |].
  simpl. rewrite Nat.add_0_r, same. exact from.
Qed.

(** The states of a claim, by its quantified formula. Nothing is claimed about other formulas. *)
Variable claimed : form -> State -> Prop.

(** The lower bound of a state formula. *)
Fixpoint low (f : form) (s : State) : Prop :=
  valid f \/
  match f with
  | TT => True
  | Atom b a => sure b a s
  | And f g => low f s /\ low g s
  | Or f g => low f s \/ low g s
  | E _ | A _ => claimed f s
  | _ => False
  end.

(** A path formula on a path, with letters by their lower bounds. *)
Fixpoint below (f : form) (p : path) (n : nat) : Prop :=
  valid f \/
  match f with
  | Letter b a => abouts b a (by_ _ _ _ p n)
  | And f g => below f p n /\ below g p n
  | Or f g => below f p n \/ below g p n
  | X f => below f p (S n)
  | U f g => exists k, n <= k /\ below g p k /\ forall m, n <= m < k -> below f p m
  | R f g => forall k, n <= k -> below g p k \/ exists m, n <= m < k /\ below f p m
  | _ => low f (at_ _ _ _ p n)
  end.

(** What is checked of a claim that a quantified formula is true in a state. *)
Inductive accepted (s : State) : form -> Prop :=
| accepted_all : forall f (aut : automaton (negate f)) (marks : list form)
    (P : loc _ aut -> State -> Prop) (rank : loc _ aut -> State -> nat),
    all_checked State Step steps about initial low f aut marks P rank ->
    P (first _ aut) s ->
    accepted s (A f)
| accepted_some : forall f (aut : automaton f) (marks : list form) (top : loc _ aut -> Prop)
    (H : loc _ aut -> nat -> State -> Prop) (rank : loc _ aut -> nat -> State -> nat),
    (forall q e q', In (e, q') (out _ aut q) -> incl (off e) marks) ->
    (forall q, top q -> exists e q', In (e, q') (out _ aut q) /\ guard e = [] /\ off e = [] /\ top q') ->
    some_checked State Step steps about initial low f aut marks top H rank ->
    H (first _ aut) 0 s ->
    accepted s (E f)
| accepted_run : forall f (p : path), at_ _ _ _ p 0 = s -> below f p 0 -> accepted s (E f).

Hypothesis all_accepted : forall f s, claimed f s -> accepted s f.

Notation right_up_to := (right_up_to State Step steps atom about initial low).

Lemma below_sat : forall n f, right_up_to n -> size f < n -> forall p : path, reachable (at_ _ _ _ p 0) ->
  forall i, below f p i -> sat f p i.
Proof.
  intros n f right_. induction f; intros fits p from i it; simpl in fits; cbn [below] in it;
    (destruct it as [all | it]; [now apply valid_sat |]);
    try (refine (right_ _ (at_ _ _ _ p i) _ _ _ it p i eq_refl); [simpl; lia | reflexivity | now apply reachable_path]).
  - exact it.
  - destruct it. split; [apply IHf1 | apply IHf2]; auto; lia.
  - destruct it; [left; apply IHf1 | right; apply IHf2]; auto; lia.
  - apply (IHf ltac:(lia) p from (S i) it).
  - destruct it as (k & le & here & before). exists k. split; [exact le |]. split.
    + apply IHf2; auto; lia.
    + intros m between. apply IHf1; auto; lia.
  - intros k le. destruct (it k le) as [here | (m & between & here)].
    + left. apply IHf2; auto; lia.
    + right. exists m. split; [exact between |]. apply IHf1; auto; lia.
Qed.

Lemma right_less : forall n m, m <= n -> right_up_to n -> right_up_to m.
Proof. intros n m le right_ g s fits. apply right_. lia. Qed.

(** Lower bounds are lower bounds. *)
Lemma low_right : forall n, right_up_to n.
Proof.
  induction n as [| n IH]; intros f s fits is from it; [lia |].
  assert (parts : forall g, size g < size f -> is_state g = true -> low g s -> holds g s).
  { intros g less is_g. apply IH; auto. lia. }
  destruct f; simpl in is; try discriminate; simpl in it; destruct it as [all | it];
    try (apply valid_holds; assumption).
  - intros p i same. exact I.
  - contradiction.
  - intros p i same. simpl. rewrite same. now apply sure_is_true.
  - apply andb_prop in is. destruct is, it. intros p i same. simpl.
    split; [apply (parts f1) | apply (parts f2)]; simpl; auto; lia.
  - apply andb_prop in is. destruct is, it; intros p i same; simpl;
      [left; apply (parts f1) | right; apply (parts f2)]; simpl; auto; lia.
  - simpl in fits. pose proof (all_accepted _ _ it) as ok. inversion ok; subst.
    + eapply theorem_2; eauto. apply (right_less n); [lia | exact IH].
    + intros q i same. simpl. exists p. split; [congruence |].
      apply (below_sat (S (size f))); auto. apply (right_less n); [lia | exact IH].
  - simpl in fits. pose proof (all_accepted _ _ it) as ok. inversion ok; subst.
    eapply theorem_1; eauto. apply (right_less n); [lia | exact IH].
Qed.

(** A verdict [true]: all first states are in the lower bound of the formula. *)
Theorem certificate_true : forall f, is_state f = true -> (forall s, initial s -> low f s) ->
  forall s, initial s -> holds f s.
Proof.
  intros f is all s it. eapply low_right; [apply Nat.lt_succ_diag_r | exact is | now apply reachable_first | auto].
Qed.

(** A verdict [false]: some first state is in the lower bound of the negation. *)
Theorem certificate_false : forall f, is_state f = true -> (exists s, initial s /\ low (negate f) s) ->
  ~ forall s, initial s -> holds f s.
Proof.
  intros f is (s & it & below_) all.
  assert (no : holds (negate f) s).
  { eapply low_right; [apply Nat.lt_succ_diag_r | rewrite is_state_negate; exact is | now apply reachable_first | auto]. }
  pose proof (no (path_from State Step steps s) 0 eq_refl) as false_. apply sat_negate in false_.
  apply false_. exact (all s it (path_from State Step steps s) 0 eq_refl).
Qed.

End Certificate.
