(** State formulas without quantifiers as conditions made of inequalities (docs/certificates.md), and claims of kind
    [always] about them: decided by a function that can be extracted, and is proved to accept what is true only. *)

Require Import ZArith Lia List Bool.
From Starset Require Import Inequalities.
Import ListNotations.
Open Scope Z_scope.

Inductive operator : Type := Equal | Unequal | Less | AtMost | More | AtLeast.

Definition compares (op : operator) (a b : Z) : Prop :=
  match op with
  | Equal => a = b | Unequal => a <> b | Less => a < b | AtMost => a <= b | More => b < a | AtLeast => b <= a
  end.

(** What a transition does to the places that it touches: least and most tokens, and the change. *)
Definition touches := list (nat * (Z * option Z * Z)).

Definition touch_of (t : touches) (p : nat) : Z * option Z * Z :=
  match find (fun pt => Nat.eqb (fst pt) p) t with Some (_, touch) => touch | None => (0, None, 0) end.

Definition effect_of (t : touches) : effect :=
  {| least := fun p => fst (fst (touch_of t p)); most := fun p => snd (fst (touch_of t p)); change := fun p => snd (touch_of t p) |}.

(** Each place is there once. *)
Fixpoint distinct (t : touches) : bool :=
  match t with
  | [] => true
  | (p, _) :: t => negb (existsb (fun pt => Nat.eqb (fst pt) p) t) && distinct t
  end.

Definition can (t : touches) (m : nat -> Z) : Prop :=
  forall p l h c, In (p, (l, h, c)) t -> l <= m p /\ match h with Some h => m p <= h | None => True end.

Lemma can_possible : forall t m, is_marking m -> distinct t = true -> can t m <-> possible (effect_of t) m.
Proof.
  intros t m tokens once. unfold can, possible, effect_of, touch_of. cbn [least most]. split.
  - intros it p. destruct (find _ t) as [(q, ((l, h), c)) |] eqn:found; [| split; [apply tokens | exact I]].
    apply find_some in found. destruct found as (member & same). apply Nat.eqb_eq in same. simpl in same. subst q.
    exact (it p l h c member).
  - intros it p l h c member. specialize (it p). assert (found : find (fun pt => Nat.eqb (fst pt) p) t = Some (p, (l, h, c))).
    { clear it. induction t as [| (q, touch) t IH]; [contradiction |]. cbn [distinct] in once. apply andb_prop in once.
      destruct once as (new & once). simpl. destruct (Nat.eqb q p) eqn:same.
      - apply Nat.eqb_eq in same. subst q. destruct member as [this | member]; [congruence |].
        apply negb_true_iff in new. assert (again : existsb (fun pt => Nat.eqb (fst pt) p) t = true).
        { apply existsb_exists. exists (p, (l, h, c)). split; [exact member | apply Nat.eqb_refl]. }
        congruence.
      - apply Nat.eqb_neq in same. destruct member as [this | member]; [congruence | auto]. }
    rewrite found in it. exact it.
Qed.

Inductive formula : Type :=
| Compare (sum : list (nat * Z)) (op : operator) (bound : Z)
| Enabled (transitions : list touches)
| Not (f : formula)
| Every (parts : list formula)
| Either (parts : list formula).

Fixpoint is_true (f : formula) (m : nat -> Z) : Prop :=
  match f with
  | Compare l op b => compares op (sum l m) b
  | Enabled ts => exists t, In t ts /\ possible (effect_of t) m
  | Not f => ~ is_true f m
  | Every parts => fold_right (fun f rest => is_true f m /\ rest) True parts
  | Either parts => fold_right (fun f rest => is_true f m \/ rest) False parts
  end.

(** *** Conditions *)

Definition less (l : list (nat * Z)) (b : Z) : condition := Row {| factors := l; bound := b |}.
Definition not_less (l : list (nat * Z)) (b : Z) : condition := Row {| factors := negated l; bound := - b - 1 |}.

