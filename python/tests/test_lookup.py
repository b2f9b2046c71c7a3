"""Look-ups, the database and the program, with the shipped data. Nothing here needs a GPU."""

import json
import os
import re
import subprocess
import sys

import pytest

import redtune


@pytest.fixture(autouse=True)
def no_user_database(monkeypatch, tmp_path):
    """Let only the shipped winners count, not those of whoever runs the tests."""
    monkeypatch.setenv("REDTUNE_DB", str(tmp_path / "none.db"))
    monkeypatch.delenv("REDTUNE_SYSTEM_DATA", raising=False)


def program(*arguments, check=True):
    return subprocess.run(
        [sys.executable, "-m", "redtune", *arguments], check=check, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


def test_a_tuned_size():
    match = redtune.best("sum", "f32", n=1 << 24, device="NVIDIA H200")
    assert match.match == "exact" and match.family and match.expected_us > 0
    assert match.parameters["block"] == match.block
    assert match.tuned_n == match.n == 1 << 24 and match.tuned_op == match.op == "sum"
    assert match.regret is None and match.device == match.tuned_device == "NVIDIA H200"


def test_the_program_gives_the_same_answer():
    asked = ["--op", "sum", "--dtype", "f32", "--n", "5_000_000", "--device", "NVIDIA H200"]
    printed = program("query", *asked, "--format", "json")
    answer = json.loads(printed.stdout)
    match = redtune.best("sum", "f32", 5_000_000, "h200")
    assert match.match == "between"
    for name in ("family", "parameters", "match", "expected_us", "grid", "block", "regret", "largest_regret", "tuned_n",
                 "workspace_bytes", "stale", "shape", "accumulator", "output", "units"):
        assert getattr(match, name) == answer[name], name


@pytest.mark.parametrize("dtype", ["f32", "float32", type("float32", (), {})])
def test_types_and_sizes_in_all_notations(dtype):
    assert redtune.best("sum", dtype, "16Mi", "H200") == redtune.best("sum", "f32", 1 << 24, "NVIDIA H200")


def test_operators_have_the_names_of_the_functions_too():
    assert redtune.best("prod", "f32", 1024, "h200").op == "product"
    assert redtune.best("vdot", "f32", 1024, "h200").op == "dot"


def test_columns():
    match = redtune.best("sum", "f32", "64Ki", "h200", shape="columns:64")
    assert match.shape == "columns:64" and match.family.startswith("columns_")


def test_rows_and_limits():
    rows = redtune.best("sum", "f32", "1000Ki", "h200", shape="rows:1000")
    assert rows.shape == "rows:1000" and rows.match in ("exact", "between")
    assert redtune.best("sum", "f32", "1Gi", "h200", allow_forward_progress=False).family
    with pytest.raises(redtune.NotFoundError, match="needs more workspace than the allowed 256 bytes") as caught:
        redtune.best(
            "sum", "f32", "1Gi", "h200", determinism="run_to_run", max_workspace_bytes=256, allow_forward_progress=False
        )
    assert isinstance(caught.value, LookupError)


def test_a_device_that_was_not_tuned():
    match = redtune.best("sum", "f32", "1Mi", "NVIDIA B200")
    assert match.match == "other_device" and match.tuned_device == "NVIDIA H200" and match.expected_us is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("summ", "f32", 4, "h200"), "sum"),
        (("sum", "f33", 4, "h200"), "f32"),
        (("sum", "f32", "16M", "h200"), "16Mi"),
        (("sum", "f32", -1, "h200"), "must not be negative"),
        (("sum", "f32", 4, "Voodoo 2"), "redtune knows no device 'Voodoo 2'; known are NVIDIA H200"),
        (("sum", "f32", 4, "rtx"), "part of several devices' names"),
    ],
)
def test_wrong_names_are_refused_with_the_right_ones(arguments, message):
    with pytest.raises(redtune.InputError, match=message):
        redtune.best(*arguments)


