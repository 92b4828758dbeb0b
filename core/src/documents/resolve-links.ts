import { foldWord } from '../analysis/words.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import type { LexicalIndex, NamedChunk } from '../contracts/lexical-index.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import { folderOf, pathsOf, readLabels, type WrittenLink } from './read-links.ts';

/** A link, and the document that contains it. */
export interface PlacedLink extends WrittenLink {
  readonly from: DocumentRow;
}

/** How many chunks with the words of a name are examined. */
const MAX_NAMED = 100;
const ENDING = /(?<=[^./])\.[\p{L}\d]{1,8}$/u;

/** Links of a document, each with the document that it leads to; null where there is none. */
export async function linkedFrom(
  corpus: Parameters<typeof resolveLinks>[0],
  from: DocumentRow,
  { links, ...options }: AbortOptions & { readonly links: readonly WrittenLink[] },
): Promise<readonly { readonly link: WrittenLink; readonly to: DocumentRow | null }[]> {
  const placed = links.map((link): PlacedLink => ({ ...link, from }));
  const ids = await resolveLinks(corpus, placed, options);
  const rows = await corpus.store.getDocuments([...new Set(ids.filter((id) => id !== null))]);
  const byId = new Map(rows.map((row) => [row.docId, row]));
  return links.map((link, at) => ({ link, to: byId.get(ids[at] ?? ('' as DocumentId)) ?? null }));
}

/**
 * The documents that links lead to, one per link, null where there is none: the document at that path of the same source, else the one with
 * that file name, title or alias, those nearest to the document of the link first; of a label the document that sets it.
 */
export async function resolveLinks(
  { store, index }: { readonly store: DocumentStore; readonly index: LexicalIndex },
  links: readonly PlacedLink[],
  options: AbortOptions = {},
): Promise<readonly (DocumentId | null)[]> {
  const byPath = await idsByPath(store, links);
  const atPath = links.map(
    (link) =>
      pathsOf(link, link.from.workspacePath).flatMap((path) => byPath.get(link.from.sourceId)?.get(path) ?? [])[0] ??
      null,
  );
  const labelled = await idsByLabel({ store, index }, links, options);
  const names = new Set(links.flatMap((link, at) => ((atPath[at] ?? link.isLabel) ? [] : [nameIn(link.target)])));
  const byName = new Map<string, readonly NamedChunk[]>();
  for (const name of names) {
    const phrases = phrasesOf(index, name);
    byName.set(name, (await index.named?.(phrases, {}, MAX_NAMED, options)) ?? []);
  }
  const rows = await store.getDocuments([...new Set([...byName.values()].flat().map(({ docId }) => docId))]);
  const sources = new Map(rows.map(({ docId, sourceId }) => [docId, sourceId]));
  return links.map((link, at) => {
    if (link.isLabel) return labelled.get(link.from.sourceId)?.get(foldWord(link.target)) ?? null;
    const candidates = (byName.get(nameIn(link.target)) ?? []).filter(
      ({ docId }) => sources.get(docId) === link.from.sourceId,
    );
    return atPath[at] ?? nearestCalled(candidates, link);
  });
}

async function idsByPath(
  store: DocumentStore,
  links: readonly PlacedLink[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, DocumentId>>> {
  const paths = new Map<string, Set<string>>();
  for (const link of links) {
    const known = paths.get(link.from.sourceId) ?? new Set();
    paths.set(link.from.sourceId, known);
    for (const path of pathsOf(link, link.from.workspacePath)) known.add(path);
  }
  const ids = new Map<string, ReadonlyMap<string, DocumentId>>();
  for (const [sourceId, known] of paths) {
    const documents = await store.knownDocuments(sourceId, [...known]);
    ids.set(sourceId, new Map([...documents].map(([path, { docId }]) => [path, docId])));
  }
  return ids;
}

/** By source, the documents that set the labels that links lead to. */
async function idsByLabel(
  { store, index }: { readonly store: DocumentStore; readonly index: LexicalIndex },
  links: readonly PlacedLink[],
  options: AbortOptions,
): Promise<ReadonlyMap<string, ReadonlyMap<string, DocumentId>>> {
  const labels = new Set(links.flatMap(({ target, isLabel }) => (isLabel ? [foldWord(target)] : [])));
  const chunkIds = await holdersOf(index, [...labels], options);
  const passages = await store.getPassages(chunkIds);
  const ids = new Map<string, Map<string, DocumentId>>();
  for (const { sourceId, docId, text } of passages)
    for (const label of readLabels(text))
      ids.set(sourceId, (ids.get(sourceId) ?? new Map<string, DocumentId>()).set(foldWord(label), docId));
  return ids;
}

/** The chunks that hold one of several names, regardless of case and separators. */
export async function holdersOf(
  index: LexicalIndex,
  names: readonly string[],
  options: AbortOptions,
): Promise<readonly ChunkId[]> {
  const chunkIds = new Set<ChunkId>();
  for (const name of names) {
    const phrases = phrasesOf(index, name);
    if (phrases.length === 0) continue;
    const query = { ...index.analyseQuery(`"${name.replaceAll('"', ' ')}"`), phrases };
    for (const id of (await index.admitted(query, {}, options)) ?? []) chunkIds.add(id);
  }
  return [...chunkIds];
}

/** The phrases of the index for a name, whose case and separators do not matter. */
export function phrasesOf(
  index: Pick<LexicalIndex, 'analyseQuery'>,
  name: string,
): ReturnType<LexicalIndex['analyseQuery']>['phrases'] {
  const quoted = `"${name.replaceAll('"', ' ')}"`;
  return index.analyseQuery(quoted).phrases.map(({ text, parts }) => ({ text, parts }));
}

/** The last part of a path, without the ending of a text. */
export function nameIn(target: string): string {
  const name = target.replace(/\/+$/, '');
  return name.slice(name.lastIndexOf('/') + 1).replace(ENDING, '');
}

function nearestCalled(chunks: readonly NamedChunk[], { target, isName, from }: PlacedLink): DocumentId | null {
  const typed = foldWord(target.replace(/^(?:\.{0,2}\/)+/, '').replace(/\/+$/, ''));
  const isCalled = ({ workspacePath, title, aliases }: NamedChunk): number => {
    const path = `/${foldWord(workspacePath)}`;
    if (path.endsWith(`/${typed}`) || path.replace(ENDING, '').endsWith(`/${typed.replace(ENDING, '')}`)) return 3;
    if (!isName) return 0;
    return foldWord(title) === typed ? 2 : aliases.some((alias) => foldWord(alias) === typed) ? 1 : 0;
  };
  const folder = folderOf(from.workspacePath);
  const called = chunks
    .map((chunk) => ({ chunk, rank: isCalled(chunk), isNear: folderOf(chunk.workspacePath) === folder }))
    .filter(({ rank }) => rank > 0)
    .toSorted(
      (a, b) =>
        b.rank - a.rank ||
        Number(b.isNear) - Number(a.isNear) ||
        a.chunk.workspacePath.length - b.chunk.workspacePath.length,
    );
  return called[0]?.chunk.docId ?? null;
}
