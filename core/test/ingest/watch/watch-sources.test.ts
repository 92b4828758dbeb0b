import { EventEmitter } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, watch, type FSWatcher } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { DocumentStore } from '../../../src/contracts/document-store.ts';
import type { SeenScope } from '../../../src/contracts/seen-places.ts';
import { KebabError } from '../../../src/errors/kebab-error.ts';
import type { IngestPorts } from '../../../src/ingest/ingest-context.ts';
import type { WatchSystem } from '../../../src/ingest/watch/watch-system.ts';
import { ReportedChanges } from '../../../src/ingest/watch/reported-changes.ts';
import { MemoryVectorStore } from '@kebab/testing';
import { watchSources, type WatchState } from '../../../src/ingest/watch/watch-sources.ts';
import type { WatchEvent } from '../../../src/wire/index.ts';
import { changed } from '../../changed.ts';
import { WordEmbedder } from '../embedding/word-embedder.ts';
import { IngestWorld, type WorldOptions } from '../ingest-world.ts';
import { plainExtractor } from '../plain-extractor.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A machine with delays of milliseconds instead of seconds. */
const QUICK: WatchSystem = {
  watch,
  isRemote: () => false,
  idleMs: 40,
  minPollMs: 30,
  retryMs: 20,
  quietMs: 20,
};

/** The system never reports events, as after a sleep that lost them. */
const silent: typeof watch = () => Object.assign(new EventEmitter(), { close: () => {} }) as unknown as FSWatcher;

function refusing(code: string): typeof watch {
  return () => {
    throw Object.assign(new Error(code), { code });
  };
}

/** A folder that was ingested and is watched; `wrap` wraps its store. */
async function followed(
  system: Partial<WatchSystem>,
  {
    wrap = (store) => store,
    ...options
  }: WorldOptions & { readonly wrap?: (store: DocumentStore) => DocumentStore } = {},
) {
  const world = await IngestWorld.open({ files: { 'a.md': 'about salt\n', 'b/c.md': 'about fire\n' }, ...options });
  closing.push(() => world.close());
  await world.ingest();
  const ports: IngestPorts = world.ports;
  const store = wrap(await ports.documents.read());
  const documents = { ...ports.documents, read: async () => store, write: async () => store };
  const state: WatchState = {
    reported: new ReportedChanges(),
    ingesting: 0,
    isCurrent: false,
    reportsAll: false,
    ingests: false,
  };
  const stop = new AbortController();
  const events: WatchEvent[] = [];
  let wake = (): void => {};
  const following = (async () => {
    const given = { signal: stop.signal, system: { ...QUICK, ...system } };
    for await (const event of watchSources({ ...ports, documents }, state, given)) {
      events.push(event);
      wake();
    }
  })();
  closing.push(async () => {
    stop.abort();
    await following;
  });
  /** The next event of a kind among those that were not returned before. */
  const next = async <K extends WatchEvent['kind']>(kind: K): Promise<Extract<WatchEvent, { kind: K }>> => {
    for (;;) {
      const at = events.findIndex((event) => event.kind === kind);
      if (at !== -1) return events.splice(0, at + 1).at(-1) as Extract<WatchEvent, { kind: K }>;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  /** Waits for the check after the first watches, since nothing reports what happened before them. */
  const settled = async (): Promise<void> => {
    while (!state.reportsAll || !state.isCurrent) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  return { world, next, events, state, settled };
}

describe('a watcher without events from the system', () => {
  it('polls a network folder, and reports that it does', async () => {
    const { world, next, state } = await followed({ isRemote: (folder) => folder.endsWith('/kb'), watch: silent });
    const { how, reason } = await next('watching');
    expect([how, reason]).toEqual(['polling', expect.stringContaining('lies on another machine')]);
    expect(state.reportsAll).toBe(false);
    world.put({ 'new.md': 'about water\n' });
    expect(await next('ingested')).toMatchObject({ new: 1, paths: [{ doc_path: 'new.md' }] });
    world.drop('new.md');
    expect(await next('ingested')).toMatchObject({ purged: 1 });
  });

  it.each([
    ['ENOSPC', 'sudo sysctl fs.inotify.max_user_watches=524288'],
    ['EMFILE', 'sudo sysctl fs.inotify.max_user_instances=1024'],
  ])('polls when the system has no watches left (%s), and names the remedy', async (code, hint) => {
    const { world, next } = await followed({ watch: refusing(code) });
    expect(await next('watching')).toMatchObject({ how: 'polling', reason: expect.stringContaining(code), hint });
    world.put({ 'a.md': 'about sugar\n' });
    expect(await next('ingested')).toMatchObject({ updated: 1 });
  });

  it('checks everything when the clocks diverge, as after a sleep', async () => {
    const { world, next, events, settled } = await followed({ watch: silent });
    await settled();
    world.put({ 'new.md': 'about water\n' });
    await new Promise((resolve) => setTimeout(resolve, 4 * QUICK.idleMs));
    expect(events.filter(({ kind }) => kind === 'ingested')).toEqual([]);
    world.now = new Date(world.now.getTime() + 60_000);
    expect(await next('ingested')).toMatchObject({ new: 1 });
  });
});

describe('a watcher that ingests files', () => {
  it('counts those that are not in the index yet', async () => {
    let isHeld = false;
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => (begin = resolve));
    let finish = (): void => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const before = async (): Promise<void> => {
      if (!isHeld) return;
      begin();
      await finished;
    };
    const extractor = { plain: plainExtractor({ before }) };
    const { world, next, state, settled } = await followed({}, { contributions: { extractor } });
    await settled();
    isHeld = true;
    world.put({ 'a.md': 'about sugar\n', 'd.md': 'about water\n', 'e.md': 'about air\n' });
    state.reported.reportAll();
    await begun;
    expect(state.ingesting).toBe(3);
    finish();
    expect(await next('ingested')).toMatchObject({ new: 2, updated: 1 });
    expect(state.ingesting).toBe(0);
  });
});

describe('a watcher of a source that was never ingested', () => {
  it('leaves searches to look for themselves until it follows the folder', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'kebab-watch-'));
    closing.push(() => rmSync(folder, { recursive: true }));
    const root = path.join(folder, 'added');
    const { world, state } = await followed(
      {},
      { env: { KEBAB_WORKSPACE_SOURCES: JSON.stringify([{ id: 'added', root }]) } },
    );
    while (!state.isCurrent) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(state.reportsAll).toBe(false);
    mkdirSync(root);
    await world.ingest(); // as another process does
    state.reported.reportAll();
    while (!state.reportsAll) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(state.reportsAll).toBe(true);
  });
});

