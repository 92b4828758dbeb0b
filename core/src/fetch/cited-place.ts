import path from 'node:path';
import { citeChunk } from '../citation/cite-chunk.ts';
import { anchorRange } from '../citation/read-designated.ts';
import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import { requirePlace, type PathScope, notFound } from '../documents/find-document.ts';
import { locateFile } from '../documents/locate-file.ts';
import type { SourceRoot } from '../documents/source-roots.ts';
import { anchorLabel } from '../domain/anchor.ts';
import type { Block, TextRange } from '../domain/block.ts';
import type { Chunk, PageRange } from '../domain/document.ts';
import type { CitedQuery } from '../domain/query.ts';
import { formatUri, parseUri, type UriFragment } from '../domain/uri.ts';
import { invalidInput } from '../errors/invalid-input.ts';

/** A place to look at. */
export interface CitedPlace {
  readonly document: DocumentRow;
  /** Null for the whole document. */
  readonly fragment: UriFragment | null;
  readonly uri: string;
  /** The chunk, if one was named; its URI may designate more than the chunk. */
  readonly chunk: Chunk | null;
}

/**
 * Finds a cited place. Errors: `invalid_input` for an invalid URI and for a path in several sources, `chunk_not_found`, `doc_not_found`.
 */
export async function findCitedPlace(store: DocumentStore, query: CitedQuery, scope: PathScope): Promise<CitedPlace> {
  if (query.kind === 'chunk') {
    const [match] = await store.getChunks([query.chunkId]);
    if (match === undefined) throw notFound('chunk', query.chunkId);
    const { uri } = await citeChunk(store, match);
    return { ...match, uri, fragment: parseUri(uri).fragment };
  }
  const { document, fragment } = await requirePlace(store, query.uri, { source: query.source, scope });
  const { sourceId, workspacePath } = document;
  return { document, fragment, uri: formatUri({ sourceId, path: workspacePath, fragment }), chunk: null };
}

/** The range of a page in the text of its document. Throws `invalid_input` when there is no such page. */
export function requirePage(
  { workspacePath, pages }: Pick<DocumentRow, 'workspacePath' | 'pages'>,
  page: number,
): PageRange {
  const range = pages.find((candidate) => candidate.page === page);
  if (range !== undefined) return range;
  const count = pages.length === 1 ? '1 page' : `${pages.length} pages`;
  throw invalidInput(`${workspacePath} has ${count}, no page ${page}`, { field: 'uri', value: String(page) });
}

/** The blocks of a document that contain an anchored place. Throws `invalid_input` when it has no such place. */
export async function requireAnchor(
  store: Pick<DocumentStore, 'getBlocks'>,
  { docId, workspacePath }: DocumentRow,
  anchor: string,
): Promise<{ readonly blocks: readonly Block[]; readonly range: TextRange }> {
  const blocks = (await store.getBlocks([docId])).get(docId) ?? [];
  const range = anchorRange(blocks, anchor);
  if (range !== null) return { blocks, range };
  const first = blocks.find(({ sourceSpan }) => sourceSpan.kind === 'anchor')?.sourceSpan;
  throw invalidInput(`${workspacePath} has no ${anchorLabel(anchor)}`, {
    field: 'uri',
    value: anchor,
    hint:
      first?.kind === 'anchor'
        ? `its places are written as in ${workspacePath}#${first.anchor}`
        : 'leave out the place to get all of it',
  });
}

/** The error for a line beyond the end of a document. */
export function noSuchLine({ workspacePath }: DocumentRow, line: number, count: number): Error {
  const lines = count === 1 ? '1 line' : `${count} lines`;
  return invalidInput(`${workspacePath} has ${lines}, no line ${line}`, {
    field: 'uri',
    value: String(line),
    hint: 'leave out the lines to get all of it, or search again: the place may have moved',
  });
}

/** The file of a document. */
interface SourceFilePath {
  /** Absolute; where the file is or would be. */
  readonly path: string;
  readonly exists: boolean;
}

/**
 * Returns the path of a document's file. Errors: `invalid_input` for a document whose source is not a local folder, or is no longer
 * configured, and any file system error except absence.
 */
export function sourceFileOf(
  { sourceId, workspacePath }: DocumentRow,
  sources: ReadonlyMap<string, SourceRoot>,
): SourceFilePath {
  const source = sources.get(sourceId);
  if (source === undefined)
    throw invalidInput(`the configuration knows no source "${sourceId}" any more, of which ${workspacePath} is`, {
      field: 'source',
      value: sourceId,
      hint: `take its folder back with \`kebab add FOLDER --name ${sourceId}\`, or read the stored text with \`kebab fetch\``,
    });
  if (source.connector !== 'fs')
    throw invalidInput(`${workspacePath} lies in no folder: source "${sourceId}" is read by ${source.connector}`, {
      field: 'source',
      value: sourceId,
      hint: 'read the stored text with `kebab fetch`',
    });
  const location = locateFile(source, workspacePath);
  return location === null
    ? { path: path.join(source.root, workspacePath), exists: false }
    : { path: location.path, exists: true };
}
