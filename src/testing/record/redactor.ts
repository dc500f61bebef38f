import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { isSecretName, MASK, maskSecrets } from "../../transport/process/mask_secrets.ts";
import { IdStandIns } from "./id_stand_ins.ts";
import { type Normalize, normalizeText, normalNumber } from "./normalize.ts";
import { asWord, PathStandIns } from "./path_stand_ins.ts";
import type { Redact, RedactContext, Redaction } from "./redaction.ts";
import { RecordingError } from "./recording_error.ts";
import { TextPieces } from "./text_pieces.ts";

const MAILS = /[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}\.[A-Za-z]{2,24}(?![A-Za-z0-9])/g;
/** Accounts that are nobody's, and words that frames are made of. */
const COMMON = new Set(
  ("root user admin node deno test runner ubuntu debian claude default guest assistant system result message messages content " +
    "session model models tools tool text name type input output error errors state status task tasks agent agents hook hooks " +
    "event events request response usage result role stop mode code path file data value command commands plugins skills")
    .split(" "),
);
const SHORTEST_NAME = 4;
const SHORTEST_SECRET = 6;
/** Values of fields named like secrets that are none. */
const HARMLESS = /^(?:|true|false|null|none)$/i;
/** Fields whose values are words of the protocol. */
const PROTOCOL = new Set([
  "type",
  "subtype",
  "role",
  "behavior",
  "state",
  "status",
  "mode",
  "hook_event_name",
  "tool_name",
  "stop_reason",
]);

/** What a redactor works by: settings with every part found out. */
export interface RedactorSettings extends Redaction {
  /** Undefined: the built-in rules are off. */
  readonly rules: boolean;
  /** The user's own. */
  readonly redact?: Redact | undefined;
}

/** Redacts one conversation: what it has seen it knows again. Deterministic: no random numbers, no time. */
export class Redactor {
  /** What is normalised. */
  readonly normalize: Normalize;
  readonly #rules: boolean;
  readonly #redact: Redact | undefined;
  readonly #paths: PathStandIns;
  readonly #ids = new IdStandIns();
  readonly #users: RegExp | undefined;
  readonly #hosts: RegExp | undefined;
  readonly #mails = new Map<string, string>();
  #secrets: string[];

  /** Nothing has been seen yet. */
  constructor(settings: RedactorSettings) {
    const { normalize = false } = settings;
    this.normalize = typeof normalize === "boolean" ? { times: normalize, costs: normalize } : normalize;
    this.#rules = settings.rules;
    this.#redact = settings.redact;
    this.#paths = new PathStandIns(settings.folders ?? []);
    this.#users = asWord((settings.users ?? []).filter(isName));
    this.#hosts = asWord((settings.hosts ?? []).filter((name) => isName(name) && name.toLowerCase() !== "localhost"));
    this.#secrets = [];
    for (const secret of settings.secrets ?? []) this.#learnSecret(secret);
  }

