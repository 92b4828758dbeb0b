import { invalidInput, isKebabError, printable, type App, type FetchQuery } from '@kebab/core/app';
import type { CommandContext } from './command-context.ts';
import { refuseHitNumber } from './search-history.ts';

const SHOWN = 9;

/**
 * Runs an operation on the place that a person typed. If there is no such path, it runs on the one document that is called so (`cabin`,
 * `"meeting notes"`, `cabin:5-7`). Where several are, the terminal asks which; without one, throws `invalid_input` that lists them.
 */
export async function atPlaceMeant<Q extends FetchQuery, T>(
  query: Q,
  { context, app }: { readonly context: CommandContext; readonly app: App },
  run: (query: Q | Extract<FetchQuery, { readonly kind: 'uri' }>) => Promise<T>,
): Promise<T> {
  try {
    return await run(query);
  } catch (error) {
    if (query.kind !== 'uri' || !mayBeName(query.uri, error)) throw error;
    const { source } = query;
    const [, typed = query.uri, lines = ''] = /^(.+?)(:\d+(?:-\d+)?)?$/s.exec(query.uri) ?? [];
    const { kind, documents } = await app.nameDocuments(typed, { source, signal: context.signal });
    const uris = documents.map(({ uri }) => uri);
    const [only, ...others] = kind === 'name' ? uris : [];
    if (only === undefined) {
      refuseHitNumber(context, typed);
      throw error;
    }
    const uri = others.length === 0 ? only : ((await choose(typed, uris, context)) ?? refuse(typed, uris));
    context.note(`notice: ${typed} is ${uri}`);
    return run({ kind: 'uri', uri: `${uri}${lines}` });
  }
}

/** Whether what failed as a place may be a name: without folders, or with a `#` that begins no place (`C# tips`). */
function mayBeName(typed: string, error: unknown): boolean {
  if (/[/\\]/.test(typed)) return false;
  return isKebabError(error, typed.includes('#') ? 'invalid_input' : 'doc_not_found');
}

/** Asks on the terminal which of several places is meant; undefined without a terminal. */
async function choose(
  typed: string,
  uris: readonly string[],
  { io, json, signal }: CommandContext,
): Promise<string | undefined> {
  if (json || !io.stdin.isTerminal || !io.stderr.isTerminal) return undefined;
  const list = uris.slice(0, SHOWN).map((uri, at) => `${at + 1}. ${printable(uri)}\n`);
  io.stderr.print(`${list.join('')}which ${printable(typed)}? [1-${list.length}] `);
  for await (const answer of io.stdin.read(signal)) return uris.slice(0, SHOWN)[Number(answer.trim()) - 1];
  return undefined;
}

function refuse(typed: string, uris: readonly string[]): never {
  throw invalidInput(`${uris.length} documents are called ${JSON.stringify(typed)}`, {
    field: 'PATH',
    value: typed,
    allowed: uris.slice(0, SHOWN),
    hint: `name one of them: ${uris.slice(0, SHOWN).join(', ')}`,
  });
}
