/** A plugin's name in its three uses. */
export interface PluginName {
  /** The name of the package: `@acme/kebab-plugin-epub`, or `kebab-plugin-epub`. */
  readonly packageName: string;
  /** The folder it is written into: the package's name without its scope. */
  readonly folder: string;
  /** The id of its contribution: `epub`. */
  readonly id: string;
}

/** A name that no package can have. */
export class NameError extends Error {}

const PREFIX = 'kebab-plugin-';
const VALID = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/;
const MOST_CHARS = 200;

/**
 * Reads a name as somebody types it: `epub`, `kebab-plugin-epub` and `@acme/kebab-plugin-epub` all contribute `epub`.
 * Throws {@link NameError} for what npm would refuse.
 */
export function parsePluginName(typed: string): PluginName {
  const name = typed.trim();
  if (!VALID.test(name) || name.length > MOST_CHARS)
    throw new NameError(
      `"${typed}" cannot be the name of a package: lower-case letters, digits, ".", "_" and "-", beginning with a letter or digit`,
    );
  const folder = name.slice(name.indexOf('/') + 1);
  const isWhole = name !== folder || folder.startsWith(PREFIX);
  const id = (folder.startsWith(PREFIX) ? folder.slice(PREFIX.length) : folder).replaceAll(/[^a-z0-9-]+/g, '-');
  return isWhole
    ? { packageName: name, folder, id: id === '' ? folder : id }
    : { packageName: `${PREFIX}${folder}`, folder: `${PREFIX}${folder}`, id };
}
