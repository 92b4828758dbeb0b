import type { DocInspection, InspectedBlock, WireMetadata } from '@kebab/core/app';
import { counted } from './counted.ts';
import { renderFields } from './fields.ts';
import { bytesText } from './measures.ts';
import { printable } from '../io/printable.ts';
import type { Screen } from './screen.ts';
import { spanText } from './span-text.ts';

/** Everything known of a document: its summary, what it says of itself, its history, its blocks and its chunks. */
export function renderDocInspection(doc: DocInspection, { colors }: Screen): string {
  const sections: readonly (readonly [title: string, body: string])[] = [
    ['metadata', renderMetadata(doc.metadata)],
    ['history', doc.provenance.events.map(renderEvent).join('')],
    ['pages', doc.pages.length === 0 ? '' : `  ${counted(doc.pages.length, 'page')}\n`],
    ['blocks', doc.blocks.map(renderBlock).join('')],
    ['chunks', doc.chunk_ids.map((id, ordinal) => `  ${String(ordinal).padStart(4)}  ${printable(id)}\n`).join('')],
  ];
  const present = sections.filter(([, body]) => body !== '');
  const head = `${colors.cyan(printable(doc.summary.doc_path))}\n${renderSummary(doc)}`;
  return head + present.map(([title, body]) => `\n${colors.bold(title)}\n${body}`).join('');
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
