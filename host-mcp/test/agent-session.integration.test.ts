import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { call, initialize, request } from './fakes/call.ts';
import type { Connection, ReceivedNotification } from './fakes/connection.ts';
import { indexedHome, ingest, newHome, type TestHome } from './fakes/test-home.ts';

const homes: TestHome[] = [];
afterEach(() => Promise.all(homes.splice(0).map((each) => each.close())));

interface Hit {
  readonly uri: string;
  readonly content_hash: string;
}

async function hitsOf(server: Connection, query: string): Promise<readonly Hit[]> {
  const { structuredContent } = await call(server, 'search', { query, mode: 'lexical' });
  return structuredContent['hits'] as readonly Hit[];
}

describe('an agent that edits files without ingesting them', { timeout: 60_000 }, () => {
  it('finds its edit, cites it, and finds the citation again after a rename', async () => {
    const home = await indexedHome();
    homes.push(home);
    const server = home.connection();
    await initialize(server);
    expect(await hitsOf(server, 'oolong')).toEqual([]);

    home.write('notes/tea.md', '# Tea\n\nOolong is rolled by hand.\n');
    const [hit] = await until(
      () => hitsOf(server, 'oolong'),
      ({ length }) => length > 0,
    );
    expect(hit?.uri).toMatch(/^tea\.md#L/);
    const uri = hit?.uri ?? '';
    const verify = async (): Promise<unknown> =>
      (await call(server, 'verify_citation', { uri, content_hash: hit?.content_hash })).structuredContent;
    expect(await verify()).toMatchObject({ status: 'exact' });

    renameSync(path.join(home.workspace, 'tea.md'), path.join(home.workspace, 'oolong.md'));
    const moved = { status: 'moved', found_uri: uri.replace('tea.md', 'oolong.md') };
    expect(await until(verify, (check) => (check as { status?: string }).status === 'moved')).toMatchObject(moved);
    expect((await hitsOf(server, 'oolong'))[0]?.uri).toMatch(/^oolong\.md#L/);
  });

  it('is notified of documents that it subscribed to', async () => {
    const home = await indexedHome();
    homes.push(home);
    const sent: ReceivedNotification[] = [];
    const server = home.connection({ announce: (notification) => sent.push(notification) });
    await initialize(server);
    const { result } = await request(server, 'resources/list', {});
    const resources = result?.['resources'] as readonly { readonly uri: string; readonly name: string }[];
    const uri = resources.find(({ name }) => name === 'tea.md')?.uri ?? '';
    await request(server, 'resources/subscribe', { uri });
    let edits = 0;
    const areNotified = (): boolean =>
      sent.some(({ method, params }) => method.endsWith('/updated') && params['uri'] === uri);
    await until(
      async () => {
        if (!areNotified()) home.write('notes/tea.md', `# Tea\n\nEdited ${++edits} times.\n`);
        return areNotified();
      },
      (notified) => notified,
    );
    expect(sent.map(({ method }) => method)).toContain('notifications/resources/list_changed');
  });
});

describe('an agent that adds something itself', () => {
  it('is notified that the list has changed, and only then', async () => {
    const home = await indexedHome({ env: { KEBAB_INDEXING_WATCH_FILESYSTEM: 'false' } });
    homes.push(home);
    const sent: ReceivedNotification[] = [];
    const server = home.connection({ announce: (notification) => sent.push(notification) });
    await initialize(server);
    home.write('notes/mint.md', '# Mint\n');
    for (const [tool, args] of [
      ['ingest_file', { path: 'mint.md' }],
      ['ingest_stdin', { title: 'Sage', content: '# Sage\n' }],
    ] as const) {
      expect(await call(server, tool, args)).toMatchObject({ structuredContent: { new: 1 } });
      expect(sent.splice(0)).toMatchObject([{ method: 'notifications/resources/list_changed' }]);
      expect(await call(server, tool, args)).toMatchObject({ structuredContent: { new: 0 } });
      expect(sent).toEqual([]);
    }
  });
});

describe('a client of an index that other processes write to', { timeout: 60_000 }, () => {
  const UNWATCHED = { env: { KEBAB_INDEXING_WATCH_FILESYSTEM: 'false', KEBAB_SEARCH_REFRESH: 'off' } };

  interface Listening {
    readonly server: Connection;
    /** The announcements since the last call. */
    readonly announced: () => ReadonlySet<string>;
    /** The same, once the wanted one is among them. */
    readonly received: (wanted: string) => Promise<ReadonlySet<string>>;
  }

  async function listening(home: TestHome, options?: { readonly readonly?: boolean }): Promise<Listening> {
    const sent: string[] = [];
    let wake = (): void => {};
    const announce = ({ method, params }: ReceivedNotification): void => {
      const { uri = '' } = params as { readonly uri?: string };
      sent.push(`${method.replace('notifications/resources/', '')} ${uri}`.trim());
      wake();
    };
    const server = home.connection({ ...options, announce });
    await initialize(server);
    await request(server, 'resources/list', {});
    const announced = (): ReadonlySet<string> => new Set(sent.splice(0));
    const received = async (wanted: string): Promise<ReadonlySet<string>> => {
      while (!sent.includes(wanted)) await new Promise<void>((resolve) => (wake = resolve));
      return announced();
    };
    return { server, announced, received };
  }

  async function subscribed(server: Connection, query: string): Promise<readonly string[]> {
    const { structuredContent } = await call(server, 'search', { query, mode: 'lexical', detail: 'full', k: 1 });
    const [hit] = structuredContent['hits'] as readonly { readonly doc_id: string; readonly chunk_id: string }[];
    const uris = [`kebab://doc/${hit?.doc_id}`, `kebab://chunk/${hit?.chunk_id}`];
    for (const uri of uris) expect(await request(server, 'resources/subscribe', { uri })).toMatchObject({ result: {} });
    return uris;
  }

  it.each([{ readonly: false }, { readonly: true }])(
    'is notified of changes by an ingest in another process, even if its server follows no folders (%o)',
    async (options) => {
      const home = await indexedHome(UNWATCHED);
      homes.push(home);
      const { server, announced, received } = await listening(home, options);
      const [doc, chunk] = await subscribed(server, 'eighty');
      const [roses] = await subscribed(server, 'roses');
      await ingest(home);
      home.write('notes/tea.md', '# Tea\n\nOolong is rolled by hand.\n');
      expect(announced()).toEqual(new Set());
      await ingest(home);
      expect(await received(`updated ${chunk}`)).toEqual(
        new Set(['list_changed', `updated ${doc}`, `updated ${chunk}`]),
      );
      home.write('notes/mint.md', '# Mint\n');
      await ingest(home);
      expect(await received('list_changed')).toEqual(new Set(['list_changed']));
      await request(server, 'resources/unsubscribe', { uri: roses });
      rmSync(path.join(home.workspace, 'garden', 'roses.md'));
      await ingest(home);
      expect(await received('list_changed')).toEqual(new Set(['list_changed']));
    },
  );

  it('is notified of the first index, and of one that replaces another', async () => {
    const home = newHome(UNWATCHED);
    homes.push(home);
    const { received } = await listening(home);
    for (const scope of ['data_only', 'all'] as const) {
      await ingest(home);
      expect(await received('list_changed')).toEqual(new Set(['list_changed']));
      const other = await home.openApp();
      await other.reset(scope);
      await other.close();
      expect(await received('list_changed')).toEqual(new Set(['list_changed']));
    }
  });

  it('is notified of an edit that another server has ingested first', async () => {
    const home = await indexedHome();
    homes.push(home);
    const [one, two] = [await listening(home), await listening(home)];
    let areNotified = false;
    const notified = Promise.all([one.received('list_changed'), two.received('list_changed')]).then(
      () => (areNotified = true),
    );
    home.write('notes/tea.md', '# Tea\n\nOolong is rolled by hand.\n');
    await until(
      async () => hitsOf(one.server, 'oolong'),
      () => areNotified,
    );
    await expect(notified).resolves.toBe(true);
  });

  it('can subscribe to existing resources only', async () => {
    const home = await indexedHome(UNWATCHED);
    homes.push(home);
    const { server } = await listening(home);
    for (const uri of [
      'file:///etc/passwd',
      'kebab://doc/x',
      `kebab://doc/${'0'.repeat(32)}`,
      `kebab://chunk/${'0'.repeat(32)}`,
    ])
      expect(await request(server, 'resources/subscribe', { uri })).toMatchObject({
        error: { code: -32002, data: { uri } },
      });
  });
});

/** Retries until the result is as expected: before the watcher has started, a search looks at most every two seconds. */
async function until<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
