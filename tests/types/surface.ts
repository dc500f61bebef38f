/** That the official surface is here, as far as types can tell: members, words and kinds, one by one. */
import type {
  BUILTIN_TOOL_NAMES,
  EXIT_REASONS,
  ExitReason,
  HOOK_EVENTS,
  HookEvent,
  Options,
  ORG_POLICY_LIMIT_PREFIXES,
  Query,
  SDKKnownMessage,
  SessionStore,
  SpareProcess,
  Transport,
  USAGE_LIMIT_ERROR_PREFIXES,
  USAGE_TRANSITION_PREFIXES,
  USAGE_WARNING_PREFIXES,
  WarmQuery,
} from "../../mod.ts";
import type { OFFICIAL_SURFACE } from "../pins/official_surface.ts";
import type { Fails, Fits, Holds, Same } from "./assertions.ts";

type Official = typeof OFFICIAL_SURFACE;
type Listed<Name extends keyof Official> = Official[Name] extends readonly (infer Word)[] ? Word : never;

/** Those, what only Python has, and one key of ours. */
export type OptionNames = Holds<Same<keyof Options, Listed<"options"> | "user" | "tether">>;

/** There are no others. */
export type Events = Holds<Same<HookEvent, Listed<"hookEvents">>>;

/** Lists of words are known word by word. */
export type Lists = [
  Holds<Same<(typeof HOOK_EVENTS)[number], HookEvent>>,
  Holds<Same<(typeof BUILTIN_TOOL_NAMES)[number], Listed<"builtinToolNames">>>,
  Holds<Same<(typeof EXIT_REASONS)[number], Listed<"exitReasons">>>,
  Holds<Fits<(typeof EXIT_REASONS)[number], ExitReason>>,
  Fails<
    Fits<
      string,
      | (typeof USAGE_LIMIT_ERROR_PREFIXES)[number]
      | (typeof USAGE_TRANSITION_PREFIXES)[number]
      | (typeof USAGE_WARNING_PREFIXES)[number]
      | (typeof ORG_POLICY_LIMIT_PREFIXES)[number]
    >
  >,
];

/** What a query can be asked. */
export type QueryMethods = Holds<Same<Exclude<Listed<"queryMethods">, keyof Query>, never>>;

/** What a query, and a process, that was started ahead can be asked. */
export type WarmMethods = [
  Holds<Same<Exclude<Listed<"warmQuery"> | typeof Symbol.asyncDispose, keyof WarmQuery>, never>>,
  Holds<Same<Exclude<Listed<"spareProcess"> | typeof Symbol.asyncDispose, keyof SpareProcess>, never>>,
];

/** A `?` marks what a store may lack. */
type StoreMethods = {
  [Name in keyof SessionStore]-?: undefined extends SessionStore[Name] ? `${Name}?` : Name;
}[keyof SessionStore];
/** What a store has, and may have. */
export type StoreNames = Holds<Same<StoreMethods, Listed<"sessionStore">>>;

/** Those, and `connect`, which only Python has. */
type TransportMembers = {
  [Name in Extract<keyof Transport, string>]-?: undefined extends Transport[Name] ? `${Name}?` : Name;
}[Extract<keyof Transport, string>];
/** What a transport has, and may have. */
export type TransportNames = Holds<Same<TransportMembers, Listed<"transport"> | "connect?">>;

type Words<Text extends string> = Text extends `${infer First}|${infer Rest}` ? First | Words<Rest> : Text;
/** The arm of the union that a kind is typed by. */
type Arm<Kind extends string> = Kind extends `${infer Type}/${infer Subtypes}`
  ? Extract<SDKKnownMessage, { type: Type; subtype: Words<Subtypes> | `${string} (unknown kind)` }>
  : Extract<SDKKnownMessage, { type: Kind }>;
/** That would show if one were not. */
export type NoSuchKind = Holds<Same<Arm<"system/no_such_kind"> | Arm<"no_such_kind">, never>>;
/** Each of the 40 kinds is typed. */
export type Kinds = Holds<
  Same<{ [Kind in Listed<"messages">]: [Arm<Kind>] extends [never] ? Kind : never }[Listed<"messages">], never>
>;
