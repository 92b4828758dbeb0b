import { setTimeout as sleep } from 'node:timers/promises';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { followCorpus } from '../../src/app/follow-corpus.ts';
import { OpenedFiles } from '../../src/app/opened-files.ts';
import type { DocumentStore } from '../../src/contracts/document-store.ts';
import { KebabError } from '../../src/errors/kebab-error.ts';
import { IngestWorld } from '../ingest/ingest-world.ts';
import { changed } from '../changed.ts';

const worlds: IngestWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.close();
});

async function open(): Promise<IngestWorld> {
  const world = await IngestWorld.open({ files: { 'a.md': 'about salt\n' } });
  worlds.push(world);
  return world;
}

describe('a follower of the corpus', () => {
  it('receives the current revision, and the next one when documents have changed', async () => {
    const world = await open();
    const stop = new AbortController();
    const openedFiles = new OpenedFiles({ database: world.tree.path('kebab.sqlite'), configuration: [] });
    const revisions = followCorpus({ ...world.ports, openedFiles }, { signal: stop.signal });
    const empty = await world.store.corpusRevision();
    expect(await revisions.next()).toEqual({ done: false, value: empty });
    const next = revisions.next();
    await world.ingest();
    const { value } = await next;
    expect(value).toBe(await world.store.corpusRevision());
    expect(value).toBeGreaterThan(empty);
    const last = revisions.next();
    stop.abort();
    expect(await last).toMatchObject({ done: true });
  });

  it('asks a store that reports changes only when it has reported one, and again each second when it has stopped', async () => {
    const world = await open();
    let report: (event: 'changed' | 'lost') => void = () => {};
    let asked = 0;
    let listening = 0;
    const store = changed(world.store, {
      corpusRevision: async () => {
        asked++;
        return world.store.corpusRevision();
      },
      onRevision: async (listener: typeof report) => {
        listening++;
        report = listener;
      },
    });
    const stop = new AbortController();
    const openedFiles = new OpenedFiles({ database: world.tree.path('kebab.sqlite'), configuration: [] });
    const documents = { ...world.ports.documents, read: async () => store };
    const revisions = followCorpus({ documents, openedFiles }, { signal: stop.signal });
    const { value: first } = await revisions.next();
    const next = revisions.next();
    await sleep(2500);
    expect([asked, listening]).toEqual([2, 1]);
    await world.ingest();
    report('changed');
    expect((await next).value).toBeGreaterThan(first!);
    const last = revisions.next();
    await sleep(50);
    report('lost');
    await vi.waitFor(() => expect(listening).toBe(2), { timeout: 60_000 });
    stop.abort();
    expect(await last).toMatchObject({ done: true });
  });

  it('receives null while there is no database, and ends when the database is replaced', async () => {
    const { store, tree, ports } = await open();
    const location = tree.path('kebab.sqlite');
    const read = async (): Promise<DocumentStore> => {
      if (existsSync(location)) return changed(store, { location });
      throw new KebabError('not_indexed', 'nothing here', { details: { expected: 'a database', found: 'no file' } });
    };
    const openedFiles = new OpenedFiles({ database: location, configuration: [] });
    const revisions = followCorpus({ documents: { ...ports.documents, read }, openedFiles });
    expect(await revisions.next()).toEqual({ done: false, value: null });
    writeFileSync(location, 'one');
    expect(await revisions.next()).toEqual({ done: false, value: await store.corpusRevision() });
    writeFileSync(`${location}.new`, 'another');
    renameSync(`${location}.new`, location);
    expect(await revisions.next()).toMatchObject({ done: true });
  });
});
