(** Claims about quantified path formulas (docs/certificates.md): Theorem 1 ([claim N all]), Theorem 2 ([claim N some]),
    and the theorem about a whole certificate. *)

Require Import Arith Lia List.
Require Import ClassicalEpsilon.
From Starset Require Import Semantics Automaton.
Import ListNotations.

(** An automaton of a path formula: any one that accepts what satisfies it, and nothing else. *)
Record automaton (f : form) : Type := {
  loc : Type;
  first : loc;
  out : loc -> list (edge * loc);
  stands : loc -> list form -> Prop;
  covers : loc -> list form -> Prop;
  sound : is_sound loc out stands;
  complete : is_complete loc out covers;
  stands_first : stands first [f];
  covers_first : covers first [f];
  small : forall q e q' g, In (e, q') (out q) -> In g (guard e) -> size g <= size f }.

Section Claims.

Variables State Step : Type.
Variable steps : State -> Step -> State -> Prop.
Variable atom : nat -> State -> Prop.
Variable about : nat -> option Step -> Prop.
Variable initial : State -> Prop.

Notation path := (path State Step steps).
Notation sat := (sat State Step steps atom about).
Notation holds := (holds State Step steps atom about).
Notation move := (move State Step steps).
Notation reachable := (reachable State Step steps initial).
Notation abouts := (abouts Step about).

(** A lower bound of state formulas, right for those of at most some size. *)
Variable low : form -> State -> Prop.

Definition right_up_to (n : nat) : Prop :=
  forall g s, size g < n -> is_state g = true -> reachable s -> low g s -> holds g s.

(** A guard that is proved in a state and of a step. *)
Definition proved (e : edge) (s : State) (o : option Step) : Prop :=
  forall g, In g (guard e) ->
    match g with
    | Letter b a => abouts b a o
    | _ => is_state g = true /\ low g s
    end.

(** A guard that does not fail for sure. *)
Definition open_ (e : edge) (s : State) (o : option Step) : Prop :=
  forall g, In g (guard e) ->
    match g with
    | Letter b a => abouts b a o
    | _ => is_state g = true -> ~ low (negate g) s
    end.

Lemma size_negate : forall f, size (negate f) = size f.
Proof. induction f; simpl; lia. Qed.

Lemma proved_sat : forall n e (p : path) i,
  right_up_to n -> (forall g, In g (guard e) -> size g < n) -> reachable (at_ _ _ _ p i) ->
  proved e (at_ _ _ _ p i) (by_ _ _ _ p i) -> forall g, In g (guard e) -> sat g p i.
Proof.
  intros n e p i right_ fits from all g member. pose proof (all g member) as this. pose proof (fits g member) as fit.
  destruct g; try exact this; destruct this as (is & below);
    apply (right_ _ _ fit is from below); reflexivity.
Qed.

Lemma sat_open : forall n e (p : path) i,
  right_up_to n -> (forall g, In g (guard e) -> size g < n) -> reachable (at_ _ _ _ p i) ->
  (forall g, In g (guard e) -> sat g p i) -> open_ e (at_ _ _ _ p i) (by_ _ _ _ p i).
Proof.
  intros n e p i right_ fits from all g member. pose proof (all g member) as this. pose proof (fits g member) as fit.
  assert (sure : is_state g = true -> ~ low (negate g) (at_ _ _ _ p i)).
  { intros is below. rewrite <- size_negate in fit. rewrite <- is_state_negate in is.
    pose proof (right_ _ _ fit is from below p i eq_refl) as no. apply sat_negate in no. contradiction. }
  destruct g; try exact sure. exact this.
Qed.

(** ** Theorem 1 *)

(** Natural numbers that do not increase are constant in the end. *)
Lemma settles : forall f : nat -> nat, (forall n, f (S n) <= f n) -> exists n, forall m, n <= m -> f m = f n.
Proof.
  assert (strong : forall b f, f 0 <= b -> (forall n, f (S n) <= f n) -> exists n : nat, forall m, n <= m -> f m = f n).
  { induction b as [| b IH]; intros f bound down.
    - exists 0. intros m _. induction m; [reflexivity |]. specialize (down m). lia.
    - destruct (classic (exists n, f n <= b)) as [(n & low_) | none].
      + destruct (IH (fun m => f (n + m))) as (k & constant).
        * simpl. rewrite Nat.add_0_r. exact low_.
        * intro m. rewrite Nat.add_succ_r. apply down.
        * exists (n + k). intros m le. replace m with (n + (m - n)) by lia. apply constant. lia.
      + exists 0. intros m _. assert (forall j, f j = S b).
        { intro j. assert (f j <= S b) by (induction j; [assumption | specialize (down j); lia]).
          assert (~ f j <= b) by (intro; apply none; eauto). lia. }
        congruence. }
  intros f down. exact (strong (f 0) f (le_n _) down).
