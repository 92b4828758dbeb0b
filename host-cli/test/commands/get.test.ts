import type { App, DocInspection, DocumentId, FetchResult } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { blame, chunkId, docId as exampleId, fetchedChunk, fetchedDoc } from '../examples.ts';
import { runCommand } from '../fakes/run-command.ts';

const docId = exampleId as DocumentId;

type HistoryEvent = DocInspection['provenance']['events'][number];

const doc = (path: string, text: string, more: object = {}): FetchResult =>
  ({
    ...fetchedDoc,
    doc_path: path,
    source_id: 'default',
    text,
    truncated: false,
    stale: false,
    freshness: 'fresh',
    ...more,
  }) as FetchResult;

function reading(results: Readonly<Record<string, FetchResult>>, events: readonly Partial<HistoryEvent>[] = []) {
  const asked: unknown[] = [];
  const app: Partial<App> = {
    fetch: async (query, { signal: _signal, ...options } = {}) => {
      asked.push([query, options]);
      return query.kind === 'uri' ? (results[query.uri] ?? fetchedDoc) : fetchedChunk;
    },
    nameDocuments: async () => ({ kind: 'glob', documents: Object.keys(results).map((uri) => ({ docId, uri })) }),
    resolveId: async (kind) => (kind === 'chunk' ? chunkId : docId),
    inspectDoc: async () => ({ provenance: { events } }) as unknown as DocInspection,
  };
  return { asked, app };
}

describe('kebab get --blame', () => {
  const app: Partial<App> = { blame: async () => blame };

  it('prints the commit, date and author of each line, and blame.v1 with --json', async () => {
    const { code, stdout } = await runCommand(['get', '--blame', 'src/gauge.py:1-2'], { app });
    expect([code, stdout.text.split('\n')]).toEqual([
      0,
      ['^3f2a1b9c3f2a 2026-03-01 Kim 1:def read_gauge():', 'not committed                2:    return 2', ''],
    ]);
    const { stdout: json } = await runCommand(['get', '--blame', '--json', 'src/gauge.py'], { app });
    expect(json.json).toEqual([blame]);
  });
});

describe('kebab get', () => {
  const notes = { 'a.md': doc('a.md', 'one\n'), 'work:b.md': doc('b.md', 'two', { source_id: 'work' }) };

  it('prints only the text of a single document to a pipe', async () => {
    const { asked, app } = reading({ 'a.md:1': notes['a.md'] });
    const { code, stdout, stderr } = await runCommand(['get', 'a.md:1'], { app });
    expect([code, stdout.text, stderr.text]).toEqual([0, 'one\n', '']);
    expect(asked).toEqual([[{ kind: 'uri', uri: 'a.md:1', source: undefined }, { maxTokens: undefined }]]);
  });

  it('continues one document at a cursor, and rejects it for several', async () => {
    const { asked, app } = reading(notes);
    expect((await runCommand(['get', 'a.md', '--cursor', '5f'], { app })).code).toBe(0);
    expect(asked).toMatchObject([[{ uri: 'a.md' }, { cursor: '5f' }]]);
    const { code, stderr } = await runCommand(['get', 'a.md', 'work:b.md', '--cursor', '5f'], { app });
    expect([code, stderr.text]).toEqual([2, expect.stringContaining('--cursor continues one document, not several')]);
  });

  it('prints several documents, or the matches of a glob, below their paths', async () => {
    for (const line of [['a.md', 'work:b.md'], ['**/*.md']]) {
      const { stdout } = await runCommand(['get', ...line], reading(notes));
      expect(stdout.text).toBe('==> a.md <==\none\n\n==> work:b.md <==\ntwo\n');
    }
  });

  it('names a document on a terminal, and wraps its lines at spaces', async () => {
    const results = { 'a.md': doc('a.md', `${'word '.repeat(9)}end\n\n    code\n`) };
    const { stdout } = await runCommand(['get', 'a.md'], { ...reading(results), columns: 30, env: { NO_COLOR: '1' } });
    expect(stdout.text).toBe(`a.md\n${'word '.repeat(6).trim()}\nword word word end\n\n    code\n`);
  });

  it('prints one fetch_result.v1 per line with --json', async () => {
    const { stdout } = await runCommand(['get', '**/*.md', '--json'], reading(notes));
    expect(stdout.json).toMatchObject([{ schema_version: 'fetch_result.v1', doc_path: 'a.md' }, { doc_path: 'b.md' }]);
  });

  it('accepts an id', async () => {
    const { asked, app } = reading({});
    const { stdout } = await runCommand(['get', '9b4a8c'], { app });
    expect(asked).toMatchObject([[{ kind: 'chunk', chunkId }, {}]]);
    expect(stdout.text).toContain(fetchedChunk.kind === 'chunk' ? fetchedChunk.chunk.text : '');
  });

  it('is the same as fetch without a kind', async () => {
    const { asked, app } = reading(notes);
    const { stdout } = await runCommand(['fetch', 'a.md', '--source', 'default'], { app });
    expect(stdout.text).toBe('one\n');
    expect(asked).toMatchObject([[{ kind: 'uri', uri: 'a.md', source: 'default' }, {}]]);
  });

  it('fails for a glob that matches nothing', async () => {
    const { code, stderr } = await runCommand(['get', '*.md', '--json'], reading({}));
    expect([code, stderr.json]).toMatchObject([2, [{ code: 'invalid_input', details: { value: '*.md' } }]]);
  });

  it.each(['get', 'fetch uri'])('%s says why there is nothing to read in a picture', async (command) => {
    const { code, stdout, stderr } = await runCommand(
      [...command.split(' '), 'b.png'],
      reading({ 'b.png': doc('b.png', '') }),
    );
    expect([code, stderr.text]).toEqual([0, expect.stringContaining('b.png has no text: no OCR has read the picture')]);
    expect(stdout.text).toBe(command === 'get' ? '' : '# b.png (doc)\n');
  });

  it.each<[string, Partial<HistoryEvent>, string]>([
    ['b.png', { kind: 'ocr_applied', note: 'whole' }, 'OCR recognised none'],
    ['b.pdf', { kind: 'ocr_applied', note: 'pages 1–2' }, 'OCR recognised none'],
    ['b.pdf', { kind: 'warning', note: 'ocr_failed: page 1: no memory left' }, 'OCR failed: page 1: no memory left'],
    ['b.pdf', { kind: 'warning', note: 'scanned_candidate: page 1' }, 'no OCR has read the picture'],
    ['b.tiff', { kind: 'parsed', note: null }, 'no OCR has read the picture'],
  ])('says of %s what OCR has done with it (%j)', async (file, event, reason) => {
    const { stderr } = await runCommand(['get', file], reading({ [file]: doc(file, '') }, [event]));
    expect(stderr.text).toContain(`${file} has no text: ${reason}`);
  });

  it.each(['a.md#L3~0123abcd', 'a.md:3~0123abcd', 'a.md:3-4~0123abcd'])(
    'says of %s that it is not what was cited',
    async (uri) => {
      const { stderr } = await runCommand(['get', uri], reading({ [uri]: { ...fetchedChunk, freshness: 'fresh' } }));
      expect(stderr.text).toContain('notice: the text there is not the one that was cited');
    },
  );

  it('reports that the text is older than the file', async () => {
    const { stderr } = await runCommand(
      ['get', 'a.md'],
      reading({ 'a.md': doc('a.md', 'one\n', { freshness: 'changed' }) }),
    );
    expect(stderr.text).toBe('notice: a.md is changed: this is its text as it was indexed\n');
  });
});
