//! The examples in the help of each command. The tests run them.

pub(super) const STATES: &str = "\
Examples:
  starset states models/philo-5.pnml --deadlocks
  starset states models/kanban-3.pnml --json --time 60 --memory 4G
  starset states models/kanban-3.pnml --order sloan --save kanban.set
  starset states models/readers-writers-4.pnml --each live,bound
  starset states models/claim.pnwc --time-model dense";

pub(super) const CHECK: &str = "\
Examples:
  starset check models/philo-5.pnml -f 'AG EF #Eat_0 = 1' --witness
  starset check INSTANCE -x INSTANCE/CTLFireability.xml --time 60 --json
  starset check models/pipe.dot -f 'G (action(send) -> X action(consume, stop))'
  starset check models/turns.dve --report turns.html

`starset help formulas` shows the syntax.";

pub(super) const CERTIFY: &str = "\
Examples:
  starset certify models/philo-5.pnml -f 'AG EF #Eat_0 = 1'
  starset certify models/kanban-3.pnml -f 'AF deadlock' -f 'G F enabled(tin1)'

`starset-checker MODEL CERTIFICATE` checks what is written.";

pub(super) const SATSET: &str = "\
Examples:
  starset satset models/philo-5.pnml -f deadlock --list 5 --save dead.set
  starset satset models/philo-5.pnml --load dead.set --list 1";

pub(super) const ATTRACTORS: &str = "\
Examples:
  starset attractors models/switch.bnet --basins
  starset attractors models/switch.bnet --update synchronous --json
  starset attractors models/switch.bnet --save switch.set";

pub(super) const TIME: &str = "\
Examples:
  starset time models/claim.pnwc --final closed
  starset time models/claim.pnwc --since open --horizon 40 --report claim.html";

pub(super) const SOUNDNESS: &str = "\
A workflow net has one place without input, one without output, every node on a path between them,
and one token in the first. Without clocks a net is a workflow without time: PNML of any tool will
do.

Examples:
  starset soundness models/claim.pnwc
  starset soundness models/claim.pnwc --json
  starset soundness models/claim.pnwc --report claim.html";

pub(super) const REPLAY: &str = "\
Examples:
  starset replay models/orders.csv models/order.bpmn
  starset replay models/orders.csv models/order.bpmn --rules models/order.rules --json";

pub(super) const RULES: &str = "\
Examples:
  starset rules models/order.rules models/order.bpmn
  starset rules models/order-times.rules models/order.bpmn
  starset rules models/credit.rules models/credit.bpmn
  starset rules models/order.rules models/order.bpmn --timers --json";

pub(super) const COMBINE: &str = "\
Examples:
  starset combine union a.set b.set --save both.set
  starset combine subset a.set b.set";

pub(super) const CROSS: &str = "\
Examples:
  starset cross models/philo-5.pnml -f 'EF deadlock'
  starset cross --random 20 --seed 7";

pub(super) const AUTOMATON: &str = "\
Syntax, tightest first: ! X F G Y Z O H; U R W M S T; & ; xor; | ; -> <->. Also ~ [] <> V && || +
* ^ => <=>, and X[n], F[a:b], G[a:b]. A proposition is a name (letters, digits, _ and ., not
starting with F, G or X unless a digit follows) or any text in double quotes.

Examples:
  starset automaton 'G(request -> F grant)' --stats
  starset automaton 'F G p' --dot | dot -Tsvg > fg.svg
  starset automaton --finite 'G(a -> F b)' --dot | dot -Tsvg > response.svg
  starset automaton --finite --word 'response(a, b) & chain_response(a, c)'
  starset automaton models/hungry.hoa --stats";

pub(super) const MCC: &str = "\
Examples:
  starset mcc INSTANCE --examination StateSpace
  starset mcc INSTANCE --examination CTLFireability --time 60 --memory 8G";

pub(super) const BATCH: &str = "\
Examples:
  starset batch INSTANCES --examinations OneSafe,StateSpace --time 60 --report report.html
  starset batch INSTANCES --expected INSTANCES/expected.csv --retry --time 5m";

pub(super) const RERS: &str = "\
--time is the time of each problem.

Examples:
  starset rers models/pipe.dot -x formulas.txt --time 600";

pub(super) const CONVERT: &str = "\
A net becomes a .dot file as the network that its units (NUPN) are; if they are none, as the graph
of its places and transitions, for Graphviz. A network becomes a net with one unit per component. An
.aut file holds one transition system: that of a network with one component, otherwise the graph of
the reachable states. Any model can be an .etf file: tables of the steps between its reachable
states. Any model with finite values can be an .smv file, a program of NuSMV; questions (-f, -x, else
those of the model) are written into it.

Examples:
  starset convert models/sender.aut models/receiver.aut pipe.pnml
  starset convert models/philo-5.pnml philo.aut
  starset convert models/turns.dve - --to etf
  starset convert models/philo-5.pnml philo.smv -f 'AG EF #Eat_0 = 1'";

pub(super) const SIMULATE: &str = "\
Examples:
  starset simulate models/philo-5.pnml --steps 20
  starset simulate models/lift.smv --seed 7 --trace nusmv";

pub(super) const INFO: &str = "\
Examples:
  starset info models/philo-5.pnml
  starset info models/philo-5.pnml --svg philo.svg
  starset info models/kanban-3.pnml --order sloan --json";

pub(super) const GENERATE: &str = "\
Examples:
  starset generate kanban 100 -o kanban-100.pnml
  starset generate philo 5 | starset states -";

pub(super) const SCHEMA: &str = "\
Examples:
  starset schema check > check-1.json";

pub(super) const COMPLETIONS: &str = "\
Examples:
  starset completions bash > starset.bash
  starset completions fish > starset.fish";

pub(super) const MAN: &str = "\
Examples:
  starset man man1
  starset man > starset.1";
