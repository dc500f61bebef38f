/**
 * The type of a kind that this version does not know.
 *
 * A plain `string` would swallow the known literals and no `switch` would narrow any more; a pattern that no real kind
 * fits keeps both: known kinds narrow, and `default:` leaves exactly the unknown arm. The value itself is the word the CLI
 * sent, nothing is added to it: read it as a `string`.
 */
export type UnknownKind = `${string} (unknown kind)`;

/** A word from a list that may grow: known values are suggested, any other string is legal too. */
export type OpenString<Known extends string> = Known | (string & Record<never, never>);

/** A message whose `type` this version does not know. It is the CLI's own object, passed on as it came. */
export interface SDKUnknownMessage {
  /** What the CLI calls it. Compare it as a string: `const kind: string = message.type`. */
  type: UnknownKind;
  /** Whatever else it holds; nothing has been checked. */
  [key: string]: unknown;
}

/** A `system` message whose `subtype` this version does not know. It is the CLI's own object, passed on as it came. */
export interface SDKUnknownSystemMessage {
  /** The same for all system messages. */
  type: "system";
  /** What the CLI calls it. Compare it as a string: `const kind: string = message.subtype`. */
  subtype: UnknownKind;
  /** Whatever else it holds; nothing has been checked. */
  [key: string]: unknown;
}
