import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App } from '@kebab/core/app';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseWire } from '../core/test/wire/parse-wire.ts';
import { UserHome } from './user-home.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const NOTES: Readonly<Record<string, string>> = {
  'tea/green.md': '# Green tea\n\nGreen tea is steeped at 80 degrees for 3 minutes.\n',
  'tea/black.md': '# Black tea\n\nBlack tea takes boiling water.\n',
  'garden.md': '# Garden\n\nRoses are pruned in late winter.\n\n# Autumn\n\nTulips are planted.\n',
};

const SUITE = `
- id: degrees
  query: At how many degrees is green tea steeped?
  expected_doc_paths: [tea/green.md]
  expected_uris: ['tea/green.md#L3']
- id: roses
  query: when are roses pruned
  expected_doc_paths: [garden.md]
  expected_uris: ['garden.md#L3']
- id: off-topic
  query: zeppelins over Lakehurst
  answerable: false
`;

describe('an evaluation through the App', () => {
  let home: UserHome;
  let suite: string;
  beforeEach(() => {
    home = new UserHome();
    suite = home.at('golden.yaml');
    writeFileSync(suite, SUITE);
  });
  afterEach(() => home.remove());

  const open = (readonly = false): Promise<App> => home.open({}, { flags: { readonly } });

  it('is run, stored, recomputed and compared, and looks the same to another process', async () => {
    home.put(NOTES);
    const app = await open();
    await app.ingest({ summaryOnly: true });
    const a = parseWire('eval_run', await app.evalRun({ suite, mode: 'lexical' }));
    expect(a).toMatchObject({
      queries: 3,
      failed: 0,
      aggregate: { hit_at_k: { 1: 1 }, mrr: 1, recall_at_k_doc: { 1: 1 }, ndcg_at_k: { 1: 1 } },
    });
    const b = await app.evalRun({ suite, mode: 'lexical', k: 1 });
    const other = await open(true);
    const aggregate = parseWire('eval_aggregate', await other.evalAggregate(a.run_id));
    expect(aggregate.metrics).toEqual(a.aggregate);
    const compare = parseWire('eval_compare', await other.evalCompare(a.run_id, b.run_id));
    expect(compare.queries.map(({ outcome }) => outcome)).toEqual(['draw', 'draw', 'draw']);
    const file = home.at('.local/share/kebab/runs', a.run_id, 'per_query.jsonl');
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(3);
  });

  it('refuses to evaluate without a database', async () => {
    const app = await open();
    await expect(app.evalRun({ suite })).rejects.toMatchObject({ code: 'not_indexed' });
    await expect(app.evalAggregate('run_0')).rejects.toMatchObject({ code: 'not_indexed' });
  });
});

describe('the golden suite of this repository', () => {
  it('gets good lexical results', { timeout: 300_000 }, async () => {
    const home = new UserHome();
    const app = await home.open({ KEBAB_WORKSPACE_ROOT: path.join(root, 'docs') });
    try {
      await app.ingest({ summaryOnly: true });
      const suite = path.join(root, 'fixtures', 'golden_queries.yaml');
      const { failed, aggregate } = await app.evalRun({ suite, mode: 'lexical' });
      expect(failed).toBe(0);
      const at10 = (name: string): number => {
        const values = aggregate[name];
        return typeof values === 'object' && values !== null ? (values['10'] ?? 0) : 0;
      };
      expect(at10('recall_at_k_doc')).toBeGreaterThanOrEqual(0.7);
      expect(at10('hit_at_k')).toBeGreaterThanOrEqual(0.6);
    } finally {
      await home.remove();
    }
  });
});
