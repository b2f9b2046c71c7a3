#!/usr/bin/env python3
"""Tests of scripts/check-layers, on the repository itself and on small trees."""

import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LAYERS = """# comment
public  tuner/include
core    tuner/core      public
db      db              core
gpu     tuner/gpu       core
launch  tuner/launch    gpu
"""


class Tree:
    """A temporary folder with a list of layers and a harmless source in each."""

    def __init__(self, layers):
        self.folder = tempfile.TemporaryDirectory()
        self.write("cmake/layers.txt", layers)
        self.write("tuner/include/redtune/problem.h", "#include <string>\n")
        self.write("tuner/core/problem.cpp", '#include "redtune/problem.h"\n')
        self.write("db/store.h", '#include "redtune/problem.h"\n')
        self.write("tuner/gpu/device.h", '#include <cuda.h>\n')
        self.write("tuner/launch/enqueue.cpp", '#include "tuner/gpu/device.h"\n#include "redtune/problem.h"\n')

    def write(self, path, text):
        file = os.path.join(self.folder.name, path)
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)

    def check(self):
        """Returns the exit code and all that is printed."""
        done = subprocess.run([sys.executable, os.path.join(ROOT, "scripts", "check-layers"), self.folder.name],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


class CheckLayers(unittest.TestCase):
    def tree(self, layers=LAYERS):
        made = Tree(layers)
        self.addCleanup(made.folder.cleanup)
        return made

    def refused(self, path, text, expected):
        tree = self.tree()
        tree.write(path, text)
        code, printed = tree.check()
        self.assertEqual(code, 1, printed)
        self.assertIn(expected, printed)

    def test_the_repository_passes(self):
        command = [os.path.join(ROOT, "scripts", "check-layers")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_includes_of_lower_layers_pass(self):
        self.assertEqual(self.tree().check()[0], 0)

    def test_an_include_of_a_higher_layer_is_named_with_file_and_line(self):
        self.refused("tuner/core/new.cpp", '#include <map>\n\n#include "tuner/gpu/device.h"\n',
                     "tuner/core/new.cpp:3: core does not build upon gpu")

    def test_a_layer_that_is_lower_but_not_built_upon_is_refused(self):
        self.refused("tuner/launch/new.cpp", '#include "db/store.h"\n',
                     "tuner/launch/new.cpp:1: launch does not build upon db")

    def test_headers_are_read_too_and_spelling_does_not_matter(self):
        for directive in ('#  include   "db/store.h"', "#include <db/store.h>", '#include "../../db/store.h"'):
            for header in ("tuner/gpu/new.h", "tuner/gpu/new.hpp"):
                self.refused(header, directive, f"{header}:1: gpu does not build upon db")

    def test_a_header_that_does_not_exist_is_refused_by_its_folder(self):
        self.refused("tuner/core/new.cpp", '#include "db/gone.h"\n',
                     "tuner/core/new.cpp:1: core does not build upon db")

    def test_public_headers_include_nothing_of_the_other_layers(self):
        self.refused("tuner/include/redtune/new.h", '#include "tuner/core/problem.h"\n',
                     "tuner/include/redtune/new.h:1: public does not build upon core")

    def test_a_folder_that_is_no_layer_is_refused(self):
        self.refused("tuner/other/new.cpp", "", "tuner/other: not a layer")

    def test_a_layer_without_sources_is_refused(self):
        code, printed = self.tree(LAYERS + "runtime tuner/runtime launch\n").check()
        self.assertEqual(code, 1)
        self.assertIn("tuner/runtime, the folder of layer 'runtime', has no sources", printed)

    def test_an_arrow_to_a_layer_that_is_not_listed_above_is_refused(self):
        code, printed = self.tree(LAYERS + "cli tuner/core search\n").check()
        self.assertNotEqual(code, 0)
        self.assertIn("'search' is not a layer listed above 'cli'", printed)


if __name__ == "__main__":
    unittest.main()
