import { allTags } from '../domain/metadata.ts';
import { toDocSummary } from './list-docs.ts';
import { toChunkInspections } from '../citation/to-chunk-inspection.ts';
import type { AbortOptions } from '../contracts/contribution.ts';
import type { DocumentRow, DocumentStore } from '../contracts/document-store.ts';
import { FreshnessCheck, type FreshnessPorts } from '../documents/freshness.ts';
import { notFound } from '../documents/find-document.ts';
import { pathsOf, readLinks } from '../documents/read-links.ts';
import { linkedFrom } from '../documents/resolve-links.ts';
import type { Block, ModelCaption, OcrText } from '../domain/block.ts';
import type { ChunkId, DocumentId } from '../domain/ids.ts';
import type { Metadata, ProvenanceEvent } from '../domain/metadata.ts';
import { formatUri } from '../domain/uri.ts';
import { throwIfCancelled } from '../errors/abort.ts';
import type { Ports } from '../ports.ts';
import type {
  ChunkInspection,
  DocInspection,
  InspectedBlock,
  WireMetadata,
  WireProvenanceEvent,
} from '../wire/index.ts';

/** Everything in the index about one document: metadata, history, blocks, pages and chunk ids. Throws `doc_not_found`, `not_indexed`. */
export async function inspectDocument(
  ports: FreshnessPorts & Pick<Ports, 'documents' | 'lexicalIndex'>,
  id: DocumentId,
  { signal }: AbortOptions = {},
): Promise<DocInspection> {
  throwIfCancelled(signal, 'inspect doc');
  const store = await ports.documents.read();
  const [[row], whole] = await Promise.all([store.getDocuments([id]), store.getCanonicalDocument(id)]);
  if (row === undefined || whole === null) throw notFound('document', id);
  const freshness = await FreshnessCheck.of(ports, store, signal);
  const links = await linksIn(row, whole.text, { store, index: ports.lexicalIndex, signal });
  return {
    schema_version: 'doc_inspection.v1',
    summary: toDocSummary(row, await freshness.check(row)),
    metadata: toWireMetadata(whole.metadata),
    provenance: { events: whole.provenance.map(toWireEvent) },
    doc_version: whole.docVersion,
    blocks: whole.blocks.map((block): InspectedBlock => ({
      block_id: block.blockId,
      kind: block.kind,
      ordinal: block.ordinal,
      heading_path: block.headingPath,
      source_span: block.sourceSpan,
      text_start: block.start,
      text_end: block.end,
      payload: blockPayload(block, whole.text),
    })),
    pages: whole.pages,
    chunk_ids: (await store.listChunks(id)).map(({ chunkId }) => chunkId),
    ...(links.length > 0 && { links }),
  };
}

/** Where links of a document lead. Those by a path are not looked for elsewhere: a document may have a thousand of them. */
async function linksIn(
  from: DocumentRow,
  text: string,
  { store, index, signal }: AbortOptions & { readonly store: DocumentStore; readonly index: Ports['lexicalIndex'] },
): Promise<NonNullable<DocInspection['links']>> {
  const { sourceId, workspacePath } = from;
  const all = readLinks(text, from);
  const links = all.filter(({ isName }) => isName);
  const named =
    links.length === 0 ? [] : await linkedFrom({ store, index: await index.read() }, from, { links, signal });
  const paths = new Map(named.map(({ link, to }) => [link.target, to?.workspacePath ?? '']));
  for (const link of all) if (!link.isName) paths.set(link.target, pathsOf(link, workspacePath)[0] ?? '');
  const known = await store.knownDocuments(sourceId, [...paths.values()]);
  return [...paths].flatMap(([target, path]) =>
    known.has(path) ? [{ target, uri: formatUri({ sourceId, path, fragment: null }) }] : [],
  );
}

/** One chunk with its text and citation. Throws `chunk_not_found`, `not_indexed`. */
export async function inspectChunk(
  { documents }: Pick<Ports, 'documents'>,
  id: ChunkId,
  { signal }: AbortOptions = {},
): Promise<ChunkInspection> {
  throwIfCancelled(signal, 'inspect chunk');
  const store = await documents.read();
  const [match] = await store.getChunks([id]);
  if (match === undefined) throw notFound('chunk', id);
  const [inspection] = await toChunkInspections(store, match.document, [match.chunk]);
  return inspection as ChunkInspection;
}

