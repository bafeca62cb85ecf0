# /usr/bin/python3 tests/reference/make_tukey.py > tests/reference/tukey.tsv   (python3-scipy)
# Tukey-Kramer by scipy.stats.tukey_hsd; Games and Howell from numpy's means and variances and the same distribution.
import sys
import warnings

import numpy as np
import scipy
from scipy.stats import studentized_range, tukey_hsd

warnings.simplefilter("ignore")
sets = {
    "kernels": [[10.2184, 10.0105, 10.0215], [7.84171, 7.68447, 7.85119], [5.88569, 5.95613, 5.8547]],
    "close": [[12.1, 11.8, 12.4, 12.0], [12.3, 12.2, 12.6], [11.9, 12.1, 12.0, 12.5, 12.2], [12.8, 12.4]],
    "ties": [[2, 2, 3], [3, 3, 4], [2, 3, 4], [3, 3, 3.5], [2, 4, 4]],
    "unequal spread": [[500.01, 500.02, 500.015, 500.012], [480, 520, 530.5], [499, 501.5, 502, 503.25, 498]],
    "pairs of two": [[1, 2], [2.5, 3], [7, 7.25]],
    "small": [[1.1e-9, 1.3e-9, 0.9e-9], [1.25e-9, 1.05e-9, 1.5e-9], [2.1e-9, 1.9e-9, 2.2e-9]],
}
print("# Python " + sys.version.split()[0] + ", SciPy " + scipy.__version__ +
      ": /usr/bin/python3 tests/reference/make_tukey.py")
print("case", "test", "sizes", "y", "base", "other", "level", "p", "low", "high", sep="\t")
for name, groups in sets.items():
    k = len(groups)
    sizes = ",".join(str(len(g)) for g in groups)
    y = ",".join("%.17g" % v for g in groups for v in g)
    hsd = tukey_hsd(*groups)
    interval = hsd.confidence_interval(0.95)
    for i in range(k):
        for j in range(i + 1, k):
            print(name, "tukey", sizes, y, i, j, 0.95, "%.17g" % hsd.pvalue[j, i], "%.17g" % interval.low[j, i],
                  "%.17g" % interval.high[j, i], sep="\t")
            a, b = np.array(groups[i]), np.array(groups[j])
            va, vb = a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)
            df = (va + vb) ** 2 / (va ** 2 / (len(a) - 1) + vb ** 2 / (len(b) - 1))
            d, se = b.mean() - a.mean(), np.sqrt((va + vb) / 2)
            half = studentized_range.ppf(0.9, k, df) * se
            print(name, "games-howell", sizes, y, i, j, 0.9, "%.17g" % studentized_range.sf(abs(d) / se, k, df),
                  "%.17g" % (d - half), "%.17g" % (d + half), sep="\t")
