import { realpathSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentStore } from '../contracts/document-store.ts';
import { anchorLabel } from '../domain/anchor.ts';
import { LineIndex } from '../domain/span.ts';
import type { CitedQuery } from '../domain/query.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import type { PathScope } from '../documents/find-document.ts';
import { FreshnessCheck, type FreshnessPorts } from '../documents/freshness.ts';
import { invalidInput } from '../errors/invalid-input.ts';
import { gitFactsFor } from '../git/git-facts.ts';
import { type Environment, gitFailure, runGit } from '../git/run-git.ts';
import { indexedSources } from '../documents/source-roots.ts';
import type { Ports } from '../ports.ts';
import type { Blame, Open } from '../wire/index.ts';
import {
  findCitedPlace,
  type CitedPlace,
  noSuchLine,
  requireAnchor,
  requirePage,
  sourceFileOf,
} from './cited-place.ts';

/**
 * Locates a cited place on this machine: the file, and the line or page in it. A deleted file is reported with its former path, as
 * `deleted`. Errors: `invalid_input` for an invalid URI or one that names a nonexistent page or line, for a path in several sources, and
 * for a source that is not a folder; `chunk_not_found`, `doc_not_found`, `not_indexed`.
 */
export async function locateCitation(
  ports: FreshnessPorts & Pick<Ports, 'documents'> & PathScope,
  query: CitedQuery,
  { signal }: AbortOptions = {},
): Promise<Open> {
  throwIfCancelled(signal, 'open');
  const store = await ports.documents.read();
  const place = await findCitedPlace(store, query, ports);
  const sources = await indexedSources(ports.config, store);
  const { path } = sourceFileOf(place.document, sources);
  const { freshness } = await new FreshnessCheck(ports, sources, signal).check(place.document);
  if (freshness === 'fresh') await requireThere(place, store); // a changed file may have more lines now
  return { schema_version: 'open.v1', path, ...positionOf(place), uri: place.uri, freshness };
}

/** Output of git for one file, and its time. */
const MAX_BYTES = 64 * 1_048_576;
const MAX_MS = 60_000;

/**
 * The lines of a cited place as they are in its file now, each with the commit that last changed it. Errors: those of
 * {@link locateCitation}, and `invalid_input` for a document without lines, a deleted file, and one that git does not know.
 */
export async function blameCitation(
  ports: FreshnessPorts & Pick<Ports, 'documents'> & PathScope & { readonly env: Environment },
  query: CitedQuery,
  { signal }: AbortOptions = {},
): Promise<Blame> {
  throwIfCancelled(signal, 'get');
  const store = await ports.documents.read();
  const place = await findCitedPlace(store, query, ports);
  const { document, fragment, uri } = place;
  const { workspacePath, sourceId } = document;
  const { path, exists } = sourceFileOf(document, await indexedSources(ports.config, store));
  const refused = (why: string, hint: string): Error => invalidInput(why, { field: 'blame', value: uri, hint });
  if (!isText(document.media) || (fragment !== null && fragment.kind !== 'line'))
    throw refused(`${uri} has no lines that git could know`, 'leave --blame out');
  if (!exists) throw refused(`${workspacePath} is deleted, so it has no lines to blame`, 'leave --blame out');
  const file = realpathSync(path);
  const folder = dirname(file);
  if ((await gitFactsFor(folder)) === null)
    throw refused(`${path} is in no git repository`, 'only committed files have an author: leave --blame out');
  const range = fragment === null ? [] : [`-L${fragment.start},${fragment.end}`];
  const { env } = ports;
  const without = await filtersOff(folder, { env, signal });
  const args = [
    '-C',
    folder,
    'blame',
    '--porcelain',
    '--no-textconv',
    '--encoding=UTF-8',
    ...range,
    '--',
    basename(file),
  ];
  const output = await runGit({ args: [...without, ...args], env, signal, maxBytes: MAX_BYTES, maxMs: MAX_MS });
  if (output.code !== 0) {
    const cause = gitFailure(output);
    throw /no such path|no such ref|has only \d+ line/.test(cause)
      ? refused(`git knows no such lines of ${workspacePath}: ${cause}`, 'commit the file, or leave --blame out')
      : refused(`${workspacePath} cannot be blamed: ${cause}`, 'leave --blame out');
  }
  const shallow = await runGit({ args: ['-C', folder, 'rev-parse', '--is-shallow-repository'], env, signal });
  const lines = blamedLines(output.stdout.toString(), shallow.stdout.toString().trim() === 'true');
  return { schema_version: 'blame.v1', uri, doc_path: workspacePath, source_id: sourceId, lines };
}

