(** Systems of which each can follow the other have the same formulas (docs/certificates.md: what programs leave out, and
    states that are not reachable). *)

Require Import Arith Lia List.
Require Import ClassicalEpsilon.
From Starset Require Import Semantics.

Section Bisimulation.

Variables Here There Step : Type.
Variable steps : Here -> Step -> Here -> Prop.
Variable steps' : There -> Step -> There -> Prop.

Variable same : Here -> There -> Prop.
Hypothesis forth : forall s t l s', same s t -> steps s l s' -> exists t', steps' t l t' /\ same s' t'.
Hypothesis back : forall s t l t', same s t -> steps' t l t' -> exists s', steps s l s' /\ same s' t'.

Notation move := (move Here Step steps).
Notation move_ := (Semantics.move There Step steps').

Lemma same_deadlock : forall s t, same s t -> (deadlock Here Step steps s <-> deadlock There Step steps' t).
Proof.
  intros s t it. split; intros none l next goes.
  - destruct (back _ _ _ _ it goes) as (s' & goes' & _). exact (none _ _ goes').
  - destruct (forth _ _ _ _ it goes) as (t' & goes' & _). exact (none _ _ goes').
Qed.

Lemma move_forth : forall s t o s', same s t -> move s o s' -> exists t', move_ t o t' /\ same s' t'.
Proof.
  intros s t [l |] s' it goes; simpl in *; [now apply (forth s t) |].
  destruct goes as (dead & is). subst s'. exists t. split; [| exact it]. split; [| reflexivity].
  now apply (same_deadlock s t).
Qed.

(** Paths that go along each other. *)
Definition along (p : path Here Step steps) (q : path There Step steps') (i j : nat) : Prop :=
  forall k, same (at_ _ _ _ p (i + k)) (at_ _ _ _ q (j + k)) /\ by_ _ _ _ p (i + k) = by_ _ _ _ q (j + k).

Section Lift.

Variable p : path Here Step steps.
Variable t0 : There.
Hypothesis begins : same (at_ _ _ _ p 0) t0.

Definition position (n : nat) : Type := { t : There | same (at_ _ _ _ p n) t }.

Definition onward_ (n : nat) (t : position n) :
  { t' : position (S n) | move_ (proj1_sig t) (by_ _ _ _ p n) (proj1_sig t') }.
Proof.
  apply constructive_indefinite_description. destruct t as (t & it).
  destruct (move_forth _ _ _ _ it (moves _ _ _ p n)) as (t' & goes & it'). exists (exist _ t' it'). exact goes.
Defined.

Fixpoint positions (n : nat) : position n :=
  match n with
  | 0 => exist _ t0 begins
  | S n => proj1_sig (onward_ n (positions n))
  end.

Definition lifted : path There Step steps' :=
  {| at_ := fun n => proj1_sig (positions n); by_ := by_ _ _ _ p; moves := fun n => proj2_sig (onward_ n (positions n)) |}.

Lemma lifted_along : at_ _ _ _ lifted 0 = t0 /\ along p lifted 0 0.
Proof.
  split; [reflexivity |]. intro k. split; [| reflexivity]. exact (proj2_sig (positions k)).
Qed.

End Lift.

Lemma lift : forall (p : path Here Step steps) t, same (at_ _ _ _ p 0) t ->
  exists q : path There Step steps', at_ _ _ _ q 0 = t /\ along p q 0 0.
Proof. intros p t it. exists (lifted p t it). apply lifted_along. Qed.

End Bisimulation.

Section Same.

Variables Here There Step : Type.
Variable steps : Here -> Step -> Here -> Prop.
Variable steps' : There -> Step -> There -> Prop.
Variable atom : nat -> Here -> Prop.
Variable atom' : nat -> There -> Prop.
Variable about : nat -> option Step -> Prop.

Variable same : Here -> There -> Prop.
(** The atoms that are spoken of. *)
Variable named : nat -> Prop.
Hypothesis same_atoms : forall a s t, named a -> same s t -> (atom a s <-> atom' a t).
Hypothesis forth : forall s t l s', same s t -> steps s l s' -> exists t', steps' t l t' /\ same s' t'.
Hypothesis back : forall s t l t', same s t -> steps' t l t' -> exists s', steps s l s' /\ same s' t'.

(** Does a formula speak of such atoms alone? *)
Fixpoint speaks (f : form) : Prop :=
  match f with
  | TT | FF | Letter _ _ => True
  | Atom _ a => named a
  | And f g | Or f g | U f g | R f g => speaks f /\ speaks g
  | X f | E f | A f => speaks f
  end.

Notation along := (along Here There Step steps steps' same).

Lemma along_from : forall p q i j d, along p q i j -> along p q (i + d) (j + d).
Proof. intros p q i j d it k. rewrite <- !Nat.add_assoc. apply it. Qed.

Lemma lift_back : forall (q : path There Step steps') s, same s (at_ _ _ _ q 0) ->
  exists p : path Here Step steps, at_ _ _ _ p 0 = s /\ along p q 0 0.
Proof.
  intros q s it.
  destruct (lift There Here Step steps' steps (fun t s => same s t)
    (fun s t l t' is goes => back t s l t' is goes) (fun s t l t' is goes => forth t s l t' is goes) q s it)
    as (p & begins & goes).
  exists p. split; [exact begins |]. intro k. destruct (goes k) as (here & by_same). split; [exact here | now symmetry].
Qed.

Theorem same_formulas : forall f, speaks f -> forall p q i j, along p q i j ->
  (sat Here Step steps atom about f p i <-> sat There Step steps' atom' about f q j).
Proof.
  induction f; intros of p q i j it; simpl in of; simpl; try tauto;
    pose proof (it 0) as now_; rewrite !Nat.add_0_r in now_; destruct now_ as (now_at & now_by).
  - unfold atoms. destruct positive; rewrite (same_atoms a _ _ of now_at); tauto.
  - unfold abouts. rewrite now_by. tauto.
  - rewrite (IHf1 (proj1 of) p q i j it), (IHf2 (proj2 of) p q i j it). tauto.
  - rewrite (IHf1 (proj1 of) p q i j it), (IHf2 (proj2 of) p q i j it). tauto.
  - apply IHf; [exact of |]. replace (S i) with (i + 1) by lia. replace (S j) with (j + 1) by lia. now apply along_from.
  - destruct of as (of1 & of2). split; intros (k & le & here & before).
    + exists (j + (k - i)). split; [lia |]. split.
      * apply (IHf2 of2 p q (i + (k - i))); [now apply along_from |]. replace (i + (k - i)) with k by lia. exact here.
      * intros m between. replace m with (j + (m - j)) by lia.
        apply (IHf1 of1 p q (i + (m - j))); [now apply along_from |]. apply before. lia.
    + exists (i + (k - j)). split; [lia |]. split.
      * apply (IHf2 of2 p q (i + (k - j)) (j + (k - j))); [now apply along_from |]. replace (j + (k - j)) with k by lia. exact here.
      * intros m between. replace m with (i + (m - i)) by lia.
        apply (IHf1 of1 p q (i + (m - i)) (j + (m - i))); [now apply along_from |]. apply before. lia.
  - destruct of as (of1 & of2). split; intros all k le.
    + destruct (all (i + (k - j))) as [here | (m & between & here)]; [lia | |].
      * left. replace k with (j + (k - j)) by lia. apply (IHf2 of2 p q (i + (k - j))); [now apply along_from | exact here].
      * right. exists (j + (m - i)). split; [lia |]. apply (IHf1 of1 p q (i + (m - i))); [now apply along_from |].
        replace (i + (m - i)) with m by lia. exact here.
    + destruct (all (j + (k - i))) as [here | (m & between & here)]; [lia | |].
      * left. replace k with (i + (k - i)) by lia.
        apply (IHf2 of2 p q (i + (k - i)) (j + (k - i))); [now apply along_from | exact here].
      * right. exists (i + (m - j)). split; [lia |].
        apply (IHf1 of1 p q (i + (m - j)) (j + (m - j))); [now apply along_from |].
        replace (j + (m - j)) with m by lia. exact here.
  - split.
    + intros (p' & begins & here). rewrite <- begins in now_at.
      destruct (lift _ _ _ _ _ _ forth back p' _ now_at) as (q' & begins' & goes).
      exists q'. split; [exact begins' |]. now apply (IHf of p' q' 0 0).
    + intros (q' & begins & here). rewrite <- begins in now_at.
      destruct (lift_back q' _ now_at) as (p' & begins' & goes).
      exists p'. split; [exact begins' |]. now apply (IHf of p' q' 0 0).
  - split.
    + intros all q' begins. rewrite <- begins in now_at.
      destruct (lift_back q' _ now_at) as (p' & begins' & goes). apply (IHf of p' q' 0 0 goes). now apply all.
    + intros all p' begins. rewrite <- begins in now_at.
      destruct (lift _ _ _ _ _ _ forth back p' _ now_at) as (q' & begins' & goes).
      apply (IHf of p' q' 0 0 goes). now apply all.
Qed.

(** So state formulas are true in both of two states, or in neither. *)
Theorem same_holds : forall f, is_state f = true -> speaks f -> forall s t, same s t ->
  (holds Here Step steps atom about f s <-> holds There Step steps' atom' about f t).
Proof.
  intros f is of s t it.
  destruct (lift _ _ _ _ _ _ forth back (path_from Here Step steps s) t it) as (q & begins & goes).
  pose proof (same_formulas f of _ q 0 0 goes) as one.
  assert (from_s : sat Here Step steps atom about f (path_from Here Step steps s) 0 <-> holds Here Step steps atom about f s).
  { split; [| intro all; now apply all]. intro here. apply (holds_at _ _ _ _ _ f is _ 0 here). }
  assert (from_t : sat There Step steps' atom' about f q 0 <-> holds There Step steps' atom' about f t).
  { split; [| intro all; now apply all]. intro here. rewrite <- begins. apply (holds_at _ _ _ _ _ f is _ 0 here). }
  tauto.
Qed.

End Same.

(** *** States that are not reachable *)

Section Reachable.

Variables State Step : Type.
Variable steps : State -> Step -> State -> Prop.
Variable atom : nat -> State -> Prop.
Variable about : nat -> option Step -> Prop.
Variable initial : State -> Prop.

(** Steps of other states may be left out, or there may be others. *)
Variable listed : State -> Step -> State -> Prop.
Hypothesis listed_right : forall s l s', reachable State Step steps initial s -> (listed s l s' <-> steps s l s').

Theorem reachable_part : forall f, is_state f = true -> forall s, reachable State Step steps initial s ->
  (holds State Step steps atom about f s <-> holds State Step listed atom about f s).
Proof.
  intros f is s from.
  apply (same_holds State State Step steps listed atom atom about
    (fun s t => s = t /\ reachable State Step steps initial s) (fun _ => True)); auto.
  - intros a s1 s2 _ (eq & _). subst. tauto.
  - intros s1 s2 l s1' (eq & there) goes. subst s2. exists s1'. split; [now apply listed_right |].
    split; [reflexivity |]. eapply reachable_next; eauto.
  - intros s1 s2 l s2' (eq & there) goes. subst s2. apply listed_right in goes; [| exact there]. exists s2'.
    split; [exact goes |]. split; [reflexivity |]. eapply reachable_next; eauto.
  - clear. induction f; simpl; auto.
Qed.

End Reachable.
