/** That the official surface is here, as far as types can tell: members, words and kinds, one by one. */
import type { HookEvent, Options, Query, SDKKnownMessage, SessionStore, SpareProcess, WarmQuery } from "../../mod.ts";
import type { OFFICIAL_SURFACE } from "../pins/official_surface.ts";
import type { Holds, Same } from "./assertions.ts";

type Official = typeof OFFICIAL_SURFACE;
type Listed<Name extends keyof Official> = Official[Name] extends readonly (infer Word)[] ? Word : never;

/** Those, what only Python has, and one key of ours. */
export type OptionNames = Holds<Same<keyof Options, Listed<"options"> | "user" | "tether">>;

/** There are no others. */
export type Events = Holds<Same<HookEvent, Listed<"hookEvents">>>;

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
