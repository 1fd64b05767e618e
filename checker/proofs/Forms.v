(** Formulas as they are written, and the form that is checked (docs/certificates.md, "The form that is checked"): negations
    inside, and other operators by what they stand for. For the three readings of paths (docs/semantics.md) at once. *)

Require Import Arith Lia List Bool.
Require Import ClassicalEpsilon.
From Starset Require Import Semantics Ends.

Inductive written : Type :=
| WTrue
| WFalse
| WAtom (a : nat)
| WLetter (a : nat)
| WNot (f : written)
| WAnd (f g : written)
| WOr (f g : written)
| WImplies (f g : written)
| WIff (f g : written)
| WX (f : written)
| WF (f : written)
| WG (f : written)
| WU (f g : written)
| WR (f g : written)
| WW (f g : written)
| WM (f g : written)
| WE (f : written)
| WA (f : written).

(** The form that is checked, of a formula or of its negation. *)
Fixpoint normal (no : bool) (f : written) : form :=
  match f with
  | WTrue => if no then FF else TT
  | WFalse => if no then TT else FF
  | WAtom a => Atom (negb no) a
  | WLetter a => Letter (negb no) a
  | WNot f => normal (negb no) f
  | WAnd f g => if no then Or (normal true f) (normal true g) else And (normal false f) (normal false g)
  | WOr f g => if no then And (normal true f) (normal true g) else Or (normal false f) (normal false g)
  | WImplies f g => if no then And (normal false f) (normal true g) else Or (normal true f) (normal false g)
  | WIff f g => Or (And (normal false f) (normal no g)) (And (normal true f) (normal (negb no) g))
  | WX f => X (normal no f)
  | WF f => if no then R FF (normal true f) else U TT (normal false f)
  | WG f => if no then U TT (normal true f) else R FF (normal false f)
  | WU f g => if no then R (normal true f) (normal true g) else U (normal false f) (normal false g)
  | WR f g => if no then U (normal true f) (normal true g) else R (normal false f) (normal false g)
  | WW f g =>
    if no then U (normal true g) (And (normal true f) (normal true g)) else R (normal false g) (Or (normal false f) (normal false g))
  | WM f g =>
    if no then R (normal true g) (Or (normal true f) (normal true g)) else U (normal false g) (And (normal false f) (normal false g))
  | WE f => if no then A (normal true f) else E (normal false f)
  | WA f => if no then E (normal true f) else A (normal false f)
  end.

Inductive reading : Type :=
| Maximal
| Stutter
| Infinite.

Section Forms.

Variables State Step : Type.
Variable steps : State -> Step -> State -> Prop.
Variable atom : nat -> State -> Prop.
Variable about : nat -> option Step -> Prop.
Variable how : reading.

Notation deadlock := (deadlock State Step steps).
Notation path := (path State Step steps).
Notation "p # n" := (at_ _ _ _ p n) (at level 20).
Notation step_of p n := (by_ _ _ _ p n).

(** Positions of a path, and the paths that count. *)
Definition counts (p : path) (n : nat) : Prop :=
  match how with Maximal => position State Step steps p n | _ => True end.
Definition admits (p : path) : Prop :=
  match how with Infinite => endless State Step steps p | _ => True end.
