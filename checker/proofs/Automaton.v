(** The automaton of a path formula (docs/certificates.md, "The automaton of a path formula"): its edges, and Lemmas 1
    and 2. Both are also proved of automata whose edges and locations are fewer, because worse edges are left out and
    equal locations are one. *)

Require Import Arith Lia List.
Require Import ClassicalEpsilon.
From Starset Require Import Semantics.
Import ListNotations.

(** An edge. A mark for each operator U is on it unless that formula is in [off]. *)
Record edge : Type := {
  guard : list form;
  next : list form;
  off : list form }.

Definition nothing : edge := {| guard := []; next := []; off := [] |}.
Definition guarded (f : form) (e : edge) := {| guard := f :: guard e; next := next e; off := off e |}.
Definition later (f : form) (e : edge) := {| guard := guard e; next := f :: next e; off := off e |}.
Definition put_off (f : form) (e : edge) := {| guard := guard e; next := f :: next e; off := f :: off e |}.

(** Letters: state formulas, and what is asked about a step. *)
Definition is_letter (f : form) : bool :=
  match f with
  | Letter _ _ => true
  | _ => is_state f
  end.

Definition is_seen (f : form) (seen : list form) : bool := if in_dec form_dec f seen then true else false.

Lemma is_seen_true : forall f seen, is_seen f seen = true <-> In f seen.
Proof. intros f seen. unfold is_seen. destruct (in_dec form_dec f seen); split; auto; discriminate. Qed.

(** The ways to satisfy the formulas of [todo] now, each of them taken once. *)
Fixpoint ways (fuel : nat) (todo seen : list form) (e : edge) : list edge :=
  match fuel, todo with
  | 0, _ => []
  | S _, [] => [e]
  | S fuel, f :: rest =>
    if is_seen f seen then ways fuel rest seen e
    else
      let seen := f :: seen in
      match f with
      | TT => ways fuel rest seen e
      | FF => []
      | _ =>
        if is_letter f then ways fuel rest seen (guarded f e)
        else
          match f with
          | And a b => ways fuel (a :: b :: rest) seen e
          | Or a b => ways fuel (a :: rest) seen e ++ ways fuel (b :: rest) seen e
          | X a => ways fuel rest seen (later a e)
          | U a b => ways fuel (b :: rest) seen e ++ ways fuel (a :: rest) seen (put_off f e)
          | R a b => ways fuel (a :: b :: rest) seen e ++ ways fuel (b :: rest) seen (later f e)
          | _ => []
          end
      end
  end.

Fixpoint total (l : list form) : nat :=
  match l with
  | [] => 0
  | f :: l => size f + total l
  end.

(** The edges of a location. *)
Definition edges (q : list form) : list edge := ways (S (total q)) q [] nothing.

(** A formula that is taken is reduced to others that are taken, or go to the guard or the next location. *)
Definition reduced (taken : list form) (e : edge) (f : form) : Prop :=
  if is_letter f then f = TT \/ In f (guard e)
  else
    match f with
    | And a b => In a taken /\ In b taken
    | Or a b => In a taken \/ In b taken
    | X a => In a (next e)
    | U a b => In b taken \/ (In a taken /\ In f (next e) /\ In f (off e))
    | R a b => In b taken /\ (In a taken \/ In f (next e))
    | _ => False
    end.

(** The edge is a way to satisfy all formulas of [q]: [taken] says which are taken. *)
Definition is_way (q : list form) (e : edge) : Prop :=
  exists taken, incl q taken /\ forall f, In f taken -> reduced taken e f.

Lemma reduced_more : forall taken taken' e e' f,
  incl taken taken' -> incl (guard e) (guard e') -> incl (next e) (next e') -> incl (off e) (off e') ->
  reduced taken e f -> reduced taken' e' f.
Proof.
  intros taken taken' e e' f more guards nexts offs. unfold reduced.
  destruct (is_letter f); [intuition auto |]. destruct f; intuition auto.
Qed.

Lemma incl_skip : forall (f : form) l, incl l (f :: l).
Proof. intros f l g it. now right. Qed.

