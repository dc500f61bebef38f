import { apisOf, type Cell, type Measure, sdkSides, type Size } from "../plan.ts";

/** A stream of equal messages. */
interface Stream {
  readonly case: string;
  readonly messages: number;
  readonly bytes: number;
  readonly kind: "partial" | "assistant" | "tool_result";
}

/** One message of 100 MB is more than Tether takes by default. */
const ROOM = 128 * 2 ** 20;

const STREAMS: readonly Stream[] = [
  { case: "200,000 × 300 B", messages: 200_000, bytes: 300, kind: "partial" },
  { case: "20,000 × 4 KB", messages: 20_000, bytes: 4096, kind: "assistant" },
  { case: "200 × 1 MB", messages: 200, bytes: 1e6, kind: "tool_result" },
  { case: "1 × 100 MB", messages: 1, bytes: 100e6, kind: "tool_result" },
];

/** How many of the messages are sent. Fewer bytes where there is only one. */
const PART: Readonly<Record<Size, number>> = { full: 1, quick: 0.5, smoke: 0.02 };

/** The script of the fast CLI for a stream. */
function scriptOf({ messages, bytes, kind }: Stream, size: Size): string {
  const count = Math.max(1, Math.round(messages * PART[size]));
  const length = messages === 1 ? Math.round(bytes * PART[size]) : bytes;
  return `messages n=${count} size=${length} kind=${kind}`;
}

/** How fast messages come in. */
export const throughput: Measure = {
  name: "throughput",
  title: "Throughput",
  about:
    "From the first message to the result, as the loop over the query sees them. The limit reads the same output on the " +
    "same runtime and parses each line: by `node:child_process` or the runtime's own API, lines found in bytes or in text.",
  rounds: "every",
  figures: [
    { key: "ms", title: "time, ms", better: "less" },
    { key: "processorMs", title: "processor time of the process, ms", better: "less" },
    { key: "memoryMb", title: "largest memory of the process, MB", better: "less" },
  ],
  cells(runtime, setting) {
    return STREAMS.flatMap((stream): Cell[] => {
      const script = scriptOf(stream, setting.size);
      const raw = apisOf(runtime).flatMap((api) =>
        (["bytes", "text"] as const).map((split): Cell => ({
          cases: [stream.case],
          side: "raw",
          way: `${api}, split ${split}`,
          program: "limits/throughput",
          parameters: { script, api, split },
        }))
      );
      const sdks = sdkSides(setting).map((side): Cell => ({
        cases: [stream.case],
        side,
        program: "programs/throughput",
        parameters: { script, ...(stream.messages === 1 ? { maxMessageBytes: ROOM } : {}) },
      }));
      return [...sdks, ...raw];
    });
  },
};
