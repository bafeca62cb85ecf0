# Rscript tests/reference/make_describe.R > tests/reference/describe.tsv
# mean, sd, quantile(type = 7), mad(constant = 1), t.test(x), exp(t.test(log(x)))
source("tests/reference/table.R")

signed <- list(
  negative = c(-5, -2.5, -7, -1),
  about_zero = c(-3, 1, -1, 2.5, 0.25),
  balanced_even = c(4, 1, 3, 2),
  giga_negative = -1e9 - c(1, 2, 4, 8)
)
begin("make_describe.R", "case", "x", "level", "mean", "sd", "median", "mad", "min", "max",
      "q10", "q25", "q75", "q99", "low", "high", "geometric", "geometric_low", "geometric_high")
sets <- c(samples, signed)
for (name in names(sets)) for (level in c(0.95, if (name %in% c("two", "skewed", "normal_30")) c(0.5, 0.9, 0.99, 0.999))) {
  x <- sets[[name]]
  # R's t.test overflows or underflows when it squares these: the scale is taken out, exactly, and put back.
  scale <- switch(name, huge = 2^996, tiny = 2^-996, 1)
  t <- t.test(x / scale, conf.level = level)
  g <- if (all(x > 0)) exp(c(mean(log(x)), t.test(log(x), conf.level = level)$conf.int)) else c(NaN, -Inf, Inf)
  q <- quantile(x, c(0.1, 0.25, 0.75, 0.99), type = 7, names = FALSE)
  row(name, x, level, scale * mean(x / scale), scale * sd(x / scale), median(x), mad(x, constant = 1), min(x), max(x),
      q[1], q[2], q[3], q[4], scale * t$conf.int[1], scale * t$conf.int[2], g[1], g[2], g[3])
  end()
}