(** What is taken so far is reduced, up to what is still to be done. *)
Lemma ways_reduced : forall fuel todo seen e0 e,
  (forall f, In f seen -> reduced (seen ++ todo) e0 f) ->
  In e (ways fuel todo seen e0) ->
  exists taken, incl (seen ++ todo) taken /\ forall f, In f taken -> reduced taken e f.
Proof.
  induction fuel as [| fuel IH]; intros todo seen e0 e ok it; simpl in it; [contradiction |].
  destruct todo as [| f rest].
  { destruct it as [same | none]; [| contradiction]. subst e0.
    exists seen. rewrite app_nil_r in *. split; [apply incl_refl | assumption]. }
  (* What follows from the induction hypothesis once f is seen and reduced to [more] and [e1]. *)
  assert (go : forall more e1,
    incl (guard e0) (guard e1) -> incl (next e0) (next e1) -> incl (off e0) (off e1) ->
    reduced ((f :: seen) ++ more ++ rest) e1 f ->
    In e (ways fuel (more ++ rest) (f :: seen) e1) ->
    exists taken, incl (seen ++ f :: rest) taken /\ forall g, In g taken -> reduced taken e g).
  { intros more e1 guards nexts offs red here.
    destruct (IH (more ++ rest) (f :: seen) e1 e) as (taken & included & all).
    - intros g [same | old].
      + subst g. exact red.
      + eapply reduced_more; [| exact guards | exact nexts | exact offs | apply ok; exact old].
        intros h there. apply in_app_or in there. simpl. rewrite in_app_iff, in_app_iff.
        destruct there as [there | [there | there]]; auto.
    - exact here.
    - exists taken. split; [| exact all].
      intros h there. apply included. apply in_app_or in there. simpl. rewrite in_app_iff, in_app_iff.
      destruct there as [there | [there | there]]; auto. }
  destruct (is_seen f seen) eqn:old.
  { apply is_seen_true in old. destruct (IH rest seen e0 e) as (taken & included & all).
    - intros g there. eapply reduced_more; [| apply incl_refl | apply incl_refl | apply incl_refl | apply ok; exact there].
      intros h. rewrite !in_app_iff. intros [one | [two | three]]; subst; auto.
    - exact it.
    - exists taken. split; [| exact all]. intros h there. apply included. rewrite in_app_iff in *.
      destruct there as [there | [there | there]]; subst; auto. }
  assert (letters : is_letter f = true -> f <> TT -> f <> FF ->
    In e (ways fuel rest (f :: seen) (guarded f e0)) ->
    exists taken, incl (seen ++ f :: rest) taken /\ forall g, In g taken -> reduced taken e g).
  { intros is _ _ here. apply (go [] (guarded f e0)); simpl; auto using incl_refl, incl_skip.
    unfold reduced. rewrite is. right. now left. }
  destruct f; simpl in it;
    try (destruct (is_state f1 && is_state f2)%bool eqn:state;
         [apply letters; auto; discriminate |]);
    try (apply letters; auto; discriminate).
  - apply (go [] e0); simpl; auto using incl_refl. unfold reduced. simpl. now left.
  - contradiction.
  - apply (go [f1; f2] e0); simpl; auto using incl_refl. unfold reduced. simpl. rewrite state.
    split; rewrite in_app_iff; simpl; auto.
  - apply in_app_or in it. destruct it as [it | it].
    + apply (go [f1] e0); simpl; auto using incl_refl. unfold reduced. simpl. rewrite state.
      left. rewrite in_app_iff. simpl. auto.
    + apply (go [f2] e0); simpl; auto using incl_refl. unfold reduced. simpl. rewrite state.
      right. rewrite in_app_iff. simpl. auto.
  - apply (go [] (later f e0)); simpl; auto using incl_refl, incl_skip. unfold reduced. simpl. now left.
  - apply in_app_or in it. destruct it as [it | it].
    + apply (go [f2] e0); simpl; auto using incl_refl. unfold reduced. simpl.
      left. rewrite in_app_iff. simpl. auto.
    + apply (go [f1] (put_off (U f1 f2) e0)); simpl; auto using incl_refl, incl_skip. unfold reduced. simpl.
      right. rewrite in_app_iff. simpl. intuition auto.
  - apply in_app_or in it. destruct it as [it | it].
    + apply (go [f1; f2] e0); simpl; auto using incl_refl. unfold reduced. simpl.
      rewrite !in_app_iff. simpl. intuition auto.
    + apply (go [f2] (later (R f1 f2) e0)); simpl; auto using incl_refl, incl_skip. unfold reduced. simpl.
      rewrite !in_app_iff. simpl. intuition auto.
