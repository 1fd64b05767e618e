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

    def determine_result(self, run):
        answers = [line.split()[2] for line in run.output if line.startswith(("FORMULA ", "STATE_SPACE "))]
        unknown = answers.count("CANNOT_COMPUTE")
        if run.exit_code.value == 2:
            return result.RESULT_ERROR
        if not answers or unknown == len(answers):
            return result.RESULT_UNKNOWN
        if answers == ["TRUE"]:
            return result.RESULT_TRUE_PROP
        if answers == ["FALSE"]:
            return result.RESULT_FALSE_PROP
        if len(answers) == 1:
            return f"{result.RESULT_DONE} ({answers[0]})"
        return f"{result.RESULT_DONE} ({len(answers) - unknown} of {len(answers)})"
