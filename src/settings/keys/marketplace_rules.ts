import {
  ABSENT,
  anything,
  either,
  flag,
  list,
  number,
  oneOf,
  record,
  type Rule,
  someText,
  text,
  texts,
  textThat,
} from "../rules/rule.ts";
import { object, tagged } from "../rules/object_rule.ts";

const url: Rule = textThat((value) => URL.canParse(value), "a URL");
const headers = record(text);
const packageName = textThat(
  (value) => /^(?:@[a-z0-9-._~]+\/)?[a-z0-9-._~]+$/i.test(value) && !value.includes(".."),
  "a package name",
);
const git = { ref: text, path: text, sparsePaths: texts(), skipLfs: flag };
const npm = object({ source: text, package: packageName, version: text, registry: url }, { required: ["package"] });
const marketplaceName = textThat(
  (value) => /^[^\s/\\@]+$/.test(value) && !value.includes(".."),
  "a name without blanks",
);

/** Where a single plugin comes from. */
const pluginSource: Rule = either(
  "a path that begins with ./, or a source",
  textThat((value) => value.startsWith("./"), "a path that begins with ./"),
  tagged("source", {
    npm,
    url: object({ source: text, url: someText, ref: text, sha: text }, { required: ["url"] }),
    github: object({ source: text, repo: text, ref: text, sha: text }, { required: ["repo"] }),
    "git-subdir": object({ source: text, url: text, path: someText, ref: text, sha: text }, {
      required: ["url", "path"],
    }),
    archive: object({ source: text, url, sha256: text }, { required: ["url"] }),
    command: object({ source: text, command: text, timeout: number(), mode: oneOf(["copy", "link"]) }, {
      required: ["command"],
    }),
    unsupported: object({ source: text, error: text }),
  }),
);

/** Plugins that the settings themselves list. Only sources that name where to look are taken. */
const settingsMarketplace = object({
  source: text,
  name: marketplaceName,
  plugins: list(object({
    name: someText,
    source: {
      read: (value, at) =>
        typeof value === "string" ? at.fail("must be a source, not a path") : pluginSource.read(value, at),
    },
    description: text,
    version: text,
    strict: flag,
    engines: record(anything),
    headers,
    headersHelper: text,
  }, { required: ["name", "source"] })),
  owner: object({ name: someText, email: text, url: text }, { required: ["name"] }),
}, { required: ["name", "plugins"] });

/** The kinds of sources a marketplace can have. */
export const SOURCE_KINDS: readonly string[] = [
  "url",
  "github",
  "git",
  "npm",
  "file",
  "directory",
  "skills-dir",
  "hostPattern",
  "pathPattern",
  "settings",
];

function sources(hostPattern: Rule): Rule {
  return tagged("source", {
    url: object({ source: text, url, headers, headersHelper: text }, { required: ["url"] }),
    github: object({ source: text, repo: text, ...git }, { required: ["repo"] }),
    git: object({ source: text, url: text, ...git }, { required: ["url"] }),
    npm,
    file: object({ source: text, path: text }, { required: ["path"] }),
    directory: object({ source: text, path: text }, { required: ["path"] }),
    "skills-dir": object({ source: text }),
    hostPattern: object({ source: text, hostPattern }, { required: ["hostPattern"] }),
    pathPattern: object({ source: text, pathPattern: hostPattern }, { required: ["pathPattern"] }),
    settings: settingsMarketplace,
  });
}

const pattern = textThat((value) => {
  try {
    new RegExp(value);
    return true;
  } catch {
    return false;
  }
}, "a regular expression");

/** Where a marketplace comes from, in a list of allowed or blocked ones. */
export const marketplaceSource: Rule = sources(pattern);

/** A marketplace that is known under a name. One whose plugins are listed in the settings has that very name. */
export function knownMarketplace(): Rule {
  return object({
    source: sources(text),
    installLocation: text,
    autoUpdate: flag,
    pluginDigests: {
      ...record({ ...texts(), otherwise: [] }),
      otherwise: ABSENT,
    },
  }, { required: ["source"] });
}