Qed.

Lemma edges_are_ways : forall q e, In e (edges q) -> is_way q e.
Proof.
  intros q e it. apply (ways_reduced _ q [] nothing e) in it; [exact it |]. simpl. tauto.
Qed.

Section Runs.

Variables State Step : Type.
Variable steps : State -> Step -> State -> Prop.
Variable atom : nat -> State -> Prop.
Variable about : nat -> option Step -> Prop.

Notation path := (path State Step steps).
Notation sat := (sat State Step steps atom about).

Lemma until_unfolds : forall a b p n, sat (U a b) p n <-> sat b p n \/ (sat a p n /\ sat (U a b) p (S n)).
Proof.
  intros a b p n. simpl. split.
  - intros (k & le & here & before). destruct (Nat.eq_dec k n) as [same | differs]; [subst; now left |].
    right. split; [apply before; lia |]. exists k. split; [lia |]. split; [assumption |].
    intros m between. apply before. lia.
  - intros [here | (now_ & k & le & here & before)].
    + exists n. repeat split; auto. intros m between. lia.
    + exists k. split; [lia |]. split; [assumption |]. intros m between.
      destruct (Nat.eq_dec m n) as [same | differs]; [now subst |]. apply before. lia.
Qed.

Lemma release_unfolds : forall a b p n, sat (R a b) p n <-> sat b p n /\ (sat a p n \/ sat (R a b) p (S n)).
Proof.
  intros a b p n. simpl. split.
  - intro all. split.
    + destruct (all n) as [here | (m & between & _)]; auto. lia.
    + destruct (classic (sat a p n)) as [here | not]; [now left |]. right. intros k le.
      destruct (all k) as [here | (m & between & it)]; [lia | now left |]. right. exists m. split; [| assumption].
      destruct (Nat.eq_dec m n) as [same | differs]; [subst; contradiction | lia].
  - intros (here & or) k le. destruct (Nat.eq_dec k n) as [same | differs]; [subst; now left |].
    destruct or as [now_ | all].
    + right. exists n. split; [lia | assumption].
    + destruct (all k) as [there | (m & between & it)]; [lia | now left |]. right. exists m. split; [lia | assumption].
Qed.

(** An automaton: numbers or sets as locations, and edges between them. *)
Variable loc : Type.
Variable out : loc -> list (edge * loc).

(** A run along a path, from its first position. *)
Record run (p : path) (from : loc) : Type := {
  where_ : nat -> loc;
  along : nat -> edge;
  begins : where_ 0 = from;
  follows : forall n, In (along n, where_ (S n)) (out (where_ n));
  guards : forall n f, In f (guard (along n)) -> sat f p n }.

(** Each mark occurs infinitely often. *)
Definition accepting {p from} (r : run p from) : Prop :=
  forall f n, exists m, n <= m /\ ~ In f (off (along p from r m)).

(** *** Lemma 1 *)

(** [stands q l]: what is accepted from location q satisfies the formulas l. An edge of the automaton is a way to satisfy
    them, perhaps one that asks for more. *)
Definition is_sound (stands : loc -> list form -> Prop) : Prop :=
  forall q l e q', stands q l -> In (e, q') (out q) ->
    exists e', is_way l e' /\ incl (guard e') (guard e) /\ incl (off e') (off e) /\ stands q' (next e').

Section Sound.

