import { isFunctionWord } from '../analysis/words.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import type { LexicalIndex } from '../contracts/lexical-index.ts';
import { notFound, requirePlace, type PathScope } from '../documents/find-document.ts';
import { headingAnchor } from '../documents/heading-anchor.ts';
import { readLabels, readLinks, type WrittenLink } from '../documents/read-links.ts';
import { holdersOf, linkedFrom, nameIn, resolveLinks } from '../documents/resolve-links.ts';
import { blake3Short } from '../domain/blake3.ts';
import type { Block } from '../domain/block.ts';
import type { DocumentId } from '../domain/ids.ts';
import type { CitedQuery } from '../domain/query.ts';
import { LineIndex } from '../domain/span.ts';
import { formatUri, parseUri } from '../domain/uri.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import type { Ports } from '../ports.ts';
import type { Related, RelatedLink } from '../wire/index.ts';
import { TextPrint } from './known-passages.ts';
import type { Searcher } from './search-documents.ts';

/** What a search for related documents reads. */
export type RelatedPorts = Pick<Ports, 'documents' | 'lexicalIndex'> & PathScope & Pick<Searcher, 'search'>;

/** How many entries each list has at most, unless requested. */
const DEFAULT_LIMIT = 10;
/** How many documents that may link to this one are read. */
const MAX_READ = 1000;
const READ_AT_ONCE = 50;
/** How much of a text is compared, and read for its words. */
const MAX_COMPARED = 2 ** 18;

/**
 * What is around a document, or around a passage of it: the documents that it links to and that link to it, those nearest by words and
 * meaning, and near copies. Links are resolved by the current index. Errors: `invalid_input` for an invalid URI and for a path in several
 * sources, `chunk_not_found`, `doc_not_found`, `not_indexed`, `cancelled`.
 */
export async function relatedDocuments(
  { documents, lexicalIndex, search, ...scope }: RelatedPorts,
  query: CitedQuery,
  { limit = DEFAULT_LIMIT, signal }: AbortOptions & { readonly limit?: number | undefined } = {},
): Promise<Related> {
  throwIfCancelled(signal, 'related');
  const [store, index] = await Promise.all([documents.read(), lexicalIndex.read()]);
  const place = await readPlace(store, query, scope);
  const { document, text } = place;
  const abort = { signal };
  const corpus: Corpus = { store, index, abort };
  const out = await linksOut(corpus, document, text);
  const into = await linksInto(corpus, document);
  const copies = await nearCopies(corpus, document, { text, words: wordsOf(text) });
  const isNoted = new Set([document.docId, ...copies.map(({ docId }) => docId)]);
  const near = await nearest(search, { place, limit, isNoted, abort });
  return {
    schema_version: 'related.v1',
    uri: place.uri,
    doc_id: document.docId,
    title: document.title,
    links_out: await withHashes(store, out.links.slice(0, limit)),
    links_in: await withHashes(store, into.slice(0, limit)),
    unresolved: out.unresolved.slice(0, limit),
    nearest: near.hits,
    near_copies: copies.slice(0, limit).map((copy) => ({ ...referTo(copy), doc_id: copy.docId, title: copy.title })),
    counts: {
      links_out: out.links.length,
      links_in: into.length,
      unresolved: out.unresolved.length,
      near_copies: copies.length,
    },
    mode: near.mode,
  };
}

interface Corpus {
  readonly store: DocumentStore;
  readonly index: LexicalIndex;
  readonly abort: AbortOptions;
}

/** A document, and what of it is compared: a passage, or its beginning. */
interface RelatedPlace {
  readonly document: DocumentRow;
  readonly uri: string;
  /** The text of the document. */
  readonly text: string;
  /** The words to search for. */
  readonly asked: string;
}

async function readPlace(store: DocumentStore, query: CitedQuery, scope: PathScope): Promise<RelatedPlace> {
  if (query.kind === 'chunk') {
    const [match] = await store.getChunks([query.chunkId]);
    if (match === undefined) throw notFound('chunk', query.chunkId);
    const { document, chunk } = match;
    return {
      document,
      uri: referTo(document).uri,
      text: await textOf(store, document),
      asked: askedBy(document, chunk.text),
    };
  }
  const { document, fragment } = await requirePlace(store, query.uri, { source: query.source, scope });
  const text = await textOf(store, document);
  const { sourceId, workspacePath: path } = document;
  const uri = formatUri({ sourceId, path, fragment });
  if (fragment?.kind === 'line') {
    const lines = new LineIndex(text);
    const passage = text.slice(lines.startOf(fragment.start), lines.startOf(fragment.end + 1));
    if (/[\p{L}\p{N}]/u.test(passage)) return { document, uri, text, asked: askedBy(document, passage) };
  }
  const chunks = await store.listChunks(document.docId, 0, 3);
  const beginning = chunks.map((chunk) => chunk.text).join('\n');
  return { document, uri, text, asked: askedBy(document, beginning, frequentWords(text)) };
}

async function textOf(store: DocumentStore, { docId }: DocumentRow): Promise<string> {
  const [text = ''] = await store.readTexts([{ docId }]);
  return text;
}

