"""Prints the shell steps of a GitHub workflow or action, or of a GitLab job, as one bash script, for test_examples.

usage: steps.py FILE.yml [NAME=VALUE ...]: values of the workflow's expressions, as in matrix.image=debian
It leaves out steps that use an action, and ignores conditions: every shell step runs.
"""
import re
import shlex
import sys

import yaml


def replace_expressions(text, values):
    def value_of(match):
        expression = match.group(1).strip()
        if expression not in values:
            sys.exit(f"steps.py: no value for the expression '{expression}'")
        return values[expression]

    return re.sub(r"\$\{\{(.*?)\}\}", value_of, str(text))


def exports(env, values):
    return "".join(f"export {name}={shlex.quote(replace_expressions(text, values))}\n" for name, text in env.items())


def github(workflow, values):
    script = exports(workflow.get("env", {}), values)
    for job in workflow.get("jobs", {"action": workflow.get("runs")}).values():
        for step in (step for step in job["steps"] if "run" in step):
            options = "-eo pipefail" if step.get("shell") == "bash" else "-e"
            command = shlex.quote(replace_expressions(step["run"], values))
            script += f"(\n{exports(step.get('env', {}), values)}bash {options} -c {command}\n)\n"
    return script


def gitlab(pipeline):
    script = "".join(f"export {name}={shlex.quote(text).replace('$CI_PROJECT_DIR', '.')}\n"
                     for name, text in pipeline["variables"].items())
    for job in (job for job in pipeline.values() if isinstance(job, dict) and "script" in job):
        script += "\n".join(job.get("before_script", []) + job["script"]) + "\n"
    return script


def main():
    values = dict(argument.split("=", 1) for argument in sys.argv[2:])
    with open(sys.argv[1], encoding="utf-8") as file:
        document = yaml.safe_load(file)
    print("set -e\n" + (gitlab(document) if "variables" in document else github(document, values)))


main()