Variable stands : loc -> list form -> Prop.
Hypothesis sound : is_sound stands.

Variables (p : path) (from : loc) (r : run p from).
Hypothesis accepts : accepting r.
Variable wanted : list form.
Hypothesis stands_first : stands from wanted.

(** The formulas that location n stands for, with the way that is taken there. *)
Definition entry (n : nat) : Type := { l : list form | stands (where_ p from r n) l }.

Definition advance (n : nat) (x : entry n) :
  { e | is_way (proj1_sig x) e /\ incl (guard e) (guard (along p from r n)) /\
        incl (off e) (off (along p from r n)) /\ stands (where_ p from r (S n)) (next e) }.
Proof.
  destruct x as (l & it). simpl. apply constructive_indefinite_description.
  exact (sound _ _ _ _ it (follows p from r n)).
Defined.

Definition first_entry : entry 0.
Proof. exists wanted. rewrite (begins p from r). exact stands_first. Defined.

Fixpoint entries (n : nat) : entry n :=
  match n with
  | 0 => first_entry
  | S n => exist _ (next (proj1_sig (advance n (entries n)))) (proj2 (proj2 (proj2 (proj2_sig (advance n (entries n))))))
  end.

Definition taken_edge (n : nat) : edge := proj1_sig (advance n (entries n)).

Definition taken (n : nat) :
  { t | incl (proj1_sig (entries n)) t /\ forall f, In f t -> reduced t (taken_edge n) f }.
Proof.
  apply constructive_indefinite_description. exact (proj1 (proj2_sig (advance n (entries n)))).
Defined.

Notation T n := (proj1_sig (taken n)).

Lemma taken_reduced : forall n f, In f (T n) -> reduced (T n) (taken_edge n) f.
Proof. intros n. exact (proj2 (proj2_sig (taken n))). Qed.

Lemma taken_next : forall n f, In f (next (taken_edge n)) -> In f (T (S n)).
Proof. intros n f it. apply (proj1 (proj2_sig (taken (S n)))). exact it. Qed.

Lemma taken_guard : forall n f, In f (guard (taken_edge n)) -> sat f p n.
Proof.
  intros n f it. apply (guards p from r n). exact (proj1 (proj2 (proj2_sig (advance n (entries n)))) f it).
Qed.

Lemma taken_off : forall n f, In f (off (taken_edge n)) -> In f (off (along p from r n)).
Proof.
  intros n f it. exact (proj1 (proj2 (proj2 (proj2_sig (advance n (entries n))))) f it).
Qed.

Lemma taken_sat : forall f n, In f (T n) -> sat f p n.
Proof.
  assert (letter : forall f n, is_letter f = true -> In f (T n) -> sat f p n).
  { intros f n is it. apply taken_reduced in it. unfold reduced in it. rewrite is in it.
    destruct it as [same | it]; [subst; exact I | now apply taken_guard]. }
  induction f; intros n it;
    match goal with it : In ?g _ |- _ => destruct (is_letter g) eqn:is; [now apply letter |] end;
    try discriminate; pose proof (taken_reduced _ _ it) as red; unfold reduced in red; rewrite is in red.
  - destruct red. split; auto.
  - destruct red; [left | right]; auto.
  - apply IHf. now apply taken_next.
  - (* U *)
    destruct (accepts (U f1 f2) n) as (m & le & on).
    remember (m - n) as d eqn:distance. revert n distance it red le.
    induction d as [| d IH]; intros n distance it red le; apply until_unfolds.
    + destruct red as [here | (_ & _ & is_off)]; [now left; auto |].
      exfalso. apply on. replace m with n by lia. now apply taken_off.
    + destruct red as [here | (here & there & _)]; [now left; auto |]. right. split; [auto |].
      apply taken_next in there. apply IH; auto; try lia.
      pose proof (taken_reduced _ _ there) as red. unfold reduced in red. rewrite is in red. exact red.
  - (* R *)
    intros k le. remember (k - n) as d eqn:distance. revert n distance it red le.
    induction d as [| d IH]; intros n distance it red le.
    + left. replace k with n by lia. apply IHf2. tauto.
    + destruct red as (here & [now_ | there]).
      * right. exists n. split; [lia | auto].
      * apply taken_next in there. pose proof (taken_reduced _ _ there) as red. unfold reduced in red.
        rewrite is in red. destruct (IH (S n)) as [at_k | (m & between & before)]; auto; try lia.
        right. exists m. split; [lia | assumption].
