# python3 tests/reference/make_change_between.py > tests/reference/change_between.tsv                (python3-numpy)
# The best split between groups by its definition, over all splits and ends at their starts.
import numpy as np


def best(x, starts):
    distances = np.abs(x[:, None] - x[None])
    bounds, top = list(starts[1:]) + [len(x)], (-np.inf, len(x))
    for a in bounds[:-1]:
        for end in bounds:
            b = end - a
            if a < 2 or b < 2:
                continue
            q = a * b / (a + b) * (2 * distances[:a, a:end].mean() - distances[:a, :a].sum() / (a * (a - 1)) -
                                   distances[a:end, a:end].sum() / (b * (b - 1)))
            if q > top[0] + 1e-12:
                top = (q, a)
    return top


rng = np.random.default_rng(20011115)
print("# NumPy %s: python3 tests/reference/make_change_between.py" % np.__version__)
print("case\tx\tstarts\tindex\tq")
for i in range(24):
    sizes = rng.integers(1, 6, size=int(rng.integers(3, 9)))
    sizes[0] += 1
    sizes[-1] += 1
    starts = np.r_[0, np.cumsum(sizes)[:-1]]
    n, at = int(sizes.sum()), int(starts[len(starts) // 2])
    shift = (12.0, 40.0, 1e3)[i % 3]
    x = np.round(rng.normal(100, 3, n) + np.where(np.arange(n) < at, 0, shift), 3)
    q, index = best(x, starts)
    print("step %g" % shift, ",".join(map(repr, x.tolist())), ",".join(map(str, starts)), index, repr(float(q)), sep="\t")
