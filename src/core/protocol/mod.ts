/** The control channel: requests by id in both directions over one pair of byte streams. */
export { ControlAnswerError, NEVER_ANSWERED, NO_ANSWER, UnsupportedRequestError } from "./answer_errors.ts";
export type {
  ConnectionEnd,
  ConnectionOptions,
  ControlAnswer,
  HandlerResult,
  InboundRequest,
  RequestId,
  RequestOptions,
} from "./connection_options.ts";
export type { ControlChannel } from "./control_channel.ts";
export { Connection } from "./connection.ts";
