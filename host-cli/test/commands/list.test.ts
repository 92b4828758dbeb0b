import type { App, SkippedFile } from '@kebab/core/app';
import { describe, expect, it } from 'vitest';
import { codeSummary, responseOf, sourceList, summary } from '../examples.ts';
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
  it('prints every page, one document per line', async () => {
    const { asked, app } = listing();
    const { stdout } = await runCommand(['list', 'docs', '--media', 'md', '--json'], { app });
    expect(stdout.json).toEqual([summary, codeSummary]);
    expect(asked).toEqual([
      [{ media: ['markdown'] }, { limit: 100 }],
      [{ media: ['markdown'] }, { cursor: 'c', limit: 1000 }],
    ]);
  });

  it('accepts as --doc-id the first digits of an id, as it prints them, and a path', async () => {
    const { asked, app } = listing();
    const full = 'ab'.repeat(16);
    const resolveId: App['resolveId'] = async (kind, text) => `${kind === 'document' && text.length}`.padStart(32, '0');
    await runCommand(['list', 'docs', '--doc-id', 'abcdef01', '--doc-id', 'a.md'], { app: { ...app, resolveId } });
    expect(asked[0]).toMatchObject([{ docId: ['8'.padStart(32, '0'), '4'.padStart(32, '0')] }, {}]);
    await runCommand(['list', 'docs', '--doc-id', full], { app });
    expect(asked[2]).toMatchObject([{ docId: [full] }, {}]);
  });

  it('names the flag if a source is given as a path', async () => {
    const app: Partial<App> = {
      nameDocuments: async () => ({ kind: 'folder', documents: [] }),
      listSources: async () => sourceList,
    };
    const hintFor = async (typed: string) => (await runCommand(['list', 'docs', typed, '--json'], { app })).stderr.json;
    expect(await hintFor('work')).toMatchObject([{ hint: 'it is a source: `kebab list docs --source work`' }]);
    expect(await hintFor('nope')).toMatchObject([{ hint: 'see them all with `kebab list docs`' }]);
  });

  it('prints the number of documents below the list', async () => {
    const { stdout } = await runCommand(['list', 'docs'], { app: listing().app });
    expect(stdout.text.split('\n').slice(2)).toEqual(['', '2 documents', '']);
  });

  it.each([
    ['handbook.HTML', 'other', 'html'],
    ['kiln.d/budget.csv', 'other', 'csv'],
    ['a.b/LICENSE', 'other', 'other'],
    ['notes/a.md', 'markdown', 'markdown'],
  ] as const)('names the type of %s as `type:` takes it', async (path, media, shown) => {
    const docs = [{ ...summary, doc_path: path, media }];
    const listDocs: App['listDocs'] = async () => ({
      schema_version: 'doc_list.v1',
      docs,
      total: 1,
      next_cursor: null,
    });
    const { stdout } = await runCommand(['list', 'docs'], { app: { listDocs } });
    expect(stdout.text.split(/ +/)[1]).toBe(shown);
  });

  it.each([[[]], [['--skipped']]])('says which sources there are for one that is unknown: %j', async (flags) => {
    const filters = [{ filter: 'source' as const, value: 'wrk', nearest: 'work', known: ['work', 'notes'] }];
    const app: Partial<App> = {
      listDocs: async () => ({ schema_version: 'doc_list.v1', docs: [], total: 0, next_cursor: null }),
      async *listSkipped() {},
      search: async () => ({ ...responseOf([]), suggestions: { query: null, words: [], filters } }),
    };
    const { code, stderr } = await runCommand(['list', 'docs', '--source', 'wrk', ...flags], { app });
    expect([code, stderr.text]).toEqual([0, 'no document has source "wrk" — did you mean work? there is: notes\n']);
  });

  it('stops when the reader is gone', async () => {
    const { asked, app } = listing();
    const stdout = new MemoryOutput();
    stdout.closed = true;
    await runCommand(['list', 'docs', '--json'], { app, stdout });
    expect(asked).toHaveLength(1);
  });
});

describe('kebab list docs --skipped', () => {
  const skipped: readonly SkippedFile[] = [
    skippedFile('default', 'kiln/raw', 'kebabignore'),
    skippedFile('default', 'made.go', 'generated'),
    skippedFile('work', 'kiln/plan.docx', 'unsupported'),
  ];
  const app: Partial<App> = {
    async *listSkipped() {
      yield* skipped;
    },
  };

  it('prints the place, the reason and the remedy of every file, and their number', async () => {
    const { stdout } = await runCommand(['list', 'docs', '--skipped'], { app });
    expect(stdout.text).toContain('work:kiln/plan.docx  because of unsupported  change it');
    expect(stdout.text).toContain('3 left out');
    expect((await runCommand(['list', 'docs', '--skipped', '--json'], { app })).stdout.json).toEqual(skipped);
  });

  it.each([
    [['kiln'], ['kiln/raw', 'kiln/plan.docx']],
    [['./kiln/'], ['kiln/raw', 'kiln/plan.docx']],
    [['work:kiln'], ['kiln/plan.docx']],
    [['kiln/raw/deep/a.md'], ['kiln/raw']],
    [['--source', 'work'], ['kiln/plan.docx']],
    [['made'], []],
  ])('selects with %j', async (words, expected) => {
    const { stdout } = await runCommand(['list', 'docs', '--skipped', '--json', ...words], { app });
    expect(stdout.json.map((file) => (file as SkippedFile).doc_path)).toEqual(expected);
  });

  it('refuses a filter of documents, and says so when nothing is left out', async () => {
    const { stderr } = await runCommand(['list', 'docs', '--skipped', '--media', 'md', '--json'], { app });
    expect(stderr.json).toMatchObject([{ code: 'invalid_input', message: expect.stringContaining('--media') }]);
    const { stdout } = await runCommand(['list', 'docs', '--skipped', 'nowhere'], { app });
    expect(stdout.text).toBe('nothing is left out\n');
  });
});

function skippedFile(source_id: string, doc_path: string, reason: SkippedFile['reason']): SkippedFile {
  return {
    schema_version: 'skipped_file.v1',
    source_id,
    doc_path,
    reason,
    why: `because of ${reason}`,
    remedy: 'change it',
  };
}
