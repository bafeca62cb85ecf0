# Rscript tests/reference/make_power.R > tests/reference/power.tsv
# power.t.test(strict = TRUE); its root finding tightened as far as it goes
source("tests/reference/table.R")

begin("make_power.R", "unknown", "design", "n", "delta", "sd", "alpha", "power")
solve <- function(...) power.t.test(..., strict = TRUE, tol = 1e-14)
for (design in c("two.sample", "paired")) {
  out <- function(unknown, n, delta, sd, alpha, power) {
    row(unknown, if (design == "paired") "paired" else "unpaired", n, delta, sd, alpha, power)
    end()
  }
  for (alpha in c(0.05, 0.01, 0.05 / 28)) {
    for (n in c(2, 2.5, 3, 5, 10, 30, 200)) for (effect in c(0, 0.1, 0.5, 1, 2, 5))
      out("power", n, effect * 3, 3, alpha, solve(n = n, delta = effect * 3, sd = 3, sig.level = alpha, type = design)$power)
    for (n in c(2, 3, 5, 10, 30, 200)) for (power in c(0.5, 0.8, 0.95)) {
      # Beyond a noncentrality of 37 R goes over to a normal approximation.
      delta <- suppressWarnings(tryCatch(solve(n = n, sd = 0.02, sig.level = alpha, power = power, type = design)$delta, error = function(e) NA))
      if (!is.na(delta) && delta / 0.02 * sqrt(n / 2) < 26) out("delta", n, delta, 0.02, alpha, power)
    }
    for (effect in c(0.05, 0.2, 0.5, 1, 2)) for (power in c(0.5, 0.8, 0.95)) {
      n <- solve(delta = effect, sd = 1, sig.level = alpha, power = power, type = design)$n
      if (n >= 2) out("n", n, effect, 1, alpha, power)
    }
  }
}
