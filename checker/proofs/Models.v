(** Whole certificates of nets, networks and tables: claims by sets on some of the places, claims of kind [always], and runs
    (docs/certificates.md, "What is proved"). *)

Require Import ZArith Lia List Bool.
Require Import ClassicalEpsilon.
From Starset Require Import Inequalities Conditions Tables Places.
From Starset Require Semantics Automaton Claims Certificate.
Import Semantics Automaton Claims.
Import ListNotations.
Open Scope Z_scope.

Section Models.

(** A model: its steps, each with its label, and where it begins. *)
Variable model : list (nat * step).
Variable begin : nat -> Z.
Hypothesis once : forall l t, In (l, t) model -> NoDup (touched t).
Hypothesis begin_marking : is_marking begin.

(** No step leads below 0: it needs what it takes. *)
Definition stays_above (a : action) : Prop :=
  match a with
  | Tokens least _ change => 0 <= least + change
  | Pairs pairs => forall x y, In (x, y) pairs -> 0 <= y
  end.
Hypothesis above : forall l t p a, In (l, t) model -> In (p, a) t -> stays_above a.

(** The places that are levels. *)
Variable order : list nat.
Hypothesis levels_once : NoDup order.

Notation marking := (nat -> Z).
Notation takes := (takes model).
Notation view := (view order).
Notation number := (number_in order).
Notation reachable := (reachable marking nat takes (fun m => m = begin)).

Lemma leads_marking : forall l t m m', In (l, t) model -> is_marking m -> leads t m m' -> is_marking m'.
Proof.
  intros l t m m' member tokens (all & elsewhere) p. destruct (in_dec Nat.eq_dec p (touched t)) as [touch | not].
  - apply in_map_iff in touch. destruct touch as ((q, a) & same & touch). simpl in same. subst q.
    specialize (all p a touch). apply after_within in all. pose proof (above l t p a member touch) as ok. specialize (tokens p).
    destruct a as [least most change | pairs]; simpl in ok; [lia | eauto].
  - rewrite (elsewhere p not). apply tokens.
Qed.

