/** The two lines with which a conversation begins on stdin. */

/** The request that comes first. */
export const INITIALIZE = `${
  JSON.stringify({ type: "control_request", request_id: "i1", request: { subtype: "initialize" } })
}\n`;

/** A prompt. */
export const PROMPT = `${
  JSON.stringify({ type: "user", message: { role: "user", content: "go" }, parent_tool_use_id: null, session_id: "" })
}\n`;
