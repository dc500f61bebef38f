import type { OpenString, UnknownKind } from "./unknown.ts";

/** Who or what a user line comes from. Lines without one come from whoever drives the CLI. */
export type SDKMessageOrigin =
  | { kind: "human" }
  | { kind: "channel"; server: string }
  | {
    kind: "peer";
    from: string;
    fromMode?: OpenString<"bypass" | "prompting">;
    name?: string;
    fromSession?: string;
    senderTaskId?: string;
    body?: string;
    verifiedPeerPid?: number;
  }
  | {
    kind: "task-notification";
    subkind?: OpenString<
      "scheduled-trigger" | "peer-send-message" | "projects-relay" | "session-inbox" | "external-event"
    >;
    fireReason?: string;
    runId?: string;
    /** Outside the peer's types (CLI 2.1.332). */
    producer?: string;
  }
  | { kind: "coordinator" }
  | { kind: "unclassified" }
  | { kind: "observer"; from: string; senderTaskId: string }
  | { kind: "auto-continuation" }
  | { kind: "observer-activity" }
  | { kind: UnknownKind; [key: string]: unknown };
