import process from "node:process";
import { describeError } from "../run_body.ts";
import type { LeakProbe } from "./leak_probe.ts";

/** Rejections that nobody handled and exceptions that nobody caught while a body ran: they are that body's failure. */
export function strayErrorProbe(): LeakProbe {
  let seen: string[] = [];
  const onRejection = (reason: unknown): void => void seen.push(`unhandled rejection, ${describeError(reason)}`);
  const onException = (error: unknown): void => void seen.push(`uncaught exception, ${describeError(error)}`);
  return {
    kind: "stray errors",
    begin() {
      seen = [];
      process.on("unhandledRejection", onRejection);
      process.on("uncaughtException", onException);
    },
    async leaked() {
      // A runtime tells of a rejection only after the microtasks in which it could still be handled.
      await new Promise((resolve) => setImmediate(resolve));
      return seen;
    },
    end() {
      process.off("unhandledRejection", onRejection);
      process.off("uncaughtException", onException);
    },
  };
}
