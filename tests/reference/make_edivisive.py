# python3 tests/reference/make_edivisive.py > tests/reference/edivisive.tsv                          (python3-numpy)
# The best split by its definition, over all splits and ends; p: over all orders of the values, where these are few
import itertools
import numpy as np


def best(x, least):
    distances = np.abs(x[:, None] - x[None])
    top, n = (-np.inf, len(x)), len(x)
    for a in range(least, n):
        for end in range(a + least, n + 1):
            b = end - a
            q = a * b / (a + b) * (2 * distances[:a, a:end].mean() - distances[:a, :a].sum() / (a * (a - 1)) -
                                   distances[a:end, a:end].sum() / (b * (b - 1)))
            if q > top[0] + 1e-12:
                top = (q, a)
    return top


rng = np.random.default_rng(20011115)
print("# NumPy %s: python3 tests/reference/make_edivisive.py" % np.__version__)
print("case\tx\tmin_length\tindex\tq\tp")
for i in range(48):
    n = int(rng.integers(4, 40))
    name, x = (("noise", rng.normal(size=n)), ("step", np.r_[rng.normal(size=n), rng.normal(3, 1, 10)]),
               ("burst", np.r_[rng.normal(size=n), rng.normal(4, 1, 5), rng.normal(size=20)]),
               ("spread", np.r_[rng.normal(size=n), rng.normal(0, 6, 15)]))[i % 4]
    x = np.round(x, 3)
    least = 2 + i // 4 % 3
    if len(x) >= 2 * least:
        q, at = best(x, least)
        print(name, ",".join(map(repr, x)), least, at, repr(q), "nan", sep="\t")
for x in ((0, 1, 0.5, 5, 6, 5.5), (1, 4, 2, 8, 3, 5, 7), (1, 2, 1, 2, 9, 8, 9.5)):
    x = np.array(x, float)
    q, at = best(x, 2)
    orders = [best(np.array(o), 2)[0] >= q - 1e-9 for o in itertools.permutations(x)]
    print("all_orders", ",".join(map(repr, x)), 2, at, repr(q), repr(float(np.mean(orders))), sep="\t")
