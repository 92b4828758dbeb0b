import type { BlockDraft } from '../../domain/block.ts';
import { detectLanguage, UNDETERMINED } from './detect-language.ts';

const PROSE: ReadonlySet<string> = new Set<BlockDraft['kind']>(['paragraph', 'heading', 'list', 'quote', 'imageref']);
const WITH_TABLES: ReadonlySet<string> = new Set<BlockDraft['kind']>([
  ...(PROSE as ReadonlySet<BlockDraft['kind']>),
  'table',
]);

/** Enough for most documents; those that begin with names and signatures take more, and a page of reference is mostly tables. */
const SAMPLES = [
  { size: 300, kinds: PROSE },
  { size: 3000, kinds: PROSE },
  { size: 3000, kinds: WITH_TABLES },
];

/**
 * The language of a document, by its running text without code: told from a few hundred characters, from more where those are not
 * telling, and with the tables last; `und` where none is.
 */
export function languageOf(text: string, blocks: readonly BlockDraft[]): string {
  let read = -1;
  for (const wanted of SAMPLES) {
    const sample = sampleOf(text, blocks, wanted);
    if (sample.length === read) continue; // there is no more of it
    read = sample.length;
    const language = detectLanguage(sample);
    if (language !== UNDETERMINED) return language;
  }
  return UNDETERMINED;
}

function sampleOf(text: string, blocks: readonly BlockDraft[], { size, kinds }: (typeof SAMPLES)[number]): string {
  let sample = '';
  for (const block of blocks) {
    if (!kinds.has(block.kind)) continue;
    sample += `${text.slice(block.start, Math.min(block.end, block.start + size - sample.length))}\n`;
    if (sample.length >= size) break;
  }
  return sample;
}
