/** Every tool version the gate uses, in one place. npm packages that the code imports are pinned in deno.json. */
export const PINS = {
  /** The version README's command names; another one runs too, with a note. */
  deno: "2.9.6",
  bun: "1.4.5",
  /** Node versions, by the names of their reports. */
  node20: "20.20.2",
  node22: "22.23.3",
  node24: "24.21.0",
  /** Checks the built package's declarations as its users would. */
  typescript: "7.0.2",
  "@types/node": "22.20.7",
  "bun-types": "1.4.5",
  /** What the suite of differences runs beside Tether. */
  "@anthropic-ai/claude-agent-sdk": "0.3.332",
} as const;
