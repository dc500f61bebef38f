/** What every message of the CLI carries. */
export interface SDKFrame {
  /** Names this message. */
  uuid: string;
  /** The session it belongs to. */
  session_id: string;
}

/** A message about the session: its `subtype` tells the kind. */
export interface SDKSystemFrame extends SDKFrame {
  /** The same for all of them. */
  type: "system";
}
