(* Reads problems as numbers, and prints for each whether the reference checker accepts it. reference.py writes them. *)
open Reference

let number () = Scanf.scanf " %d" Fun.id
let many read = List.init (number ()) (fun _ -> read ())
let truth () = number () <> 0

let rec formula () =
  match number () with
  | 0 -> TT
  | 1 -> FF
  | 2 -> let positive = truth () in Atom (positive, number ())
  | 3 -> let positive = truth () in Letter (positive, number ())
  | 4 -> let f = formula () in And (f, formula ())
  | 5 -> let f = formula () in Or (f, formula ())
  | 6 -> X (formula ())
  | 7 -> let f = formula () in U (f, formula ())
  | 8 -> let f = formula () in R (f, formula ())
  | 9 -> E (formula ())
  | 10 -> A (formula ())
  | n -> failwith (Printf.sprintf "no formula begins with %d" n)

let pair () = let a = number () in (a, number ())
let formulas () = many formula

let automaton () =
  let sets = many (fun () -> many formulas) in
  let edge () =
    let guard = formulas () in
    let off = formulas () in
    ({ guard; next = []; off }, number ()) in
  { sets; outs = many (fun () -> many edge) }

let step () = match number () with -1 -> None | t -> Some t

let proof () =
  match number () with
  | 0 ->
    let given = automaton () in
    let marks = formulas () in
    ByAll (given, marks, many (fun () -> many pair))
  | 1 ->
    let given = automaton () in
    let marks = formulas () in
    let tops = many number in
    BySome (given, marks, tops, many (fun () -> many (fun () -> many pair)))
  | _ ->
    let positions = many (fun () -> let s = number () in (s, step ())) in
    ByRun (positions, match number () with -1 -> Anything | back -> Loop back)

let claim () =
  let f = formula () in
  let states = many number in
  (f, (states, proof ()))

(* Of any length. *)
let z () =
  let text = Scanf.scanf " %s" Fun.id in
  let digit c = Z.of_nat (Char.code c - Char.code '0') in
  let add total c = if c = '-' then total else Z.add (Z.mul total (Z.of_nat 10)) (digit c) in
  let absolute = String.fold_left add (Z.of_nat 0) text in
  if text.[0] = '-' then Z.opp absolute else absolute

let factors () = many (fun () -> let p = number () in (p, z ()))
let row () = let factors = factors () in { factors; bound = z () }

let touch () =
  let p = number () in
  let least = z () in
  let most = match many z with [] -> None | most :: _ -> Some most in
  (p, ((least, most), z ()))
let touches () = many touch

let operator () =
  match number () with
  | 0 -> Equal | 1 -> Unequal | 2 -> Less | 3 -> AtMost | 4 -> More | 5 -> AtLeast
  | n -> failwith (Printf.sprintf "no operator is %d" n)

let rec condition () =
  match number () with
  | 0 -> let factors = factors () in let op = operator () in Compare (factors, op, z ())
  | 1 -> Enabled (many touches)
  | 2 -> Not (condition ())
  | 3 -> Every (many condition)
  | 4 -> Either (many condition)
  | n -> failwith (Printf.sprintf "no condition begins with %d" n)

let rec refutation () =
  match number () with
  | 0 -> let j = number () in Split (j, many refutation)
  | _ -> Sum (many (fun () -> let i = number () in (i, z ())))

let inequalities () =
  let initial = many z in
  let transitions = many touches in
  let keeps = many row in
  let f = condition () in
  always_is_checked initial transitions keeps f (refutation ())

let states verdict =
  let f = formula () in
  let initials = many number in
  let successors = Array.of_list (many (fun () -> many pair)) in
  let atoms = Array.of_list (many (fun () -> Array.of_list (many truth))) in
  (* Of no step, and of each step. *)
  let letters = Array.of_list (many (fun () -> Array.of_list (many truth))) in
  let model = {
    initials;
    successors = (fun s -> successors.(s));
    atom_in = (fun a s -> atoms.(a).(s));
    about_step = (fun a o -> letters.(a).(match o with None -> 0 | Some t -> t + 1)) } in
  let claims = many claim in
  let always = formulas () in
  let states = many number in
  check model { claims; always; states } f verdict

let problem () =
  match number () with
  | 2 -> inequalities ()
  | verdict -> states (verdict <> 0)

let () =
  try
    while true do
      print_endline (if problem () then "accepted" else "refused")
    done
  with End_of_file | Scanf.Scan_failure _ -> ()
