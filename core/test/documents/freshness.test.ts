import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DocumentRow } from '../../src/contracts/document-store.ts';
import type { FileStat, SourceConnector } from '../../src/contracts/source-connector.ts';
import { FreshnessCheck } from '../../src/documents/freshness.ts';
import { sampleWrite } from '@kebab/testing';
import type { KnowledgeBase } from '../kb/knowledge-base.ts';
import { openForTests } from '../kb/open-for-tests.ts';
import { rowsOf } from '../kb/open-store.ts';

const DAY_MS = 86_400_000;
const INDEXED = Date.parse('2026-01-01T00:00:00Z');
const REMOTE = { KEBAB_WORKSPACE_SOURCES: '[{"id":"mail","root":"imap","connector":"mail"}]' };

const rowIn = async (kb: KnowledgeBase): Promise<DocumentRow> => {
  const [stored] = await rowsOf(kb.store);
  if (stored === undefined) throw new Error('nothing is stored');
  return stored;
};

const connector = (stat: SourceConnector['stat']): SourceConnector => ({
  id: 'mail',
  version: '1',
  fingerprint: () => 'mail@1',
  scan: () => (async function* () {})(),
  read: () => Promise.reject(new Error('nothing is read here')),
  ...(stat === undefined ? {} : { stat }),
});

async function remember(kb: KnowledgeBase, sourceId: string, root: string): Promise<void> {
  const writer = await kb.store.openWriter({ waitMs: 0 });
  await writer.setIndexedRoot(sourceId, root);
  await writer.close();
}

