import type { App, Citation } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { answer, chunk, citation, fetchedChunk, fetchedDoc, gone, hit, moved, responseOf } from '../examples.ts';
import { runCommand } from '../fakes/run-command.ts';

function verifying() {
  const asked: unknown[] = [];
  const app: Partial<App> = {
    verifyCitation: async (uri, { hash, source } = {}) => {
      asked.push({ uri, hash, source });
      return uri.startsWith('gone') ? gone : moved;
    },
  };
  return { asked, app };
}

describe('kebab cite verify', () => {
  it('checks one URI with its hash and source', async () => {
    const { asked, app } = verifying();
    const line = ['cite', 'verify', 'a.md#L1', '--hash', '0f3c9a5d1b7e2468', '--source', 'work', '--json'];
    const { code, stdout } = await runCommand(line, { app });
    expect([code, stdout.json]).toEqual([0, [moved]]);
    expect(asked).toEqual([{ uri: 'a.md#L1', hash: '0f3c9a5d1b7e2468', source: 'work' }]);
  });

  it('is what `kebab cite` alone means, and prints the hash that was compared', async () => {
    const check = {
      ...moved,
      status: 'exact',
      uri: 'a.md#L1',
      found_uri: null,
      freshness: 'fresh',
      content_hash: '0f3c9a5d1b7e2468',
    } as const;
    const app: Partial<App> = { verifyCitation: async () => check };
    expect((await runCommand(['cite', 'a.md#L1'], { app })).stdout.text).toBe('exact  a.md#L1~0f3c9a5d\n');
    const whole: Partial<App> = { verifyCitation: async () => ({ ...check, uri: 'C# tips.md' }) };
    expect((await runCommand(['cite', 'C# tips.md'], { app: whole })).stdout.text).toBe('exact  C# tips.md\n');
    const missing: Partial<App> = { verifyCitation: async () => ({ ...gone, freshness: null }) };
    expect((await runCommand(['cite', 'x.md'], { app: missing })).stdout.text).toMatch(/\[no such document\]\n$/);
    const { code, stderr } = await runCommand(['cite', '99'], { app: missing });
    expect([code, stderr.text]).toEqual([
      2,
      expect.stringContaining('there is no hit 99: no search with hits is remembered'),
    ]);
  });

  it('reads citations from standard input, each with its own hash and source', async () => {
    const { asked, app } = verifying();
    const other = { ...citation, uri: 'gone.md#L1', source_id: 'work' };
    const stdin = [`${JSON.stringify(citation)}\n${JSON.stringify(other)}\n`];
    const { code, stdout } = await runCommand(['cite', 'verify', '-', '--json'], { app, stdin });
    expect([code, stdout.json]).toEqual([1, [moved, gone]]);
    expect(asked).toEqual([
      { uri: citation.uri, hash: citation.content_hash, source: 'default' },
      { uri: 'gone.md#L1', hash: citation.content_hash, source: 'work' },
    ]);
  });

  it('reads URIs from standard input, one a line, with or without their hash', async () => {
    const { asked, app } = verifying();
    const stdin = ['a.md#L1~5f0c1d2e\n\nC%23 notes.md#L2-L4\r\nb.pdf#p=3'];
    const { code, stdout } = await runCommand(['cite', 'verify', '-', '--json'], { app, stdin });
    expect([code, stdout.json.length]).toEqual([0, 3]);
    expect(asked).toEqual(
      ['a.md#L1~5f0c1d2e', 'C%23 notes.md#L2-L4', 'b.pdf#p=3'].map((uri) => ({
        uri,
        hash: undefined,
        source: undefined,
      })),
    );
  });

  it('names the line of standard input that contains no citation', async () => {
    const { app } = verifying();
    const stdin = [`${JSON.stringify(citation)}\n{"uri":1}\n`];
    const { code, stdout, stderr } = await runCommand(['cite', 'verify', '-', '--json'], { app, stdin });
    expect([code, stdout.json.length]).toEqual([2, 1]);
    expect(stderr.json[0]).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('line 2') });
  });

  const bulkItem = { schema_version: 'bulk_search_item.v1', query: null, response: responseOf([hit]), error: null };

  it.each<[what: string, values: readonly unknown[], cited: readonly Citation[]]>([
    ['a page of hits', [responseOf([hit, hit])], [hit.citation, hit.citation]],
    ['a page without hits', [responseOf([])], []],
    ['hits one a line', [hit, hit], [hit.citation, hit.citation]],
    ['the chunk that was fetched', [fetchedChunk], [chunk.citation]],
    ['an answer', [answer], answer.citations.map((one) => one.citation)],
    ['an item of a bulk search and a citation', [bulkItem, citation], [hit.citation, citation]],
    ['a list of citations', [[citation, citation]], [citation, citation]],
  ])('extracts the citations from %s, on one line or spread over several', async (_what, values, cited) => {
    for (const indent of [0, 2]) {
      const { asked, app } = verifying();
      const stdin = [`${values.map((value) => JSON.stringify(value, null, indent)).join('\n')}\n`];
      const { code } = await runCommand(['cite', 'verify', '-'], { app, stdin });
      expect(code).toBe(0);
      expect(asked).toEqual(
        cited.map(({ uri, content_hash: hash, source_id: source = 'default' }) => ({ uri, hash, source })),
      );
    }
  });

  it('verifies a fetched whole document by its path', async () => {
    const { asked, app } = verifying();
    const whole = { ...fetchedDoc, doc_path: 'C# 100%.md' };
    await runCommand(['cite', 'verify', '-'], { app, stdin: [JSON.stringify(whole)] });
    expect(asked).toEqual([{ uri: 'C%23 100%25.md', hash: undefined, source: whole.source_id }]);
  });

  it('refuses --hash for citations on standard input, which have their own', async () => {
    const { app } = verifying();
    const { code } = await runCommand(['cite', 'verify', '-', '--hash', '0f3c9a5d1b7e2468'], { app });
    expect(code).toBe(2);
  });
});
