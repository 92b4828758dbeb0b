import type { App } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { chunk, chunkId, docId, fetchedChunk, fetchedDoc } from '../examples.ts';
import { runCommand } from '../fakes/run-command.ts';

describe('kebab fetch', () => {
  const asked: unknown[] = [];
  const app: Partial<App> = {
    resolveId: async (kind) => (kind === 'chunk' ? chunkId : docId),
    fetch: async (query, { signal: _signal, ...options } = {}) => {
      asked.push([query, options]);
      return query.kind === 'chunk' ? fetchedChunk : fetchedDoc;
    },
  };

  it.each([
    ['chunk 9b4a8c --context 2', [{ kind: 'chunk', chunkId }, { context: 2 }]],
    ['doc 8547fe --max-tokens 7', [{ kind: 'doc', docId }, { maxTokens: 7 }]],
    ['doc 8547fe --cursor 5f', [{ kind: 'doc', docId }, { cursor: '5f' }]],
    ['span 8547fe 3 9', [{ kind: 'span', docId, lineStart: 3, lineEnd: 9 }, {}]],
    ['uri a.md#L1 --source s', [{ kind: 'uri', uri: 'a.md#L1', source: 's' }, {}]],
  ])('passes the place named by "fetch %s" to the App', async (line, expected) => {
    const { code } = await runCommand(['fetch', ...line.split(' '), '--json'], { app });
    expect([code, asked.at(-1)]).toEqual([0, expected]);
  });

  it('shows the hash for `cite verify --hash` on a terminal, but not in a pipe', async () => {
    const terminal = await runCommand(['fetch', 'chunk', '9b4a8c'], { app, columns: 80, env: { NO_COLOR: '1' } });
    expect(terminal.stdout.text).toContain(`(chunk)  hash ${chunk.citation.content_hash}\n`);
    expect((await runCommand(['fetch', 'chunk', '9b4a8c'], { app })).stdout.text).toContain('(chunk)\n');
  });

  it('reports on stderr that the budget cut the text', async () => {
    const { stderr } = await runCommand(['fetch', 'doc', '8547fe'], { app });
    expect(stderr.text).toBe('[truncated; widen --max-tokens for fuller text]\n');
  });

  it('accepts only whole numbers for lines', async () => {
    const { code, stderr } = await runCommand(['fetch', 'span', '8547fe', 'a', '9', '--json'], { app });
    expect([code, stderr.json]).toMatchObject([2, [{ details: { field: 'START', value: 'a' } }]]);
  });
});
