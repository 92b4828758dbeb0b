/**
 * Imports the module of a plugin. What its code gets wrong while it loads is thrown with the place where it stands, as far as that is
 * known: Node says it only to a program that ends with the error.
 */
export async function importPlugin(url: string): Promise<{ readonly default: unknown }> {
  try {
    return (await import(url)) as { readonly default: unknown };
  } catch (error) {
    throw isMistake(error) ? new Error(`${error.message} (${placeOf(error)})`, { cause: error }) : error;
  }
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
