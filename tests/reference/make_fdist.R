# Rscript tests/reference/make_fdist.R > tests/reference/fdist.tsv
# pf(f, df1, df2, lower.tail = FALSE)
source("tests/reference/table.R")

begin("make_fdist.R", "f", "df1", "df2", "p")
for (df1 in c(1, 2, 3.5, 8, 99, 1e5)) for (df2 in c(1, 2.57, 12, 180, 18000, 1e6)) for (f in c(1e-6, 0.3, 0.9, 1, 1.1, 3, 21, 2001)) {
  p <- pf(f, df1, df2, lower.tail = FALSE)
  if (p > 1e-300) { row(f, df1, df2, p); end() }
}
