import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Imports the module of a plugin. What its code gets wrong while it loads is thrown with the place where it stands, as far as that is
 * known: Node says it only to a program that ends with the error.
 */
export async function importPlugin(url: string): Promise<{ readonly default: unknown }> {
  try {
    return (await import(url)) as { readonly default: unknown };
  } catch (error) {
    const file = fileURLToPath(url);
    if (isNotFound(error) && !existsSync(file))
      throw new Error(`Cannot find module '${file}': ${BUILT_FIRST}`, { cause: error });
    throw isMistake(error) ? new Error(`${error.message} (${placeOf(error)})`, { cause: error }) : error;
  }
}

/** What to do about a package without its module. */
export const BUILT_FIRST = 'a package that is still to be built is built first, for instance with `npm run build`';

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}

/** Mistakes in code; what an author throws on purpose says what is wrong by itself. */
function isMistake(error: unknown): error is Error {
  return error instanceof SyntaxError || error instanceof ReferenceError || error instanceof TypeError;
}

const IN_FILE = /file:\/\/(\S+?:\d+(?::\d+)?)\)?$/m;

/** Of a syntax error the place is mostly not in the stack. */
function placeOf({ stack = '' }: Error): string {
  const [, place] = IN_FILE.exec(stack) ?? [];
  return place === undefined ? 'run the file with `node` to see where' : decodeURI(place);
}
