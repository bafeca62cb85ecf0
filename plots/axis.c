#include "axis.h"

#include <math.h>
#include <string.h>

#include "../src/metric.h"

gboolean axis_see(enum axis_scale scale, double value, double *low, double *high)
{
	/* Beyond this a double overflows where gnuplot adds or multiplies. */
	if (!(fabs(value) <= 1e300) || (scale != AXIS_LINEAR && !(value >= 1e-300)))
		return FALSE;
	*low = fmin(*low, value);
	*high = fmax(*high, value);
	return TRUE;
}

/* A step of 1, 2 or 5 times a power of ten that divides the axis into at most n, and numbers that tell steps apart. */
static void divide(struct axis *axis, guint n)
{
	double least = (axis->high - axis->low) / n, power = pow(10, floor(log10(least))), mantissa = least / power;
	double largest = fmax(fabs(axis->low), fabs(axis->high));
	char low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE];
	int exponent, digits;

	axis->step = power * (mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10);
	/* log10() of a power of ten may fall short by a rounding error. */
	exponent = (int)floor(log10(axis->step) + 1e-9);
	digits = (int)floor(log10(largest)) - exponent + 1;
	if (largest < 1e7 && exponent >= -6)
		g_snprintf(axis->format, sizeof axis->format, "%%.%df", MAX(0, -exponent));
	else
		g_snprintf(axis->format, sizeof axis->format, "%%.%dg", CLAMP(digits, 1, 15));
	g_ascii_formatd(low, sizeof low, axis->format, axis->low);
	g_ascii_formatd(high, sizeof high, axis->format, axis->high);
	axis->columns = (guint)MAX(strlen(low), strlen(high));
}

static struct axis make_linear(double low, double high)
{
	double largest = fmax(fabs(low), fabs(high)), width = high - low;
	struct axis axis = {.scale = AXIS_LINEAR};

	if (width <= 1e-9 * largest || width < 1e-290)
		width = largest > 1e-280 ? largest : 20;
	axis.low = low - 0.05 * width;
	axis.high = high + 0.05 * width;
	if (low >= 0 && axis.low < 0)
		axis.low = 0;
	return axis;
}

/* Steps of a power of the base, at most n. */
static struct axis make_log(enum axis_scale scale, double low, double high, guint n)
{
	double base = scale == AXIS_LOG2 ? 2 : 10, widths, each;
	struct axis axis = {.scale = scale, .format = "%g", .columns = 6};

	if (high < low * (1 + 1e-9)) {
		low /= base;
		high *= base;
	}
	/* the ratio of the two may be more than a double holds */
	each = pow(high, 0.04) / pow(low, 0.04);
	axis.low = low / each;
	axis.high = high * each;
	widths = (log(axis.high) - log(axis.low)) / log(base);
	axis.step = pow(base, fmax(1, ceil(widths / n)));
	return axis;
}

#define DIVISIONS 7

struct axis axis_make(enum axis_scale scale, double low, double high, guint columns)
{
	struct axis axis;
	guint n = DIVISIONS;

	if (low > high) {
		low = scale == AXIS_LINEAR ? 0 : 1;
		high = scale == AXIS_LOG2 ? 2 : scale == AXIS_LOG10 ? 10 : 1;
	}
	if (scale != AXIS_LINEAR)
		return make_log(scale, low, high, CLAMP(columns / 8, 2, 16));
	axis = make_linear(low, high);
	divide(&axis, n);
	while (n > 2 && (axis.columns + 2) * (n + 1) > columns)
		divide(&axis, --n);
	return axis;
}

struct axis axis_make_upright(enum axis_scale scale, double low, double high, guint lines)
{
	/* a number takes a line, and wants another between it and the next */
	struct axis axis = axis_make(scale, low, high, 1000);

	if (scale == AXIS_LINEAR)
		divide(&axis, CLAMP(lines / 2, 2, DIVISIONS));
	return axis;
}

void axis_make_whole(struct axis *axis)
{
	if (axis->step >= 1)
		return;
	axis->step = 1;
	g_strlcpy(axis->format, "%.0f", sizeof axis->format);
}

#define EVEN_SPAN 4    /* of a logarithmic axis, up to which its divisions are even */
#define SHORT_SPAN 100 /* and up to which they are at 1, 2 and 5 */

static gboolean is_short(const struct axis *axis)
{
	double span = axis->high / axis->low;

	return (axis->scale == AXIS_LOG10 && span < SHORT_SPAN) || (axis->scale == AXIS_LOG2 && span < EVEN_SPAN);
}

/* Divisions of a logarithmic axis that is too short for powers of its base: of even steps, or at 1, 2 and 5. */
static void add_short_tics(const struct axis *axis, GString *script)
{
	static const double mantissas[] = {1, 2, 5};
	struct axis even = {.low = axis->low, .high = axis->high};
	char text[G_ASCII_DTOSTR_BUF_SIZE];
	gboolean is_even = axis->high < EVEN_SPAN * axis->low;
	double power = pow(10, floor(log10(axis->low))), at;
	const char *comma = "";

	divide(&even, DIVISIONS);
	for (guint i = 0; i < 3 * DIVISIONS; i++) {
		guint decades = i / 3;
		double decade = pow(10, decades);

		at = is_even ? even.step * (ceil(axis->low / even.step) + i) : power * decade * mantissas[i % 3];
		if (at < axis->low || at > axis->high)
			continue;
		g_string_append_printf(script, "%s%s", comma, g_ascii_formatd(text, sizeof text, "%.12g", at));
		comma = ", ";
	}
}

void axis_set(const struct axis *axis, char letter, GString *script)
{
	char low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE], step[G_ASCII_DTOSTR_BUF_SIZE];

	if (axis->scale == AXIS_LINEAR)
		g_string_append_printf(script, "unset logscale %c\n", letter);
	else
		g_string_append_printf(script, "set logscale %c %d\n", letter, axis->scale == AXIS_LOG2 ? 2 : 10);
	g_string_append_printf(script, "set %crange [%s:%s]\n", letter, g_ascii_dtostr(low, sizeof low, axis->low),
			       g_ascii_dtostr(high, sizeof high, axis->high));
	if (is_short(axis)) {
		g_string_append_printf(script, "set %ctics format '%s' nomirror (", letter, axis->format);
		add_short_tics(axis, script);
		g_string_append(script, ")\n");
		return;
	}
	g_string_append_printf(script, "set %ctics ", letter);
	/* left to itself gnuplot begins with the first digit of the range */
	if (axis->scale != AXIS_LINEAR)
		g_string_append_printf(
		    script, "%s, ",
		    g_ascii_dtostr(low, sizeof low, pow(axis->step, floor(log(axis->low) / log(axis->step)))));
	g_string_append_printf(script, "%s format '%s' nomirror\n", g_ascii_dtostr(step, sizeof step, axis->step),
			       axis->format);
}

char *axis_label(const struct metric *metric)
{
	const char *better = better_name(metric->better);

	return g_strdup_printf("%s%s%s%s%s%s%s", metric->name, *metric->unit ? " (" : "", metric->unit,
			       *metric->unit ? ")" : "", better ? ", " : "", better ? better : "",
			       better ? " is better" : "");
}