const WORD = /[\p{L}\p{N}_]+/gu;
const MAX_ASKED_WORDS = 40;
const MAX_ASKED = 600;
const FREQUENT_WORDS = 12;

function wordsOf(text: string): readonly string[] {
  return [...text.slice(0, MAX_COMPARED).toLowerCase().matchAll(WORD)].map(([word]) => word);
}

/** A query for the subject of a text: plain words, so that nothing in it is an operator. */
function askedBy({ title }: DocumentRow, passage: string, others: readonly string[] = []): string {
  const plain = passage.replaceAll(/\]\([^)\n]*\)|\bhttps?:\S+/g, ' ');
  const words = new Set([...wordsOf(title), ...others, ...wordsOf(plain).slice(0, 400)]);
  const telling = [...words].filter((word) => !isFunctionWord(word));
  return (telling.length === 0 ? [...words] : telling).slice(0, MAX_ASKED_WORDS).join(' ').slice(0, MAX_ASKED);
}

function frequentWords(text: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) if (word.length > 2) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .filter(([word, count]) => count > 1 && !isFunctionWord(word) && !/^\d+$/.test(word))
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, FREQUENT_WORDS)
    .map(([word]) => word);
}

async function linksOut(
  corpus: Corpus,
  document: DocumentRow,
  text: string,
): Promise<Pick<Related, 'unresolved'> & { readonly links: readonly RelatedLink[] }> {
  const lines = new LineIndex(text);
  const links = await linkedFrom(corpus, document, { links: readLinks(text, document), ...corpus.abort });
  const anchored = new Set(links.flatMap(({ link, to }) => (link.heading === null || to === null ? [] : [to.docId])));
  const blocks: ReadonlyMap<DocumentId, readonly Block[]> =
    anchored.size === 0 ? new Map() : await corpus.store.getBlocks([...anchored]);
  const found = new Map<string, RelatedLink>();
  const unresolved = new Map<string, Related['unresolved'][number]>();
  for (const { link, to } of links) {
    const line = lines.lineAt(link.start);
    if (to === null) {
      if (!isPicture(link) && !unresolved.has(link.target)) unresolved.set(link.target, { target: link.target, line });
    } else if (to.docId !== document.docId) {
      const heading = link.heading === null ? null : headingLine(blocks.get(to.docId) ?? [], link.heading);
      const { uri } = referTo(to, heading);
      if (!found.has(uri)) found.set(uri, { uri, doc_id: to.docId, title: to.title, line });
    }
  }
  return { links: [...found.values()], unresolved: [...unresolved.values()] };
}

/** Links whose places carry the hash of their line, as other citations do. */
async function withHashes(store: DocumentStore, links: readonly RelatedLink[]): Promise<readonly RelatedLink[]> {
  const ids = [...new Set(links.filter(({ uri }) => uri.includes('#')).map(({ doc_id: id }) => id as DocumentId))];
  const [rows, texts] = await Promise.all([store.getDocuments(ids), store.readTexts(ids.map((docId) => ({ docId })))]);
  return links.map((link) => {
    const { fragment } = parseUri(link.uri);
    const row = rows.find(({ docId }) => docId === link.doc_id);
    if (row === undefined || fragment?.kind !== 'line') return link;
    const line = texts[ids.indexOf(row.docId)]?.split('\n')[fragment.start - 1] ?? '';
    const { sourceId, workspacePath: path } = row;
    return { ...link, uri: formatUri({ sourceId, path, fragment, pin: blake3Short(line) }) };
  });
}

function isPicture({ target }: WrittenLink): boolean {
  return /\.(?:png|jpe?g|gif|svg|webp|bmp|ico|mp[34]|wav|ogg|m4a|mov|webm|pdf|zip|css|js)$/i.test(target);
}

/** The line of a heading that is named as it is written, or by its anchor; null if there is none. */
function headingLine(blocks: readonly Block[], named: string): number | null {
  const last = named.slice(named.lastIndexOf('#') + 1);
  const wanted = headingAnchor(last);
  const block = blocks.find((one) => one.kind === 'heading' && headingAnchor(one.text) === wanted);
  return block?.sourceSpan.kind === 'line' ? block.sourceSpan.start : null;
}

/** The documents that link to one: the index narrows, and the texts of the documents decide. */
async function linksInto(corpus: Corpus, document: DocumentRow): Promise<readonly RelatedLink[]> {
  const { store, index, abort } = corpus;
  const names = await namesOf(corpus, document);
  const passages = await store.getPassages(await holdersOf(index, names, abort));
  const docIds = new Set(
    passages.filter(({ media }) => media === 'markdown' || media === 'text').map(({ docId }) => docId),
  );
  docIds.delete(document.docId);
  const rows = await store.getDocuments([...docIds].slice(0, MAX_READ));
  const links: RelatedLink[] = [];
  for (let from = 0; from < rows.length; from += READ_AT_ONCE) {
    throwIfCancelled(abort.signal, 'related');
    links.push(...(await linksFrom(corpus, rows.slice(from, from + READ_AT_ONCE), { names, document })));
  }
  return links;
}

