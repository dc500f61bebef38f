/* Lines that carry messages: made once; only their number is written anew for each. */

static const char *session_id = "00000000-0000-4000-8000-00000000beef";

typedef struct {
  char *text;
  size_t length;
  size_t number_at;
} Line;

/* Text that is parsed as program text is: escapes now and then, only ASCII. */
static void fill(char *to, size_t length) {
  static const char words[] = "const value = await reader.next(); if (value.done) return total + 1; // fold the rest ";
  for (size_t at = 0; at < length; at++) to[at] = words[at % (sizeof words - 1)];
  for (size_t at = 62; at + 2 < length; at += 64) {
    to[at] = '\\';
    to[at + 1] = at / 64 % 2 ? '"' : 'n';
  }
}

/* A line of `size` bytes, newline included. `kind`: assistant, tool_result or partial. */
static Line make_line(const char *kind, size_t size) {
  const char *id = "00000000-0000-4000-8000-000000000000";
  const char *type = "assistant";
  const char *head = "\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"fast-1\","
                     "\"content\":[{\"type\":\"text\",\"text\":\"";
  const char *tail = "\"}],\"stop_reason\":null,\"stop_sequence\":null,"
                     "\"usage\":{\"input_tokens\":10,\"output_tokens\":1}}}\n";
  if (!strcmp(kind, "tool_result")) {
    type = "user";
    head = "\"message\":{\"role\":\"user\",\"content\":[{\"tool_use_id\":\"toolu_1\",\"type\":\"tool_result\",\"content\":\"";
    tail = "\"}]}}\n";
  } else if (!strcmp(kind, "partial")) {
    type = "stream_event";
    head = "\"event\":{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"";
    tail = "\"}}}\n";
  }
  char start[1024];
  size_t start_length = snprintf(start, sizeof start,
                                 "{\"type\":\"%s\",\"uuid\":\"%s\",\"session_id\":\"%s\",\"parent_tool_use_id\":null,%s",
                                 type, id, session_id, head);
  size_t tail_length = strlen(tail);
  if (size < start_length + tail_length + 1) size = start_length + tail_length + 1;
  Line line = {malloc(size), size, strstr(start, id) - start + 28};
  memcpy(line.text, start, start_length);
  fill(line.text + start_length, size - start_length - tail_length);
  memcpy(line.text + size - tail_length, tail, tail_length);
  return line;
}

/* Writes a number into the last eight digits of a line's uuid. */
static void number_line(Line *line, unsigned number) {
  for (int digit = 7; digit >= 0; digit--, number >>= 4) {
    line->text[line->number_at + digit] = "0123456789abcdef"[number & 15];
  }
}
