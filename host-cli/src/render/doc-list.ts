import type { DocSummary } from '@kebab/core/app';
import { counted } from './counted.ts';
import { printable } from './printable.ts';
import type { Screen } from './screen.ts';
import { fitStart } from './text-width.ts';

const SHOWN_DIGITS = 8;
const MEDIA_COLUMNS = 8;
const CHUNKS_COLUMNS = 5;

/** One document as one line: id, medium, number of chunks, path, title, and what is the matter with its file. */
export function renderDocLine(doc: DocSummary, { columns, colors }: Screen): string {
  const id = doc.doc_id.slice(0, SHOWN_DIGITS);
  const media = doc.media.padEnd(MEDIA_COLUMNS);
  const chunks = String(doc.chunk_count).padStart(CHUNKS_COLUMNS);
  const source = doc.source_id === 'default' ? '' : `${doc.source_id}: `;
  const place = printable(`${source}${doc.doc_path}`);
  const state = doc.freshness === 'fresh' ? '' : `  [${doc.freshness}]`;
  const used = id.length + media.length + chunks.length + 6 + place.length + state.length + 2;
  const title = columns === null ? printable(doc.title) : fitStart(printable(doc.title), Math.max(0, columns - used));
  const parts = [colors.dim(id), media, colors.dim(chunks), colors.cyan(place), title].filter((part) => part !== '');
  return `${parts.join('  ')}${colors.magenta(state)}\n`;
}

/** The line below the list. */
export function renderDocTotal(total: number, { colors }: Screen): string {
  return total === 0 ? 'no documents\n' : `\n${colors.dim(counted(total, 'document'))}\n`;
}
