/** What stands in place of a secret. */
export const MASK = "***";

/** Names of variables whose values are not for error texts. */
const SECRET_NAME = /KEY|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL|COOKIE|HEADERS|(?:^|_)AUTH(?:$|_)/i;

/** Shorter values are no secrets, and masking them would eat ordinary words. */
const SHORTEST_SECRET = 6;

/** Values that name-matching variables often have and that give nothing away: switches and counts. */
const HARMLESS = /^(?:true|false|\d{1,9})$/i;

/** The secrets that a child's environment holds, longest first, each in the forms in which it may be printed. */
export function secretsOf(env: Readonly<Record<string, string>>): string[] {
  const secrets = new Set<string>();
  for (const [name, value] of Object.entries(env)) {
    if (!SECRET_NAME.test(name)) continue;
    for (const line of value.split(/\r?\n/)) {
      // Header variables hold `Name: value`; what is printed may be the value alone.
      for (const form of [line.trim(), line.replace(/^[\w-]+:\s*/, "").trim()]) {
        if (form.length < SHORTEST_SECRET || HARMLESS.test(form)) continue;
        secrets.add(form);
        secrets.add(JSON.stringify(form).slice(1, -1));
      }
    }
  }
  return [...secrets].sort((a, b) => b.length - a.length);
}

/** Shapes of secrets, whoever set them. The group, if there is one, is what is masked. None looks far back: linear on any text. */
const SHAPES: readonly RegExp[] = [
  /\bsk-[\w-]{8,}/g,
  // GitHub, GitLab, Slack, npm, Hugging Face, Google, Stripe and the like
  /\b(?:gh[opsur]_|github_pat_|glpat-|xox[abeoprs]-|npm_|hf_|AIza|whsec_|[rs]k_(?:live|test)_)[\w-]{10,}/g,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  // a JSON Web Token
  /\beyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g,
  /-----BEGIN [A-Z ]{0,32}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,32}PRIVATE KEY-----|$)/g,
  /\bBearer\s+([\w.~+/=-]+)/gi,
  // Header lines: all that follows, the scheme left out
  /\b(?:x-api-key|authorization|cookie)\\{0,3}["']?\s{0,9}[:=]\s{0,9}\\{0,3}["']?(?:(?:Bearer|Basic|Token)\s+)?([^\r\n"'\\]{6,})/gi,
  // NAME_KEY=value, "apiKey":"value", the latter also inside a text that is JSON
  /(?:KEY|TOKEN|SECRET|PASSWORD)[\w-]{0,64}=["']?([^\s"'&]{6,})/gi,
  /(?:key|token|secret|password)[\w-]{0,64}\\{0,3}"\s{0,9}:\s{0,9}\\{0,3}"([^"\s\\]{6,})\\{0,3}"/gi,
  // user:password@host
  /\b[a-z][a-z0-9+.-]{0,32}:\/\/[^\s/:@]{0,256}:([^\s/@]+)@/gi,
];

/** Names whose last word says that the value is a secret: `apiKey`, `access_token`, not `apiKeySource`. */
const SECRET_WORD =
  /^(?:keys?|tokens?|secrets?|passw(?:or)?ds?|passphrases?|credentials?|cookies?|auth|authorization|bearer)$/i;

/** Whether what stands under a name is a secret, by that name: of a variable, a header, a field. */
export function isSecretName(name: string): boolean {
  if (/^[A-Z0-9_]+$/.test(name)) return SECRET_NAME.test(name);
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").split(/[^A-Za-z0-9]+/).flatMap((word) => word.split(" "));
  return SECRET_WORD.test(words.filter((word) => word !== "").at(-1) ?? "");
}

/**
 * Replaces secrets by {@linkcode MASK}. Text before `from` is left out; it still tells where a secret begins, so that the cut
 * does not leave the end of one.
 */
export function maskSecrets(text: string, secrets: readonly string[], from = 0): string {
  const ranges = [...shapeRanges(text), ...valueRanges(text, secrets)].sort((a, b) => a[0] - b[0]);
  let result = "";
  let at = from;
  for (const [start, end] of ranges) {
    if (end <= at) continue;
    if (start >= at) result += text.slice(at, start);
    if (start >= at || at === from) result += MASK;
    at = end;
  }
  return result + text.slice(at);
}

function* shapeRanges(text: string): Generator<[number, number]> {
  for (const shape of SHAPES) {
    for (const match of text.matchAll(shape)) {
      const secret = match[1] ?? match[0];
      const end = match.index + match[0].lastIndexOf(secret) + secret.length;
      yield [end - secret.length, end];
    }
  }
}

function* valueRanges(text: string, secrets: readonly string[]): Generator<[number, number]> {
  for (const secret of secrets) {
    for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + secret.length)) {
      yield [at, at + secret.length];
    }
  }
}
