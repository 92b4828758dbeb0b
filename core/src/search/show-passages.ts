import path from 'node:path';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { ChunkWithDocument, DocumentStore } from '../contracts/document-store.ts';
import { indexedSources, type SourceRoot } from '../documents/source-roots.ts';
import type { TextRange } from '../domain/block.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import { LineIndex } from '../domain/span.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import type { Ports } from '../ports.ts';
import { matchMarker, type Match } from '../relevance/mark-matches.ts';
import { checkMember } from '../requests/read-request.ts';
import { readQuery } from './read-operators.ts';

/** A request to display passages that a search found. */
export interface PassageRequest {
  /** The query as entered. */
  readonly query: string;
  readonly chunkIds: readonly string[];
  /** Lines before and after each passage, 0 to 1000; none by default. */
  readonly context?: number | undefined;
}

/** A text with the matches of the query. */
export interface MarkedText {
  /** In NFC. */
  readonly text: string;
  readonly matches: readonly Match[];
}

/** A line of a passage, or of its context. */
export interface PassageLine extends MarkedText {
  /** From 1, as in the file; null for a text that does not consist of file lines: a row of a table, or all of the passage. */
  readonly number: number | null;
  /** Whether it belongs to the passage itself. */
  readonly isInside: boolean;
  /** UTF-8 bytes before the text in its line; present only for an excerpt of a very long line. */
  readonly bytesBefore?: number | undefined;
}

/** A passage in the context of its document. */
export interface ShownPassage {
  readonly chunkId: string;
  readonly title: MarkedText;
  /** The section or symbol of the chunk, if it has one. */
  readonly label: MarkedText | null;
  /** Path of the file on this machine; null where it has none. */
  readonly file: string | null;
  readonly lines: readonly PassageLine[];
}

const CONTEXT = { kind: 'int', min: 0, max: 1000, doc: 'chunks before and after' } as const;
/** Longer lines, as in minified files, are not processed whole. */
const MAX_LINE = 4000;

/**
 * The lines of passages in their documents, with the matches of the query, for display on a terminal. One result per chunk that still
 * exists, in the requested order. Errors: `invalid_input`, `not_indexed`, `cancelled`.
 */
export async function showPassages(
  ports: Pick<Ports, 'documents' | 'lexicalIndex' | 'config'>,
  { query, chunkIds, context = 0 }: PassageRequest,
  { signal }: AbortOptions = {},
): Promise<readonly ShownPassage[]> {
  throwIfCancelled(signal, 'search');
  checkMember('context', CONTEXT, context);
  const [store, index] = await Promise.all([ports.documents.read(), ports.lexicalIndex.read()]);
  const chunks = await store.getChunks(chunkIds as readonly ChunkId[]);
  const [texts, sources] = await Promise.all([textsOf(store, chunks), indexedSources(ports.config, store)]);
  const { analysed } = readQuery(query, (text) => index.analyseQuery(text), true);
  const mark = matchMarker(analysed);
  const marked = (text: string): MarkedText => {
    const composed = text.normalize('NFC');
    return { text: composed, matches: mark(composed) };
  };
  return chunks.map(({ chunk, document }) => ({
    chunkId: chunk.chunkId,
    title: marked(document.title),
    label: chunk.sectionLabel === null ? null : marked(chunk.sectionLabel),
    file: fileOf(document, sources),
    lines: linesOf({ chunk, document }, { text: texts.get(chunk.docId), context, mark: marked }),
  }));
}

/** The complete texts of line-based documents, each read once. */
async function textsOf(
  store: Pick<DocumentStore, 'readTexts'>,
  found: readonly ChunkWithDocument[],
): Promise<ReadonlyMap<DocumentId, string>> {
  const ids = [...new Set(found.filter(hasLines).map(({ chunk }) => chunk.docId))];
  const texts = ids.length === 0 ? [] : await store.readTexts(ids.map((docId) => ({ docId })));
  return new Map(ids.map((id, at) => [id, texts[at] ?? '']));
}

/** Whether the lines of the text are lines of a file. */
function hasLines({ chunk: { sourceSpans } }: ChunkWithDocument): boolean {
  return sourceSpans.every(({ kind }) => kind === 'line' || kind === 'code' || kind === 'byte');
}

interface LineOptions {
  readonly text: string | undefined;
  readonly context: number;
  readonly mark: (text: string) => MarkedText;
}

function linesOf({ chunk }: ChunkWithDocument, { text, context, mark }: LineOptions): readonly PassageLine[] {
  if (text === undefined) return piecesOf(chunk).map((piece) => ({ ...mark(piece), number: null, isInside: true }));
  const lines = new LineIndex(text);
  const { start, end } = lines.linesOf(chunk.start, chunk.end);
  const [from, to] = [Math.max(1, start - context), Math.min(lines.count, end + context)];
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => {
    const number = from + at;
    const isInside = number >= start && number <= end;
    const line = { start: lines.startOf(number), end: lines.startOf(number + 1) };
    const shown = line.end - line.start <= MAX_LINE ? line : partOf(line, isInside ? chunk : null);
    const cut =
      shown.start === line.start ? {} : { bytesBefore: Buffer.byteLength(text.slice(line.start, shown.start)) };
    return { ...mark(text.slice(shown.start, shown.end).replace(/\n$/, '')), number, isInside, ...cut };
  });
}

function piecesOf({ text, sourceSpans }: ChunkWithDocument['chunk']): readonly string[] {
  const isRows = sourceSpans.every((span) => span.kind === 'anchor' && /(?:^|&)row=/.test(span.anchor));
  if (isRows) return text.trim().split('\n');
  const marked = text.replaceAll(/^[ \t]*[-*+] (?=\S)/gm, '• '); // in one line a hyphen begins no item
  return [marked.replaceAll(/\s+/g, ' ').trim()];
}

/** The part of a very long line to process: the range of the passage, else its beginning. */
function partOf(line: TextRange, passage: TextRange | null): TextRange {
  const start = Math.max(line.start, passage?.start ?? line.start);
  return { start, end: Math.max(start, Math.min(line.end, passage?.end ?? line.start + MAX_LINE)) };
}

function fileOf(
  { sourceId, workspacePath, file }: ChunkWithDocument['document'],
  sources: ReadonlyMap<string, SourceRoot>,
): string | null {
  const source = sources.get(sourceId);
  return file === null || source?.connector !== 'fs' ? null : path.join(source.root, workspacePath);
}
