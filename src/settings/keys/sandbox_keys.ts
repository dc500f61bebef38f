import { isJsonObject } from "../../core/json.ts";
import {
  ABSENT,
  flag,
  INVALID,
  list,
  number,
  oneOf,
  readBy,
  record,
  type Rule,
  text,
  texts,
  textThat,
} from "../rules/rule.ts";
import { object, tagged } from "../rules/object_rule.ts";
import { innerGuard, type KeyRules, lenient } from "./key_rule.ts";

const domains = texts({ keepsRest: "managed" });
/** A guard that `null` does not leave out. */
const secretGuard = (strict: boolean): Rule => ({ ...flag, strictest: strict, nullIsInvalid: true });
const signing: Rule = {
  ...oneOf(["deny", "passthrough"]),
  strictest: "deny",
  guards: true,
  nullIsInvalid: true,
};

/** How a secret is masked, beside its name. */
const MASKING = {
  extract: textThat(hasGroup, "a regular expression with a group"),
  onExtractNoMatch: oneOf(["deny", "error", "warn"]),
  decode: oneOf(["jwt"]),
  maskClaims: texts({ atLeast: 1 }),
  injectHosts: texts(),
};

/** How a secret is kept. In managed settings a mask that is invalid counts as a denial. */
function secret(named: "path" | "name", name: Rule, more: Readonly<Record<string, Rule>> = {}): Rule {
  const members = { ...MASKING, ...more };
  const kinds = tagged("mode", {
    // What else a denial says does not matter.
    deny: object(
      {
        [named]: name,
        mode: text,
        ...Object.fromEntries(Object.entries(members).map(([key, rule]) => [key, lenient(rule)])),
      },
      { required: [named] },
    ),
    mask: object({ [named]: name, mode: text, ...members }, { required: [named] }),
  });
  return {
    read(value, at) {
      const reading = readBy(kinds, value, at);
      if (!isJsonObject(value) || value["mode"] !== "mask") return reading;
      const { decode, extract, maskClaims } = value;
      if (reading !== INVALID) {
        const contradicts = named === "name" && decode !== undefined && extract !== undefined;
        if (!contradicts && (maskClaims === undefined || decode !== undefined)) return reading;
        at.fail(contradicts ? "must not have both extract and decode" : "must have decode beside maskClaims");
      }
      if (at.reader === "own") return INVALID;
      const naming = readBy(name, value[named], at.member(named));
      return naming === INVALID || naming === ABSENT ? INVALID : { [named]: naming, mode: "deny" };
    },
  };
}

function hasGroup(pattern: string): boolean {
  try {
    return (new RegExp(`${pattern}|`).exec("")?.length ?? 0) > 1;
  } catch {
    return false;
  }
}

/** Secrets: an invalid list hides nothing, but the rest is as strict as can be. */
const credentials: Rule = {
  ...object({
    files: {
      ...list(secret("path", textThat((value) => value !== "", "a path"), { maskDuplicates: flag }), {
        keepsRest: "managed",
        mayEmpty: true,
      }),
      strictest: [],
      nullIsInvalid: true,
    },
    envVars: {
      ...list(secret("name", textThat((value) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(value), "the name of a variable")), {
        keepsRest: "managed",
        mayEmpty: true,
      }),
      strictest: [],
      nullIsInvalid: true,
    },
    allowPlaintextInject: secretGuard(false),
    awsPairs: list(
      object({ accessKeyIdVar: text, secretAccessKeyVar: text, sessionTokenVar: text }, {
        required: ["accessKeyIdVar", "secretAccessKeyVar"],
      }),
      { keepsRest: "managed" },
    ),
    sigv4: {
      ...object({ streaming: signing, presigned: signing, sigv4a: signing }, { keepsRest: true }),
      strictest: { streaming: "deny", presigned: "deny", sigv4a: "deny" },
      nullIsInvalid: true,
    },
  }, { keepsRest: true }),
  strictest: { allowPlaintextInject: false, sigv4: { streaming: "deny", presigned: "deny", sigv4a: "deny" } },
};

/** The sandbox. What is invalid in managed settings counts as its strictest value, or is taken out. */
export const SANDBOX_KEYS: KeyRules = {
  sandbox: {
    ...object({
      enabled: innerGuard(true),
      failIfUnavailable: flag,
      autoAllowBashIfSandboxed: innerGuard(false),
      allowUnsandboxedCommands: innerGuard(false),
      network: {
        ...object({
          allowedDomains: domains,
          deniedDomains: domains,
          strictAllowlist: innerGuard(true),
          allowManagedDomainsOnly: innerGuard(true),
          allowUnixSockets: domains,
          allowAllUnixSockets: innerGuard(false),
          allowLocalBinding: innerGuard(false),
          allowMachLookup: domains,
          httpProxyPort: number(),
          socksProxyPort: number(),
          tlsTerminate: object({
            caCertPath: textThat((value) => value !== "", "a path"),
            caKeyPath: textThat((value) => value !== "", "a path"),
          }),
        }, { keepsRest: true }),
        strictest: {
          strictAllowlist: true,
          allowManagedDomainsOnly: true,
          allowAllUnixSockets: false,
          allowLocalBinding: false,
        },
      },
      filesystem: {
        ...object({
          allowWrite: domains,
          denyWrite: domains,
          denyRead: domains,
          allowRead: domains,
          allowManagedReadPathsOnly: innerGuard(true),
          disabled: innerGuard(false),
        }, { keepsRest: true }),
        strictest: { allowManagedReadPathsOnly: true, disabled: false },
      },
      credentials,
      ignoreViolations: record(texts()),
      enableWeakerNestedSandbox: innerGuard(false),
      allowNestedUserNamespaces: innerGuard(false),
      enableWeakerNetworkIsolation: innerGuard(false),
      allowAppleEvents: innerGuard(false),
      excludedCommands: domains,
      ripgrep: object({ command: text, args: texts() }, { required: ["command"] }),
      bwrapPath: { ...textThat((value) => value.startsWith("/"), "an absolute path"), otherwise: ABSENT },
      socatPath: { ...textThat((value) => value.startsWith("/"), "an absolute path"), otherwise: ABSENT },
      windows: {
        ...object({ backend: { ...oneOf(["sandboxuser"]), strictest: "sandboxuser" } }, { keepsRest: true }),
        strictest: { backend: "sandboxuser" },
      },
    }, { open: true, keepsRest: true }),
    strictest: {
      autoAllowBashIfSandboxed: false,
      allowUnsandboxedCommands: false,
      network: {
        strictAllowlist: true,
        allowManagedDomainsOnly: true,
        allowAllUnixSockets: false,
        allowLocalBinding: false,
      },
      filesystem: { allowManagedReadPathsOnly: true, disabled: false },
      credentials: {
        allowPlaintextInject: false,
        sigv4: { streaming: "deny", presigned: "deny", sigv4a: "deny" },
      },
      windows: { backend: "sandboxuser" },
      enableWeakerNestedSandbox: false,
      allowNestedUserNamespaces: false,
      enableWeakerNetworkIsolation: false,
      allowAppleEvents: false,
    },
  },
};