Qed.

Section All.

Variable f : form.
Variable aut : automaton (negate f).
Variable marks : list form.
Variable P : loc _ aut -> State -> Prop.
Variable rank : loc _ aut -> State -> nat.

(** The class of a rank. *)
Definition class (r : nat) : nat := r mod S (length marks).

(** What is checked of a claim of kind [all]. *)
Definition all_checked : Prop :=
  forall q s e q' o s', reachable s -> P q s -> In (e, q') (out _ aut q) -> open_ e s o -> move s o s' ->
    P q' s' /\
    (rank q' s' < rank q s \/
     (rank q' s' = rank q s /\
      exists mark, nth_error marks (class (rank q s)) = Some mark /\ In mark (off e))).

Theorem theorem_1 : right_up_to (S (size f)) -> all_checked ->
  forall s, reachable s -> P (first _ aut) s -> holds (A f) s.
Proof.
  intros right_ checked s from in_first p0 n0 same. simpl. intros p begins_. rewrite same in begins_.
  apply NNPP. intro no. apply sat_negate in no.
  destruct (lemma_2 State Step steps atom about _ (out _ aut) _ (complete _ aut) p (first _ aut) [negate f])
    as (r & accepts).
  { apply covers_first. }
  { intros g [is | none]; [now subst | contradiction]. }
  set (q := where_ _ _ _ _ _ _ _ _ _ r) in *. set (es := along _ _ _ _ _ _ _ _ _ r) in *.
  assert (reach : forall n, reachable (at_ _ _ _ p n)).
  { apply reachable_path. rewrite begins_. exact from. }
  assert (opens : forall n, open_ (es n) (at_ _ _ _ p n) (by_ _ _ _ p n)).
  { intro n. eapply sat_open; [exact right_ | | apply reach | apply (guards _ _ _ _ _ _ _ _ _ r n)].
    intros g member. pose proof (small _ aut _ _ _ g (follows _ _ _ _ _ _ _ _ _ r n) member) as fit.
    rewrite size_negate in fit. lia. }
  assert (stay : forall n, P (q n) (at_ _ _ _ p n)).
  { induction n.
    - unfold q. rewrite (begins _ _ _ _ _ _ _ _ _ r), begins_. exact in_first.
    - exact (proj1 (checked _ _ _ _ _ _ (reach n) IHn (follows _ _ _ _ _ _ _ _ _ r n) (opens n)
        (moves _ _ _ p n))). }
  assert (ranks : forall n, rank (q (S n)) (at_ _ _ _ p (S n)) < rank (q n) (at_ _ _ _ p n) \/
    (rank (q (S n)) (at_ _ _ _ p (S n)) = rank (q n) (at_ _ _ _ p n) /\
     exists mark, nth_error marks (class (rank (q n) (at_ _ _ _ p n))) = Some mark /\ In mark (off (es n)))).
  { intro n. exact (proj2 (checked _ _ _ _ _ _ (reach n) (stay n) (follows _ _ _ _ _ _ _ _ _ r n) (opens n)
        (moves _ _ _ p n))). }
  destruct (settles (fun n => rank (q n) (at_ _ _ _ p n))) as (n & constant).
  { intro n. destruct (ranks n) as [less | (same_ & _)]; lia. }
  simpl in constant.
  assert (never : forall m, n <= m -> exists mark,
    nth_error marks (class (rank (q n) (at_ _ _ _ p n))) = Some mark /\ In mark (off (es m))).
  { intros m le. destruct (ranks m) as [less | (_ & it)].
    - exfalso. pose proof (constant m le). pose proof (constant (S m)). lia.
    - rewrite (constant m le) in it. exact it. }
  destruct (never n (le_n n)) as (mark & is & _).
  destruct (accepts mark n) as (m & le & on). destruct (never m le) as (mark' & is' & off_).
  rewrite is in is'. injection is' as same_mark. subst. contradiction.
Qed.

End All.

(** ** Theorem 2 *)

Section Some_.

Variable f : form.
Variable aut : automaton f.
Variable marks : list form.
Hypothesis all_marks : forall q e q', In (e, q') (out _ aut q) -> incl (off e) marks.

(** Locations from which everything is accepted. *)
Variable top : loc _ aut -> Prop.
Hypothesis top_goes_on : forall q, top q -> exists e q', In (e, q') (out _ aut q) /\ guard e = [] /\ off e = [] /\ top q'.

Variable H : loc _ aut -> nat -> State -> Prop.
Variable rank : loc _ aut -> nat -> State -> nat.

(** Mark j is on an edge; if there are no marks, each edge counts as marked. *)
Definition marked (j : nat) (e : edge) : Prop := forall mark, nth_error marks j = Some mark -> ~ In mark (off e).
Definition turn (j : nat) : nat := if S j <? length marks then S j else 0.

