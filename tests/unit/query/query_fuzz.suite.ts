/** A query as a whole, whatever its consumer, its callbacks, its prompt and its CLI do, in any order. */

import { property } from "../../harness/fuzz/property.ts";
import { queryStory, queryTraits } from "../../harness/fuzz/query_steps.ts";
import { QueryWorld } from "../../harness/fuzz/query_world.ts";
import { suite } from "../../harness/suite.ts";

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
    { runs: 300 },
  );
});
