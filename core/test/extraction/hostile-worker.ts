import { serveExtraction } from '../../src/extraction/extraction-worker.ts';
import { definePlugin } from '../../src/plugin/define-plugin.ts';
import { KebabError } from '../../src/errors/kebab-error.ts';
import { hostileManifest } from './hostile-manifest.ts';
import { lineChunker, plainExtractor } from '../ingest/plain-extractor.ts';

/** Does to its process what the text of the file says. */
async function obey(text: string): Promise<void> {
  if (text.includes('hang')) for (;;);
  if (text.includes('wait')) await new Promise(() => setInterval(() => {}, 1000));
  if (text.includes('exit')) process.exit(3);
  if (text.includes('crash')) setImmediate(() => (undefined as unknown as () => void)());
  if (text.includes('crash')) await new Promise(() => {});
  if (text.includes('eat'))
    for (const eaten: unknown[] = []; ;) eaten.push(Array.from({ length: 10_000 }, Math.random));
  if (text.includes('throw')) throw new Error('no such thing');
  if (text.includes('known'))
    throw new KebabError('io_error', 'it is encrypted', {
      details: { kind: 'EACCES', path: 'a.md', cause: 'locked' },
      hint: 'unlock it',
    });
  // eslint-disable-next-line no-console
  console.log('this must not reach the output of the program');
}

const plugin = definePlugin({
  ...hostileManifest,
  kebab: '*',
  contributes: {
    extractor: { plain: () => plainExtractor({ before: obey, isolation: 'worker' }) },
    chunker: { 'md-heading-v1': () => lineChunker('md-heading-v1') },
  },
});

serveExtraction([{ manifest: hostileManifest, load: async () => ({ default: plugin }) }]);
