import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Imports the module of a plugin. Mistakes in its code are thrown with their file and line if known: Node prints these only when the error
 * is uncaught.
 */
export async function importPlugin(url: string): Promise<{ readonly default: unknown }> {
  try {
    return (await import(url)) as { readonly default: unknown };
  } catch (error) {
    const file = fileURLToPath(url);
    if (isNotFound(error) && !existsSync(file))
      throw new Error(`Cannot find module '${file}': ${BUILD_FIRST}`, { cause: error });
    throw isMistake(error) ? new Error(`${error.message} (${placeOf(error)})`, { cause: error }) : error;
  }
}

/** The remedy for a package whose module is missing. */
export const BUILD_FIRST = 'build the package first, for instance with `npm run build`';

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}

/** Whether an error is a mistake in code; one that an author throws on purpose explains itself. */
function isMistake(error: unknown): error is Error {
  return error instanceof SyntaxError || error instanceof ReferenceError || error instanceof TypeError;
}

const IN_FILE = /file:\/\/(\S+?:\d+(?::\d+)?)\)?$/m;

/** The stack of a syntax error usually lacks its position. */
function placeOf({ stack = '' }: Error): string {
  const [, place] = IN_FILE.exec(stack) ?? [];
  return place === undefined ? 'run the file with `node` to see where' : decodeURI(place);
}
