/* fast_cli: a stand-in for the agent CLI that costs next to nothing.
 *
 * It speaks stream-json on stdin and stdout as CLI 2.1.332 does, in what an SDK has to wait for: it answers `initialize`
 * and every other control request, shakes hands with in-process MCP servers that came without a manifest, tells the
 * states of the session and the life of user lines to a host that asks for them, and ends at once when its input ends.
 * Each user message runs the script in BENCH_SCRIPT, and then a result comes, whose text is JSON with what was measured.
 *
 *   BENCH_SCRIPT    steps separated by ';'
 *     messages n=1000 size=300 kind=assistant|tool_result|partial    lines of `size` bytes, newline included
 *     calls n=1000 open=1 warm=100 kind=hook|permission|mcp|echo     control requests, `open` of them at once; echo: any
 *                                                                    line answers the oldest
 *     sleep ms=10
 *   BENCH_PROGRESS  a file for what pipes.h calls progress
 *
 * Other variables are the real CLI's: CLAUDE_CODE_SDK_READS_SESSION_STATE, CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS.
 */
#define _GNU_SOURCE
#include "json_scan.h"
#include "pipes.h"
#include "message_lines.h"
#include "report.h"
#include "calls.h"
#include <signal.h>

static int is_set(const char *variable) {
  const char *value = getenv(variable);
  return value && *value;
}

/* ---------- what goes around a turn ---------- */

static void say_state(const char *state) {
  int for_all = is_set("CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS");
  if (!for_all && !is_set("CLAUDE_CODE_SDK_READS_SESSION_STATE")) return;
  put_format("{\"type\":\"system\",\"subtype\":\"session_state_changed\",\"state\":\"%s\",%s"
             "\"uuid\":\"00000000-0000-4000-8000-0000000000b1\",\"session_id\":\"%s\"}\n",
             state, for_all ? "" : "\"sdk_host_only\":true,", session_id);
}

static void say_lifecycle(const char *line_uuid, const char *state) {
  if (!*line_uuid) return;
  put_format("{\"type\":\"command_lifecycle\",\"command_uuid\":\"%s\",\"state\":\"%s\","
             "\"uuid\":\"00000000-0000-4000-8000-0000000000b2\",\"session_id\":\"%s\"}\n",
             line_uuid, state, session_id);
}

static void say_init(void) {
  put_format("{\"type\":\"system\",\"subtype\":\"init\",\"cwd\":\"%s\",\"session_id\":\"%s\","
             "\"tools\":[\"Task\",\"Bash\",\"Edit\",\"Read\",\"Write\",\"Glob\",\"Grep\",\"WebFetch\",\"mcp__bench__add\"],"
             "\"mcp_servers\":[{\"name\":\"bench\",\"status\":\"connected\",\"source\":\"sdk\"}],\"model\":\"fast-1\","
             "\"permissionMode\":\"default\",\"slash_commands\":[\"compact\",\"context\",\"cost\"],"
             "\"apiKeySource\":\"ANTHROPIC_API_KEY\",\"claude_code_version\":\"2.1.332\",\"output_style\":\"default\","
             "\"agents\":[\"general-purpose\"],\"skills\":[],\"plugins\":[],"
             "\"capabilities\":[\"interrupt_receipt_v1\",\"msg_lifecycle_v1\",\"sdk_mcp_manifests\"],"
             "\"uuid\":\"00000000-0000-4000-8000-0000000000a1\"}\n",
             folder, session_id);
  flush_out();
}

static void say_result(void) {
  char *text = escaped_report();
  put_format("{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"duration_ms\":1,\"duration_api_ms\":1,"
             "\"num_turns\":1,\"stop_reason\":\"end_turn\",\"session_id\":\"%s\",\"total_cost_usd\":0,"
             "\"usage\":{\"input_tokens\":1,\"cache_creation_input_tokens\":0,\"cache_read_input_tokens\":0,"
             "\"output_tokens\":1,\"service_tier\":\"standard\"},\"modelUsage\":{},\"permission_denials\":[],"
             "\"terminal_reason\":\"completed\",\"uuid\":\"00000000-0000-4000-8000-0000000000ff\",\"result\":\"%s\"}\n",
             session_id, text);
  free(text);
  flush_out();
}

/* ---------- the script ---------- */

/* The value of `key=value` in a step. */
static void setting(const char *step, const char *key, char *to, size_t capacity) {
  size_t length = strlen(key);
  for (const char *at = strchr(step, ' '); at; at = strchr(at + 1, ' ')) {
    if (strncmp(at + 1, key, length) || at[1 + length] != '=') continue;
    const char *value = at + 2 + length;
    size_t end = strcspn(value, " ;");
    if (end >= capacity) end = capacity - 1;
    memcpy(to, value, end);
    to[end] = 0;
    return;
  }
}

static double number_setting(const char *step, const char *key, double otherwise) {
  char text[64] = "";
  setting(step, key, text, sizeof text);
  return *text ? atof(text) : otherwise;
}

static void send_messages(unsigned count, size_t size, const char *kind) {
  static unsigned number;
  Line line = make_line(kind, size);
  uint64_t started_at = now_ns();
  for (unsigned sent = 0; sent < count; sent++) {
    number_line(&line, ++number);
    put(line.text, line.length);
  }
  flush_out();
  add_to_report("{\"messages\":%u,\"bytes\":%.0f,\"ms\":%.3f},", count, (double)line.length * count,
                (now_ns() - started_at) / 1e6);
  free(line.text);
}