(** What is said of the next position, where there may be none. [ends] is then the answer. *)
Definition after (ends : bool) (p : path) (n : nat) (there : Prop) : Prop :=
  match how with
  | Maximal => (deadlock (p # n) /\ ends = true) \/ (~ deadlock (p # n) /\ there)
  | _ => there
  end.

(** What formulas mean as they are written. [ends] is what X is at the end of a path: false under E, true under A, and the
    other way round under a negation, so that a formula means the same as its normal form. *)
Fixpoint means (ends : bool) (f : written) (p : path) (n : nat) : Prop :=
  match f with
  | WTrue => True
  | WFalse => False
  | WAtom a => atom a (p # n)
  | WLetter a => about a (step_of p n)
  | WNot f => ~ means (negb ends) f p n
  | WAnd f g => means ends f p n /\ means ends g p n
  | WOr f g => means ends f p n \/ means ends g p n
  | WImplies f g => means (negb ends) f p n -> means ends g p n
  | WIff f g => (means ends f p n /\ means ends g p n) \/ (~ means (negb ends) f p n /\ ~ means (negb ends) g p n)
  | WX f => after ends p n (means ends f p (S n))
  | WF f => exists k, n <= k /\ counts p k /\ means ends f p k
  | WG f => forall k, n <= k -> counts p k -> means ends f p k
  | WU f g => exists k, n <= k /\ counts p k /\ means ends g p k /\ forall m, n <= m < k -> means ends f p m
  | WR f g => forall k, n <= k -> counts p k -> means ends g p k \/ exists m, n <= m < k /\ means ends f p m
  | WW f g => (exists k, n <= k /\ counts p k /\ means ends g p k /\ forall m, n <= m < k -> means ends f p m) \/
      (forall k, n <= k -> counts p k -> means ends f p k)
  | WM f g => (forall k, n <= k -> counts p k -> means ends g p k \/ exists m, n <= m < k /\ means ends f p m) /\
      (exists k, n <= k /\ counts p k /\ means ends f p k)
  | WE f => exists q : path, q # 0 = p # n /\ admits q /\ means false f q 0
  | WA f => forall q : path, q # 0 = p # n -> admits q -> means true f q 0
  end.

(** The same of normal forms. *)
Fixpoint is (ends : bool) (f : form) (p : path) (n : nat) : Prop :=
  match f with
  | TT => True
  | FF => False
  | Atom b a => atoms State atom b a (p # n)
  | Letter b a => abouts Step about b a (step_of p n)
  | And f g => is ends f p n /\ is ends g p n
  | Or f g => is ends f p n \/ is ends g p n
  | X f => after ends p n (is ends f p (S n))
  | U f g => exists k, n <= k /\ counts p k /\ is ends g p k /\ forall m, n <= m < k -> is ends f p m
  | R f g => forall k, n <= k -> counts p k -> is ends g p k \/ exists m, n <= m < k /\ is ends f p m
  | E f => exists q : path, q # 0 = p # n /\ admits q /\ is false f q 0
  | A f => forall q : path, q # 0 = p # n -> admits q -> is true f q 0
  end.

Lemma counts_earlier : forall p n m, m <= n -> counts p n -> counts p m.
Proof. unfold counts. intros p n m le. destruct how; auto. now apply position_earlier. Qed.

(** The duals of U and R, of any properties of positions. *)
Lemma not_until : forall p n (f g : nat -> Prop),
  ~ (exists k, n <= k /\ counts p k /\ g k /\ forall m, n <= m < k -> f m) <->
  (forall k, n <= k -> counts p k -> ~ g k \/ exists m, n <= m < k /\ ~ f m).
Proof.
  intros p n f g. split.
  - intros none k le at_k. destruct (classic (g k)) as [here | not]; [right | now left].
    apply NNPP. intro clear. apply none. exists k. repeat split; auto. intros m between. apply NNPP. intro no. apply clear. eauto.
  - intros all (k & le & at_k & here & before). destruct (all k le at_k) as [no | (m & between & no)]; auto.
Qed.

Lemma not_release : forall p n (f g : nat -> Prop),
  ~ (forall k, n <= k -> counts p k -> g k \/ exists m, n <= m < k /\ f m) <->
  (exists k, n <= k /\ counts p k /\ ~ g k /\ forall m, n <= m < k -> ~ f m).
Proof.
  intros p n f g. split.
  - intro not. apply NNPP. intro none. apply not. intros k le at_k.
    destruct (classic (exists m, n <= m < k /\ f m)) as [some | clear]; [now right |]. left. apply NNPP. intro no.
    apply none. exists k. repeat split; auto. intros m between here. apply clear. eauto.
  - intros (k & le & at_k & no & before) all. destruct (all k le at_k) as [here | (m & between & here)]; [auto |].
    exact (before m between here).
Qed.

(** [a W b] is [b R (a | b)], [a M b] is [b U (a & b)]. *)
Lemma weak_until : forall p n (f g : nat -> Prop),
  ((exists k, n <= k /\ counts p k /\ g k /\ forall m, n <= m < k -> f m) \/ (forall k, n <= k -> counts p k -> f k)) <->
  (forall k, n <= k -> counts p k -> (f k \/ g k) \/ exists m, n <= m < k /\ g m).
Proof.
  intros p n f g. split.
  - intros [(j & le_j & at_j & here & before) | all] k le at_k; [| auto].
    destruct (lt_eq_lt_dec k j) as [[less | same] | more]; [left; left; auto | subst; auto |]. right. exists j. auto.
  - intro all. destruct (classic (exists k, n <= k /\ counts p k /\ g k)) as [some | none].
    + left. assert (least : exists k, n <= k /\ counts p k /\ g k /\ forall m, n <= m < k -> ~ g m).
      { destruct some as (k & le & at_k & here). revert le at_k here. induction k as [k IH] using lt_wf_ind. intros le at_k here.
        destruct (classic (exists m, n <= m < k /\ g m)) as [(m & (le_m & less) & there) | first].
        - apply (IH m less le_m); [| exact there]. apply (counts_earlier p k); [lia | exact at_k].
        - exists k. repeat split; auto. intros m between there. apply first. eauto. }
      destruct least as (k & le & at_k & here & first). exists k. repeat split; auto. intros m between.
      destruct (all m) as [[it | it] | (j & within & it)]; [lia | | exact it | |].
      * apply (counts_earlier p k); [lia | exact at_k].
      * destruct (first m between it).
      * destruct (first j); [lia | exact it].
    + right. intros k le at_k. destruct (all k le at_k) as [[it | it] | (m & between & it)]; [exact it | |]; exfalso; apply none.
      * eauto.
      * exists m. repeat split; [lia | | exact it]. apply (counts_earlier p k); [lia | exact at_k].
Qed.

Lemma strong_release : forall p n (f g : nat -> Prop),
  ((forall k, n <= k -> counts p k -> g k \/ exists m, n <= m < k /\ f m) /\ (exists k, n <= k /\ counts p k /\ f k)) <->
  (exists k, n <= k /\ counts p k /\ (f k /\ g k) /\ forall m, n <= m < k -> g m).
Proof.
  intros p n f g. pose proof (weak_until p n (fun k => ~ f k) (fun k => ~ g k)) as dual. split.
  - intros (all & k & le & at_k & here). apply NNPP. intro none.
    assert (no : ~ (forall k, n <= k -> counts p k -> (~ f k \/ ~ g k) \/ exists m, n <= m < k /\ ~ g m)).
    { intro all'. apply dual in all'. destruct all' as [(j & le_j & at_j & no & before) | never].
      - destruct (all j le_j at_j) as [yes | (m & between & yes)]; [auto | exact (before m between yes)].
      - exact (never k le at_k here). }
    apply no. intros j le_j at_j. apply NNPP. intro not. apply none. exists j. split; [exact le_j |]. split; [exact at_j |].
    split; [split; apply NNPP; tauto |]. intros m between. apply NNPP. intro no_g. apply not. right. eauto.
  - intros (k & le & at_k & (one & two) & before). split; [| eauto]. intros j le_j at_j.
    destruct (lt_eq_lt_dec j k) as [[less | same] | more]; [left; auto | subst; auto |]. right. exists k. auto.
Qed.

Lemma until_same : forall p n (f g f' g' : nat -> Prop), (forall k, f k <-> f' k) -> (forall k, g k <-> g' k) ->
  ((exists k, n <= k /\ counts p k /\ g k /\ forall m, n <= m < k -> f m) <->
   (exists k, n <= k /\ counts p k /\ g' k /\ forall m, n <= m < k -> f' m)).
Proof.
  intros p n f g f' g' same_f same_g. split; intros (k & le & at_k & here & before); exists k;
    (split; [exact le |]; split; [exact at_k |]; split; [now apply same_g | intros m between; apply same_f; auto]).
Qed.

Lemma release_same : forall p n (f g f' g' : nat -> Prop), (forall k, f k <-> f' k) -> (forall k, g k <-> g' k) ->
  ((forall k, n <= k -> counts p k -> g k \/ exists m, n <= m < k /\ f m) <->
   (forall k, n <= k -> counts p k -> g' k \/ exists m, n <= m < k /\ f' m)).
Proof.
  intros p n f g f' g' same_f same_g. split; intros all k le at_k; destruct (all k le at_k) as [here | (m & between & here)];
    [left; now apply same_g | right; exists m; split; [exact between | now apply same_f] |
     left; now apply same_g | right; exists m; split; [exact between | now apply same_f]].
Qed.

Lemma eventually : forall p n (g : nat -> Prop),
  (exists k, n <= k /\ counts p k /\ g k) <-> (exists k, n <= k /\ counts p k /\ g k /\ forall m, n <= m < k -> True).
Proof. intros p n g. split; intros (k & it); exists k; tauto. Qed.

Lemma always : forall p n (g : nat -> Prop),
  (forall k, n <= k -> counts p k -> g k) <-> (forall k, n <= k -> counts p k -> g k \/ exists m, n <= m < k /\ False).
Proof.
  intros p n g. split; intros all k le at_k; [left; auto |]. destruct (all k le at_k) as [here | (m & _ & no)]; [exact here | contradiction].
Qed.

(** What is true under E is under A: at the end of a path X may be true there alone. *)
Lemma is_more : forall f (p : path) n, is false f p n -> is true f p n.
Proof.
  induction f; intros p n; simpl; auto.
  - intros (one & two). auto.
  - intros [one | two]; auto.
  - unfold after. destruct how; auto. intros [(_ & no) | (not & it)]; [discriminate | auto].
  - intros (k & le & at_k & here & before). exists k. repeat split; auto.
  - intros all k le at_k. destruct (all k le at_k) as [here | (m & between & here)]; eauto.
Qed.

Theorem normal_right : forall f ends (p : path) n,
  (is ends (normal false f) p n <-> means ends f p n) /\ (is ends (normal true f) p n <-> ~ means (negb ends) f p n).
Proof.
  induction f; intros ends p n; cbn [normal negb].
  - simpl. tauto.
  - simpl. tauto.
  - simpl. tauto.
  - simpl. tauto.
  - cbn [means]. destruct (IHf ends p n), (IHf (negb ends) p n) as (H1 & _). rewrite negb_involutive. split; [assumption |].
    destruct (IHf ends p n) as (pos & _). rewrite pos. split; [tauto | apply NNPP].
  - cbn [is means]. destruct (IHf1 ends p n) as (-> & ->), (IHf2 ends p n) as (-> & ->). split; [tauto |].
    split; [tauto |]. intro no. apply not_and_or in no. exact no.
  - cbn [is means]. destruct (IHf1 ends p n) as (-> & ->), (IHf2 ends p n) as (-> & ->). tauto.
  - cbn [is means]. destruct (IHf1 ends p n) as (pos & ->), (IHf2 ends p n) as (-> & ->). rewrite pos, negb_involutive.
    split; [| split].
    + split; [tauto |]. intro it. destruct (classic (means (negb ends) f1 p n)); tauto.
    + tauto.
    + intro no. split; [apply NNPP; tauto | tauto].
  - cbn [is means]. destruct (IHf1 ends p n) as (-> & ->), (IHf2 ends p n) as (-> & ->). rewrite negb_involutive.
    split; [tauto |].
    assert (more1 : means false f1 p n -> means true f1 p n).
    { destruct (IHf1 false p n) as (<- & _), (IHf1 true p n) as (<- & _). apply is_more. }
    assert (more2 : means false f2 p n -> means true f2 p n).
    { destruct (IHf2 false p n) as (<- & _), (IHf2 true p n) as (<- & _). apply is_more. }
    destruct (classic (means true f1 p n)), (classic (means true f2 p n)), (classic (means false f1 p n)),
      (classic (means false f2 p n)), ends; simpl; tauto.
  - cbn [is means]. unfold after. destruct (IHf ends p (S n)) as (pos & neg_).
    destruct how; rewrite pos, neg_; [| tauto | tauto].
    destruct (classic (deadlock (p # n))); destruct ends; simpl; intuition congruence.
  - cbn [is means]. split.
    + rewrite (eventually p n (means ends f p)).
      apply (until_same p n (fun _ => True) (is ends (normal false f) p) (fun _ => True)); intro k; [tauto | apply IHf].
    + rewrite (eventually p n (means (negb ends) f p)), (not_until p n (fun _ => True)).
      apply (release_same p n (fun _ => False) (is ends (normal true f) p)); intro k; [tauto | apply IHf].
  - cbn [is means]. split.
    + rewrite (always p n (means ends f p)).
      apply (release_same p n (fun _ => False) (is ends (normal false f) p) (fun _ => False)); intro k; [tauto | apply IHf].
    + rewrite (always p n (means (negb ends) f p)), (not_release p n (fun _ => False)).
      apply (until_same p n (fun _ => True) (is ends (normal true f) p)); intro k; [tauto | apply IHf].
  - cbn [is means]. split.
    + apply until_same; intro k; [apply IHf1 | apply IHf2].
    + rewrite not_until. apply release_same; intro k; [apply IHf1 | apply IHf2].
  - cbn [is means]. split.
    + apply release_same; intro k; [apply IHf1 | apply IHf2].
    + rewrite not_release. apply until_same; intro k; [apply IHf1 | apply IHf2].
  - cbn [is means]. rewrite !weak_until. split.
    + apply release_same; intro k; [apply IHf2 |]. destruct (IHf1 ends p k), (IHf2 ends p k). tauto.
    + rewrite not_release. apply until_same; intro k; [apply IHf2 |]. destruct (IHf1 ends p k), (IHf2 ends p k). tauto.
  - cbn [is means]. rewrite !strong_release. split.
    + apply until_same; intro k; [apply IHf2 |]. destruct (IHf1 ends p k), (IHf2 ends p k). tauto.
    + rewrite not_until. apply release_same; intro k; [apply IHf2 |].
      destruct (IHf1 ends p k) as (_ & ->), (IHf2 ends p k) as (_ & ->).
      destruct (classic (means (negb ends) f1 p k)); tauto.
  - cbn [is means]. split.
    + split; intros (q & begins & ok & it); exists q; repeat split; auto; now apply (IHf false q 0).
    + split.
      * intros all (q & begins & ok & it). apply (IHf true q 0) in all; auto.
      * intros no q begins ok. apply (IHf true q 0). intro it. apply no. eauto.
  - cbn [is means]. split.
    + split; intros all q begins ok; apply (IHf true q 0); auto.
    + split.
      * intros (q & begins & ok & it) all. apply (IHf false q 0) in it. auto.
      * intro no. apply NNPP. intro none. apply no. intros q begins ok. apply NNPP. intro not. apply none. exists q.
        repeat split; auto. now apply (IHf false q 0).
Qed.

End Forms.

(** The readings are those of [Semantics] and [Ends], so that these theorems make all of them stuttering ones. *)

Section Readings.

Variables State Step : Type.
Variable steps : State -> Step -> State -> Prop.
Variable atom : nat -> State -> Prop.
Variable about : nat -> option Step -> Prop.
Variable dead : nat.
Hypothesis dead_is_deadlock : forall s, atom dead s <-> deadlock State Step steps s.

Notation path := (path State Step steps).
Notation is how := (is State Step steps atom about how).
Notation sat := (sat State Step steps atom about).

Lemma is_stutter : forall f ends (p : path) n, is Stutter ends f p n <-> sat f p n.
Proof.
  induction f; intros ends p n; simpl; try tauto.
  - rewrite IHf1, IHf2. tauto.
  - rewrite IHf1, IHf2. tauto.
  - apply IHf.
  - split; intros (k & it); exists k; repeat split; try tauto; try (apply (IHf2 ends); tauto);
      intros m between; apply (IHf1 ends); apply it; exact between.
  - split; intros all k le; [destruct (all k le I) as [here | (m & between & here)] |
      intros _; destruct (all k le) as [here | (m & between & here)]];
      [left; now apply (IHf2 ends) | right | left; now apply IHf2 | right]; exists m; split; auto; now apply (IHf1 ends).
  - split; [intros (q & begins & _ & it) | intros (q & begins & it)]; exists q; repeat split; auto; now apply (IHf false).
  - split; intros all q begins; [| intros _]; apply (IHf true); auto; now apply all.
Qed.

Lemma is_maximal : forall f ends (p : path) n,
  is Maximal ends f p n <-> sat_maximal State Step steps atom about ends f p n.
Proof.
  induction f; intros ends p n; simpl; try tauto.
  - rewrite IHf1, IHf2. tauto.
  - rewrite IHf1, IHf2. tauto.
  - rewrite IHf. tauto.
  - split; intros (k & le & at_k & here & before); exists k; repeat split; auto; try (now apply IHf2);
      intros m between; apply IHf1; auto.
  - split; intros all k le at_k; destruct (all k le at_k) as [here | (m & between & here)];
      [left; now apply IHf2 | right | left; now apply IHf2 | right]; exists m; split; auto; now apply IHf1.
  - split; [intros (q & begins & _ & it) | intros (q & begins & it)]; exists q; repeat split; auto; now apply IHf.
  - split; intros all q begins; [| intros _]; apply IHf; auto; now apply all.
Qed.

Lemma is_infinite : forall f ends (p : path) n,
  is Infinite ends f p n <-> sat_infinite State Step steps atom about f p n.
Proof.
  induction f; intros ends p n; simpl; try tauto.
  - rewrite IHf1, IHf2. tauto.
  - rewrite IHf1, IHf2. tauto.
  - apply IHf.
  - split; intros (k & it); exists k; repeat split; try tauto; try (apply (IHf2 ends); tauto);
      intros m between; apply (IHf1 ends); apply it; exact between.
  - split; intros all k le; [destruct (all k le I) as [here | (m & between & here)] |
      intros _; destruct (all k le) as [here | (m & between & here)]];
      [left; now apply (IHf2 ends) | right | left; now apply IHf2 | right]; exists m; split; auto; now apply (IHf1 ends).
  - split; intros (q & begins & ok & it); exists q; repeat split; auto; now apply (IHf false).
  - split; intros all q begins ok; apply (IHf true); auto; now apply all.
Qed.

(** The form that is checked, of a formula with quantifiers outside, or of its negation. *)
Definition checked (how : reading) (no : bool) (f : written) : form :=
  match how with
  | Maximal => from_maximal dead false (normal no f)
  | Stutter => normal no f
  | Infinite => from_infinite dead (normal no f)
  end.

(** Does a formula speak of one state alone? *)
Fixpoint of_state (f : written) : bool :=
  match f with
  | WTrue | WFalse | WAtom _ | WE _ | WA _ => true
  | WNot f => of_state f
  | WAnd f g | WOr f g | WImplies f g | WIff f g => of_state f && of_state g
  | _ => false
  end.

(** Of these it does not matter what X is at the end of the path. *)
Lemma of_state_ends : forall how f, of_state f = true -> forall ends ends' (p : path) n,
  means State Step steps atom about how ends f p n <-> means State Step steps atom about how ends' f p n.
Proof.
  induction f; simpl; intros it ends ends' p n; try discriminate; try tauto.
  - rewrite (IHf it (negb ends) (negb ends')). tauto.
  - apply andb_prop in it. destruct it as (one & two). rewrite (IHf1 one ends ends'), (IHf2 two ends ends'). tauto.
  - apply andb_prop in it. destruct it as (one & two). rewrite (IHf1 one ends ends'), (IHf2 two ends ends'). tauto.
  - apply andb_prop in it. destruct it as (one & two). rewrite (IHf1 one (negb ends) (negb ends')), (IHf2 two ends ends'). tauto.
  - apply andb_prop in it. destruct it as (one & two). rewrite (IHf1 one ends ends'), (IHf2 two ends ends'),
      (IHf1 one (negb ends) (negb ends')), (IHf2 two (negb ends) (negb ends')). tauto.
Qed.

Lemma of_state_normal : forall f no, of_state f = true -> is_state (normal no f) = true.
Proof.
  induction f; intros no it; simpl in *; try discriminate; auto; try (destruct no; reflexivity);
    apply andb_prop in it; destruct it as (one & two); destruct no; simpl; now rewrite ?IHf1, ?IHf2.
Qed.

Lemma of_state_maximal : forall f ends, is_state f = true -> is_state (from_maximal dead ends f) = true.
Proof.
  induction f; intros ends it; simpl in *; auto; try discriminate; apply andb_prop in it; destruct it; now rewrite IHf1, IHf2.
Qed.

Lemma of_state_infinite : forall f, is_state f = true -> is_state (from_infinite dead f) = true.
Proof.
  induction f; intro it; simpl in *; auto; try discriminate; apply andb_prop in it; destruct it; now rewrite IHf1, IHf2.
Qed.

Lemma of_state_checked : forall how no f, of_state f = true -> is_state (checked how no f) = true.
Proof.
  intros how no f it. pose proof (of_state_normal f no it) as ok.
  destruct how; [now apply of_state_maximal | exact ok | now apply of_state_infinite].
Qed.

Theorem checked_right : forall how f (p : path), of_state f = true ->
  (sat (checked how false f) p 0 <-> means State Step steps atom about how false f p 0) /\
  (sat (checked how true f) p 0 <-> ~ means State Step steps atom about how false f p 0).
Proof.
  intros how f p state_.
  assert (same : forall no, sat (checked how no f) p 0 <-> is how false (normal no f) p 0).
  { intro no. unfold checked. destruct how.
    - rewrite is_maximal. symmetry. apply maximal_paths; [exact dead_is_deadlock |]. intros m less. lia.
    - symmetry. apply is_stutter.
    - rewrite is_infinite. symmetry. now apply infinite_paths. }
  destruct (normal_right State Step steps atom about how f false p 0) as (pos & neg_). rewrite !same, pos, neg_.
  rewrite (of_state_ends how f state_ (negb false) false). tauto.
Qed.

End Readings.
