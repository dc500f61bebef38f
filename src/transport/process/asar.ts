/**
 * Electron packs an app into `app.asar`, a file that only its own patched file system can look into: a program in there cannot
 * be started. Packers leave programs beside it, in `app.asar.unpacked`.
 *
 * Gives that path for one inside an archive; undefined for any other.
 */
export function unpackedPath(path: string): string | undefined {
  const unpacked = path.replace(/(^|[\\/])app\.asar(?=[\\/])/, "$1app.asar.unpacked");
  return unpacked === path ? undefined : unpacked;
}
