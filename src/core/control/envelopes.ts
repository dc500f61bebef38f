/** A control request as it travels, in either direction. */
export interface SDKControlRequest {
  /** The kind. */
  type: "control_request";
  /** Pairs it with its answer. Each side has ids of its own. */
  request_id: string;
  /** What is asked: its `subtype`, and the fields of that. */
  request: { subtype: string; [key: string]: unknown };
}

/** The answer to a {@linkcode SDKControlRequest}. */
export interface SDKControlResponse {
  /** The kind. */
  type: "control_response";
  /** What is answered. */
  response:
    | {
      subtype: "success";
      /** Of the request. */
      request_id: string;
      /** Missing where there is nothing to tell. */
      response?: Record<string, unknown>;
      /** Questions the CLI still waits for; beside an answer to `initialize`. */
      pending_permission_requests?: SDKControlRequest[];
      /** Dialogs it still waits for; in the same place. */
      pending_user_dialog_requests?: SDKControlRequest[];
      /** Questions of MCP servers it still waits for; in the same place. */
      pending_elicitation_requests?: SDKControlRequest[];
    }
    | {
      subtype: "error";
      /** Of the request. */
      request_id: string;
      /** What went wrong. */
      error: string;
      /** A snake_case word for it, where there is one. */
      error_code?: string;
    };
}
