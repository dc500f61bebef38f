/// <reference lib="deno.unstable" />
import { assert } from "chai";
import plugin from "../../scripts/lint/house_rules.ts";

/** The messages of the plugin for one source text at one place. */
function lint(path: string, source: string): string[] {
  return Deno.lint.runPlugin(plugin, `/repository/${path}`, source).map((diagnostic) => diagnostic.message);
}

for (
  const [source, name] of [
    ["export const x = Deno.pid;", "Deno"],
    ["const { pid } = process; export { pid };", "process"],
    ["export const x = Buffer.from('');", "Buffer"],
    ["export const x = ReadableStream.from([]);", "ReadableStream.from"],
    ["export const x = Promise.withResolvers();", "Promise.withResolvers"],
    ["export const x = await Array.fromAsync([]);", "Array.fromAsync"],
    ["setTimeout(() => {}).unref();", ".unref"],
    ["export const x = new TransformStream({ cancel() {} });", "TransformStream cancel()"],
    ["export const x = Iterator.from([]);", "Iterator"],
    ["export const x = { process };", "process"],
    ["export type X = Deno.Command;", "Deno"],
  ] as const
) {
  Deno.test(`the core may not say: ${source}`, () => {
    const said = lint("src/core/x.ts", source);
    assert.lengthOf(said, 1);
    assert.include(said[0], `${name} must not be used here`);
  });
}

Deno.test("names of members and fields are free", () => {
  const source = `
    interface X { process: string; Buffer(): void }
    export const x: X = { process: "", Buffer() {} };
    export const y = x.process;
    export class Z { console = 1; Deno() {} }
  `;
  assert.deepEqual(lint("src/core/x.ts", source), []);
});

Deno.test("a file may use such a name for something of its own", () => {
  const source = "export function f(process: string): string { const Deno = process; return Deno + process; }";
  assert.deepEqual(lint("src/client/x.ts", source), []);
  assert.deepEqual(lint("src/client/x.ts", "export function f(i: Iterator<number>): unknown { return i.next(); }"), []);
});

Deno.test("an adapter may name its runtime", () => {
  assert.deepEqual(lint("src/runtime/deno/x.ts", "export const x = Deno.pid;"), []);
});

Deno.test("nothing that is shipped writes to the console; scripts may", () => {
  for (const path of ["src/runtime/deno/x.ts", "src/client/x.ts", "workers/x.ts", "mod.ts"]) {
    assert.lengthOf(lint(path, "console.log(1);"), 1, path);
  }
  assert.deepEqual(lint("scripts/x.ts", "console.log(1);"), []);
});

Deno.test("using declarations and decorators are found in what Node strips", () => {
  assert.lengthOf(lint("src/client/x.ts", "export function f() { using x = g(); return x; }"), 1);
  assert.lengthOf(lint("tests/unit/x.suite.ts", "export async function f() { await using x = g(); return x; }"), 1);
  assert.lengthOf(lint("src/client/x.ts", "@sealed class X {}\nexport { X };"), 1);
  assert.deepEqual(lint("scripts/x.ts", "export function f() { using x = g(); return x; }"), []);
});
