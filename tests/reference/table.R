# What the scripts beside this one share: data sets that try the arithmetic, and exact printing.
# A table is a TSV: '#' lines, a header, rows. A cell is a text, a number with 17 digits, or numbers with commas between.

exact <- function(x) paste(ifelse(is.nan(x), "nan", sprintf("%.17g", x)), collapse = ",")

begin <- function(script, ...) {
  cat("# ", R.version.string, ": Rscript tests/reference/", script, "\n", sep = "")
  cat(..., sep = "\t")
  cat("\n")
}

row <- function(...) cat(vapply(list(...), function(cell) if (is.character(cell)) cell else exact(cell), ""), sep = "\t", fill = FALSE)
end <- function() cat("\n")

RNGversion("4.2.0")
set.seed(20011115)

# Names say what is hard about them.
samples <- list(
  throughput_247 = c(10.2184, 10.0105, 10.0215),
  throughput_ac10 = c(7.84171, 7.68447, 7.85119),
  throughput_pre8 = c(5.88569, 5.95613, 5.8547),
  two = c(3.5, 4.25),
  two_close = c(1000.001, 1000.002),
  ties = c(2, 2, 2, 3, 3, 5, 5, 5, 5, 9),
  one_off = c(7, 7, 7, 7, 7.5),
  integers = c(12, 15, 11, 19, 14, 13, 12, 22),
  skewed = round(rlnorm(20, 3, 0.8), 4),
  bimodal = round(c(rnorm(7, 100, 2), rnorm(3, 160, 3)), 3),
  normal_30 = rnorm(30, 50, 5),
  normal_101 = rnorm(101, 50, 0.5),
  giga = 1e9 + c(0.25, 1.5, 0.75, 2.25, 1, 0.5),
  nano = 1e-9 * c(1.1, 1.3, 0.9, 1.25, 1.05),
  nano_spread = 1 + 1e-9 * c(1, 3, 2, 5, 4),
  huge = 1e300 * c(1.5, 1.25, 1.75, 1.4),
  tiny = 1e-300 * c(1.5, 1.25, 1.75, 1.4),
  wide = c(1e-3, 1, 1e3, 1e6),
  loud = c(10, 1000, 20, 3000, 15),
  quiet = c(500.01, 500.02, 500.015, 500.012, 500.018, 500.011)
)