static void run_step(const char *step) {
  char kind[32] = "assistant";
  setting(step, "kind", kind, sizeof kind);
  if (!strncmp(step, "messages ", 9)) {
    send_messages(number_setting(step, "n", 1), number_setting(step, "size", 300), kind);
  } else if (!strncmp(step, "calls ", 6)) {
    make_calls(kind, number_setting(step, "n", 1000), number_setting(step, "open", 1), number_setting(step, "warm", 0));
  } else if (!strncmp(step, "sleep ", 6)) {
    usleep(number_setting(step, "ms", 1) * 1000);
  } else {
    fprintf(stderr, "fast_cli: no such step: %s\n", step);
    exit(2);
  }
}

static void run_turn(const char *user_line) {
  char uuid[80];
  copy_text(member(user_line, "uuid"), uuid, sizeof uuid);
  say_state("running");
  say_lifecycle(uuid, "queued");
  say_lifecycle(uuid, "started");
  say_init();
  report_length = 0;
  add_to_report("[");
  const char *script = getenv("BENCH_SCRIPT");
  char *steps = strdup(script ? script : ""), *rest = NULL;
  for (char *step = strtok_r(steps, ";", &rest); step; step = strtok_r(NULL, ";", &rest)) run_step(after_space(step));
  free(steps);
  if (report[report_length - 1] == ',') report_length--;
  add_to_report("]");
  say_result();
  say_lifecycle(uuid, "completed");
  say_state("idle");
  flush_out();
}

/* ---------- control requests of the host ---------- */

/* Sends an in-process MCP server a message and waits for what comes back. */
static void send_to_server(const char *server, int id, const char *method, const char *parameters) {
  char number[32] = "";
  if (id >= 0) snprintf(number, sizeof number, "\"id\":%d,", id);
  put_format("{\"type\":\"control_request\",\"request_id\":\"6d6d6d6d-0000-4000-8000-%012x\",\"request\":"
             "{\"subtype\":\"mcp_message\",\"server_name\":\"%s\",\"message\":{\"jsonrpc\":\"2.0\",%s\"method\":\"%s\"%s}}}\n",
             1000 + id, server, number, method, parameters);
  flush_out();
  for (char *line; (line = next_line());) {
    if (is_text(member(line, "type"), "control_response")) return;
    take_line(line);
  }
}

static void shake_hands(const char *server) {
  send_to_server(server, 0, "initialize",
                 ",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                 "\"clientInfo\":{\"name\":\"fast_cli\",\"version\":\"1\"}}");
  send_to_server(server, -1, "notifications/initialized", "");
  send_to_server(server, 1, "tools/list", "");
}

static void answer_initialize(const char *id, const char *request) {
  const char *hook = member(member(request, "hooks"), "PreToolUse");
  const char *ids = hook ? strstr(hook, "hookCallbackIds") : NULL;
  if (ids && (ids = strchr(ids, '['))) copy_text(after_space(ids + 1), hook_id, sizeof hook_id);

  char names[16][64];
  int count = 0, meet[16];
  const char *at = member(request, "sdkMcpServers"), *manifests = member(request, "sdkMcpServerManifests");
  for (at = at && *at == '[' ? after_space(at + 1) : ""; *at == '"' && count < 16; count++) {
    copy_text(at, names[count], sizeof names[count]);
    meet[count] = !member(manifests, names[count]);
    at = after_space(after_string(at));
    if (*at == ',') at = after_space(at + 1);
  }
  put_format("{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":\"%s\",\"response\":"
             "{\"commands\":[{\"name\":\"compact\",\"description\":\"\",\"argumentHint\":\"\"}],\"agents\":[],"
             "\"output_style\":\"default\",\"available_output_styles\":[\"default\"],"
             "\"models\":[{\"value\":\"default\",\"displayName\":\"Default\",\"description\":\"\"}],"
             "\"account\":{\"tokenSource\":\"none\",\"apiKeySource\":\"ANTHROPIC_API_KEY\",\"apiProvider\":\"firstParty\"},"
             "\"pid\":%d,\"claude_code_version\":\"2.1.332\",\"current_permission_mode\":\"default\","
             "\"session_state\":\"idle\"}}}\n", id, getpid());
  flush_out();
  for (int index = 0; index < count; index++) {
    if (meet[index]) shake_hands(names[index]);
  }
}

static void take_line(const char *line) {
  const char *type = member(line, "type");
  if (is_text(type, "user")) run_turn(line);
  if (!is_text(type, "control_request")) return;
  char id[200];
  copy_text(member(line, "request_id"), id, sizeof id);
  const char *request = member(line, "request");
  if (is_text(member(request, "subtype"), "initialize")) {
    answer_initialize(id, request);
    return;
  }
  put_format("{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":\"%s\","
             "\"response\":{}}}\n", id);
  flush_out();
}

int main(int count, char **arguments) {
  signal(SIGPIPE, SIG_IGN);
  for (int index = 1; index < count; index++) {
    if (strcmp(arguments[index], "-v") && strcmp(arguments[index], "--version")) continue;
    puts("2.1.332 (Claude Code)");
    return 0;
  }
  if (!getcwd(folder, sizeof folder)) strcpy(folder, "/");
  if (is_set("BENCH_PROGRESS")) share_progress(getenv("BENCH_PROGRESS"));
  for (char *line; (line = next_line());) take_line(line);
  flush_out();
  return 0;
}
