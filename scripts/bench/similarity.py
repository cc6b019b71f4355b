"""Similarity v0.7 by difflib: pairs of diffs as JSON on standard input, seconds of processor time and the ratios out."""
import difflib
import json
import sys
import time


def normalise(text):
    for line in text.splitlines():
        if line.startswith(("diff --git ", "index ")):
            continue
        if line.startswith("@@") and "@@" in line[2:]:
            yield "@@"
        elif line.startswith(("--- ", "+++ ")):
            yield line.split("\t")[0].strip()
        else:
            yield line


pairs = json.load(sys.stdin)
started = time.process_time()
ratios = [difflib.SequenceMatcher(None, list(normalise(a)), list(normalise(b)), autojunk=False).ratio() for a, b in pairs]
print(json.dumps({"seconds": time.process_time() - started, "ratios": ratios}))
