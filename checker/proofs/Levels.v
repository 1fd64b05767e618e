(** Diagrams on some of the places (docs/certificates.md): what is checked of values on the levels holds of the states that
    they stand for. *)

Require Import Arith Lia List.
From Starset Require Import Semantics Automaton Claims.
Import ListNotations.

Section Levels.

Variables State Step View : Type.
Variable steps : State -> Step -> State -> Prop.
Variable about : nat -> option Step -> Prop.
Variable initial : State -> Prop.
Variable low : form -> State -> Prop.

Notation move := (move State Step steps).
Notation reachable := (reachable State Step steps initial).

(** What the levels show of a state. *)
Variable view : State -> View.

(** Lower bounds as far as the levels tell. *)
Variable low_view : form -> View -> Prop.
Hypothesis low_view_right : forall f s, reachable s -> low_view f (view s) -> low f s.

(** Steps that count as possible: all that are, and perhaps more. *)
Variable may : View -> option Step -> View -> Prop.
Hypothesis may_right : forall s o s', reachable s -> move s o s' -> may (view s) o (view s').

(** Steps that are possible for sure, in each state that shows the same. *)
Variable must : View -> option Step -> View -> Prop.
Hypothesis must_right : forall s o v, reachable s -> must (view s) o v -> exists s', move s o s' /\ view s' = v.

Section All.

Variable f : form.
Variable aut : automaton (negate f).
Variable marks : list form.
Variable P : loc _ aut -> View -> Prop.
Variable rank : loc _ aut -> View -> nat.

Definition open_view (e : edge) (v : View) (o : option Step) : Prop :=
  forall g, In g (guard e) ->
    match g with
    | Letter b a => abouts Step about b a o
    | _ => is_state g = true -> ~ low_view (negate g) v
    end.

Theorem all_on_levels :
  (forall q v e q' o v', P q v -> In (e, q') (out _ aut q) -> open_view e v o -> may v o v' ->
    P q' v' /\
    (rank q' v' < rank q v \/
     (rank q' v' = rank q v /\ exists mark, nth_error marks (class marks (rank q v)) = Some mark /\ In mark (off e)))) ->
  all_checked State Step steps about initial low f aut marks (fun q s => P q (view s)) (fun q s => rank q (view s)).
Proof.
  intros checked q s e q' o s' from in_P it opens goes.
  apply (checked q (view s) e q' o (view s') in_P it); [| now apply may_right].
  intros g member. specialize (opens g member).
  assert (unknown : (is_state g = true -> ~ low (negate g) s) -> is_state g = true -> ~ low_view (negate g) (view s)).
  { intros no is yes. apply (no is). now apply low_view_right. }
  destruct g; auto.
Qed.

End All.

Section Some_.

Variable f : form.
Variable aut : automaton f.
Variable marks : list form.
Variable top : loc _ aut -> Prop.
Variable H : loc _ aut -> nat -> View -> Prop.
Variable rank : loc _ aut -> nat -> View -> nat.

Definition proved_view (e : edge) (v : View) (o : option Step) : Prop :=
  forall g, In g (guard e) ->
    match g with
    | Letter b a => abouts Step about b a o
    | _ => is_state g = true /\ low_view g v
    end.

Theorem some_on_levels :
  (forall q j v, H q j v ->
    exists e q' o v', In (e, q') (out _ aut q) /\ proved_view e v o /\ must v o v' /\
      (top q' \/ (marked marks j e /\ H q' (turn marks j) v') \/
       (~ marked marks j e /\ H q' j v' /\ rank q' j v' < rank q j v))) ->
  some_checked State Step steps about initial low f aut marks top
    (fun q j s => H q j (view s)) (fun q j s => rank q j (view s)).
Proof.
  intros checked q j s from in_H. destruct (checked q j (view s) in_H) as (e & q' & o & v' & it & sure & goes & cases).
  destruct (must_right s o v' from goes) as (s' & move_ & same). subst v'.
  exists e, q', o, s'. repeat split; auto.
  intros g member. specialize (sure g member).
  assert (known : is_state g = true /\ low_view g (view s) -> is_state g = true /\ low g s).
  { intros (is & below). split; [exact is | now apply low_view_right]. }
  destruct g; auto.
Qed.

End Some_.

End Levels.
