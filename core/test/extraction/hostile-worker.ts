import { serveExtraction } from '../../src/extraction/extraction-worker.ts';
import { definePlugin } from '../../src/plugin/define-plugin.ts';
import { KebabError } from '../../src/errors/kebab-error.ts';
import { writeFileSync } from 'node:fs';
import { cutterManifest, hostileManifest } from './hostile-manifest.ts';
import { lineChunker, plainExtractor } from '../ingest/plain-extractor.ts';

/** Blocks the thread without using the processor, so that an endless loop does not slow down other tests. */
function nap(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
}

/** Misbehaves as the text of the file demands. */
async function obey(text: string): Promise<void> {
  const [, pidFile] = /hang and write (\S+)/.exec(text) ?? [];
  if (pidFile !== undefined) writeFileSync(pidFile, String(process.pid));
  if (text.includes('hang')) for (;;) nap();
  if (text.includes('wait')) await new Promise(() => setInterval(() => {}, 1000));
  if (text.includes('exit')) process.exit(3);
  if (text.includes('abort')) process.abort();
  if (text.includes('fill')) for (const filled: Buffer[] = []; ;) filled.push(Buffer.alloc(2 ** 24, 1));
  if (text.includes('patch')) JSON.parse = () => 'patched';
  if (text.includes('look')) throw new Error(`JSON.parse gives ${JSON.parse('1')}`);
  if (text.includes('crash')) setImmediate(() => (undefined as unknown as () => void)());
  if (text.includes('crash')) await new Promise(() => {});
  if (text.includes('eat'))
    for (const eaten: unknown[] = []; ;) eaten.push(Array.from<number>({ length: 10_000 }).fill(0.5));
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

const cutter = definePlugin({
  ...cutterManifest,
  kebab: '*',
  contributes: {
    chunker: {
      'cutter-v1': () => ({
        ...lineChunker('cutter-v1'),
        chunk: ({ text }) => {
          if (text.includes('loop')) for (;;) nap();
          process.exit(4);
        },
      }),
    },
  },
});

serveExtraction([
  { manifest: hostileManifest, load: async () => ({ default: plugin }) },
  { manifest: cutterManifest, load: async () => ({ default: cutter }) },
]);
