import { KebabError } from '../errors/kebab-error.ts';

/** Makes the `config_invalid` error for one key: the message names the file or variable, the key and what is wrong. */
export function invalidConfig(at: Location, cause: string, suggestion?: string): KebabError<'config_invalid'> {
  const where = at.origin.origin === 'env' ? describeOrigin(at.origin) : `${describeOrigin(at.origin)}: ${at.key}`;
  const ending = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
  return new KebabError('config_invalid', `${where}: ${cause}${ending}`, {
    details: { path: pathOf(at.origin), key: at.key, cause, suggestion: suggestion ?? null },
  });
}

/** A place in a file, both numbers 1-based. */
interface FilePosition {
  readonly line: number;
  readonly column: number;
}

/** Makes the `config_invalid` error for a file that cannot be read or parsed. */
export function unreadableConfig(file: string, cause: string, position?: FilePosition): KebabError<'config_invalid'> {
  const where = position === undefined ? '' : `:${position.line}:${position.column}`;
  const full = position === undefined ? cause : `line ${position.line}, column ${position.column}: ${cause}`;
  return new KebabError('config_invalid', `${file}${where}: ${cause}`, {
    details: { path: file, key: null, cause: full, suggestion: null },
  });
}

function pathOf(origin: Origin): string | null {
  return origin.origin === 'file' ? origin.path : null;
}

/** Where the value of a key comes from. */
export type Origin =
  | { readonly origin: 'default' }
  | { readonly origin: 'file'; readonly path: string }
  | { readonly origin: 'env'; readonly variable: string }
  | { readonly origin: 'flag'; readonly flag: string };

/** A key at one place: what a message about its value must name. */
export interface Location {
  readonly origin: Origin;
  /** Dotted: `search.default_k`. */
  readonly key: string;
}

/** Names an origin as a message begins: the file, the variable, the flag. */
function describeOrigin(origin: Origin): string {
  switch (origin.origin) {
    case 'default':
      return 'built-in default';
    case 'file':
      return origin.path;
    case 'env':
      return origin.variable;
    case 'flag':
      return origin.flag;
    default:
      return origin satisfies never;
  }
}
