# Rscript tests/reference/make_outliers.R > tests/reference/outliers.tsv
# gesd: by its definition, mean(), sd() and qt(); mad: mad(constant = 1); fences: quantile(type = 7)
source("tests/reference/table.R")

sets <- c(samples, list(
  twins = c(round(rnorm(20), 4), 12, 12), masked = c(round(rnorm(25, 10), 3), 30, 31, 29, -15),
  half_alike = c(rep(3, 9), 3.1, 2.9, 7, 3), one_stray = c(5, 5, 5, 5, 5, 9), low_high = c(1, round(rnorm(30, 50, 2), 2), 99),
  exponential = round(rexp(60), 5), long = round(rt(200, 3), 4), giga_stray = 1e9 + c(1, 2, 1.5, 2.5, 1.25, 40)
))
begin("make_outliers.R", "case", "x", "alpha", "r", "lambda", "outliers", "mad", "fences")
for (name in names(sets)) {
  x <- sets[[name]]
  n <- length(x)
  if (n < 3) next
  for (alpha in c(0.05, 0.01)) {
    # Offset and scale are taken out, exactly, where R would lose digits by them.
    z <- (x - switch(name, giga = 1e9, giga_stray = 1e9, nano_spread = 1, 0)) / switch(name, huge = 2^996, tiny = 2^-996, 1)
    steps <- min(10, n - 2)
    r <- lambda <- rep(NaN, steps)
    left <- z
    found <- 0
    for (i in 1:steps) {
      if (sd(left) == 0) break
      far <- which.max(abs(left - mean(left)))
      r[i] <- abs(left[far] - mean(left)) / sd(left)
      t <- qt(1 - alpha / (2 * (n - i + 1)), n - i - 1)
      lambda[i] <- (n - i) * t / sqrt((n - i - 1 + t^2) * (n - i + 1))
      if (r[i] > lambda[i]) found <- i
      left <- left[-far]
    }
    m <- mad(z, constant = 1)
    s <- if (m > 0) m / 0.6745 else mean(abs(z - median(z))) * sqrt(pi / 2)
    q <- quantile(z, c(0.25, 0.75), type = 7, names = FALSE)
    row(name, x, alpha, r, lambda, found, as.numeric(abs(z - median(z)) > 3.5 * s),
        as.numeric(z < q[1] - 1.5 * diff(q) | z > q[2] + 1.5 * diff(q)))
    end()
  }
}