function toWireMetadata(metadata: Metadata): WireMetadata {
  return {
    aliases: metadata.aliases,
    tags: allTags(metadata),
    created_at: metadata.createdAt.toISOString(),
    updated_at: metadata.updatedAt.toISOString(),
    source_type: metadata.sourceType,
    trust_level: metadata.trustLevel,
    user_id_alias: metadata.userIdAlias,
    user: metadata.user,
    repo: metadata.repo,
    git_branch: metadata.gitBranch,
    git_commit: metadata.gitCommit,
    code_lang: metadata.codeLang,
  };
}

function toWireEvent({ at, agent, kind, note }: ProvenanceEvent): WireProvenanceEvent {
  return { at: at.toISOString(), agent, kind, note };
}

/** The inspection of a block besides its location; `text` is the text of its document. */
export function blockPayload(block: Block, text: string): Readonly<Record<string, unknown>> {
  const slice = text.slice(block.start, block.end);
  switch (block.kind) {
    case 'heading':
      return { level: block.level, text: block.text };
    case 'paragraph':
      return { text: slice };
    case 'quote':
      return { text: slice.replaceAll(/^[ \t]{0,3}> ?/gm, '') };
    case 'list':
      return { ordered: block.ordered, items: block.items.map(({ start, end }) => ({ text: text.slice(start, end) })) };
    case 'code':
      return { lang: block.lang, symbol: block.symbol, code: block.symbol === null ? codeInside(slice) : slice };
    case 'table':
      return { ...parseTable(slice) };
    case 'imageref':
      return {
        asset_id: block.assetId,
        src: block.src,
        alt: block.alt,
        ocr: block.ocr === null ? null : ocrPayload(block.ocr),
        caption: block.caption === null ? null : captionPayload(block.caption),
      };
    case 'audioref':
      return { asset_id: block.assetId, duration_ms: block.durationMs, transcript: null };
    default:
      return block satisfies never;
  }
}

function ocrPayload({ joined, regions, engine, engineVersion }: OcrText): Readonly<Record<string, unknown>> {
  return { joined, regions, engine, engine_version: engineVersion };
}

function captionPayload({ text, model, modelVersion }: ModelCaption): Readonly<Record<string, unknown>> {
  return { text, model, model_version: modelVersion };
}

const OPENING = /^(?:([ \t]*)(`{3,}|~{3,})[^\n]*(?:\n|$)|\.\. [a-z-]{1,30}::[^\n]*\n(?:[ \t]*:[^\n]*\n)*\s*\n)/;

/** The code of a block without its fence or directive, and without what all of it is indented by, of four columns at most. */
function codeInside(slice: string): string {
  const [line = '', indent, fence = ''] = OPENING.exec(slice) ?? [];
  const lines = slice.slice(line.length).split('\n');
  if (fence !== '' && isClosing(lines.at(-1), fence)) lines.pop();
  const code = lines.join('\n');
  const isIndented = (columns: number): boolean => !new RegExp(`^(?! {${columns}}|\\t)[ \\t]*\\S`, 'm').test(code);
  const columns = indent?.length ?? [4, 3, 2, 1].find(isIndented) ?? 0;
  return columns === 0 ? code : code.replaceAll(new RegExp(`^(?:\\t| {1,${columns}})`, 'gm'), '');
}

function isClosing(line: string | undefined, fence: string): boolean {
  const mark = line?.trim() ?? '';
  return mark.length >= fence.length && mark === (fence[0] ?? '').repeat(mark.length);
}

/** A GFM table as cells. */
interface TableCells {
  readonly headers: readonly string[];
  /** Each row has as many cells as there are headers: missing ones are empty, surplus ones are dropped. */
  readonly rows: readonly (readonly string[])[];
}

/** Parses the cells of a GFM table; `\|` is a pipe inside a cell. The second line only sets the alignment and is dropped. */
function parseTable(slice: string): TableCells {
  const [head = '', , ...body] = slice.split('\n').filter((line) => line.trim() !== '');
  const headers = cellsOf(head);
  return {
    headers,
    rows: body.map((line) => {
      const cells = cellsOf(line);
      return headers.map((_, column) => cells[column] ?? '');
    }),
  };
}

function cellsOf(line: string): readonly string[] {
  const inner = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '');
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'));
}