describe('FreshnessCheck', () => {
  const open = openForTests();

  it.each([
    [30, 30 * DAY_MS, false],
    [30, 30 * DAY_MS + 1, true],
    [0, 3000 * DAY_MS, false],
    [1, -DAY_MS, false],
  ])('with a threshold of %i days, an age of %i ms is stale: %s', async (days, ageMs, stale) => {
    const kb = await open({ env: { KEBAB_SEARCH_STALE_THRESHOLD_DAYS: String(days) } });
    await kb.add('a.md', 'salt\n');
    kb.now = new Date(INDEXED + ageMs);
    expect(await (await FreshnessCheck.of(kb.ports, kb.store)).check(await rowIn(kb))).toEqual({
      freshness: 'fresh',
      stale,
    });
  });

  it('finds a file whose name is stored in NFD', async () => {
    const kb = await open();
    await kb.add('caf\u00E9/r\u00E9sum\u00E9.md', 'salt\n');
    renameSync(join(kb.root, 'caf\u00E9'), join(kb.root, 'cafe\u0301'));
    renameSync(join(kb.root, 'cafe\u0301/r\u00E9sum\u00E9.md'), join(kb.root, 'cafe\u0301/re\u0301sume\u0301.md'));
    expect(await (await FreshnessCheck.of(kb.ports, kb.store)).check(await rowIn(kb))).toMatchObject({
      freshness: 'fresh',
    });
    rmSync(join(kb.root, 'cafe\u0301/re\u0301sume\u0301.md'));
    expect(await (await FreshnessCheck.of(kb.ports, kb.store)).check(await rowIn(kb))).toMatchObject({
      freshness: 'deleted',
    });
  });

  it('treats a document without a file as fresh', async () => {
    const kb = await open();
    await kb.commit(sampleWrite('a.md', 'salt\n'));
    expect(await (await FreshnessCheck.of(kb.ports, kb.store)).check(await rowIn(kb))).toMatchObject({
      freshness: 'fresh',
    });
  });

  it('treats a folder in place of a file as absence', async () => {
    const kb = await open();
    await kb.add('a.md', 'salt\n');
    rmSync(join(kb.root, 'a.md'));
    kb.putFile('a.md/b.md', 'salt\n');
    expect(await (await FreshnessCheck.of(kb.ports, kb.store)).check(await rowIn(kb))).toMatchObject({
      freshness: 'deleted',
    });
  });

  it('reports a missing root once, whatever it contains', async () => {
    const kb = await open();
    await kb.add('a.md', 'salt\n');
    await kb.add('b.md', 'salt\n');
    rmSync(kb.root, { recursive: true });
    const check = await FreshnessCheck.of(kb.ports, kb.store);
    for (const row of await rowsOf(kb.store))
      expect(await check.check(row)).toEqual({ freshness: 'deleted', stale: true });
    expect(check.degraded).toEqual([
      { stage: 'freshness', reason: 'source_root_missing', hint: expect.stringContaining(kb.root) },
    ]);
  });

  it('reports a source that is no longer configured', async () => {
    const kb = await open();
    await kb.add('a.md', 'salt\n', { sourceId: 'lib' });
    const check = await FreshnessCheck.of(kb.ports, kb.store);
    expect(await check.check(await rowIn(kb))).toMatchObject({ freshness: 'deleted' });
    expect(check.degraded).toMatchObject([{ reason: 'source_root_missing', hint: expect.stringContaining('"lib"') }]);
  });

  it('checks where a source was indexed from, and reports once that another folder is configured', async () => {
    const kb = await open();
    await kb.add('a.md', 'salt\n');
    const elsewhere = `${kb.root}-elsewhere`;
    renameSync(kb.root, elsewhere);
    await remember(kb, 'default', elsewhere);
    const check = await FreshnessCheck.of(kb.ports, kb.store);
    expect(await check.check(await rowIn(kb))).toMatchObject({ freshness: 'fresh' });
    const goesBack = `kebab config set workspace.root ${elsewhere}`;
    expect(check.degraded).toEqual([
      { stage: 'freshness', reason: 'source_root_differs', hint: expect.stringContaining(goesBack) },
    ]);
  });

  it('reads a source that is no longer configured where it was indexed from, and says how to add it again', async () => {
    const kb = await open();
    await kb.add('a.md', 'salt\n', { sourceId: 'lib' });
    await remember(kb, 'lib', kb.root);
    const check = await FreshnessCheck.of(kb.ports, kb.store);
    expect(await check.check(await rowIn(kb))).toMatchObject({ freshness: 'fresh' });
    expect(check.degraded).toMatchObject([{ hint: expect.stringContaining(`kebab add ${kb.root} --name lib`) }]);
  });

  describe('of another connector', () => {
    const file: FileStat = { size: 5, mtimeNs: 7n };
    it.each<[string, SourceConnector['stat'], string]>([
      ['the same state', async () => file, 'fresh'],
      ['another size', async () => ({ ...file, size: 6 }), 'changed'],
      ['another time', async () => ({ ...file, mtimeNs: 8n }), 'changed'],
      ['nothing', async () => null, 'deleted'],
      ['a missing stat', undefined, 'fresh'],
    ])('asks the connector, and maps %s', async (_, stat, freshness) => {
      const kb = await open({ env: REMOTE, contributions: { source: { mail: connector(stat) } } });
      await kb.commit(sampleWrite('a.md', 'salt\n', { sourceId: 'mail', file }));
      expect(await (await FreshnessCheck.of(kb.ports, kb.store)).check(await rowIn(kb))).toMatchObject({ freshness });
    });

    it('reports that the connector could not be asked', async () => {
      const failing = connector(() => Promise.reject(new Error('no connection')));
      const kb = await open({ env: REMOTE, contributions: { source: { mail: failing } } });
      await kb.commit(sampleWrite('a.md', 'salt\n', { sourceId: 'mail', file }));
      const check = await FreshnessCheck.of(kb.ports, kb.store);
      expect(await check.check(await rowIn(kb))).toMatchObject({ freshness: 'fresh' });
      expect(check.degraded).toMatchObject([
        { reason: 'plugin_failed', hint: expect.stringContaining('no connection') },
      ]);
    });
  });
});
