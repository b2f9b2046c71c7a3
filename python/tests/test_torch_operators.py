"""redtune.torch: shapes and gradients on the CPU, where PyTorch stands in for the kernels, and results on a GPU."""

import math

import pytest

import redtune

torch = pytest.importorskip("torch")

import redtune.torch as operators  # noqa: E402  only with PyTorch

FUNCTIONS = {
    "sum": (operators.sum, torch.sum),
    "mean": (operators.mean, torch.mean),
    "amax": (operators.amax, torch.amax),
    "amin": (operators.amin, torch.amin),
    "norm": (operators.norm, torch.linalg.vector_norm),
}


@pytest.fixture
def on_cpu():
    """Let PyTorch compute the operators of tensors on the CPU."""
    library = torch.library.Library("redtune", "IMPL")
    library.impl("sum", lambda x, dim=None, keepdim=False, dtype=None: torch.sum(x, dim, keepdim, dtype=dtype), "CPU")
    library.impl("mean", lambda x, dim=None, keepdim=False: torch.mean(x, dim, keepdim), "CPU")
    library.impl("amax", lambda x, dim=None, keepdim=False: torch.amax(x, dim or (), keepdim), "CPU")
    library.impl("amin", lambda x, dim=None, keepdim=False: torch.amin(x, dim or (), keepdim), "CPU")
    library.impl("norm", lambda x, dim=None, keepdim=False, ord=2: torch.linalg.vector_norm(x, ord, dim, keepdim), "CPU")
    yield
    library._destroy()


@pytest.mark.parametrize("keepdim", [False, True])
@pytest.mark.parametrize("dim", [None, -1, 0, (0, 2), (1, -1)])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_fake_results_have_the_shape_and_type_of_torch(name, dim, keepdim):
    ours, theirs = FUNCTIONS[name]
    x = torch.empty(3, 4, 5, dtype=torch.float16, device="meta")
    options = {"keepdim": keepdim}
    expected = theirs(x, dim=dim if dim is not None or name == "norm" else (), **options)
    result = ours(x, dim=dim, **options)
    assert result.shape == expected.shape and result.dtype == expected.dtype and result.device == x.device


def test_fake_sums_of_integers_are_int64():
    x = torch.empty(3, 4, dtype=torch.int8, device="meta")
    assert operators.sum(x).dtype == torch.int64
    assert operators.sum(x, dtype=torch.float64).dtype == torch.float64


@pytest.mark.parametrize("keepdim", [False, True])
@pytest.mark.parametrize("dim", [None, -1, (0, 2)])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients(on_cpu, name, dim, keepdim):
    x = torch.rand(3, 4, 5, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: FUNCTIONS[name][0](x, dim=dim, keepdim=keepdim), x)


@pytest.mark.parametrize("dim", [None, [-1], [0, 2]])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_operators_keep_the_rules_of_torch(on_cpu, name, dim):
    x = torch.rand(3, 4, 5, requires_grad=True)
    torch.library.opcheck(getattr(torch.ops.redtune, name).default, (x, dim))


def test_torch_traces_the_operators_with_their_gradients(on_cpu):
    x = torch.rand(3, 4, 5, requires_grad=True)
    compiled = torch.compile(lambda x: operators.norm(operators.mean(x * 2, dim=-1)), backend="aot_eager", fullgraph=True)
    compiled(x).backward()
    y = x.detach().clone().requires_grad_()
    torch.linalg.vector_norm(torch.mean(y * 2, dim=-1)).backward()
    torch.testing.assert_close(x.grad, y.grad)


def test_gradients_where_they_are_not_unique(on_cpu):
    for ours, theirs in FUNCTIONS.values():
        for values in ([1.0, 2.0, 2.0, 1.0], [0.0, 0.0]):
            x = torch.tensor(values, requires_grad=True)
            y = torch.tensor(values, requires_grad=True)
            ours(x).backward()
            theirs(y).backward()
            assert torch.equal(x.grad, y.grad), ours
    x = torch.tensor([-1.0, 0.0, 3.0], requires_grad=True)
    operators.norm(x, ord=1).backward()
    assert x.grad.tolist() == [-1, 0, 1]


