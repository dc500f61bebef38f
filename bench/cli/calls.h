/* Control requests of the CLI, some of them open at once, timed from before the write to after the read of the answer. */

static char hook_id[256] = "hook_0";
static char folder[4096];

/* Defined in fast_cli.c: what to do with a line that answers none of these requests. */
static void take_line(const char *line);

static void send_call(const char *kind, unsigned number) {
  put_format("{\"type\":\"control_request\",\"request_id\":\"7e7e7e7e-0000-4000-8000-%012x\",\"request\":", number);
  if (!strcmp(kind, "permission")) {
    put_format("{\"subtype\":\"can_use_tool\",\"tool_name\":\"Bash\",\"display_name\":\"Bash\","
               "\"input\":{\"command\":\"echo %u\"},\"permission_suggestions\":[{\"type\":\"addRules\","
               "\"rules\":[{\"toolName\":\"Bash\"}],\"behavior\":\"allow\",\"destination\":\"localSettings\"}],"
               "\"tool_use_id\":\"toolu_%u\"}", number, number);
  } else if (!strcmp(kind, "mcp")) {
    put_format("{\"subtype\":\"mcp_message\",\"server_name\":\"bench\",\"message\":{\"method\":\"tools/call\","
               "\"params\":{\"name\":\"add\",\"arguments\":{\"a\":%u,\"b\":2},"
               "\"_meta\":{\"claudecode/toolUseId\":\"toolu_%u\",\"progressToken\":%u}},\"jsonrpc\":\"2.0\",\"id\":%u}}",
               number, number, number, number + 10);
  } else {
    put_format("{\"subtype\":\"hook_callback\",\"callback_id\":\"%s\",\"input\":{\"session_id\":\"%s\","
               "\"transcript_path\":\"/nonexistent/%s.jsonl\",\"cwd\":\"%s\",\"permission_mode\":\"default\","
               "\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"echo %u\"},"
               "\"tool_use_id\":\"toolu_%u\"},\"tool_use_id\":\"toolu_%u\"}",
               hook_id, session_id, session_id, folder, number, number, number);
  }
  put_format("}\n");
  flush_out();
}

/* Whether an answer says what the question asked for. */
static int is_good_answer(const char *kind, const char *response) {
  const char *body = member(response, "response");
  if (!is_text(member(response, "subtype"), "success")) return 0;
  if (!strcmp(kind, "mcp")) {
    const char *result = member(member(body, "mcp_response"), "result");
    return result && !member(result, "isError");
  }
  if (!strcmp(kind, "permission")) return is_text(member(body, "behavior"), "allow");
  return 1;
}

static int by_size(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* `count` calls after `warm` that are not counted. `echo`: any line is the answer to the oldest call. */
static void make_calls(const char *kind, unsigned count, unsigned open_at_once, unsigned warm) {
  unsigned total = count + warm, sent = 0, answered = 0, faults = 0;
  if (!count || !open_at_once) return;
  uint64_t *asked_at = calloc(total, sizeof *asked_at), *took = calloc(total, sizeof *took);
  uint64_t started_at = 0, ended_at = 0;
  while (answered < total) {
    while (sent < total && sent - answered < open_at_once) {
      asked_at[sent] = now_ns();
      if (sent == warm) started_at = asked_at[sent];
      send_call(kind, sent++);
    }
    char *line = next_line();
    if (!line) break;
    unsigned number = answered;
    if (strcmp(kind, "echo")) {
      const char *response = member(line, "response");
      char id[80];
      copy_text(member(response, "request_id"), id, sizeof id);
      if (!is_text(member(line, "type"), "control_response") || strncmp(id, "7e7e7e7e-", 9)) {
        take_line(line);
        continue;
      }
      number = strtoul(id + 24, NULL, 16);
      if (number >= total || took[number]) continue;
      if (!is_good_answer(kind, response)) faults++;
    }
    took[number] = read_at - asked_at[number] + 1;
    ended_at = read_at;
    answered++;
  }
  if (answered < total) add_to_report("{\"unanswered\":%u},", total - answered);
  else {
    uint64_t *sorted = took + warm;
    qsort(sorted, count, sizeof *sorted, by_size);
    add_to_report("{\"p50\":%.2f,\"p99\":%.2f,\"perSecond\":%.1f,\"faults\":%u},", sorted[(count - 1) / 2] / 1e3,
                  sorted[(size_t)((count - 1) * 0.99)] / 1e3, count / ((ended_at - started_at) / 1e9), faults);
  }
  free(asked_at);
  free(took);
}
