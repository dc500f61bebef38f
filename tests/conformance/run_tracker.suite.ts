import { assert } from "chai";
import type { Diagnostic } from "../../src/core/diagnostics.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { RunTracker } from "../../src/core/lifetime/run_tracker.ts";
import { suite } from "../harness/suite.ts";
import { VirtualClock } from "../harness/virtual_clock.ts";

/** A tracker under a clock of ours, with what it did. */
class Subject {
  readonly clock = new VirtualClock();
  readonly diagnostics: Diagnostic[] = [];
  over = 0;
  readonly tracker = new RunTracker({
    timeouts: { quietMs: 2_000, backgroundMs: 600_000 },
    clock: this.clock,
    onDiagnostic: (event) => this.diagnostics.push(event),
    onOver: () => this.over++,
  });

  frame(frame: JsonObject): "deliver" | "hide" {
    this.tracker.heard();
    return this.tracker.frame(frame);
  }

  state(state: string): "deliver" | "hide" {
    return this.frame({ type: "system", subtype: "session_state_changed", state, sdk_host_only: true });
  }

  lifecycle(uuid: string, state: string): "deliver" | "hide" {
    return this.frame({ type: "command_lifecycle", command_uuid: uuid, state });
  }

  tasks(...ids: string[]): void {
    const tasks = ids.map((id) => ({ task_id: id, task_type: "local_bash" }));
    this.frame({ type: "system", subtype: "background_tasks_changed", tasks });
  }

  result(): void {
    this.frame({ type: "result", subtype: "success" });
  }

  /** A whole turn of a CLI that reports everything, up to idle. */
  turn(uuid: string): void {
    this.state("running");
    this.lifecycle(uuid, "queued");
    this.lifecycle(uuid, "started");
    this.result();
    this.lifecycle(uuid, "completed");
    this.state("idle");
  }
}

