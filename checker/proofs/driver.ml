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

let problem () =
  let verdict = truth () in
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

let () =
  try
    while true do
      print_endline (if problem () then "accepted" else "refused")
    done
  with End_of_file | Scanf.Scan_failure _ -> ()
