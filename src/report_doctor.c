#include "report_doctor.h"

#include "doctor.h"
#include "report_json.h"
#include "table.h"
#include "unit.h"

#define WIDTH 80
#define NAME_WIDTH 11
#define LEVEL_WIDTH 7
#define INDENT (LEVEL_WIDTH + 2 + NAME_WIDTH + 2)

static void append_finding(const char *name, const struct finding *finding, GString *out)
{
	/* the text of what is not available says so itself */
	const char *level = finding->level == FINDING_UNAVAILABLE ? "-" : finding_level_name(finding->level);
	g_autofree char *text = text_printable(finding->text), *head = NULL;
	gsize start = out->len;

	head = g_strdup_printf("%-*s  %-*s  ", LEVEL_WIDTH, level, NAME_WIDTH, name);
	text_wrap(text, INDENT, INDENT + 2, WIDTH, out);
	g_string_overwrite(out, start, head);
	if (finding->advice) {
		g_autofree char *advice = text_printable(finding->advice), *line = g_strconcat("-> ", advice, NULL);

		text_wrap(line, INDENT, INDENT + 2, WIDTH, out);
	}
}

void report_doctor_text(const GArray *findings, GString *out)
{
	guint count[FINDING_UNAVAILABLE + 1] = {0};

	for (enum finding_level level = FINDING_WARNING; level <= FINDING_UNAVAILABLE; level++)
		for (guint i = 0; i < findings->len; i++) {
			const struct finding *finding = &g_array_index(findings, struct finding, i);

			if (finding->level != level)
				continue;
			count[level]++;
			append_finding(check_table[i].name, finding, out);
		}
	g_string_append_printf(out, "%u warning%s, %u note%s\n", count[FINDING_WARNING],
			       count[FINDING_WARNING] == 1 ? "" : "s", count[FINDING_NOTE],
			       count[FINDING_NOTE] == 1 ? "" : "s");
}

void report_doctor_json(const GArray *findings, GString *out)
{
	json_t *root = json_object(), *array = json_array();

	for (guint i = 0; i < findings->len; i++) {
		const struct finding *finding = &g_array_index(findings, struct finding, i);
		json_t *object = json_object();

		json_put(object, "name", json_of_text(check_table[i].name));
		json_put(object, "level", json_of_text(finding_level_name(finding->level)));
		json_put(object, "text", json_of_text(finding->text));
		json_put(object, "advice", json_of_text(finding->advice));
		json_array_append_new(array, object);
	}
	json_put(root, "schema", json_string(JSON_SCHEMA));
	json_put(root, "findings", array);
	json_print(root, out);
}
