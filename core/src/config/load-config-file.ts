import path from 'node:path';
import { isKebabError } from '../errors/kebab-error.ts';
import { readRegularText } from '../files/read-regular-file.ts';
import { unreadableConfig, syntaxError } from './invalid-config.ts';

/** A configuration file as parsed, not yet validated. */
export interface LoadedFile {
  readonly table: unknown;
  /** The text that was parsed, over which a hash of the file must be computed. */
  readonly text: string;
}

/**
 * Reads and parses a configuration file by its extension: .toml, .json, .yaml, .yml; a given text replaces the content of the file. Parsers
 * are loaded on demand. Throws `config_invalid`, for a syntax error with line and column.
 */
export async function loadConfigFile(file: string, text?: string): Promise<LoadedFile> {
  const extension = path.extname(file).toLowerCase();
  if (extension === '.toml') return loadToml(file, text ?? readText(file));
  if (['.json', '.yaml', '.yml'].includes(extension))
    return (await import('./load-with-cosmiconfig.ts')).loadWithCosmiconfig(file, text ?? readText(file));
  throw unreadableConfig(file, 'the name of a configuration file ends in .toml, .json, .yaml or .yml');
}

async function loadToml(file: string, text: string): Promise<LoadedFile> {
  const { parse } = await import('smol-toml');
  try {
    return { table: parse(withoutComments(text)), text };
  } catch (error) {
    throw syntaxError(file, text, error);
  }
}

/**
 * Blanks comment lines while preserving positions: the parser is slow on comments, and the file that `init` writes is mostly comments.
 * Lines inside a multi-line string are text and are kept.
 */
function withoutComments(toml: string): string {
  return /"""|'''/.test(toml) ? toml : toml.replace(/^[ \t]*#[^\n]*/gm, '');
}

/** Far larger than any real configuration. */
const MAX_BYTES = 1_048_576;

function readText(file: string): string {
  try {
    return readRegularText(file, { maxBytes: MAX_BYTES });
  } catch (error) {
    if (isKebabError(error, 'io_error')) throw unreadableConfig(file, error.details.cause);
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    const isDenied = code === 'EACCES' || code === 'EPERM';
    const hint = isDenied ? `chmod u+r ${file}, or name another file with --config` : undefined;
    throw unreadableConfig(file, `cannot be read (${code})`, { hint });
  }
}
