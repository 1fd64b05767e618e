"""Tool-info module of starset for BenchExec (3.0 or later).

Put the project folder on the PYTHONPATH and name the module in the benchmark definition, as contrib/starset.xml does. A task
is a task definition that contrib/benchexec_tasks.py writes, one for each question, or an input file per instance with the
examination among the options; then all logs have the same name, for want of other names:

    <benchmark tool="contrib.benchexec_starset" timelimit="60s" memlimit="8 GB" cpuCores="2">
      <rundefinition name="CTLFireability">
        <option name="--examination">CTLFireability</option>
      </rundefinition>
      <tasks><include>instances/NAME/model.pnml</include></tasks>
    </benchmark>
"""
import os

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """Runs `starset mcc` on the folder of the model, or `starset check` where the task names a formula."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("starset")

    def name(self):
        return "starset"

    def version(self, executable):
        return self._version_from_tool(executable).removeprefix("starset").strip()

    def cmdline(self, executable, options, task, rlimits):
        files = list(task.input_files)
        wanted = task.options or {}
        folder = os.path.dirname(files[0]) or "."
        if wanted.get("formula"):
            command = [executable, "check", files[0], "-x", files[1], "--id", wanted["formula"], "--format", "mcc"]
        else:
            command = [executable, "mcc", folder]
            if wanted.get("examination"):
                command += ["--examination", wanted["examination"]]
        command += options
        seconds = rlimits.walltime or rlimits.cputime
        if seconds:
            # A margin to end in good order.
            command += ["--time", str(seconds * 0.95)]
        if rlimits.memory:
            command += ["--memory", str(int(rlimits.memory * 0.9))]
        if rlimits.cpu_cores:
            command += ["--threads", str(rlimits.cpu_cores)]
        return command

    def _answers(self, output):
        """The questions with their answers."""
        lines = (line.split() for line in output if line.startswith(("FORMULA ", "STATE_SPACE ")))
        return {line[1]: line[2] for line in lines if len(line) > 2}

    def determine_result(self, run):
        answers = list(self._answers(run.output).values())
        unknown = answers.count("CANNOT_COMPUTE")
        if run.exit_code.value == 2:
            return result.RESULT_ERROR
        if not answers or unknown == len(answers):
            return result.RESULT_UNKNOWN
        if answers == ["TRUE"]:
            return result.RESULT_TRUE_PROP
        if answers == ["FALSE"]:
            return result.RESULT_FALSE_PROP
        # What is neither true nor false is a value, and stands in a column.
        return result.RESULT_DONE

    def get_value_from_output(self, output, identifier):
        """Of a column: `answer`, of a run with one question; `known` and `asked`, how many; or the answer to the question that is
        named."""
        answers = self._answers(output)
        if identifier == "answer":
            return next(iter(answers.values())) if len(answers) == 1 else None
        if identifier in ("known", "asked"):
            unknown = list(answers.values()).count("CANNOT_COMPUTE")
            return str(len(answers) - (unknown if identifier == "known" else 0))
        return answers.get(identifier)
