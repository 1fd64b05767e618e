(** Values as bits, and products of conditions in which bits are forgotten as soon as nothing else speaks of them
    (docs/certificates.md, "Programs by their conditions"). *)

Require Import Arith Lia List Bool.
Require Import ClassicalEpsilon.
Import ListNotations.

(** *** Codes *)

(** A function of the code of a variable: what it is for each value of the domain, by a row that is made half as long bit by
    bit, the lowest bit first. Where a row is not even, its last member is there twice. *)
Section Rows.

Variable T : Type.
Variable none : T.

Fixpoint halved (final : T) (row : list T) (bit : bool) : list T :=
  match row with
  | [] => []
  | [x] => [if bit then final else x]
  | x :: y :: row => (if bit then y else x) :: halved final row bit
  end.

Fixpoint by_value (row : list T) (bits : list bool) : T :=
  match bits with
  | [] => hd none row
  | bit :: bits => by_value (halved (last row none) row bit) bits
  end.

Fixpoint code (bits : list bool) : nat :=
  match bits with
  | [] => 0
  | bit :: bits => Nat.b2n bit + 2 * code bits
  end.

Lemma two_by_two : forall P : list T -> Prop, P [] -> (forall x, P [x]) -> (forall x y row, P row -> P (x :: y :: row)) ->
  forall row, P row.
