// Spot's translator behind two plain data types. No object of Spot outlives a call.

#include "spot-rs/src/bridge.rs.h"

#include <map>
#include <sstream>
#include <stdexcept>
#include <string>

#include <spot/misc/_config.h>
#include <spot/misc/minato.hh>
#include <spot/misc/version.hh>
#include <spot/tl/parse.hh>
#include <spot/twaalgos/translate.hh>

namespace starset {

rust::String header_version() { return SPOT_PACKAGE_VERSION; }

rust::String library_version() { return spot::version(); }

Automaton translate(rust::Str text) {
  spot::parsed_formula parsed = spot::parse_infix_psl(std::string(text));
  std::ostringstream errors;
  if (parsed.format_errors(errors)) throw std::runtime_error(errors.str());
  if (!parsed.f.is_ltl_formula()) throw std::runtime_error("not a formula of linear-time logic");

  spot::translator translator;
  translator.set_type(spot::postprocessor::GeneralizedBuchi);
  translator.set_pref(spot::postprocessor::Small);
  spot::twa_graph_ptr found = translator.run(parsed.f);

  Automaton result;
  std::map<int, int> number;  // of each BDD variable that is a proposition
  for (const spot::formula& proposition : found->ap()) {
    number[found->get_dict()->has_registered_proposition(proposition, found)] = result.propositions.size();
    result.propositions.push_back(proposition.ap_name());
  }
  const spot::acc_cond& acceptance = found->acc();
  if (!acceptance.is_generalized_buchi() && !acceptance.is_t())
    throw std::runtime_error("the acceptance condition is not generalized Büchi");
  if (acceptance.num_sets() > 64) throw std::runtime_error("more than 64 acceptance sets");
  result.acceptance_sets = acceptance.num_sets();
  result.states = found->num_states();
  result.initial = found->get_init_state_number();
  for (const auto& edge : found->edges()) {
    if (edge.cond == bddfalse) continue;
    Edge plain;
    plain.source = edge.src;
    plain.target = edge.dst;
    plain.marks = 0;
    for (unsigned set : edge.acc.sets()) plain.marks |= std::uint64_t(1) << set;
    spot::minato_isop cubes(edge.cond);
    bdd cube;
    while ((cube = cubes.next()) != bddfalse) {
      while (cube != bddtrue) {
        int literal = number.at(bdd_var(cube)) + 1;
        bool positive = bdd_low(cube) == bddfalse;
        plain.cubes.push_back(positive ? literal : -literal);
        cube = positive ? bdd_high(cube) : bdd_low(cube);
      }
      plain.cubes.push_back(0);
    }
    result.edges.push_back(std::move(plain));
  }
  return result;
}

}  // namespace starset
