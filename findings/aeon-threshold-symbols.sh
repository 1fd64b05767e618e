#!/bin/sh
# AEON 1.4.2 (PyPI, biodivine_aeon): in SBML-qual the symbol of an input's threshold is read as the species itself.
#
# An input of a transition may have an id and a thresholdLevel, and a term may name the threshold by that id: `s >= t`
# with t = 1 says that s is active. A good guess is that the number stands for the symbol, or that such a file is
# refused, as AEON refuses levels above 1 and second terms. Without a message the symbol is the species of the input:
# `s >= t` is `s => s`, always true, whatever the threshold; `s < t` is never true. `s = t` happens to be right for t
# = 1 and is its negation for t = 0. The same text with the number in place of the symbol is read right, so that two
# files of one network have different fixed points.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet biodivine_aeon==1.4.2
"$work/venv/bin/python" - <<'PYTHON'
from biodivine_aeon import AsynchronousGraph, BooleanNetwork, FixedPoints

MODEL = """<?xml version="1.0" encoding="UTF-8"?>
<sbml xmlns="http://www.sbml.org/sbml/level3/version1/core" level="3" version="1"
      xmlns:qual="http://www.sbml.org/sbml/level3/version1/qual/version1" qual:required="true">
 <model id="m">
  <listOfCompartments><compartment id="cell" constant="true"/></listOfCompartments>
  <qual:listOfQualitativeSpecies>
   <qual:qualitativeSpecies qual:id="gene" qual:compartment="cell" qual:constant="false" qual:maxLevel="1"/>
   <qual:qualitativeSpecies qual:id="signal" qual:compartment="cell" qual:constant="false" qual:maxLevel="1"/>
  </qual:listOfQualitativeSpecies>
  <qual:listOfTransitions>
   <qual:transition qual:id="of_gene">
    <qual:listOfInputs>
     <qual:input qual:id="t" qual:qualitativeSpecies="signal" qual:transitionEffect="none"
                 qual:thresholdLevel="THRESHOLD"/>
    </qual:listOfInputs>
    <qual:listOfOutputs>
     <qual:output qual:id="o" qual:qualitativeSpecies="gene" qual:transitionEffect="assignmentLevel"/>
    </qual:listOfOutputs>
    <qual:listOfFunctionTerms>
     <qual:defaultTerm qual:resultLevel="0"/>
     <qual:functionTerm qual:resultLevel="1">
      <math xmlns="http://www.w3.org/1998/Math/MathML"><apply><SIGN/><ci>signal</ci>SIDE</apply></math>
     </qual:functionTerm>
    </qual:listOfFunctionTerms>
   </qual:transition>
  </qual:listOfTransitions>
 </model>
</sbml>
"""


def read(sign, threshold, side):
    text = MODEL.replace("SIGN", sign).replace("THRESHOLD", threshold).replace("SIDE", side)
    network = BooleanNetwork.from_sbml(text)
    function = str(network.get_update_function(network.find_variable("gene")))
    points = FixedPoints.symbolic(AsynchronousGraph(network.infer_valid_graph())).vertices()
    return function, sorted(tuple(int(value) for value in state.values()) for state in points)


for sign, threshold, number, symbol in [
    ("geq", "1", "signal", "signal => signal"),
    ("lt", "1", "!signal", "!signal & signal"),
    ("eq", "1", "signal", "signal"),
    ("eq", "0", "!signal", "signal"),
]:
    by_number = read(sign, threshold, f'<cn type="integer">{threshold}</cn>')
    by_symbol = read(sign, threshold, "<ci>t</ci>")
    print(f"AEON 1.4.2: signal {sign} {threshold}: with the number {by_number}, with the symbol {by_symbol}")
    assert (by_number[0], by_symbol[0]) == (number, symbol)
    assert (by_number[1] == by_symbol[1]) == (number == symbol)
PYTHON
