/* stdin by lines and stdout by blocks; how much the pipe has taken is told through a shared page. */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* What a benchmark sees of this process while it runs. */
typedef struct {
  uint64_t bytes_taken; /* by the pipe */
  uint64_t lines_made;
  uint64_t writing; /* 1 while inside write(): the pipe is full */
} Progress;

static Progress no_progress;
static volatile Progress *progress = &no_progress;
static uint64_t bytes_out;

static uint64_t now_ns(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000ull + time.tv_nsec;
}

static void share_progress(const char *path) {
  int file = open(path, O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, 4096)) return;
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (page != MAP_FAILED) progress = page;
  close(file);
}

static void write_all(const char *from, size_t length) {
  while (length) {
    progress->writing = 1;
    ssize_t taken = write(1, from, length);
    progress->writing = 0;
    if (taken < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN) {
        struct pollfd out = {1, POLLOUT, 0};
        poll(&out, 1, -1);
        continue;
      }
      _exit(0); /* the reader has gone */
    }
    from += taken;
    length -= taken;
    bytes_out += taken;
    progress->bytes_taken = bytes_out;
  }
}

#define BLOCK 65536
#define OUT_CAPACITY (1u << 20)
static char out[OUT_CAPACITY];
static size_t out_length;

static void flush_out(void) {
  if (out_length) write_all(out, out_length);
  out_length = 0;
}

/* Writes whole lines; they leave in blocks of 64 KiB, or when flushed. */
static void put(const char *text, size_t length) {
  progress->lines_made++;
  if (length >= OUT_CAPACITY / 2) {
    flush_out();
    write_all(text, length);
    return;
  }
  if (out_length + length > OUT_CAPACITY) flush_out();
  memcpy(out + out_length, text, length);
  out_length += length;
  if (out_length >= BLOCK) flush_out();
}

__attribute__((format(printf, 1, 2))) static void put_format(const char *format, ...) {
  static char text[1 << 17];
  va_list values;
  va_start(values, format);
  int length = vsnprintf(text, sizeof text, format, values);
  va_end(values);
  put(text, length < (int)sizeof text ? length : (int)sizeof text - 1);
}

static char *in;
static size_t in_capacity, in_length, in_at;
static int in_ended;
/* When the bytes of the last line came in. */
static uint64_t read_at;

static ssize_t read_some(void) {
  for (;;) {
    ssize_t length = read(0, in + in_length, in_capacity - in_length);
    read_at = now_ns();
    if (length >= 0) return length;
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return 0;
    struct pollfd input = {0, POLLIN, 0};
    poll(&input, 1, -1);
  }
}

/* The next line without its newline, valid until the next call; NULL at the end of input. */
static char *next_line(void) {
  size_t looked_at = in_at;
  for (;;) {
    char *end = in_length > looked_at ? memchr(in + looked_at, '\n', in_length - looked_at) : NULL;
    if (end) {
      char *line = in + in_at;
      *end = 0;
      in_at = end - in + 1;
      return line;
    }
    if (in_ended) return NULL;
    if (in_at) {
      memmove(in, in + in_at, in_length - in_at);
      in_length -= in_at;
      in_at = 0;
    }
    looked_at = in_length;
    if (in_capacity - in_length < BLOCK) {
      in_capacity = in_capacity ? in_capacity * 2 : 4 * BLOCK;
      in = realloc(in, in_capacity + 1);
    }
    ssize_t length = read_some();
    in_length += length;
    if (length) continue;
    in_ended = 1;
    if (in_length == in_at) return NULL;
    in[in_length++] = '\n'; /* an unterminated tail is a line */
  }
}