  /** The same frame with nothing in it that must not be there. @throws {RecordingError} `redaction_failed` */
  frame(frame: JsonObject, from: RedactContext["from"]): JsonObject {
    if (this.#rules) this.#learn(frame);
    return this.#value(frame, "", {}, [], from) as JsonObject;
  }

  /** The same for a text that is no frame. @throws {RecordingError} `redaction_failed` */
  text(text: string, from: RedactContext["from"]): string {
    const redacted = this.#leaf(this.#rules ? this.#text(text, "text") : text, [], from);
    if (typeof redacted !== "string") throw failed("The redact function made something else of a text");
    return redacted;
  }

  /** Ids and secrets of a frame are known before any of it is redacted: a text may come before the field that tells. */
  #learn(frame: JsonObject): void {
    const open: [JsonValue | undefined, string, JsonObject, boolean][] = [[frame, "", {}, false]];
    for (let item = open.pop(); item !== undefined; item = open.pop()) {
      const [value, field, parent, secret] = item;
      if (typeof value === "string") {
        if (secret) this.#learnSecret(value);
        else if (this.#ids.isId(field, value, parent)) this.#ids.of(value);
      } else if (Array.isArray(value)) {
        for (let index = value.length - 1; index >= 0; index--) open.push([value[index], field, parent, secret]);
      } else if (isJsonObject(value)) {
        for (const [key, member] of Object.entries(value).reverse()) {
          open.push([member, key, value, isSecretName(key) || holdsSecrets(field)]);
        }
      }
    }
  }

  #learnSecret(secret: string): void {
    if (secret.length < SHORTEST_SECRET || HARMLESS.test(secret) || /^\d{1,9}$/.test(secret)) return;
    const forms = [secret, JSON.stringify(secret).slice(1, -1)];
    if (/^[\x20-\x7e]+$/.test(secret)) forms.push(encodeURIComponent(secret));
    const fresh = forms.filter((form) => !this.#secrets.includes(form));
    if (fresh.length > 0) this.#secrets = [...this.#secrets, ...new Set(fresh)].sort((a, b) => b.length - a.length);
  }

  #value(
    value: JsonValue,
    field: string,
    parent: JsonObject,
    path: readonly (string | number)[],
    from: RedactContext["from"],
    secret = false,
  ): JsonValue {
    if (typeof value === "string") {
      if (!this.#rules) return this.#leaf(value, path, from);
      if (secret && !HARMLESS.test(value)) return this.#leaf(MASK, path, from);
      const id = this.#ids.isId(field, value, parent) ? this.#ids.of(value) : undefined;
      return this.#leaf(id ?? this.#text(value, PROTOCOL.has(field) ? "word" : "text"), path, from);
    }
    if (typeof value === "number") {
      return this.#leaf(this.#rules ? normalNumber(field, value, this.normalize) : value, path, from);
    }
    if (Array.isArray(value)) {
      return value.map((item, index) => this.#value(item, field, parent, [...path, index], from, secret));
    }
    if (!isJsonObject(value)) return value;
    const result: JsonObject = {};
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue;
      const hidden = this.#rules && (isSecretName(key) || holdsSecrets(field));
      const redacted = this.#value(member, key, value, [...path, key], from, hidden && !isJsonObject(member));
      define(result, this.#rules ? this.#text(key, "word") : key, redacted);
    }
    return result;
  }

  /** Words of the protocol and keys are not taken for ids that are words. */
  #text(text: string, kind: "text" | "word"): string {
    const whole = kind === "text" ? this.#ids.known(text) : undefined;
    if (whole !== undefined) return whole;
    const pieces = new TextPieces(text);
    pieces.split((open) => maskedPieces(open, this.#secrets));
    if (text.includes("@")) pieces.replace(MAILS, ([mail]) => this.#mail(mail.toLowerCase()));
    normalizeText(pieces, this.normalize);
    this.#paths.redact(pieces);
    this.#ids.redact(pieces, kind === "text");
    if (this.#users !== undefined) pieces.replace(this.#users, () => "user");
    if (this.#hosts !== undefined) pieces.replace(this.#hosts, () => "host");
    return pieces.toString();
  }

  #mail(mail: string): string {
    const known = this.#mails.get(mail);
    if (known !== undefined) return known;
    const standIn = `user${this.#mails.size === 0 ? "" : this.#mails.size + 1}@example.com`;
    this.#mails.set(mail, standIn);
    return standIn;
  }

  #leaf(value: JsonValue, path: readonly (string | number)[], from: RedactContext["from"]): JsonValue {
    if (this.#redact === undefined || typeof value !== "string" && typeof value !== "number") return value;
    let redacted: JsonValue | undefined;
    try {
      redacted = this.#redact(value, { from, path });
    } catch (cause) {
      throw failed("The redact function has thrown", cause);
    }
    if (redacted === undefined) throw failed("The redact function returned nothing");
    return redacted;
  }
}

/** All values in an object of this name are secret. */
function holdsSecrets(field: string): boolean {
  return /^(?:headers|httpHeaders|http_headers|cookies|credentials|secrets|tokens)$/i.test(field);
}

/** Open and masked pieces by turns; undefined if there is nothing to mask. */
function maskedPieces(text: string, secrets: readonly string[]): string[] | undefined {
  const masked = maskSecrets(text, secrets);
  if (masked === text) return undefined;
  return masked.split(MASK).flatMap((piece, index) => index === 0 ? [piece] : [MASK, piece]);
}

function isName(name: string): boolean {
  return name.length >= SHORTEST_NAME && !COMMON.has(name.toLowerCase());
}

/** No assignment: that would take `__proto__` for more than a name. Two keys that look the same now are told apart. */
function define(target: JsonObject, name: string, value: JsonValue): void {
  let free = name;
  for (let count = 2; Object.hasOwn(target, free); count++) free = `${name} (${count})`;
  Object.defineProperty(target, free, { value, enumerable: true, configurable: true, writable: true });
}

function failed(message: string, cause?: unknown): RecordingError {
  return new RecordingError("redaction_failed", message, { cause });
}
