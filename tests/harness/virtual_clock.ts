export { settle, VirtualClock } from "../../src/testing/clock/virtual_clock.ts";
