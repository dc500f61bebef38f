import type { LoadedModule } from "./sdk.ts";

/** Makes the server `bench` with an SDK's own functions and the Zod it takes. */
export async function addServer({ module, zodUrl }: LoadedModule): Promise<Readonly<Record<string, unknown>>> {
  const { z } = await import(zodUrl) as { z: { number(): unknown } };
  const add = module.tool(
    "add",
    "Adds two numbers",
    { a: z.number(), b: z.number() },
    ({ a, b }) => Promise.resolve({ content: [{ type: "text", text: String(a + b) }] }),
  );
  return { bench: module.createSdkMcpServer({ name: "bench", version: "1.0.0", tools: [add] }) };
}