Qed.

End Sound.

(** Lemma 1: if a run from a location along a path is accepting, the path satisfies the formulas of the location. *)
Theorem lemma_1 : forall stands, is_sound stands -> forall p from (r : run p from), accepting r ->
  forall l, stands from l -> forall f, In f l -> sat f p 0.
Proof.
  intros stands sound p from r accepts l it f member.
  apply (taken_sat stands sound p from r accepts l it f 0).
  apply (proj1 (proj2_sig (taken stands sound p from r l it 0))). exact member.
Qed.

(** *** Lemma 2 *)

(** A way that follows what is true on the path: it puts off only what is true and not fulfilled now. *)
Definition follows_truth (p : path) (n : nat) (e : edge) : Prop :=
  (forall f, In f (guard e) -> sat f p n) /\
  (forall f, In f (next e) -> sat f p (S n)) /\
  (forall f, In f (off e) -> exists a b, f = U a b /\ sat f p n /\ ~ sat b p n).

Lemma ways_true : forall p n fuel todo seen e0,
  total todo < fuel -> (forall f, In f todo -> sat f p n) -> follows_truth p n e0 ->
  exists e, In e (ways fuel todo seen e0) /\ follows_truth p n e.
Proof.
  intros p n. induction fuel as [| fuel IH]; intros todo seen e0 enough all true_; [lia |].
  destruct todo as [| f rest]; simpl; [eauto |]. simpl in enough.
  assert (here : sat f p n) by (apply all; now left).
  assert (others : forall g, In g rest -> sat g p n) by (intros; apply all; now right).
  assert (positive : 1 <= size f) by (destruct f; simpl; lia).
  destruct (is_seen f seen); [apply IH; auto; lia |].
  assert (letters : exists e, In e (ways fuel rest (f :: seen) (guarded f e0)) /\ follows_truth p n e).
  { apply IH; auto; try lia. destruct true_ as (one & two & three). repeat split; simpl; auto.
    intros g [same | old]; [now subst | auto]. }
  assert (postponed : forall g, sat g p (S n) -> follows_truth p n (later g e0)).
  { intros g there. destruct true_ as (one & two & three). repeat split; simpl; auto.
    intros h [same | old]; [now subst | auto]. }
  destruct f; simpl in enough; try exact letters;
    try (simpl is_letter; destruct (is_state f1 && is_state f2)%bool; [exact letters |]);
    try (simpl is_letter; cbv iota).
  - apply IH; auto; lia.
  - contradiction.
  - apply IH; simpl; auto; try lia. destruct here. intros g [same | [same | old]]; subst; auto.
  - destruct here as [here | here].
    + destruct (IH (f1 :: rest) (Or f1 f2 :: seen) e0) as (e & it & ok); simpl; auto; try lia.
      * intros g [same | old]; subst; auto.
      * exists e. split; [apply in_or_app; now left | exact ok].
    + destruct (IH (f2 :: rest) (Or f1 f2 :: seen) e0) as (e & it & ok); simpl; auto; try lia.
      * intros g [same | old]; subst; auto.
      * exists e. split; [apply in_or_app; now right | exact ok].
  - apply IH; auto; lia.
  - destruct (classic (sat f2 p n)) as [now_ | not].
    + destruct (IH (f2 :: rest) (U f1 f2 :: seen) e0) as (e & it & ok); simpl; auto; try lia.
      * intros g [same | old]; subst; auto.
      * exists e. split; [apply in_or_app; now left | exact ok].
    + pose proof here as unfolded. apply until_unfolds in unfolded. destruct unfolded as [| (now_ & then_)]; [contradiction |].
      destruct (IH (f1 :: rest) (U f1 f2 :: seen) (put_off (U f1 f2) e0)) as (e & it & ok); simpl; auto; try lia.
      * intros g [same | old]; subst; auto.
      * destruct true_ as (one & two & three). split; [exact one |]. split; cbn [next off put_off].
        -- intros g [same | old]; [now subst | auto].
        -- intros g [same | old]; [subst; eauto 6 | auto].
      * exists e. split; [apply in_or_app; now right | exact ok].
  - pose proof here as unfolded. apply release_unfolds in unfolded. destruct unfolded as (now_ & [also | then_]).
    + destruct (IH (f1 :: f2 :: rest) (R f1 f2 :: seen) e0) as (e & it & ok); simpl; auto; try lia.
      * intros g [same | [same | old]]; subst; auto.
      * exists e. split; [apply in_or_app; now left | exact ok].
    + destruct (IH (f2 :: rest) (R f1 f2 :: seen) (later (R f1 f2) e0)) as (e & it & ok); simpl; auto; try lia.
      * intros g [same | old]; subst; auto.
      * exists e. split; [apply in_or_app; now right | exact ok].
