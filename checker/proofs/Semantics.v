(** Transition systems, paths, and CTL* in negation normal form (docs/certificates.md, "The form that is checked").

    Paths are those of the stutter semantics: all are infinite, and a state without steps is its own successor. *)

Require Import Arith Lia List.
Require Import ClassicalEpsilon.
Import ListNotations.

(** Formulas. State formulas and path formulas are of one type. [Atom] is about a state, [Letter] about the step that is
    taken. A negated atom or letter is an atom or letter of its own: [negate] maps between the two. *)
Inductive form : Type :=
| TT
| FF
| Atom (positive : bool) (a : nat)
| Letter (positive : bool) (a : nat)
| And (f g : form)
| Or (f g : form)
| X (f : form)
| U (f g : form)
| R (f g : form)
| E (f : form)
| A (f : form).

Definition form_dec : forall f g : form, {f = g} + {f <> g}.
Proof. decide equality; auto using Nat.eq_dec, Bool.bool_dec. Defined.

(** The negation, again in negation normal form: exchanges each operator with its dual. *)
Fixpoint negate (f : form) : form :=
  match f with
  | TT => FF
  | FF => TT
  | Atom b a => Atom (negb b) a
  | Letter b a => Letter (negb b) a
  | And f g => Or (negate f) (negate g)
  | Or f g => And (negate f) (negate g)
  | X f => X (negate f)
  | U f g => R (negate f) (negate g)
  | R f g => U (negate f) (negate g)
  | E f => A (negate f)
  | A f => E (negate f)
  end.

Lemma negate_negate : forall f, negate (negate f) = f.
Proof. induction f; simpl; try congruence; rewrite Bool.negb_involutive; reflexivity. Qed.

(** State formulas: their truth depends on the first state of a path alone. *)
Fixpoint is_state (f : form) : bool :=
  match f with
  | TT | FF | Atom _ _ | E _ | A _ => true
  | And f g | Or f g => is_state f && is_state g
  | _ => false
  end.

Lemma is_state_negate : forall f, is_state (negate f) = is_state f.
Proof. induction f; simpl; try congruence; try reflexivity. Qed.

Fixpoint size (f : form) : nat :=
  match f with
  | TT | FF | Atom _ _ | Letter _ _ => 1
  | And f g | Or f g | U f g | R f g => 1 + size f + size g
  | X f | E f | A f => 1 + size f
  end.

Section System.

(** A transition system. Labels are steps, for instance the transitions of a net with a number. *)
Variables State Step : Type.
Variable steps : State -> Step -> State -> Prop.
Variable atom : nat -> State -> Prop.
(** What is asked about the step of a position; [None] is a deadlock that repeats. *)
Variable about : nat -> option Step -> Prop.

Definition deadlock (s : State) : Prop := forall t s', ~ steps s t s'.

