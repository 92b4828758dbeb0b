import {
  formatSourcePath,
  pagesReadByOcr,
  printable,
  type ChunkId,
  type ChunkInspection,
  type DocInspection,
  type DocumentId,
  type InspectedBlock,
  type WireMetadata,
} from '@kebab/core/app';
import type { SourceSpan } from '@kebab/core';
import type { CommandContext } from '../command/command-context.ts';
import { renderFields, type Screen } from '../screen/screen.ts';
import { bytesText, citedUri, counted } from '../screen/shown-values.ts';
import { fitStart } from '../screen/text-width.ts';

const PAGES_HEAD = '  page   chars  read by';
/** Columns for the first words if there is no terminal. */
const WORDS_COLUMNS = 60;
/** Characters read for the first words: enough for the widest terminal. */
const SEEN_CHARS = 500;

/** `kebab inspect doc`: everything known about a document, or about its pages. */
export async function inspectDoc(context: CommandContext): Promise<void> {
  const { values, signal } = context;
  const app = await context.openApp();
  const docId = (await app.resolveId('document', values.arg('DOC'))) as DocumentId;
  const doc = await app.inspectDoc(docId, { signal });
  if (values.has('pages') && !context.json) {
    const fetched = await app.fetch({ kind: 'doc', docId }, { signal });
    context.print(renderPages(doc, fetched.kind === 'doc' ? fetched.text : '', context.screen()));
  } else context.show(doc, renderDoc);
}

/** `kebab inspect chunk`: everything known about a chunk. */
export async function inspectChunk(context: CommandContext): Promise<void> {
  const app = await context.openApp();
  const chunkId = (await app.resolveId('chunk', context.values.arg('ID'))) as ChunkId;
  const chunk = await app.inspectChunk(chunkId, { signal: context.signal });
  if (context.json) context.printJson(chunk);
  else context.print(renderChunk(chunk, context.screen()));
}

function renderDoc(doc: DocInspection, { colors }: Screen): string {
  const sections: readonly (readonly [title: string, body: string])[] = [
    ['metadata', renderMetadata(doc.metadata)],
    ['history', doc.provenance.events.map(renderEvent).join('')],
    ['pages', doc.pages.length === 0 ? '' : `  ${counted(doc.pages.length, 'page')}\n`],
    ['blocks', doc.blocks.map(renderBlock).join('')],
    ['chunks', doc.chunk_ids.map((id, ordinal) => `  ${String(ordinal).padStart(4)}  ${printable(id)}\n`).join('')],
  ];
  const present = sections.filter(([, body]) => body !== '');
  const head = `${colors.cyan(printable(placeOf(doc)))}\n${renderSummary(doc)}`;
  return head + present.map(([title, body]) => `\n${colors.bold(title)}\n${body}`).join('');
}

function placeOf({ summary: { source_id: sourceId, doc_path: path } }: DocInspection): string {
  return formatSourcePath({ sourceId, path });
}

function renderSummary({ summary, doc_version, blocks }: DocInspection): string {
  const size = [bytesText(summary.byte_len), counted(blocks.length, 'block'), counted(summary.chunk_count, 'chunk')];
  return renderFields([
    ['doc_id', summary.doc_id],
    ['source', summary.source_id],
    ['title', summary.title],
    ['media', [summary.media, summary.code_lang].filter(Boolean).join(' ')],
    ['lang', summary.lang],
    ['tags', summary.tags.join(', ')],
    ['type', `${summary.source_type}, ${summary.trust_level}`],
    ['size', size.join(', ')],
    ['content', `created ${summary.created_at}, updated ${summary.updated_at}`],
    ['indexed', `${summary.indexed_at}, version ${doc_version}, ${summary.stale ? 'stale, ' : ''}${summary.freshness}`],
    ['parser', summary.parser_version],
    ['chunker', summary.chunker_version],
    ['repo', summary.repo ?? ''],
  ]);
}

