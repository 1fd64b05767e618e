(** Maximal and infinite paths in terms of stuttering ones (docs/semantics.md, "One reading in terms of another"). *)

Require Import Arith Lia List Bool.
Require Import ClassicalEpsilon.
From Starset Require Import Semantics.

Section Ends.

Variables State Step : Type.
Variable steps : State -> Step -> State -> Prop.
Variable atom : nat -> State -> Prop.
Variable about : nat -> option Step -> Prop.

(** The atom `deadlock`. *)
Variable dead : nat.
Notation deadlock := (deadlock State Step steps).
Hypothesis dead_is_deadlock : forall s, atom dead s <-> deadlock s.

Notation path := (path State Step steps).
Notation sat := (sat State Step steps atom about).
Notation "p # n" := (at_ _ _ _ p n) (at level 20).
Notation step_of p n := (by_ _ _ _ p n).

(** Paths that are the same from some positions on satisfy the same there. *)
Lemma same_on : forall f (p q : path) n m,
  (forall k, p # (n + k) = q # (m + k) /\ step_of p (n + k) = step_of q (m + k)) -> sat f p n -> sat f q m.
Proof.
  induction f; intros p q n m same; simpl; auto;
    pose proof (same 0) as now_; rewrite !Nat.add_0_r in now_; destruct now_ as (now_at & now_by).
  - unfold atoms. rewrite now_at. auto.
  - unfold abouts. rewrite now_by. auto.
  - intros (one & two). eauto.
  - intros [one | two]; eauto.
  - apply IHf. intro k. specialize (same (S k)). rewrite !Nat.add_succ_r in same. exact same.
  - assert (shift : forall d k, p # (n + d + k) = q # (m + d + k) /\ step_of p (n + d + k) = step_of q (m + d + k)).
    { intros d k. rewrite <- !Nat.add_assoc. apply same. }
    intros (k & le & here & before). exists (m + (k - n)). split; [lia |]. split.
    + apply (IHf2 p q (n + (k - n))); [apply shift |]. replace (n + (k - n)) with k by lia. exact here.
    + intros j between. replace j with (m + (j - m)) by lia. apply (IHf1 p q (n + (j - m))); [apply shift |].
      apply before. lia.
  - assert (shift : forall d k, p # (n + d + k) = q # (m + d + k) /\ step_of p (n + d + k) = step_of q (m + d + k)).
    { intros d k. rewrite <- !Nat.add_assoc. apply same. }
    intros all k le. destruct (all (n + (k - m))) as [here | (j & between & here)]; [lia | |].
    + left. replace k with (m + (k - m)) by lia. exact (IHf2 p q _ _ (shift (k - m)) here).
    + right. exists (m + (j - n)). split; [lia |]. apply (IHf1 p q (n + (j - n))); [apply shift |].
      replace (n + (j - n)) with j by lia. exact here.
  - rewrite now_at. auto.
  - rewrite now_at. auto.
Qed.

(** A deadlock repeats. *)
Lemma repeats : forall (p : path) n, deadlock (p # n) -> forall k, p # (n + k) = p # n /\ step_of p (n + k) = None.
Proof.
  intros p n is k. assert (same : p # (n + k) = p # n).
  { induction k; [now rewrite Nat.add_0_r |]. rewrite Nat.add_succ_r. pose proof (moves _ _ _ p (n + k)) as goes.
    destruct (step_of p (n + k)) as [t |]; simpl in goes; [| destruct goes; congruence].
    rewrite IHk in goes. exfalso. exact (is _ _ goes). }
  split; [exact same |]. pose proof (moves _ _ _ p (n + k)) as goes.
  destruct (step_of p (n + k)) as [t |]; [| reflexivity]. simpl in goes. rewrite same in goes. exfalso. exact (is _ _ goes).
Qed.

Lemma same_in_deadlock : forall f (p : path) n m, deadlock (p # n) -> n <= m -> (sat f p m <-> sat f p n).
Proof.
  intros f p n m is le. split; apply same_on; intro k.
  - destruct (repeats p n is k), (repeats p n is (m - n + k)). replace (m + k) with (n + (m - n + k)) by lia.
    split; congruence.
  - destruct (repeats p n is k), (repeats p n is (m - n + k)). replace (m + k) with (n + (m - n + k)) by lia.
    split; congruence.
Qed.

(** ** Maximal paths: infinite, or finite with a deadlock at the end. Such a path is a stuttering one up to its first
    deadlock: these are its positions. *)
Definition position (p : path) (n : nat) : Prop := forall m, m < n -> ~ deadlock (p # m).

(** [ends]: what a formula X is at the last position. *)
Fixpoint sat_maximal (ends : bool) (f : form) (p : path) (n : nat) : Prop :=
  match f with
  | TT => True
  | FF => False
  | Atom b a => atoms State atom b a (p # n)
  | Letter b a => abouts Step about b a (step_of p n)
  | And f g => sat_maximal ends f p n /\ sat_maximal ends g p n
  | Or f g => sat_maximal ends f p n \/ sat_maximal ends g p n
  | X f => (deadlock (p # n) /\ ends = true) \/ (~ deadlock (p # n) /\ sat_maximal ends f p (S n))
  | U f g => exists k, n <= k /\ position p k /\ sat_maximal ends g p k /\ forall m, n <= m < k -> sat_maximal ends f p m
  | R f g => forall k, n <= k -> position p k ->
      sat_maximal ends g p k \/ exists m, n <= m < k /\ sat_maximal ends f p m
  | E f => exists q, q # 0 = p # n /\ sat_maximal false f q 0
  | A f => forall q, q # 0 = p # n -> sat_maximal true f q 0
  end.

Fixpoint from_maximal (ends : bool) (f : form) : form :=
  match f with
  | TT | FF | Atom _ _ | Letter _ _ => f
  | And f g => And (from_maximal ends f) (from_maximal ends g)
  | Or f g => Or (from_maximal ends f) (from_maximal ends g)
  | X f => if ends then Or (Atom true dead) (X (from_maximal ends f)) else And (Atom false dead) (X (from_maximal ends f))
  | U f g => U (from_maximal ends f) (from_maximal ends g)
  | R f g => R (from_maximal ends f) (from_maximal ends g)
  | E f => E (from_maximal false f)
  | A f => A (from_maximal true f)
  end.

(** A position, or one after the last position. *)
Lemma position_or_last : forall (p : path) k, position p k \/ exists d, d < k /\ position p d /\ deadlock (p # d).
Proof.
  intros p k. induction k as [| k IH].
  - left. intros m less. lia.
  - destruct IH as [here | (d & less & rest)]; [| right; exists d; split; [lia | exact rest]].
    destruct (classic (deadlock (p # k))) as [is | not].
    + right. exists k. auto.
    + left. intros m less. destruct (Nat.eq_dec m k) as [same | differs]; [now subst | apply here; lia].
Qed.

Lemma position_earlier : forall (p : path) n m, m <= n -> position p n -> position p m.
Proof. intros p n m le is k less. apply is. lia. Qed.

Theorem maximal_paths : forall f ends (p : path) n, position p n ->
  (sat_maximal ends f p n <-> sat (from_maximal ends f) p n).
Proof.
  induction f; intros ends p n is; simpl; try tauto.
  - rewrite (IHf1 ends), (IHf2 ends); tauto.
  - rewrite (IHf1 ends), (IHf2 ends); tauto.
  - assert (next_ : ~ deadlock (p # n) -> (sat_maximal ends f p (S n) <-> sat (from_maximal ends f) p (S n))).
    { intro not. apply IHf. intros m less. destruct (Nat.eq_dec m n) as [same | differs]; [now subst | apply is; lia]. }
    destruct ends; simpl; rewrite dead_is_deadlock.
    + destruct (classic (deadlock (p # n))); tauto.
    + destruct (classic (deadlock (p # n))) as [yes | no]; [| tauto]. split; intro it; [| tauto].
      destruct it as [(_ & no) | (no & _)]; [discriminate | contradiction].
  - split.
    + intros (k & le & at_k & here & before). exists k. split; [exact le |]. split; [now apply (IHf2 ends) |].
      intros m between. apply (IHf1 ends); [| apply before; lia]. apply (position_earlier p k); [lia | exact at_k].
    + intros (k & le & here & before).
      assert (go : forall j, n <= j -> j <= k -> position p j -> sat (from_maximal ends f2) p j ->
        exists k, n <= k /\ position p k /\ sat_maximal ends f2 p k /\ forall m, n <= m < k -> sat_maximal ends f1 p m).
      { intros j le_n le_k at_j there. exists j. split; [exact le_n |]. split; [exact at_j |].
        split; [now apply IHf2 |]. intros m between. apply IHf1; [| apply before; lia].
        apply (position_earlier p j); [lia | exact at_j]. }
      destruct (position_or_last p k) as [at_k | (d & less & at_d & dead_d)].
      * apply (go k); auto.
      * assert (n <= d). { destruct (le_lt_dec n d) as [it | it]; [exact it |]. exfalso. exact (is d it dead_d). }
        apply (go d); auto; [lia |]. apply (same_in_deadlock _ p d k); auto. lia.
  - split.
    + intros all k le.
      assert (go : forall j, n <= j -> j <= k -> position p j ->
        sat (from_maximal ends f2) p j \/ exists m, n <= m < k /\ sat (from_maximal ends f1) p m).
      { intros j le_n le_k at_j. destruct (all j le_n at_j) as [here | (m & between & here)].
        - left. now apply (IHf2 ends).
        - right. exists m. split; [lia |]. apply (IHf1 ends); [| exact here].
          apply (position_earlier p j); [lia | exact at_j]. }
      destruct (position_or_last p k) as [at_k | (d & less & at_d & dead_d)].
      * apply go; auto.
      * assert (n <= d). { destruct (le_lt_dec n d) as [it | it]; [exact it |]. exfalso. exact (is d it dead_d). }
        destruct (go d) as [here | some]; auto; [lia |]. left. apply (same_in_deadlock _ p d k); auto. lia.
    + intros all k le at_k. destruct (all k le) as [here | (m & between & here)].
      * left. now apply IHf2.
      * right. exists m. split; [exact between |]. apply IHf1; [| exact here].
        apply (position_earlier p k); [lia | exact at_k].
  - assert (position0 : forall q : path, position q 0) by (intros q m less; lia).
    split; intros (q & begins_ & it); exists q; split; auto; now apply (IHf false).
  - assert (position0 : forall q : path, position q 0) by (intros q m less; lia).
    split; intros all q begins_; apply (IHf true); auto.
Qed.

(** ** Infinite paths: those without a deadlock. *)
Definition endless (p : path) : Prop := forall n, ~ deadlock (p # n).

Fixpoint sat_infinite (f : form) (p : path) (n : nat) : Prop :=
  match f with
  | TT => True
  | FF => False
  | Atom b a => atoms State atom b a (p # n)
  | Letter b a => abouts Step about b a (step_of p n)
  | And f g => sat_infinite f p n /\ sat_infinite g p n
  | Or f g => sat_infinite f p n \/ sat_infinite g p n
  | X f => sat_infinite f p (S n)
  | U f g => exists k, n <= k /\ sat_infinite g p k /\ forall m, n <= m < k -> sat_infinite f p m
  | R f g => forall k, n <= k -> sat_infinite g p k \/ exists m, n <= m < k /\ sat_infinite f p m
  | E f => exists q, q # 0 = p # n /\ endless q /\ sat_infinite f q 0
  | A f => forall q, q # 0 = p # n -> endless q -> sat_infinite f q 0
  end.

Fixpoint from_infinite (f : form) : form :=
  match f with
  | TT | FF | Atom _ _ | Letter _ _ => f
  | And f g => And (from_infinite f) (from_infinite g)
  | Or f g => Or (from_infinite f) (from_infinite g)
  | X f => X (from_infinite f)
  | U f g => U (from_infinite f) (from_infinite g)
  | R f g => R (from_infinite f) (from_infinite g)
  | E f => E (And (from_infinite f) (R FF (Atom false dead)))
  | A f => A (Or (from_infinite f) (U TT (Atom true dead)))
  end.

Lemma always_alive : forall p : path, sat (R FF (Atom false dead)) p 0 <-> endless p.
Proof.
  intro p. simpl. split.
  - intros all n is. destruct (all n (Nat.le_0_l n)) as [not | (m & _ & no)]; [| contradiction].
    apply not. now apply dead_is_deadlock.
  - intros all n _. left. intro is. apply (all n). now apply dead_is_deadlock.
Qed.

Lemma once_dead : forall p : path, sat (U TT (Atom true dead)) p 0 <-> ~ endless p.
Proof.
  intro p. rewrite <- always_alive. rewrite <- sat_negate. simpl. tauto.
Qed.

Theorem infinite_paths : forall f (p : path) n, sat_infinite f p n <-> sat (from_infinite f) p n.
Proof.
  induction f; intros p n; try (simpl; tauto).
  - simpl. rewrite IHf1, IHf2. tauto.
  - simpl. rewrite IHf1, IHf2. tauto.
  - simpl. apply IHf.
  - simpl. split; intros (k & le & here & before); exists k; split; auto; (split; [now apply IHf2 |]);
      intros m between; apply IHf1; auto.
  - simpl. split; intros all k le; destruct (all k le) as [here | (m & between & here)];
      [left; now apply IHf2 | right | left; now apply IHf2 | right]; exists m; split; auto; now apply IHf1.
  - split.
    + intros (q & begins_ & goes_on & it). exists q. split; [exact begins_ |].
      split; [now apply IHf | now apply always_alive].
    + intros (q & begins_ & it & goes_on). exists q. split; [exact begins_ |].
      split; [now apply always_alive | now apply IHf].
  - split.
    + intros all q begins_. destruct (classic (endless q)) as [yes | no].
      * left. apply IHf. exact (all q begins_ yes).
      * right. now apply once_dead.
    + intros all q begins_ goes_on. destruct (all q begins_) as [it | no]; [now apply IHf |].
      apply once_dead in no. contradiction.
Qed.

End Ends.
