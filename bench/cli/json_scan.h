/* Just enough JSON reading: members of objects are found in the text, nothing is allocated. */

#include <string.h>

static const char *after_space(const char *at) {
  while (*at == ' ' || *at == '\t' || *at == '\r') at++;
  return at;
}

static const char *after_string(const char *at) {
  for (at++; *at && *at != '"'; at++) {
    if (*at == '\\' && at[1]) at++;
  }
  return *at ? at + 1 : at;
}

static const char *after_value(const char *at) {
  at = after_space(at);
  if (*at == '"') return after_string(at);
  if (*at == '{' || *at == '[') {
    int depth = 0;
    do {
      if (*at == '"') {
        at = after_string(at);
        continue;
      }
      if (*at == '{' || *at == '[') depth++;
      else if (*at == '}' || *at == ']') depth--;
      at++;
    } while (depth && *at);
    return at;
  }
  while (*at && *at != ',' && *at != '}' && *at != ']') at++;
  return at;
}

/* The value of a member of the object at `at`; NULL if there is none. */
static const char *member(const char *at, const char *key) {
  if (!at) return NULL;
  at = after_space(at);
  if (*at != '{') return NULL;
  size_t length = strlen(key);
  for (at++;; at++) {
    at = after_space(at);
    if (*at != '"') return NULL;
    const char *name = at + 1;
    at = after_string(at);
    size_t name_length = at - 1 - name;
    at = after_space(at);
    if (*at != ':') return NULL;
    at = after_space(at + 1);
    if (name_length == length && !memcmp(name, key, length)) return at;
    at = after_space(after_value(at));
    if (*at != ',') return NULL;
  }
}

/* Whether a value is this string. */
static int is_text(const char *value, const char *text) {
  size_t length = strlen(text);
  return value && *value == '"' && !strncmp(value + 1, text, length) && value[1 + length] == '"';
}

/* Copies a string, still escaped; empty if the value is no string. */
static void copy_text(const char *value, char *to, size_t capacity) {
  to[0] = 0;
  if (!value || *value != '"') return;
  size_t length = after_string(value) - value - 2;
  if (length >= capacity) length = capacity - 1;
  memcpy(to, value + 1, length);
  to[length] = 0;
}
