(** Claims of kind [always] (docs/certificates.md): inequalities that no step breaks, and proofs by sums of them. *)

Require Import ZArith Lia List Bool.
Import ListNotations.
Open Scope Z_scope.

(** y·m <= b: factors by places, and the bound. *)
Record row : Type := { factors : list (nat * Z); bound : Z }.

Definition sum (factors : list (nat * Z)) (m : nat -> Z) : Z :=
  fold_right (fun pz total => snd pz * m (fst pz) + total) 0 factors.

Definition true_in (r : row) (m : nat -> Z) : Prop := sum (factors r) m <= bound r.

(** Numbers of tokens. *)
Definition is_marking (m : nat -> Z) : Prop := forall p, 0 <= m p.

(** *** Lemma 3 *)

(** What a step does to each place: it needs at least [least] tokens and at most [most], and changes them by [change]. *)
Record effect : Type := { least : nat -> Z; most : nat -> option Z; change : nat -> Z }.

Definition possible (t : effect) (m : nat -> Z) : Prop :=
  forall p, least t p <= m p /\ match most t p with Some most => m p <= most | None => True end.
Definition after (t : effect) (m : nat -> Z) (p : nat) : Z := m p + change t p.

Inductive reachable (steps : effect -> Prop) (initial : nat -> Z) : (nat -> Z) -> Prop :=
| reachable_first : reachable steps initial initial
| reachable_next : forall m t, reachable steps initial m -> steps t -> possible t m -> is_marking (after t m) ->
    reachable steps initial (after t m).

(** The least value of factor times tokens where there are between [lo] and [hi]; [None] if there is none. *)
Definition least_product (z lo : Z) (hi : option Z) : option Z :=
  if 0 <=? z then Some (z * lo) else match hi with Some hi => Some (z * hi) | None => None end.

Fixpoint least_sum (factors : list (nat * Z)) (lo : nat -> Z) (hi : nat -> option Z) : option Z :=
  match factors with
  | [] => Some 0
  | (p, z) :: rest =>
    match least_product z (lo p) (hi p), least_sum rest lo hi with
    | Some one, Some others => Some (one + others)
    | _, _ => None
    end
  end.

Definition negated (factors : list (nat * Z)) : list (nat * Z) := map (fun pz => (fst pz, - snd pz)) factors.

Lemma sum_negated : forall l m, sum (negated l) m = - sum l m.
Proof. induction l as [| (p, z) l IH]; intro m; simpl; [reflexivity |]. rewrite IH. lia. Qed.

Lemma least_sum_least : forall l lo hi m v,
  (forall p, lo p <= m p /\ match hi p with Some most => m p <= most | None => True end) ->
  least_sum l lo hi = Some v -> v <= sum l m.
Proof.
  induction l as [| (p, z) l IH]; intros lo hi m v within is; simpl in is.
  - injection is as same. subst. simpl. lia.
  - destruct (least_product z (lo p) (hi p)) as [one |] eqn:product; [| discriminate].
    destruct (least_sum l lo hi) as [others |] eqn:rest; [| discriminate].
    injection is as same. subst. specialize (IH lo hi m others within rest). simpl.
    destruct (within p) as (above & below). unfold least_product in product.
    destruct (0 <=? z) eqn:sign.
    + apply Z.leb_le in sign. injection product as same. subst. nia.
    + apply Z.leb_gt in sign. destruct (hi p) as [most |]; [| discriminate]. injection product as same. subst. nia.
Qed.

(** Why a step keeps an inequality: one of the three ways. *)
Definition kept_by (r : row) (t : effect) : Prop :=
  sum (factors r) (change t) <= 0 \/
  (exists v, least_sum (factors r) (least t) (most t) = Some v /\ bound r < v) \/
  (exists v, least_sum (negated (factors r)) (fun p => least t p + change t p)
      (fun p => match most t p with Some most => Some (most + change t p) | None => None end) = Some v /\ - v <= bound r).

