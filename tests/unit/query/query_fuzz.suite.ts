/** A query as a whole, whatever its consumer, its callbacks, its prompt and its CLI do, in any order. */

import { property } from "../../harness/fuzz/property.ts";
import { queryStory, type QueryTraits, queryTraits } from "../../harness/fuzz/query_steps.ts";
import { QueryWorld } from "../../harness/fuzz/query_world.ts";
import { suite } from "../../harness/suite.ts";

/** A CLI that behaves. */
const PLAIN: QueryTraits = {
  initialize: "answers",
  answers: false,
  leavesAtEnd: true,
  leavesAtTerm: true,
  prompt: "a text",
  queueBytes: 300,
  permissionMs: Infinity,
  blockOnFailure: false,
  ending: "close",
};

export default suite("query: fuzz", (test) => {
  property(
    test,
    "everything settles with errors of a documented kind, nothing is allowed too late, nothing stays",
    [queryTraits, queryStory],
    async (_t, traits, story) => {
      const world = new QueryWorld(traits);
      for (const step of story) await world.play(step);
      await world.finish();
    },
    {
      runs: 140,
      examples: [
        // One who asks at the very moment at which there is an engine is not served before one who asked earlier.
        [PLAIN, [{ kind: "open gate", nth: 0 }, { kind: "next", count: 1 }, { kind: "result", error: false }, {
          kind: "next",
          count: 1,
        }]],
      ],
    },
  );
});