(** One position of a path to the next. *)
Definition move (s : State) (o : option Step) (s' : State) : Prop :=
  match o with
  | Some t => steps s t s'
  | None => deadlock s /\ s' = s
  end.

Record path : Type := {
  at_ : nat -> State;
  by_ : nat -> option Step;
  moves : forall n, move (at_ n) (by_ n) (at_ (S n)) }.

Lemma moves_from : forall p k n, move (at_ p (k + n)) (by_ p (k + n)) (at_ p (k + S n)).
Proof. intros p k n. rewrite Nat.add_succ_r. apply moves. Qed.

(** A path without its first [k] positions. *)
Definition drop (k : nat) (p : path) : path :=
  {| at_ := fun n => at_ p (k + n); by_ := fun n => by_ p (k + n); moves := moves_from p k |}.

Definition atoms (b : bool) (a : nat) (s : State) : Prop := if b then atom a s else ~ atom a s.
Definition abouts (b : bool) (a : nat) (o : option Step) : Prop := if b then about a o else ~ about a o.

(** The meaning of formulas at position [n] of a path. *)
Fixpoint sat (f : form) (p : path) (n : nat) : Prop :=
  match f with
  | TT => True
  | FF => False
  | Atom b a => atoms b a (at_ p n)
  | Letter b a => abouts b a (by_ p n)
  | And f g => sat f p n /\ sat g p n
  | Or f g => sat f p n \/ sat g p n
  | X f => sat f p (S n)
  | U f g => exists k, n <= k /\ sat g p k /\ forall m, n <= m < k -> sat f p m
  | R f g => forall k, n <= k -> sat g p k \/ exists m, n <= m < k /\ sat f p m
  | E f => exists q, at_ q 0 = at_ p n /\ sat f q 0
  | A f => forall q, at_ q 0 = at_ p n -> sat f q 0
  end.

(** Positions of a path without its beginning are positions of the path. *)
Lemma sat_drop : forall f p k n, sat f (drop k p) n <-> sat f p (k + n).
Proof.
  induction f; intros p k n; simpl; try tauto.
  - rewrite IHf1, IHf2; tauto.
  - rewrite IHf1, IHf2; tauto.
  - rewrite IHf. rewrite Nat.add_succ_r. tauto.
  - split.
    + intros (m & le & here & before). exists (k + m). split; [lia |]. split; [now apply IHf2 |].
      intros j between. replace j with (k + (j - k)) by lia. apply IHf1. apply before. lia.
    + intros (m & le & here & before). exists (m - k). split; [lia |]. split.
      * apply IHf2. replace (k + (m - k)) with m by lia. assumption.
      * intros j between. apply IHf1. apply before. lia.
  - split.
    + intros all m le. destruct (all (m - k)) as [here | (j & between & here)]; [lia | |].
      * left. apply IHf2 in here. replace (k + (m - k)) with m in here by lia. assumption.
      * right. exists (k + j). split; [lia |]. now apply IHf1.
    + intros all m le. destruct (all (k + m)) as [here | (j & between & here)]; [lia | |].
      * left. now apply IHf2.
      * right. exists (j - k). split; [lia |]. apply IHf1. replace (k + (j - k)) with j by lia. assumption.
Qed.

(** Truth of a state formula in a state. *)
Definition holds (f : form) (s : State) : Prop := forall p n, at_ p n = s -> sat f p n.

(** Each state has a path from it. *)
Lemma next_move : forall s, exists o s', move s o s'.
Proof.
  intro s. destruct (classic (exists t s', steps s t s')) as [(t & s' & it) | none].
  - exists (Some t), s'. exact it.
  - exists None, s. split; [| reflexivity]. intros t s' it. apply none. eauto.
Qed.

Definition onward (s : State) : { os : option Step * State | move s (fst os) (snd os) }.
Proof.
  apply constructive_indefinite_description. destruct (next_move s) as (o & s' & it). exists (o, s'). exact it.
Defined.

Fixpoint follow (s : State) (n : nat) : State :=
  match n with
  | 0 => s
  | S n => snd (proj1_sig (onward (follow s n)))
  end.

Definition path_from (s : State) : path.
Proof.
  refine {| at_ := follow s; by_ := fun n => fst (proj1_sig (onward (follow s n))) |}.
  intro n. simpl. exact (proj2_sig (onward (follow s n))).
Defined.

Lemma path_from_begins : forall s, at_ (path_from s) 0 = s.
Proof. reflexivity. Qed.

(** A state formula is true at a position if it is at any other with the same state. *)
Lemma state_form_same : forall f, is_state f = true ->
  forall p n q m, at_ p n = at_ q m -> sat f p n -> sat f q m.
Proof.
  induction f; simpl; intros is p n q m same; try discriminate; auto.
  - unfold atoms. rewrite same. auto.
  - apply andb_prop in is. destruct is. intros (one & two). split; eauto.
  - apply andb_prop in is. destruct is. intros [one | two]; [left | right]; eauto.
  - intros (r & begins & it). exists r. split; [congruence | assumption].
  - intros all r begins. apply all. congruence.
Qed.

Lemma holds_at : forall f, is_state f = true -> forall p n, sat f p n -> holds f (at_ p n).
Proof. intros f is p n it q m same. apply (state_form_same f is p n q m); auto. Qed.

(** [negate] is negation. *)
Lemma sat_negate : forall f p n, sat (negate f) p n <-> ~ sat f p n.
Proof.
  induction f; intros p n; simpl.
  - tauto.
  - tauto.
  - unfold atoms. destruct positive; simpl; [tauto |]. split; [auto |]. apply NNPP.
  - unfold abouts. destruct positive; simpl; [tauto |]. split; [auto |]. apply NNPP.
  - rewrite IHf1, IHf2. split; [tauto |]. intro no. apply not_and_or in no. assumption.
  - rewrite IHf1, IHf2. tauto.
  - apply IHf.
  - split.
    + intros all (k & le & here & before). destruct (all k le) as [no | (m & between & no)].
      * now apply IHf2 in no.
      * apply IHf1 in no. apply no. now apply before.
    + intros no k le.
      destruct (classic (sat f2 p k)) as [here | not_here]; [| left; now apply IHf2].
      destruct (classic (exists m, n <= m < k /\ sat (negate f1) p m)) as [some | none]; [now right |].
      exfalso. apply no. exists k. repeat split; auto. intros m between. apply NNPP. intro not.
      apply none. exists m. split; [assumption |]. now apply IHf1.
  - split.
    + intros (k & le & no & before) all. destruct (all k le) as [here | (m & between & here)].
      * now apply IHf2 in no.
      * apply before in between. now apply IHf1 in between.
    + intro no. apply NNPP. intro none. apply no. intros k le.
      destruct (classic (exists m, n <= m < k /\ sat f1 p m)) as [some | clear]; [now right |].
      left. apply NNPP. intro not. apply none. exists k. repeat split; auto.
      * now apply IHf2.
      * intros m between. apply IHf1. intro here. apply clear. eauto.
  - split.
    + intros all (q & begins & it). now apply (IHf q 0) in it; [| apply all].
    + intros no q begins. apply IHf. intro it. apply no. eauto.
  - split.
    + intros (q & begins & no) all. apply IHf in no. auto.
    + intro no. apply NNPP. intro none. apply no. intros q begins. apply NNPP. intro not.
      apply none. exists q. split; [assumption |]. now apply IHf.
Qed.

(** Reachable states. *)
Inductive reachable (initial : State -> Prop) : State -> Prop :=
| reachable_first : forall s, initial s -> reachable initial s
| reachable_next : forall s t s', reachable initial s -> steps s t s' -> reachable initial s'.

Lemma reachable_move : forall initial s o s', reachable initial s -> move s o s' -> reachable initial s'.
Proof.
  intros initial s [t |] s' from it; simpl in it.
  - eapply reachable_next; eauto.
  - destruct it as (_ & same). subst. assumption.
Qed.

Lemma reachable_path : forall initial p, reachable initial (at_ p 0) -> forall n, reachable initial (at_ p n).
Proof.
  intros initial p from n. induction n; [assumption |]. eapply reachable_move; [eassumption |]. apply moves.
Qed.

End System.