async function linksFrom(
  { store, index, abort }: Corpus,
  rows: readonly DocumentRow[],
  { names, document }: { readonly names: readonly string[]; readonly document: DocumentRow },
): Promise<readonly RelatedLink[]> {
  const texts = await store.readTexts(rows.map(({ docId }) => ({ docId })));
  const keys = new Set(names.map(keyOf));
  const links = rows.flatMap((from, at) =>
    readLinks(texts[at] ?? '', from)
      .filter(({ target }) => keys.has(keyOf(target)) || keys.has(keyOf(nameIn(target))) || /^[./]*$/.test(target))
      .map((link) => ({ ...link, from, at })),
  );
  const targets = await resolveLinks({ store, index }, links, abort);
  const found = new Map<DocumentId, RelatedLink>();
  for (const [at, { from, start, at: ofText }] of links.entries()) {
    if (targets[at] !== document.docId || found.has(from.docId)) continue;
    const line = new LineIndex(texts[ofText] ?? '').lineAt(start);
    found.set(from.docId, { uri: referTo(from, line).uri, doc_id: from.docId, title: from.title, line });
  }
  return [...found.values()];
}

/** The names that a link to a document may use; of a folder's document also the name of the folder. */
async function namesOf({ store }: Corpus, { docId, workspacePath, title }: DocumentRow): Promise<readonly string[]> {
  const stem = nameIn(workspacePath);
  const folder = workspacePath.split('/').at(-2);
  const isOfFolder = /^(?:_?index|readme)$/i.test(stem) && folder !== undefined;
  const whole = await store.getCanonicalDocument(docId);
  const called = [...(whole?.metadata.aliases ?? []), ...readLabels(whole?.text ?? '')];
  const names = [stem, title, ...called, ...(isOfFolder ? [folder] : [])];
  const encoded = names.filter((name) => name.includes(' ')).map((name) => name.replaceAll(' ', '%20'));
  return [...new Set([...names, ...encoded])].filter((name) => /[\p{L}\p{N}]/u.test(name));
}

function keyOf(name: string): string {
  return name.normalize('NFC').toLowerCase().replaceAll('%20', ' ').trim();
}

/** How many passages with the words of a document are examined for copies of it, and of how many documents. */
const MAX_EXAMINED = 200;
const MAX_CANDIDATES = 20;
const MIN_COPIED_WORDS = 8;

/** The documents whose texts share nearly all their runs of words. */
async function nearCopies(
  { store, index, abort }: Corpus,
  document: DocumentRow,
  { text, words }: { readonly text: string; readonly words: readonly string[] },
): Promise<readonly DocumentRow[]> {
  const rare = [...new Set(words)].toSorted((a, b) => b.length - a.length).slice(0, MAX_ASKED_WORDS);
  if (words.length < MIN_COPIED_WORDS) return [];
  const hits = await index.search(index.analyseQuery(rare.join(' ')), {}, MAX_EXAMINED, abort);
  const passages = await store.getPassages(hits.map(({ chunkId }) => chunkId));
  const ids = [...new Set(passages.map(({ docId }) => docId))].filter((id) => id !== document.docId);
  const similar = (await store.getDocuments(ids))
    .filter(({ textLength }) => textLength > document.textLength / 2 && textLength < document.textLength * 2)
    .slice(0, MAX_CANDIDATES);
  const texts = await store.readTexts(similar.map(({ docId }) => ({ docId, start: 0, end: MAX_COMPARED })));
  const print = new TextPrint(text.slice(0, MAX_COMPARED));
  return similar.filter((_, at) => new TextPrint(texts[at] ?? '').isNearly(print));
}

/** A passage that has a few everyday words of many is not near; of forty words, one that is rare makes twice this. */
const MIN_NEAR = 0.005;

/** The best passage of each of the nearest other documents. */
async function nearest(
  search: Searcher['search'],
  {
    place,
    limit,
    isNoted,
    abort,
  }: {
    readonly place: RelatedPlace;
    readonly limit: number;
    readonly isNoted: ReadonlySet<DocumentId>;
    readonly abort: AbortOptions;
  },
): Promise<{ readonly hits: Related['nearest']; readonly mode: Related['mode'] }> {
  if (place.asked === '') return { hits: [], mode: 'lexical' };
  const k = Math.min(100, limit * 2 + 10);
  const { hits, mode } = await search({ text: place.asked, k }, { perDoc: 1, minScore: MIN_NEAR, ...abort });
  const others = new Map(
    hits.filter(({ doc_id: id }) => !isNoted.has(id as DocumentId)).map((hit) => [hit.doc_id, hit]),
  );
  return {
    mode,
    hits: [...others.values()].slice(0, limit).map(({ citation, doc_id, section_label: section, snippet }) => {
      return { uri: citation.permalink ?? citation.uri, doc_id, section, snippet };
    }),
  };
}

function referTo({ sourceId, workspacePath: path }: DocumentRow, line: number | null = null): { readonly uri: string } {
  return {
    uri: formatUri({ sourceId, path, fragment: line === null ? null : { kind: 'line', start: line, end: line } }),
  };
}
