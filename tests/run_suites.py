#!/usr/bin/env python3
"""Runs GoogleTest programs with one process for each test suite, as many at once as there are cores.

ctest runs each test in a process of its own. With a sanitizer the start of a process is slow, and the tests of a suite
share what they set up.

Prints the output of the suites that fail, the slowest suites, then a line `failed: SUITE.TEST` for each test that failed,
and last `N passed, N failed, N skipped`. A suite that ends without results counts as one failure.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

LONGEST_S = 900
SLOWEST = 10  # number of suites whose time is printed


def suites_of(program):
    """Returns the names of a program's test suites."""
    listing = subprocess.run([program, "--gtest_list_tests"], check=True, capture_output=True, text=True).stdout
    # The tests of a suite are indented. The first line names the file of main(). `#` begins a comment.
    return [line.split("#")[0].strip().rstrip(".") for line in listing.splitlines()[1:] if line[:1] not in ("", " ")]


def run_suite(program, suite, results):
    """Runs one suite. Returns its name, its output, and a dictionary from test to outcome; None if it ended early."""
    file = pathlib.Path(results) / f"{pathlib.Path(program).name}.{suite.replace('/', '_')}.xml"
    command = [program, f"--gtest_filter={suite}.*", f"--gtest_output=xml:{file}"]
    output = ""
    try:
        ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=LONGEST_S, check=False)
        output = ended.stdout.decode(errors="replace")
        if ended.returncode not in (0, 1):
            output += f"\n{suite} ended with status {ended.returncode}\n"
            return suite, output, None
        return suite, output, outcomes_in(file)
    except subprocess.TimeoutExpired as expired:
        return suite, (expired.stdout or b"").decode(errors="replace") + f"\n{suite} took more than {LONGEST_S} s\n", None
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        return suite, output + f"\n{suite} gave no results: {error}\n", None


def outcomes_in(file):
    outcomes = {}
    for case in xml.etree.ElementTree.parse(file).iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        if case.find("failure") is not None:
            outcomes[name] = "failed"
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            outcomes[name] = "skipped"
        else:
            outcomes[name] = "passed"
    return outcomes


def run_timed(program, suite, results):
    """Returns what run_suite() returns, and the seconds that it took."""
    start = time.monotonic()
    suite, output, outcomes = run_suite(program, suite, results)
    return suite, output, outcomes, time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    programs = parser.parse_args().programs
    count = {"passed": 0, "failed": 0, "skipped": 0}
    failed = []
    seconds = {}
    with tempfile.TemporaryDirectory() as results, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = [pool.submit(run_timed, program, suite, results) for program in programs
                for suite in suites_of(program)]
        for run in concurrent.futures.as_completed(runs):
            suite, output, outcomes, seconds_taken = run.result()
            seconds[suite] = seconds_taken
            if outcomes is None:
                outcomes = {suite: "failed"}
            if "failed" in outcomes.values():
                print(output, flush=True)
            for name, outcome in outcomes.items():
                count[outcome] += 1
                if outcome == "failed":
                    failed.append(name)
    for suite in sorted(seconds, key=seconds.get, reverse=True)[:SLOWEST]:
        print(f"{seconds[suite]:6.1f} s  {suite}")
    for name in sorted(failed):
        print(f"failed: {name}")
    print(", ".join(f"{number} {outcome}" for outcome, number in count.items()))
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
