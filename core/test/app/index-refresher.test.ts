import { watch } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { IndexRefresher } from '../../src/app/index-refresher.ts';
import { AppWatcher } from '../../src/app/app-watcher.ts';
import { ReportedChanges } from '../../src/ingest/watch/reported-changes.ts';
import type { WatchEvent } from '../../src/wire/index.ts';
import { IngestWorld } from '../ingest/ingest-world.ts';
import { changed } from '../changed.ts';

const worlds: IngestWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.close();
});

/** A network folder, which its watcher polls once an hour: searches find changes first. */
const FAR = {
  watch,
  isRemote: () => true,
  idleMs: 3_600_000,
  minPollMs: 3_600_000,
  retryMs: 10,
  quietMs: 3_600_000,
};

describe('listeners of the watcher of an App', () => {
  it('are notified of what a search indexed before the watcher did, with the previous documents', async () => {
    const world = await IngestWorld.open({
      files: { 'a.md': 'about salt\n' },
      env: { KEBAB_SEARCH_REFRESH_AFTER_MS: '0', KEBAB_SEARCH_REFRESH_BUDGET_MS: '60000' },
    });
    worlds.push(world);
    await world.ingest();
    const old = (await world.store.knownDocuments('default')).get('a.md')?.docId;
    const { isolated: _, ...ports } = world.ports;
    const extraction = async () => null;
    const refresher = new IndexRefresher({ ...ports, extraction, readonly: false });
    const stop = new AbortController();
    const events = new AppWatcher({ ...ports, extraction, refresher }, false, FAR).listen(stop.signal);
    const next = async (): Promise<WatchEvent> => (await events.next()).value as WatchEvent;
    expect(await next()).toMatchObject({ kind: 'watching', how: 'polling' });
    world.put({ 'a.md': 'about sugar\n', 'b.md': 'about fire\n' });
    expect(await refresher.refresh()).toBeNull();
    // The watcher may find that the search holds the writer's lock.
    let event = await next();
    while (event.kind === 'waiting') event = await next();
    expect(event).toMatchObject({ kind: 'ingested', new: 1, updated: 1, left: 0 });
    expect(event.kind === 'ingested' ? event.doc_ids : []).toContain(old);
    stop.abort();
    expect(await events.next()).toMatchObject({ done: true });
  });
});

describe('a search of an App that follows the folders', () => {
  it('counts the files that are not in the index yet, however many places were reported', async () => {
    const world = await IngestWorld.open({
      files: { 'a.md': 'about salt\n', 'b/c.md': 'about fire\n', 'b/d.md': 'about water\n' },
      env: { KEBAB_SEARCH_REFRESH_BUDGET_MS: '1' },
    });
    worlds.push(world);
    await world.ingest();
    const { isolated: _, ...ports } = world.ports;
    const refresher = new IndexRefresher({ ...ports, extraction: async () => null, readonly: false });
    const state = { reported: new ReportedChanges(), ingesting: 0, isCurrent: false, reportsAll: true, ingests: false };
    refresher.follow(state);
    world.put({
      'b/c.md': 'about sugar\n',
      'b/new.md': 'about air\n',
      'b/c.md~': 'a backup',
      'b/picture.xyz': 'other',
    });
    for (const place of ['', 'b', 'a.md', 'b/c.md', 'b/c.md~', 'b/new.md', 'b/picture.xyz'])
      state.reported.add('default', place);
    expect(await refresher.refresh()).toMatchObject({ changed: 2, refreshed: 0, reason: 'budget' });
    state.ingesting = 40;
    expect(await refresher.refresh()).toMatchObject({ changed: 42 });
    state.reported.reportAll();
    expect(await refresher.refresh()).toMatchObject({ changed: 40 });
    state.ingesting = 0;
    expect(await refresher.refresh()).toMatchObject({ changed: 1 });
    state.isCurrent = true;
    expect(await refresher.refresh()).toBeNull();
  });
});

describe('a check that several searches wait for', () => {
  const openRefresher = async (store?: (found: IngestWorld['store']) => IngestWorld['store']) => {
    const env = { KEBAB_SEARCH_REFRESH_AFTER_MS: '60000', KEBAB_SEARCH_REFRESH_BUDGET_MS: '60000' };
    const world = await IngestWorld.open({ files: { 'a.md': 'about salt\n' }, env });
    worlds.push(world);
    await world.ingest();
    const { isolated: _, ...ports } = world.ports;
    const found = store?.(world.store) ?? world.store;
    const documents = { ...ports.documents, read: async () => found };
    return {
      world,
      refresher: new IndexRefresher({ ...ports, documents, extraction: async () => null, readonly: false }),
    };
  };

  it('continues for the others when the one that started it is cancelled', async () => {
    const { world, refresher } = await openRefresher();
    world.put({ 'b.md': 'about fire\n' });
    const first = new AbortController();
    const given = refresher.refresh({ signal: first.signal });
    const other = refresher.refresh();
    first.abort();
    expect(await given).toBeNull();
    expect(await other).toBeNull();
    expect([...(await world.store.knownDocuments('default')).keys()]).toContain('b.md');
  });

  it('does not count when no search waits for it any more: the next search checks again', async () => {
    const { world, refresher } = await openRefresher();
    world.put({ 'b.md': 'about fire\n' });
    const stop = new AbortController();
    const given = refresher.refresh({ signal: stop.signal });
    stop.abort();
    await given;
    await refresher.refresh();
    expect([...(await world.store.knownDocuments('default')).keys()]).toContain('b.md');
  });

  it('reports changes when the index is not writable', async () => {
    const { world, refresher } = await openRefresher((store) => changed(store, { location: '/nowhere/kebab.sqlite' }));
    world.put({ 'b.md': 'about fire\n' });
    expect(await refresher.refresh()).toMatchObject({ changed: 1, refreshed: 0, reason: 'failed' });
  });
});
