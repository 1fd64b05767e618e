(** A reference checker: it decides, about models whose states are listed, whether a certificate is accepted, and is proved
    to accept what proves its verdict only. Extracted to OCaml, random tests compare it with the program.

    States and labels are numbers. Whoever calls it reads files, lists the states, and gives the automata, which are
    checked here. *)

Require Import Arith Lia List Bool.
From Starset Require Import Semantics Automaton Claims Certificate.
Import ListNotations.

(** A model whose states are listed: [successors] gives labels and states, [atom_in] and [about_step] what is true. *)
Record model : Type := {
  initials : list nat;
  successors : nat -> list (nat * nat);
  atom_in : nat -> nat -> bool;
  about_step : nat -> option nat -> bool }.

(** An automaton: for each location the sets of formulas that it stands for (more than one where equal locations became
    one), and its edges. Location 0 is the first. *)
Record given : Type := { sets : list (list (list form)); outs : list (list (edge * nat)) }.

(** States with ranks. *)
Definition ranked := list (nat * nat).

(** A path: its steps with the states that they start in, and the state where it ends. *)
Inductive ending : Type :=
| Loop (position : nat)
| Anything.

Inductive proof : Type :=
| ByAll (automaton : given) (marks : list form) (ranks : list ranked)
| BySome (automaton : given) (marks : list form) (tops : list nat) (ranks : list (list ranked))
| ByRun (positions : list (nat * option nat)) (how : ending).

(** Claims about quantified formulas, with the states that they are about; formulas that are true in all states; and all
    states, so that these can be looked at one by one. *)
Record certificate : Type := {
  claims : list (form * (list nat * proof));
  always : list form;
  states : list nat }.

Section Check.

Variable m : model.
Variable c : certificate.

Definition steps (s t s' : nat) : Prop := In (t, s') (successors m s).
Definition atom (a s : nat) : Prop := atom_in m a s = true.
Definition about (a : nat) (o : option nat) : Prop := about_step m a o = true.
Definition first_state (s : nat) : Prop := In s (initials m).

Notation reachable := (reachable nat nat steps first_state).
Notation holds := (holds nat nat steps atom about).
Notation move := (move nat nat steps).
Notation path := (path nat nat steps).

(** All ways to go on: a deadlock repeats. *)
Definition moves_of (s : nat) : list (option nat * nat) :=
  match successors m s with
  | [] => [(None, s)]
  | l => map (fun ts => (Some (fst ts), snd ts)) l
  end.