function renderMetadata({ aliases, user_id_alias, git_branch, git_commit, user }: WireMetadata): string {
  return renderFields([
    ['aliases', aliases.join(', ')],
    ['id', user_id_alias ?? ''],
    ['branch', git_branch ?? ''],
    ['commit', git_commit],
    ...Object.entries(user).map(([key, value]) => [key, JSON.stringify(value)] as const),
  ]);
}

function renderEvent({ at, agent, kind, note }: DocInspection['provenance']['events'][number]): string {
  return `  ${printable([at, kind, agent, note ?? ''].join('  ')).trimEnd()}\n`;
}

function renderBlock({ ordinal, kind, source_span, heading_path }: InspectedBlock): string {
  const place = spanText(source_span);
  const line = `  ${String(ordinal).padStart(4)}  ${kind.padEnd(9)}  ${place.padEnd(12)}  ${heading_path.join(' / ')}`;
  return `${printable(line).trimEnd()}\n`;
}

/** A location in a source, as in a citation: `L10-L20`, `p=3`. */
function spanText(span: SourceSpan): string {
  switch (span.kind) {
    case 'line':
      return linesText(span.start, span.end);
    case 'code':
      return linesText(span.line_start, span.line_end);
    case 'byte':
      return `bytes ${span.start}-${span.end}`;
    case 'page':
      return `p=${span.page}`;
    case 'region':
      return `xywh=${span.x},${span.y},${span.w},${span.h}`;
    case 'anchor':
      return span.anchor;
    case 'time':
      return `${span.start_ms}-${span.end_ms} ms`;
    default:
      return span satisfies never;
  }
}

function linesText(start: number, end: number): string {
  return start === end ? `L${start}` : `L${start}-L${end}`;
}

/** The pages of a document, one per line: number of characters, whether OCR read them, first words. */
function renderPages(doc: DocInspection, text: string, { columns, colors }: Screen): string {
  const name = colors.cyan(printable(placeOf(doc)));
  if (doc.pages.length === 0) return `${name}\n  no pages: it is ${doc.summary.media}\n`;
  const ocr = pagesReadByOcr(doc.provenance.events);
  const width = columns === null ? WORDS_COLUMNS : columns - PAGES_HEAD.length - 2;
  const lines = doc.pages.map(({ page, start, end }) => {
    const words = text.slice(start, end);
    const reader = words === '' ? '-' : ocr.has(page) ? 'ocr' : 'text';
    const chars = Array.from(words); // counts code points, like all character counts
    const first = fitStart(chars.slice(0, SEEN_CHARS).join('').replaceAll(/\s+/g, ' ').trim(), width);
    return `  ${String(page).padStart(4)}  ${String(chars.length).padStart(6)}  ${reader.padEnd(7)}  ${first}`.trimEnd();
  });
  const head = `${name}  ${counted(doc.pages.length, 'page')}\n\n${colors.bold(`${PAGES_HEAD}  first words`)}\n`;
  return `${head}${lines.join('\n')}\n`;
}

/** The fields of a chunk, then its text. */
function renderChunk(chunk: ChunkInspection, { exact, colors }: Screen): string {
  const { text } = chunk;
  const fields = renderFields([
    ['chunk_id', chunk.chunk_id],
    ['doc_id', chunk.doc_id],
    ['ordinal', String(chunk.ordinal)],
    ['range', `${chunk.text_start}–${chunk.text_end}`],
    ['headings', chunk.heading_path.join(' / ')],
    ['section', chunk.section_label ?? ''],
    ['content_hash', chunk.citation.content_hash],
    ['tokens', `about ${chunk.token_estimate}`],
    ['chunker', `${chunk.chunker_version}  policy ${chunk.policy_hash}`],
    ['blocks', String(chunk.block_ids.length)],
    ...chunk.embeddings.map(
      ({ model, dimensions, status }) => ['embedding', `${model} (${dimensions}d) ${status}`] as const,
    ),
  ]);
  return `${colors.cyan(printable(citedUri(chunk.citation)))}\n${fields}\n${exact(text.endsWith('\n') ? text : `${text}\n`)}`;
}
