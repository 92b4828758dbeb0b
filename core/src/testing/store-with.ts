import type { ChunkWithDocument, DocumentRow, DocumentWrite } from '../contracts/document-store.ts';
import { compareCodePoints } from '../domain/code-point-order.ts';
import type { DocumentId } from '../domain/ids.ts';
import type { CommittedDocuments } from '../plugin/committed-documents.ts';
import { documentDate } from '../domain/document-date.ts';
import { allTags } from '../domain/metadata.ts';
import { TRUST_LEVELS } from '../domain/media.ts';
import type { SearchFilters } from '../domain/query.ts';

/** What a plugin may read of a knowledge base that holds these documents, and nothing else: for tests of retrievers. */
export async function storeWith(documents: readonly DocumentWrite[]): Promise<CommittedDocuments> {
  const writes = documents.toSorted(
    ({ document: a }, { document: b }) =>
      compareCodePoints(a.sourceId, b.sourceId) || compareCodePoints(a.workspacePath, b.workspacePath),
  );
  const byId = new Map(writes.map((write) => [write.document.docId, write]));
  const chunks = new Map(
    writes.flatMap((write) =>
      write.chunks.map((chunk): [string, ChunkWithDocument] => [chunk.chunkId, { chunk, document: rowOf(write) }]),
    ),
  );
  const written = (id: DocumentId): readonly DocumentWrite[] => {
    const write = byId.get(id);
    return write === undefined ? [] : [write];
  };
  return {
    corpusRevision: async () => 1,
    documentCount: async () => writes.length,
    getDocuments: async (ids) => ids.flatMap(written).map(rowOf),
    getChunks: async (ids) => ids.flatMap((id) => chunks.get(id) ?? []),
    listChunks: async (id, from, to) => written(id).flatMap((write) => write.chunks.slice(from, to)),
    listDocuments: async (filters, { offset, limit }) => {
      const rows = writes.map(rowOf).filter((row) => matchesFilters(row, filters));
      return { documents: rows.slice(offset, offset + limit), total: rows.length };
    },
    readTexts: async (slices) =>
      slices.flatMap(({ docId, start, end }) => written(docId).map(({ document }) => document.text.slice(start, end))),
  };
}

/** A document as a store lists it. */
export function rowOf(write: DocumentWrite): DocumentRow {
  const { asset, document, chunks, fingerprints, chunkerVersion, file, committedAt } = write;
  const { metadata } = document;
  return {
    docId: document.docId,
    assetId: asset.assetId,
    sourceId: document.sourceId,
    workspacePath: document.workspacePath,
    media: document.mediaType.kind,
    title: document.title,
    lang: document.lang,
    sourceType: metadata.sourceType,
    trustLevel: metadata.trustLevel,
    repo: metadata.repo,
    codeLang: metadata.codeLang,
    tags: metadata.tags,
    ...(metadata.inlineTags === undefined ? {} : { inlineTags: metadata.inlineTags }),
    parserVersion: document.parserVersion,
    chunkerVersion,
    fingerprints,
    docVersion: document.docVersion,
    byteLen: asset.byteLen,
    chunkCount: chunks.length,
    textLength: document.text.length,
    pages: document.pages,
    file,
    checksum: asset.checksum,
    createdAt: metadata.createdAt,
    updatedAt: metadata.updatedAt,
    committedAt,
    indexedAt: committedAt,
  };
}

/** Whether a document without front matter passes every filter: the plain definition that stores must agree with. */
export function matchesFilters(document: DocumentRow, filters: SearchFilters): boolean {
  return (
    (filters.tag === undefined ||
      filters.tag.some((tag) => allTags(document).some((other) => isTagBelow(other, tag)))) &&
    among(filters.lang, document.lang) &&
    (filters.pathGlob === undefined ||
      filters.pathGlob.some((glob) => globPattern(glob).test(document.workspacePath))) &&
    (filters.trustMin === undefined || trustOf(document.trustLevel) <= trustOf(filters.trustMin)) &&
    among(filters.media, document.media) &&
    (filters.ingestedAfter === undefined || document.committedAt >= filters.ingestedAfter) &&
    (filters.since === undefined || documentDate({}, document.updatedAt) >= filters.since) &&
    (filters.until === undefined || documentDate({}, document.updatedAt) < filters.until) &&
    among(filters.docId, document.docId) &&
    among(filters.repo, document.repo) &&
    among(filters.codeLang, document.codeLang) &&
    among(filters.source, document.sourceId) &&
    among(filters.sourceType, document.sourceType) &&
    (filters.title === undefined || filters.title.some((words) => holdsWords(document.title, words))) &&
    (filters.within === undefined || matchesFilters(document, filters.within))
  );
}

/** Whether a tag is `wanted` or lies below it; a `#` that front matter wrote before it does not count. */
function isTagBelow(tag: string, wanted: string): boolean {
  const bare = tag.replace(/^#+/, '');
  return bare === wanted || bare.startsWith(`${wanted}/`);
}

function holdsWords(title: string, words: string): boolean {
  const spaced = (text: string): string =>
    ` ${
      text
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu)
        ?.join(' ') ?? ''
    } `;
  return spaced(title).includes(spaced(words));
}

function among<T>(wanted: readonly T[] | undefined, value: T | null): boolean {
  return wanted === undefined || (value !== null && wanted.includes(value));
}

function trustOf(level: DocumentRow['trustLevel']): number {
  return TRUST_LEVELS.indexOf(level);
}

/** Other signs than these stand for themselves; `[…]` is the same in both languages. */
const GLOB_PIECES: Readonly<Record<string, string>> = { '**/': '(?:[^/]+/)*', '**': '.*', '*': '[^/]*', '?': '[^/]' };

function globPattern(glob: string): RegExp {
  const source = glob.replaceAll(/\*\*\/|\*\*|\*|\?|[\\^$.+(){}|]/g, (piece) => GLOB_PIECES[piece] ?? `\\${piece}`);
  return new RegExp(`^${source}${below(glob)}$`, 'su');
}

/** A folder by its name stands for all below it: with a slash behind it, or with a last name that has no wildcard. */
function below(glob: string): string {
  if (glob.endsWith('/')) return '.*';
  return /[*?[{\\]/.test(glob.slice(glob.lastIndexOf('/') + 1)) ? '' : '(?:/.*)?';
}