describe('a watcher whose source has disappeared', () => {
  it('finds the folder when it exists again, and follows it as before', async () => {
    const { world, next, state, settled } = await followed({});
    await settled();
    const elsewhere = `${world.root}.away`;
    renameSync(world.root, elsewhere);
    while (state.reportsAll) await new Promise((resolve) => setTimeout(resolve, 5));
    mkdirSync(world.root);
    world.put({ 'a.md': 'about salt\n', 'b/c.md': 'about fire\n', 'new.md': 'about water\n' });
    expect(await next('ingested')).toMatchObject({
      paths: expect.arrayContaining([expect.objectContaining({ doc_path: 'new.md' })]),
    });
    await settled();
    world.put({ 'newer.md': 'about air\n' });
    expect(await next('ingested')).toMatchObject({ new: 1, paths: [{ doc_path: 'newer.md' }] });
  });
});

describe('a watcher that cannot write', () => {
  it('reports once that the disk is full, and ingests changes as soon as there is room', async () => {
    let refusals = 3;
    const full = new KebabError('io_error', 'kebab.sqlite: the disk is full', {
      details: { kind: 'SQLITE_FULL', path: null, cause: 'full' },
    });
    const { world, next, events } = await followed(
      {},
      {
        wrap: (store) =>
          changed(store, {
            openWriter: async (options) => {
              if (refusals-- > 0) throw full;
              return store.openWriter(options);
            },
          }),
      },
    );
    await next('watching');
    world.put({ 'new.md': 'about water\n' });
    expect(await next('waiting')).toMatchObject({
      reason: 'disk_full',
      hint: expect.stringContaining('free some disk space'),
    });
    world.put({ 'newer.md': 'about air\n' });
    const { new: added } = await next('ingested');
    expect(added).toBeGreaterThan(0);
    expect(events.filter(({ kind }) => kind === 'waiting' || kind === 'error')).toEqual([]);
    if (added === 1) await next('ingested');
    expect([...(await world.store.knownDocuments('default')).keys()]).toEqual(
      expect.arrayContaining(['new.md', 'newer.md']),
    );
  });
});

describe('complete checks of a watcher', () => {
  /** A watched folder, and the number of complete checks that have started. */
  async function counted() {
    const looks = { begun: 0 };
    const wrap = (store: DocumentStore): DocumentStore =>
      changed(store, {
        seenPlaces: (sourceId: string, only?: SeenScope) => {
          if (only === undefined) looks.begun++;
          return store.seenPlaces(sourceId, only);
        },
      });
    return { ...(await followed({}, { wrap })), looks };
  }

  it('happen once at the beginning: the directories are watched before', async () => {
    const { settled, looks } = await counted();
    await settled();
    expect(looks.begun).toBe(1);
  });

  it('are few for a flood of events', async () => {
    const { world, next, settled, looks } = await counted();
    await settled();
    looks.begun = 0;
    world.put(Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`n${i}.md`, `note ${i}\n`])));
    for (let added = 0; added < 700;) added += (await next('ingested')).new;
    expect(looks.begun).toBeGreaterThan(0);
    expect(looks.begun).toBeLessThan(10); // one or two on a quiet machine
  });
});

describe('a watcher that computes vectors', () => {
  const embedding = (embedder: WordEmbedder): WorldOptions => ({
    env: { KEBAB_MODELS_EMBEDDING_PROVIDER: 'words', KEBAB_STORAGE_VECTOR_STORE: 'memory' },
    contributions: { embedder: { words: embedder }, vector_store: { memory: new MemoryVectorStore() } },
  });

  it('embeds a saved file when nothing has changed for a while', async () => {
    const embedder = new WordEmbedder();
    const { world, next, settled } = await followed({}, embedding(embedder));
    await settled();
    embedder.asked.length = 0;
    world.put({ 'new.md': 'about water\n' });
    expect(await next('ingested')).toMatchObject({ new: 1 });
    expect(await next('embedded')).toMatchObject({ pending: 0 });
    expect(embedder.asked).toEqual([expect.stringContaining('about water')]);
  });

  it('computes vectors even if it has to poll', async () => {
    const { world, next } = await followed({ watch: refusing('ENOSPC') }, embedding(new WordEmbedder()));
    await next('watching');
    world.put({ 'new.md': 'about water\n' });
    await next('ingested');
    expect(await next('embedded')).toMatchObject({ pending: 0 });
  });
});
