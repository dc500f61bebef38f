/// <reference lib="deno.unstable" />
/**
 * A plugin for `deno lint`: what the source must not use because one of the runtimes it has to run on lacks it, or
 * because the layer it is in must not know of it. Which runtime lacks what is written beside each name.
 */

/** Globals that a runtime-neutral file must not name. */
const FORBIDDEN_GLOBALS: Readonly<Record<string, string>> = {
  Deno: "a runtime's own; reach it through the Runtime value",
  Bun: "a runtime's own; reach it through the Runtime value",
  process: "missing in workerd and browsers; reach it through the Runtime value",
  Buffer: "missing in workerd and browsers; use Uint8Array",
  require: "missing in ES modules",
  global: "missing outside Node; use globalThis",
  __dirname: "missing in ES modules",
  setImmediate: "missing in workerd and browsers",
  AsyncDisposableStack: "missing on Node 20 and 22",
  DisposableStack: "missing on Node 20 and 22",
  SuppressedError: "missing on Node 20 and 22",
  Iterator: "missing on Node 20",
  Temporal: "missing on Node",
};

/** Those of the above that are also names of types every runtime has. */
const TYPES_TOO = new Set(["Iterator"]);

/** Static members that some runtime lacks. */
const FORBIDDEN_MEMBERS: Readonly<Record<string, string>> = {
  "ReadableStream.from": "missing in Chromium",
  "Promise.withResolvers": "missing on Node 20; use deferred()",
  "Promise.try": "missing on Node 20 and 22",
  "Array.fromAsync": "missing on Node 20",
  "Map.groupBy": "missing on Node 20",
  "Object.groupBy": "missing on Node 20",
  "Uint8Array.fromBase64": "missing on Node",
  "Error.isError": "missing on Node 20 and 22",
  "RegExp.escape": "missing on Node 20 and 22",
};

/** Methods that some runtime's objects lack, whatever they are called on. */
const FORBIDDEN_METHODS: Readonly<Record<string, string>> = {
  unref: "timers are numbers in workerd and Chromium",
  toBase64: "missing on Node",
};

/** Folders whose files run everywhere. */
const NEUTRAL = /\/src\/(core|transport|client|remote)\//;
/** What is shipped. The library says what it has to say through `onDiagnostic`. */
const SHIPPED = /\/(src|workers)\/|\/mod\.ts$/;
/** What Node 22 loads by stripping types, or Node 20 after packing. */
const STRIPPED = /\/(src|workers|tests|examples)\/|\/mod\.ts$/;

/** True if an identifier is a reference to a value, not the name of a member or of a type's field. */
function isReference(node: Deno.lint.Identifier): boolean {
  const parent = node.parent;
  switch (parent.type) {
    case "MemberExpression":
      return parent.object === node || parent.computed;
    case "Property":
    case "PropertyDefinition":
    case "MethodDefinition":
    case "TSPropertySignature":
    case "TSMethodSignature":
    case "TSAbstractPropertyDefinition":
    case "TSAbstractMethodDefinition":
      return parent.key !== node;
    case "TSQualifiedName":
      return parent.left === node;
    default:
      return true;
  }
}

/** True if an identifier is where a name of the file's own is made: a variable, a parameter, an import. */
function isDeclaration(node: Deno.lint.Identifier): boolean {
  const parent = node.parent;
  switch (parent.type) {
    case "VariableDeclarator":
      return parent.id === node;
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return parent.params.some((parameter) => parameter === node);
    case "ImportSpecifier":
      return parent.local === node;
    case "ImportDefaultSpecifier":
    case "ImportNamespaceSpecifier":
      return true;
    default:
      return false;
  }
}

const plugin: Deno.lint.Plugin = {
  name: "house",
  rules: {
    "runtime-neutral": {
      create(context) {
        if (!NEUTRAL.test(context.filename.replaceAll("\\", "/"))) return {};
        const report = (node: Deno.lint.Node, name: string, why: string): void =>
          context.report({ node, message: `${name} must not be used here: ${why}` });
        const named: Deno.lint.Identifier[] = [];
        const own = new Set<string>();
        return {
          Identifier(node) {
            if (!Object.hasOwn(FORBIDDEN_GLOBALS, node.name) || !isReference(node)) return;
            if (isDeclaration(node)) own.add(node.name);
            else if (node.parent.type !== "TSTypeReference" || !TYPES_TOO.has(node.name)) named.push(node);
          },
          "Program:exit"() {
            for (const node of named) if (!own.has(node.name)) report(node, node.name, FORBIDDEN_GLOBALS[node.name]!);
          },
          MemberExpression(node) {
            if (node.property.type !== "Identifier" || node.computed) return;
            const member = node.property.name;
            if (Object.hasOwn(FORBIDDEN_METHODS, member)) report(node, `.${member}`, FORBIDDEN_METHODS[member]!);
            if (node.object.type !== "Identifier") return;
            const name = `${node.object.name}.${member}`;
            if (Object.hasOwn(FORBIDDEN_MEMBERS, name)) report(node, name, FORBIDDEN_MEMBERS[name]!);
          },
          NewExpression(node) {
            const transformer = node.arguments[0];
            if (node.callee.type !== "Identifier" || node.callee.name !== "TransformStream") return;
            if (transformer?.type !== "ObjectExpression") return;
            for (const property of transformer.properties) {
              if (property.type !== "Property" || property.key.type !== "Identifier") continue;
              if (property.key.name === "cancel") {
                report(property, "TransformStream cancel()", "Chromium never calls it");
              }
            }
          },
        };
      },
    },
    "silent": {
      create(context) {
        if (!SHIPPED.test(context.filename.replaceAll("\\", "/"))) return {};
        return {
          Identifier(node) {
            if (node.name !== "console" || !isReference(node)) return;
            context.report({ node, message: "The library never writes to the console; report a Diagnostic" });
          },
        };
      },
    },
    "strippable": {
      create(context) {
        if (!STRIPPED.test(context.filename.replaceAll("\\", "/"))) return {};
        return {
          VariableDeclaration(node) {
            if (!/using/.test(node.kind)) return;
            context.report({
              node,
              message: "`using` is a syntax error on Node 20 and 22, and the npm build keeps it",
            });
          },
          Decorator(node) {
            context.report({ node, message: "Decorators cannot be stripped" });
          },
        };
      },
    },
  },
};

export default plugin;
