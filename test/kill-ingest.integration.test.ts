import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCli, type BuiltCli } from '../host-cli/test/fakes/built-cli.ts';
import { isEmbeddedWhole, isWhole, killIngests, madeUp } from '../scripts/kill-test.mjs';

const KILLS = 5;
const FILES = 40;
let cli: BuiltCli;

beforeAll(async () => {
  cli = await buildCli();
}, 60_000);

afterAll(() => cli.remove());

const MODEL = fileURLToPath(new URL('../../shared/models/potion-base-4M-int8', import.meta.url));

describe('an ingest that is killed', { timeout: 120_000 }, () => {
  it('loses nothing, doubles nothing, and the next one completes it', async () => {
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

  it('loses nothing where documents are written beside the thread that reads them', async () => {
    const files = new Map([...madeUp(FILES)].map(([name, text]) => [name, `${text}\n`.repeat(12)])); // 2.6 MB
    const outcome = await killIngests({ bin: cli.bin, files, kills: 3 });
    expect(outcome).toMatchObject({ killed: 3, errors: 0, documents: FILES, searchable: FILES, missing: [] });
    expect({ ...outcome, whole: isWhole(outcome) }).toMatchObject({ whole: true, twins: 0, chunksWithoutFullText: 0 });
  });

  it.skipIf(!existsSync(MODEL))(
    'ends with one vector a chunk (skipped without the model in ../shared/models)',
    async () => {
      const env = { KEBAB_MODELS_EMBEDDING_MODEL: MODEL };
      const outcome = await killIngests({ bin: cli.bin, files: madeUp(FILES), kills: KILLS, env });
      expect({ ...outcome, whole: isWhole(outcome) }).toMatchObject({ whole: true, killed: KILLS });
      expect({ ...outcome.vectors, embedded: isEmbeddedWhole(outcome) }).toMatchObject({ embedded: true });
    },
  );
});