Qed.

Lemma edges_true : forall p n q, (forall f, In f q -> sat f p n) -> exists e, In e (edges q) /\ follows_truth p n e.
Proof.
  intros p n q all. apply ways_true; auto. repeat split; simpl; tauto.
Qed.

(** [covers q l]: what satisfies the formulas l is accepted from location q. For each edge of l the automaton has one that
    asks for no more and has all its marks. *)
Definition is_complete (covers : loc -> list form -> Prop) : Prop :=
  forall q l e, covers q l -> In e (edges l) ->
    exists e' q' l', In (e', q') (out q) /\ incl (guard e') (guard e) /\ incl (off e') (off e) /\
      covers q' l' /\ incl l' (next e).

Section Complete.

Variable covers : loc -> list form -> Prop.
Hypothesis complete : is_complete covers.
Variables (p : path).

Definition place (n : nat) : Type := { ql : loc * list form | covers (fst ql) (snd ql) /\ forall f, In f (snd ql) -> sat f p n }.

Definition better (n : nat) (x : place n) :
  { y : edge * (loc * list form) |
    In (fst y, fst (snd y)) (out (fst (proj1_sig x))) /\
    (forall f, In f (guard (fst y)) -> sat f p n) /\
    (forall f, In f (off (fst y)) -> exists a b, f = U a b /\ sat f p n /\ ~ sat b p n) /\
    covers (fst (snd y)) (snd (snd y)) /\ forall f, In f (snd (snd y)) -> sat f p (S n) }.
Proof.
  apply constructive_indefinite_description. destruct x as ((q, l) & it & all). simpl in *.
  destruct (edges_true p n l all) as (e & member & guards_ & nexts & offs).
  destruct (complete q l e it member) as (e' & q' & l' & there & fewer & less & covered & included).
  exists (e', (q', l')). simpl. repeat split; auto.
Defined.

Fixpoint places (x : place 0) (n : nat) : place n :=
  match n with
  | 0 => x
  | S n => let y := better n (places x n) in
           exist _ (snd (proj1_sig y)) (proj2 (proj2 (proj2 (proj2_sig y))))
  end.

Definition run_of (x : place 0) : run p (fst (proj1_sig x)).
Proof.
  refine {| where_ := fun n => fst (proj1_sig (places x n)); along := fun n => fst (proj1_sig (better n (places x n))) |}.
  - reflexivity.
  - intro n. exact (proj1 (proj2_sig (better n (places x n)))).
  - intros n. exact (proj1 (proj2 (proj2_sig (better n (places x n))))).
Defined.

Lemma run_of_accepts : forall x, accepting (run_of x).
Proof.
  intros x f n. apply NNPP. intro never.
  assert (always : forall m, n <= m -> In f (off (along p _ (run_of x) m))).
  { intros m le. apply NNPP. intro not. apply never. eauto. }
  assert (unmet : forall m, n <= m -> exists a b, f = U a b /\ sat f p m /\ ~ sat b p m).
  { intros m le. apply (proj1 (proj2 (proj2 (proj2_sig (better m (places x m)))))). exact (always m le). }
  destruct (unmet n (le_n n)) as (a & b & is & true_ & _). subst f. destruct true_ as (k & le & here & _).
  destruct (unmet k le) as (a' & b' & same & _ & not). injection same as same_a same_b. subst. contradiction.
Qed.

End Complete.

(** Lemma 2: if a path satisfies the formulas of a location, some run from it along the path is accepting. *)
Theorem lemma_2 : forall covers, is_complete covers -> forall p q l, covers q l -> (forall f, In f l -> sat f p 0) ->
  exists r : run p q, accepting r.
Proof.
  intros covers complete p q l it all.
  exists (run_of covers complete p (exist _ (q, l) (conj it all))). apply run_of_accepts.
Qed.

End Runs.

(** The automaton itself has sets as locations, and all edges. *)
Definition all_edges (q : list form) : list (edge * list form) := map (fun e => (e, next e)) (edges q).

Lemma all_edges_sound : is_sound (list form) all_edges eq.
Proof.
  intros q l e q' same it. subst l. apply in_map_iff in it. destruct it as (e' & same & member).
  injection same as same_e same_q. subst. exists e. repeat split; auto using incl_refl. now apply edges_are_ways.
Qed.

Lemma all_edges_complete : is_complete (list form) all_edges eq.
Proof.
  intros q l e same it. subst l. exists e, (next e), (next e). repeat split; auto using incl_refl.
  apply in_map_iff. eauto.
Qed.

(** Guards and marks are small: no formula of a guard is larger than those of the location. *)
Definition bounded (n : nat) (e : edge) : Prop :=
  (forall f, In f (guard e) -> size f <= n) /\ (forall f, In f (next e) -> size f <= n).

Lemma ways_bounded : forall n fuel todo seen e0 e,
  (forall f, In f todo -> size f <= n) -> bounded n e0 -> In e (ways fuel todo seen e0) -> bounded n e.
Proof.
  intros n. induction fuel as [| fuel IH]; intros todo seen e0 e small (guards & nexts) it; simpl in it; [contradiction |].
  destruct todo as [| f rest].
  { destruct it as [same | none]; [| contradiction]. subst. split; assumption. }
  assert (here : size f <= n) by (apply small; now left).
  assert (others : forall g, In g rest -> size g <= n) by (intros; apply small; now right).
  assert (keep : bounded n e0) by (split; assumption).
  assert (letter : bounded n (guarded f e0)).
  { split; simpl; auto. intros g [same | old]; [now subst | auto]. }
  assert (postponed : forall g e1, bounded n e1 -> size g <= n -> bounded n (later g e1)).
  { intros g e1 (one & two) fits. split; simpl; auto. intros h [same | old]; [now subst | auto]. }
  assert (off_too : bounded n (put_off f e0)).
  { split; simpl; auto. intros g [same | old]; [now subst | auto]. }
  assert (one : forall g more, size g <= n -> (forall h, In h more -> size h <= n) ->
    forall h, In h (g :: more) -> size h <= n).
  { intros g more fits all h [same | old]; [now subst | auto]. }
  destruct (is_seen f seen); [now apply IH in it |].
  destruct f; simpl in here; simpl in it; try contradiction;
    try (destruct (is_state f1 && is_state f2)%bool); try (now apply IH in it);
    try (apply in_app_or in it; destruct it as [it | it]);
    (apply IH in it;
     [exact it | | try assumption; try (apply postponed; [assumption | simpl; lia]); try (apply postponed; [assumption | lia])];
     repeat (first [assumption | apply one; [lia |]])).
Qed.

Lemma edges_bounded : forall n q e, (forall f, In f q -> size f <= n) -> In e (edges q) -> bounded n e.
Proof. intros n q e small it. eapply ways_bounded; [exact small | | exact it]. split; simpl; tauto. Qed.