def test_the_catalog():
    catalog = redtune.Catalog()
    assert catalog.devices() == ["NVIDIA H200"]
    assert {"op": "sum", "dtype": "f32", "accumulator": "f32", "output": "f32", "shape": "whole", "determinism": "any"} in (
        catalog.problems("h200")
    )
    assert 1 << 24 in catalog.tuned_sizes("sum", "f32", "h200")
    assert catalog.tuned_sizes("bit_or", "i32", "h200") == []
    catalog.reload()
    assert catalog.best("sum", "f32", 1 << 20, "h200") == redtune.best("sum", "f32", 1 << 20, "h200")


def test_without_a_driver_calls_say_so():
    import numpy
    from arrays import InterfaceArray

    if redtune._core.gpu_names():
        pytest.skip("there is a GPU")
    with pytest.raises(redtune.DeviceError, match="no GPU can be used"):
        redtune.sum(InterfaceArray(numpy.ones(4, numpy.float32)))


def test_the_rows_of_a_view():
    database = redtune.database()
    assert [layer for layer, _ in database.layers] == ["shipped"]
    rows = database.rows("winners", op="sum", dtype="f32", n=1 << 24, regime="cold", determinism="any", shape="whole")
    assert [row["layer"] for row in rows] == ["shipped"] and rows[0]["accumulator_type"] == "f32"
    assert rows[0]["family"] == redtune.best("sum", "f32", 1 << 24, "h200").family
    assert database.rows("winners", op="nothing") == []
    for view in redtune._database.VIEWS:
        assert isinstance(database.rows(view, **({"op": "dot"} if view == "measurements" else {})), list)


def test_the_views_are_those_of_the_documentation():
    page = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))), "docs", "database.md")
    with open(page, encoding="utf-8") as file:
        table = file.read().split("## Views: for people")[1].split("Columns that need")[0]
    assert set(re.findall(r"^\| `(\w+)`", table, re.MULTILINE)) == set(redtune._database.VIEWS)


def test_views_columns_and_files_that_are_not_there(tmp_path):
    database = redtune.database()
    with pytest.raises(redtune.InputError, match="no view 'sqlite_master'; the views are winners"):
        database.rows("sqlite_master")
    with pytest.raises(redtune.InputError, match="no column 'operator'; its columns are .*op"):
        database.rows("winners", operator="sum")
    with pytest.raises(redtune.DatabaseError, match="there is no database"):
        redtune.database(tmp_path / "none.db")
    other = tmp_path / "other.db"
    other.write_text("text")
    with pytest.raises(redtune.DatabaseError, match="cannot be read"):
        redtune.database(other).rows()
    other.write_bytes(b"")
    with pytest.raises(redtune.DatabaseError, match="is not a redtune database"):
        redtune.database(other).rows()


def test_pandas():
    pandas = pytest.importorskip("pandas")
    table = redtune.database().to_pandas("winners", op="sum", dtype="f32")
    assert isinstance(table, pandas.DataFrame) and len(table) > 20 and table["time_us"].min() > 0


def test_plots():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = redtune.plot.bandwidth("sum", "f32")
    assert len(axes.lines) == 1 and max(axes.lines[0].get_ydata()) > 4000
    assert redtune.plot.heatmap("sum", "f32", device="NVIDIA H200").images
    with pytest.raises(redtune.NotFoundError, match="no rows of winners have op=bit_or"):
        redtune.plot.bandwidth("bit_or", "i32")


def without(monkeypatch, module):
    """Let an import of the module fail."""
    monkeypatch.setitem(sys.modules, module, None)


def test_what_is_not_installed_is_named(monkeypatch):
    without(monkeypatch, "pandas")
    without(monkeypatch, "matplotlib")
    with pytest.raises(ImportError, match="pip install pandas"):
        redtune.database().to_pandas()
    with pytest.raises(ImportError, match="pip install matplotlib"):
        redtune.plot.bandwidth()


def test_tuning_replays_where_there_is_no_gpu(tmp_path, capfd):
    file = tmp_path / "tuned.db"
    winners = redtune.tune(
        "sum", "f32", [4096, "8Ki"], device="replay:nvidia-h200", db=file, between=0, checks=0, family="single_block"
    )
    assert sorted(row["n"] for row in winners) == [4096, 8192] and all(row["time_us"] > 0 for row in winners)
    shown = capfd.readouterr().err
    assert "100%" in shown and "n = 8Ki" in shown  # tqdm draws ten times a second, and at the end
    rows = redtune.database(file).rows("winners", determinism="any")
    assert {row["n"] for row in rows} == {4096, 8192} and {row["layer"] for row in rows} == {"file"}
    assert redtune.Catalog(file).best("sum", "f32", 4096, "h200").family == "single_block"


