# Rscript tests/reference/make_tdist.R > tests/reference/tdist.tsv
# pt(t, df, lower.tail = FALSE) and qt(p, df, lower.tail = FALSE); pt up to df = 4e5, beyond which R approximates
source("tests/reference/table.R")

begin("make_tdist.R", "function", "argument", "df", "value")
for (df in c(1, 1.37, 2, 3, 5, 7.7, 10, 29, 31, 50, 99.5, 198, 1000, 12345.6, 4e5)) {
  for (t in c(-2, 0, 1e-9, 0.01, 0.5, 1, 1.7, 2, 3, 5, 8, 15, 30, 50, 1e3, 1e10, 1e100)) {
    value <- pt(t, df, lower.tail = FALSE)
    if (value > 1e-305) {
      row("tail", t, df, value)
      end()
    }
  }
  for (p in c(0.975, 0.5, 0.49, 0.3, 0.25, 0.2, 0.05, 0.025, 0.005, 1e-4, 1e-9, 1e-20, 1e-100, 1e-300)) {
    value <- suppressWarnings(qt(p, df, lower.tail = FALSE))
    # At the extremes qt goes wrong: its answer is kept where pt gives p back.
    if (is.finite(value) && abs(pt(value, df, lower.tail = FALSE) / p - 1) < 1e-11) {
      row("critical", p, df, value)
      end()
    }
  }
}
