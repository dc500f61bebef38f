import type { BaseHookInput } from "./base.ts";

/** What both task hooks are told. */
export interface TaskHookInput extends BaseHookInput {
  /** Names the task. */
  task_id: string;
  /** The task in a few words. */
  task_subject: string;
  /** What the task is about. */
  task_description?: string;
  /** The teammate. */
  teammate_name?: string;
  /** The teammate's team. */
  team_name?: string;
}

/** A task was put on the list. */
export interface TaskCreatedHookInput extends TaskHookInput {
  /** The event. */
  hook_event_name: "TaskCreated";
}

/** A task was ticked off. */
export interface TaskCompletedHookInput extends TaskHookInput {
  /** The event. */
  hook_event_name: "TaskCompleted";
}

/** A teammate has nothing to do. Not seen by callbacks (CLI 2.1.332). */
export interface TeammateIdleHookInput extends BaseHookInput {
  /** The event. */
  hook_event_name: "TeammateIdle";
  /** The teammate. */
  teammate_name: string;
  /** The teammate's team. */
  team_name: string;
}
