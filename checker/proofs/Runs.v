(** Claims by a run of any model (docs/certificates.md, "claim N run"), evaluated as the checker does: from the last position
    to the first, twice. *)

Require Import Arith Lia List Bool.
Require Import ClassicalEpsilon.
From Starset Require Import Semantics Automaton Claims Certificate.
Import ListNotations.

Section Runs.

Variables State Step : Type.
Variable steps : State -> Step -> State -> Prop.
Variable about : nat -> option Step -> Prop.
Variable sure : bool -> nat -> State -> Prop.
Variable everywhere : form -> Prop.
Variable claimed : form -> State -> Prop.

Notation path := (path State Step steps).
Notation move := (move State Step steps).
Notation valid := (valid everywhere).
Notation low := (low State sure everywhere claimed).
Notation below := (below State Step steps about sure everywhere claimed).

(** What the checker decides. *)
Variable is_valid : form -> bool.
Hypothesis is_valid_right : forall f, is_valid f = true -> valid f.
Variable is_low : form -> State -> bool.
Hypothesis is_low_right : forall f s, is_low f s = true -> low f s.
Variable of_step : nat -> option Step -> bool.
Hypothesis of_step_right : forall a o, of_step a o = true <-> about a o.

(** Positions: how many, the state and the step of each, and the one after the last; [None]: the path goes on in some way. *)
Variable n : nat.
Variable state_at : nat -> State.
Variable step_at : nat -> option Step.
Variable next_ : option nat.
Hypothesis some : 0 < n.
Hypothesis next_inside : forall b, next_ = Some b -> b < n.
Hypothesis moves_on : forall i, S i < n -> move (state_at i) (step_at i) (state_at (S i)).
Hypothesis moves_last : forall b, next_ = Some b -> move (state_at (n - 1)) (step_at (n - 1)) (state_at b).

Definition values : Type := nat -> bool.
Definition after (v : values) (i : nat) : bool :=
  if S i <? n then v (S i) else match next_ with Some b => v b | None => false end.

(** The values of U and R at a position, from those of their operands and of the position after. *)
Definition until_at (f g : values) (v : values) (i : nat) : bool := g i || (f i && after v i).
Definition release_at (f g : values) (v : values) (i : nat) : bool := g i && (f i || after v i).

Definition set_at (v : values) (i : nat) (b : bool) : values := fun j => if Nat.eqb j i then b else v j.
(** The last k positions, from the last one on. *)
Fixpoint last_ones (at_ : values -> nat -> bool) (k : nat) (v : values) : values :=
  match k with
  | 0 => v
  | S k => let w := last_ones at_ k v in set_at w (n - S k) (at_ w (n - S k))
  end.
Definition pass (at_ : values -> nat -> bool) (v : values) : values := last_ones at_ n v.
Definition twice (at_ : values -> nat -> bool) (v : values) : values := pass at_ (pass at_ v).

Fixpoint value (f : form) : values :=
  if is_valid f then fun _ => true
  else match f with
  | Letter b a => fun i => if S i <? n then eqb b (of_step a (step_at i))
      else match next_ with Some _ => eqb b (of_step a (step_at i)) | None => false end
  | And f g => fun i => value f i && value g i
  | Or f g => fun i => value f i || value g i
  | X f => after (value f)
  | U f g => twice (until_at (value f) (value g)) (fun _ => false)
  | R f g => twice (release_at (value f) (value g)) (fun _ => true)
  | _ => fun i => is_low f (state_at i)
  end.

(** *** The path, and where it is in the run *)

Definition follow_ (o : option nat) : option nat :=
  match o with Some i => if S i <? n then Some (S i) else next_ | None => None end.
Fixpoint place (k : nat) : option nat := match k with 0 => Some 0 | S k => follow_ (place k) end.

Lemma place_inside : forall k i, place k = Some i -> i < n.
Proof.
  induction k as [| k IH]; intros i is; simpl in is; [injection is as same; lia |].
  unfold follow_ in is. destruct (place k) as [j |]; [| discriminate].
  destruct (S j <? n) eqn:less; [apply Nat.ltb_lt in less; injection is as same; lia | eauto].
Qed.

(** A path along the run. *)
Definition along_run (p : path) : Prop := forall k i, place k = Some i ->
  at_ _ _ _ p k = state_at i /\ (S i < n \/ next_ <> None -> by_ _ _ _ p k = step_at i).