export default suite("run tracker", (test) => {
  test("an empty prompt ends the input at once (G12)", () => {
    const s = new Subject();
    s.tracker.sourceEnded();
    assert.strictEqual(s.over, 1);
  });

  test("input ends when the line is settled, a result came and the session is idle", () => {
    const s = new Subject();
    s.tracker.line("a", true);
    s.tracker.sourceEnded();
    s.state("running");
    s.lifecycle("a", "queued");
    s.lifecycle("a", "started");
    s.clock.advance(1e9);
    assert.strictEqual(s.over, 0, "a turn may take as long as it takes (G04)");
    s.result();
    assert.strictEqual(s.over, 0, "a result alone ends nothing");
    s.lifecycle("a", "completed");
    assert.strictEqual(s.over, 0, "nor does a settled line while the session runs");
    s.state("idle");
    assert.strictEqual(s.over, 1);
    assert.strictEqual(s.clock.pending, 0, "no timer stays");
  });

  test("a source that goes on keeps the input open", () => {
    const s = new Subject();
    s.tracker.line("a", true);
    s.turn("a");
    s.clock.advance(1_000_000);
    assert.strictEqual(s.over, 0);
    s.tracker.sourceEnded();
    assert.strictEqual(s.over, 1);
  });

  test("every queued line counts, not the first result (G16)", () => {
    const s = new Subject();
    s.tracker.line("a", true);
    s.tracker.line("b", true);
    s.tracker.sourceEnded();
    s.turn("a");
    s.clock.advance(60_000);
    assert.strictEqual(s.over, 0);
    s.turn("b");
    assert.strictEqual(s.over, 1);
  });

  test("lines that were all cancelled need no result", () => {
    const s = new Subject();
    s.tracker.line("a", false);
    s.tracker.sourceEnded();
    s.lifecycle("a", "queued");
    s.lifecycle("a", "cancelled");
    assert.strictEqual(s.over, 0);
    s.state("idle");
    assert.strictEqual(s.over, 1);
  });

  test("frames about our own stamps are hidden, about the user's uuids delivered", () => {
    const s = new Subject();
    s.tracker.line("ours", true);
    s.tracker.line("theirs", false);
    assert.strictEqual(s.lifecycle("ours", "queued"), "hide");
    assert.strictEqual(s.lifecycle("theirs", "queued"), "deliver");
    assert.strictEqual(s.state("running"), "hide");
    assert.strictEqual(s.frame({ type: "system", subtype: "session_state_changed", state: "idle" }), "deliver");
    assert.strictEqual(s.frame({ type: "brand_new" }), "deliver");
  });

  test("background work holds the input; the turn it starts is waited for", () => {
    const s = new Subject();
    s.tracker.line("a", true);
    s.tracker.sourceEnded();
    s.state("running");
    s.lifecycle("a", "started");
    s.tasks("t");
    s.result();
    s.lifecycle("a", "completed");
    s.state("idle");
    s.clock.advance(30_000);
    assert.strictEqual(s.over, 0, "a shell still runs");
    s.tasks();
    s.clock.advance(1_900);
    assert.strictEqual(s.over, 0, "the follow-up turn may be about to start");
    s.state("running");
    s.clock.advance(60_000);
    assert.strictEqual(s.over, 0, "it runs");
    s.result();
    s.state("idle");
    assert.strictEqual(s.over, 1);
    assert.strictEqual(s.clock.pending, 0);
  });

  test("background work that ends without a follow-up turn is over after the quiet time", () => {
    const s = new Subject();
    s.tracker.line("a", true);
    s.tracker.sourceEnded();
    s.tasks("t");
    s.turn("a");
    s.tasks();
    s.clock.advance(1_999);
    s.frame({ type: "system", subtype: "task_notification", task_id: "t" });
    s.clock.advance(1_999);
    assert.strictEqual(s.over, 0, "any frame starts the quiet time anew");
    s.clock.advance(1);
    assert.strictEqual(s.over, 1);
  });

  test("background work that ends within a turn may start another one after it", () => {
    const s = new Subject();
    s.tracker.line("a", true);
    s.tracker.sourceEnded();
    s.state("running");
    s.lifecycle("a", "started");
    s.tasks("t");
    s.tasks();
    s.state("requires_action");
    s.state("running");
    s.result();
    s.lifecycle("a", "completed");
    s.state("idle");
    assert.strictEqual(s.over, 0);
    s.clock.advance(2_000);
    assert.strictEqual(s.over, 1);
  });

  test("ambient tasks are no work", () => {
    const s = new Subject();
    s.tracker.line("a", true);
    s.tracker.sourceEnded();
    s.frame({ type: "system", subtype: "background_tasks_changed", tasks: [{ task_id: "t", ambient: true }] });
    s.turn("a");
    assert.strictEqual(s.over, 1);
  });

  test("endless background work meets the ceiling, and that is reported (G08)", () => {
    const s = new Subject();
    s.tracker.line("a", true);
    s.tracker.sourceEnded();
    s.tasks("t", "u");
    s.turn("a");
    s.clock.advance(599_999);
    assert.strictEqual(s.over, 0);
    s.clock.advance(1);
    assert.strictEqual(s.over, 1);
    assert.deepEqual(s.diagnostics, [{ kind: "background_ceiling", tasks: 2, afterMs: 600_000 }]);
  });

  test("the ceiling is off while an action is required", () => {
    const s = new Subject();
    s.tracker.line("a", true);
    s.tracker.sourceEnded();
    s.tasks("t");
    s.turn("a");
    s.clock.advance(500_000);
    s.state("requires_action");
    s.clock.advance(5_000_000);
    assert.strictEqual(s.over, 0);
    s.state("idle");
    s.clock.advance(600_000);
    assert.strictEqual(s.over, 1);
  });

  test("a CLI that reports neither lines nor states is over after a result and quiet", () => {
    const s = new Subject();
    s.tracker.line("a", true);
    s.tracker.sourceEnded();
    s.clock.advance(60_000);
    assert.strictEqual(s.over, 0, "no result yet");
    s.result();
    assert.strictEqual(s.over, 0, "never a first result alone");
    s.clock.advance(1_500);
    s.frame({ type: "assistant" });
    s.clock.advance(1_999);
    assert.strictEqual(s.over, 0);
    s.clock.advance(1);
    assert.strictEqual(s.over, 1);
  });

  test("such a CLI needs a result later than the last line", () => {
    const s = new Subject();
    s.tracker.line("a", true);
    s.result();
    s.tracker.line("b", true);
    s.tracker.sourceEnded();
    s.clock.advance(60_000);
    assert.strictEqual(s.over, 0);
    s.result();
    s.clock.advance(2_000);
    assert.strictEqual(s.over, 1);
  });

  test("a tracked agent in flight holds such a CLI open; shells, lists and broken frames do not (G05 G06 G07 G09 G10)", () => {
    const s = new Subject();
    s.tracker.line("a", true);
    s.tracker.sourceEnded();
    s.frame({ type: "system", subtype: "task_started", task_id: "agent", task_type: "local_agent" });
    s.frame({ type: "system", subtype: "task_started", task_id: "shell", task_type: "local_bash" });
    s.frame({ type: "system", subtype: "task_started", task_id: "other", task_type: "local_workflow" });
    s.frame({ type: "system", subtype: "task_started", task_type: "local_agent" });
    s.frame({ type: "system", subtype: "task_notification", task_id: "nobody", status: "completed" });
    s.frame({ type: "system", subtype: "task_updated", task_id: "agent", patch: "rubbish" });
    s.frame({ type: "system", subtype: "task_updated", task_id: "agent", patch: { status: "running" } });
    s.tasks();
    s.result();
    s.clock.advance(60_000);
    assert.strictEqual(s.over, 0);
    s.frame({ type: "system", subtype: "task_notification", task_id: "other", status: "completed" });
    s.clock.advance(60_000);
    assert.strictEqual(s.over, 0);
    s.frame({ type: "system", subtype: "task_updated", task_id: "agent", patch: { status: "killed" } });
    s.clock.advance(2_000);
    assert.strictEqual(s.over, 1);
  });

  test("a CLI with states but no line reports needs idle and quiet", () => {
    const s = new Subject();
    s.tracker.line("a", true);
    s.tracker.sourceEnded();
    s.state("running");
    s.result();
    s.clock.advance(60_000);
    assert.strictEqual(s.over, 0, "running");
    s.state("idle");
    s.clock.advance(1_999);
    assert.strictEqual(s.over, 0);
    s.clock.advance(1);
    assert.strictEqual(s.over, 1);
  });

  test("clocks stand still while reading is stopped", () => {
    const s = new Subject();
    s.tracker.line("a", true);
    s.tracker.sourceEnded();
    s.result();
    s.clock.advance(1_000);
    s.tracker.pause(true);
    s.clock.advance(60_000);
    assert.strictEqual(s.over, 0);
    s.tracker.pause(false);
    s.clock.advance(999);
    assert.strictEqual(s.over, 0);
    s.clock.advance(1);
    assert.strictEqual(s.over, 1);
  });

  test("stopping leaves no timer and decides nothing", () => {
    const s = new Subject();
    s.tracker.line("a", true);
    s.tracker.sourceEnded();
    s.result();
    s.tracker.stop();
    assert.strictEqual(s.clock.pending, 0);
    s.clock.advance(60_000);
    assert.strictEqual(s.over, 0);
  });

  test("busy says whether there is a turn to interrupt", () => {
    const s = new Subject();
    assert.isFalse(s.tracker.busy);
    s.tracker.line("a", true);
    assert.isTrue(s.tracker.busy);
    s.turn("a");
    assert.isFalse(s.tracker.busy);
  });

  test("a source that comes while its end is waited for opens the prompt again; too late it is refused", () => {
    const s = new Subject();
    s.tracker.line("a", true);
    s.tracker.sourceEnded();
    s.state("running");
    s.lifecycle("a", "started");
    assert.isTrue(s.tracker.sourceResumed());
    s.result();
    s.lifecycle("a", "completed");
    s.state("idle");
    assert.strictEqual(s.over, 0, "all is done, but the prompt is open");
    s.tracker.line("b", true);
    s.turn("b");
    assert.strictEqual(s.over, 0);
    s.tracker.sourceEnded();
    assert.strictEqual(s.over, 1);
    assert.isFalse(s.tracker.sourceResumed());
  });

  test("a source that comes while background work or quiet is waited out stops that wait", () => {
    for (const quiet of [true, false]) {
      const s = new Subject();
      s.tracker.line("a", true);
      s.tracker.sourceEnded();
      s.tasks("t1");
      s.turn("a");
      if (quiet) s.tasks();
      assert.isAbove(s.clock.pending, 0, "a clock runs");
      assert.isTrue(s.tracker.sourceResumed());
      assert.strictEqual(s.clock.pending, 0);
      s.clock.advance(700_000);
      assert.strictEqual(s.over, 0);
      assert.deepEqual(s.diagnostics, []);
      s.tasks();
      s.tracker.sourceEnded();
      s.clock.advance(2_000);
      assert.strictEqual(s.over, 1, "with nothing sent since, it ends as it would have");
    }
  });
});
