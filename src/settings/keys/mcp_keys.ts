import { isJsonObject } from "../../core/json.ts";
import {
  ABSENT,
  flag,
  INVALID,
  list,
  number,
  readBy,
  record,
  type Rule,
  text,
  texts,
  textThat,
} from "../rules/rule.ts";
import { object, tagged } from "../rules/object_rule.ts";
import { guard, type KeyRules, lenient, same } from "./key_rule.ts";

const NAME = /^[A-Za-z0-9_-]+$/;

/** Names of servers; in a person's file a single name may stand without a list. */
const serverNames: Rule = {
  read: (value, at) =>
    typeof value === "string" && at.reader === "own" && NAME.test(value) ? [value] : texts().read(value, at),
};

/** One way to say which server is meant: exactly one of its keys. */
function serverMatch(name: Rule): Rule {
  const rule = object({
    serverName: name,
    serverCommand: list(text, { atLeast: 1 }),
    serverUrl: text,
  });
  return {
    read(value, at) {
      const reading = readBy(rule, value, at);
      if (!isJsonObject(reading)) return INVALID;
      return Object.keys(reading).length === 1
        ? reading
        : at.fail("must have one of serverName, serverCommand, serverUrl");
    },
  };
}

const allowedName = textThat((value) => NAME.test(value), "a name of letters, digits, - and _");
const remote = {
  type: text,
  url: textThat((value) => value.startsWith("https://") && URL.canParse(value), "an https URL"),
  headers: record(text),
  timeout: number({ above: 0 }),
};

/** Which MCP servers may run. */
export const MCP_KEYS: KeyRules = {
  enableAllProjectMcpServers: guard(false),
  ...same(serverNames, "enabledMcpjsonServers", "disabledMcpjsonServers"),
  disableClaudeAiConnectors: guard(true),
  allowManagedMcpServersOnly: guard(true),
  ...same(flag, "allowAllClaudeAiMcps", "allowClaudeInChromeWithManagedMcp"),
  desktopMcpServersListScope: { ...text, otherwise: "all" },
  allowedMcpServers: {
    ...list(serverMatch(allowedName), { keepsRest: "everyone", mayEmpty: true }),
    otherwise: ABSENT,
    strictest: [],
    nullIsInvalid: true,
  },
  deniedMcpServers: lenient(
    list(serverMatch(textThat((value) => value !== "", "a name")), { keepsRest: "everyone", mayEmpty: true }),
  ),
  managedMcpServers: {
    ...lenient(record(
      tagged("type", {
        http: object(remote, { required: ["url"] }),
        sse: object(remote, { required: ["url"] }),
      }),
      { keepsRest: "everyone", mayEmpty: true },
    )),
    managedOnly: true,
  },
};