Definition compared (l : list (nat * Z)) (op : operator) (b : Z) : condition :=
  match op with
  | AtMost => less l b
  | Less => less l (b - 1)
  | AtLeast => not_less l (b - 1)
  | More => not_less l b
  | Equal => All [less l b; not_less l (b - 1)]
  | Unequal => Any [less l (b - 1); not_less l b]
  end.

Lemma meets_less : forall l b m, meets (less l b) m <-> sum l m <= b.
Proof. intros. unfold less, meets, true_in. simpl. tauto. Qed.

Lemma meets_not_less : forall l b m, meets (not_less l b) m <-> b < sum l m.
Proof. intros. unfold not_less, meets, true_in. simpl. rewrite sum_negated. lia. Qed.

Lemma meets_compared : forall l op b m, meets (compared l op b) m <-> compares op (sum l m) b.
Proof.
  intros l op b m. destruct op; unfold compared, compares.
  - cbn [meets fold_right]. rewrite meets_less, meets_not_less. lia.
  - cbn [meets fold_right]. rewrite meets_less, meets_not_less. lia.
  - rewrite meets_less. lia.
  - rewrite meets_less. lia.
  - rewrite meets_not_less. lia.
  - rewrite meets_not_less. lia.
Qed.

Lemma sum_one : forall p m, sum [(p, 1)] m = m p.
Proof. intros. unfold sum. cbn [fold_right fst snd]. lia. Qed.

(** Of a place that a transition touches. *)
Definition enough (pt : nat * (Z * option Z * Z)) : list condition :=
  let '(p, (l, h, _)) := pt in
  (if 0 <? l then [compared [(p, 1)] AtLeast l] else []) ++
  match h with Some h => [compared [(p, 1)] Less (h + 1)] | None => [] end.

Definition possible_ (t : touches) : condition := All (flat_map enough t).

