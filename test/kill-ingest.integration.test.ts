import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCli, type BuiltCli, type CliHome } from '../host-cli/test/fakes/built-cli.ts';
import { isEmbeddedWhole, isWhole, killIngests, madeUp } from './kill-ingests.mjs';

const KILLS = 5;
const FILES = 40;
let cli: BuiltCli;

beforeAll(async () => {
  cli = await buildCli();
}, 60_000);

afterAll(() => cli.remove());

const MODEL = fileURLToPath(new URL('../../shared/models/potion-base-4M-int8', import.meta.url));
const CONTEXTUAL = fileURLToPath(new URL('../../shared/models/all-MiniLM-L6-v2', import.meta.url));
/** Texts per embedding batch. */
const BATCH = 32;

/**
 * The number of texts that an ingest passed to the model, by its events; with `isKilled`, it is killed after the first answer of the model.
 */
async function embeddedBy(home: CliHome, { isKilled }: { readonly isKilled: boolean }) {
  const env = { ...home.env, KEBAB_SERVICE: 'off', KEBAB_MODELS_EMBEDDING_MODEL: CONTEXTUAL };
  const child = spawn(process.execPath, [cli.bin, 'ingest', '--json'], { cwd: home.folder, env });
  const counts = { started: 0, finished: 0 };
  child.stderr.resume();
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('close', (_, signal) => resolve(signal)));
  for await (const line of createInterface({ input: child.stdout })) {
    const { kind, n_chunks: texts } = JSON.parse(line) as { readonly kind?: string; readonly n_chunks?: number };
    if (kind === 'embed_batch_started') counts.started += texts ?? 0;
    if (kind === 'embed_batch_finished') counts.finished += texts ?? 0;
    if (isKilled && counts.finished > 0) child.kill('SIGKILL');
  }
  return { ...counts, signal: await ended };
}

describe('an ingest that is killed', { timeout: 120_000 }, () => {
  it('loses and duplicates nothing, and the next one completes it', async () => {
    const outcome = await killIngests({ bin: cli.bin, files: madeUp(FILES), kills: KILLS });
    expect(outcome).toMatchObject({
      killed: KILLS,
      errors: 0,
      integrity: 'ok',
      documents: FILES,
      searchable: FILES,
      missing: [],
    });
    expect({ ...outcome, whole: isWhole(outcome) }).toMatchObject({ whole: true, twins: 0, chunksWithoutFullText: 0 });
  });

  it.skipIf(!existsSync(MODEL))(
    'ends with one vector per chunk (skipped without the model in ../shared/models)',
    async () => {
      const env = { KEBAB_MODELS_EMBEDDING_MODEL: MODEL };
      const outcome = await killIngests({ bin: cli.bin, files: madeUp(FILES), kills: KILLS, env });
      expect({ ...outcome, whole: isWhole(outcome) }).toMatchObject({ whole: true, killed: KILLS });
      expect({ ...outcome.vectors, embedded: isEmbeddedWhole(outcome) }).toMatchObject({ embedded: true });
    },
  );

  it.skipIf(!existsSync(CONTEXTUAL))(
    'embeds again at most the last batch of its model (skipped without the model in ../shared/models)',
    async () => {
      const home = cli.newHome();
      for (let note = 0; note < 3 * BATCH; note++) home.write(`note-${note}.md`, `Dough number ${note} rises.\n`);
      const killed = await embeddedBy(home, { isKilled: true });
      expect(killed).toMatchObject({ signal: 'SIGKILL' });
      const { started, signal } = await embeddedBy(home, { isKilled: false });
      expect(signal).toBeNull();
      expect(started).toBeLessThanOrEqual(3 * BATCH - killed.finished);
      expect(started).toBeGreaterThan(0);
      expect((await embeddedBy(home, { isKilled: false })).started).toBe(0);
    },
  );
});
