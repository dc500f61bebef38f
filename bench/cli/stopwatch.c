/* stopwatch COMMAND ARGUMENTS...: runs a command and tells when it wrote its marks, counted from before fork().
 *
 * A mark is a line of output that starts with "@@". Other lines pass through. The last line written here is
 * "@@stopwatch " and JSON: marks and the end, both in ms, and the largest memory the command had, in MB.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

int main(int count, char **arguments) {
  int ends[2];
  if (count < 2 || pipe(ends)) return 2;
  double started_at = now_ms();
  pid_t child = fork();
  if (child < 0) return 2;
  if (!child) {
    dup2(ends[1], 1);
    close(ends[0]);
    close(ends[1]);
    execvp(arguments[1], arguments + 1);
    _exit(127);
  }
  close(ends[1]);

  static char line[1 << 16], marks[1 << 14] = "";
  size_t length = 0, marks_length = 0;
  /* One read per piece of output: a mark's time is that of the read that brought its end. */
  static char piece[1 << 16];
  for (ssize_t taken; (taken = read(ends[0], piece, sizeof piece)) > 0;) {
    double at = now_ms() - started_at;
    for (ssize_t index = 0; index < taken; index++) {
      if (piece[index] != '\n') {
        if (length + 1 < sizeof line) line[length++] = piece[index];
        continue;
      }
      line[length] = 0;
      if (strncmp(line, "@@", 2)) puts(line);
      else if (marks_length + 100 < sizeof marks) {
        marks_length += sprintf(marks + marks_length, "\"%.60s\":%.3f,", line + 2, at);
      }
      length = 0;
    }
  }
  int status;
  struct rusage usage;
  wait4(child, &status, 0, &usage);
  printf("@@stopwatch {%s\"wall\":%.3f,\"largestMb\":%.1f}\n", marks, now_ms() - started_at, usage.ru_maxrss / 1024.0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
