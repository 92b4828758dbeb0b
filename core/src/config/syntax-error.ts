import type { KebabError } from '../errors/kebab-error.ts';
import { unreadableConfig } from './invalid-config.ts';

/**
 * Turns what a parser threw into `config_invalid` with line and column where the parser gives them. The parser's own
 * error is left behind: it quotes the text around the mistake, which may be a secret.
 */
export function syntaxError(file: string, text: string, error: unknown): KebabError<'config_invalid'> {
  const { message, reason, line, column, mark } = error as ParserError;
  const position =
    line !== undefined && column !== undefined
      ? { line, column }
      : mark !== undefined
        ? { line: mark.line + 1, column: mark.column + 1 }
        : positionIn(text, message);
  return unreadableConfig(file, reason ?? firstClause(message), position);
}

/** smol-toml gives line and column, js-yaml a 0-based mark and a reason, JSON.parse sometimes an offset. */
interface ParserError {
  readonly message: string;
  readonly reason?: string;
  readonly line?: number;
  readonly column?: number;
  readonly mark?: { readonly line: number; readonly column: number };
}

function positionIn(text: string, message: string): { readonly line: number; readonly column: number } | undefined {
  const offset = /\bposition (\d+)/.exec(message)?.[1];
  if (offset === undefined) return undefined;
  const before = text.slice(0, Number(offset)).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** What is wrong, without the headline before it and the quotation after it. */
function firstClause(message: string): string {
  const lines = message.replace(/^Invalid TOML document: /, '').split('\n');
  const line = lines.find((candidate) => /^\w/.test(candidate) && !/^(JSON|YAML) Error in /.test(candidate));
  return (line ?? 'invalid syntax').replace(/(, ".*| in JSON at position.*| while parsing .*)$/, '');
}
