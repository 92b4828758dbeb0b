import { readFileSync } from 'node:fs';
import { invalidInput } from '../../errors/invalid-input.ts';
import { KebabError } from '../../errors/kebab-error.ts';

/**
 * Reads a YAML file as plain values; of YAML nothing but data is understood. Throws `io_error` for a file that cannot be read,
 * and `invalid_input` for one that is no YAML.
 */
export async function readSuite(file: string): Promise<unknown> {
  const text = readText(file).replace(/^\uFEFF/, '');
  // The YAML of configuration files: cosmiconfig's loader only parses what it is given.
  const { defaultLoadersSync } = await import('cosmiconfig');
  try {
    return defaultLoadersSync['.yaml'](file, text) as unknown;
  } catch (error) {
    const { reason, mark } = error as YamlFailure;
    const place = mark === undefined ? '' : `:${mark.line + 1}:${mark.column + 1}`;
    throw invalidInput(`${file}${place} is no YAML${reason === undefined ? '' : `: ${reason}`}`, {
      field: 'suite',
      value: file,
      hint: 'a golden suite is a YAML list of mappings, each with id and query',
    });
  }
}

/** What the parser tells of a mistake; lines and columns count from 0. */
interface YamlFailure {
  readonly reason?: string;
  readonly mark?: { readonly line: number; readonly column: number };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const kind = (error as NodeJS.ErrnoException).code ?? 'EIO';
    const why = kind === 'ENOENT' ? 'there is no such file' : `it cannot be read (${kind})`;
    throw new KebabError('io_error', `golden suite ${file}: ${why}`, {
      details: { kind, path: file, cause: why },
      cause: error,
      hint: 'name one with --suite PATH or KEBAB_EVAL_GOLDEN',
    });
  }
}