def test_the_type_of_a_gradient_is_that_of_the_input(on_cpu):
    x = torch.rand(8, dtype=torch.float16, requires_grad=True)
    operators.sum(x, dtype=torch.float64).backward()
    assert x.grad.dtype == torch.float16


@pytest.mark.parametrize("dim, error", [(3, IndexError), (-4, IndexError), ((0, -3), ValueError), ("all", TypeError),
                                        ((0, "all"), TypeError)])
def test_a_wrong_dim_is_refused(dim, error):
    with pytest.raises(error, match="dim"):
        operators.sum(torch.empty(3, 4, 5, device="meta"), dim)


def test_a_tensor_without_dimensions_has_the_dims_of_torch():
    for dim in (None, 0, -1):
        assert operators.amax(torch.empty((), device="meta"), dim).shape == ()
    with pytest.raises(IndexError):
        operators.amax(torch.empty((), device="meta"), 1)


@pytest.mark.parametrize("order", [0, 3, 2.5, math.inf, "fro"])
def test_other_norms_are_refused(order):
    with pytest.raises(redtune.InputError, match="allowed are 1 and 2"):
        operators.norm(torch.empty(3, device="meta"), ord=order)
    assert operators.norm(torch.empty(3, device="meta"), ord=2.0).shape == ()


def test_tensors_of_the_cpu_go_to_torch():
    x = torch.rand(4, 5)
    with operators.enable():
        torch.testing.assert_close(x.sum(), x.double().sum().float())
        assert torch.max(x, dim=1).indices.shape == (4,)


def test_the_operators_refuse_tensors_of_the_cpu():
    with pytest.raises(NotImplementedError, match="CPU"):
        operators.amax(torch.ones(4, dtype=torch.int32))


@pytest.mark.gpu
@pytest.mark.parametrize("name", FUNCTIONS)
def test_operators_on_a_gpu(name):
    ours, theirs = FUNCTIONS[name]
    x = torch.rand(40, 300, device="cuda", requires_grad=True)
    y = x.detach().clone().requires_grad_()
    for dim in (None, -1):
        torch.testing.assert_close(ours(x, dim=dim), theirs(y, dim=dim) if dim is not None else theirs(y))
        ours(x, dim=dim).sum().backward()
        (theirs(y, dim=dim) if dim is not None else theirs(y)).sum().backward()
        torch.testing.assert_close(x.grad, y.grad)
    torch.library.opcheck(getattr(torch.ops.redtune, name).default, (x, [-1]))


@pytest.mark.gpu
def test_torch_compile():
    x = torch.rand(40, 300, device="cuda")
    compiled = torch.compile(lambda x: operators.sum(x * 2, dim=-1) + 1, fullgraph=True)
    torch.testing.assert_close(compiled(x), (x * 2).sum(dim=-1) + 1)


@pytest.mark.gpu
def test_enable():
    x = torch.rand(40, 300, device="cuda")
    before = redtune.cached_reductions()
    with operators.enable():
        torch.testing.assert_close(x.sum(dtype=torch.float64), x.double().sum())
        torch.testing.assert_close(x.T.sum(0), x.double().sum(1).float())
        torch.testing.assert_close(x.sum(dim=0), x.double().sum(dim=0).float())
        assert torch.equal(torch.max(x, dim=1).indices, x.argmax(dim=1))
        torch.testing.assert_close(torch.linalg.vector_norm(x, ord=math.inf), x.amax())
        with pytest.raises(IndexError):
            x.sum(dim=5)
    assert redtune.cached_reductions() > before


@pytest.mark.gpu
def test_a_graph_records_the_operators():
    x = torch.rand(40, 300, device="cuda")
    operators.amax(x, dim=-1)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        result = operators.amax(x, dim=-1)
    x.copy_(torch.rand(40, 300, device="cuda"))
    graph.replay()
    assert torch.equal(result, x.amax(dim=-1))
