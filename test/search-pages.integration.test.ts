import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App, Mode } from '@kebab/core/app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRefusingApp } from '../bench/lib/open-bench-app.ts';
import { refusalSets } from '../bench/lib/refusal-sets.ts';

const MODEL = fileURLToPath(new URL('../../shared/models/potion-base-4M-int8', import.meta.url));
const set = refusalSets().find(({ name }) => name === 'squad2');
const isHere = set !== undefined && existsSync(MODEL);
const DEEPEST = 100;
/** Every twentieth question of the set is asked. */
const STEP = 20;

async function longList(app: App, text: string, asked: Asked): Promise<readonly string[]> {
  const { hits } = await app.search({ text, mode: asked.mode, k: DEEPEST }, { ...asked.options, cache: false });
  return hits.map(({ chunk_id }) => chunk_id);
}

/** The same list, collected page by page. */
async function inPages(app: App, text: string, { mode, options }: Asked): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = null; ;) {
    const asked = { ...options, cache: false, ...(cursor === null ? {} : { cursor }) };
    const page: Awaited<ReturnType<App['search']>> = await app.search({ text, mode, k: 10 }, asked);
    ids.push(...page.hits.map(({ chunk_id }) => chunk_id));
    cursor = page.next_cursor;
    if (cursor === null || ids.length >= DEEPEST) return ids;
  }
}

interface Asked {
  readonly mode: Mode;
  readonly options: { readonly minRelevance?: number };
}

describe('the pages of a search', () => {
  let work = '';
  let app: App | undefined;

  beforeAll(async () => {
    if (!isHere) return;
    work = await mkdtemp(path.join(tmpdir(), 'kebab-pages-'));
    await set.write(path.join(work, 'corpus'));
    app = await openRefusingApp(path.join(work, 'corpus'), path.join(work, 'data'), MODEL);
    await app.ingest({ summaryOnly: true });
  }, 300_000);

  afterAll(async () => {
    await app?.close();
    if (work !== '') await rm(work, { recursive: true, force: true });
  });

  it.skipIf(!isHere).each<Asked>([
    { mode: 'vector', options: {} },
    { mode: 'vector', options: { minRelevance: 0.01 } },
    { mode: 'lexical', options: {} },
    { mode: 'lexical', options: { minRelevance: 0.01 } },
    { mode: 'hybrid', options: {} },
    { mode: 'hybrid', options: { minRelevance: 0.01 } },
  ])(
    `are the long list of the $mode mode, cut by $options${isHere ? '' : ' (skipped: ../shared is not there)'}`,
    async (asked) => {
      if (app === undefined || set === undefined) throw new Error('the knowledge base is not open');
      const texts = set.questions.filter((_, at) => at % STEP === 0).map(({ text }) => text);
      const differing: string[] = [];
      for (const text of texts) {
        const list = await longList(app, text, asked);
        if ((await inPages(app, text, asked)).join() !== list.join()) differing.push(text);
      }
      expect(texts.length).toBeGreaterThan(20);
      expect(differing).toEqual([]);
    },
    300_000,
  );
});
