import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentRow } from '../contracts/document-store.ts';
import { type DocumentUnit, lineAt, readDocuments } from '../documents/document-units.ts';
import { notFound, requirePlace, type PathScope } from '../documents/find-document.ts';
import type { DocumentId } from '../domain/ids.ts';
import type { LineIndex } from '../domain/span.ts';
import { charCount, firstChars } from '../domain/text-size.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import { countThatFits, decodeCursor, encodeCursor, hashRanking } from '../paging/cursor.ts';
import type { Ports } from '../ports.ts';
import { checkMember } from '../requests/read-request.ts';
import { SEARCH } from '../requests/search.ts';
import type { Outline } from '../wire/index.ts';
import { nameDocuments } from './name-documents.ts';

/** Which outline: of a file, of the files of a folder or glob, or of a document by its id. */
export type OutlineQuery =
  | { readonly path: string; readonly source?: string | undefined }
  | { readonly docId: DocumentId };

/** The page of an outline. */
export interface OutlinePage {
  readonly cursor?: string | undefined;
  readonly maxTokens?: number | undefined;
}

/**
 * The units of source code, constants and sections of a file, or of each file of a folder, in the order of their lines. Errors:
 * `doc_not_found`, `invalid_input`, `stale_cursor`, `not_indexed`.
 */
export async function outline(
  ports: Pick<Ports, 'documents' | 'lexicalIndex'> & PathScope,
  query: OutlineQuery,
  { signal, ...page }: OutlinePage & AbortOptions = {},
): Promise<Outline> {
  throwIfCancelled(signal, 'outline');
  const maxTokens = page.maxTokens === undefined ? null : checkMember('max_tokens', SEARCH.max_tokens, page.maxTokens);
  const store = await ports.documents.read();
  const ids = await idsOf();
  const corpusRevision = await store.corpusRevision();
  const queryHash = hashRanking({
    list: 'outline',
    text: JSON.stringify(query),
    mode: '',
    filters: {},
    settings: null,
  });
  const offset = page.cursor === undefined ? 0 : decodeCursor(page.cursor, { corpusRevision, queryHash }).offset;
  const rows: OutlineRow[] = [];
  for await (const { document, text, lines, units, hasLines } of readDocuments(store, ids, signal)) {
    const file = { document, totalLines: lines.count };
    rows.push({ ...file, unit: null });
    for (const unit of units) rows.push({ ...file, unit: wireUnit(unit, { text, lines, hasLines }) });
  }
  if (rows.length === 0 && 'docId' in query) throw notFound('document', query.docId);
  const shown = rows.slice(offset);
  const resultOf = (count: number): Outline => {
    const next = offset + count;
    const cursor = encodeCursor({ offset: next, corpusRevision, queryHash, stages: [] });
    const rest = { total: rows.length, next_cursor: next < rows.length ? cursor : null };
    return { schema_version: 'outline.v1', files: byFile(shown.slice(0, count)), ...rest };
  };
  if (maxTokens === null) return resultOf(shown.length);
  const sizes = shown.map((row, at) => sizeOf(row, shown[at - 1]));
  const around = charCount(JSON.stringify({ ...resultOf(0), files: [] }));
  return resultOf(countThatFits({ sizes, budget: maxTokens * 4, sizeAround: () => around }));

  async function idsOf(): Promise<readonly DocumentId[]> {
    if ('docId' in query) return [query.docId];
    const { documents } = await nameDocuments(ports, query.path, { source: query.source, ...(signal && { signal }) });
    if (documents.length > 0) return documents.map(({ docId }) => docId);
    const { document } = await requirePlace(store, query.path, { source: query.source, scope: ports });
    return [document.docId];
  }
}

type WireUnit = Outline['files'][number]['units'][number];

/** A file, or a unit of the file above it. */
interface OutlineRow {
  readonly document: DocumentRow;
  readonly totalLines: number;
  readonly unit: WireUnit | null;
}

const MAX_LINE = 200;

function wireUnit(
  { name, depth, line, end, at }: DocumentUnit,
  { text, lines, hasLines }: { readonly text: string; readonly lines: LineIndex; readonly hasLines: boolean },
): WireUnit {
  const written = lineAt(text, lines, line)
    .trim()
    .replace(/\s*\{$/, '');
  const shown = written.length > MAX_LINE ? `${firstChars(written, MAX_LINE)}…` : written;
  const place = hasLines
    ? { line_start: line, line_end: Math.max(line, end) }
    : { place: at ?? `line ${line} of the text` };
  return { name, depth, ...place, text: shown === '' ? name : shown };
}

function byFile(rows: readonly OutlineRow[]): Outline['files'] {
  const files: { readonly file: Outline['files'][number]; readonly units: WireUnit[] }[] = [];
  for (const { document, totalLines, unit } of rows) {
    const last = files.at(-1);
    if (unit !== null && last !== undefined) last.units.push(unit);
    else {
      const units: WireUnit[] = unit === null ? [] : [unit];
      const place = { doc_path: document.workspacePath, source_id: document.sourceId };
      files.push({ units, file: { ...place, total_lines: totalLines, units } });
    }
  }
  return files.map(({ file }) => file);
}

function sizeOf(row: OutlineRow, before: OutlineRow | undefined): number {
  const opens = before === undefined && row.unit !== null ? [{ ...row, unit: null }] : [];
  return charCount(
    row.unit !== null && opens.length === 0 ? JSON.stringify(row.unit) : JSON.stringify(byFile([...opens, row])),
  );
}
