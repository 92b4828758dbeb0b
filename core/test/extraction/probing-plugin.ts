import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { definePlugin, type PluginContext } from '../../src/plugin/define-plugin.ts';
import type { PluginManifest } from '../../src/plugin/read-manifest.ts';
import { lineChunker, plainExtractor } from '../ingest/plain-extractor.ts';

/** What a file tells the extractor of {@link manifest} to try. */
export interface Asked {
  /** A file to write without permission. */
  readonly outside: string;
  /** A file to read without permission. */
  readonly note: string;
  /** A URL of the declared host, and one of another. */
  readonly declared: string;
  readonly other: string;
  /** Something to do without catching the error. */
  readonly bluntly?: { readonly write: string } | { readonly read: string } | { readonly start: string };
}

const NESTED = `
  const { writeFileSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  try { writeFileSync(workerData, 'x'); parentPort.postMessage('done'); } catch (error) { parentPort.postMessage(error.code); }`;

async function outcome(act: () => unknown): Promise<unknown> {
  try {
    return (await act()) ?? 'done';
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code ?? message;
  }
}

/** Tries what the plugin did not declare, and returns the results. */
async function probe(context: PluginContext, { outside, note, declared, other }: Asked): Promise<object> {
  const nested = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(NESTED, { eval: true, workerData: `${outside}-nested` });
      worker.on('message', resolve).on('error', reject);
    });
  return {
    env: Object.keys(process.env).filter((name) => name.startsWith('KEBAB') || name === 'PATH'),
    fetch: typeof context.fetch,
    declaredHost: await outcome(async () => (await context.fetch?.(declared))?.status),
    otherHost: await outcome(() => context.fetch?.(other)),
    globalFetch: await outcome(() => fetch(other)),
    dataUrl: await outcome(async () => (await fetch('data:text/plain,hello')).text()),
    webSocket: 'WebSocket' in globalThis,
    tmpDir: await outcome(() => writeFileSync(path.join(context.tmpDir, 'passed'), 'x')),
    outside: await outcome(() => writeFileSync(outside, 'x')),
    note: await outcome(() => readFileSync(note, 'utf8')),
    seesNote: await outcome(() => existsSync(note)),
    nested: await outcome(nested),
    program: await outcome(() => void execFileSync(process.execPath, ['--version'])),
  };
}

/** What the plugin declares: one host, and nothing else. */
export const manifest: PluginManifest = {
  name: 'probing',
  version: '1.0.0',
  apiVersion: 1,
  contributes: { extractor: ['plain'], chunker: ['md-heading-v1'] },
  permissions: { fs: 'none', net: ['127.0.0.1'], spawn: [] },
};

/** A third-party plugin that tries what it did not declare, and returns the results as a document. */
export default definePlugin({
  ...manifest,
  kebab: '*',
  contributes: {
    extractor: {
      plain: (context) => ({
        ...plainExtractor({ isolation: 'worker' }),
        extract: async ({ bytes }) => {
          const asked = JSON.parse(new TextDecoder().decode(bytes)) as Asked;
          const { bluntly } = asked;
          if (bluntly !== undefined && 'write' in bluntly) writeFileSync(bluntly.write, 'x');
          if (bluntly !== undefined && 'read' in bluntly) readFileSync(bluntly.read);
          if (bluntly !== undefined && 'start' in bluntly) execFileSync(bluntly.start, ['--version']);
          const text = JSON.stringify(await probe(context, asked));
          const sourceSpan = { kind: 'line', start: 1, end: 1 } as const;
          return { text, blocks: [{ kind: 'paragraph', start: 0, end: text.length, headingPath: [], sourceSpan }] };
        },
      }),
    },
    chunker: { 'md-heading-v1': () => lineChunker('md-heading-v1') },
  },
});
