import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App, Mode } from '@kebab/core/app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRefusingApp } from '../bench/lib/open-bench-app.ts';
import { refusalSets, type RefusalSet } from '../bench/lib/refusal-sets.ts';

/** The shares (0 to 1) of questions that the default threshold refuses; of a large set, every third question is asked. */
interface Refused {
  readonly answerable: number;
  readonly far: number;
}

const GATE = 0.3;
const MAX_QUESTIONS = 200;
const models = fileURLToPath(new URL('../../shared/models', import.meta.url));
const sets = refusalSets();
const setOf = (name: string): RefusalSet | undefined => sets.find((set) => set.name === name);

async function openOver(set: RefusalSet, work: string, model: string | null): Promise<App> {
  const corpus = path.join(work, 'corpus');
  await set.write(corpus);
  const app = await openRefusingApp(corpus, path.join(work, 'data'), model);
  await app.ingest({ summaryOnly: true });
  return app;
}

async function refusedBy(app: App, { questions }: RefusalSet, mode: Mode): Promise<Refused> {
  const count = { answerable: { all: 0, refused: 0 }, far: { all: 0, refused: 0 } };
  const step = questions.length > MAX_QUESTIONS ? 3 : 1;
  for (const [at, { text, kind }] of questions.entries()) {
    if (kind === 'near' || at % step !== 0) continue;
    const { retrieval } = await app.ask({ question: text, mode });
    expect(retrieval.mode).toBe(mode);
    count[kind].all += 1;
    if (retrieval.top_score < GATE) count[kind].refused += 1;
  }
  const shareOf = ({ all, refused }: { readonly all: number; readonly refused: number }): number => refused / all;
  return { answerable: shareOf(count.answerable), far: shareOf(count.far) };
}

describe.each([
  ['squad2', 'potion-base-4M-int8'],
  ['squad2', 'all-MiniLM-L6-v2'],
  ['ko-autorag', null],
] as const)('the default gate on %s with the model %s', (name, model) => {
  const set = setOf(name);
  const folder = model === null ? null : path.join(models, model);
  const isHere = set !== undefined && (folder === null || existsSync(folder));
  const skipped = isHere ? '' : ' (skipped: ../shared is not there)';
  let work = '';
  let app: App | undefined;

  beforeAll(async () => {
    if (!isHere) return;
    work = await mkdtemp(path.join(tmpdir(), 'kebab-refusal-'));
    app = await openOver(set, work, folder);
  }, 300_000);

  afterAll(async () => {
    await app?.close();
    if (work !== '') await rm(work, { recursive: true, force: true });
  });

  it.skipIf(!isHere)(
    `refuses most questions outside the corpus, few inside it, and no fewer with vectors than without${skipped}`,
    async () => {
      if (app === undefined || set === undefined) throw new Error('the knowledge base is not open');
      const words = await refusedBy(app, set, 'lexical');
      expect(words.far).toBeGreaterThanOrEqual(0.85);
      expect(words.answerable).toBeLessThanOrEqual(0.03);
      if (model === null) return;
      const both = await refusedBy(app, set, 'hybrid');
      expect(both.far).toBeGreaterThanOrEqual(words.far);
      expect(both.answerable).toBeLessThanOrEqual(0.03);
    },
    300_000,
  );
});
