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
    { runs: 250 },
  );
});
