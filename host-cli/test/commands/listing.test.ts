import type { App } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { chunk, codeSummary, docInspection, fetchedChunk, fetchedDoc, summary } from '../examples/documents.ts';
import { configPaths, trustReport } from '../examples/reports.ts';
import { chunkId, docId } from '../examples/searches.ts';
import { MemoryOutput } from '../fakes/memory-io.ts';
import { runCommand } from '../fakes/run-command.ts';

function listing() {
  const asked: unknown[] = [];
  const app: Partial<App> = {
    listDocs: async (filters, page) => {
      asked.push([filters, page]);
      const more = page?.cursor === undefined;
      return {
        schema_version: 'doc_list.v1',
        docs: [more ? summary : codeSummary],
        total: 2,
        next_cursor: more ? 'c' : null,
      };
    },
  };
  return { asked, app };
}

describe('kebab list docs', () => {
  it('prints every page, a document a line', async () => {
    const { asked, app } = listing();
    const { stdout } = await runCommand(['list', 'docs', '--media', 'md', '--json'], { app });
    expect(stdout.json).toEqual([summary, codeSummary]);
    expect(asked).toEqual([
      [{ media: ['markdown'] }, {}],
      [{ media: ['markdown'] }, { cursor: 'c' }],
    ]);
  });

  it('counts below the list for people', async () => {
    const { stdout } = await runCommand(['list', 'docs'], { app: listing().app });
    expect(stdout.text.split('\n').slice(2)).toEqual(['', '2 documents', '']);
  });

  it('stops when nobody reads any more', async () => {
    const { asked, app } = listing();
    const stdout = new MemoryOutput();
    stdout.closed = true;
    await runCommand(['list', 'docs', '--json'], { app, stdout });
    expect(asked).toHaveLength(1);
  });
});

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
    ['span 8547fe 3 9', [{ kind: 'span', docId, lineStart: 3, lineEnd: 9 }, {}]],
    ['uri a.md#L1 --source s', [{ kind: 'uri', uri: 'a.md#L1', source: 's' }, {}]],
  ])('%s', async (line, expected) => {
    const { code } = await runCommand(['fetch', ...line.split(' '), '--json'], { app });
    expect([code, asked.at(-1)]).toEqual([0, expected]);
  });

  it('says on stderr when the budget cut the text', async () => {
    const { stderr } = await runCommand(['fetch', 'doc', '8547fe'], { app });
    expect(stderr.text).toBe('[truncated; widen --max-tokens for fuller text]\n');
  });

  it('takes whole numbers for lines', async () => {
    const { code, stderr } = await runCommand(['fetch', 'span', '8547fe', 'a', '9', '--json'], { app });
    expect([code, stderr.json]).toMatchObject([2, [{ details: { field: 'START', value: 'a' } }]]);
  });
});

describe('kebab inspect', () => {
  it('completes ids that a person shortened', async () => {
    const app: Partial<App> = {
      resolveId: async (kind, text) => `${kind}:${text}`,
      inspectDoc: async (id) => ({ ...docInspection, chunk_ids: [id] }),
      inspectChunk: async (id) => ({ ...chunk, chunk_id: id }),
    };
    const doc = await runCommand(['inspect', 'doc', '8547fe', '--json'], { app });
    expect(doc.stdout.json).toMatchObject([{ chunk_ids: ['document:8547fe'] }]);
    const one = await runCommand(['inspect', 'chunk', '9b4a8c', '--json'], { app });
    expect(one.stdout.json).toMatchObject([{ chunk_id: 'chunk:9b4a8c' }]);
  });
});

describe('kebab trust', () => {
  const asked: unknown[] = [];
  const app: Partial<App> = {
    configPaths: async () => configPaths,
    trust: async (request) => {
      asked.push(request);
      return trustReport;
    },
  };

  it.each([
    [[], { kind: 'add', path: '/home/ada/kb/kebab.toml' }],
    [['x/kebab.json'], { kind: 'add', path: '/work-folder/x/kebab.json' }],
    [['--revoke'], { kind: 'revoke', path: '/home/ada/kb/kebab.toml' }],
    [['--list'], { kind: 'list' }],
  ])('with %j', async (flags, request) => {
    const { code } = await runCommand(['trust', ...flags, '--json'], { app });
    expect([code, asked.at(-1)]).toEqual([0, request]);
  });

  it('says so when there is no project file', async () => {
    const nowhere = { ...app, configPaths: async () => ({ ...configPaths, config_files: [] }) };
    const { code, stderr } = await runCommand(['trust', '--json'], { app: nowhere });
    expect([code, stderr.json]).toMatchObject([2, [{ code: 'invalid_input', details: { field: 'PATH' } }]]);
  });
});

describe('exit codes', () => {
  it('doctor ends with 3 when something is unhealthy', async () => {
    const app: Partial<App> = { doctor: async () => ({ schema_version: 'doctor.v1', ok: false, checks: [] }) };
    expect((await runCommand(['doctor', '--json'], { app })).code).toBe(3);
  });
});