(** Where the path goes round. *)
Definition place_in (k : nat) : nat := match place k with Some i => i | None => 0 end.

Lemma round_places : next_ <> None -> forall k, exists i, place k = Some i.
Proof.
  intro closed. destruct next_ as [b |] eqn:is; [clear closed | contradiction].
  induction k as [| k (i & IH)]; simpl; [eauto |]. rewrite IH. simpl. rewrite is. destruct (S i <? n); eauto.
Qed.

Lemma round_moves : next_ <> None -> forall k,
  move (state_at (place_in k)) (step_at (place_in k)) (state_at (place_in (S k))).
Proof.
  intros closed k. unfold place_in. destruct (round_places closed k) as (i & is). simpl. rewrite is. simpl.
  pose proof (place_inside k i is) as inside. destruct (S i <? n) eqn:less.
  - apply Nat.ltb_lt in less. now apply moves_on.
  - apply Nat.ltb_ge in less. destruct next_ as [b |] eqn:is_b; [| contradiction].
    replace i with (n - 1) by lia. apply moves_last. reflexivity.
Qed.

(** Where it goes on in some way. *)
Notation rest := (path_from State Step steps (state_at (n - 1))).
Definition open_state (k : nat) : State := if k <? n then state_at k else at_ _ _ _ rest (k - (n - 1)).
Definition open_step (k : nat) : option Step := if S k <? n then step_at k else by_ _ _ _ rest (k - (n - 1)).

Lemma open_moves : forall k, move (open_state k) (open_step k) (open_state (S k)).
Proof.
  intro k. unfold open_state, open_step. destruct (S k <? n) eqn:inside.
  - apply Nat.ltb_lt in inside. replace (k <? n) with true by (symmetry; apply Nat.ltb_lt; lia). now apply moves_on.
  - apply Nat.ltb_ge in inside. replace (S k - (n - 1)) with (S (k - (n - 1))) by lia.
    destruct (k <? n) eqn:last; [| apply moves].
    apply Nat.ltb_lt in last. replace k with (n - 1) at 1 by lia. replace (k - (n - 1)) with 0 by lia. apply moves.
Qed.

Lemma open_places : next_ = None -> forall k i, place k = Some i -> i = k.
Proof.
  intro is_open. induction k as [| k IH]; intros i is; simpl in is; [congruence |].
  unfold follow_ in is. destruct (place k) as [j |]; [| discriminate]. specialize (IH j eq_refl). subst j.
  destruct (S k <? n); congruence.
Qed.

Lemma run_path : exists p, along_run p.
Proof.
  assert (cases : next_ <> None \/ next_ = None) by (destruct next_; [left; discriminate | now right]).
  destruct cases as [closed | is].
  - exists {| at_ := fun k => state_at (place_in k); by_ := fun k => step_at (place_in k); moves := round_moves closed |}.
    intros k i here. unfold place_in. simpl. rewrite here. auto.
  - exists {| at_ := open_state; by_ := open_step; moves := open_moves |}.
    intros k i here. pose proof (place_inside k i here) as inside. pose proof (open_places is k i here). subst i. simpl.
    unfold open_state, open_step. apply Nat.ltb_lt in inside. rewrite inside. split; [reflexivity |].
    intros [less | no]; [| congruence]. apply Nat.ltb_lt in less. now rewrite less.
Qed.

(** *** Values are right *)

Lemma after_place : forall v k i, place k = Some i -> after v i = true -> exists j, place (S k) = Some j /\ v j = true.
Proof.
  intros v k i is it. simpl. rewrite is. unfold after in it. simpl. destruct (S i <? n); [eauto |].
  destruct next_ as [b |]; [eauto | discriminate].
Qed.

Section Of_path.

Variable p : path.
Hypothesis goes : along_run p.

(** What is true where a value is, on the path. *)
Definition right_ (v : values) (F : nat -> Prop) : Prop := forall k i, place k = Some i -> v i = true -> F k.

Lemma last_ones_right : forall at_ F, (forall v, right_ v F -> forall k i, place k = Some i -> at_ v i = true -> F k) ->
  forall k v, right_ v F -> right_ (last_ones at_ k v) F.
