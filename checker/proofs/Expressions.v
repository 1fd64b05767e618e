(** Programs of SMV by their text: expressions, what they speak of, the values that they have at most. With these the
    checker finds what a program can leave out, and lists its states (docs/certificates.md, "Programs"). What [Programs]
    assumes of conditions is so of those that are written like this.

    Definitions are abbreviations here. A set of several members is one of pairs, a [case] is one guard with the rest of it,
    and without a guard left there is no value. *)

Require Import Arith Lia List Bool.
From Starset Require Import Semantics Bisimulation Programs.
Import ListNotations.

Inductive value : Type :=
| Boolean (b : bool)
| Word (bits width : nat) (signed : bool)
| Other (n : nat).

Definition value_dec : forall x y : value, {x = y} + {x <> y}.
Proof. decide equality; auto using Nat.eq_dec, bool_dec. Defined.

(** Values that operators tell apart. *)
Inductive sort : Type :=
| Booleans
| Words (width : nat) (signed : bool)
| Others.

Definition sort_dec : forall x y : sort, {x = y} + {x <> y}.
Proof. decide equality; auto using Nat.eq_dec, bool_dec. Defined.

Definition sort_of (x : value) : sort :=
  match x with Boolean _ => Booleans | Word _ width signed => Words width signed | Other _ => Others end.

Section Expressions.

Variables Name Input : Type.
Hypothesis name_dec : forall v w : Name, {v = w} + {v <> w}.

(** The values of variables and of inputs. *)
Variable values : Name -> list value.
Variable input_values : Input -> list value.

Notation state := (state Name value).
Notation inputs := (inputs Input value).
Notation typed := (typed Name value (fun v x => In x (values v))).
Notation typed_inputs := (typed_inputs Input value (fun v x => In x (input_values v))).
Notation update := (update Name value name_dec).

Inductive expr : Type :=
| Const (x : value)
| Variable_ (v : Name)
| Entry (j : Input)
| Next (e : expr)
| Op1 (o : nat) (a : expr)
| Op2 (o : nat) (a b : expr)
| Member (a b : expr)
| Case (guard a rest : expr)
| Lack
| Union (a b : expr)
| Range (xs : list value).

(** Operators may have no value, and have one where an operand has none. *)
Variable apply1 : nat -> option value -> option value.
Variable apply2 : nat -> option value -> option value -> option value.

Definition single (o : option value) : option value * option (list value) := (o, option_map (fun x => [x]) o).

