/**
 * Tests as values: a suite names bodies and knows no test runner. Each runtime's runner applies the same suites, and the
 * gate compares which names ran where.
 */

/** What a body may use. */
export interface TestContext {
  /** Runs when the body is over, last registered first, also when it failed. */
  cleanup(work: () => void | Promise<void>): void;
}

/** One test. */
export interface Body {
  readonly name: string;
  readonly timeoutMs: number;
  /** The body may leave handles open on purpose (says why). */
  readonly leaks?: string;
  run(t: TestContext): void | Promise<void>;
}

/** Settings of one body. */
export interface BodyOptions {
  /** Default 20 s. */
  readonly timeoutMs?: number;
  readonly leaks?: string;
}

/** A named list of bodies. */
export interface Suite {
  readonly name: string;
  readonly bodies: readonly Body[];
}

/** Declares one body. */
export type Declare = (name: string, run: (t: TestContext) => void | Promise<void>, options?: BodyOptions) => void;

/** Collects bodies into a suite. @throws if a name occurs twice. */
export function suite(name: string, declare: (test: Declare) => void): Suite {
  const bodies: Body[] = [];
  declare((bodyName, run, options = {}) => {
    if (bodies.some((body) => body.name === bodyName)) throw new Error(`${name}: two bodies are named "${bodyName}"`);
    bodies.push({ name: bodyName, timeoutMs: options.timeoutMs ?? 20_000, run, ...options });
  });
  return { name, bodies };
}
