# python3 tests/reference/make_anderson_darling.py > tests/reference/anderson_darling.tsv       (python3-scipy)
# scipy.stats.anderson_ksamp: the statistic, and its p, interpolated between seven levels of a table, nan where that is
# capped (.001, .25). Groups are separated by "nan".
import warnings

import numpy as np
import scipy
from scipy import stats

warnings.simplefilter("ignore")
print("# SciPy " + scipy.__version__ + ": python3 tests/reference/make_anderson_darling.py")
print("case", "groups", "statistic", "p", sep="\t")
rng = np.random.default_rng(1987)


def line(name, groups):
    r = stats.anderson_ksamp(groups)
    p = np.nan if r.significance_level in (0.25, 0.001) else r.significance_level
    print(name, ",nan,".join(",".join("%.17g" % v for v in g) for g in groups), "%.17g" % r.statistic, "%.17g" % p, sep="\t")


line("2 v 2", [[1, 3], [2, 4]])
line("ties", [[1, 1, 2, 2, 2], [2, 3, 3, 3], [1, 2, 3]])
line("one of one", [[5], [1, 2, 3, 4], [2.5, 3.5, 4.5]])
line("nano", [1e-9 * np.array([1, 2, 3, 4.5, 7]), 1e-9 * np.array([3.5, 4, 8, 9])])
line("giga", [1e9 + np.array([1, 2, 3, 4.5, 7]), 1e9 + np.array([3.5, 4, 8, 9])])
for k in (2, 3, 4, 6):
    for n in (10, 50):
        for shift in (0.1, 0.5, 1):
            groups = [np.round(rng.normal(shift * 2.5 * (i == 0) / np.sqrt(n / 4), 1, n + i), 2 if n > 10 else 6) for i in range(k)]
            line("%d of %d, shift %g" % (k, n, shift), groups)
