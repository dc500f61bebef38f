/** Modules that code finds by URL: workers, and programs that are started as processes. No import shows them. */

/** The two spellings that packers and bundlers can follow: a literal in `import.meta.resolve`, or in `new URL`. */
export const MODULE_URL: RegExp =
  /(import\.meta\.resolve\(\s*|new URL\(\s*)(["'])(\.{1,2}\/[^"']+?\.(?:js|ts))\2(\s*(?:,\s*import\.meta\.url\s*)?,?\s*\))/g;

/** A reference in another spelling: it would be broken once the file is packed. */
const COMPUTED =
  /import\.meta\.resolve\(\s*(?!["']\.{1,2}\/[^"']+["'])|new URL\(\s*(?!["'])[^()]*,\s*import\.meta\.url/;

/** The relative targets that a source names. @throws if one is computed. */
export function urlTargets(source: string, file: string): string[] {
  const code = source.replace(/\/\*[^]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  const computed = COMPUTED.exec(code);
  if (computed !== null) {
    const line = code.slice(computed.index).split("\n")[0];
    throw new Error(`${file}: a module URL must be one literal, or packing breaks it: ${line}`);
  }
  return [...code.matchAll(MODULE_URL)].map((match) => match[3]!);
}
