import { readdirSync, rmSync } from 'node:fs';
import { describe, expect, it, afterEach } from 'vitest';
import type { SourceConnector } from '../../src/contracts/source-connector.ts';
import { isMassDelete, purgeGone, purgeOrphans, removeDocument } from '../../src/ingest/purge.ts';
import { ReportBuilder } from '../../src/ingest/run/report-builder.ts';
import { silentCallContext } from '@kebab/testing';
import { changed } from '../changed.ts';
import { IngestWorld } from './ingest-world.ts';

describe('isMassDelete', () => {
  it.each([
    { indexed: 10, vanished: 0, isMass: false },
    { indexed: 10, vanished: 4, isMass: false },
    { indexed: 10, vanished: 5, isMass: true },
    { indexed: 11, vanished: 5, isMass: false },
    { indexed: 10, vanished: 10, isMass: true },
    { indexed: 1, vanished: 1, isMass: true },
    { indexed: 0, vanished: 0, isMass: false },
  ])('of $indexed documents with $vanished vanished is $isMass', ({ indexed, vanished, isMass }) => {
    expect(isMassDelete(vanished, indexed)).toBe(isMass);
  });
});

let world: IngestWorld;

describe('purgeGone', () => {
  afterEach(() => world.close());

  /** Removes what a check found deleted; returns the remaining paths, and whether all documents were loaded for that. */
  const purge = async (gone: readonly string[]) => {
    const { store, root } = world;
    let isAllRead = false;
    const noting = changed(store, {
      knownDocuments: (id, paths) => {
        isAllRead ||= paths === undefined;
        return store.knownDocuments(id, paths);
      },
    });
    const writer = await store.openWriter({ waitMs: 0 });
    const report = new ReportBuilder({ keepItems: true });
    const connector = await world.ports.connectors.get('fs');
    const source = { id: 'default', root, include: [], exclude: [], connector };
    const context = { writer, report, call: silentCallContext(), options: {}, store: noting };
    await purgeGone({ source, rootFailure: null } as never, { gone } as never, context);
    await writer.close();
    return { left: [...(await store.knownDocuments('default')).keys()], isAllRead };
  };

  it('removes a few documents without loading all others', async () => {
    world = await IngestWorld.open({ files: { 'a.md': 'a', 'b.md': 'b', 'c.md': 'c' } });
    await world.ingest();
    world.drop('a.md');
    expect(await purge(['a.md'])).toEqual({ left: ['b.md', 'c.md'], isAllRead: false });
  });

  it('keeps the documents when half of them are gone at once, unless they were renamed', async () => {
    world = await IngestWorld.open({ files: { 'a.md': 'a', 'b.md': 'b' } });
    await world.ingest();
    world.drop('a.md');
    expect(await purge(['a.md'])).toMatchObject({ left: ['a.md', 'b.md'] });
    world.put({ 'c.md': 'a' });
    await world.ingestFile(`${world.root}/c.md`);
    world.put({ 'd.md': 'b' });
    await world.ingestFile(`${world.root}/d.md`);
    world.drop('b.md');
    expect(await purge(['a.md', 'b.md'])).toMatchObject({ left: ['c.md', 'd.md'] });
  });
});

describe('purgeOrphans', () => {
  afterEach(() => world.close());

  /** A connector to which some folders are unreadable, as without permissions. */
  function blindTo(folders: readonly string[], connector: SourceConnector): SourceConnector {
    return changed(connector, {
      async *scan(scope, call) {
        for (const workspacePath of folders)
          yield { kind: 'error', workspacePath, code: 'io_error', message: `cannot read ${workspacePath}` };
        for await (const entry of connector.scan(scope, call))
          if (!folders.some((folder) => entry.workspacePath.startsWith(`${folder}/`))) yield entry;
      },
    });
  }

  it('removes what is ignored or gone, and keeps documents in an unreadable folder', async () => {
    world = await IngestWorld.open({
      files: { 'a.md': 'a', 'b.md': 'b', 'sub/c.md': 'c', 'sub/deep/d.md': 'd', 'subs/e.md': 'e' },
    });
    await world.ingest();
    world.drop('a.md');
    world.put({ '.kebabignore': 'b.md' });
    const { store, ports } = world;
    const blind = blindTo(['sub'], await ports.connectors.get('fs'));
    const connectors = changed(ports.connectors, { get: () => Promise.resolve(blind) });
    const writer = await store.openWriter({ waitMs: 0 });
    expect(await purgeOrphans({ ...ports, connectors, store, writer })).toEqual(['a.md', 'b.md']);
    await writer.close();
  });
});

async function withKiln(): Promise<string> {
  world = await IngestWorld.open({ files: { 'a.md': 'a' } });
  await world.ingest();
  const report = await world.ingestText('about kilns', { title: 'Kiln' });
  return report.items?.[0]?.doc_path ?? '';
}

const remove = (typed: string) => removeDocument({ ...world.ports, cwd: world.root }, typed);

describe('removeDocument', () => {
  afterEach(() => world.close());

  it.each<[string, (path: string, id: string) => string]>([
    ['its URI', (path) => `external:${path}`],
    ['its path', (path) => path],
    ['its id', (_, id) => id],
    ['the beginning of its id', (_, id) => id.slice(0, 8)],
  ])('removes a document added by hand, named by %s, and its copy', async (_name, nameOf) => {
    const path = await withKiln();
    const docId = (await world.store.findDocument('external', path))?.docId ?? '';
    const folder = `${world.config.storage.dataDir}/external`;
    expect(await remove(nameOf(path, docId))).toMatchObject({ doc_id: docId, removed_file: `${folder}/${path}` });
    expect(readdirSync(folder)).not.toContain(path);
    expect([await world.store.documentCount(), (await world.ingest()).purged]).toEqual([1, 0]);
  });

  it('removes a document whose copy is already gone', async () => {
    const path = await withKiln();
    rmSync(`${world.config.storage.dataDir}/external/${path}`);
    expect(await remove(path)).toMatchObject({ removed_file: null });
  });

  it('rejects a file of the user, and an unknown document', async () => {
    await withKiln();
    await expect(remove('a.md')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(remove('nothing.md')).rejects.toMatchObject({ code: 'doc_not_found' });
    expect([await world.store.documentCount(), readdirSync(world.root)]).toEqual([2, ['a.md']]);
  });
});
