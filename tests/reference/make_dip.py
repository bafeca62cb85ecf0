# python3 tests/reference/make_dip.py > tests/reference/dip.tsv                                      (python3-scipy)
# The dip by its definition: for each place of the mode, where there may be an atom, the distribution function that is
# convex before and concave after and nearest to the sample's, by linear programming (to about 1e-9).
import numpy as np
import scipy
from scipy.optimize import linprog


def nearest(x, mode):
    v, counts = np.unique(x, return_counts=True)
    k, n = len(v), len(x)
    up = np.cumsum(counts) / n
    low = up - counts / n
    # Unknowns: the function at v[0..k), before the atom at v[mode]; after it; the distance.
    rows, bounds = [], []

    def require(terms, bound):
        row = np.zeros(k + 2)
        for i, c in terms:
            row[i] += c
        rows.append(row)
        bounds.append(bound)

    def chain(unknowns, places, sign):
        for i in range(len(unknowns) - 1):
            require([(unknowns[i], 1), (unknowns[i + 1], -1)], 0)
        for i in range(1, len(unknowns) - 1):
            before, after = places[i] - places[i - 1], places[i + 1] - places[i]
            require([(unknowns[i], sign * (1 / before + 1 / after)), (unknowns[i - 1], -sign / before),
                     (unknowns[i + 1], -sign / after)], 0)

    for i in range(k):
        near = [(i, low[i]), (k, up[i])] if i == mode else [(i, low[i]), (i, up[i])]
        for unknown, value in near:
            require([(unknown, 1), (k + 1, -1)], value)
            require([(unknown, -1), (k + 1, -1)], -value)
    require([(mode, 1), (k, -1)], 0)
    chain(list(range(mode + 1)), v[:mode + 1], 1)
    chain([k] + list(range(mode + 1, k)), v[mode:], -1)
    objective = np.zeros(k + 2)
    objective[k + 1] = 1
    return linprog(objective, A_ub=np.array(rows), b_ub=bounds, bounds=[(0, 1)] * (k + 2), method="highs").fun


rng = np.random.default_rng(20011115)
print("# SciPy %s: python3 tests/reference/make_dip.py" % scipy.__version__)
print("case\tx\tdip")
for i in range(60):
    n = int(rng.integers(4, 31))
    name, x = (("normal", rng.normal(size=n)), ("ties", rng.integers(0, 8, n)), ("modes", np.r_[rng.normal(size=n), rng.normal(5, 1, n)]),
               ("skewed", rng.exponential(size=n)), ("few", rng.integers(0, 3, n)), ("giga", 1e9 + rng.uniform(size=n)))[i % 6]
    x = np.round(np.asarray(x, float), 3)
    if len(np.unique(x)) > 1:
        print(name, ",".join(map(repr, x)), repr(min(nearest(x - x.min(), mode) for mode in range(len(np.unique(x))))), sep="\t")