Proof.
  intros at_ F each. induction k as [| k IH]; intros v ok; [exact ok |]. intros j i is it. cbn [last_ones] in it.
  unfold set_at in it. destruct (Nat.eqb i (n - S k)) eqn:same.
  - apply Nat.eqb_eq in same. subst i. exact (each _ (IH v ok) j _ is it).
  - exact (IH v ok j i is it).
Qed.

Lemma until_right : forall f g (F G : nat -> Prop), right_ f F -> right_ g G ->
  right_ (twice (until_at f g) (fun _ => false)) (fun k => exists j, k <= j /\ G j /\ forall m, k <= m < j -> F m).
Proof.
  intros f g F G right_f right_g. unfold twice, pass.
  assert (each : forall v, right_ v (fun k => exists j, k <= j /\ G j /\ forall m, k <= m < j -> F m) ->
    forall k i, place k = Some i -> until_at f g v i = true -> exists j, k <= j /\ G j /\ forall m, k <= m < j -> F m).
  { intros v ok k i is it. unfold until_at in it. apply orb_prop in it. destruct it as [now_ | it].
    - exists k. split; [apply le_n |]. split; [eapply right_g; eauto | intros m between; lia].
    - apply andb_prop in it. destruct it as (now_ & later). destruct (after_place v k i is later) as (i' & is' & it).
      destruct (ok (S k) i' is' it) as (j & le & here & before). exists j. split; [lia |]. split; [exact here |].
      intros m between. destruct (Nat.eq_dec m k) as [same | differs]; [subst; eapply right_f; eauto | apply before; lia]. }
  apply last_ones_right; [exact each |]. apply last_ones_right; [exact each |]. intros k i _ no. discriminate.
Qed.

(** A position has what it was given last: from the position after it, but for the last one. *)
Lemma last_ones_at : forall at_ k v i, i < n - k -> last_ones at_ k v i = v i.
Proof.
  intros at_. induction k as [| k IH]; intros v i less; [reflexivity |]. cbn [last_ones]. unfold set_at.
  destruct (Nat.eqb i (n - S k)) eqn:same; [apply Nat.eqb_eq in same; lia | apply IH; lia].
Qed.

Lemma last_ones_stay : forall at_ d k v i, k + d <= n -> n - k <= i -> last_ones at_ (k + d) v i = last_ones at_ k v i.
Proof.
  intros at_. induction d as [| d IH]; intros k v i less here; [now rewrite Nat.add_0_r |].
  rewrite Nat.add_succ_r. cbn [last_ones]. unfold set_at. destruct (Nat.eqb i (n - S (k + d))) eqn:same.
  - apply Nat.eqb_eq in same. lia.
  - apply IH; lia.
Qed.

Lemma pass_at : forall f g v i, i < n -> pass (release_at f g) v i =
  g i && (f i || if S i <? n then pass (release_at f g) v (S i) else match next_ with Some b => v b | None => false end).
Proof.
  intros f g v i inside. unfold pass.
  assert (own : last_ones (release_at f g) n v i = release_at f g (last_ones (release_at f g) (n - S i) v) i).
  { replace n with (S (n - S i) + i) at 1 by lia. rewrite last_ones_stay by lia. cbn [last_ones]. unfold set_at.
    replace (n - S (n - S i)) with i by lia. now rewrite Nat.eqb_refl. }
  rewrite own. unfold release_at at 1, after. destruct (S i <? n) eqn:less.
  - apply Nat.ltb_lt in less. replace n with ((n - S i) + S i) at 2 by lia. rewrite last_ones_stay by lia. reflexivity.
  - apply Nat.ltb_ge in less. replace (n - S i) with 0 by lia. reflexivity.
Qed.

Lemma same_passes : forall f g v w, (forall b, next_ = Some b -> v b = w b) -> forall i, i < n ->
  pass (release_at f g) v i = pass (release_at f g) w i.
Proof.
  intros f g v w same. assert (go : forall d i, i < n -> n - i <= d -> pass (release_at f g) v i = pass (release_at f g) w i).
  { induction d as [| d IH]; intros i inside near; [lia |]. rewrite (pass_at f g v i inside), (pass_at f g w i inside).
    destruct (S i <? n) eqn:less.
    - apply Nat.ltb_lt in less. rewrite (IH (S i)); [reflexivity | exact less | lia].
    - destruct next_ as [b |] eqn:is; [| reflexivity]. now rewrite (same b eq_refl). }
  intros i inside. apply (go n i inside). lia.
