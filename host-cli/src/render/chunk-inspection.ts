import type { ChunkInspection } from '@kebab/core/app';
import { renderFields } from './fields.ts';
import { printable } from '../io/printable.ts';
import type { Screen } from './screen.ts';

/** Everything known of a chunk, then its text. */
export function renderChunkInspection(chunk: ChunkInspection, { exact, colors }: Screen): string {
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
  return `${colors.cyan(printable(chunk.citation.uri))}\n${fields}\n${exact(text.endsWith('\n') ? text : `${text}\n`)}`;
}