Proof.
  intros P zero one two. assert (both : forall row, P row /\ forall x, P (x :: row)); [| intro row; apply both].
  induction row as [| y row (IH & IH')]; auto.
Qed.

Lemma halved_nth : forall final row bit k, Nat.b2n bit + 2 * k < length row ->
  nth k (halved final row bit) none = nth (Nat.b2n bit + 2 * k) row none.
Proof.
  intros final row bit. induction row as [| x | x y row IH] using two_by_two; intros k less.
  - simpl in less. lia.
  - simpl in less. destruct bit, k; simpl in less; try lia. reflexivity.
  - destruct k as [| k]; [destruct bit; reflexivity |]. cbn [length] in less.
    replace (Nat.b2n bit + 2 * S k) with (S (S (Nat.b2n bit + 2 * k))) by lia. cbn [halved nth]. apply IH. lia.
Qed.

Lemma halved_long : forall final row bit k, Nat.b2n bit + 2 * k < length row -> k < length (halved final row bit).
Proof.
  intros final row bit. induction row as [| x | x y row IH] using two_by_two; intros k less; cbn [length halved] in *.
  - lia.
  - lia.
  - destruct k as [| k]; [lia |]. specialize (IH k). lia.
Qed.

Lemma halved_in : forall final row bit x, In x (halved final row bit) -> In x (final :: row).
Proof.
  intros final row bit x. induction row as [| y | y z row IH] using two_by_two; simpl in *; [tauto | |].
  - intros [same | []]. destruct bit; auto.
  - intros [same | member]; [destruct bit; auto |]. destruct (IH member); auto.
Qed.

Lemma last_in : forall row, row <> [] -> In (last row none) row.
Proof.
  induction row as [| x [| y row] IH]; intro some; [contradiction | now left |]. right. apply IH. discriminate.
Qed.

Lemma by_value_in : forall bits row, row <> [] -> In (by_value row bits) row.
Proof.
  induction bits as [| bit bits IH]; intros row some; simpl.
  - destruct row; [contradiction | now left].
  - assert (there : In (by_value (halved (last row none) row bit) bits) (halved (last row none) row bit)).
    { apply IH. destruct row as [| x [| y row]]; [contradiction | discriminate | discriminate]. }
    apply halved_in in there. destruct there as [same | member]; [| exact member]. rewrite <- same. now apply last_in.
Qed.

Lemma by_value_nth : forall bits row, code bits < length row -> by_value row bits = nth (code bits) row none.
Proof.
  induction bits as [| bit bits IH]; intros row less; cbn [by_value code] in *.
  - destruct row; reflexivity.
  - rewrite <- (halved_nth (last row none)) by exact less. apply IH. now apply halved_long.
Qed.

(** Each code is one of a value of the domain, and each value of the domain has a code. *)
Theorem codes_right : forall row count, row <> [] -> length row <= 2 ^ count ->
  (forall bits, In (by_value row bits) row) /\
  (forall x, In x row -> exists bits, length bits = count /\ by_value row bits = x).
Proof.
  intros row count some fits. split; [intro bits; now apply by_value_in |].
  intros x there. apply (In_nth row x none) in there. destruct there as (k & less & is).
  assert (has : forall count k, k < 2 ^ count -> exists bits, length bits = count /\ code bits = k).
  { clear. induction count as [| count IH]; intros k less.
    - simpl in less. exists []. split; [reflexivity | simpl; lia].
    - simpl in less. destruct (IH (k / 2)) as (bits & long & of_k).
      + apply Nat.div_lt_upper_bound; lia.
      + exists (Nat.odd k :: bits). split; [simpl; now rewrite long |]. cbn [code]. rewrite of_k.
        pose proof (Nat.div2_odd k) as it. rewrite Nat.div2_div in it. lia. }
  destruct (has count k) as (bits & long & of_k); [lia |]. exists bits. split; [exact long |].
  rewrite by_value_nth, of_k; [exact is | lia].
Qed.

End Rows.

(** All functions of a variable take a code for the same value. *)
Lemma halved_map : forall (T T' : Type) (f : T -> T') final row bit,
  halved T' (f final) (map f row) bit = map f (halved T final row bit).
Proof.
  intros T T' f final row bit. induction row as [| x | x y row IH] using two_by_two; simpl.
  - reflexivity.
  - destruct bit; reflexivity.
  - rewrite IH. destruct bit; reflexivity.
Qed.

Lemma last_map : forall (T T' : Type) (f : T -> T') none none' row, row <> [] -> last (map f row) none' = f (last row none).
Proof.
  intros T T' f none none' row some. induction row as [| x [| y row] IH]; [contradiction | reflexivity |].
  change (last (map f (y :: row)) none' = f (last (y :: row) none)). apply IH. discriminate.
Qed.

Theorem same_code : forall (T T' : Type) (f : T -> T') none none' bits row, row <> [] ->
  by_value T' none' (map f row) bits = f (by_value T none row bits).
Proof.
  intros T T' f none none' bits. induction bits as [| bit bits IH]; intros row some; simpl.
  - destruct row; [contradiction | reflexivity].
  - rewrite (last_map T T' f none none' row some), halved_map. apply IH.
    destruct row as [| x [| y row]]; [contradiction | discriminate | discriminate].
Qed.

(** So what is asked for all assignments of bits, or for some, is asked of all states, or of some. *)
Section Assignments.

Variables Name Code Value : Type.
Variable is_code : Name -> Code -> Prop.
Variable value_of : Name -> Code -> Value.
Variable domain : Name -> Value -> Prop.
Hypothesis are_values : forall v c, is_code v c -> domain v (value_of v c).
Hypothesis have_codes : forall v x, domain v x -> exists c, is_code v c /\ value_of v c = x.

Definition decoded (b : Name -> Code) (v : Name) : Value := value_of v (b v).

Lemma coded : forall s, (forall v, domain v (s v)) -> exists b, (forall v, is_code v (b v)) /\ forall v, decoded b v = s v.
Proof.
  intros s ok.
  assert (each : forall v, { c | is_code v c /\ value_of v c = s v }).
  { intro v. apply constructive_indefinite_description. apply have_codes. apply ok. }
  exists (fun v => proj1_sig (each v)). split; intro v; [exact (proj1 (proj2_sig (each v))) | exact (proj2 (proj2_sig (each v)))].
Qed.

Variable condition : (Name -> Value) -> Prop.
Hypothesis of_values : forall s t, (forall v, s v = t v) -> condition s -> condition t.

Theorem all_assignments : (forall b, (forall v, is_code v (b v)) -> condition (decoded b)) <->
  (forall s, (forall v, domain v (s v)) -> condition s).
Proof.
  split.
  - intros all s ok. destruct (coded s ok) as (b & is & same). apply (of_values (decoded b)); auto.
  - intros all b is. apply all. intro v. apply are_values. apply is.
Qed.

Theorem some_assignment : (exists b, (forall v, is_code v (b v)) /\ condition (decoded b)) <->
  (exists s, (forall v, domain v (s v)) /\ condition s).
Proof.
  split.
  - intros (b & is & it). exists (decoded b). split; [| exact it]. intro v. apply are_values. apply is.
  - intros (s & ok & it). destruct (coded s ok) as (b & is & same). exists b. split; [exact is |].
    apply (of_values s); auto.
Qed.

End Assignments.

(** *** Products *)

Section Products.

Variables Level Bit : Type.
Hypothesis level_dec : forall x y : Level, {x = y} + {x <> y}.

Definition assignment : Type := Level -> Bit.
Definition condition : Type := assignment -> Prop.
Definition set_to (b : assignment) (x : Level) (v : Bit) : assignment := fun y => if level_dec y x then v else b y.

(** It does not speak of a level. *)
Definition without_ (x : Level) (c : condition) : Prop := forall b v, c b <-> c (set_to b x v).
Definition of_bits (c : condition) : Prop := forall b b', (forall x, b x = b' x) -> c b -> c b'.

Definition forget (x : Level) (c : condition) : condition := fun b => exists v, c (set_to b x v).
Definition both_ (c d : condition) : condition := fun b => c b /\ d b.

(** The levels that are not forgotten. *)
Variable kept : Level -> Prop.

(** What is wanted: that some values of all others satisfy all conditions. *)
Definition wanted (cs : list condition) (b : assignment) : Prop :=
  exists b', (forall x, kept x -> b' x = b x) /\ forall c, In c cs -> c b'.

(** What is done, in any order: two conditions become one; a level is forgotten of which one condition alone speaks. *)
Inductive becomes : list condition -> list condition -> Prop :=
| nothing_more : forall cs, becomes cs cs
| conjoined : forall cs before c middle d after, becomes cs (before ++ c :: middle ++ d :: after) ->
    becomes cs (both_ c d :: before ++ middle ++ after)
| forgotten : forall cs before c after x, becomes cs (before ++ c :: after) -> ~ kept x ->
    (forall d, In d (before ++ after) -> without_ x d) -> becomes cs (forget x c :: before ++ after).

Lemma set_to_other : forall b x v y, y <> x -> set_to b x v y = b y.
Proof. intros b x v y differs. unfold set_to. destruct (level_dec y x); [contradiction | reflexivity]. Qed.

Lemma becomes_of_bits : forall cs ds, becomes cs ds -> (forall c, In c cs -> of_bits c) -> forall d, In d ds -> of_bits d.
Proof.
  intros cs ds it all. induction it as [cs | cs before c middle d after it IH | cs before c after x it IH not alone]; intros e member.
  - auto.
  - assert (others : forall e, In e (before ++ middle ++ after) -> of_bits e).
    { intros e' there. apply (IH all). rewrite !in_app_iff in *. simpl. rewrite in_app_iff. simpl. tauto. }
    destruct member as [same | member]; [subst e | auto].
    intros b b' same (one & two). split; [apply (IH all c) with (b := b) | apply (IH all d) with (b := b)]; auto;
      apply in_or_app; right; simpl; [now left | right; apply in_or_app; right; now left].
  - assert (others : forall e, In e (before ++ after) -> of_bits e).
    { intros e' there. apply (IH all). rewrite !in_app_iff in *. simpl. tauto. }
    destruct member as [same | member]; [subst e | auto].
    intros b b' same (v & here). exists v. apply (IH all c) with (b := set_to b x v); auto.
    + apply in_or_app. right. now left.
    + intro y. unfold set_to. destruct (level_dec y x); auto.
Qed.

Lemma becomes_right : forall cs ds, becomes cs ds -> (forall c, In c cs -> of_bits c) -> forall b, wanted cs b <-> wanted ds b.
Proof.
  intros cs ds it all. pose proof becomes_of_bits as proper.
  induction it as [cs | cs before c middle d after it IH | cs before c after x it IH not alone]; intro b.
  - tauto.
  - rewrite (IH all b). split; intros (b' & same & each); exists b'; split; auto; intros e member.
    + assert (others : forall e, In e (before ++ middle ++ after) -> In e (before ++ c :: middle ++ d :: after)).
      { intros e' there. rewrite !in_app_iff in *. simpl. rewrite in_app_iff. simpl. tauto. }
      destruct member as [is | member]; [subst e; split; apply each | apply each; apply others; exact member];
        rewrite in_app_iff; simpl; rewrite ?in_app_iff; simpl; auto 8.
    + rewrite !in_app_iff in member. simpl in member. rewrite in_app_iff in member. simpl in member.
      assert (pair : both_ c d b') by (apply each; now left). destruct pair as (one & two).
      assert (others : In e (before ++ middle ++ after) -> e b') by (intro there; apply each; now right).
      rewrite !in_app_iff in others. destruct member as [member | [is | [member | [is | member]]]]; subst; auto; apply others; auto.
  - rewrite (IH all b). split; intros (b' & same & each).
    + exists b'. split; [exact same |]. intros e [is | member].
      * subst e. exists (b' x). apply (proper cs _ it all c) with (b := b').
        -- apply in_or_app. right. now left.
        -- intro y. unfold set_to. destruct (level_dec y x); [now subst | reflexivity].
        -- apply each. apply in_or_app. right. now left.
      * apply each. rewrite in_app_iff in *. simpl. tauto.
    + assert (here : forget x c b') by (apply each; now left). destruct here as (v & here). exists (set_to b' x v). split.
      * intros y stays. rewrite set_to_other; [auto |]. intro is. subst. contradiction.
      * intros e member. apply in_app_or in member.
        destruct member as [member | [is | member]]; [| subst e; exact here |]; apply alone; try (apply each; right);
          apply in_or_app; auto.
Qed.

(** The product: one condition is left, which speaks of nothing that is to be forgotten. *)
Theorem product_right : forall cs c, becomes cs [c] -> (forall d, In d cs -> of_bits d) ->
  (forall b b', (forall x, kept x -> b x = b' x) -> c b -> c b') -> forall b, c b <-> wanted cs b.
Proof.
  intros cs c it all of_kept b. rewrite (becomes_right cs [c] it all b). split.
  - intro here. exists b. split; [reflexivity |]. intros d [is | []]. now subst.
  - intros (b' & same & each). apply (of_kept b'); [exact same |]. apply each. now left.
Qed.

End Products.