/** Blaming cleans the file in the work tree with the filters that the repository or the user configured: none of them runs. */
async function filtersOff(
  folder: string,
  { env, signal }: { readonly env: Environment; readonly signal: AbortSignal | undefined },
): Promise<readonly string[]> {
  const args = ['-C', folder, 'config', '--name-only', '--null', '--get-regexp', String.raw`^filter\.`];
  const { stdout } = await runGit({ args, env, signal });
  const names = stdout.toString().split('\0').filter(Boolean);
  return names.flatMap((name) => ['-c', `${name}=${name.endsWith('.required') ? 'false' : ''}`]);
}

/** Reads `git blame --porcelain`: the facts of a commit stand with its first line only. The first commit of a
 * whole history is no boundary. */
function blamedLines(output: string, isShallow: boolean): Blame['lines'] {
  const facts = new Map<string, Map<string, string>>();
  const lines: Blame['lines'][number][] = [];
  let commit = '';
  let line = 0;
  for (const row of output.split('\n')) {
    const [, hash, number] = /^([0-9a-f]{40,64}) \d+ (\d+)(?: \d+)?$/.exec(row) ?? [];
    const known = facts.get(commit);
    if (row.startsWith('\t')) {
      lines.push({ line, text: row.slice(1).replace(/\r$/, ''), ...factsOf(commit, known) });
    } else if (hash !== undefined) {
      commit = hash;
      line = Number(number);
      if (!facts.has(hash)) facts.set(hash, new Map());
    } else if (isShallow || row !== 'boundary') {
      const [name = '', ...value] = row.split(' ');
      known?.set(name, value.join(' '));
    }
  }
  return lines;
}

function factsOf(
  commit: string,
  facts: ReadonlyMap<string, string> = new Map(),
): Omit<Blame['lines'][number], 'line' | 'text'> {
  if (/^0+$/.test(commit)) return { commit: null, author: null, date: null, subject: null };
  const seconds = Number(facts.get('author-time') ?? 0);
  return {
    commit,
    author: facts.get('author') ?? '',
    date: new Date(seconds * 1000).toISOString(),
    subject: facts.get('summary') ?? '',
    ...(facts.has('boundary') ? { is_boundary: true } : {}),
  };
}

/** Rejects lines and anchored places that the document does not have. */
async function requireThere({ document, fragment }: CitedPlace, store: DocumentStore): Promise<void> {
  if (fragment?.kind === 'anchor') return void (await requireAnchor(store, document, fragment.anchor));
  if (fragment?.kind !== 'line') return;
  const [text = ''] = await store.readTexts([{ docId: document.docId }]);
  const { count } = new LineIndex(text);
  if (fragment.start > count) throw noSuchLine(document, fragment.start, count);
}

function positionOf({ document, fragment }: CitedPlace): {
  readonly line: number | null;
  readonly page: number | null;
  readonly place?: string;
} {
  const nowhere = { line: null, page: null };
  switch (fragment?.kind) {
    case 'line':
      // A line of a PDF or of the text in an image is not a line of its file.
      return isText(document.media) ? { ...nowhere, line: fragment.start } : nowhere;
    case 'page':
      requirePage(document, fragment.page);
      return { ...nowhere, page: fragment.page };
    case 'anchor':
      return { ...nowhere, place: anchorLabel(fragment.anchor) };
    case 'region':
    case 'caption':
    case 'time':
    case undefined:
      return nowhere;
    default:
      return fragment satisfies never;
  }
}

function isText(media: CitedPlace['document']['media']): boolean {
  return media !== 'pdf' && media !== 'image' && media !== 'audio';
}