(** What is checked of a claim of kind [some]. *)
Definition some_checked : Prop :=
  forall q j s, reachable s -> H q j s ->
    exists e q' o s', In (e, q') (out _ aut q) /\ proved e s o /\ move s o s' /\
      (top q' \/ (marked j e /\ H q' (turn j) s') \/ (~ marked j e /\ H q' j s' /\ rank q' j s' < rank q j s)).

Hypothesis right_ : right_up_to (S (size f)).
Hypothesis checked : some_checked.

(** A position: location, mark that is waited for, state. *)
Notation here := (loc _ aut * nat * State)%type.
Definition good (c : here) : Prop := reachable (snd c) /\ (top (fst (fst c)) \/ H (fst (fst c)) (snd (fst c)) (snd c)).

Definition advances (c : here) (e : edge) (o : option Step) (c' : here) : Prop :=
  let q := fst (fst c) in let j := snd (fst c) in let s := snd c in
  let q' := fst (fst c') in let j' := snd (fst c') in let s' := snd c' in
  In (e, q') (out _ aut q) /\ proved e s o /\ move s o s' /\
  ((top q /\ off e = [] /\ top q') \/
   (~ top q /\ (top q' \/ (marked j e /\ j' = turn j) \/ (~ marked j e /\ j' = j /\ rank q' j s' < rank q j s)))).

Lemma can_advance : forall c, good c -> exists e o c', advances c e o c' /\ good c'.
Proof.
  intros ((q, j), s) (from & how). simpl in from, how. destruct (classic (top q)) as [is | not].
  - destruct (top_goes_on q is) as (e & q' & it & no_guard & no_off & is').
    destruct (next_move State Step steps s) as (o & s' & goes). exists e, o, (q', j, s'). unfold advances, good. simpl. split.
    + repeat split; auto. intros g member. rewrite no_guard in member. contradiction.
    + split; [eapply reachable_move; eauto | now left].
  - destruct how as [| in_H]; [contradiction |].
    destruct (checked q j s from in_H) as (e & q' & o & s' & it & sure & goes & cases).
    assert (reachable s') by (eapply reachable_move; eauto).
    destruct cases as [is' | [(on & there) | (not_on & there & less)]].
    + exists e, o, (q', j, s'). unfold advances, good. simpl. repeat split; auto.
    + exists e, o, (q', turn j, s'). unfold advances, good. simpl. repeat split; auto. right. auto 6.
    + exists e, o, (q', j, s'). unfold advances, good. simpl. repeat split; auto. right. auto 7.
Qed.

Definition config : Type := { c | good c }.

Definition advance_ (c : config) : { x : edge * option Step * config | advances (proj1_sig c) (fst (fst x)) (snd (fst x)) (proj1_sig (snd x)) }.
Proof.
  apply constructive_indefinite_description. destruct c as (c & ok).
  destruct (can_advance c ok) as (e & o & c' & goes & ok'). exists (e, o, exist _ c' ok'). exact goes.
Defined.

Fixpoint configs (c : config) (n : nat) : config :=
  match n with
  | 0 => c
  | S n => snd (proj1_sig (advance_ (configs c n)))
  end.

Section From.

Variable c : config.

Definition q_ (n : nat) := fst (fst (proj1_sig (configs c n))).
Definition j_ (n : nat) := snd (fst (proj1_sig (configs c n))).
Definition s_ (n : nat) := snd (proj1_sig (configs c n)).
Definition e_ (n : nat) := fst (fst (proj1_sig (advance_ (configs c n)))).
Definition o_ (n : nat) := snd (fst (proj1_sig (advance_ (configs c n)))).

Lemma each_step : forall n,
  In (e_ n, q_ (S n)) (out _ aut (q_ n)) /\ proved (e_ n) (s_ n) (o_ n) /\ move (s_ n) (o_ n) (s_ (S n)) /\
  ((top (q_ n) /\ off (e_ n) = [] /\ top (q_ (S n))) \/
   (~ top (q_ n) /\ (top (q_ (S n)) \/ (marked (j_ n) (e_ n) /\ j_ (S n) = turn (j_ n)) \/
     (~ marked (j_ n) (e_ n) /\ j_ (S n) = j_ n /\ rank (q_ (S n)) (j_ n) (s_ (S n)) < rank (q_ n) (j_ n) (s_ n))))).
Proof.
  intro n. exact (proj2_sig (advance_ (configs c n))).
Qed.

Definition along_ : path :=
  {| at_ := s_; by_ := o_; moves := fun n => proj1 (proj2 (proj2 (each_step n))) |}.

Lemma reach_ : forall n, reachable (s_ n).
Proof. intro n. exact (proj1 (proj2_sig (configs c n))). Qed.

Definition run_ : run State Step steps atom about _ (out _ aut) along_ (q_ 0).
Proof.
  refine {| where_ := q_; along := e_ |}.
  - reflexivity.
  - intro n. exact (proj1 (each_step n)).
  - intros n. apply (proved_sat (S (size f))); auto.
    + intros g member. pose proof (small _ aut _ _ _ g (proj1 (each_step n)) member). lia.
    + exact (reach_ n).
    + exact (proj1 (proj2 (each_step n))).
Defined.

(** Where ⊤ is never reached, the mark that is waited for comes. *)
Lemma mark_comes : forall n, (forall m, n <= m -> ~ top (q_ m)) ->
  exists m, n <= m /\ marked (j_ m) (e_ m) /\ j_ m = j_ n /\ j_ (S m) = turn (j_ n).
Proof.
  intros n. remember (rank (q_ n) (j_ n) (s_ n)) as r eqn:is. revert n is.
  induction r as [r IH] using lt_wf_ind. intros n is never.
  destruct (each_step n) as (_ & _ & _ & [(is_top & _) | (_ & cases)]); [exfalso; apply (never n); auto |].
  destruct cases as [is_top | [(on & next_) | (_ & same & less)]].
  - exfalso. apply (never (S n)); auto.
  - exists n. auto.
  - rewrite <- same in less at 1. rewrite <- is in less.
    destruct (IH _ less (S n)) as (m & le & on & same_m & next_).
    + reflexivity.
    + intros m le. apply never. lia.
    + exists m. split; [lia |]. rewrite same in same_m, next_. auto.
Qed.

Lemma zero_comes : forall d n, (forall m, n <= m -> ~ top (q_ m)) -> length marks - j_ n <= d ->
  exists m, n <= m /\ j_ m = 0.
Proof.
  induction d as [| d IH]; intros n never near; destruct (mark_comes n never) as (m & le & _ & _ & next_);
    unfold turn in next_; destruct (S (j_ n) <? length marks) eqn:less.
  - apply Nat.ltb_lt in less. lia.
  - exists (S m). split; [lia | exact next_].
  - apply Nat.ltb_lt in less. destruct (IH (S m)) as (m' & le' & zero).
    + intros k lek. apply never. lia.
    + lia.
    + exists m'. split; [lia | exact zero].
  - exists (S m). split; [lia | exact next_].
Qed.

Lemma each_comes : forall i n, (forall m, n <= m -> ~ top (q_ m)) -> i < length marks -> exists m, n <= m /\ j_ m = i.
Proof.
  induction i as [| i IH]; intros n never less.
  - eapply zero_comes; [exact never | apply le_n].
  - destruct (IH n never) as (m & le & is); [lia |].
    destruct (mark_comes m) as (m' & le' & _ & _ & next_).
    + intros k lek. apply never. lia.
    + exists (S m'). split; [lia |]. rewrite next_, is. unfold turn.
      destruct (S i <? length marks) eqn:it; [reflexivity |]. apply Nat.ltb_ge in it. lia.
Qed.

Lemma run_accepts : accepting _ _ _ _ _ _ _ run_.
Proof.
  intros g n. destruct (classic (exists m, n <= m /\ top (q_ m))) as [(m & le & is) | none].
  - destruct (each_step m) as (_ & _ & _ & [(_ & empty & _) | (not & _)]); [| contradiction].
    exists m. split; [exact le |]. simpl. rewrite empty. tauto.
  - assert (never : forall m, n <= m -> ~ top (q_ m)) by (intros m le is; apply none; eauto).
    destruct (in_dec form_dec g marks) as [member | not].
    + apply In_nth_error in member. destruct member as (i & is).
      destruct (each_comes i n never) as (m & le & at_m).
      { apply nth_error_Some. rewrite is. discriminate. }
      destruct (mark_comes m) as (m' & le' & on & same & _).
      { intros k lek. apply never. lia. }
      exists m'. split; [lia |]. simpl. apply on. rewrite same, at_m. exact is.
    + exists n. split; [apply le_n |]. simpl. intro member. apply not.
      exact (all_marks _ _ _ (proj1 (each_step n)) g member).
Qed.

End From.

Theorem theorem_2 : forall s, reachable s -> H (first _ aut) 0 s -> holds (E f) s.
Proof.
  intros s from in_first p n same. simpl. rewrite same.
  set (c := exist good (first _ aut, 0, s) (conj from (or_intror in_first)) : config).
  exists (along_ c). split; [reflexivity |].
  apply (lemma_1 State Step steps atom about _ (out _ aut) _ (sound _ aut) (along_ c) (q_ c 0) (run_ c) (run_accepts c)
    [f] (stands_first _ aut)).
  now left.
Qed.

End Some_.

End Claims.
