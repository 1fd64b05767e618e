(** Diagrams on some of the places of nets, networks and tables (docs/certificates.md, "Diagrams on some of the places"):
    what counts as possible there is what [Levels] asks for. *)

Require Import ZArith Lia List Bool.
Require Import ClassicalEpsilon.
From Starset Require Import Inequalities Tables.
From Starset Require Semantics Levels.
Import ListNotations.
Open Scope Z_scope.

Section Places.

(** The steps of a model, each with its label; and the places that are levels. *)
Variable model : list (nat * step).
Hypothesis once : forall l t, In (l, t) model -> NoDup (touched t).
Variable order : list nat.
Hypothesis levels_once : NoDup order.

Definition marking : Type := nat -> Z.
Definition takes (m : marking) (l : nat) (m' : marking) : Prop := exists t, In (l, t) model /\ leads t m m'.

Notation deadlock := (Semantics.deadlock marking nat takes).
Notation move := (Semantics.move marking nat takes).

(** What the levels show: the numbers in their order. *)
Definition view (m : marking) : list Z := map m order.

Fixpoint number_in (places : list nat) (v : list Z) (p : nat) : Z :=
  match places, v with
  | q :: places, x :: v => if Nat.eqb q p then x else number_in places v p
  | _, _ => 0
  end.
Notation number := (number_in order).

Lemma number_view : forall m p, In p order -> number (view m) p = m p.
Proof.
  intros m p. unfold view. clear. induction order as [| q places IH]; intro member; [contradiction |]. simpl.
  destruct (Nat.eqb q p) eqn:same; [apply Nat.eqb_eq in same; now subst |].
  apply Nat.eqb_neq in same. destruct member as [is | member]; [contradiction | auto].
Qed.

Lemma view_number : forall m v, length v = length order -> (forall p, In p order -> m p = number v p) -> view m = v.
Proof.
  intros m v. unfold view. revert v. induction order as [| q places IH]; intros v long same.
  - destruct v; [reflexivity | discriminate].
  - destruct v as [| x v]; [discriminate |]. simpl in *. inversion levels_once as [| y l new once']. subst. f_equal.
    + rewrite (same q (or_introl eq_refl)). now rewrite Nat.eqb_refl.
    + apply IH; [exact once' | congruence |]. intros p member. rewrite (same p (or_intror member)).
      destruct (Nat.eqb q p) eqn:is; [| reflexivity]. apply Nat.eqb_eq in is. now subst.
Qed.

(** A step is possible as far as the levels tell; or for sure, as it touches nothing else. *)
Definition possible_on (t : step) (v : list Z) : Prop :=
  forall p a, In (p, a) t -> In p order -> exists x, after_of a (number v p) = Some x.
Definition possible_for_sure (t : step) (v : list Z) : Prop :=
  forall p a, In (p, a) t -> In p order /\ exists x, after_of a (number v p) = Some x.

Definition leads_on (t : step) (v v' : list Z) : Prop :=
  (forall p a, In (p, a) t -> In p order -> after_of a (number v p) = Some (number v' p)) /\
  (forall p, In p order -> ~ In p (touched t) -> number v' p = number v p).

Definition may (v : list Z) (o : option nat) (v' : list Z) : Prop :=
  match o with
  | Some l => exists t, In (l, t) model /\ leads_on t v v'
  | None => v' = v /\ forall l t, In (l, t) model -> ~ possible_for_sure t v
  end.

Definition must (v : list Z) (o : option nat) (v' : list Z) : Prop :=
  match o with
  | Some l => exists t, In (l, t) model /\ (forall p, In p (touched t) -> In p order) /\ length v' = length order /\ leads_on t v v'
  | None => v' = v /\ forall l t, In (l, t) model -> ~ possible_on t v
  end.

Lemma can_is_possible_on : forall t m, can_step t m -> possible_on t (view m).
Proof. intros t m can_ p a member level. rewrite number_view by exact level. exact (can_ p a member). Qed.

Lemma possible_for_sure_can : forall t m, possible_for_sure t (view m) -> can_step t m.
Proof.
  intros t m it p a member. destruct (it p a member) as (level & can_). now rewrite number_view in can_ by exact level.
Qed.

Lemma can_takes : forall l t m, In (l, t) model -> (can_step t m <-> exists m', leads t m m').
Proof. intros l t m member. apply can_step_leads. exact (once l t member). Qed.

Theorem may_right : forall m o m', move m o m' -> may (view m) o (view m').
Proof.
  intros m [l |] m' goes; simpl in *.
  - destruct goes as (t & member & all & elsewhere). exists t. split; [exact member |]. split.
    + intros p a touch level. rewrite !number_view by exact level. now apply all.
    + intros p level not. rewrite !number_view by exact level. now apply elsewhere.
  - destruct goes as (dead & same). subst m'. split; [reflexivity |]. intros l t member sure.
    apply possible_for_sure_can in sure. apply (can_takes l t m member) in sure. destruct sure as (m' & goes).
    apply (dead l m'). exists t. auto.
Qed.

Theorem must_right : forall m o v, must (view m) o v -> exists m', move m o m' /\ view m' = v.
Proof.
  intros m [l |] v it; simpl in *.
  - destruct it as (t & member & inside & long & all & elsewhere).
    assert (can_ : can_step t m).
    { intros p a touch. assert (level : In p order) by (apply inside; apply in_map_iff; exists (p, a); auto).
      exists (number v p). rewrite <- (number_view m p level). now apply all. }
    apply (can_takes l t m member) in can_. destruct can_ as (m' & goes & stays). exists m'.
    split; [exists t; split; [exact member | now split] |]. apply view_number; [exact long |]. intros p level.
    destruct (in_dec Nat.eq_dec p (touched t)) as [touch | not].
    + apply in_map_iff in touch. destruct touch as ((q, a) & same & touch). simpl in same. subst q.
      specialize (goes p a touch). specialize (all p a touch level). rewrite number_view in all by exact level. congruence.
    + rewrite (stays p not), (elsewhere p level not). now rewrite number_view.
  - destruct it as (same & none). subst v. exists m. split; [| reflexivity]. split; [| reflexivity].
    intros l m' (t & member & goes). apply (none l t member). apply can_is_possible_on.
    apply (can_takes l t m member). eauto.
Qed.

(** Atoms of which the levels make sure. *)
Lemma sure_deadlock : forall m, (forall l t, In (l, t) model -> ~ possible_on t (view m)) -> deadlock m.
Proof.
  intros m none l m' (t & member & goes). apply (none l t member), can_is_possible_on, (can_takes l t m member). eauto.
Qed.

Lemma sure_no_deadlock : forall m, (exists l t, In (l, t) model /\ possible_for_sure t (view m)) -> ~ deadlock m.
Proof.
  intros m (l & t & member & sure) dead. apply possible_for_sure_can, (can_takes l t m member) in sure.
  destruct sure as (m' & goes). apply (dead l m'). exists t. auto.
Qed.

Definition enabled (labels : nat -> Prop) (m : marking) : Prop := exists l m', labels l /\ takes m l m'.

Lemma sure_enabled : forall (labels : nat -> Prop) m, (exists l t, labels l /\ In (l, t) model /\ possible_for_sure t (view m)) -> enabled labels m.
Proof.
  intros labels m (l & t & among & member & sure). apply possible_for_sure_can, (can_takes l t m member) in sure.
  destruct sure as (m' & goes). exists l, m'. split; [exact among |]. exists t. auto.
Qed.

Lemma sure_not_enabled : forall (labels : nat -> Prop) m, (forall l t, labels l -> In (l, t) model -> ~ possible_on t (view m)) -> ~ enabled labels m.
Proof.
  intros labels m none (l & m' & among & t & member & goes).
  apply (none l t among member), can_is_possible_on, (can_takes l t m member). eauto.
Qed.

Lemma sure_sum : forall l m, (forall p z, In (p, z) l -> In p order) -> sum l (number (view m)) = sum l m.
Proof. intros l m all. apply sum_same. intros q z member. apply number_view. eauto. Qed.

(** What is asked of claims on the levels is right, whatever the lower bounds that are known there. *)
Definition all_on_places about initial low low_view right_ :=
  Levels.all_on_levels marking nat (list Z) takes about initial low view low_view right_ may
    (fun m o m' _ goes => may_right m o m' goes).
Definition some_on_places about initial low low_view right_ :=
  Levels.some_on_levels marking nat (list Z) takes about initial low view low_view right_ must
    (fun m o v _ it => must_right m o v it).

End Places.
