import { renameSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { kebabSurface } from '../src/kebab-surface.ts';
import { Connection } from '../src/protocol/connection.ts';
import type { OutgoingNotification } from '../src/protocol/json-rpc.ts';
import { call, request } from './fakes/call.ts';
import { indexedHome, type TestHome } from './fakes/test-home.ts';

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

describe('an agent that edits files and ingests nothing', { timeout: 60_000 }, () => {
  it('finds its edit, cites it, and finds the citation again after a rename', async () => {
    const home = await indexedHome();
    homes.push(home);
    const server = home.connection();
    await request(server, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} });
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

  it('is told of documents that it subscribed to', async () => {
    const home = await indexedHome();
    homes.push(home);
    const sent: OutgoingNotification[] = [];
    const live = home.live();
    const server = new Connection(kebabSurface(live), (notification) => sent.push(notification));
    await request(server, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} });
    const { result } = await request(server, 'resources/list', {});
    const resources = result?.['resources'] as readonly { readonly uri: string; readonly name: string }[];
    const uri = resources.find(({ name }) => name === 'tea.md')?.uri ?? '';
    await request(server, 'resources/subscribe', { uri });
    let edits = 0;
    const isTold = (): boolean =>
      sent.some(({ method, params }) => method.endsWith('/updated') && params['uri'] === uri);
    await until(
      async () => {
        if (!isTold()) home.write('notes/tea.md', `# Tea\n\nEdited ${++edits} times.\n`);
        return isTold();
      },
      (told) => told,
    );
    expect(sent.map(({ method }) => method)).toContain('notifications/resources/list_changed');
  });
});

describe('an agent that adds something itself', () => {
  it('is told that the list has changed, and nothing where nothing has', async () => {
    const home = await indexedHome({ env: { KEBAB_INDEXING_WATCH_FILESYSTEM: 'false' } });
    homes.push(home);
    const sent: OutgoingNotification[] = [];
    const server = new Connection(kebabSurface(home.live()), (notification) => sent.push(notification));
    await request(server, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} });
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

/** Asks until the answer is as wanted: a search looks at most every two seconds before the watcher has begun. */
async function until<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
