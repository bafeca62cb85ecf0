# Rscript tests/reference/make_ttest.R > tests/reference/ttest.tsv
# t.test(y, x), paired or not, on the values or on their logarithms; equivalence by two one-sided t.test(mu = ).
source("tests/reference/table.R")

begin("make_ttest.R", "case", "test", "x", "y", "level", "estimate", "se", "df", "t", "p", "low", "high",
      "bound_low", "bound_high", "equivalence_p")

compare <- function(name, x, y, level = 0.95, paired = FALSE, log = FALSE, scale = 1) {
  f <- if (log) base::log else function(v) v / scale
  back <- if (log) 1 else scale
  a <- f(x)
  b <- f(y)
  t <- t.test(b, a, paired = paired, conf.level = level)
  estimate <- if (paired) mean(b - a) else mean(b) - mean(a)
  # Bounds about half a standard error outside the smaller and larger side of the estimate, so that p is neither 0 nor 1.
  bound <- abs(estimate) + 1.5 * t$stderr
  above <- t.test(b, a, paired = paired, mu = -bound, alternative = "greater")$p.value
  below <- t.test(b, a, paired = paired, mu = bound, alternative = "less")$p.value
  row(name, paste0(if (paired) "paired" else "welch", if (log) "-log" else ""), x, y, level, back * estimate,
      back * t$stderr, t$parameter, t$statistic, t$p.value, back * t$conf.int[1], back * t$conf.int[2],
      -back * bound, back * bound, max(above, below))
  end()
}

pairs <- list(
  c("throughput_247", "throughput_ac10"), c("throughput_247", "throughput_pre8"), c("throughput_ac10", "throughput_pre8"),
  c("two", "throughput_247"), c("two", "two_close"), c("two_close", "integers"), c("ties", "one_off"),
  c("integers", "ties"), c("skewed", "bimodal"), c("normal_30", "normal_101"), c("normal_101", "two"),
  c("giga", "giga"), c("nano", "nano_spread"), c("loud", "quiet"), c("quiet", "loud"), c("wide", "two"),
  c("bimodal", "normal_30")
)
for (pair in pairs) for (log in c(FALSE, TRUE)) for (level in c(0.95, 0.999)) {
  x <- samples[[pair[1]]]
  y <- samples[[pair[2]]]
  if (pair[1] == pair[2]) y <- rev(y)[-1]
  compare(paste(pair, collapse = " v "), x, y, level, log = log)
}
compare("huge", samples$huge, samples$huge[c(1, 3)] * 1.5, scale = 2^996)
compare("tiny", samples$tiny, samples$tiny[c(1, 3)] * 1.5, scale = 2^-996)
compare("giga apart", samples$giga, samples$giga + c(0.5, 0.25, 1, 0.75, 0.25, 0.5))

# p from 1e-5 down to where a double ends
base <- samples$normal_101
for (shift in c(1, 2, 5, 20, 100, 400)) compare(paste("shifted", shift), base, rev(base) + shift)
for (shift in c(1, 10, 1000)) compare(paste("shifted pairs", shift), base, rev(base) + shift, paired = TRUE)

for (name in c("throughput_247", "two", "ties", "skewed", "normal_30", "normal_101", "nano", "giga", "wide", "loud")) {
  x <- samples[[name]]
  noise <- round(rnorm(length(x)), 6)
  y <- if (name == "giga") x + 0.5 * noise else x * (1.1 + 0.02 * noise)
  for (log in c(FALSE, TRUE)) for (level in c(0.95, 0.9)) compare(name, x, y, level, paired = TRUE, log = log)
}