Lemma moves_of_right : forall s o s', move s o s' <-> In (o, s') (moves_of s).
Proof.
  intros s o s'. unfold moves_of. destruct o as [t |]; simpl.
  - unfold steps. destruct (successors m s) as [| ts l] eqn:is.
    + simpl. split; [contradiction | intros [no | none]; [discriminate | contradiction]].
    + split.
      * intro it. apply (in_map (fun ts => (Some (fst ts), snd ts)) _ _ it).
      * intro it. apply (in_map_iff (fun ts => (Some (fst ts), snd ts)) (ts :: l)) in it.
        destruct it as ((t', s'') & same & it). injection same as same_t same_s. subst. exact it.
  - unfold deadlock, steps. destruct (successors m s) as [| ts l] eqn:is.
    + split; [intros (_ & same); subst; now left |]. intros [same | none]; [| contradiction].
      injection same as same. subst. split; auto.
    + split.
      * intros (none & _). exfalso. apply (none (fst ts) (snd ts)). left. now destruct ts.
      * intro it. apply (in_map_iff (fun ts => (Some (fst ts), snd ts)) (ts :: l)) in it.
        destruct it as (x & no & _). discriminate.
Qed.

Definition mem (f : form) (l : list form) : bool := if in_dec form_dec f l then true else false.
Definition included (k l : list form) : bool := forallb (fun f => mem f l) k.
Definition has (n : nat) (l : list nat) : bool := existsb (Nat.eqb n) l.

Lemma mem_true : forall f l, mem f l = true <-> In f l.
Proof. intros f l. unfold mem. destruct (in_dec form_dec f l); split; auto; discriminate. Qed.

Lemma included_true : forall k l, included k l = true -> incl k l.
Proof. intros k l it f member. unfold included in it. rewrite forallb_forall in it. apply mem_true. auto. Qed.

Lemma has_true : forall n l, has n l = true <-> In n l.
Proof.
  intros n l. unfold has. rewrite existsb_exists. split.
  - intros (k & member & same). apply Nat.eqb_eq in same. now subst.
  - intro member. exists n. split; [exact member | apply Nat.eqb_refl].
Qed.

(** *** Lower bounds *)

Fixpoint is_valid (f : form) : bool :=
  mem f (always c) ||
  match f with
  | TT => true
  | And f g => is_valid f && is_valid g
  | Or f g => is_valid f || is_valid g
  | X f | E f | A f => is_valid f
  | U _ g | R _ g => is_valid g
  | _ => false
  end.

Lemma is_valid_right : forall f, is_valid f = true -> valid (fun f => In f (always c)) f.
Proof.
  induction f; simpl; intro it; apply orb_prop in it; destruct it as [it | it];
    try (apply valid_claim; now apply mem_true); try discriminate;
    try apply andb_prop in it; try apply orb_prop in it; try destruct it; auto using valid.
Qed.

Definition is_claimed (f : form) (s : nat) : bool :=
  existsb (fun claim => (if form_dec (fst claim) f then true else false) && has s (fst (snd claim))) (claims c).
Definition claimed (f : form) (s : nat) : Prop := is_claimed f s = true.

Definition is_atom (b : bool) (a s : nat) : bool := eqb b (atom_in m a s).
Definition sure (b : bool) (a s : nat) : Prop := is_atom b a s = true.

Fixpoint is_low (f : form) (s : nat) : bool :=
  is_valid f ||
  match f with
  | TT => true
  | Atom b a => is_atom b a s
  | And f g => is_low f s && is_low g s
  | Or f g => is_low f s || is_low g s
  | E _ | A _ => is_claimed f s
  | _ => false
  end.

Notation low := (low nat sure (fun f => In f (always c)) claimed).

Lemma is_low_right : forall f s, is_low f s = true -> low f s.
Proof.
  induction f; intro s; simpl; intro it; apply orb_prop in it; destruct it as [it | it];
    try (left; now apply is_valid_right); try discriminate; right; auto.
  - apply andb_prop in it. destruct it. auto.
  - apply orb_prop in it. destruct it; auto.
Qed.

(** *** Formulas without quantifiers, state by state *)

Fixpoint is_plain (f : form) (s : nat) : bool :=
  match f with
  | TT => true
  | Atom b a => is_atom b a s
  | And f g => is_plain f s && is_plain g s
  | Or f g => is_plain f s || is_plain g s
  | _ => false
  end.

Lemma is_atom_right : forall b a s, is_atom b a s = true -> atoms nat atom b a s.
Proof.
  intros b a s it. unfold is_atom in it. apply eqb_prop in it. unfold atoms, atom.
  destruct b; rewrite <- it; [reflexivity | discriminate].
Qed.

(** Is a formula made of atoms alone? *)
Fixpoint without_quantifiers (f : form) : bool :=
  match f with
  | TT | FF | Atom _ _ => true
  | And f g | Or f g => without_quantifiers f && without_quantifiers g
  | _ => false
  end.

Lemma without_quantifiers_state : forall f, without_quantifiers f = true -> is_state f = true.
Proof. induction f; simpl; auto; intro it; apply andb_prop in it; destruct it; rewrite IHf1, IHf2; auto. Qed.

Lemma is_plain_right : forall f s, is_plain f s = true -> holds f s.
Proof.
  induction f; intro s; simpl; intro it; try discriminate; intros p n same; simpl.
  - exact I.
  - rewrite same. now apply is_atom_right.
  - apply andb_prop in it. destruct it. split; [apply (IHf1 s) | apply (IHf2 s)]; auto.
  - apply orb_prop in it. destruct it; [left; apply (IHf1 s) | right; apply (IHf2 s)]; auto.
Qed.

(** The states are all that are reachable. *)
Definition states_closed : bool :=
  forallb (fun s => has s (states c)) (initials m) &&
  forallb (fun s => forallb (fun ts => has (snd ts) (states c)) (successors m s)) (states c).

Lemma states_closed_right : states_closed = true -> forall s, reachable s -> In s (states c).
Proof.
  unfold states_closed. rewrite andb_true_iff, !forallb_forall. intros (first_ & next_) s it.
  induction it as [s it | s t s' _ IH it].
  - apply has_true. auto.
  - specialize (next_ s IH). rewrite forallb_forall in next_. apply has_true. exact (next_ (t, s') it).
Qed.

Definition always_checked : bool :=
  match always c with
  | [] => true
  | l => states_closed && forallb (fun f => without_quantifiers f && forallb (is_plain f) (states c)) l
  end.

Lemma always_right : always_checked = true -> forall f, In f (always c) ->
  is_state f = true /\ forall s, reachable s -> holds f s.
Proof.
  unfold always_checked. intros it f member. destruct (always c) as [| g l]; [contradiction |].
  apply andb_prop in it. destruct it as (closed & it). rewrite forallb_forall in it. specialize (it f member).
  apply andb_prop in it. destruct it as (plain & it). rewrite forallb_forall in it.
  split; [now apply without_quantifiers_state |]. intros s from. apply is_plain_right. apply it.
  now apply states_closed_right.
Qed.

(** *** Automata *)

Definition sets_of (g : given) (q : nat) : list (list form) := nth q (sets g) [].
Definition out_of (g : given) (q : nat) : list (edge * nat) := nth q (outs g) [].

Definition no_worse_than (e' e : edge) : bool := included (guard e') (guard e) && included (off e') (off e).

(** Each edge is a way to satisfy what its location stands for. *)
Definition edges_are_sound (g : given) : bool :=
  forallb (fun q => forallb (fun l => forallb (fun eq =>
    existsb (fun e => no_worse_than e (fst eq) && existsb (included (next e)) (sets_of g (snd eq))) (edges l))
    (out_of g q)) (sets_of g q)) (seq 0 (length (outs g))).

(** Each way to satisfy it has an edge. *)
Definition edges_are_complete (g : given) : bool :=
  forallb (fun q => forallb (fun l => forallb (fun e =>
    existsb (fun eq => no_worse_than (fst eq) e && existsb (fun l => included l (next e)) (sets_of g (snd eq)))
      (out_of g q)) (edges l)) (sets_of g q)) (seq 0 (length (sets g))).

Definition guards_are_small (f : form) (g : given) : bool :=
  forallb (fun q => forallb (fun eq => forallb (fun h => size h <=? size f) (guard (fst eq))) (out_of g q))
    (seq 0 (length (outs g))).

Definition begins_with (f : form) (g : given) : bool :=
  existsb (fun l => match l with [h] => if form_dec h f then true else false | _ => false end) (sets_of g 0).

Definition is_automaton (f : form) (g : given) : bool :=
  edges_are_sound g && edges_are_complete g && guards_are_small f g && begins_with f g.

Lemma nth_not_empty : forall {T} (l : list (list T)) q x, In x (nth q l []) -> q < length l.
Proof.
  intros T l q x it. destruct (lt_dec q (length l)) as [yes | no]; [exact yes |].
  rewrite nth_overflow in it by lia. contradiction.
Qed.

Lemma no_worse_right : forall e' e, no_worse_than e' e = true -> incl (guard e') (guard e) /\ incl (off e') (off e).
Proof. intros e' e it. apply andb_prop in it. destruct it. auto using included_true. Qed.

Definition automaton_of (f : form) (g : given) (ok : is_automaton f g = true) : automaton f.
Proof.
  unfold is_automaton in ok. rewrite !andb_true_iff in ok.
  refine {| loc := nat; first := 0; out := out_of g;
            stands := fun q l => exists l', In l' (sets_of g q) /\ incl l l';
            covers := fun q l => In l (sets_of g q) |}.
  - destruct ok as (((ok & _) & _) & _). intros q l e q' (l' & there & less) it.
    unfold edges_are_sound in ok. rewrite forallb_forall in ok.
    specialize (ok q). rewrite forallb_forall in ok. rewrite in_seq in ok.
    assert (bound : 0 <= q < 0 + length (outs g)) by (split; [lia | exact (nth_not_empty _ _ _ it)]).
    specialize (ok bound l' there). rewrite forallb_forall in ok. specialize (ok (e, q') it).
    apply existsb_exists in ok. destruct ok as (e' & member & ok). apply andb_prop in ok. destruct ok as (better & ok).
    apply existsb_exists in ok. destruct ok as (l'' & there' & less'). apply no_worse_right in better.
    exists e'. repeat split; try tauto.
    + destruct (edges_are_ways _ _ member) as (taken & more & reduced_). exists taken.
      split; [eapply incl_tran; eauto | exact reduced_].
    + exists l''. split; [exact there' | now apply included_true].
  - destruct ok as (((_ & ok) & _) & _). intros q l e there member.
    unfold edges_are_complete in ok. rewrite forallb_forall in ok.
    specialize (ok q). rewrite forallb_forall in ok. rewrite in_seq in ok.
    assert (bound : 0 <= q < 0 + length (sets g)) by (split; [lia | exact (nth_not_empty _ _ _ there)]).
    specialize (ok bound l there). rewrite forallb_forall in ok. specialize (ok e member).
    apply existsb_exists in ok. destruct ok as ((e', q') & it & ok). apply andb_prop in ok. destruct ok as (better & ok).
    apply existsb_exists in ok. destruct ok as (l' & there' & less). apply no_worse_right in better.
    exists e', q', l'. repeat split; try tauto. now apply included_true.
  - destruct ok as (_ & ok). apply existsb_exists in ok. destruct ok as (l & there & is). exists l. split; [exact there |].
    destruct l as [| h [| ]]; try discriminate. destruct (form_dec h f); [| discriminate]. subst. apply incl_refl.
  - destruct ok as (_ & ok). apply existsb_exists in ok. destruct ok as (l & there & is).
    destruct l as [| h [| ]]; try discriminate. destruct (form_dec h f); [| discriminate]. subst. exact there.
  - destruct ok as ((_ & ok) & _). intros q e q' h it member. unfold guards_are_small in ok. rewrite forallb_forall in ok.
    specialize (ok q). rewrite forallb_forall in ok. rewrite in_seq in ok.
    assert (bound : 0 <= q < 0 + length (outs g)) by (split; [lia | exact (nth_not_empty _ _ _ it)]).
    specialize (ok bound (e, q') it). rewrite forallb_forall in ok. apply Nat.leb_le. exact (ok h member).
Defined.

(** *** Claims *)

Fixpoint rank_in (l : ranked) (s : nat) : option nat :=
  match l with
  | [] => None
  | (s', r) :: l => if s =? s' then Some r else rank_in l s
  end.

Lemma rank_in_member : forall l s r, rank_in l s = Some r -> In s (map fst l).
Proof.
  induction l as [| (s', r') l IH]; intros s r it; simpl in it; [discriminate |]. simpl.
  destruct (s =? s') eqn:same; [apply Nat.eqb_eq in same; auto | right; eauto].
Qed.

Definition is_proved (e : edge) (s : nat) (o : option nat) : bool :=
  forallb (fun h => match h with
    | Letter b a => eqb b (about_step m a o)
    | _ => is_state h && is_low h s
    end) (guard e).

Definition is_open (e : edge) (s : nat) (o : option nat) : bool :=
  forallb (fun h => match h with
    | Letter b a => eqb b (about_step m a o)
    | _ => negb (is_state h && is_low (negate h) s)
    end) (guard e).

Lemma about_right : forall b a o, eqb b (about_step m a o) = true <-> abouts nat about b a o.
Proof.
  intros b a o. unfold abouts, about. destruct b, (about_step m a o); simpl; split; auto; try discriminate.
Qed.

Lemma is_proved_right : forall e s o, is_proved e s o = true -> proved nat nat about low e s o.
Proof.
  intros e s o it h member. unfold is_proved in it. rewrite forallb_forall in it. specialize (it h member).
  destruct h; try (apply andb_prop in it; destruct it; split; auto using is_low_right).
  now apply about_right.
Qed.

(** What does not fail for sure is open. *)
Lemma is_open_right : forall e s o, open_ nat nat about low e s o -> is_open e s o = true.
Proof.
  intros e s o it. unfold is_open. apply forallb_forall. intros h member. specialize (it h member).
  assert (state : (is_state h = true -> ~ low (negate h) s) -> negb (is_state h && is_low (negate h) s) = true).
  { intro no. apply negb_true_iff. apply andb_false_iff. destruct (is_state h); [right | now left].
    destruct (is_low (negate h) s) eqn:yes; [| reflexivity]. exfalso. apply no; [reflexivity |]. now apply is_low_right. }
  destruct h; try (apply state; exact it). now apply about_right.
Qed.

Definition rank_all (ranks : list ranked) (q s : nat) : option nat := rank_in (nth q ranks []) s.

Definition all_is_checked (g : given) (marks : list form) (ranks : list ranked) : bool :=
  forallb (fun q => forallb (fun s => forallb (fun eq => forallb (fun os =>
    negb (is_open (fst eq) s (fst os)) ||
    match rank_all ranks q s, rank_all ranks (snd eq) (snd os) with
    | Some r, Some r' =>
      (r' <? r) ||
      ((r' =? r) && match nth_error marks (class marks r) with Some mark => mem mark (off (fst eq)) | None => false end)
    | _, _ => false
    end) (moves_of s)) (out_of g q)) (map fst (nth q ranks []))) (seq 0 (length ranks)).

Lemma all_right : forall f (g : given) (ok : is_automaton (negate f) g = true) marks ranks,
  all_is_checked g marks ranks = true ->
  all_checked nat nat steps about first_state low f (automaton_of (negate f) g ok) marks
    (fun q s => rank_all ranks q s <> None)
    (fun q s => match rank_all ranks q s with Some r => r | None => 0 end).
Proof.
  intros f g ok marks ranks it q s e q' o s' from in_P member opens goes. simpl in *.
  unfold all_is_checked in it. rewrite forallb_forall in it.
  destruct (rank_all ranks q s) as [r |] eqn:at_s; [| contradiction].
  assert (member_s : In s (map fst (nth q ranks []))) by (eapply rank_in_member; exact at_s).
  assert (bound : In q (seq 0 (length ranks))).
  { apply in_seq. split; [lia |]. simpl. apply in_map_iff in member_s. destruct member_s as (x & _ & there).
    exact (nth_not_empty _ _ _ there). }
  specialize (it q bound). rewrite forallb_forall in it. specialize (it s member_s).
  rewrite forallb_forall in it. specialize (it (e, q') member). rewrite forallb_forall in it.
  apply moves_of_right in goes. specialize (it (o, s') goes). simpl in it.
  rewrite (is_open_right e s o opens) in it. simpl in it. rewrite at_s in it.
  destruct (rank_all ranks q' s') as [r' |]; [| discriminate].
  split; [discriminate |]. apply orb_prop in it. destruct it as [less | it].
  - left. now apply Nat.ltb_lt in less.
  - right. apply andb_prop in it. destruct it as (same & it). split; [now apply Nat.eqb_eq in same |].
    destruct (nth_error marks (class marks r)) as [mark |]; [| discriminate]. exists mark.
    split; [reflexivity | now apply mem_true].
Qed.

Definition all_marks (g : given) (marks : list form) : bool :=
  forallb (fun edges => forallb (fun eq => included (off (fst eq)) marks) edges) (outs g).

Definition tops_go_on (g : given) (tops : list nat) : bool :=
  forallb (fun q => existsb (fun eq => match guard (fst eq), off (fst eq) with
    | [], [] => has (snd eq) tops
    | _, _ => false
    end) (out_of g q)) tops.

Definition is_marked (marks : list form) (j : nat) (e : edge) : bool :=
  match nth_error marks j with Some mark => negb (mem mark (off e)) | None => true end.

Definition rank_some (ranks : list (list ranked)) (q j s : nat) : option nat := rank_in (nth j (nth q ranks []) []) s.

Definition some_is_checked (g : given) (marks : list form) (tops : list nat) (ranks : list (list ranked)) : bool :=
  forallb (fun q => forallb (fun j => forallb (fun s =>
    existsb (fun eq => existsb (fun os =>
      is_proved (fst eq) s (fst os) &&
      (has (snd eq) tops ||
       (if is_marked marks j (fst eq)
        then match rank_some ranks (snd eq) (turn marks j) (snd os) with Some _ => true | None => false end
        else match rank_some ranks q j s, rank_some ranks (snd eq) j (snd os) with
             | Some r, Some r' => r' <? r
             | _, _ => false
             end))) (moves_of s)) (out_of g q))
    (map fst (nth j (nth q ranks []) []))) (seq 0 (length (nth q ranks [])))) (seq 0 (length ranks)).

Lemma is_marked_right : forall marks j e, is_marked marks j e = true <-> marked marks j e.
Proof.
  intros marks j e. unfold is_marked, marked. destruct (nth_error marks j) as [mark |].
  - rewrite negb_true_iff. split.
    + intros no mark' same member. injection same as same. subst. apply mem_true in member. congruence.
    + intro no. destruct (mem mark (off e)) eqn:yes; [| reflexivity]. apply mem_true in yes.
      exfalso. exact (no mark eq_refl yes).
  - split; [discriminate | reflexivity].
Qed.

Lemma some_right : forall f (g : given) (ok : is_automaton f g = true) marks tops ranks,
  some_is_checked g marks tops ranks = true ->
  some_checked nat nat steps about first_state low f (automaton_of f g ok) marks
    (fun q => In q tops)
    (fun q j s => rank_some ranks q j s <> None)
    (fun q j s => match rank_some ranks q j s with Some r => r | None => 0 end).
Proof.
  intros f g ok marks tops ranks it q j s from in_H. simpl in *.
  unfold some_is_checked in it. rewrite forallb_forall in it.
  destruct (rank_some ranks q j s) as [r |] eqn:at_s; [| contradiction].
  assert (member_s : In s (map fst (nth j (nth q ranks []) []))) by (eapply rank_in_member; exact at_s).
  assert (bound_j : In j (seq 0 (length (nth q ranks [])))).
  { apply in_seq. split; [lia |]. simpl. apply in_map_iff in member_s. destruct member_s as (x & _ & there).
    exact (nth_not_empty _ _ _ there). }
  assert (bound_q : In q (seq 0 (length ranks))).
  { apply in_seq in bound_j. apply in_seq. split; [lia |]. simpl.
    destruct (lt_dec q (length ranks)) as [yes | no]; [exact yes |].
    rewrite nth_overflow in bound_j by lia. simpl in bound_j. lia. }
  specialize (it q bound_q). rewrite forallb_forall in it. specialize (it j bound_j).
  rewrite forallb_forall in it. specialize (it s member_s).
  apply existsb_exists in it. destruct it as ((e, q') & member & it).
  apply existsb_exists in it. destruct it as ((o, s') & goes & it). simpl in it.
  apply andb_prop in it. destruct it as (sure_ & it). apply moves_of_right in goes.
  exists e, q', o, s'. split; [exact member |]. split; [now apply is_proved_right |]. split; [exact goes |].
  apply orb_prop in it. destruct it as [is_top | it]; [left; now apply has_true |]. right.
  destruct (is_marked marks j e) eqn:on.
  - left. split; [now apply is_marked_right |].
    destruct (rank_some ranks q' (turn marks j) s'); discriminate.
  - right. split; [intro yes; apply is_marked_right in yes; congruence |]. rewrite at_s in it.
    destruct (rank_some ranks q' j s') as [r' |]; [| discriminate].
    split; [discriminate | now apply Nat.ltb_lt in it].
Qed.

(** *** Runs *)

Notation positions := (list (nat * option nat)).

Definition state_at (l : positions) (i : nat) : nat := fst (nth i l (0, None)).
Definition step_at (l : positions) (i : nat) : option nat := snd (nth i l (0, None)).

(** Does the step of a position lead to a state? *)
Definition is_move (l : positions) (i s' : nat) : bool :=
  existsb (fun os =>
    (match fst os, step_at l i with
     | Some t, Some t' => t =? t'
     | None, None => true
     | _, _ => false
     end) && (snd os =? s'))
    (moves_of (state_at l i)).

Lemma is_move_right : forall l i s', is_move l i s' = true -> move (state_at l i) (step_at l i) s'.
Proof.
  intros l i s' it. apply existsb_exists in it. destruct it as ((o, s'') & goes & it). simpl in it.
  apply andb_prop in it. destruct it as (same & is). apply Nat.eqb_eq in is. subst s''. apply moves_of_right.
  destruct o as [t |], (step_at l i) as [t' |]; try discriminate; [| exact goes].
  apply Nat.eqb_eq in same. subst. exact goes.
Qed.

(** The position after one, where the path goes round from [back]. *)
Definition after_ (back n i : nat) : nat := if S i <? n then S i else back.

Definition follows_ (l : positions) (back : nat) : bool :=
  (back <? length l) &&
  forallb (fun i => is_move l i (state_at l (after_ back (length l) i))) (seq 0 (length l)).

(** The values of a formula at all positions, from those of its operands. *)
Definition values (n : nat) (value : nat -> bool) : list bool := map value (seq 0 n).
Definition value_in (l : list bool) (i : nat) : bool := nth i l false.
(** What is true at each position of each path is true at these. *)
Definition or_valid (f : form) (n : nat) (v : list bool) : list bool :=
  if is_valid f then values n (fun _ => true) else v.

(** Iterations of the two operators, where [after] gives the position after one. *)
Fixpoint rounds (k n : nat) (after : nat -> nat) (f g : list bool) (v : list bool) : list bool :=
  match k with
  | 0 => v
  | S k => rounds k n after f g (values n (fun i => value_in g i || (value_in f i && value_in v (after i))))
  end.

Fixpoint down (k n : nat) (after : nat -> nat) (f g : list bool) (v : list bool) : list bool :=
  match k with
  | 0 => v
  | S k => down k n after f g (values n (fun i => value_in g i && (value_in f i || value_in v (after i))))
  end.

(** A greatest fixpoint is taken if it is one. *)
Definition stable (n back : nat) (f g v : list bool) : bool :=
  forallb (fun i => negb (value_in v i) || (value_in g i && (value_in f i || value_in v (after_ back n i)))) (seq 0 n).

Fixpoint loop_values (l : positions) (back : nat) (f : form) : list bool :=
  let n := length l in
  or_valid f n
  match f with
  | Letter b a => values n (fun i => eqb b (about_step m a (step_at l i)))
  | And f g => values n (fun i => value_in (loop_values l back f) i && value_in (loop_values l back g) i)
  | Or f g => values n (fun i => value_in (loop_values l back f) i || value_in (loop_values l back g) i)
  | X f => values n (fun i => value_in (loop_values l back f) (after_ back n i))
  | U f g => rounds (S n) n (after_ back n) (loop_values l back f) (loop_values l back g) (values n (fun _ => false))
  | R f g =>
    let f := loop_values l back f in
    let g := loop_values l back g in
    let v := down (S n) n (after_ back n) f g (values n (fun _ => true)) in
    if stable n back f g v then v else values n (fun _ => false)
  | _ => values n (fun i => is_low f (state_at l i))
  end.

(** The position of the list at which a path is that follows it. *)
Fixpoint where_at (back n k : nat) : nat :=
  match k with
  | 0 => 0
  | S k => after_ back n (where_at back n k)
  end.

Lemma value_in_values : forall n value i, value_in (values n value) i = true -> i < n /\ value i = true.
Proof.
  intros n value i it. unfold value_in, values in it.
  destruct (lt_dec i n) as [yes | no].
  - split; [exact yes |]. rewrite (nth_indep _ _ (value 0)) in it by (rewrite map_length, seq_length; exact yes).
    rewrite map_nth, seq_nth in it by exact yes. exact it.
  - rewrite nth_overflow in it by (rewrite map_length, seq_length; lia). discriminate.
Qed.

(** What iterations of U find is found on a path whose k-th position is [at_k k]. *)
Lemma rounds_until : forall n after (at_k : nat -> nat) f g (F G : nat -> Prop),
  (forall k, at_k (S k) = after (at_k k)) ->
  (forall k, value_in f (at_k k) = true -> F k) -> (forall k, value_in g (at_k k) = true -> G k) ->
  forall r v, (forall k, value_in v (at_k k) = true -> exists j, k <= j /\ G j /\ forall i, k <= i < j -> F i) ->
  forall k, value_in (rounds r n after f g v) (at_k k) = true -> exists j, k <= j /\ G j /\ forall i, k <= i < j -> F i.
Proof.
  intros n after at_k f g F G next_ f_right g_right. induction r as [| r IH]; intros v v_right k it; simpl in it; [auto |].
  eapply IH; [| exact it]. clear k it. intros k it. apply value_in_values in it. destruct it as (_ & it).
  apply orb_prop in it. destruct it as [now_ | it].
  - exists k. split; [apply le_n |]. split; [auto |]. intros i between. lia.
  - apply andb_prop in it. destruct it as (now_ & then_). rewrite <- next_ in then_.
    destruct (v_right (S k) then_) as (j & le & here & before).
    exists j. split; [lia |]. split; [exact here |]. intros i between.
    destruct (Nat.eq_dec i k) as [same | differs]; [subst; auto | apply before; lia].
Qed.

Section Loops.

Variable l : positions.
Variable back : nat.
Hypothesis goes_round : follows_ l back = true.

Let n := length l.
Notation at_k k := (where_at back n k).

Lemma after_inside : forall i, i < n -> after_ back n i < n.
Proof.
  intros i less. pose proof goes_round as it. apply andb_prop in it. destruct it as (inside & _).
  apply Nat.ltb_lt in inside. unfold after_. destruct (S i <? n) eqn:next_; [now apply Nat.ltb_lt in next_ | exact inside].
Qed.

Lemma where_inside : forall k, at_k k < n.
Proof.
  induction k; simpl; [| now apply after_inside].
  pose proof goes_round as it. apply andb_prop in it. destruct it as (inside & _).
  apply Nat.ltb_lt in inside. unfold n. lia.
Qed.

Lemma loop_moves : forall k, move (state_at l (at_k k)) (step_at l (at_k k)) (state_at l (at_k (S k))).
Proof.
  intro k. pose proof goes_round as all. apply andb_prop in all. destruct all as (_ & all).
  rewrite forallb_forall in all. specialize (all (at_k k)).
  assert (member : In (at_k k) (seq 0 (length l))) by (apply in_seq; pose proof (where_inside k); unfold n in *; lia).
  exact (is_move_right _ _ _ (all member)).
Qed.

Definition loop_path : path :=
  {| at_ := fun k => state_at l (at_k k); by_ := fun k => step_at l (at_k k); moves := loop_moves |}.

Notation below := (below nat nat steps about sure (fun f => In f (always c)) claimed).

Lemma stable_release : forall f g v (F G : nat -> Prop),
  (forall k, value_in f (at_k k) = true -> F k) -> (forall k, value_in g (at_k k) = true -> G k) ->
  stable n back f g v = true ->
  forall k, value_in v (at_k k) = true -> forall j, k <= j -> G j \/ exists i, k <= i < j /\ F i.
Proof.
  intros f g v F G f_right g_right ok k it j le.
  assert (each : forall k, value_in v (at_k k) = true -> G k /\ (F k \/ value_in v (at_k (S k)) = true)).
  { intros i here. unfold stable in ok. rewrite forallb_forall in ok. specialize (ok (at_k i)).
    assert (member : In (at_k i) (seq 0 n)) by (apply in_seq; pose proof (where_inside i); lia).
    specialize (ok member). rewrite here in ok. simpl in ok. apply andb_prop in ok. destruct ok as (one & two).
    split; [auto |]. apply orb_prop in two. destruct two; auto. }
  remember (j - k) as d eqn:distance. revert k it le distance.
  induction d as [| d IH]; intros k it le distance; destruct (each k it) as (now_ & more).
  - left. replace j with k by lia. exact now_.
  - destruct more as [end_ | more]; [right; exists k; split; [lia | exact end_] |].
    destruct (IH (S k) more) as [here | (i & between & here)]; auto; try lia.
    right. exists i. split; [lia | exact here].
Qed.

Lemma loop_right : forall f k, value_in (loop_values l back f) (at_k k) = true -> below f loop_path k.
Proof.
  assert (letters : forall f k, value_in (values n (fun i => is_low f (state_at l i))) (at_k k) = true ->
    low f (state_at l (at_k k))).
  { intros f k it. apply value_in_values in it. destruct it as (_ & it). now apply is_low_right. }
  induction f; intros k it; cbn [loop_values] in it; unfold or_valid in it; cbn [below];
    (destruct (is_valid _) eqn:all in it; [left; now apply is_valid_right | right]); try (exact (letters _ k it)).
  - apply value_in_values in it. destruct it as (_ & it). now apply about_right.
  - apply value_in_values in it. destruct it as (_ & it). apply andb_prop in it. destruct it. split; auto.
  - apply value_in_values in it. destruct it as (_ & it). apply orb_prop in it. destruct it; [left | right]; auto.
  - apply value_in_values in it. destruct it as (_ & it). simpl. apply IHf. exact it.
  - simpl. apply (rounds_until n (after_ back n) (where_at back n) (loop_values l back f1) (loop_values l back f2) (fun k => below f1 loop_path k)
      (fun k => below f2 loop_path k) (fun _ => eq_refl) IHf1 IHf2 (S n) (values n (fun _ => false))); [| exact it].
    intros k' no. apply value_in_values in no. destruct no. discriminate.
  - simpl. destruct (stable _ _ _ _ _) eqn:ok in it.
    + exact (stable_release _ _ _ (fun k => below f1 loop_path k) (fun k => below f2 loop_path k) IHf1 IHf2 ok k it).
    + apply value_in_values in it. destruct it. discriminate.
Qed.

End Loops.

(** A path that begins with positions and goes on in some way. Beyond them everything is taken to be false. *)
Definition begins_ (l : positions) : bool :=
  (0 <? length l) &&
  forallb (fun i => is_move l i (state_at l (S i))) (seq 0 (pred (length l))).

Fixpoint prefix_values (l : positions) (f : form) : list bool :=
  let n := length l in
  or_valid f n
  match f with
  | Letter b a => values n (fun i => (S i <? n) && eqb b (about_step m a (step_at l i)))
  | And f g => values n (fun i => value_in (prefix_values l f) i && value_in (prefix_values l g) i)
  | Or f g => values n (fun i => value_in (prefix_values l f) i || value_in (prefix_values l g) i)
  | X f => values n (fun i => value_in (prefix_values l f) (S i))
  | U f g => rounds (S n) n S (prefix_values l f) (prefix_values l g) (values n (fun _ => false))
  | R f g => down (S n) n S (prefix_values l f) (prefix_values l g) (values n (fun _ => false))
  | _ => values n (fun i => is_low f (state_at l i))
  end.

Lemma value_inside : forall l f i, value_in (prefix_values l f) i = true -> i < length l.
Proof.
  assert (until : forall k n f g v i, (forall i, value_in v i = true -> i < n) ->
    value_in (rounds k n S f g v) i = true -> i < n).
  { induction k as [| k IH]; intros n f g v i inside it; simpl in it; [auto |].
    eapply IH; [| exact it]. intros j there. now apply value_in_values in there. }
  assert (release : forall k n f g v i, (forall i, value_in v i = true -> i < n) ->
    value_in (down k n S f g v) i = true -> i < n).
  { induction k as [| k IH]; intros n f g v i inside it; simpl in it; [auto |].
    eapply IH; [| exact it]. intros j there. now apply value_in_values in there. }
  intros l f i it. destruct f; cbn [prefix_values] in it; unfold or_valid in it;
    (destruct (is_valid _) in it; [now apply value_in_values in it |]); try (now apply value_in_values in it).
  - eapply until; [| exact it]. intros j there. now apply value_in_values in there.
  - eapply release; [| exact it]. intros j there. now apply value_in_values in there.
Qed.

Section Prefixes.

Variable l : positions.
Hypothesis goes : begins_ l = true.

Let n := length l.
Notation rest := (path_from nat nat steps (state_at l (pred n))).

Definition prefix_state (k : nat) : nat := if k <? n then state_at l k else at_ _ _ _ rest (k - pred n).
Definition prefix_step (k : nat) : option nat := if S k <? n then step_at l k else by_ _ _ _ rest (k - pred n).

Lemma not_empty : 0 < n.
Proof. pose proof goes as it. apply andb_prop in it. destruct it as (it & _). now apply Nat.ltb_lt in it. Qed.

Lemma prefix_moves : forall k, move (prefix_state k) (prefix_step k) (prefix_state (S k)).
Proof.
  intro k. pose proof not_empty as some. unfold prefix_state, prefix_step. destruct (S k <? n) eqn:inside.
  - apply Nat.ltb_lt in inside. replace (k <? n) with true by (symmetry; apply Nat.ltb_lt; lia).
    pose proof goes as it. apply andb_prop in it. destruct it as (_ & all). rewrite forallb_forall in all.
    assert (member : In k (seq 0 (pred (length l)))) by (apply in_seq; unfold n in *; lia).
    exact (is_move_right _ _ _ (all k member)).
  - apply Nat.ltb_ge in inside. replace (S k - pred n) with (S (k - pred n)) by lia.
    destruct (k <? n) eqn:last; [| apply moves].
    apply Nat.ltb_lt in last. replace k with (pred n) at 1 by lia. replace (k - pred n) with 0 by lia. apply moves.
Qed.

Definition prefix_path : path := {| at_ := prefix_state; by_ := prefix_step; moves := prefix_moves |}.

Notation below := (below nat nat steps about sure (fun f => In f (always c)) claimed).

Lemma release_found : forall f g (F G : nat -> Prop),
  (forall k, value_in f k = true -> F k) -> (forall k, value_in g k = true -> G k) ->
  forall r v, (forall k, value_in v k = true -> forall j, k <= j -> G j \/ exists i, k <= i < j /\ F i) ->
  forall k, value_in (down r n S f g v) k = true -> forall j, k <= j -> G j \/ exists i, k <= i < j /\ F i.
Proof.
  intros f g F G f_right g_right. induction r as [| r IH]; intros v v_right k it; simpl in it; [auto |].
  eapply IH; [| exact it]. clear k it. intros k it j le. apply value_in_values in it. destruct it as (_ & it).
  apply andb_prop in it. destruct it as (now_ & it).
  destruct (Nat.eq_dec j k) as [same | differs]; [subst; left; auto |].
  apply orb_prop in it. destruct it as [end_ | then_].
  - right. exists k. split; [lia | auto].
  - destruct (v_right (S k) then_ j) as [here | (i & between & here)]; [lia | now left |].
    right. exists i. split; [lia | exact here].
Qed.

Lemma prefix_right : forall f k, value_in (prefix_values l f) k = true -> below f prefix_path k.
Proof.
  assert (letters : forall f k, value_in (values n (fun i => is_low f (state_at l i))) k = true ->
    low f (prefix_state k)).
  { intros f k it. apply value_in_values in it. destruct it as (inside & it). apply is_low_right.
    unfold prefix_state. apply Nat.ltb_lt in inside. rewrite inside. exact it. }
  induction f; intros k it; cbn [prefix_values] in it; unfold or_valid in it; cbn [below];
    (destruct (is_valid _) eqn:all in it; [left; now apply is_valid_right | right]); try (exact (letters _ k it)).
  - apply value_in_values in it. destruct it as (_ & it). apply andb_prop in it. destruct it as (inside & it).
    apply about_right. simpl. unfold prefix_step, n. rewrite inside. exact it.
  - apply value_in_values in it. destruct it as (_ & it). apply andb_prop in it. destruct it. split; auto.
  - apply value_in_values in it. destruct it as (_ & it). apply orb_prop in it. destruct it; [left | right]; auto.
  - apply value_in_values in it. destruct it as (_ & it). simpl. apply IHf. exact it.
  - simpl. apply (rounds_until n S (fun k => k) (prefix_values l f1) (prefix_values l f2) (fun k => below f1 prefix_path k)
      (fun k => below f2 prefix_path k) (fun _ => eq_refl) IHf1 IHf2 (S n) (values n (fun _ => false))); [| exact it].
    intros k' no. apply value_in_values in no. destruct no. discriminate.
  - simpl. intros j le. apply (release_found (prefix_values l f1) (prefix_values l f2) (fun k => below f1 prefix_path k)
      (fun k => below f2 prefix_path k) IHf1 IHf2 (S n) (values n (fun _ => false))) with (k := k); auto.
    intros k' no. apply value_in_values in no. destruct no. discriminate.
Qed.

End Prefixes.

(** *** The whole *)

Definition claim_is_checked (claim : form * (list nat * proof)) : bool :=
  let at_first s ranks := match rank_all ranks 0 s with Some _ => true | None => false end in
  match claim with
  | (A f, (states, ByAll g marks ranks)) =>
    is_automaton (negate f) g && all_is_checked g marks ranks && forallb (fun s => at_first s ranks) states
  | (E f, (states, BySome g marks tops ranks)) =>
    is_automaton f g && all_marks g marks && tops_go_on g tops && some_is_checked g marks tops ranks &&
    forallb (fun s => match rank_some ranks 0 0 s with Some _ => true | None => false end) states
  | (E f, (states, ByRun l (Loop back))) =>
    follows_ l back && value_in (loop_values l back f) 0 && forallb (Nat.eqb (state_at l 0)) states
  | (E f, (states, ByRun l Anything)) =>
    begins_ l && value_in (prefix_values l f) 0 && forallb (Nat.eqb (state_at l 0)) states
  | _ => false
  end.

(** Does the certificate prove that a formula is true ([verdict]) or false? *)
Definition check (f : form) (verdict : bool) : bool :=
  always_checked && forallb claim_is_checked (claims c) && is_state f &&
  (if verdict then forallb (is_low f) (initials m) else existsb (is_low (negate f)) (initials m)).

Notation accepted := (accepted nat nat steps about first_state sure (fun f => In f (always c)) claimed).

Lemma claim_right : forall f states proof, claim_is_checked (f, (states, proof)) = true ->
  forall s, In s states -> accepted s f.
Proof.
  intros f states proof it s member. destruct f; try discriminate; destruct proof as [g marks ranks | g marks tops ranks | l how];
    try discriminate; simpl in it.
  - rewrite !andb_true_iff in it. destruct it as ((((ok & marks_ok) & tops_ok) & ranks_ok) & at_first).
    rewrite forallb_forall in at_first. specialize (at_first s member).
    eapply accepted_some with (aut := automaton_of f g ok) (top := fun q => In q tops).
    + intros q e q' there. simpl in there. unfold all_marks in marks_ok. rewrite forallb_forall in marks_ok.
      assert (some : In (out_of g q) (outs g)) by (apply nth_In; exact (nth_not_empty _ _ _ there)).
      specialize (marks_ok _ some). rewrite forallb_forall in marks_ok.
      apply included_true. exact (marks_ok _ there).
    + intros q is_top. simpl in *. unfold tops_go_on in tops_ok. rewrite forallb_forall in tops_ok.
      specialize (tops_ok q is_top). apply existsb_exists in tops_ok. destruct tops_ok as ((e, q') & there & it).
      simpl in it. exists e, q'. destruct (guard e); [| discriminate]. destruct (off e); [| discriminate].
      repeat split; auto. now apply has_true.
    + exact (some_right f g ok marks tops ranks ranks_ok).
    + simpl. destruct (rank_some ranks 0 0 s); discriminate.
  - destruct how as [back |]; rewrite !andb_true_iff in it; destruct it as ((goes & it) & all);
      rewrite forallb_forall in all; specialize (all s member); apply Nat.eqb_eq in all.
    + eapply accepted_run with (p := loop_path l back goes); [exact all |].
      exact (loop_right l back goes f 0 it).
    + eapply accepted_run with (p := prefix_path l goes).
      * simpl. unfold prefix_state. pose proof (not_empty l goes) as some. apply Nat.ltb_lt in some. rewrite some. exact all.
      * exact (prefix_right l goes f 0 it).
  - rewrite !andb_true_iff in it. destruct it as ((ok & ranks_ok) & at_first).
    rewrite forallb_forall in at_first. specialize (at_first s member).
    eapply accepted_all with (aut := automaton_of (negate f) g ok).
    + exact (all_right f g ok marks ranks ranks_ok).
    + simpl. destruct (rank_all ranks 0 s); discriminate.
Qed.

Lemma all_claims : forallb claim_is_checked (claims c) = true -> forall f s, claimed f s -> accepted s f.
Proof.
  intros it f s is. unfold claimed, is_claimed in is. apply existsb_exists in is.
  destruct is as ((f', (states, proof)) & member & is). simpl in is. apply andb_prop in is. destruct is as (same & there).
  destruct (form_dec f' f) as [same' |]; [| discriminate]. subst f'.
  rewrite forallb_forall in it. apply (claim_right f states proof); [exact (it _ member) | now apply has_true].
Qed.

(** What the reference checker accepts is so. *)
Theorem check_right : forall f verdict, check f verdict = true ->
  if verdict then forall s, first_state s -> holds f s else ~ forall s, first_state s -> holds f s.
Proof.
  intros f verdict it. unfold check in it. rewrite !andb_true_iff in it. destruct it as (((always_ & claims_) & is) & it).
  pose proof (always_right always_) as everywhere.
  pose proof (all_claims claims_) as accepted_.
  assert (sure_ : forall b a s, reachable s -> sure b a s -> atoms nat atom b a s).
  { intros b a s _ yes. now apply is_atom_right. }
  destruct verdict.
  - rewrite forallb_forall in it.
    apply (certificate_true nat nat steps atom about first_state sure sure_ _ everywhere claimed accepted_ f is).
    intros s there. apply is_low_right. auto.
  - apply existsb_exists in it. destruct it as (s & there & it).
    apply (certificate_false nat nat steps atom about first_state sure sure_ _ everywhere claimed accepted_ f is).
    exists s. split; [exact there | now apply is_low_right].
Qed.

End Check.
