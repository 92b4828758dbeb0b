import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isMistake, placeOf } from './mistakes.ts';

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
    if (!isMistake(error)) throw error;
    const { message } = error as Error;
    throw new Error(`${message} (${placeOf(error) ?? 'run the file with `node` to see where'})`, { cause: error });
  }
}

/** The remedy for a package whose module is missing. */
export const BUILD_FIRST = 'build the package first, for instance with `npm run build`';

function isNotFound(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
}