def test_tuning_without_tqdm(tmp_path, monkeypatch, capfd):
    without(monkeypatch, "tqdm")
    without(monkeypatch, "tqdm.auto")
    options = {"device": "replay:nvidia-h200", "between": 0, "checks": 0, "family": "single_block"}
    redtune.tune("sum", "f32", 4096, db=tmp_path / "tuned.db", **options)
    assert "n = 4Ki" in capfd.readouterr().err
    redtune.tune("sum", "f32", 4096, db=tmp_path / "tuned.db", progress=False, **options)
    assert capfd.readouterr().err == ""


def test_tuning_refuses_what_the_program_refuses():
    with pytest.raises(redtune.InputError, match="summ"):
        redtune.tune("summ", "f32", 4096, progress=False)
    with pytest.raises(redtune.InputError, match="--nonsense"):
        redtune.tune("sum", "f32", 4096, progress=False, nonsense=1)


def test_an_interrupted_sweep_keeps_its_results(tmp_path):
    file = tmp_path / "tuned.db"
    code = (
        "import redtune\n"
        "options = {'device': 'replay:nvidia-h200', 'between': 0, 'checks': 0, 'effort': 'exhaustive'}\n"
        f"redtune.tune('sum', 'f32', '256..1Gi', db={str(file)!r}, **options)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        for line in process.stderr:
            if re.search(r"n = \d", line):  # the first size is done, and 22 are left
                break
        process.send_signal(2)
        rest = process.stderr.read()
        assert process.wait() != 0
    assert "KeyboardInterrupt" in rest
    assert redtune.database(file).rows("sweeps")[0]["status"] == "interrupted"


def test_the_program_runs():
    assert program("--version").stdout == f"redtune {redtune.__version__}\n"
    wrong = program("query", "--op", "summ", "--n", "4", check=False)
    assert wrong.returncode != 0 and "sum" in wrong.stderr
    assert program("query", "--op", "sum", "--dtype", "f32", "--n", "16Mi", "--device", "NVIDIA H200").returncode == 0


def test_nvrtc_of_pathfinder_is_found(monkeypatch):
    import types

    from redtune import _nvrtc, _program

    pathfinder = types.ModuleType("cuda.pathfinder")
    pathfinder.load_nvidia_dynamic_lib = lambda name: types.SimpleNamespace(abs_path=f"/wheels/lib{name}.so.13")
    monkeypatch.setitem(sys.modules, "cuda", types.ModuleType("cuda"))
    monkeypatch.setitem(sys.modules, "cuda.pathfinder", pathfinder)
    monkeypatch.delenv("REDTUNE_NVRTC", raising=False)
    monkeypatch.delenv("REDTUNE_CUDA_LIB", raising=False)
    assert _nvrtc.find() == "/wheels/libnvrtc.so.13"
    assert _program.environment()["REDTUNE_NVRTC"] == "/wheels/libnvrtc.so.13"
    monkeypatch.setenv("REDTUNE_CUDA_LIB", "/mine")
    assert "REDTUNE_NVRTC" not in _program.environment()

    def not_found(name):
        raise RuntimeError(name)

    pathfinder.load_nvidia_dynamic_lib = not_found
    assert _nvrtc.find() is None
    without(monkeypatch, "cuda.pathfinder")
    assert _nvrtc.find() is None


def test_the_stub_has_every_name_of_the_module():
    import ast

    stub = os.path.join(os.path.dirname(redtune._core.__file__), "_core.pyi")
    with open(stub, encoding="utf-8") as file:
        nodes = ast.parse(file.read()).body
    declared = {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    declared |= {node.target.id for node in nodes if isinstance(node, ast.AnnAssign)}
    assert {name for name in dir(redtune._core) if not name.startswith("_")} == {name for name in declared if name[0] != "_"}