Lemma sum_after : forall l t m, sum l (after t m) = sum l m + sum l (change t).
Proof. unfold after. induction l as [| (p, z) l IH]; intros t m; simpl; [reflexivity |]. rewrite IH. lia. Qed.

Theorem lemma_3 : forall (steps : effect -> Prop) (initial : nat -> Z) r,
  true_in r initial -> (forall t, steps t -> kept_by r t) -> forall m, reachable steps initial m -> true_in r m.
Proof.
  intros steps initial r first kept m it. induction it as [| m t from IH is can ok]; [exact first |].
  unfold true_in in *. destruct (kept t is) as [never_more | [(v & sum_is & above) | (v & sum_is & below)]].
  - rewrite sum_after. lia.
  - pose proof (least_sum_least _ _ _ m v can sum_is). lia.
  - assert (within : v <= sum (negated (factors r)) (after t m)).
    { eapply least_sum_least; [| exact sum_is]. intro p. unfold after. destruct (can p) as (above & below').
      destruct (most t p); lia. }
    rewrite sum_negated in within. lia.
Qed.

(** *** Theorem 3 *)

(** A condition on a marking, made of inequalities. *)
Inductive condition : Type :=
| Row (r : row)
| All (parts : list condition)
| Any (parts : list condition).

Fixpoint meets (c : condition) (m : nat -> Z) : Prop :=
  match c with
  | Row r => true_in r m
  | All parts => fold_right (fun c rest => meets c m /\ rest) True parts
  | Any parts => fold_right (fun c rest => meets c m \/ rest) False parts
  end.

(** What is assumed with a condition: the inequalities in it and the disjunctions that are in no other, from left to
    right. *)
Fixpoint rows_of (c : condition) : list row :=
  match c with
  | Row r => [r]
  | All parts => flat_map rows_of parts
  | Any _ => []
  end.

Fixpoint disjunctions_of (c : condition) : list (list condition) :=
  match c with
  | Row _ => []
  | All parts => flat_map disjunctions_of parts
  | Any parts => [parts]
  end.

(** A proof that no marking meets what is assumed. *)
Inductive refutation : Type :=
| Split (disjunction : nat) (branches : list refutation)
| Sum (terms : list (nat * Z)).

Fixpoint coefficient (p : nat) (l : list (nat * Z)) : Z :=
  match l with
  | [] => 0
  | (q, z) :: l => (if Nat.eqb p q then z else 0) + coefficient p l
  end.

Definition scaled (t : Z) (l : list (nat * Z)) : list (nat * Z) := map (fun pz => (fst pz, t * snd pz)) l.

(** The sum of rows times factors; [None] if a row is missing or a factor is negative. *)
Fixpoint total (rows : list row) (terms : list (nat * Z)) : option row :=
  match terms with
  | [] => Some {| factors := []; bound := 0 |}
  | (i, t) :: rest =>
    match nth_error rows i, total rows rest with
    | Some r, Some others =>
      if 0 <=? t
      then Some {| factors := scaled t (factors r) ++ factors others; bound := t * bound r + bound others |}
      else None
    | _, _ => None
    end
  end.

(** No factor is below 0, places that are named more than once added up; and the bound is. *)
Definition contradictory (r : row) : bool :=
  forallb (fun pz => 0 <=? coefficient (fst pz) (factors r)) (factors r) && (bound r <? 0).

Fixpoint refutes (rows : list row) (disjunctions : list (list condition)) (proof : refutation) {struct proof} : bool :=
  match proof with
  | Sum terms =>
    match total rows terms with
    | Some r => contradictory r
    | None => false
    end
  | Split j branches =>
    match nth_error disjunctions j with
    | Some parts =>
      (fix each (parts : list condition) (branches : list refutation) {struct branches} : bool :=
        match branches, parts with
        | [], [] => true
        | proof :: branches, c :: parts =>
          refutes (rows ++ rows_of c) (disjunctions ++ disjunctions_of c) proof && each parts branches
        | _, _ => false
        end) parts branches
    | None => false
    end
  end.

Lemma sum_app : forall k l m, sum (k ++ l) m = sum k m + sum l m.
Proof. induction k as [| (p, z) k IH]; intros l m; simpl; [reflexivity |]. rewrite IH. lia. Qed.

Lemma sum_scaled : forall t l m, sum (scaled t l) m = t * sum l m.
Proof. induction l as [| (p, z) l IH]; intro m; simpl; [lia |]. rewrite IH. lia. Qed.

Lemma total_true : forall rows m, (forall r, In r rows -> true_in r m) ->
  forall terms r, total rows terms = Some r -> true_in r m.
Proof.
  intros rows m all. induction terms as [| (i, t) rest IH]; intros r is; simpl in is.
  - injection is as same. subst. unfold true_in. simpl. lia.
  - destruct (nth_error rows i) as [one |] eqn:at_i; [| discriminate].
    destruct (total rows rest) as [others |]; [| discriminate].
    destruct (0 <=? t) eqn:sign; [| discriminate]. apply Z.leb_le in sign. injection is as same. subst.
    apply nth_error_In in at_i. specialize (all one at_i). specialize (IH others eq_refl).
    unfold true_in in *. simpl. rewrite sum_app, sum_scaled. nia.
Qed.

(** The sum without one place. *)
Definition without (p : nat) (l : list (nat * Z)) : list (nat * Z) := filter (fun qz => negb (Nat.eqb p (fst qz))) l.

Lemma sum_without : forall p l m, sum l m = coefficient p l * m p + sum (without p l) m.
Proof.
  intros p l m. induction l as [| (q, z) l IH]; simpl; [reflexivity |].
  destruct (Nat.eqb p q) eqn:same; simpl.
  - apply Nat.eqb_eq in same. subst. rewrite IH. lia.
  - rewrite IH. lia.
Qed.

Lemma coefficient_without : forall p q l, p <> q -> coefficient q (without p l) = coefficient q l.
Proof.
  intros p q l differs. induction l as [| (r, z) l IH]; simpl; [reflexivity |].
  destruct (Nat.eqb p r) eqn:same; simpl.
  - apply Nat.eqb_eq in same. subst. destruct (Nat.eqb q r) eqn:other; [| exact IH].
    apply Nat.eqb_eq in other. congruence.
  - rewrite IH. reflexivity.
Qed.

Lemma length_without : forall p l, (length (without p l) <= length l)%nat.
Proof. intros p l. unfold without. induction l as [| (q, z) l IH]; simpl; [lia |]. destruct (negb (Nat.eqb p q)); simpl; lia. Qed.

Lemma sum_not_negative : forall n l m, (length l <= n)%nat -> is_marking m ->
  (forall p z, In (p, z) l -> 0 <= coefficient p l) -> 0 <= sum l m.
Proof.
  induction n as [| n IH]; intros l m short tokens all.
  - destruct l; [simpl; lia | simpl in short; lia].
  - destruct l as [| (p, z) l]; [simpl; lia |].
    rewrite (sum_without p). assert (0 <= coefficient p ((p, z) :: l)) by (apply (all p z); now left).
    specialize (tokens p) as some.
    assert (shorter : without p ((p, z) :: l) = without p l) by (simpl; rewrite Nat.eqb_refl; reflexivity).
    assert (0 <= sum (without p ((p, z) :: l)) m).
    { apply IH.
      - rewrite shorter. pose proof (length_without p l). simpl in short. lia.
      - exact tokens.
      - intros q y it. assert (differs : p <> q).
        { unfold without in it. apply filter_In in it. destruct it as (_ & it). simpl in it.
          apply negb_true_iff in it. apply Nat.eqb_neq in it. exact it. }
        rewrite coefficient_without; [| exact differs]. unfold without in it. apply filter_In in it.
        exact (all q y (proj1 it)). }
    nia.
Qed.

Lemma contradictory_false : forall r m, is_marking m -> true_in r m -> contradictory r = true -> False.
Proof.
  intros r m tokens it no. apply andb_prop in no. destruct no as (factors_ & bound_).
  apply Z.ltb_lt in bound_. rewrite forallb_forall in factors_. unfold true_in in it.
  assert (0 <= sum (factors r) m).
  { apply (sum_not_negative (length (factors r))); auto. intros p z member.
    apply Z.leb_le. exact (factors_ (p, z) member). }
  lia.
Qed.

Fixpoint depth (c : condition) : nat :=
  match c with
  | Row _ => 1
  | All parts | Any parts => S (fold_right (fun c n => Nat.max (depth c) n) 0%nat parts)
  end.

Lemma assumed : forall n c m, (depth c <= n)%nat -> meets c m ->
  (forall r, In r (rows_of c) -> true_in r m) /\
  (forall parts, In parts (disjunctions_of c) -> exists c, In c parts /\ meets c m).
Proof.
  induction n as [| n IH]; intros c m deep it; [destruct c; simpl in deep; lia |].
  destruct c as [r | parts | parts]; simpl in *.
  - split; [intros r' [same | none]; [now subst | contradiction] | contradiction].
  - induction parts as [| c parts more]; simpl in *; [split; contradiction |].
    destruct it as (one & others). destruct (IH c m) as (rows_ & disjunctions_); [lia | exact one |].
    destruct more as (rows' & disjunctions'); [lia | exact others |].
    split; intros x member; apply in_app_or in member; destruct member; auto.
  - split; [contradiction |]. intros parts' [same | none]; [subst parts' | contradiction].
    induction parts as [| c parts more]; simpl in *; [contradiction |].
    destruct it as [one | others].
    + exists c. auto.
    + destruct more as (c' & member & here); [lia | exact others |]. exists c'. auto.
Qed.

(** Theorem 3: nothing meets what is refuted. *)
Theorem theorem_3 : forall proof rows disjunctions m, is_marking m ->
  (forall r, In r rows -> true_in r m) ->
  (forall parts, In parts disjunctions -> exists c, In c parts /\ meets c m) ->
  refutes rows disjunctions proof = true -> False.
Proof.
  fix IH 1. intros [j branches | terms] rows disjunctions m tokens all some it.
  - simpl in it. destruct (nth_error disjunctions j) as [parts |] eqn:at_j; [| discriminate].
    apply nth_error_In in at_j. destruct (some parts at_j) as (c & member & true_).
    clear at_j. revert parts it member. induction branches as [| proof branches each]; intros parts it member.
    + destruct parts; [contradiction | discriminate].
    + destruct parts as [| c' parts]; [contradiction |].
      apply andb_prop in it. destruct it as (this & others).
      destruct member as [same | member]; [| exact (each parts others member)]. subst c'.
      destruct (assumed (depth c) c m (le_n _) true_) as (rows_ & disjunctions_).
      apply (IH proof (rows ++ rows_of c) (disjunctions ++ disjunctions_of c) m tokens); auto;
        intros x there; apply in_app_or in there; destruct there; auto.
  - simpl in it. destruct (total rows terms) as [r |] eqn:is; [| discriminate].
    eapply contradictory_false; [exact tokens | | exact it]. eapply total_true; eauto.
Qed.

(** A claim of kind [always]: no reachable marking meets the negation of the formula. *)
Corollary always : forall (steps : effect -> Prop) (initial : nat -> Z) keeps negation proof,
  is_marking initial ->
  (forall r, In r keeps -> true_in r initial /\ forall t, steps t -> kept_by r t) ->
  refutes (keeps ++ rows_of negation) (disjunctions_of negation) proof = true ->
  forall m, reachable steps initial m -> ~ meets negation m.
Proof.
  intros steps initial keeps negation proof tokens kept it m from no.
  assert (is_marking m) by (destruct from; assumption).
  destruct (assumed (depth negation) negation m (le_n _) no) as (rows_ & disjunctions_).
  eapply theorem_3; [eassumption | | exact disjunctions_ | exact it].
  intros r member. apply in_app_or in member. destruct member as [member | member]; [| auto].
  destruct (kept r member). eapply lemma_3; eauto.
Qed.
