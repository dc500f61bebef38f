/* What was measured here, as JSON text; it travels in the `result` message. */

static char *report;
static size_t report_length, report_capacity;

__attribute__((format(printf, 1, 2))) static void add_to_report(const char *format, ...) {
  if (report_capacity - report_length < 4096) {
    report_capacity += 16384;
    report = realloc(report, report_capacity);
  }
  va_list values;
  va_start(values, format);
  report_length += vsnprintf(report + report_length, report_capacity - report_length, format, values);
  va_end(values);
}

/* The report as it stands in a JSON string. The caller frees it. */
static char *escaped_report(void) {
  char *text = malloc(report_length * 2 + 1);
  size_t length = 0;
  for (size_t at = 0; at < report_length; at++) {
    if (report[at] == '"' || report[at] == '\\') text[length++] = '\\';
    text[length++] = report[at];
  }
  text[length] = 0;
  return text;
}
