/** The pipe everything else speaks over. Declared in the core, because `tether.transport` takes one. */
export type { CloseOptions, StreamTransport as Transport, TransportExit } from "../core/options/custom_transport.ts";
