#!/usr/bin/env python3
"""Behaves as a program of GoogleTest does. Each argument CASE=CODE is one of its tests: a case fails where the code is 1,
and else the program ends with that code (negative: by that signal) after its report was written."""

import json
import os
import sys

words = [word for word in sys.argv[1:] if not word.startswith("--")]
options = dict(word[2:].partition("=")[::2] for word in sys.argv[1:] if word.startswith("--"))
cases = {name: int(code) for name, _, code in (word.partition("=") for word in words)}
if "gtest_list_tests" in options:
    print("Case.", *[f"  {name}" for name in cases], sep="\n")
    sys.exit(0)
chosen = {name: code for name, code in cases.items() if options.get("gtest_filter", f"Case.{name}") == f"Case.{name}"}
rows = [
    {"name": name, "status": "RUN", "result": "COMPLETED", **({"failures": [{}]} if code == 1 else {})}
    for name, code in chosen.items()
]
with open(options["gtest_output"].partition(":")[2], "w") as file:
    json.dump({"testsuites": [{"name": "Case", "testsuite": rows}]}, file)
worst = next((code for code in chosen.values() if code not in (0, 1)), max(chosen.values()))
if worst < 0:
    os.kill(os.getpid(), -worst)
sys.exit(worst)