Lemma meets_all : forall parts m, meets (All parts) m <-> forall c, In c parts -> meets c m.
Proof.
  induction parts as [| c parts IH]; intro m; cbn [meets fold_right] in *; [split; [contradiction | auto] |].
  specialize (IH m). cbn [meets] in IH. rewrite IH. split.
  - intros (one & others) c' [same | member]; [now subst | auto].
  - intro all. split; [apply all; now left | intros c' member; apply all; now right].
Qed.

Lemma meets_any : forall parts m, meets (Any parts) m <-> exists c, In c parts /\ meets c m.
Proof.
  induction parts as [| c parts IH]; intro m; cbn [meets fold_right] in *; [split; [contradiction | intros (c & [] & _)] |].
  specialize (IH m). cbn [meets] in IH. rewrite IH. split.
  - intros [one | (c' & member & here)]; [exists c | exists c']; split; auto; [now left | now right].
  - intros (c' & [same | member] & here); [left; now subst | right; exists c'; auto].
Qed.

Lemma meets_possible : forall t m, is_marking m -> distinct t = true ->
  meets (possible_ t) m <-> possible (effect_of t) m.
Proof.
  intros t m tokens once. rewrite <- (can_possible t m tokens once). unfold possible_. rewrite meets_all. split.
  - intros all p l h c member. assert (of_place : forall d, In d (enough (p, (l, h, c))) -> meets d m).
    { intros d there. apply all. apply in_flat_map. exists (p, (l, h, c)). auto. }
    clear all. specialize (tokens p). unfold enough in of_place. split.
    + destruct (0 <? l) eqn:some; [| apply Z.ltb_ge in some; lia].
      specialize (of_place (compared [(p, 1)] AtLeast l) (or_introl eq_refl)). rewrite meets_compared, sum_one in of_place. exact of_place.
    + destruct h as [h |]; [| exact I].
      assert (it : meets (compared [(p, 1)] Less (h + 1)) m) by (apply of_place; apply in_or_app; right; now left).
      rewrite meets_compared, sum_one in it. unfold compares in it. lia.
  - intros it d there. apply in_flat_map in there. destruct there as ((p, ((l, h), c)) & member & there).
    destruct (it p l h c member) as (above & below). unfold enough in there. apply in_app_or in there.
    destruct there as [there | there].
    + destruct (0 <? l); [| contradiction]. destruct there as [same | none]; [| contradiction]. subst d.
      rewrite meets_compared, sum_one. unfold compares. lia.
    + destruct h as [h |]; [| contradiction]. destruct there as [same | none]; [| contradiction]. subst d.
      rewrite meets_compared, sum_one. unfold compares. lia.
Qed.

(** Integers are compared one way or the other. *)
Lemma meets_or_not : forall n c m, (depth c <= n)%nat -> meets c m \/ ~ meets c m.
Proof.
  induction n as [| n again]; intros d m below; [destruct d; simpl in below; lia |].
  destruct d as [r | ds | ds]; [unfold meets, true_in; lia | |];
    simpl in below; induction ds as [| d ds rest]; cbn [meets fold_right] in *; try tauto;
    destruct (again d m ltac:(lia)); destruct (rest ltac:(lia)); tauto.
Qed.

(** The opposite: conjunctions and disjunctions change places, and no order. *)
Fixpoint opposite (c : condition) : condition :=
  match c with
  | Row r => Row {| factors := negated (factors r); bound := - bound r - 1 |}
  | All parts => Any (map opposite parts)
  | Any parts => All (map opposite parts)
  end.

Lemma meets_opposite : forall n c m, (depth c <= n)%nat -> meets (opposite c) m <-> ~ meets c m.
Proof.
  induction n as [| n IH]; intros c m deep; [destruct c; simpl in deep; lia |].
  destruct c as [r | parts | parts]; cbn [opposite].
  - cbn [meets]. unfold true_in. simpl. rewrite sum_negated. lia.
  - simpl in deep. induction parts as [| c parts more]; cbn [map meets fold_right] in *; [tauto |].
    rewrite IH; [| lia]. assert (it := more ltac:(lia)). rewrite it.
    destruct (IH c m ltac:(lia)) as (one & two). clear it more.
    destruct (meets_or_not (depth c) c m (le_n _)); tauto.
  - simpl in deep. induction parts as [| c parts more]; cbn [map meets fold_right] in *; [tauto |].
    rewrite IH; [| lia]. assert (it := more ltac:(lia)). rewrite it. tauto.
Qed.

(** Does each transition in a formula touch each place once? *)
Fixpoint is_proper (f : formula) : bool :=
  match f with
  | Enabled ts => forallb distinct ts
  | Not f => is_proper f
  | Every parts | Either parts => forallb is_proper parts
  | Compare _ _ _ => true
  end.

Fixpoint size (f : formula) : nat :=
  match f with
  | Compare _ _ _ | Enabled _ => 1
  | Not f => S (size f)
  | Every parts | Either parts => S (fold_right (fun f n => Nat.max (size f) n) 0%nat parts)
  end.

(** A formula as a condition. *)
Fixpoint condition_of (f : formula) : condition :=
  match f with
  | Compare l op b => compared l op b
  | Enabled ts => Any (map possible_ ts)
  | Not f => opposite (condition_of f)
  | Every parts => All (map condition_of parts)
  | Either parts => Any (map condition_of parts)
  end.

Lemma condition_right_ : forall n f m, (size f <= n)%nat -> is_marking m -> is_proper f = true ->
  meets (condition_of f) m <-> is_true f m.
Proof.
  induction n as [| n IH]; intros f m small tokens proper; [destruct f; simpl in small; lia |].
  destruct f as [l op b | ts | f | parts | parts]; cbn [condition_of is_true]; cbn [is_proper] in proper.
  - apply meets_compared.
  - rewrite forallb_forall in proper. rewrite meets_any. split.
    + intros (c & member & here). apply in_map_iff in member. destruct member as (t & same & member). subst c.
      exists t. split; [exact member | apply meets_possible; auto].
    + intros (t & member & here). exists (possible_ t). split; [now apply in_map | apply meets_possible; auto].
  - simpl in small. rewrite (meets_opposite (depth (condition_of f))); [| lia]. rewrite IH; [tauto | lia | auto | auto].
  - simpl in small. induction parts as [| f parts more]; cbn [map meets fold_right] in *; [tauto |].
    cbn [forallb] in proper. apply andb_prop in proper. destruct proper as (one & others).
    rewrite IH; [| lia | auto | auto]. assert (it := more ltac:(lia) others). tauto.
  - simpl in small. induction parts as [| f parts more]; cbn [map meets fold_right] in *; [tauto |].
    cbn [forallb] in proper. apply andb_prop in proper. destruct proper as (one & others).
    rewrite IH; [| lia | auto | auto]. assert (it := more ltac:(lia) others). tauto.
Qed.

Theorem condition_right : forall f m, is_marking m -> is_proper f = true -> meets (condition_of f) m <-> is_true f m.
Proof. intros f m. exact (condition_right_ (size f) f m (le_n _)). Qed.

(** *** Claims *)

Definition below_of (v : option Z) (holds : Z -> bool) : bool := match v with Some v => holds v | None => false end.

Definition is_kept_by (r : row) (t : effect) : bool :=
  (sum (factors r) (change t) <=? 0) ||
  below_of (least_sum (factors r) (least t) (most t)) (fun v => bound r <? v) ||
  below_of (least_sum (negated (factors r)) (fun p => least t p + change t p)
    (fun p => match most t p with Some most => Some (most + change t p) | None => None end)) (fun v => - v <=? bound r).

Lemma is_kept_by_right : forall r t, is_kept_by r t = true -> kept_by r t.
Proof.
  intros r t it. unfold is_kept_by in it. rewrite !orb_true_iff in it. unfold kept_by, below_of in *.
  destruct it as [[it | it] | it].
  - left. now apply Z.leb_le.
  - right. left. destruct (least_sum (factors r) (least t) (most t)) as [v |]; [| discriminate].
    exists v. split; [reflexivity | now apply Z.ltb_lt].
  - right. right. destruct (least_sum (negated (factors r)) _ _) as [v |]; [| discriminate].
    exists v. split; [reflexivity | now apply Z.leb_le].
Qed.

Definition tokens_of (initial : list Z) (p : nat) : Z := nth p initial 0.

(** Is a formula true in all reachable markings, as these inequalities and this proof say? *)
Definition always_is_checked (initial : list Z) (transitions : list touches) (keeps : list row) (f : formula)
    (proof : refutation) : bool :=
  forallb (fun z => 0 <=? z) initial && is_proper f &&
  forallb (fun r => (sum (factors r) (tokens_of initial) <=? bound r) &&
    forallb (fun t => is_kept_by r (effect_of t)) transitions) keeps &&
  refutes (keeps ++ rows_of (opposite (condition_of f))) (disjunctions_of (opposite (condition_of f))) proof.

Theorem always_is_right : forall initial transitions keeps f proof,
  always_is_checked initial transitions keeps f proof = true ->
  forall m, reachable (fun t => exists touches, In touches transitions /\ t = effect_of touches) (tokens_of initial) m ->
  is_true f m.
Proof.
  intros initial transitions keeps f proof it m from. unfold always_is_checked in it. rewrite !andb_true_iff in it.
  destruct it as (((tokens & proper) & kept) & refuted).
  assert (first : is_marking (tokens_of initial)).
  { intro p. unfold tokens_of. destruct (nth_in_or_default p initial 0) as [member | same]; [| lia].
    rewrite forallb_forall in tokens. specialize (tokens _ member). now apply Z.leb_le in tokens. }
  assert (all : is_marking m) by (destruct from; assumption).
  assert (none : ~ meets (opposite (condition_of f)) m).
  { eapply always; [exact first | | exact refuted | exact from].
    intros r member. rewrite forallb_forall in kept. specialize (kept r member). apply andb_prop in kept.
    destruct kept as (at_first & kept). split; [unfold true_in; now apply Z.leb_le |].
    intros t (touches & there & same). subst t. rewrite forallb_forall in kept. apply is_kept_by_right. auto. }
  rewrite (meets_opposite (depth (condition_of f))) in none; [| lia]. rewrite condition_right in none; [| exact all | exact proper].
  apply (condition_right f m all proper).
  destruct (meets_or_not (depth (condition_of f)) (condition_of f) m (le_n _)) as [yes | no]; [exact yes |].
  rewrite condition_right in no; tauto.
Qed.
