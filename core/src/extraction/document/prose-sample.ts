import type { BlockDraft } from '../../domain/block.ts';

const ENOUGH = 300;
const PROSE: ReadonlySet<string> = new Set<BlockDraft['kind']>(['paragraph', 'heading', 'list', 'quote', 'imageref']);

/** A few hundred characters of a document's running text, code and tables left out: enough to tell its language. */
export function proseSample(text: string, blocks: readonly BlockDraft[]): string {
  let sample = '';
  for (const block of blocks) {
    if (!PROSE.has(block.kind)) continue;
    sample += `${text.slice(block.start, Math.min(block.end, block.start + ENOUGH - sample.length))}\n`;
    if (sample.length >= ENOUGH) break;
  }
  return sample;
}
