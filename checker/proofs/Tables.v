(** Claims of kind [always] about networks and tables, where a step leads a place from some numbers to others
    (docs/certificates.md, "claim N always"): the three ways in which a step keeps an inequality, and when it is possible. *)

Require Import ZArith Lia List Bool.
From Starset Require Import Inequalities Conditions.
Import ListNotations.
Open Scope Z_scope.

(** What a step does to a place: it takes and puts tokens, or leads from one number to another. *)
Inductive action : Type :=
| Tokens (least : Z) (most : option Z) (change : Z)
| Pairs (pairs : list (Z * Z)).

Definition after_of (a : action) (v : Z) : option Z :=
  match a with
  | Tokens least most change =>
    if (least <=? v) && match most with Some most => v <=? most | None => true end then Some (v + change) else None
  | Pairs pairs => option_map snd (find (fun pair => fst pair =? v) pairs)
  end.

Definition step : Type := list (nat * action).
Definition touched (t : step) : list nat := map fst t.

Definition can_step (t : step) (m : nat -> Z) : Prop := forall p a, In (p, a) t -> exists v, after_of a (m p) = Some v.
Definition leads (t : step) (m m' : nat -> Z) : Prop :=
  (forall p a, In (p, a) t -> after_of a (m p) = Some (m' p)) /\ forall p, ~ In p (touched t) -> m' p = m p.

(** A step leads somewhere if it can at each place by itself. *)
Lemma can_step_leads : forall t m, NoDup (touched t) -> (can_step t m <-> exists m', leads t m m').
Proof.
  intros t m once. split.
  - intro can_.
    exists (fun p => match find (fun pa => Nat.eqb (fst pa) p) t with
      | Some (_, a) => match after_of a (m p) with Some v => v | None => m p end
      | None => m p end).
    split.
    + intros p a member. destruct (find (fun pa => Nat.eqb (fst pa) p) t) as [(q, b) |] eqn:found.
      * apply find_some in found. destruct found as (there & same). apply Nat.eqb_eq in same. simpl in same. subst q.
        assert (b = a).
        { clear can_. induction t as [| (q, c) t IH]; [contradiction |]. simpl in once. inversion once as [| x l new once']. subst.
          destruct member as [same | member], there as [same' | there]; try congruence.
          - injection same as <- <-. exfalso. apply new. apply in_map_iff. exists (q, b). auto.
          - injection same' as <- <-. exfalso. apply new. apply in_map_iff. exists (q, a). auto.
          - auto. }
        subst b. destruct (can_ p a member) as (v & it). now rewrite it.
      * exfalso. pose proof (find_none _ _ found (p, a) member) as no. simpl in no. now rewrite Nat.eqb_refl in no.
    + intros p not. destruct (find (fun pa => Nat.eqb (fst pa) p) t) as [(q, b) |] eqn:found; [| reflexivity].
      exfalso. apply find_some in found. destruct found as (there & same). apply Nat.eqb_eq in same. simpl in same. subst q.
      apply not. apply in_map_iff. exists (p, b). auto.
  - intros (m' & all & _) p a member. exists (m' p). now apply all.
Qed.

Inductive reachable_by (steps : step -> Prop) (initial : nat -> Z) : (nat -> Z) -> Prop :=
| reachable_at_first : reachable_by steps initial initial
| reachable_after : forall m t m', reachable_by steps initial m -> steps t -> leads t m m' -> is_marking m' ->
    reachable_by steps initial m'.

(** *** Lemma 3 *)

Definition greatest (l : list Z) : option Z :=
  fold_right (fun x most => Some (match most with Some most => Z.max x most | None => x end)) None l.

Lemma greatest_greatest : forall l x, In x l -> exists y, greatest l = Some y /\ x <= y.
Proof.
  induction l as [| y l IH]; intros x member; [contradiction |]. simpl. eexists. split; [reflexivity |].
  destruct member as [same | member].
  - subst. destruct (greatest l); lia.
  - destruct (IH x member) as (z & is & le). rewrite is. lia.
Qed.

(** Of a place with a factor: the most that is added to the sum, the least product before, the greatest after. *)
Definition gain (z : Z) (a : action) : Z :=
  match a with
  | Tokens _ _ change => z * change
  | Pairs pairs => match greatest (map (fun pair => z * snd pair - z * fst pair) pairs) with Some most => most | None => 0 end
  end.

Definition low (z : Z) (a : action) : option Z :=
  match a with
  | Tokens least most _ => if 0 <? z then Some (z * least) else option_map (fun most => z * most) most
  | Pairs pairs => option_map Z.opp (greatest (map (fun pair => - (z * fst pair)) pairs))
  end.

Definition high (z : Z) (a : action) : option Z :=
  match a with
  | Tokens least most change =>
    if 0 <? z then option_map (fun most => z * (most + change)) most else Some (z * (least + change))
  | Pairs pairs => greatest (map (fun pair => z * snd pair) pairs)
  end.

Lemma after_within : forall a v v', after_of a v = Some v' ->
  match a with
  | Tokens least most change => least <= v /\ match most with Some most => v <= most | None => True end /\ v' = v + change
  | Pairs pairs => In (v, v') pairs
  end.
Proof.
  intros [least most change | pairs] v v' it; simpl in it.
  - destruct (least <=? v) eqn:above; [| discriminate]. apply Z.leb_le in above.
    destruct most as [most |]; simpl in it.
    + destruct (v <=? most) eqn:below; [| discriminate]. apply Z.leb_le in below. injection it as same. lia.
    + injection it as same. lia.
  - destruct (find _ pairs) as [(x, y) |] eqn:found; [| discriminate]. simpl in it. injection it as same. subst y.
    apply find_some in found. destruct found as (member & same). apply Z.eqb_eq in same. simpl in same. now subst.
Qed.

Lemma gain_right : forall z a v v', after_of a v = Some v' -> z * v' - z * v <= gain z a.
Proof.
  intros z a v v' it. apply after_within in it. destruct a as [least most change | pairs]; simpl.
  - destruct it as (_ & _ & same). subst. lia.
  - destruct (greatest_greatest (map (fun pair => z * snd pair - z * fst pair) pairs) (z * v' - z * v)) as (y & is & le).
    + apply in_map_iff. exists (v, v'). auto.
    + rewrite is. exact le.
Qed.

Lemma low_right : forall z a v v' x, after_of a v = Some v' -> z <> 0 -> low z a = Some x -> x <= z * v.
Proof.
  intros z a v v' x it some is. apply after_within in it. destruct a as [least most change | pairs]; simpl in is.
  - destruct it as (above & below & _). destruct (0 <? z) eqn:sign.
    + apply Z.ltb_lt in sign. injection is as same. nia.
    + apply Z.ltb_ge in sign. destruct most as [most |]; [| discriminate]. injection is as same. nia.
  - destruct (greatest_greatest (map (fun pair => - (z * fst pair)) pairs) (- (z * v))) as (y & is_y & le).
    + apply in_map_iff. exists (v, v'). auto.
    + rewrite is_y in is. injection is as same. lia.
Qed.

Lemma high_right : forall z a v v' x, after_of a v = Some v' -> z <> 0 -> high z a = Some x -> z * v' <= x.
Proof.
  intros z a v v' x it some is. apply after_within in it. destruct a as [least most change | pairs]; simpl in is.
  - destruct it as (above & below & same). subst v'. destruct (0 <? z) eqn:sign.
    + apply Z.ltb_lt in sign. destruct most as [most |]; [| discriminate]. injection is as same. nia.
    + apply Z.ltb_ge in sign. injection is as same. nia.
  - destruct (greatest_greatest (map (fun pair => z * snd pair) pairs) (z * v')) as (y & is_y & le).
    + apply in_map_iff. exists (v, v'). auto.
    + rewrite is_y in is. injection is as same. lia.
Qed.

(** The part of a sum at the places of a step, and the rest of it. *)
Fixpoint part (t : step) (l : list (nat * Z)) (m : nat -> Z) : Z :=
  match t with [] => 0 | (p, _) :: t => coefficient p l * m p + part t l m end.
Fixpoint rest (t : step) (l : list (nat * Z)) : list (nat * Z) :=
  match t with [] => l | (p, _) :: t => rest t (without p l) end.

Lemma part_without : forall t p l m, ~ In p (touched t) -> part t (without p l) m = part t l m.
Proof.
  induction t as [| (q, a) t IH]; intros p l m not; simpl in *; [reflexivity |].
  rewrite coefficient_without by (intro; subst; tauto). rewrite IH by tauto. reflexivity.
Qed.

Lemma sum_parts : forall t l m, NoDup (touched t) -> sum l m = part t l m + sum (rest t l) m.
Proof.
  induction t as [| (p, a) t IH]; intros l m once; simpl in *; [reflexivity |]. inversion once as [| x k new once']. subst.
  rewrite (sum_without p l m), (IH (without p l) m once'), part_without by exact new. lia.
Qed.

Lemma rest_in : forall t l q z, In (q, z) (rest t l) -> In (q, z) l /\ ~ In q (touched t).
Proof.
  induction t as [| (p, a) t IH]; intros l q z it; simpl in *; [auto |].
  apply IH in it. destruct it as (member & not). unfold without in member. apply filter_In in member.
  destruct member as (member & differs). simpl in differs. apply negb_true_iff, Nat.eqb_neq in differs.
  split; [exact member |]. intros [same | there]; auto.
Qed.

Lemma coefficient_rest : forall t l q, ~ In q (touched t) -> coefficient q (rest t l) = coefficient q l.
Proof.
  induction t as [| (p, a) t IH]; intros l q not; simpl in *; [reflexivity |].
  rewrite IH by tauto. apply coefficient_without. tauto.
Qed.

Lemma sum_same : forall l m m', (forall q z, In (q, z) l -> m' q = m q) -> sum l m' = sum l m.
Proof.
  induction l as [| (q, z) l IH]; intros m m' same; simpl; [reflexivity |].
  rewrite (same q z) by (now left). rewrite (IH m m'); [reflexivity |]. intros r y member. apply (same r y). now right.
Qed.

(** Sums over the places of a step that have a factor; none if one has none. *)
Fixpoint all_of (of_place : Z -> action -> option Z) (t : step) (l : list (nat * Z)) : option Z :=
  match t with
  | [] => Some 0
  | (p, a) :: t =>
    if coefficient p l =? 0 then all_of of_place t l
    else match of_place (coefficient p l) a, all_of of_place t l with Some x, Some y => Some (x + y) | _, _ => None end
  end.

Definition not_below (t : step) (l : list (nat * Z)) : Prop := forall q z, In (q, z) l -> ~ In q (touched t) -> 0 <= coefficient q l.

(** Why a step keeps an inequality: one of three ways. *)
Definition is_kept (r : row) (t : step) : Prop :=
  (exists x, all_of (fun z a => Some (gain z a)) t (factors r) = Some x /\ x <= 0) \/
  (not_below t (factors r) /\ exists x, all_of low t (factors r) = Some x /\ bound r < x) \/
  (not_below t (negated (factors r)) /\ exists x, all_of high t (factors r) = Some x /\ x <= bound r).

Lemma gains_right : forall t l m m' x, (forall p a, In (p, a) t -> after_of a (m p) = Some (m' p)) ->
  all_of (fun z a => Some (gain z a)) t l = Some x -> part t l m' - part t l m <= x.
Proof.
  induction t as [| (p, a) t IH]; intros l m m' x all is; simpl in *; [injection is as same; lia |].
  assert (later : forall q b, In (q, b) t -> after_of b (m q) = Some (m' q)) by auto.
  pose proof (gain_right (coefficient p l) a (m p) (m' p) (all p a (or_introl eq_refl))) as here.
  destruct (coefficient p l =? 0) eqn:zero.
  - apply Z.eqb_eq in zero. rewrite zero. specialize (IH l m m' x later is). lia.
  - destruct (all_of (fun z a => Some (gain z a)) t l) as [y |] eqn:others; [| discriminate]. injection is as same.
    specialize (IH l m m' y later others). lia.
Qed.

Lemma lows_right : forall t l m m' x, (forall p a, In (p, a) t -> after_of a (m p) = Some (m' p)) ->
  all_of low t l = Some x -> x <= part t l m.
Proof.
  induction t as [| (p, a) t IH]; intros l m m' x all is; simpl in *; [injection is as same; lia |].
  assert (later : forall q b, In (q, b) t -> after_of b (m q) = Some (m' q)) by auto.
  destruct (coefficient p l =? 0) eqn:zero.
  - apply Z.eqb_eq in zero. rewrite zero. specialize (IH l m m' x later is). lia.
  - apply Z.eqb_neq in zero. destruct (low (coefficient p l) a) as [x' |] eqn:here; [| discriminate].
    destruct (all_of low t l) as [y |] eqn:others; [| discriminate]. injection is as same.
    specialize (IH l m m' y later others).
    pose proof (low_right _ _ _ _ _ (all p a (or_introl eq_refl)) zero here). lia.
Qed.

Lemma highs_right : forall t l m m' x, (forall p a, In (p, a) t -> after_of a (m p) = Some (m' p)) ->
  all_of high t l = Some x -> part t l m' <= x.
Proof.
  induction t as [| (p, a) t IH]; intros l m m' x all is; simpl in *; [injection is as same; lia |].
  assert (later : forall q b, In (q, b) t -> after_of b (m q) = Some (m' q)) by auto.
  destruct (coefficient p l =? 0) eqn:zero.
  - apply Z.eqb_eq in zero. rewrite zero. specialize (IH l m m' x later is). lia.
  - apply Z.eqb_neq in zero. destruct (high (coefficient p l) a) as [x' |] eqn:here; [| discriminate].
    destruct (all_of high t l) as [y |] eqn:others; [| discriminate]. injection is as same.
    specialize (IH l m m' y later others).
    pose proof (high_right _ _ _ _ _ (all p a (or_introl eq_refl)) zero here). lia.
Qed.

Lemma rest_not_below : forall t l m, not_below t l -> is_marking m -> 0 <= sum (rest t l) m.
Proof.
  intros t l m all tokens. apply (sum_not_negative (length (rest t l))); auto. intros q z member.
  apply rest_in in member. destruct member as (member & not). rewrite coefficient_rest by exact not. exact (all q z member not).
Qed.

Lemma coefficient_negated : forall l p, coefficient p (negated l) = - coefficient p l.
Proof. induction l as [| (q, z) l IH]; intro p; simpl; [reflexivity |]. rewrite IH. destruct (Nat.eqb p q); lia. Qed.

Lemma part_negated : forall t l m, part t (negated l) m = - part t l m.
Proof. induction t as [| (p, a) t IH]; intros l m; simpl; [reflexivity |]. rewrite IH, coefficient_negated. lia. Qed.

Theorem step_keeps : forall r t m m', NoDup (touched t) -> is_kept r t -> leads t m m' -> is_marking m -> is_marking m' ->
  true_in r m -> true_in r m'.
Proof.
  intros r t m m' once kept (here & elsewhere) tokens tokens' it. unfold true_in in *. set (l := factors r) in *.
  assert (same : sum (rest t l) m' = sum (rest t l) m).
  { apply sum_same. intros q z member. apply rest_in in member. apply elsewhere. tauto. }
  pose proof (sum_parts t l m once) as before. pose proof (sum_parts t l m' once) as later. fold l in kept.
  destruct kept as [(x & is & small) | [(positive & x & is & large) | (negative & x & is & small)]]; fold l in is.
  - pose proof (gains_right t l m m' x here is). lia.
  - pose proof (lows_right t l m m' x here is). pose proof (rest_not_below t l m positive tokens). lia.
  - pose proof (highs_right t l m m' x here is). pose proof (rest_not_below t (negated l) m' negative tokens').
    pose proof (sum_parts t (negated l) m' once) as other. rewrite sum_negated, part_negated in other. lia.
Qed.

Theorem lemma_3_tables : forall (steps : step -> Prop) (initial : nat -> Z) r, is_marking initial ->
  true_in r initial -> (forall t, steps t -> NoDup (touched t) /\ is_kept r t) ->
  forall m, reachable_by steps initial m -> is_marking m /\ true_in r m.
Proof.
  intros steps initial r tokens first kept m it. induction it as [| m t m' from IH is goes ok]; [auto |].
  destruct IH as (tokens_m & it), (kept t is) as (once & how). split; [exact ok |]. exact (step_keeps r t m m' once how goes tokens_m ok it).
Qed.

(** *** Conditions *)

(** That a step can at a place: enough tokens and not too many, or one of the numbers that it leads from. *)
Definition can_at (pa : nat * action) : list condition :=
  match pa with
  | (p, Tokens least most _) =>
    (if 0 <? least then [compared [(p, 1)] AtLeast least] else []) ++
    match most with Some most => [opposite (compared [(p, 1)] AtLeast (most + 1))] | None => [] end
  | (p, Pairs pairs) => [Any (map (fun pair => compared [(p, 1)] Equal (fst pair)) pairs)]
  end.

Definition can_condition (t : step) : condition := All (flat_map can_at t).

Lemma can_at_right : forall p a m, is_marking m ->
  ((forall c, In c (can_at (p, a)) -> meets c m) <-> exists v, after_of a (m p) = Some v).
Proof.
  intros p a m tokens. destruct a as [least most change | pairs]; cbn [can_at after_of].
  - assert (first : (forall c, In c (if 0 <? least then [compared [(p, 1)] AtLeast least] else []) -> meets c m) <-> least <= m p).
    { specialize (tokens p). destruct (0 <? least) eqn:some.
      - split.
        + intro all. specialize (all _ (or_introl eq_refl)). rewrite meets_compared, sum_one in all. exact all.
        + intros it c [same | []]. subst c. rewrite meets_compared, sum_one. exact it.
      - apply Z.ltb_ge in some. split; [lia | intros _ c []]. }
    assert (second : (forall c, In c match most with Some most => [opposite (compared [(p, 1)] AtLeast (most + 1))] | None => [] end ->
      meets c m) <-> match most with Some most => m p <= most | None => True end).
    { destruct most as [most |]; [| split; [tauto | intros _ c []]]. split.
      - intro all. specialize (all _ (or_introl eq_refl)).
        rewrite (meets_opposite _ _ _ (le_n _)), meets_compared, sum_one in all. unfold compares in all. lia.
      - intros it c [same | []]. subst c. rewrite (meets_opposite _ _ _ (le_n _)), meets_compared, sum_one. unfold compares. lia. }
    transitivity (least <= m p /\ match most with Some most => m p <= most | None => True end).
    + rewrite <- first, <- second. split.
      * intro all. split; intros c member; apply all; apply in_or_app; auto.
      * intros (one & two) c member. apply in_app_or in member. destruct member; auto.
    + split.
      * intros (above & below). apply Z.leb_le in above. rewrite above. simpl. destruct most as [most |]; [| eauto].
        apply Z.leb_le in below. rewrite below. eauto.
      * intros (v & it). destruct (least <=? m p) eqn:above; [| discriminate]. apply Z.leb_le in above. split; [exact above |].
        simpl in it. destruct most as [most |]; [| exact I]. destruct (m p <=? most) eqn:below; [| discriminate]. now apply Z.leb_le.
  - split.
    + intro all. specialize (all _ (or_introl eq_refl)). apply meets_any in all. destruct all as (c & member & it).
      apply in_map_iff in member. destruct member as ((x, y) & same & member). subst c.
      rewrite meets_compared, sum_one in it. unfold compares in it. simpl in it.
      destruct (find (fun pair => fst pair =? m p) pairs) as [pair |] eqn:found; [simpl; eauto |].
      exfalso. pose proof (find_none _ _ found (x, y) member) as no. simpl in no. apply Z.eqb_neq in no. lia.
    + intros (v & it) c [same | []]. subst c. destruct (find (fun pair => fst pair =? m p) pairs) as [pair |] eqn:found; [| discriminate].
      apply find_some in found. destruct found as (member & same). apply Z.eqb_eq in same. apply meets_any.
      exists (compared [(p, 1)] Equal (fst pair)). split; [apply in_map_iff; eauto |].
      rewrite meets_compared, sum_one. unfold compares. lia.
Qed.

Lemma can_condition_right : forall t m, is_marking m -> (meets (can_condition t) m <-> can_step t m).
Proof.
  intros t m tokens. unfold can_condition, can_step. rewrite meets_all. split.
  - intros all p a member. apply can_at_right; [exact tokens |]. intros c there. apply all. apply in_flat_map. eauto.
  - intros all c there. apply in_flat_map in there. destruct there as ((p, a) & member & there).
    apply (proj2 (can_at_right p a m tokens)); [now apply all | exact there].
Qed.

(** State formulas without quantifiers; [deadlock] is that none of all steps is possible. *)
Inductive statement : Type :=
| SCompare (sum : list (nat * Z)) (op : operator) (bound : Z)
| SEnabled (steps : list step)
| SNot (f : statement)
| SEvery (parts : list statement)
| SEither (parts : list statement).

Fixpoint so (f : statement) (m : nat -> Z) : Prop :=
  match f with
  | SCompare l op b => compares op (sum l m) b
  | SEnabled ts => exists t, In t ts /\ can_step t m
  | SNot f => ~ so f m
  | SEvery parts => fold_right (fun f others => so f m /\ others) True parts
  | SEither parts => fold_right (fun f others => so f m \/ others) False parts
  end.

Fixpoint as_condition (f : statement) : condition :=
  match f with
  | SCompare l op b => compared l op b
  | SEnabled ts => Any (map can_condition ts)
  | SNot f => opposite (as_condition f)
  | SEvery parts => All (map as_condition parts)
  | SEither parts => Any (map as_condition parts)
  end.

Lemma as_condition_right : forall f m, is_marking m -> (meets (as_condition f) m <-> so f m).
Proof.
  fix again 1. intros [l op b | ts | f | parts | parts] m tokens; cbn [as_condition so].
  - apply meets_compared.
  - rewrite meets_any. split.
    + intros (c & member & here). apply in_map_iff in member. destruct member as (t & same & member). subst c.
      exists t. split; [exact member | now apply can_condition_right].
    + intros (t & member & here). exists (can_condition t). split; [now apply in_map | now apply can_condition_right].
  - rewrite (meets_opposite _ _ _ (le_n _)), (again f m tokens). tauto.
  - induction parts as [| f parts more]; cbn [map meets fold_right] in *; [tauto |]. rewrite (again f m tokens), more. tauto.
  - induction parts as [| f parts more]; cbn [map meets fold_right] in *; [tauto |]. rewrite (again f m tokens), more. tauto.
Qed.

(** Theorem 3, of networks and tables, and of nets as well. *)
Theorem theorem_3_tables : forall (steps : step -> Prop) (initial : nat -> Z) keeps f proof, is_marking initial ->
  (forall r, In r keeps -> true_in r initial /\ forall t, steps t -> NoDup (touched t) /\ is_kept r t) ->
  refutes (keeps ++ rows_of (opposite (as_condition f))) (disjunctions_of (opposite (as_condition f))) proof = true ->
  forall m, reachable_by steps initial m -> so f m.
Proof.
  intros steps initial keeps f proof tokens kept it m from.
  assert (marking : is_marking m) by (destruct from; assumption).
  apply (as_condition_right f m marking).
  destruct (meets_or_not (depth (as_condition f)) (as_condition f) m (le_n _)) as [yes | no]; [exact yes | exfalso].
  apply (meets_opposite _ _ _ (le_n _)) in no.
  destruct (assumed _ _ m (le_n _) no) as (rows_ & disjunctions_).
  apply (theorem_3 proof _ _ m marking) in it; [exact it | | exact disjunctions_].
  intros r member. apply in_app_or in member. destruct member as [member | member]; [| auto].
  destruct (kept r member) as (first & all). exact (proj2 (lemma_3_tables steps initial r tokens first all m from)).
Qed.