Qed.

(** Twice round is enough. *)
Lemma release_stable : forall f g i, i < n -> let v := twice (release_at f g) (fun _ => true) in
  v i = true -> g i = true /\ (f i = true \/ after v i = true).
Proof.
  intros f g i inside v it. set (w := pass (release_at f g) (fun _ => true)) in *.
  assert (known : forall b, next_ = Some b -> w b = true -> v b = true).
  { intros b is yes. unfold v, twice. fold w. rewrite (same_passes f g w (fun _ => true)); [exact yes | | now apply next_inside].
    intros b' is'. rewrite is in is'. injection is' as same. now subst. }
  unfold v, twice in it. fold w in it. rewrite (pass_at f g w i inside) in it. apply andb_prop in it.
  destruct it as (now_ & it). split; [exact now_ |]. apply orb_prop in it. destruct it as [end_ | it]; [now left | right].
  unfold after. destruct (S i <? n); [exact it |]. destruct next_ as [b |]; [| discriminate]. now apply known.
Qed.

Lemma release_right : forall f g (F G : nat -> Prop), right_ f F -> right_ g G ->
  right_ (twice (release_at f g) (fun _ => true)) (fun k => forall j, k <= j -> G j \/ exists m, k <= m < j /\ F m).
Proof.
  intros f g F G right_f right_g k i is it j le. set (v := twice (release_at f g) (fun _ => true)) in *.
  remember (j - k) as d eqn:distance. revert k i is it le distance.
  induction d as [| d IH]; intros k i is it le distance;
    destruct (release_stable f g i (place_inside k i is) it) as (now_ & more).
  - left. replace j with k by lia. eapply right_g; eauto.
  - destruct more as [end_ | more]; [right; exists k; split; [lia | eapply right_f; eauto] |].
    destruct (after_place v k i is more) as (i' & is' & it').
    destruct (IH (S k) i' is' it') as [here | (m & between & here)]; auto; try lia.
    right. exists m. split; [lia | exact here].
Qed.

Theorem value_right : forall f, right_ (value f) (below f p).
Proof.
  assert (letters : forall f k i, place k = Some i -> is_low f (state_at i) = true -> low f (at_ _ _ _ p k)).
  { intros f k i is it. destruct (goes k i is) as (same & _). rewrite same. now apply is_low_right. }
  assert (step_right : forall b a o, eqb b (of_step a o) = true -> abouts Step about b a o).
  { intros b a o it. apply eqb_prop in it. unfold abouts. destruct b.
    - apply of_step_right. congruence.
    - intro yes. apply of_step_right in yes. congruence. }
  induction f; intros k i is it; cbn [value] in it; cbn [Certificate.below];
    (destruct (is_valid _) eqn:all in it; [left; now apply is_valid_right | right]); try (exact (letters _ k i is it)).
  - destruct (goes k i is) as (_ & same). destruct (S i <? n) eqn:less.
    + apply Nat.ltb_lt in less. rewrite same by auto. now apply step_right.
    + destruct next_ as [b |] eqn:is_b; [| discriminate]. rewrite same by (right; discriminate). now apply step_right.
  - apply andb_prop in it. destruct it as (one & two). split; [eapply IHf1 | eapply IHf2]; eauto.
  - apply orb_prop in it. destruct it; [left; eapply IHf1 | right; eapply IHf2]; eauto.
  - destruct (after_place (value f) k i is it) as (j & is' & it'). exact (IHf (S k) j is' it').
  - exact (until_right (value f1) (value f2) (below f1 p) (below f2 p) IHf1 IHf2 k i is it).
  - exact (release_right (value f1) (value f2) (below f1 p) (below f2 p) IHf1 IHf2 k i is it).
Qed.

End Of_path.

(** The run satisfies its formula, however it goes on. *)
Theorem run_right : forall f, value f 0 = true -> exists p : path, at_ _ _ _ p 0 = state_at 0 /\ below f p 0.
Proof.
  intros f it. destruct run_path as (p & goes). exists p. split; [exact (proj1 (goes 0 0 eq_refl)) |].
  exact (value_right p goes f 0 0 eq_refl it).
Qed.

End Runs.
