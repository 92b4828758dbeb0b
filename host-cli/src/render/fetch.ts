import type { ChunkInspection, FetchResult } from '@kebab/core/app';
import { printable } from '../io/printable.ts';
import type { Screen } from './screen.ts';

/** Fetched text below a line that names the document. Into a pipe the text goes exactly as it is. */
export function renderFetch(result: FetchResult, screen: Screen): string {
  const { bold, magenta } = screen.colors;
  const head = `${bold(`# ${printable(result.doc_path)} (${result.kind})`)}\n`;
  const stale = result.stale ? `${magenta(`[stale; indexed_at = ${printable(result.indexed_at)}]`)}\n` : '';
  if (result.kind !== 'chunk') return `${head}${stale}${screen.exact(closed(result.text))}`;
  const sections = [
    renderSection('before', result.context_before, screen),
    renderSection('target', [result.chunk], screen),
    renderSection('after', result.context_after, screen),
  ];
  return `${head}${stale}${sections.join('')}`;
}

function renderSection(name: string, chunks: readonly ChunkInspection[], screen: Screen): string {
  if (chunks.length === 0) return '';
  return `${screen.colors.dim(`=== ${name} ===`)}\n${chunks.map((chunk) => renderChunk(chunk, screen)).join('')}`;
}

function renderChunk({ doc_path, heading_path, text }: ChunkInspection, screen: Screen): string {
  const heading = heading_path.at(-1);
  const place = heading === undefined ? doc_path : `${doc_path} § ${heading}`;
  return `${screen.colors.cyan(`[${printable(place)}]`)}\n${screen.exact(closed(text))}`;
}

function closed(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
