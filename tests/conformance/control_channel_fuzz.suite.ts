/** Whatever happens in whatever order: everything settles exactly once, nothing runs twice, nothing stays. */

import { channelStory, channelTraits } from "../harness/fuzz/channel_steps.ts";
import { ChannelWorld } from "../harness/fuzz/channel_world.ts";
import { property } from "../harness/fuzz/property.ts";
import { suite } from "../harness/suite.ts";

export default suite("control channel: fuzz", (test) => {
  property(
    test,
    "requests, answers, cancels, repeats, messages, stalls and deaths in any order",
    [channelTraits, channelStory],
    async (_t, traits, story) => {
      const world = new ChannelWorld(traits);
      for (const step of story) await world.play(step);
      await world.finish();
    },
    {
      runs: 250,
      examples: [
        // A last record without a line end comes when there is no room for it: it waits, and so does the end.
        [
          {
            queueBytes: 200,
            joinsLines: false,
            readsBelow: false,
            explain: "absent",
            ending: "output ends without a line end",
          },
          [{ kind: "data", cut: "alone", type: "assistant", size: 40, hide: false }, { kind: "turn" }],
        ],
      ],
    },
  );
});
