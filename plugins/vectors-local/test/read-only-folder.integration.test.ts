import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sampleRecords } from '@kebab/testing';
import { expect, it } from 'vitest';
import { VectorFile } from './open-local-store.ts';

const register = new URL('../../../scripts/register-ts.mjs', import.meta.url).href;
const program = fileURLToPath(new URL('count-hits.ts', import.meta.url));

/** Root may write everywhere unless it drops that capability. */
const AS_ANYBODY = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-all', '--inh-caps=-all'] : [];

function run(...line: readonly string[]): {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  const [command = '', ...args] = [...AS_ANYBODY, ...line];
  return spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, VITEST_WORKER_ID: '1' } });
}

it.skipIf(process.platform === 'win32' || run('true').status !== 0)(
  'searches vectors in a read-only folder (skipped if capabilities cannot be dropped)',
  { timeout: 60_000 },
  async () => {
    const vectors = new VectorFile();
    try {
      const store = await vectors.open();
      await store.ensureCollection('some', 8);
      await store.upsert('some', sampleRecords(300, 8));
      vectors.closeAll();
      chmodSync(vectors.folder, 0o555);
      const { stdout, stderr } = run(process.execPath, '--import', register, program, vectors.file);
      expect([stdout, stderr]).toEqual(['10', '']);
    } finally {
      chmodSync(vectors.folder, 0o755);
      vectors.remove();
    }
  },
);
