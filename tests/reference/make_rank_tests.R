# Rscript tests/reference/make_rank_tests.R > tests/reference/rank_tests.tsv
# wilcox.test(y, x), paired or not: exact where there are no ties (and no zero differences), normal with ties and the
# correction for continuity; ks.test(x, y), exact with ties.
source("tests/reference/table.R")

begin("make_rank_tests.R", "case", "test", "x", "y", "statistic", "p")

line <- function(name, test, x, y, result) {
  row(name, test, x, y, result$statistic, result$p.value)
  end()
}
pairs <- list(
  c("throughput_247", "throughput_ac10"), c("throughput_247", "two"), c("two", "two_close"), c("integers", "ties"),
  c("skewed", "bimodal"), c("normal_30", "skewed"), c("normal_101", "normal_30"), c("giga", "loud"), c("nano", "tiny"),
  c("loud", "quiet"), c("wide", "two"), c("bimodal", "normal_101"), c("nano_spread", "one_off"), c("skewed", "wide"),
  c("normal_101", "quiet"), c("huge", "giga")
)
for (pair in pairs) {
  x <- samples[[pair[1]]]
  y <- samples[[pair[2]]]
  name <- paste(pair, collapse = " v ")
  for (shifted in c(FALSE, TRUE)) {
    # The medians brought together, so that the sides overlap.
    if (shifted) y <- signif(y * (median(x) / median(y)), 12)
    ties <- anyDuplicated(c(x, y)) > 0
    if (!ties && length(x) * length(y) <= 2500)
      line(name, "mann-whitney", x, y, wilcox.test(y, x, exact = TRUE))
    line(name, "mann-whitney-normal", x, y, suppressWarnings(wilcox.test(y, x, exact = FALSE)))
    line(name, "kolmogorov-smirnov", x, y, ks.test(x, y, exact = TRUE))
  }
}
coarse_x <- round(rnorm(400, 20, 4))
coarse_y <- round(rnorm(300, 20.6, 5))
line("coarse", "mann-whitney", coarse_x, coarse_y, wilcox.test(coarse_y, coarse_x, exact = FALSE))
line("coarse", "kolmogorov-smirnov", coarse_x, coarse_y, ks.test(coarse_x, coarse_y, exact = TRUE))
line("50 a side", "mann-whitney", samples$normal_101[1:50], samples$normal_101[51:100] + 0.2,
     wilcox.test(samples$normal_101[51:100] + 0.2, samples$normal_101[1:50], exact = TRUE))

for (name in c("throughput_247", "two", "skewed", "normal_30", "normal_101", "integers", "nano", "giga", "wide", "loud", "tiny")) {
  x <- samples[[name]]
  for (shift in c(0, 0.4)) {
    y <- x + (rnorm(length(x)) + shift) * (max(x) - min(x)) / 4
    if (anyDuplicated(abs(y - x)) == 0)
      line(name, "signed-rank", x, y, wilcox.test(y, x, paired = TRUE, exact = TRUE))
  }
}
for (n in c(201, 250, 400)) {
  x <- round(rnorm(n, 30, 3))
  y <- round(x + rnorm(n, 0.2, 2))
  line(paste(n, "coarse"), "signed-rank", x, y, suppressWarnings(wilcox.test(y, x, paired = TRUE, exact = FALSE)))
}
