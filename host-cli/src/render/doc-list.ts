import type { DocSummary } from '@kebab/core/app';
import { counted } from './counted.ts';
import { printable } from '../io/printable.ts';
import type { Screen } from './screen.ts';
import { fitStart, textWidth } from './text-width.ts';

const SHOWN_DIGITS = 8;
const MEDIA_COLUMNS = 8;
const CHUNKS_COLUMNS = 5;
const GAP = '  ';

/** One document as one line: id, medium, number of chunks, path, title, and what is the matter with its file. */
export function renderDocLine(doc: DocSummary, { columns, colors }: Screen): string {
  const id = doc.doc_id.slice(0, SHOWN_DIGITS);
  const media = doc.media.padEnd(MEDIA_COLUMNS);
  const chunks = String(doc.chunk_count).padStart(CHUNKS_COLUMNS);
  const source = doc.source_id === 'default' ? '' : `${doc.source_id}: `;
  const place = printable(`${source}${doc.doc_path}`);
  const state = doc.freshness === 'fresh' ? '' : `[${doc.freshness}]`;
  const room = (columns ?? Infinity) - textWidth([id, media, chunks, place, '', state].join(GAP));
  const parts: readonly (readonly [text: string, paint: (text: string) => string])[] = [
    [id, colors.dim],
    [media, String],
    [chunks, colors.dim],
    [place, colors.cyan],
    [fitStart(doc.title, room), String],
    [state, colors.magenta],
  ];
  const present = parts.filter(([text]) => text !== '');
  return `${present.map(([text, paint]) => paint(text)).join(GAP)}\n`;
}

/** The line below the list. */
export function renderDocTotal(total: number, { colors }: Screen): string {
  return total === 0 ? 'no documents\n' : `\n${colors.dim(counted(total, 'document'))}\n`;
}