Lemma reachable_same : forall m, reachable m -> reachable_by (fun t => exists l, In (l, t) model) begin m /\ is_marking m.
Proof.
  intros m it. induction it as [m is | m l m' from (IH & tokens) (t & member & goes)].
  - subst. split; [constructor | exact begin_marking].
  - pose proof (leads_marking l t m m' member tokens goes) as tokens'. split; [| exact tokens'].
    apply (reachable_after _ _ m t m'); eauto.
Qed.

(** *** Atoms *)

Inductive kind : Type :=
| Deadlock
| Enabled (labels : nat -> bool)
| Compare (sum : list (nat * Z)) (op : operator) (bound : Z).

Variable kinds : nat -> kind.
Variable about : nat -> option nat -> Prop.

Definition atom (a : nat) (m : marking) : Prop :=
  match kinds a with
  | Deadlock => deadlock marking nat takes m
  | Enabled labels => enabled model (fun l => labels l = true) m
  | Compare l op b => compares op (sum l m) b
  end.

Notation atoms := (atoms marking atom).
Notation holds := (holds marking nat takes atom about).

(** Atoms of which the levels make sure. *)
Definition sure_on (b : bool) (a : nat) (v : list Z) : Prop :=
  match kinds a with
  | Deadlock =>
    if b then forall l t, In (l, t) model -> ~ possible_on order t v
    else exists l t, In (l, t) model /\ possible_for_sure order t v
  | Enabled labels =>
    if b then exists l t, labels l = true /\ In (l, t) model /\ possible_for_sure order t v
    else forall l t, labels l = true -> In (l, t) model -> ~ possible_on order t v
  | Compare l op bound =>
    (forall p z, In (p, z) l -> In p order) /\
    if b then compares op (sum l (number v)) bound else ~ compares op (sum l (number v)) bound
  end.

Lemma sure_on_right : forall b a m, sure_on b a (view m) -> atoms b a m.
Proof.
  intros b a m it. unfold sure_on, Semantics.atoms, atom in *. destruct (kinds a) as [| labels | l op bound], b.
  - now apply (sure_deadlock model once order).
  - now apply (sure_no_deadlock model once order).
  - now apply (sure_enabled model once order).
  - now apply (sure_not_enabled model once order).
  - destruct it as (all & it). now rewrite (sure_sum order l m all) in it.
  - destruct it as (all & it). now rewrite (sure_sum order l m all) in it.
Qed.

(** *** Claims of kind [always] *)

Definition of_labels (labels : nat -> bool) : list step := map snd (filter (fun lt => labels (fst lt)) model).

(** A state formula without quantifiers as a statement of [Tables]. *)
Fixpoint statement_of (f : form) : option statement :=
  match f with
  | TT => Some (SEvery [])
  | FF => Some (SEither [])
  | Atom b a =>
    let s := match kinds a with
      | Deadlock => SNot (SEnabled (of_labels (fun _ => true)))
      | Enabled labels => SEnabled (of_labels labels)
      | Compare l op bound => SCompare l op bound
      end in
    Some (if b then s else SNot s)
  | And f g => match statement_of f, statement_of g with Some s, Some t => Some (SEvery [s; t]) | _, _ => None end
  | Or f g => match statement_of f, statement_of g with Some s, Some t => Some (SEither [s; t]) | _, _ => None end
  | _ => None
  end.

Lemma enabled_labels : forall labels m,
  (exists t, In t (of_labels labels) /\ can_step t m) <-> enabled model (fun l => labels l = true) m.
Proof.
  intros labels m. unfold of_labels, enabled. split.
  - intros (t & member & can_). apply in_map_iff in member. destruct member as ((l, t') & same & member). simpl in same. subst t'.
    apply filter_In in member. destruct member as (member & among). simpl in among.
    apply (can_takes model once l t m member) in can_. destruct can_ as (m' & goes). exists l, m'. split; [exact among |].
    exists t. auto.
  - intros (l & m' & among & t & member & goes). exists t. split.
    + apply in_map_iff. exists (l, t). split; [reflexivity |]. apply filter_In. auto.
    + apply (can_takes model once l t m member). eauto.
Qed.

Lemma statement_right : forall f s m, statement_of f = Some s -> (so s m <-> holds f m).
Proof.
  assert (quantified : forall f s, statement_of f = Some s -> is_state f = true).
  { induction f; intros s it; simpl in *; try discriminate; try reflexivity;
      destruct (statement_of f1) as [s1 |], (statement_of f2) as [s2 |]; try discriminate;
      now rewrite (IHf1 s1), (IHf2 s2). }
  assert (by_path : forall f m, is_state f = true -> (holds f m <->
    sat marking nat takes atom about f (path_from marking nat takes m) 0)).
  { intros f m is. split; [intro all; now apply all |]. intro it. exact (holds_at _ _ _ _ _ f is _ 0 it). }
  induction f; intros s m is; simpl in is; try discriminate.
  - injection is as same. subst s. split; [intros _ p n _; exact I | intros _; exact I].
  - injection is as same. subst s. rewrite by_path by reflexivity. simpl. tauto.
  - injection is as same. rewrite by_path by reflexivity. cbn [sat]. unfold Semantics.atoms, atom.
    rewrite path_from_begins. subst s.
    assert (here : so match kinds a with
        | Deadlock => SNot (SEnabled (of_labels (fun _ => true)))
        | Enabled labels => SEnabled (of_labels labels)
        | Compare l op bound => SCompare l op bound
        end m <-> match kinds a with
        | Deadlock => deadlock marking nat takes m
        | Enabled labels => enabled model (fun l => labels l = true) m
        | Compare l op b => compares op (sum l m) b
        end).
    { destruct (kinds a) as [| labels | l op bound]; cbn [so]; [| apply enabled_labels | tauto].
      rewrite enabled_labels. unfold enabled. split.
      - intros none l m' goes. apply none. exists l, m'. auto.
      - intros dead (l & m' & _ & goes). exact (dead l m' goes). }
    destruct positive; cbn [so]; rewrite here; tauto.
  - destruct (statement_of f1) as [s1 |] eqn:one; [| discriminate]. destruct (statement_of f2) as [s2 |] eqn:two; [| discriminate].
    injection is as same. subst s. cbn [so fold_right]. rewrite (IHf1 s1 m eq_refl), (IHf2 s2 m eq_refl).
    rewrite !by_path by (simpl; rewrite ?(quantified f1 s1 one), ?(quantified f2 s2 two); reflexivity). simpl. tauto.
  - destruct (statement_of f1) as [s1 |] eqn:one; [| discriminate]. destruct (statement_of f2) as [s2 |] eqn:two; [| discriminate].
    injection is as same. subst s. cbn [so fold_right]. rewrite (IHf1 s1 m eq_refl), (IHf2 s2 m eq_refl).
    rewrite !by_path by (simpl; rewrite ?(quantified f1 s1 one), ?(quantified f2 s2 two); reflexivity). simpl. tauto.
Qed.

Definition always_checked (f : form) : Prop :=
  is_state f = true /\
  exists s keeps proof, statement_of f = Some s /\
    (forall r, In r keeps -> true_in r begin /\ forall l t, In (l, t) model -> is_kept r t) /\
    refutes (keeps ++ rows_of (opposite (as_condition s))) (disjunctions_of (opposite (as_condition s))) proof = true.

Lemma always_checked_right : forall f, always_checked f -> is_state f = true /\ forall m, reachable m -> holds f m.
Proof.
  intros f (is & s & keeps & proof & of_f & kept & refuted). split; [exact is |]. intros m from.
  apply (statement_right f s m of_f). apply reachable_same in from. destruct from as (from & _).
  apply (theorem_3_tables (fun t => exists l, In (l, t) model) begin keeps s proof begin_marking); auto.
  intros r member. destruct (kept r member) as (first & all). split; [exact first |].
  intros t (l & there). split; [exact (once l t there) | exact (all l t there)].
Qed.

(** *** Certificates *)

(** The formulas of claims [always]; what others claim: of markings, by what the levels show, or of the first one. *)
Variable always : list form.
Hypothesis all_always : forall f, In f always -> always_checked f.
Variable claimed_on : form -> list Z -> Prop.
Variable claimed_at_first : form -> Prop.

Definition claimed (f : form) (m : marking) : Prop := claimed_on f (view m) \/ (claimed_at_first f /\ m = begin).
Notation valid := (Certificate.valid (fun f => In f always)).
Notation low := (Certificate.low marking atoms (fun f => In f always) claimed).
Notation below := (Certificate.below marking nat takes about atoms (fun f => In f always) claimed).

(** Lower bounds as far as the levels tell. *)
Fixpoint low_on (f : form) (v : list Z) : Prop :=
  valid f \/
  match f with
  | TT => True
  | Atom b a => sure_on b a v
  | And f g => low_on f v /\ low_on g v
  | Or f g => low_on f v \/ low_on g v
  | E _ | A _ => claimed_on f v
  | _ => False
  end.

Lemma low_on_right : forall f m, low_on f (view m) -> low f m.
Proof.
  induction f; intros m it; cbn [low_on] in it; cbn [Certificate.low]; (destruct it as [all | it]; [now left | right]); auto.
  - now apply sure_on_right.
  - destruct it. auto.
  - destruct it; auto.
  - now left.
  - now left.
Qed.

Notation may := (may model order).
Notation must := (must model order).

Inductive by_sets (v : list Z) : form -> Prop :=
| all_by_sets : forall f (aut : automaton (negate f)) marks (P : loc _ aut -> list Z -> Prop) (rank : loc _ aut -> list Z -> nat),
    (forall q v e q' o v', P q v -> In (e, q') (out _ aut q) -> Levels.open_view nat (list Z) about low_on e v o -> may v o v' ->
      P q' v' /\
      ((rank q' v' < rank q v)%nat \/
       (rank q' v' = rank q v /\ exists mark, nth_error marks (class marks (rank q v)) = Some mark /\ In mark (off e)))) ->
    P (first _ aut) v -> by_sets v (A f)
| some_by_sets : forall f (aut : automaton f) marks (top : loc _ aut -> Prop) (H : loc _ aut -> nat -> list Z -> Prop)
    (rank : loc _ aut -> nat -> list Z -> nat),
    (forall q e q', In (e, q') (out _ aut q) -> incl (off e) marks) ->
    (forall q, top q -> exists e q', In (e, q') (out _ aut q) /\ guard e = [] /\ off e = [] /\ top q') ->
    (forall q j v, H q j v ->
      exists e q' o v', In (e, q') (out _ aut q) /\ Levels.proved_view nat (list Z) about low_on e v o /\ must v o v' /\
        (top q' \/ (marked marks j e /\ H q' (turn marks j) v') \/
         (~ marked marks j e /\ H q' j v' /\ (rank q' j v' < rank q j v)%nat))) ->
    H (first _ aut) 0%nat v -> by_sets v (E f).

Hypothesis all_by_sets_ : forall f v, claimed_on f v -> by_sets v f.
(** A run: a path on which the formula is true by lower bounds. *)
Hypothesis all_by_runs : forall f, claimed_at_first f -> exists g (p : path marking nat takes),
  f = E g /\ at_ _ _ _ p 0%nat = begin /\ below g p 0%nat.

Lemma all_accepted : forall f m, claimed f m ->
  Certificate.accepted marking nat takes about (fun m => m = begin) atoms (fun f => In f always) claimed m f.
Proof.
  intros f m [it | (it & is)].
  - apply all_by_sets_ in it. remember (view m) as v eqn:is. revert is.
    destruct it as [f aut marks P rank checked there | f aut marks top H rank is_marks is_top checked there]; intro is; subst v.
    + apply (Certificate.accepted_all _ _ _ _ _ _ _ _ _ f aut marks (fun q m => P q (view m)) (fun q m => rank q (view m)));
        [| exact there].
      apply (all_on_places model once order about _ low low_on (fun f m _ => low_on_right f m)). exact checked.
    + apply (Certificate.accepted_some _ _ _ _ _ _ _ _ _ f aut marks top (fun q j m => H q j (view m))
        (fun q j m => rank q j (view m)) is_marks is_top); [| exact there].
      apply (some_on_places model once order levels_once about _ low low_on (fun f m _ => low_on_right f m)). exact checked.
  - destruct (all_by_runs f it) as (g & p & same & begins_ & true_). subst f m.
    now apply (Certificate.accepted_run _ _ _ _ _ _ _ _ _ g p).
Qed.

(** The verdict: the first marking is in the lower bound of the formula, or of its negation. *)
Theorem model_true : forall f, is_state f = true -> low f begin -> holds f begin.
Proof.
  intros f is it. apply (Certificate.certificate_true marking nat takes atom about (fun m => m = begin) atoms) with
    (everywhere := fun f => In f always) (claimed := claimed); auto.
  - intros g member. apply always_checked_right. auto.
  - exact all_accepted.
  - intros m same. now subst.
Qed.

Theorem model_false : forall f, is_state f = true -> low (negate f) begin -> ~ holds f begin.
Proof.
  intros f is it all. apply (Certificate.certificate_false marking nat takes atom about (fun m => m = begin) atoms) with
    (everywhere := fun f => In f always) (claimed := claimed) (f := f); auto.
  - intros g member. apply always_checked_right. auto.
  - exact all_accepted.
  - exists begin. auto.
  - intros m same. now subst.
Qed.

End Models.
