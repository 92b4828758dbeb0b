/** Whether an error is a mistake in code; one that an author throws on purpose explains itself. */
export function isMistake(error: unknown): boolean {
  return [SyntaxError, ReferenceError, TypeError, RangeError].some((kind) => error instanceof kind);
}

/** The first line of the stack of an import that fails: Node puts the place of the import there. */
const HEAD = /^file:\/\/(\S+:\d+)\n/;
const FRAME = /^ {4}at (.+)$/gm;
const IN_MODULE = /file:\/\/(\S+?:\d+(?::\d+)?)\)?$/;
/** Callees of a plugin that report how it called them: Node, and the vocabulary that it imports. */
const CALLED = /\(node:|^node:|\/node_modules\/@kebab\/plugin\//;
/** kebab, which reports broken promises of a plugin as mistakes, too. */
const OWN = /\/core\/(?:src|dist)\/|\/@kebab\/core\//;

/**
 * The file, line and column of a mistake in a module of a plugin; undefined for other errors, for those that kebab throws, and if the stack
 * names no module, as that of a syntax error usually does not.
 */
export function placeOf(error: unknown): string | undefined {
  const stack = isMistake(error) ? (error as Error).stack : undefined;
  const frame = [...(stack ?? '').matchAll(FRAME)].map(([, at = '']) => at).find((at) => !CALLED.test(at));
  const [, place] = HEAD.exec(stack ?? '') ?? IN_MODULE.exec(frame ?? '') ?? [];
  return place === undefined || OWN.test(place) ? undefined : decodeURI(place);
}
