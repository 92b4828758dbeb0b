import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { App, WatchEvent } from '@kebab/core/app';
import Sqlite from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { openBenchApp } from '../bench/lib/open-bench-app.ts';

const closing: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** A folder with notes, an App that watches it, and the events so far. */
async function openWatched(given: { readonly notes?: number; readonly ingestsFirst?: boolean } = {}) {
  const { notes = 8, ingestsFirst = true } = given;
  const folder = mkdtempSync(path.join(tmpdir(), 'kebab-watch-'));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const root = path.join(folder, 'kb');
  const data = path.join(folder, 'data');
  mkdirSync(data);
  const put = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  };
  for (let i = 0; i < notes; i++) put(`n${i}.md`, `# Note ${i}\n\nabout sourdough\n`);
  const app = await openBenchApp(root, data, { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' });
  closing.push(() => app.close());
  const watched = watching(app, ingestsFirst);
  return { root, data, app, put, ...watched };
}

/** Follows the events of an App until the test ends. */
function watching(app: App, ingestsFirst: boolean) {
  const stop = new AbortController();
  const events: WatchEvent[] = [];
  let wake = (): void => {};
  const done = (async () => {
    for await (const event of app.watch({ signal: stop.signal, ingestsFirst })) {
      events.push(event);
      wake();
    }
  })();
  closing.push(async () => {
    stop.abort();
    await done;
  });
  let seen = 0;
  /** The next matching event that was not returned before. */
  const next = async (fits: (event: WatchEvent) => boolean): Promise<WatchEvent> => {
    for (;;) {
      for (; seen < events.length; seen++) {
        const event = events[seen];
        if (event === undefined || !fits(event)) continue;
        seen++;
        return event;
      }
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return { next, events, done, stop: () => stop.abort() };
}

function isIngested(event: WatchEvent): boolean {
  return event.kind === 'ingested';
}

function follows({ kind }: WatchEvent): boolean {
  return kind === 'watching';
}

describe('a watcher', { timeout: 60_000 }, () => {
  it('ingests saved, renamed and removed files, and reports what it did', async () => {
    const { root, put, next } = await openWatched();
    expect(await next(isIngested)).toMatchObject({ new: 8, left: 0 });
    expect(await next(follows)).toMatchObject({ how: 'events', directories: 1 });
    put('deep/er/new.md', 'quaternions\n');
    expect(await next(isIngested)).toMatchObject({ new: 1, paths: [{ doc_path: 'deep/er/new.md' }] });
    renameSync(path.join(root, 'deep'), path.join(root, 'shallow'));
    expect(await next(isIngested)).toMatchObject({ new: 1, purged: 1 });
    rmSync(path.join(root, 'shallow'), { recursive: true });
    expect(await next(isIngested)).toMatchObject({ new: 0, purged: 1 });
  });

  it('follows new directories, and files that editors replace by renaming', async () => {
    const { root, put, next } = await openWatched();
    await next(follows);
    put('new/one.md', 'octonions\n');
    await next(isIngested);
    writeFileSync(path.join(root, 'new/one.md.tmp'), 'sedenions\n');
    renameSync(path.join(root, 'new/one.md.tmp'), path.join(root, 'new/one.md'));
    expect(await next(isIngested)).toMatchObject({ updated: 1, paths: [{ doc_path: 'new/one.md' }] });
  });

  it('ingests many simultaneous changes in at most two runs', async () => {
    const { put, next, events } = await openWatched({ notes: 120 });
    await next(follows);
    const before = events.length;
    for (let i = 0; i < 120; i++) put(`n${i}.md`, `changed ${i}\n`);
    let updated = 0;
    let runs = 0;
    for (; updated < 120; runs++) {
      const event = await next(isIngested);
      updated += event.kind === 'ingested' ? event.updated : 0;
    }
    expect([updated, runs <= 2, events.length - before <= 2]).toEqual([120, true, true]);
  });

  it('tells a search of the same App whether and what has changed', async () => {
    const { put, app, next } = await openWatched();
    await next(follows);
    expect((await app.search({ text: 'quaternions' })).hits).toEqual([]);
    put('new.md', 'quaternions\n');
    await next(isIngested);
    const found = await app.search({ text: 'quaternions' });
    expect([found.hits.length, found.index]).toEqual([1, undefined]);
  });

  it('reports nothing for files with a new time and the same content', async () => {
    const { root, put, app, next, events } = await openWatched();
    await next(follows);
    utimesSync(path.join(root, 'n1.md'), 1000, 1000);
    expect((await app.search({ text: 'sourdough' })).index).toBeUndefined(); // the search waits until the change is checked
    put('new.md', 'quaternions\n');
    expect(await next(isIngested)).toMatchObject({ new: 1 });
    expect(events.filter(isIngested)).toHaveLength(2);
  });

  it('waits while another process writes, and then ingests the changes made meanwhile', async () => {
    const { data, put, next } = await openWatched();
    await next(follows);
    const writer = new Sqlite(path.join(data, 'kebab.lock.sqlite'), { fileMustExist: true });
    writer.exec('BEGIN EXCLUSIVE');
    put('new.md', 'quaternions\n');
    expect(await next(({ kind }) => kind === 'waiting')).toMatchObject({ reason: 'locked' });
    writer.close();
    expect(await next(isIngested)).toMatchObject({ new: 1 });
  });

  it('ends when the database is removed or replaced, and waits when there is none yet', async () => {
    const { data, put, next, done, app } = await openWatched();
    await next(follows);
    for (const suffix of ['', '-wal', '-shm']) rmSync(path.join(data, `kebab.sqlite${suffix}`), { force: true });
    put('new.md', 'quaternions\n');
    expect(await next(({ kind }) => kind === 'replaced')).toMatchObject({ database: path.join(data, 'kebab.sqlite') });
    await done;
    await app.close();
    const again = await openBenchApp(path.join(data, '../kb'), data, { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' });
    closing.push(() => again.close());
    const second = watching(again, false);
    expect(await second.next(({ kind }) => kind === 'waiting')).toMatchObject({ reason: 'no_database' });
    await again.ingest();
    await second.next(follows);
  });

  it.each(['moved', 'reset'] as const)('ends when another process has %s the database', async (what) => {
    const { root, data, put, next, done } = await openWatched();
    await next(follows);
    if (what === 'moved') {
      mkdirSync(path.join(data, '../elsewhere'));
      for (const name of readdirSync(data).filter((one) => one.startsWith('kebab.sqlite')))
        renameSync(path.join(data, name), path.join(data, '../elsewhere', name));
    } else {
      const other = await openBenchApp(root, data, { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none' });
      await other.reset('data_only');
      await other.close();
    }
    put('new.md', 'quaternions\n');
    expect(await next(({ kind }) => kind === 'replaced')).toMatchObject({ database: path.join(data, 'kebab.sqlite') });
    await done;
  });

  it('is shared by all listeners of an App, and ends with the last of them', async () => {
    const { app, put, next, stop, done } = await openWatched();
    await next(follows);
    const second = watching(app, true);
    expect(await second.next(follows)).toMatchObject({ how: 'events' });
    expect(await second.next(isIngested)).toMatchObject({ new: 0 });
    put('a.md', 'quaternions\n');
    expect(await second.next(isIngested)).toMatchObject({ new: 1 });
    const heard = await next((event) => event.kind === 'ingested' && event.new === 1);
    expect(second.events).toContain(heard);
    stop();
    await done;
    put('b.md', 'isotherms\n');
    expect(await second.next(isIngested)).toMatchObject({ new: 1 });
    second.stop();
    await second.done;
    put('c.md', 'sextants\n');
    expect((await app.search({ text: 'sextants' })).hits).toHaveLength(1);
  });
});

describe('two writers and several readers', { timeout: 60_000 }, () => {
  const NOTES = 12;
  const WRITES = 10;

  it('see a consistent state of the index: a paged list is complete as of its start, or its next page is refused', async () => {
    const { root, data, app, put, next } = await openWatched({ notes: NOTES });
    await next(follows);
    const settings = { KEBAB_MODELS_EMBEDDING_PROVIDER: 'none', KEBAB_SEARCH_REFRESH: 'off' };
    const openOther = async (): Promise<App> => {
      const other = await openBenchApp(root, data, settings);
      closing.push(() => other.close());
      return other;
    };
    const [writer, ...readers] = await Promise.all([openOther(), openOther(), openOther(), openOther()]);
    let isOver = false;
    const writing = (async () => {
      for (let i = 0; i < WRITES; i++) {
        put(`w${i}.md`, `about sourdough ${i}\n`); // ingested by the watcher or the other writer
        await writer.ingest().catch((error: unknown) => expect(error).toMatchObject({ code: 'locked' }));
      }
    })().finally(() => (isOver = true));
    const lists = await Promise.all([app, ...readers].map((reader) => listsOf(reader, () => isOver)));
    await writing;
    for (const { whole } of lists)
      for (const paths of whole) {
        const added = paths.filter((name) => name.startsWith('w'));
        expect([new Set(paths).size, paths.length]).toEqual([paths.length, NOTES + added.length]);
        expect(added.toSorted()).toEqual(added.map((_, i) => `w${i}.md`));
      }
    expect(lists.every(({ whole }) => whole.length > 0)).toBe(true);
    expect(lists.flatMap(({ refusals }) => refusals).filter((code) => code !== 'stale_cursor')).toEqual([]);
    await writer.ingest();
    expect((await readers[0].search({ text: 'sourdough', k: 100 })).hits).toHaveLength(NOTES + WRITES);
  });

  /** The lists that a reader reads to the end, page by page, and the errors that stopped the others. */
  async function listsOf(reader: App, isOver: () => boolean) {
    const whole: (readonly string[])[] = [];
    const refusals: unknown[] = [];
    for (let isLast = false; !isLast;) {
      isLast = isOver();
      const paths: string[] = [];
      let cursor: string | undefined;
      try {
        do {
          await nextTurn(); // SQLite is synchronous: without this, others would not run
          const page = await reader.search({ text: 'sourdough', k: 5 }, { cursor, cache: false });
          paths.push(...page.hits.map(({ doc_path }) => doc_path));
          cursor = page.next_cursor ?? undefined;
        } while (cursor !== undefined);
        whole.push(paths);
      } catch (error) {
        refusals.push((error as { readonly code?: unknown }).code ?? error);
        if (refusals.at(-1) === 'stale_cursor') isLast = false; // the state stops changing in the end
      }
    }
    return { whole, refusals };
  }
});
