(** Programs of SMV by their conditions (docs/certificates.md, "Programs by their conditions"): Theorem 4, and why what is
    left out changes nothing.

    A program says conditions: first states are the states that satisfy some, steps the pairs of states for which some
    inputs satisfy others. Steps need not exist; paths are those of [Semantics], where a deadlock repeats. *)

Require Import Arith Lia List.
Require Import ClassicalEpsilon.
From Starset Require Import Semantics Automaton Claims Certificate Bisimulation.
Import ListNotations.

Section Programs.

Variables Name Input Value : Type.
Hypothesis name_dec : forall v w : Name, {v = w} + {v <> w}.

Definition state : Type := Name -> Value.
Definition inputs : Type := Input -> Value.

Variable domain : Name -> Value -> Prop.
Variable input_domain : Input -> Value -> Prop.
Definition typed (s : state) : Prop := forall v, domain v (s v).
Definition typed_inputs (i : inputs) : Prop := forall v, input_domain v (i v).

(** The label of a step with these inputs: the value of [_process_selector_], or always the same. *)
Variable label : inputs -> nat.

(** A program. Of an expression it is said which values it may have. *)
Record program : Type := {
  first_value : Name -> option (state -> Value -> Prop);
  next_value : Name -> option (state -> inputs -> state -> Value -> Prop);
  always_value : Name -> option (state -> Value -> Prop);
  frozen : Name -> bool;
  init : state -> Prop;
  invar : state -> Prop;
  trans : state -> inputs -> state -> Prop }.

(** What is assigned, as conditions. *)
Definition first_assigned (P : program) (v : Name) (s : state) : Prop :=
  match first_value P v, always_value P v with
  | Some e, _ => e s (s v)
  | None, Some e => e s (s v)
  | None, None => True
  end.

Definition next_assigned (P : program) (v : Name) (s : state) (i : inputs) (s' : state) : Prop :=
  match next_value P v, always_value P v with
  | Some e, _ => e s i s' (s' v)
  | None, Some e => e s' (s' v)
  | None, None => True
  end.

