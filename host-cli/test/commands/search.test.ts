import type { App, SearchResponse } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { configView } from '../examples/reports.ts';
import { hit, lexicalHit, responseOf } from '../examples/searches.ts';
import { runCommand, type CommandTest } from '../fakes/run-command.ts';

type Asked = Parameters<App['search']>;

function searching(response: SearchResponse, total = 5) {
  const asked: Asked[] = [];
  const app: Partial<App> = {
    search: async (...call: Asked) => {
      asked.push(call);
      return response;
    },
    configView: async () => configView,
    listDocs: async () => ({ schema_version: 'doc_list.v1', docs: [], total, next_cursor: null }),
  };
  return { asked, app };
}

async function search(line: readonly string[], response: SearchResponse, test: CommandTest = {}) {
  const { asked, app } = searching(response);
  return { asked, ...(await runCommand(['search', ...line], { app, ...test })) };
}

describe('kebab search', () => {
  it('asks what the command line says', async () => {
    const filters = ['--tag', 'a', '--media', 'md,code', '--path-glob', 'notes/**', '--trust-min', 'secondary'];
    const flags = ['-k', '3', '--mode', 'lexical', '--max-tokens', '500', '--snippet-chars', '60', '--cursor', 'c'];
    const { asked } = await search([...filters, ...flags, '--explain', '--no-cache', 'two', 'words'], responseOf([]));
    expect(asked[0]).toMatchObject([
      {
        text: 'two words',
        k: 3,
        mode: 'lexical',
        filters: { tag: ['a'], media: ['markdown', 'code'], pathGlob: ['notes/**'], trustMin: 'secondary' },
      },
      { maxTokens: 500, snippetChars: 60, cursor: 'c', explain: true, cache: false },
    ]);
  });

  it('leaves to the App what was not said', async () => {
    const { asked } = await search(['x'], responseOf([hit]));
    expect(Object.keys(asked[0]?.[0] ?? {}).toSorted()).toEqual(['filters', 'text']);
    expect(asked[0]?.[0].filters).toEqual({});
  });

  it('ends with 0 when there are hits, with 1 when there are none', async () => {
    expect((await search(['x'], responseOf([hit]))).code).toBe(0);
    expect((await search(['--json', 'x'], responseOf([]))).code).toBe(1);
    expect((await search(['x'], responseOf([]))).code).toBe(1);
  });

  it('writes the truncation note with the cursor on stderr', async () => {
    const cut = await search(['x'], responseOf([hit], { truncated: true, next_cursor: 'eyJ2IjoxfQ' }));
    expect(cut.stderr.text).toBe('[truncated; use --cursor eyJ2IjoxfQ for the next page]\n');
    const short = await search(['x'], responseOf([hit], { truncated: true }));
    expect(short.stderr.text).toBe('[truncated; widen --max-tokens for fuller text]\n');
  });

  it('writes one notice for a degraded search on stderr', async () => {
    const degraded = [{ stage: 'vector', reason: 'model_not_pulled', hint: 'kebab models pull' }] as const;
    const { stderr } = await search(['x'], responseOf([lexicalHit], { degraded }));
    expect(stderr.text).toBe(
      'notice: vector search off (model_not_pulled); lexical results only — kebab models pull\n',
    );
  });

  it('says what to do when the knowledge base is empty', async () => {
    const { app } = searching(responseOf([]), 0);
    const { stdout, stderr } = await runCommand(['search', 'x'], { app });
    expect(stdout.text).toBe('no hits\n0 hits  lexical  index v1.0  bm25\n');
    expect(stderr.text).toBe('notice: the knowledge base is empty — run kebab ingest\n');
  });

  it('prints the response as it is with --json, and nothing on stderr', async () => {
    const response = responseOf([hit], { truncated: true, next_cursor: 'c' });
    const { stdout, stderr } = await search(['--json', 'x'], response);
    expect([stdout.json, stderr.text]).toEqual([[response], '']);
  });

  it('rejects a value outside a closed set before anything is opened', async () => {
    const { code, opened, stderr } = await search(['--media', 'film', '--json', 'x'], responseOf([]));
    expect([code, opened.length]).toEqual([2, 0]);
    expect(stderr.json[0]).toMatchObject({ code: 'invalid_input', details: { field: 'media' } });
  });
});
