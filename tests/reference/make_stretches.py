# python3 tests/reference/make_stretches.py > tests/reference/stretches.tsv
# Wald-Wolfowitz: all orders of the two sides listed (small), or counted by a recursion in whole numbers (large)
import itertools
from fractions import Fraction
from functools import lru_cache
import sys


def listed(above, below):
    counts = {}
    for places in itertools.combinations(range(above + below), above):
        sides = [i in places for i in range(above + below)]
        stretches = 1 + sum(a != b for a, b in zip(sides, sides[1:]))
        counts[stretches] = counts.get(stretches, 0) + 1
    return counts


@lru_cache(None)
def counted(above, below, last):
    """Orders by their number of stretches, as a tuple, that end on the side last."""
    left = (above - 1, below) if last else (above, below - 1)
    if min(left) < 0:
        return ()
    if left == (0, 0):
        return (0, 1)
    same, other = counted(*left, last), (0,) + counted(*left, not last)
    size = max(len(same), len(other))
    return tuple((same[i] if i < len(same) else 0) + (other[i] if i < len(other) else 0) for i in range(size))


def both(above, below):
    counts = {}
    for last in (True, False):
        for stretches, orders in enumerate(counted(above, below, last)):
            counts[stretches] = counts.get(stretches, 0) + orders
    return counts


sys.setrecursionlimit(10000)
print("# Python %d.%d: python3 tests/reference/make_stretches.py" % sys.version_info[:2])
print("above\tbelow\tstretches\tat_most\tat_least")
for above, below in ((1, 1), (2, 3), (5, 5), (1, 8), (7, 6), (8, 8), (3, 9), (15, 15), (20, 31), (60, 45), (100, 100)):
    counts = listed(above, below) if above + below <= 16 else both(above, below)
    orders = sum(counts.values())
    found = [k for k in counts if counts[k]]
    for stretches in found if above + below <= 16 else found[::7]:
        print(above, below, stretches, *(repr(float(Fraction(sum(c for k, c in counts.items() if test(k)), orders)))
              for test in (lambda k: k <= stretches, lambda k: k >= stretches)), sep="\t")