Definition next_demands (P : program) (v : Name) (s : state) (i : inputs) (s' : state) : Prop :=
  (frozen P v = true -> s' v = s v) /\ next_assigned P v s i s'.

Definition initial (P : program) (s : state) : Prop :=
  typed s /\ (forall v, first_assigned P v s) /\ init P s /\ invar P s.

(** All conditions of a step, with these inputs. *)
Definition conditions (P : program) (s : state) (i : inputs) (s' : state) : Prop :=
  typed_inputs i /\ typed s' /\ (forall v, next_demands P v s i s') /\ trans P s i s' /\ invar P s'.

Definition step (P : program) (s : state) (l : nat) (s' : state) : Prop :=
  exists i, label i = l /\ conditions P s i s'.

Notation reachable P := (reachable state nat (step P) (initial P)).

(** INVAR holds in all reachable states. *)
Lemma reachable_allowed : forall P s, reachable P s -> typed s /\ invar P s.
Proof.
  intros P s [t it | t l t' _ (i & _ & it)].
  - destruct it as (is & _ & _ & allowed). auto.
  - destruct it as (_ & is & _ & _ & allowed). auto.
Qed.

(** *** Atoms *)

Inductive kind : Type :=
| Deadlock
| Enabled (labels : nat -> Prop)
| Compare (condition : state -> Prop).

Variable kinds : nat -> kind.

(** What the checker computes of a state: products of conditions. *)
Definition moving (P : program) (s : state) : Prop := exists i s', conditions P s i s'.
Definition moving_by (P : program) (labels : nat -> Prop) (s : state) : Prop :=
  exists i s', labels (label i) /\ conditions P s i s'.

Lemma moving_right : forall P s, deadlock state nat (step P) s <-> ~ moving P s.
Proof.
  intros P s. split.
  - intros none (i & s' & it). apply (none (label i) s'). exists i. auto.
  - intros none l s' (i & _ & it). apply none. exists i, s'. exact it.
Qed.

Lemma moving_by_right : forall P labels s, moving_by P labels s <-> exists l s', labels l /\ step P s l s'.
Proof.
  intros P labels s. split.
  - intros (i & s' & among & it). exists (label i), s'. split; [exact among |]. exists i. auto.
  - intros (l & s' & among & i & is & it). subst l. exists i, s'. auto.
Qed.

Definition atom (P : program) (a : nat) (s : state) : Prop :=
  match kinds a with
  | Deadlock => ~ moving P s
  | Enabled labels => moving_by P labels s
  | Compare condition => condition s
  end.

Variable about : nat -> option nat -> Prop.

Notation holds P := (holds state nat (step P) (atom P) about).
Notation move P := (move state nat (step P)).

(** *** Claims *)

Section Claims_.

Variable P : program.
Variable low : form -> state -> Prop.

(** The part of a guard that is about states, and the part that is about steps. *)
Definition letters_open (e : edge) (s : state) : Prop :=
  forall g, In g (guard e) -> match g with Letter _ _ => True | _ => is_state g = true -> ~ low (negate g) s end.
Definition letters_proved (e : edge) (s : state) : Prop :=
  forall g, In g (guard e) -> match g with Letter _ _ => True | _ => is_state g = true /\ low g s end.
Definition takes (e : edge) (o : option nat) : Prop :=
  forall g, In g (guard e) -> match g with Letter b a => abouts nat about b a o | _ => True end.
Definition says_nothing (e : edge) : Prop :=
  forall g, In g (guard e) -> match g with Letter _ _ => False | _ => True end.

Lemma open_parts : forall e s o, open_ state nat about low e s o -> letters_open e s /\ takes e o.
Proof.
  intros e s o it. split; intros g member; specialize (it g member); destruct g; auto.
Qed.

Lemma proved_parts : forall e s o, letters_proved e s -> takes e o -> proved state nat about low e s o.
Proof.
  intros e s o one two g member. specialize (one g member). specialize (two g member). destruct g; auto.
Qed.

Lemma says_nothing_takes : forall e o, says_nothing e -> takes e o.
Proof. intros e o it g member. specialize (it g member). destruct g; auto. contradiction. Qed.

Section All.

Variable f : form.
Variable aut : automaton (negate f).
Variable marks : list form.
Variable S_ : loc _ aut -> state -> Prop.
Variable rank : loc _ aut -> state -> nat.

Definition may_follow (e : edge) (r r' : nat) : Prop :=
  r' < r \/ (r' = r /\ exists mark, nth_error marks (class marks r) = Some mark /\ In mark (off e)).

(** The image of a set along an edge: next states with the ranks that they are reached from. *)
Definition image (q : loc _ aut) (e : edge) (s' : state) (r : nat) : Prop :=
  exists s i, typed s /\ S_ q s /\ rank q s = r /\ letters_open e s /\ invar P s /\
    takes e (Some (label i)) /\ conditions P s i s'.

Definition all_by_conditions : Prop :=
  (forall q e q' s' r, In (e, q') (out _ aut q) -> image q e s' r -> S_ q' s' /\ may_follow e r (rank q' s')) /\
  (forall q e q' s, In (e, q') (out _ aut q) -> takes e None ->
    typed s -> S_ q s -> letters_open e s -> invar P s -> ~ moving P s -> S_ q' s /\ may_follow e (rank q s) (rank q' s)).

Theorem theorem_4_all : all_by_conditions ->
  all_checked state nat (step P) about (initial P) low f aut marks S_ rank.
Proof.
  intros (by_steps & by_deadlocks) q s e q' o s' from in_S it opens goes.
  destruct (reachable_allowed P s from) as (is & allowed). apply open_parts in opens. destruct opens as (letters & taken).
  destruct o as [l |]; simpl in goes.
  - destruct goes as (i & same & all). subst l. apply (by_steps q e q' s' (rank q s) it).
    exists s, i. auto 8.
  - destruct goes as (dead & same). subst s'. apply moving_right in dead. exact (by_deadlocks q e q' s it taken is in_S letters allowed dead).
Qed.

End All.

Section Some_.

Variable f : form.
Variable aut : automaton f.
Variable marks : list form.
Variable top : loc _ aut -> Prop.
Variable H : loc _ aut -> nat -> state -> Prop.
Variable rank : loc _ aut -> nat -> state -> nat.

(** A state may be followed by another one in the set at location [q']. *)
Definition followed (j : nat) (q : loc _ aut) (e : edge) (q' : loc _ aut) (s s' : state) : Prop :=
  (marked marks j e /\ H q' (turn marks j) s') \/ (~ marked marks j e /\ H q' j s' /\ rank q' j s' < rank q j s).

(** The states that an edge is proved to go on from, by steps: the pre-image. To ⊤ any step will do. *)
Definition by_step (q : loc _ aut) (j : nat) (eq : edge * loc _ aut) (s : state) : Prop :=
  (top (snd eq) /\ (says_nothing (fst eq) \/ moving_by P (fun l => takes (fst eq) (Some l)) s)) \/
  exists i s', takes (fst eq) (Some (label i)) /\ conditions P s i s' /\ followed j q (fst eq) (snd eq) s s'.

(** The same by a deadlock that repeats. *)
Definition by_repeat (q : loc _ aut) (j : nat) (eq : edge * loc _ aut) (s : state) : Prop :=
  takes (fst eq) None /\ (top (snd eq) \/ followed j q (fst eq) (snd eq) s s).

(** What is left of a set when the edges have been looked at, one after the other. *)
Definition left_by (goes_on : edge * loc _ aut -> state -> Prop) (edges : list (edge * loc _ aut)) (set : state -> Prop) :
    state -> Prop :=
  fold_left (fun rest eq s => rest s /\ ~ (rest s /\ letters_proved (fst eq) s /\ goes_on eq s)) edges set.

Lemma left_by_right : forall goes_on edges (set : state -> Prop) s, set s ->
  left_by goes_on edges set s \/ exists eq, In eq edges /\ letters_proved (fst eq) s /\ goes_on eq s.
Proof.
  intros goes_on edges. unfold left_by. induction edges as [| eq edges IH]; intros set s it; [now left |]. simpl.
  destruct (classic (letters_proved (fst eq) s /\ goes_on eq s)) as [(sure & on) | not].
  - right. exists eq. auto.
  - destruct (IH (fun s => set s /\ ~ (set s /\ letters_proved (fst eq) s /\ goes_on eq s)) s) as [rest | (eq' & member & it')].
    + split; [exact it |]. tauto.
    + now left.
    + right. exists eq'. auto.
Qed.

(** The edges in the order in which they are looked at. *)
Variable ordered : loc _ aut -> list (edge * loc _ aut).
Hypothesis ordered_edges : forall q, incl (ordered q) (out _ aut q).

Definition some_by_conditions : Prop :=
  forall q j s, typed s -> invar P s ->
    let rest := left_by (by_step q j) (ordered q) (H q j) in
    (rest s -> ~ moving P s) /\ ~ left_by (by_repeat q j) (ordered q) rest s.

Theorem theorem_4_some : some_by_conditions ->
  some_checked state nat (step P) about (initial P) low f aut marks top H rank.
Proof.
  intros checked q j s from in_H. destruct (reachable_allowed P s from) as (is & allowed).
  destruct (checked q j s is allowed) as (no_step & nothing). clear checked.
  destruct (left_by_right (by_step q j) (ordered q) (H q j) s in_H) as [rest | ((e, q') & member & sure & goes)].
  - specialize (no_step rest).
    destruct (left_by_right (by_repeat q j) (ordered q) _ s rest) as [still | ((e, q') & member & sure & taken & goes)];
      [contradiction |]. simpl in *.
    exists e, q', None, s. split; [now apply ordered_edges |]. split; [now apply proved_parts |]. split.
    + split; [now apply moving_right | reflexivity].
    + unfold followed in goes. tauto.
  - apply ordered_edges in member. simpl in *. destruct goes as [(is_top & how) | (i & s' & taken & all & goes)]; simpl in *.
    + destruct how as [quiet | able].
      * destruct (next_move state nat (step P) s) as (o & s' & goes). exists e, q', o, s'.
        split; [exact member |]. split; [apply proved_parts; auto using says_nothing_takes |]. split; [exact goes | now left].
      * apply moving_by_right in able. destruct able as (l & s' & taken & goes). exists e, q', (Some l), s'.
        split; [exact member |]. split; [now apply proved_parts |]. split; [exact goes | now left].
    + exists e, q', (Some (label i)), s'. split; [exact member |]. split; [now apply proved_parts |]. split.
      * exists i. auto.
      * right. exact goes.
Qed.

End Some_.

End Claims_.

(** *** Certificates *)

Section Certificate_.

Variable P : program.
Variable claimed : form -> state -> Prop.

(** Lower bounds as the checker has them here. *)
Fixpoint own (f : form) (s : state) : Prop :=
  match f with
  | TT => True
  | Atom b a => atoms state (atom P) b a s
  | And f g => own f s /\ own g s
  | Or f g => own f s \/ own g s
  | E _ | A _ => claimed f s
  | _ => False
  end.

Notation low := (low state (atoms state (atom P)) (fun _ => False) claimed).

Lemma own_low : forall f s, own f s -> low f s.
Proof. induction f; intros s it; simpl in *; right; auto; destruct it; auto. Qed.

(** What is checked of a claim. *)
Inductive by_conditions (s : state) : form -> Prop :=
| all_accepted_ : forall f (aut : automaton (negate f)) marks S_ rank,
    all_by_conditions P own f aut marks S_ rank -> S_ (first _ aut) s -> by_conditions s (A f)
| some_accepted_ : forall f (aut : automaton f) marks (top : loc _ aut -> Prop) H rank ordered,
    (forall q e q', In (e, q') (out _ aut q) -> incl (off e) marks) ->
    (forall q, top q -> exists e q', In (e, q') (out _ aut q) /\ guard e = [] /\ off e = [] /\ top q') ->
    (forall q, incl (ordered q) (out _ aut q)) ->
    some_by_conditions P own f aut marks top H rank ordered -> H (first _ aut) 0 s -> by_conditions s (E f).

Hypothesis all_by : forall f s, claimed f s -> by_conditions s f.

Lemma by_conditions_accepted : forall f s, claimed f s ->
  accepted state nat (step P) about (initial P) (atoms state (atom P)) (fun _ => False) claimed s f.
Proof.
  intros f s it. apply all_by in it. destruct it as [f aut marks S_ rank checked there | f aut marks top H rank ordered
    is_marks is_top edges checked there].
  - apply (accepted_all _ _ _ _ _ _ _ _ _ f aut marks S_ rank); [| exact there].
    pose proof (theorem_4_all P own f aut marks S_ rank checked) as all.
    intros q t e q' o t' from in_S it opens goes. apply (all q t e q' o t' from in_S it); [| exact goes].
    intros g member. specialize (opens g member).
    destruct g; auto; intros is below; apply (opens is); now apply own_low.
  - apply (accepted_some _ _ _ _ _ _ _ _ _ f aut marks top H rank is_marks is_top); [| exact there].
    pose proof (theorem_4_some P own f aut marks top H rank ordered edges checked) as all.
    intros q j t from in_H. destruct (all q j t from in_H) as (e & q' & o & t' & it & sure & goes & cases).
    exists e, q', o, t'. repeat split; auto. intros g member. specialize (sure g member).
    assert (up : is_state g = true /\ own g t -> is_state g = true /\ low g t).
    { intros (is & below). split; [exact is | now apply own_low]. }
    destruct g; auto.
Qed.

(** A verdict [true]: no first state is outside of the lower bound. *)
Theorem theorem_4_true : forall f, is_state f = true -> (forall s, initial P s -> own f s) ->
  forall s, initial P s -> holds P f s.
Proof.
  intros f is all. apply (certificate_true _ _ _ _ _ _ (atoms state (atom P))) with (everywhere := fun _ => False)
    (claimed := claimed); auto using by_conditions_accepted, own_low.
  contradiction.
Qed.

(** A verdict [false]: some first state is in the lower bound of the negation. *)
Theorem theorem_4_false : forall f, is_state f = true -> (exists s, initial P s /\ own (negate f) s) ->
  ~ forall s, initial P s -> holds P f s.
Proof.
  intros f is (s & it & below). apply (certificate_false _ _ _ _ _ _ (atoms state (atom P))) with
    (everywhere := fun _ => False) (claimed := claimed); auto using by_conditions_accepted; [contradiction |].
  exists s. split; [exact it | now apply own_low].
Qed.

End Certificate_.

(** *** What is left out *)

Section Cone.

Variable P : program.

(** The variables that stay. *)
Variable kept : Name -> bool.

Definition agree (s t : state) : Prop := forall v, kept v = true -> s v = t v.

Definition cone : program := {|
  first_value := fun v => if kept v then first_value P v else None;
  next_value := fun v => if kept v then next_value P v else None;
  always_value := fun v => if kept v then always_value P v else None;
  frozen := fun v => if kept v then frozen P v else false;
  init := init P; invar := invar P; trans := trans P |}.

(** What stays speaks of what stays. *)
Hypothesis init_reads : forall s t, agree s t -> init P s -> init P t.
Hypothesis invar_reads : forall s t, agree s t -> invar P s -> invar P t.
Hypothesis trans_reads : forall s t i s' t', agree s t -> agree s' t' -> trans P s i s' -> trans P t i t'.
Hypothesis first_reads : forall v s t, kept v = true -> agree s t -> first_assigned P v s -> first_assigned P v t.
Hypothesis next_reads : forall v s t i s' t', kept v = true -> agree s t -> agree s' t' ->
  next_assigned P v s i s' -> next_assigned P v t i t'.

Definition update (s : state) (v : Name) (x : Value) : state := fun w => if name_dec w v then x else s w.

(** Of each variable that is left out there is a value that it may be assigned, whatever all others are. *)
Hypothesis first_possible : forall v s, kept v = false -> typed s ->
  exists x, domain v x /\ first_assigned P v (update s v x).
Hypothesis next_possible : forall v, kept v = false -> forall s i s', typed s -> typed_inputs i -> typed s' ->
  exists x, domain v x /\ next_assigned P v s i (update s' v x).
(** Frozen variables are assigned at first alone. *)
Hypothesis frozen_alone : forall v, frozen P v = true -> next_value P v = None /\ always_value P v = None.

(** The variables that are left out in orders in which none depends on a later one. *)
Variables first_order next_order : list Name.
Hypothesis first_order_all : forall v, kept v = false <-> In v first_order.
Hypothesis next_order_all : forall v, kept v = false <-> In v next_order.
Hypothesis first_order_right : forall before v after, first_order = before ++ v :: after ->
  forall w s x, In w before -> w <> v -> first_assigned P w s -> first_assigned P w (update s v x).
Hypothesis next_order_right : forall before v after, next_order = before ++ v :: after ->
  forall w s i s' x, In w before -> w <> v -> next_assigned P w s i s' -> next_assigned P w s i (update s' v x).

Lemma agree_sym : forall s t, agree s t -> agree t s.
Proof. intros s t it v is. symmetry. auto. Qed.

Lemma agree_update : forall s v x, kept v = false -> agree s (update s v x).
Proof.
  intros s v x out_ w is. unfold update. destruct (name_dec w v) as [same | _]; [congruence | reflexivity].
Qed.

(** Values for all variables that are left out, one after the other. *)
Lemma fill : forall (C : Name -> state -> Prop) (order : list Name),
  (forall v, kept v = false <-> In v order) ->
  (forall v s t, kept v = true -> agree s t -> C v s -> C v t) ->
  (forall v s, kept v = false -> typed s -> exists x, domain v x /\ C v (update s v x)) ->
  (forall before v after, order = before ++ v :: after ->
    forall w s x, In w before -> w <> v -> C w s -> C w (update s v x)) ->
  forall s, typed s -> (forall v, kept v = true -> C v s) -> exists s', typed s' /\ agree s s' /\ forall v, C v s'.
Proof.
  intros C order all reads possible right_.
  assert (go : forall after before, order = before ++ after -> forall s, typed s ->
    (forall v, kept v = true \/ In v before -> C v s) -> exists s', typed s' /\ agree s s' /\ forall v, C v s').
  { induction after as [| v after IH]; intros before is s ok done_.
    - exists s. split; [exact ok |]. split; [intros w _; reflexivity |]. intro w. apply done_.
      destruct (kept w) eqn:stays; [now left | right]. apply all in stays. now rewrite is, app_nil_r in stays.
    - assert (out_ : kept v = false). { apply all. rewrite is. apply in_or_app. right. now left. }
      destruct (possible v s out_ ok) as (x & fits & here).
      destruct (IH (before ++ [v])) with (s := update s v x) as (s' & ok' & agrees & it).
      + rewrite is. now rewrite <- app_assoc.
      + intro w. unfold update. destruct (name_dec w v) as [same | _]; [subst; exact fits | apply ok].
      + intros w how. destruct (name_dec w v) as [same | differs]; [subst; exact here |].
        destruct how as [stays | member].
        * apply (reads w s); auto. now apply agree_update.
        * apply in_app_or in member. destruct member as [member | [same | []]]; [| congruence].
          apply (right_ before v after is); auto.
      + exists s'. split; [exact ok' |]. split; [| exact it]. intros w stays. rewrite <- (agrees w stays).
        exact (agree_update s v x out_ w stays). }
  intros s ok stays. apply (go order []); auto. intros v [is | []]; auto.
Qed.

Lemma cone_first : forall v s, kept v = true -> (first_assigned cone v s <-> first_assigned P v s).
Proof. intros v s is. unfold first_assigned. simpl. rewrite is. tauto. Qed.

Lemma cone_next : forall v s i s', kept v = true -> (next_demands cone v s i s' <-> next_demands P v s i s').
Proof. intros v s i s' is. unfold next_demands, next_assigned. simpl. rewrite is. tauto. Qed.

Lemma cone_first_out : forall v s, kept v = false -> first_assigned cone v s.
Proof. intros v s is. unfold first_assigned. simpl. rewrite is. exact I. Qed.

Lemma cone_next_out : forall v s i s', kept v = false -> next_demands cone v s i s'.
Proof. intros v s i s' is. unfold next_demands, next_assigned. simpl. rewrite is. split; [discriminate | exact I]. Qed.

Lemma demands_reads : forall v s t i s' t', kept v = true -> agree s t -> agree s' t' ->
  next_demands P v s i s' -> next_demands P v t i t'.
Proof.
  intros v s t i s' t' is agrees agrees' (stays & it). split; [| now apply (next_reads v s t i s' t')].
  intro freeze. rewrite <- (agrees v is), <- (agrees' v is). auto.
Qed.

Lemma demands_possible : forall v, kept v = false -> forall s i s', typed s -> typed_inputs i -> typed s' ->
  exists x, domain v x /\ next_demands P v s i (update s' v x).
Proof.
  intros v is s i s' ok ok_i ok'. unfold next_demands. destruct (frozen P v) eqn:freeze.
  - exists (s v). split; [apply ok |]. split.
    + intros _. unfold update. destruct (name_dec v v); [reflexivity | contradiction].
    + destruct (frozen_alone v freeze) as (none & none'). unfold next_assigned. rewrite none, none'. exact I.
  - destruct (next_possible v is s i s' ok ok_i ok') as (x & fits & it). exists x. split; [exact fits |].
    split; [discriminate | exact it].
Qed.

Lemma initial_of_cone : forall s, initial P s -> initial cone s.
Proof.
  intros s (ok & all & begins & allowed). split; [exact ok |]. split; [| auto].
  intro v. destruct (kept v) eqn:is; [now apply cone_first | now apply cone_first_out].
Qed.

Lemma initial_from_cone : forall t, initial cone t -> exists s, initial P s /\ agree s t.
Proof.
  intros t (ok & all & begins & allowed).
  destruct (fill (first_assigned P) first_order first_order_all first_reads first_possible first_order_right t ok)
    as (s & ok' & agrees & it).
  { intros v is. apply cone_first; auto. }
  exists s. split; [| now apply agree_sym]. split; [exact ok' |]. split; [exact it |].
  split; [now apply (init_reads t) | now apply (invar_reads t)].
Qed.

(** A state of the program and one of the cone with the same part. *)
Definition same_part (s t : state) : Prop := typed s /\ typed t /\ agree s t.

Lemma step_to_cone : forall s t l s', same_part s t -> step P s l s' -> exists t', step cone t l t' /\ same_part s' t'.
Proof.
  intros s t l s' (ok & ok_t & agrees) (i & is & ok_i & ok' & all & goes & allowed).
  assert (self : agree s' s') by (intros v _; reflexivity).
  exists s'. split; [| now split]. exists i. split; [exact is |]. split; [exact ok_i |]. split; [exact ok' |]. split.
  - intro v. destruct (kept v) eqn:stays; [| now apply cone_next_out].
    apply cone_next; [exact stays |]. now apply (demands_reads v s t i s' s').
  - split; [now apply (trans_reads s t i s' s') | exact allowed].
Qed.

Lemma step_from_cone : forall s t l t', same_part s t -> step cone t l t' -> exists s', step P s l s' /\ same_part s' t'.
Proof.
  intros s t l t' (ok & ok_t & agrees) (i & is & ok_i & ok' & all & goes & allowed).
  assert (self : agree t' t') by (intros v _; reflexivity). pose proof (agree_sym _ _ agrees) as agrees_.
  destruct (fill (fun v s' => next_demands P v s i s') next_order next_order_all) with (s := t') as (s' & ok_s & agrees' & it).
  - intros v x y stays agrees_x. apply demands_reads; [exact stays | intros w _; reflexivity | exact agrees_x].
  - intros v x out_ ok_x. apply demands_possible; auto.
  - intros before v after is_order w x y member differs (freeze & it). split.
    + intro freezes. unfold update. destruct (name_dec w v); [contradiction | auto].
    + now apply (next_order_right before v after is_order).
  - exact ok'.
  - intros v stays. apply (demands_reads v t s i t' t'); auto. now apply cone_next.
  - exists s'. split.
    + exists i. split; [exact is |]. split; [exact ok_i |]. split; [exact ok_s |]. split; [exact it |].
      split; [now apply (trans_reads t s i t' s') | now apply (invar_reads t')].
    + split; [exact ok_s |]. split; [exact ok' |]. now apply agree_sym.
Qed.

(** What a formula asks of states speaks of what stays. *)
Definition of_part (a : nat) : Prop :=
  match kinds a with
  | Compare condition => forall s t, agree s t -> condition s -> condition t
  | _ => True
  end.

Lemma atoms_of_part : forall a s t, of_part a -> same_part s t -> (atom P a s <-> atom cone a t).
Proof.
  intros a s t is it. pose proof it as (ok & ok_t & agrees). unfold of_part in is. unfold atom.
  destruct (kinds a) as [| labels | condition].
  - rewrite <- !moving_right. apply (same_deadlock state state nat (step P) (step cone) same_part); auto.
    + intros x y l x'. apply step_to_cone.
    + intros x y l y'. apply step_from_cone.
  - rewrite !moving_by_right. split; intros (l & s' & among & goes).
    + destruct (step_to_cone s t l s' it goes) as (t' & goes' & _). eauto.
    + destruct (step_from_cone s t l s' it goes) as (t' & goes' & _). eauto.
  - split; apply is; auto using agree_sym.
Qed.

Theorem cone_right : forall f, is_state f = true -> speaks of_part f ->
  ((forall s, initial P s -> holds P f s) <-> (forall t, initial cone t -> holds cone f t)).
Proof.
  intros f is of.
  assert (same : forall s t, same_part s t -> (holds P f s <-> holds cone f t)).
  { apply (same_holds state state nat (step P) (step cone) (atom P) (atom cone) about same_part of_part); auto.
    - intros a s t. apply atoms_of_part.
    - intros s t l s'. apply step_to_cone.
    - intros s t l t'. apply step_from_cone. }
  split.
  - intros all t it. destruct (initial_from_cone t it) as (s & begins & agrees).
    apply (same s t); [| now apply all]. split; [exact (proj1 begins) |]. split; [exact (proj1 it) | exact agrees].
  - intros all s it. apply (same s s); [| apply all; now apply initial_of_cone].
    split; [exact (proj1 it) |]. split; [exact (proj1 it) |]. intros v _. reflexivity.
Qed.

(** Theorem 4, of a program of which variables are left out. *)
Section Verdict.

Variable claimed : form -> state -> Prop.
Hypothesis all_by : forall f s, claimed f s -> by_conditions cone claimed s f.

Theorem theorem_4_cone : forall f, is_state f = true -> speaks of_part f ->
  ((forall s, initial cone s -> own cone claimed f s) -> forall s, initial P s -> holds P f s) /\
  ((exists s, initial cone s /\ own cone claimed (negate f) s) -> ~ forall s, initial P s -> holds P f s).
Proof.
  intros f is of. split.
  - intro all. apply cone_right; auto. now apply (theorem_4_true cone claimed all_by).
  - intros some all. apply (theorem_4_false cone claimed all_by f is some). now apply cone_right.
Qed.

End Verdict.

End Cone.

End Programs.