(** The value of an expression, and the values that it may be as a choice. *)
Fixpoint eval (s : state) (i : inputs) (s' : state) (e : expr) (next : bool) : option value * option (list value) :=
  match e with
  | Const x => single (Some x)
  | Variable_ v => single (Some (if next then s' v else s v))
  | Entry j => single (Some (i j))
  | Next e => eval s i s' e true
  | Op1 o a => single (apply1 o (fst (eval s i s' a next)))
  | Op2 o a b => single (apply2 o (fst (eval s i s' a next)) (fst (eval s i s' b next)))
  | Member a b => single
      match fst (eval s i s' a next), snd (eval s i s' b next) with
      | Some x, Some xs => Some (Boolean (if in_dec value_dec x xs then true else false))
      | _, _ => None
      end
  | Case g a rest =>
    match fst (eval s i s' g next) with
    | Some (Boolean true) => eval s i s' a next
    | Some (Boolean false) => eval s i s' rest next
    | _ => (None, None)
    end
  | Lack => (None, None)
  | Union a b =>
    (None, match snd (eval s i s' a next), snd (eval s i s' b next) with Some xs, Some ys => Some (xs ++ ys) | _, _ => None end)
  | Range xs => (None, Some xs)
  end.

Definition may_be (s : state) (i : inputs) (s' : state) (e : expr) (next : bool) (x : value) : Prop :=
  exists xs, snd (eval s i s' e next) = Some xs /\ In x xs.
Definition is_true (s : state) (i : inputs) (s' : state) (next : bool) (e : expr) : Prop :=
  fst (eval s i s' e next) = Some (Boolean true).

(** *** What expressions speak of *)

Fixpoint uses (e : expr) (next : bool) : list (Name * bool) :=
  match e with
  | Const _ | Entry _ | Lack | Range _ => []
  | Variable_ v => [(v, next)]
  | Next e => uses e true
  | Op1 _ a => uses a next
  | Op2 _ a b | Member a b | Union a b => uses a next ++ uses b next
  | Case g a rest => uses g next ++ uses a next ++ uses rest next
  end.

Fixpoint has_input (e : expr) : bool :=
  match e with
  | Const _ | Variable_ _ | Lack | Range _ => false
  | Entry _ => true
  | Next e | Op1 _ e => has_input e
  | Op2 _ a b | Member a b | Union a b => has_input a || has_input b
  | Case g a rest => has_input g || has_input a || has_input rest
  end.

Lemma eval_reads : forall e next s i s' t j t',
  (forall v, In (v, false) (uses e next) -> s v = t v) -> (forall v, In (v, true) (uses e next) -> s' v = t' v) ->
  (has_input e = false \/ i = j) -> eval s i s' e next = eval t j t' e next.
Proof.
  induction e; intros next s i s' t j0 t' now_ later same; simpl in *; try reflexivity.
  - destruct next; [rewrite (later v) | rewrite (now_ v)]; auto.
  - destruct same as [none | same]; [discriminate | now subst].
  - now apply IHe.
  - now rewrite (IHe next s i s' t j0 t').
  - rewrite orb_false_iff in same. rewrite (IHe1 next s i s' t j0 t'), (IHe2 next s i s' t j0 t');
      (tauto || (intros w it; (apply now_ || apply later); rewrite !in_app_iff; tauto) || reflexivity).
  - rewrite orb_false_iff in same. rewrite (IHe1 next s i s' t j0 t'), (IHe2 next s i s' t j0 t');
      (tauto || (intros w it; (apply now_ || apply later); rewrite !in_app_iff; tauto) || reflexivity).
  - rewrite !orb_false_iff in same.
    rewrite (IHe1 next s i s' t j0 t'), (IHe2 next s i s' t j0 t'), (IHe3 next s i s' t j0 t');
      (tauto || (intros w it; (apply now_ || apply later); rewrite !in_app_iff; tauto) || reflexivity).
  - rewrite orb_false_iff in same. rewrite (IHe1 next s i s' t j0 t'), (IHe2 next s i s' t j0 t');
      (tauto || (intros w it; (apply now_ || apply later); rewrite !in_app_iff; tauto) || reflexivity).
Qed.

(** *** The values that an expression has at most *)

(** Operators on truth values that have one for all, and equality of values of one sort. *)
Variables connective1 connective2 equality : nat -> bool.
Hypothesis connective1_right : forall o b, connective1 o = true -> exists c, apply1 o (Some (Boolean b)) = Some (Boolean c).
Hypothesis connective2_right : forall o a b, connective2 o = true ->
  exists c, apply2 o (Some (Boolean a)) (Some (Boolean b)) = Some (Boolean c).
Hypothesis equality_right : forall o x y, equality o = true -> sort_of x = sort_of y ->
  exists c, apply2 o (Some x) (Some y) = Some (Boolean c).

Definition range : Type := option (list value).
Definition both (r : range) : range * range := (r, r).
Definition truth : range := Some [Boolean false; Boolean true].
Definition joined (r r' : range) : range := match r, r' with Some xs, Some ys => Some (xs ++ ys) | _, _ => None end.

Definition is_of (k : sort) (x : value) : bool := if sort_dec (sort_of x) k then true else false.
Definition is_condition (r : range) : bool := match r with Some xs => forallb (is_of Booleans) xs | None => false end.
Definition of_one_sort (r : range) : bool :=
  match r with Some [] => true | Some (x :: xs) => forallb (is_of (sort_of x)) xs | None => false end.
Definition is_some (r : range) : bool := match r with Some _ => true | None => false end.

(** The last case, with the guard TRUE. *)
Definition is_last (g rest : expr) : bool :=
  match g, rest with
  | Const (Boolean true), Lack => true
  | _, _ => false
  end.

(** As a value, and as a choice of values; [None]: nothing is known. *)
Fixpoint ranges (e : expr) : range * range :=
  match e with
  | Const x => both (Some [x])
  | Variable_ v => both (Some (values v))
  | Entry j => both (Some (input_values j))
  | Next e => ranges e
  | Op1 o a => both (if connective1 o && is_condition (fst (ranges a)) then truth else None)
  | Op2 o a b => both (
      if connective2 o then if is_condition (fst (ranges a)) && is_condition (fst (ranges b)) then truth else None
      else if equality o && of_one_sort (joined (fst (ranges a)) (fst (ranges b))) then truth else None)
  | Member a b => both (if is_some (fst (ranges a)) && is_some (snd (ranges b)) then truth else None)
  | Case g a rest =>
    if is_last g rest then ranges a
    else if is_condition (fst (ranges g)) then
      (joined (fst (ranges a)) (fst (ranges rest)), joined (snd (ranges a)) (snd (ranges rest)))
    else (None, None)
  | Lack => (None, None)
  | Union a b => (None, joined (snd (ranges a)) (snd (ranges b)))
  | Range xs => (None, match xs with [] => None | _ => Some xs end)
  end.

Lemma in_truth : forall b, In (Boolean b) [Boolean false; Boolean true].
Proof. intros []; simpl; auto. Qed.

Lemma condition_value : forall r x, is_condition (Some r) = true -> In x r -> exists b, x = Boolean b.
Proof.
  intros r x it member. simpl in it. rewrite forallb_forall in it. specialize (it x member). unfold is_of in it.
  destruct (sort_dec (sort_of x) Booleans) as [same | _]; [| discriminate].
  destruct x as [b | |]; try discriminate. eauto.
Qed.

Lemma one_sort : forall r x y, of_one_sort (Some r) = true -> In x r -> In y r -> sort_of x = sort_of y.
Proof.
  intros [| z r] x y it one two; [contradiction |]. simpl in it. rewrite forallb_forall in it.
  assert (all : forall w, In w (z :: r) -> sort_of w = sort_of z).
  { intros w [same | member]; [now subst |]. specialize (it w member). unfold is_of in it.
    destruct (sort_dec (sort_of w) (sort_of z)); [assumption | discriminate]. }
  rewrite (all x one). symmetry. now apply all.
Qed.

Definition value_within (o : option value) (r : range) : Prop :=
  forall xs, r = Some xs -> exists x, o = Some x /\ In x xs.
Definition choice_within (o : option (list value)) (r : range) : Prop :=
  forall xs, r = Some xs -> exists ys, o = Some ys /\ ys <> [] /\ incl ys xs.

Lemma single_within : forall o r, value_within o r -> choice_within (snd (single o)) r.
Proof.
  intros o r it xs is. destruct (it xs is) as (x & same & member). subst o. exists [x]. split; [reflexivity |].
  split; [discriminate |]. intros y [same | []]. now subst.
Qed.

Lemma joined_some : forall r r' xs, joined r r' = Some xs -> exists ys zs, r = Some ys /\ r' = Some zs /\ xs = ys ++ zs.
Proof. intros [ys |] [zs |] xs it; try discriminate. injection it as same. eauto. Qed.

Lemma last_true : forall g rest, is_last g rest = true -> g = Const (Boolean true).
Proof. intros g rest it. destruct g as [[[] | |] | | | | | | | | | |]; try discriminate. reflexivity. Qed.

Theorem ranges_right : forall s i s', typed s -> typed_inputs i -> typed s' -> forall e next,
  value_within (fst (eval s i s' e next)) (fst (ranges e)) /\ choice_within (snd (eval s i s' e next)) (snd (ranges e)).
Proof.
  intros s i s' ok ok_i ok'.
  assert (of_single : forall o r, value_within o r -> value_within (fst (single o)) (fst (both r)) /\
    choice_within (snd (single o)) (snd (both r))).
  { intros o r it. split; [exact it | now apply single_within]. }
  induction e; intro next.
  - cbn [eval ranges]. apply of_single. intros xs is. injection is as same. subst. exists x. split; [reflexivity | now left].
  - cbn [eval ranges]. apply of_single. intros xs is. injection is as same. subst. destruct next; eauto.
  - cbn [eval ranges]. apply of_single. intros xs is. injection is as same. subst. eauto.
  - apply IHe.
  - cbn [eval ranges]. apply of_single. intros xs is. destruct (connective1 o) eqn:is_o; [| discriminate]. cbn [andb] in is.
    destruct (IHe next) as (within & _). destruct (fst (ranges e)) as [r |]; [| discriminate].
    destruct (is_condition (Some r)) eqn:is_r; [| discriminate]. unfold truth in is. injection is as same. subst xs.
    destruct (within r eq_refl) as (x & of_x & member). destruct (condition_value r x is_r member) as (b & same). subst x.
    rewrite of_x. destruct (connective1_right o b is_o) as (c & it). exists (Boolean c). split; [exact it | apply in_truth].
  - cbn [eval ranges]. apply of_single. intros xs is. destruct (IHe1 next) as (within1 & _). destruct (IHe2 next) as (within2 & _).
    destruct (fst (ranges e1)) as [r1 |]; [| destruct (connective2 o), (equality o); discriminate].
    destruct (fst (ranges e2)) as [r2 |].
    2: { destruct (connective2 o); [rewrite andb_false_r in is | destruct (equality o)]; discriminate. }
    destruct (within1 r1 eq_refl) as (x & of_x & in_x). destruct (within2 r2 eq_refl) as (y & of_y & in_y).
    rewrite of_x, of_y. destruct (connective2 o) eqn:is_o.
    + destruct (is_condition (Some r1)) eqn:is1; [| discriminate]. destruct (is_condition (Some r2)) eqn:is2; [| discriminate].
      unfold truth in is. injection is as same. subst xs. destruct (condition_value r1 x is1 in_x) as (b & same).
      destruct (condition_value r2 y is2 in_y) as (c & same'). subst x y.
      destruct (connective2_right o b c is_o) as (d & it). exists (Boolean d). split; [exact it | apply in_truth].
    + destruct (equality o) eqn:is_e; [| discriminate]. cbn [andb joined] in is.
      destruct (of_one_sort (Some (r1 ++ r2))) eqn:one; [| discriminate]. unfold truth in is. injection is as same. subst xs.
      destruct (equality_right o x y is_e) as (d & it).
      { apply (one_sort _ _ _ one); apply in_or_app; auto. }
      exists (Boolean d). split; [exact it | apply in_truth].
  - cbn [eval ranges]. apply of_single. intros xs is. destruct (IHe1 next) as (within1 & _). destruct (IHe2 next) as (_ & within2).
    destruct (fst (ranges e1)) as [r1 |]; [| discriminate]. destruct (snd (ranges e2)) as [r2 |]; [| discriminate].
    unfold truth in is. injection is as same. subst xs. destruct (within1 r1 eq_refl) as (x & of_x & _).
    destruct (within2 r2 eq_refl) as (ys & of_ys & _). rewrite of_x, of_ys. eexists. split; [reflexivity | apply in_truth].
  - cbn [ranges]. destruct (is_last e1 e3) eqn:last.
    { apply last_true in last. subst e1. exact (IHe2 next). }
    assert (general : is_condition (fst (ranges e1)) = true ->
      value_within (fst (eval s i s' (Case e1 e2 e3) next)) (joined (fst (ranges e2)) (fst (ranges e3))) /\
      choice_within (snd (eval s i s' (Case e1 e2 e3) next)) (joined (snd (ranges e2)) (snd (ranges e3)))).
    { intro is. destruct (IHe1 next) as (within & _). destruct (fst (ranges e1)) as [r |]; [| discriminate].
      destruct (within r eq_refl) as (x & of_x & member). destruct (condition_value r x is member) as (b & same). subst x.
      cbn [eval]. rewrite of_x. split; intros xs join; apply joined_some in join; destruct join as (ys & zs & is_y & is_z & all);
        subst xs; destruct b.
      - destruct (proj1 (IHe2 next) ys is_y) as (x & of_2 & in_x). exists x. split; [exact of_2 | apply in_or_app; now left].
      - destruct (proj1 (IHe3 next) zs is_z) as (x & of_3 & in_x). exists x. split; [exact of_3 | apply in_or_app; now right].
      - destruct (proj2 (IHe2 next) ys is_y) as (l & of_2 & some & all). exists l. split; [exact of_2 |].
        split; [exact some | now apply incl_appl].
      - destruct (proj2 (IHe3 next) zs is_z) as (l & of_3 & some & all). exists l. split; [exact of_3 |].
        split; [exact some | now apply incl_appr]. }
    destruct (is_condition (fst (ranges e1))) eqn:is; [now apply general | split; intros xs; discriminate].
  - split; intros xs; discriminate.
  - split; [intros xs; discriminate |]. intros xs is. apply joined_some in is. destruct is as (ys & zs & is_y & is_z & all).
    subst xs. destruct (proj2 (IHe1 next) ys is_y) as (l & of_1 & some & all_1).
    destruct (proj2 (IHe2 next) zs is_z) as (m & of_2 & _ & all_2). exists (l ++ m). cbn [eval snd]. rewrite of_1, of_2.
    split; [reflexivity |]. split; [destruct l; [contradiction | discriminate] |].
    apply incl_app; [now apply incl_appl | now apply incl_appr].
  - split; [intros ys; discriminate |]. intros ys is. simpl in is. destruct xs as [| x xs]; [discriminate |].
    injection is as same. subst ys. exists (x :: xs). split; [reflexivity |]. split; [discriminate | apply incl_refl].
Qed.

Lemma update_other : forall s v x w, w <> v -> s w = update s v x w.
Proof. intros s v x w differs. unfold Programs.update. destruct (name_dec w v); [contradiction | reflexivity]. Qed.

Lemma update_same : forall s v x, update s v x v = x.
Proof. intros s v x. unfold Programs.update. destruct (name_dec v v); [reflexivity | contradiction]. Qed.

(** *** States one by one: values are chosen one after the other, and a condition is looked at once all that it speaks of is
    chosen. *)

Section Choices.

Variable candidates : Name -> state -> value -> Prop.
Variable looked_at : Name -> state -> Prop.
Variable slots : list Name.
Hypothesis once : NoDup slots.
Hypothesis all_slots : forall v, In v slots.
(** Neither needs what is chosen later. *)
Hypothesis candidates_need : forall before v after, slots = before ++ v :: after ->
  forall s t x, (forall w, In w before -> s w = t w) -> candidates v s x -> candidates v t x.
Hypothesis looked_at_needs : forall before v after, slots = before ++ v :: after ->
  forall s t, (forall w, In w before \/ w = v -> s w = t w) -> looked_at v s -> looked_at v t.

Inductive chosen : list Name -> state -> state -> Prop :=
| chosen_all : forall s, chosen [] s s
| chosen_one : forall v rest s x s', candidates v s x -> looked_at v (update s v x) -> chosen rest (update s v x) s' ->
    chosen (v :: rest) s s'.

Lemma chosen_sound : forall rest s s', chosen rest s s' -> forall before, slots = before ++ rest ->
  (forall w, In w before -> s' w = s w) /\ forall v, In v rest -> candidates v s' (s' v) /\ looked_at v s'.
Proof.
  intros rest s s' it. induction it as [s | v rest s x s' among looks more IH]; intros before is.
  - split; [reflexivity | contradiction].
  - destruct (IH (before ++ [v])) as (stays & others); [rewrite is; now rewrite <- app_assoc |].
    assert (differ : forall w, In w before -> w <> v).
    { intros w member same. subst w. rewrite is in once. apply NoDup_remove_2 in once. apply once. apply in_or_app. now left. }
    assert (before_same : forall w, In w before -> s' w = s w).
    { intros w member. rewrite (stays w); [| apply in_or_app; now left]. symmetry. apply update_other. auto. }
    assert (of_v : s' v = x).
    { rewrite (stays v); [apply update_same | apply in_or_app; right; now left]. }
    split; [exact before_same |]. intros w [same | member]; [| now apply others]. subst w. split.
    + rewrite of_v. apply (candidates_need before v rest is s); auto. intros w member. symmetry. auto.
    + apply (looked_at_needs before v rest is (update s v x)); auto. intros w [member | same].
      * symmetry. apply stays. apply in_or_app. now left.
      * subst w. rewrite of_v. apply update_same.
Qed.

Lemma chosen_complete : forall t, (forall v, candidates v t (t v) /\ looked_at v t) -> forall rest before s,
  slots = before ++ rest -> (forall w, In w before -> s w = t w) ->
  exists s', chosen rest s s' /\ forall w, s' w = t w.
Proof.
  intros t all. induction rest as [| v rest IH]; intros before s is same.
  - exists s. split; [constructor |]. intro w. apply same. rewrite app_nil_r in is. rewrite <- is. apply all_slots.
  - destruct (all v) as (among & looks).
    assert (now_same : forall w, In w before \/ w = v -> update s v (t v) w = t w).
    { intros w how. unfold Programs.update. destruct (name_dec w v) as [is_v | not]; [now subst |].
      destruct how as [member | is_v]; [auto | contradiction]. }
    destruct (IH (before ++ [v]) (update s v (t v))) as (s' & it & agrees).
    + rewrite is. now rewrite <- app_assoc.
    + intros w member. apply now_same. apply in_app_or in member. destruct member as [member | [is_v | []]]; auto.
    + exists s'. split; [| exact agrees]. apply (chosen_one v rest s (t v) s'); [| | exact it].
      * apply (candidates_need before v rest is t); auto. intros w member. symmetry. auto.
      * apply (looked_at_needs before v rest is t); auto. intros w how. symmetry. auto.
Qed.

Theorem choices_right : forall s t,
  (exists s', chosen slots s s' /\ forall v, s' v = t v) <-> (forall v, candidates v t (t v) /\ looked_at v t).
Proof.
  intros s t. split.
  - intros (s' & it & same) v. destruct (chosen_sound slots s s' it [] eq_refl) as (_ & all).
    destruct (all v (all_slots v)) as (among & looks). destruct (in_split v slots (all_slots v)) as (before & after & is).
    rewrite <- same. split.
    + apply (candidates_need before v after is s'); auto.
    + apply (looked_at_needs before v after is s'); auto.
  - intro all. apply (chosen_complete t all slots [] s eq_refl). contradiction.
Qed.

End Choices.

(** *** Programs *)

Record text : Type := {
  first_expr : Name -> option expr;
  next_expr : Name -> option expr;
  always_expr : Name -> option expr;
  is_frozen : Name -> bool;
  init_exprs : list expr;
  invar_exprs : list expr;
  trans_exprs : list expr }.

(** What is said of single states speaks of no inputs and of no next values. *)
Definition states_only (e : expr) : Prop := has_input e = false /\ forall v, ~ In (v, true) (uses e false).
Definition blank : inputs := fun _ => Boolean false.
Definition of_state (e : expr) (s : state) (x : value) : Prop := may_be s blank s e false x.

Definition program_of (T : text) : program Name Input value := {|
  first_value := fun v => option_map of_state (first_expr T v);
  next_value := fun v => option_map (fun e s i s' x => may_be s i s' e false x) (next_expr T v);
  always_value := fun v => option_map of_state (always_expr T v);
  frozen := is_frozen T;
  init := fun s => forall e, In e (init_exprs T) -> is_true s blank s false e;
  invar := fun s => forall e, In e (invar_exprs T) -> is_true s blank s false e;
  trans := fun s i s' => forall e, In e (trans_exprs T) -> is_true s i s' false e |}.

Lemma uses_next : forall e v next, In (v, next) (uses e true) -> next = true.
Proof.
  induction e; intros u next it; simpl in it; try contradiction; eauto;
    try (rewrite !in_app_iff in it; destruct it as [it | [it | it]] || destruct it as [it | it]; eauto).
  destruct it as [same | []]. congruence.
Qed.

(** Of next values, as INVAR and [x := e] in steps, it means the same of the next state. *)
Lemma primed : forall e, states_only e -> forall s i s' j s'', eval s i s' e true = eval s' j s'' e false.
Proof.
  induction e; intros (none & now_) s i s' j' s''; simpl in *; try reflexivity.
  - discriminate.
  - apply eval_reads; [| | now left].
    + intros v it. apply uses_next in it. discriminate.
    + intros v it. destruct (now_ v it).
  - now rewrite (IHe (conj none now_) s i s' j' s'').
  - rewrite orb_false_iff in none. destruct none as (none1 & none2).
    rewrite (IHe1) with (j := j') (s'' := s''), (IHe2) with (j := j') (s'' := s''); auto;
      split; auto; intros v it; apply (now_ v); rewrite !in_app_iff; auto.
  - rewrite orb_false_iff in none. destruct none as (none1 & none2).
    rewrite (IHe1) with (j := j') (s'' := s''), (IHe2) with (j := j') (s'' := s''); auto;
      split; auto; intros v it; apply (now_ v); rewrite !in_app_iff; auto.
  - rewrite !orb_false_iff in none. destruct none as ((none1 & none2) & none3).
    rewrite (IHe1) with (j := j') (s'' := s''), (IHe2) with (j := j') (s'' := s''), (IHe3) with (j := j') (s'' := s''); auto;
      split; auto; intros v it; apply (now_ v); rewrite !in_app_iff; auto.
  - rewrite orb_false_iff in none. destruct none as (none1 & none2).
    rewrite (IHe1) with (j := j') (s'' := s''), (IHe2) with (j := j') (s'' := s''); auto;
      split; auto; intros v it; apply (now_ v); rewrite !in_app_iff; auto.
Qed.

Lemma of_state_reads : forall e s t, states_only e -> (forall v, In (v, false) (uses e false) -> s v = t v) ->
  eval s blank s e false = eval t blank t e false.
Proof.
  intros e s t (_ & none) same. apply eval_reads; [exact same | | now right].
  intros v it. destruct (none v it).
Qed.

Section Text.

Variable T : text.
Notation P := (program_of T).

(** What the checker refuses otherwise. *)
Hypothesis first_states : forall v e, first_expr T v = Some e -> states_only e.
Hypothesis always_states : forall v e, always_expr T v = Some e -> states_only e.
Hypothesis init_states : forall e, In e (init_exprs T) -> states_only e.
Hypothesis invar_states : forall e, In e (invar_exprs T) -> states_only e.
Hypothesis frozen_right : forall v, is_frozen T v = true -> next_expr T v = None /\ always_expr T v = None.
Hypothesis has_values : forall v, values v <> [].

(** An order in which values are chosen: none needs one that is chosen later, nor itself. *)
Variables first_slots next_slots : list Name.
Hypothesis first_slots_all : forall v, In v first_slots.
Hypothesis next_slots_all : forall v, In v next_slots.

Definition first_needs (v : Name) : list Name :=
  match first_expr T v, always_expr T v with
  | Some e, _ | None, Some e => map fst (uses e false)
  | None, None => []
  end.

Definition next_needs (v : Name) : list Name :=
  match next_expr T v, always_expr T v with
  | Some e, _ => map fst (filter snd (uses e false))
  | None, Some e => map fst (uses e false)
  | None, None => []
  end.

Definition sorted (needs : Name -> list Name) (slots : list Name) : Prop :=
  forall before v after, slots = before ++ v :: after -> forall w, In w (v :: after) -> ~ In w (needs v).
Hypothesis first_sorted : sorted first_needs first_slots.
Hypothesis next_sorted : sorted next_needs next_slots.

Lemma sorted_self : forall needs slots v, sorted needs slots -> In v slots -> ~ In v (needs v).
Proof.
  intros needs slots v it member. apply in_split in member. destruct member as (before & after & is).
  apply (it before v after is). now left.
Qed.

Lemma filter_split : forall (p : Name -> bool) l before v after, filter p l = before ++ v :: after ->
  exists b a, l = b ++ v :: a /\ filter p b = before.
Proof.
  induction l as [| x l IH]; intros before v after it; simpl in it.
  - destruct before; discriminate.
  - destruct (p x) eqn:is.
    + destruct before as [| y before]; simpl in it; injection it as same it.
      * subst. exists [], l. auto.
      * subst y. destruct (IH before v after it) as (b & a & is_l & is_b). exists (x :: b), a. simpl. rewrite is, is_l, is_b. auto.
    + destruct (IH before v after it) as (b & a & is_l & is_b). exists (x :: b), a. simpl. rewrite is, is_l. auto.
Qed.

Lemma sorted_filter : forall needs slots p, sorted needs slots -> forall before v after, filter p slots = before ++ v :: after ->
  forall w, In w before -> ~ In v (needs w).
Proof.
  intros needs slots p it before v after is w member. apply filter_split in is. destruct is as (b & a & is & is_b).
  rewrite <- is_b in member. apply filter_In in member. destruct member as (member & _).
  apply in_split in member. destruct member as (b1 & b2 & is_b'). apply (it b1 w (b2 ++ v :: a)).
  - rewrite is, is_b'. now rewrite <- app_assoc.
  - right. apply in_or_app. right. now left.
Qed.

(** *** Where states are listed *)

Notation domain_ := (fun v x => In x (values v)).
Notation input_domain_ := (fun j x => In x (input_values j)).

Lemma needed_before : forall needs slots, sorted needs slots -> (forall v, In v slots) ->
  forall before v after, slots = before ++ v :: after -> forall w, In w (needs v) -> In w before.
Proof.
  intros needs slots it all before v after is w needed. pose proof (all w) as member. rewrite is in member.
  apply in_app_or in member. destruct member as [member | member]; [exact member |].
  destruct (it before v after is w member needed).
Qed.

Lemma map_fst_in : forall (l : list (Name * bool)) v next, In (v, next) l -> In v (map fst l).
Proof. intros l v next it. apply in_map_iff. exists (v, next). auto. Qed.

Lemma map_fst_next : forall (l : list (Name * bool)) v, In (v, true) l -> In v (map fst (filter snd l)).
Proof. intros l v it. apply in_map_iff. exists (v, true). split; [reflexivity |]. apply filter_In. auto. Qed.

Definition first_candidates (v : Name) (s : state) (x : value) : Prop :=
  In x (values v) /\
  match first_expr T v, always_expr T v with
  | Some e, _ | None, Some e => of_state e s x
  | None, None => True
  end.

(** Where in the order each condition is looked at: where the last variable that it speaks of is chosen, or before all. *)
Variable first_place : expr -> option Name.
Hypothesis first_place_right : forall e, In e (init_exprs T) \/ In e (invar_exprs T) ->
  match first_place e with
  | Some v => forall before after, first_slots = before ++ v :: after ->
      forall w next, In (w, next) (uses e false) -> In w before \/ w = v
  | None => uses e false = []
  end.

Definition first_looks (place : option Name) (s : state) : Prop :=
  forall e, In e (init_exprs T) \/ In e (invar_exprs T) -> first_place e = place -> is_true s blank s false e.

Theorem first_states_listed : NoDup first_slots -> forall s t,
  (first_looks None s /\ exists s', chosen first_candidates (fun v => first_looks (Some v)) first_slots s s' /\
    forall v, s' v = t v) <-> initial Name Input value domain_ P t.
Proof.
  intros once s t.
  assert (none_same : forall s t, first_looks None s -> first_looks None t).
  { intros x y it e member none. pose proof (first_place_right e member) as nothing. rewrite none in nothing.
    specialize (it e member none). unfold is_true in *. rewrite <- (of_state_reads e x y); [exact it | |].
    - destruct member; auto.
    - rewrite nothing. contradiction. }
  rewrite (choices_right first_candidates (fun v => first_looks (Some v)) first_slots once first_slots_all).
  - unfold initial, first_candidates, Programs.first_assigned. simpl. split.
    + intros (before & all). split; [intro v; apply all |]. split; [| split].
      * intro v. destruct (all v) as ((_ & among) & _). destruct (first_expr T v); [exact among |].
        destruct (always_expr T v); [exact among | exact I].
      * intros e member. destruct (first_place e) as [v |] eqn:place.
        -- apply (proj2 (all v) e); auto.
        -- apply (none_same s t before e); auto.
      * intros e member. destruct (first_place e) as [v |] eqn:place.
        -- apply (proj2 (all v) e); auto.
        -- apply (none_same s t before e); auto.
    + intros (ok & assigned & begins & allowed).
      assert (all : forall e, In e (init_exprs T) \/ In e (invar_exprs T) -> is_true t blank t false e).
      { intros e [member | member]; auto. }
      split; [apply (none_same t s); intros e member _; auto |]. intro v. split; [| intros e member _; auto].
      split; [apply ok |]. specialize (assigned v). destruct (first_expr T v); [exact assigned |].
      destruct (always_expr T v); [exact assigned | exact I].
  - intros before v after is x y z same (fits & it). split; [exact fits |].
    pose proof (needed_before _ _ first_sorted first_slots_all before v after is) as needed. unfold first_needs in needed.
    destruct (first_expr T v) as [e |] eqn:is_e; [| destruct (always_expr T v) as [e |] eqn:is_e'; [| exact I]];
      unfold of_state, may_be in *; rewrite <- (of_state_reads e x y); eauto; intros w used; apply same, needed;
      eapply map_fst_in; exact used.
  - intros before v after is x y same it e member place. specialize (it e member place). unfold is_true in *.
    pose proof (first_place_right e member) as nothing. rewrite place in nothing.
    rewrite <- (of_state_reads e x y); [exact it | destruct member; auto |].
    intros w used. apply same. exact (nothing before after is w false used).
Qed.

Section Step.

(** The state that is left, and inputs: each of their values is tried. *)
Variables (s : state) (i : inputs).

Definition next_candidates (v : Name) (s' : state) (x : value) : Prop :=
  In x (values v) /\ (is_frozen T v = true -> x = s v) /\
  match next_expr T v, always_expr T v with
  | Some e, _ => may_be s i s' e false x
  | None, Some e => may_be s i s' e true x
  | None, None => True
  end.

Variables trans_place invar_place : expr -> option Name.
Hypothesis trans_place_right : forall e, In e (trans_exprs T) ->
  match trans_place e with
  | Some v => forall before after, next_slots = before ++ v :: after ->
      forall w, In (w, true) (uses e false) -> In w before \/ w = v
  | None => forall w, ~ In (w, true) (uses e false)
  end.
Hypothesis invar_place_right : forall e, In e (invar_exprs T) ->
  match invar_place e with
  | Some v => forall before after, next_slots = before ++ v :: after ->
      forall w next, In (w, next) (uses e false) -> In w before \/ w = v
  | None => uses e false = []
  end.

Definition next_looks (place : option Name) (s' : state) : Prop :=
  (forall e, In e (trans_exprs T) -> trans_place e = place -> is_true s i s' false e) /\
  (forall e, In e (invar_exprs T) -> invar_place e = place -> is_true s i s' true e).

Theorem steps_listed : NoDup next_slots -> forall s' t,
  (typed_inputs i /\ next_looks None s' /\
    exists s'', chosen next_candidates (fun v => next_looks (Some v)) next_slots s' s'' /\ forall v, s'' v = t v) <->
  conditions Name Input value domain_ input_domain_ P s i t.
Proof.
  intros once s' t.
  assert (of_next : forall e x, states_only e -> eval s i x e true = eval x blank x e false).
  { intros e x only. now apply primed. }
  assert (none_same : forall x y, next_looks None x -> next_looks None y).
  { intros x y (one & two). split; intros e member none.
    - pose proof (trans_place_right e member) as nothing. rewrite none in nothing. specialize (one e member none).
      unfold is_true in *. rewrite <- (eval_reads e false s i x s i y); auto. intros w used. destruct (nothing w used).
    - pose proof (invar_place_right e member) as nothing. rewrite none in nothing. specialize (two e member none).
      unfold is_true in *. rewrite of_next in *; auto. rewrite <- (of_state_reads e x y); auto. rewrite nothing. contradiction. }
  rewrite (choices_right next_candidates (fun v => next_looks (Some v)) next_slots once next_slots_all).
  - unfold conditions, next_candidates, next_demands, Programs.next_assigned. simpl. split.
    + intros (ok_i & before & all). split; [exact ok_i |]. split; [intro v; apply all |]. split; [| split].
      * intro v. destruct (all v) as ((_ & stays & among) & _). split; [exact stays |].
        destruct (next_expr T v); [exact among |]. destruct (always_expr T v) as [e |] eqn:is_e; [| exact I]. simpl.
        unfold of_state, may_be in *. rewrite <- of_next; eauto.
      * intros e member. destruct (trans_place e) as [v |] eqn:place.
        -- apply (proj1 (proj2 (all v))); auto.
        -- apply (proj1 (none_same s' t before)); auto.
      * intros e member. assert (it : is_true s i t true e).
        { destruct (invar_place e) as [v |] eqn:place.
          - apply (proj2 (proj2 (all v))); auto.
          - apply (proj2 (none_same s' t before)); auto. }
        unfold is_true in *. rewrite of_next in it; auto.
    + intros (ok_i & ok & assigned & goes & allowed). split; [exact ok_i |].
      assert (allowed_ : forall e, In e (invar_exprs T) -> is_true s i t true e).
      { intros e member. unfold is_true. rewrite of_next; auto. now apply allowed. }
      split; [apply (none_same t s'); split; intros e member _; auto |]. intro v. destruct (assigned v) as (stays & it).
      split; [| split; intros e member _; auto]. split; [apply ok |]. split; [exact stays |].
      destruct (next_expr T v); [exact it |]. destruct (always_expr T v) as [e |] eqn:is_e; [| exact I]. simpl in it.
      unfold of_state, may_be in *. rewrite of_next; eauto.
  - intros before v after is x y z same (fits & stays & it). split; [exact fits |]. split; [exact stays |].
    pose proof (needed_before _ _ next_sorted next_slots_all before v after is) as needed. unfold next_needs in needed.
    destruct (next_expr T v) as [e |] eqn:is_e; [| destruct (always_expr T v) as [e |] eqn:is_e'; [| exact I]]; unfold may_be in *.
    + rewrite <- (eval_reads e false s i x s i y); auto. intros w used. apply same, needed. now apply map_fst_next.
    + rewrite of_next in *; eauto. rewrite <- (of_state_reads e x y); eauto. intros w used. apply same, needed.
      eapply map_fst_in. exact used.
  - intros before v after is x y same (one & two). split; intros e member place.
    + specialize (one e member place). pose proof (trans_place_right e member) as nothing. rewrite place in nothing.
      unfold is_true in *. rewrite <- (eval_reads e false s i x s i y); auto. intros w used. apply same.
      exact (nothing before after is w used).
    + specialize (two e member place). pose proof (invar_place_right e member) as nothing. rewrite place in nothing.
      unfold is_true in *. rewrite of_next in *; auto. rewrite <- (of_state_reads e x y); auto. intros w used. apply same.
      exact (nothing before after is w false used).
Qed.

End Step.

(** *** What can be left out *)

Variable kept : Name -> bool.

(** Conditions speak of what stays, and so does what is assigned to it. *)
Hypothesis conditions_kept : forall e, In e (init_exprs T) \/ In e (invar_exprs T) \/ In e (trans_exprs T) ->
  forall v next, In (v, next) (uses e false) -> kept v = true.
Hypothesis assigned_kept : forall w e, kept w = true ->
  first_expr T w = Some e \/ next_expr T w = Some e \/ always_expr T w = Some e ->
  forall v next, In (v, next) (uses e false) -> kept v = true.

Notation first_assigned := (first_assigned Name Input value).
Notation next_assigned := (next_assigned Name Input value).
Notation agree := (agree Name value kept).

(** By ranges: what is assigned has a value, and of the domain. *)
Definition are_assigned (v : Name) : Prop :=
  forall e, first_expr T v = Some e \/ next_expr T v = Some e \/ always_expr T v = Some e ->
    exists r, snd (ranges e) = Some r /\ incl r (values v).
(** By diagrams: some value satisfies the condition, whatever all others are. *)
Definition is_possible (v : Name) : Prop :=
  (forall s, typed s -> exists x, In x (values v) /\ first_assigned P v (update s v x)) /\
  (forall s i s', typed s -> typed_inputs i -> typed s' ->
    exists x, In x (values v) /\ next_assigned P v s i (update s' v x)).
Hypothesis left_out : forall v, kept v = false -> are_assigned v \/ is_possible v.

Lemma of_state_update : forall e s v x, states_only e -> ~ In v (map fst (uses e false)) ->
  eval s blank s e false = eval (update s v x) blank (update s v x) e false.
Proof.
  intros e s v x only not. apply of_state_reads; [exact only |]. intros w it. apply update_other.
  intro same. subst. apply not. eapply map_fst_in. exact it.
Qed.

Lemma next_update : forall e s i s' v x, ~ In v (map fst (filter snd (uses e false))) ->
  eval s i s' e false = eval s i (update s' v x) e false.
Proof.
  intros e s i s' v x not. apply eval_reads; [reflexivity | | now right]. intros w it. apply update_other.
  intro same. subst. apply not. now apply map_fst_next.
Qed.

(** What a variable is assigned has not changed if another one has, which it does not need. *)
Lemma first_unchanged : forall w v s x, w <> v -> ~ In v (first_needs w) -> first_assigned P w s ->
  first_assigned P w (update s v x).
Proof.
  intros w v s x differs not it. unfold Programs.first_assigned, first_needs in *. simpl in *.
  destruct (first_expr T w) as [e |] eqn:is; simpl in *.
  - unfold of_state, may_be in *. rewrite <- (of_state_update e s v x); eauto. now rewrite <- (update_other s v x w).
  - destruct (always_expr T w) as [e |] eqn:is'; simpl in *; [| exact I].
    unfold of_state, may_be in *. rewrite <- (of_state_update e s v x); eauto. now rewrite <- (update_other s v x w).
Qed.

Lemma next_unchanged : forall w v s i s' x, w <> v -> ~ In v (next_needs w) -> next_assigned P w s i s' ->
  next_assigned P w s i (update s' v x).
Proof.
  intros w v s i s' x differs not it. unfold Programs.next_assigned, next_needs in *. simpl in *.
  destruct (next_expr T w) as [e |] eqn:is; simpl in *.
  - unfold may_be in *. rewrite <- (next_update e s i s' v x not). now rewrite <- (update_other s' v x w).
  - destruct (always_expr T w) as [e |] eqn:is'; simpl in *; [| exact I].
    unfold of_state, may_be in *. rewrite <- (of_state_update e s' v x); eauto. now rewrite <- (update_other s' v x w).
Qed.

Lemma typed_update : forall s v x, typed s -> In x (values v) -> typed (update s v x).
Proof.
  intros s v x ok fits w. unfold Programs.update. destruct (name_dec w v); [now subst | apply ok].
Qed.

(** What are ranges for. *)
Lemma range_choice : forall e v r s i s', typed s -> typed_inputs i -> typed s' ->
  snd (ranges e) = Some r -> incl r (values v) -> exists x, In x (values v) /\ may_be s i s' e false x.
Proof.
  intros e v r s i s' ok ok_i ok' is all.
  destruct (proj2 (ranges_right s i s' ok ok_i ok' e false) r is) as ([| x xs] & of_e & some & within); [contradiction |].
  exists x. split; [apply all, within; now left |]. exists (x :: xs). split; [exact of_e | now left].
Qed.

Lemma some_value : forall v, exists x, In x (values v).
Proof.
  intro v. pose proof (has_values v) as some. destruct (values v) as [| x xs]; [contradiction |]. exists x. now left.
Qed.

(** Expressions of single states have no inputs, and so it does not matter that [blank] is none. *)
Lemma range_choice_state : forall e v r s, states_only e -> typed s -> (exists i : inputs, typed_inputs i) ->
  snd (ranges e) = Some r -> incl r (values v) -> exists x, In x (values v) /\ of_state e s x.
Proof.
  intros e v r s (none & now_) ok (i & ok_i) is all. destruct (range_choice e v r s i s ok ok_i ok is all) as (x & fits & it).
  exists x. split; [exact fits |]. unfold of_state, may_be in *. rewrite <- (eval_reads e false s i s s blank s); auto.
Qed.

Hypothesis some_inputs : exists i : inputs, typed_inputs i.

Lemma first_possible_ : forall v s, kept v = false -> typed s ->
  exists x, In x (values v) /\ first_assigned P v (update s v x).
Proof.
  intros v s out_ ok. destruct (left_out v out_) as [by_ranges | (possible & _)]; [| now apply possible].
  pose proof (sorted_self _ _ v first_sorted (first_slots_all v)) as not.
  unfold Programs.first_assigned, first_needs in *. simpl. destruct (first_expr T v) as [e |] eqn:is; simpl.
  - destruct (by_ranges e ltac:(auto)) as (r & is_r & all).
    destruct (range_choice_state e v r s) as (x & fits & it); eauto. exists x. split; [exact fits |].
    rewrite update_same. unfold of_state, may_be in *. now rewrite <- (of_state_update e s v x (first_states v e is) not).
  - destruct (always_expr T v) as [e |] eqn:is'; simpl.
    + destruct (by_ranges e ltac:(auto)) as (r & is_r & all).
      destruct (range_choice_state e v r s) as (x & fits & it); eauto. exists x. split; [exact fits |].
      rewrite update_same. unfold of_state, may_be in *. now rewrite <- (of_state_update e s v x (always_states v e is') not).
    + destruct (some_value v) as (x & fits). exists x. auto.
Qed.

Lemma next_possible_ : forall v, kept v = false -> forall s i s', typed s -> typed_inputs i -> typed s' ->
  exists x, In x (values v) /\ next_assigned P v s i (update s' v x).
Proof.
  intros v out_ s i s' ok ok_i ok'. destruct (left_out v out_) as [by_ranges | (_ & possible)]; [| now apply possible].
  pose proof (sorted_self _ _ v next_sorted (next_slots_all v)) as not.
  unfold Programs.next_assigned, next_needs in *. simpl. destruct (next_expr T v) as [e |] eqn:is; simpl.
  - destruct (by_ranges e ltac:(auto)) as (r & is_r & all).
    destruct (range_choice e v r s i s') as (x & fits & it); auto. exists x. split; [exact fits |].
    rewrite update_same. unfold may_be in *. now rewrite <- (next_update e s i s' v x not).
  - destruct (always_expr T v) as [e |] eqn:is'; simpl.
    + destruct (by_ranges e ltac:(auto)) as (r & is_r & all).
      destruct (range_choice_state e v r s') as (x & fits & it); eauto. exists x. split; [exact fits |].
      rewrite update_same. unfold of_state, may_be in *. now rewrite <- (of_state_update e s' v x (always_states v e is') not).
    + destruct (some_value v) as (x & fits). exists x. auto.
Qed.

Lemma conditions_read : forall es s t, (forall e, In e es -> states_only e) ->
  (forall e, In e es -> forall v next, In (v, next) (uses e false) -> kept v = true) -> agree s t ->
  (forall e, In e es -> is_true s blank s false e) -> forall e, In e es -> is_true t blank t false e.
Proof.
  intros es s t only stays agrees all e member. unfold is_true in *.
  rewrite <- (of_state_reads e s t (only e member)); [now apply all |].
  intros v it. apply agrees. exact (stays e member v false it).
Qed.

Lemma trans_read : forall s t i s' t', agree s t -> agree s' t' -> trans _ _ _ P s i s' -> trans _ _ _ P t i t'.
Proof.
  intros s t i s' t' agrees agrees' all e member. specialize (all e member). unfold is_true in *.
  rewrite <- (eval_reads e false s i s' t i t'); [exact all | | | now right]; intros v it;
    [apply agrees | apply agrees']; eapply conditions_kept; eauto.
Qed.

Lemma first_read : forall v s t, kept v = true -> agree s t -> first_assigned P v s -> first_assigned P v t.
Proof.
  intros v s t stays agrees. unfold Programs.first_assigned. simpl.
  assert (one : forall e, states_only e -> (forall w next, In (w, next) (uses e false) -> kept w = true) ->
    of_state e s (s v) -> of_state e t (t v)).
  { intros e only all it. unfold of_state, may_be in *. rewrite <- (agrees v stays).
    rewrite <- (of_state_reads e s t only); [exact it |]. intros w used. apply agrees. eauto. }
  destruct (first_expr T v) as [e |] eqn:is; simpl.
  - apply one; eauto.
  - destruct (always_expr T v) as [e |] eqn:is'; simpl; [apply one; eauto | auto].
Qed.

Lemma next_read : forall v s t i s' t', kept v = true -> agree s t -> agree s' t' ->
  next_assigned P v s i s' -> next_assigned P v t i t'.
Proof.
  intros v s t i s' t' stays agrees agrees'. unfold Programs.next_assigned. simpl.
  destruct (next_expr T v) as [e |] eqn:is; simpl.
  - unfold may_be. rewrite <- (agrees' v stays). rewrite <- (eval_reads e false s i s' t i t'); auto;
      intros w used; [apply agrees | apply agrees']; eapply assigned_kept; eauto.
  - destruct (always_expr T v) as [e |] eqn:is'; simpl; [| auto]. unfold of_state, may_be. rewrite <- (agrees' v stays).
    rewrite <- (of_state_reads e s' t'); eauto.
Qed.

Section Verdict.

Variable label : inputs -> nat.
Variable kinds : nat -> kind Name value.
Variable about : nat -> option nat -> Prop.
Variable claimed : form -> state -> Prop.

Notation domain := (fun v x => In x (values v)).
Notation input_domain := (fun j x => In x (input_values j)).
Notation initial := (initial Name Input value domain).
Notation cone := (cone Name Input value P kept).

Hypothesis all_by : forall f s, claimed f s ->
  by_conditions Name Input value domain input_domain label kinds about cone claimed s f.

(** Theorem 4, of programs as they are written. *)
Theorem theorem_4_text : forall f, is_state f = true -> speaks (of_part Name value kinds kept) f ->
  let holds := holds state nat (step Name Input value domain input_domain label P)
    (atom Name Input value domain input_domain label kinds P) about f in
  let own := own Name Input value domain input_domain label kinds cone claimed in
  ((forall s, initial cone s -> own f s) -> forall s, initial P s -> holds s) /\
  ((exists s, initial cone s /\ own (negate f) s) -> ~ forall s, initial P s -> holds s).
Proof.
  intros f is of holds_ own_.
  apply (theorem_4_cone Name Input value name_dec domain input_domain label kinds about P kept) with
    (first_order := filter (fun v => negb (kept v)) first_slots) (next_order := filter (fun v => negb (kept v)) next_slots);
    auto.
  - intros s t agrees. refine (conditions_read (init_exprs T) s t _ _ agrees); eauto.
  - intros s t agrees. refine (conditions_read (invar_exprs T) s t _ _ agrees); eauto.
  - apply trans_read.
  - apply first_read.
  - apply next_read.
  - apply first_possible_.
  - apply next_possible_.
  - intros v is_f. destruct (frozen_right v is_f) as (none & none'). simpl. rewrite none, none'. auto.
  - intro v. rewrite filter_In. split; [intro out_; rewrite out_; auto | intros (_ & it); now apply negb_true_iff].
  - intro v. rewrite filter_In. split; [intro out_; rewrite out_; auto | intros (_ & it); now apply negb_true_iff].
  - intros before v after is_l w s x member differs. apply first_unchanged; [exact differs |].
    exact (sorted_filter _ _ _ first_sorted before v after is_l w member).
  - intros before v after is_l w s i s' x member differs. apply next_unchanged; [exact differs |].
    exact (sorted_filter _ _ _ next_sorted before v after is_l w member).
Qed.

End Verdict.

End Text.

End Expressions.
