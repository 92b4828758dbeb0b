import { KebabError } from '../errors/kebab-error.ts';

/** Creates the `config_invalid` error for one key: the message names the file or variable, the key and the problem. */
export function invalidConfig(at: Location, cause: string, suggestion?: string): KebabError<'config_invalid'> {
  const isNamed = at.origin.origin === 'env' || (at.key.includes('.') && cause.includes(at.key));
  const where = isNamed ? describeOrigin(at.origin) : `${describeOrigin(at.origin)}: ${at.key}`;
  const ending = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
  return new KebabError('config_invalid', `${where}: ${cause}${ending}`, {
    details: { path: pathOf(at.origin), key: at.key, cause, suggestion: suggestion ?? null },
    hint: hintFor(at),
  });
}

/** Creates the error for an unknown key, which no command can set. */
export function unknownConfigKey(at: Location, cause: string, suggestion?: string): KebabError<'config_invalid'> {
  const { message, details } = invalidConfig(at, cause, suggestion);
  const hint = 'rename the key where it is set, or take it out; `kebab config show` lists every key';
  return new KebabError('config_invalid', message, { details, hint });
}

function hintFor({ origin, key }: Location): string | undefined {
  if (origin.origin === 'env') return `correct ${origin.variable}, or unset it`;
  if (origin.origin === 'file' && /^\w+(?:\.\w+)+$/.test(key))
    return `correct it there, with an editor or \`kebab config set ${key} VALUE\``;
  const isTyped = origin.origin === 'flag' && origin.flag.startsWith('config ');
  return isTyped ? `nothing was changed; \`kebab config get ${key}\` shows the value in effect` : undefined;
}

/** A place in a file, both numbers 1-based. */
interface FilePosition {
  readonly line: number;
  readonly column: number;
}

/** Creates the `config_invalid` error for a file that cannot be read or parsed. */
export function unreadableConfig(
  file: string,
  cause: string,
  { position, hint }: { readonly position?: FilePosition | undefined; readonly hint?: string | undefined } = {},
): KebabError<'config_invalid'> {
  const where = position === undefined ? '' : `:${position.line}:${position.column}`;
  const full = position === undefined ? cause : `line ${position.line}, column ${position.column}: ${cause}`;
  return new KebabError('config_invalid', `${file}${where}: ${cause}`, {
    details: { path: file, key: null, cause: full, suggestion: null },
    hint:
      hint ??
      (position === undefined
        ? 'correct the file with an editor, or name another with --config'
        : 'correct the file at this place with an editor'),
  });
}

function pathOf(origin: Origin): string | null {
  return origin.origin === 'file' ? origin.path : null;
}

/** The origin of a key's value. */
export type Origin = { readonly origin: 'default' } | SetOrigin;

/** Where a key is set. */
export type SetOrigin =
  | { readonly origin: 'file'; readonly path: string }
  | { readonly origin: 'env'; readonly variable: string }
  | { readonly origin: 'flag'; readonly flag: string };

/** A key and the origin of its value, which a message about it must name. */
export interface Location {
  readonly origin: Origin;
  /** Dotted: `search.default_k`. */
  readonly key: string;
}

/** The file, variable or flag of an origin. */
export function describeOrigin(origin: Origin): string {
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

/**
 * Converts a parser error to `config_invalid`, with line and column where the parser reports them. The original error is not attached as
 * the cause: it quotes the surrounding text, which may be a secret.
 */
export function syntaxError(file: string, text: string, error: unknown): KebabError<'config_invalid'> {
  const { message, line, column, linePos } = error as ParserError;
  const position =
    line !== undefined && column !== undefined
      ? { line, column }
      : linePos !== undefined
        ? { line: linePos[0].line, column: linePos[0].col }
        : positionIn(text, message);
  return unreadableConfig(file, firstClause(message), { position });
}

/** smol-toml gives line and column, yaml the position of the beginning, JSON.parse sometimes an offset. */
interface ParserError {
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  readonly linePos?: readonly [{ readonly line: number; readonly col: number }, ...unknown[]];
}

function positionIn(text: string, message: string): { readonly line: number; readonly column: number } | undefined {
  const offset = /\bposition (\d+)/.exec(message)?.[1];
  if (offset === undefined) return undefined;
  const before = text.slice(0, Number(offset)).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** The description of a parser error, without the prefix before it and the excerpt after it. */
function firstClause(message: string): string {
  const lines = message.replace(/^Invalid TOML document: /, '').split('\n');
  const line = lines.find((candidate) => /^\w/.test(candidate));
  return (line ?? 'invalid syntax').replace(/(, ".*| in JSON at position.*| at line \d+, column \d+:?)$/, '');
}
