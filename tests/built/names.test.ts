/** The names of the built package. */

import { assert } from "chai";
import { join } from "node:path";
import { ROOT } from "../../scripts/root.ts";
import { namesLeftOut } from "../harness/differences_table.ts";
import { OFFICIAL_SURFACE } from "../pins/official_surface.ts";
import { compile, typeFaults } from "./compile.ts";
import { withConsumer } from "./consumer.ts";

Deno.test("every name of the official SDK can be imported and is no any; values are those that are there", () =>
  withConsumer(["zod", "@modelcontextprotocol/sdk"], async (consumer) => {
    const absent = namesLeftOut();
    const { function: functions, class: classes, const: constants, type, interface: interfaces } =
      OFFICIAL_SURFACE.exports;
    const values = [...functions, ...classes, ...constants].filter((name) => !absent.has(name));
    const types = [...type, ...interfaces, ...classes].filter((name) => !absent.has(name));
    const script = `console.log(JSON.stringify(Object.keys(await import("@tether/agent"))))`;
    const run = await consumer.run("node22", await consumer.write("names.mjs", script));
    assert.strictEqual(run.code, 0, run.stderr);
    const present = JSON.parse(run.output) as string[];
    assert.includeMembers(present, values);
    await Deno.copyFile(join(ROOT, "tests/types/assertions.ts"), join(consumer.dir, "assertions.ts"));
    await consumer.write(
      "names.ts",
      `
      import * as tether from "@tether/agent";
      import type { Fails, IsAny } from "./assertions.ts";
      export const values: Record<keyof typeof tether, true> = {
        ${present.map((name) => `${name}: true,`).join(" ")}
      };
      export type Types = [
        ${types.map((name) => `Fails<IsAny<tether.${name}${name === "InferShape" ? "<{}>" : ""}>>,`).join("\n")}
      ];
      export type Values = [
        ${values.map((name) => `Fails<IsAny<typeof tether.${name}>>,`).join("\n")}
      ];
      `,
    );
    const { output } = await compile(consumer, ["names.ts"], {
      module: "esnext",
      moduleResolution: "bundler",
      lib: ["ESNext", "DOM", "DOM.AsyncIterable"],
      types: [],
    });
    assert.strictEqual(typeFaults(output), "");
  }));
