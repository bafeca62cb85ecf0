# Rscript tests/reference/make_adjust.R > tests/reference/adjust.tsv
# p.adjust(p, "holm") and p.adjust(p, "BH"), in which NA is no test
source("tests/reference/table.R")

begin("make_adjust.R", "case", "p", "holm", "bh")
sets <- list(
  kernels = c(1.184e-05, 8.173e-07), swap_full = c(0.0486, 0.3, 0.7), one = 0.03, none = c(NaN, NaN),
  missing = c(0.01, NaN, 0.04, 0.03, NaN), missing_first = c(NaN, 0.02, 0.01), ties = c(0.01, 0.02, 0.01, 0.02, 0.02),
  all_alike = rep(0.012, 6), ends = c(0, 1, 0.5, 1, 0), monotone = c(0.01, 0.0101, 0.0102, 0.5),
  tiny = c(1e-300, 1e-310, 1e-5), rising = sort(round(runif(12), 5)), falling = rev(sort(round(runif(12)^4, 7))),
  many = signif(runif(60)^3, 6)
)
for (name in names(sets)) {
  p <- sets[[name]]
  adjusted <- function(method) ifelse(is.nan(p), NaN, p.adjust(p, method))
  row(name, p, adjusted("holm"), adjusted("BH"))
  end()
}
