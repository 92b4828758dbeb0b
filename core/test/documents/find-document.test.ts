import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { documentIdOf, findPlace, requirePlace, resolveId } from '../../src/documents/find-document.ts';
import { nameDocuments } from '../../src/fetch/name-documents.ts';
import { sampleWrite } from '@kebab/testing';
import { KnowledgeBase } from '../kb/knowledge-base.ts';
import { openForTests } from '../kb/open-for-tests.ts';
import { pagedWrite } from '../fetch/picture-kb.ts';

describe('a typed path', () => {
  const open = openForTests();
  /** What the tests share, since they only read. */
  let notes: KnowledgeBase;
  beforeAll(async () => {
    notes = await openWithNotes();
  });
  beforeEach(() => void (notes.cwd = join(notes.root, 'projects')));
  afterAll(() => notes.close());

  /** Notes of the source `default` in `notes`, with the working directory `notes/projects`; those of `work` are in a sibling folder. */
  async function openWithNotes(): Promise<KnowledgeBase> {
    const sources = JSON.stringify([{ id: 'work', root: './work' }]);
    const kb = await KnowledgeBase.open({ env: { KEBAB_WORKSPACE_SOURCES: sources } });
    for (const path of ['projects/x.md', 'projects/C# tips 50%.md', 'a.md', '10:30.md', 'facade', 'odd:5'])
      await kb.add(path, 'one\ntwo\nthree\n');
    await kb.commit(pagedWrite('p.pdf', ['one', 'two']));
    for (const path of ['projects/x.md', 'plan.md', 'a:b.md'])
      await kb.commit(sampleWrite(path, 'work\n', { sourceId: 'work' }));
    mkdirSync(join(kb.root, 'projects'), { recursive: true });
    return kb;
  }

  async function found(kb: KnowledgeBase, typed: string, source?: string): Promise<string | null> {
    const place = await findPlace(kb.store, typed, { source, scope: kb.ports });
    if (place === null) return null;
    const { document, fragment } = place;
    const at = fragment?.kind === 'line' ? ` ${fragment.start}-${fragment.end}` : '';
    const page = fragment?.kind === 'page' ? ` p${fragment.page}` : '';
    return `${document.sourceId} ${document.workspacePath}${at}${page}`;
  }

  it.each([
    ['a.md', 'default a.md'],
    ['./x.md#L2', 'default projects/x.md 2-2'],
    ['x.md', 'default projects/x.md'],
    ['../a.md', 'default a.md'],
    ['../../work/plan.md', 'work plan.md'],
    ['a.md:2', 'default a.md 2-2'],
    ['a.md:2-3', 'default a.md 2-3'],
    ['a.md:2:7', 'default a.md 2-2'],
    ['a.md#L2-L3', 'default a.md 2-3'],
    ['10:30.md', 'default 10:30.md'],
    ['10:30.md:2', 'default 10:30.md 2-2'],
    ['odd:5', 'default odd:5'],
    ['work:a:b.md', 'work a:b.md'],
    ['a:b.md', 'work a:b.md'],
    ['work:plan.md', 'work plan.md'],
    ['work:plan.md:1', 'work plan.md 1-1'],
    ['home:plan.md', null],
    ['plan.md', 'work plan.md'],
    ['work:projects/x.md', 'work projects/x.md'],
    ['default:projects/x.md', 'default projects/x.md'],
    ['projects/x.md#L1', 'default projects/x.md 1-1'],
    ['C# tips 50%.md', 'default projects/C# tips 50%.md'],
    ['projects/C%23 tips 50%25.md#L1', 'default projects/C# tips 50%.md 1-1'],
    ['C%23%20tips%2050%25.md', 'default projects/C# tips 50%.md'],
    ['C# tips 50%.md#L2', 'default projects/C# tips 50%.md 2-2'],
    ['a.md:2-3~0123abcd', 'default a.md 2-3'],
    ['p.pdf:2', 'default p.pdf p2'],
    ['p.pdf#page=2', 'default p.pdf p2'],
  ])('%s resolves to %s', async (typed, expected) => {
    expect(await found(notes, typed)).toBe(expected);
  });

  it('may contain backslashes, which are part of a name if such a name exists, and separators otherwise', async () => {
    const kb = await open();
    for (const path of [String.raw`a\b.md`, String.raw`x\y/c d#%.md`, 'c/d.md', 'e/f.md', String.raw`e\f.md`])
      await kb.add(path, 'one\n');
    for (const [typed, path] of [
      [String.raw`a\b.md#L1`, String.raw`a\b.md`],
      [String.raw`x\y/c d%23%25.md#L1`, String.raw`x\y/c d#%.md`],
      [String.raw`c\d.md`, 'c/d.md'],
      ['e/f.md', 'e/f.md'],
      [String.raw`e\f.md`, String.raw`e\f.md`],
    ] as const)
      expect((await findPlace(kb.store, typed, { scope: kb.ports }))?.document.workspacePath).toBe(path);
  });

  it('may have the symbols with which control characters are shown', async () => {
    const kb = await open();
    await kb.add('two\nlines.md', 'words\n');
    const { workspacePath } = (await findPlace(kb.store, 'two\u240Alines.md#L1'))?.document ?? {};
    expect(workspacePath).toBe('two\nlines.md');
  });

  it('may be absurdly long, and then resolves to nothing', async () => {
    const kb = await open();
    await kb.add('a.md', 'one\n');
    const typed = `${'a/'.repeat(60_000)}x.md#L1`;
    for (const path of [typed, `/${typed}`, `./${typed}`])
      await expect(requirePlace(kb.store, path, { scope: kb.ports })).rejects.toMatchObject({
        code: path === typed ? 'doc_not_found' : 'invalid_input',
      });
  });

  it('is not looked up when it is longer than any path, and gets no suggestions when it is longer than any name', async () => {
    const kb = await open();
    const asked: string[] = [];
    const noting =
      <T>(name: string, answer: T) =>
      (): Promise<T> => {
        asked.push(name);
        return Promise.resolve(answer);
      };
    const store = {
      knownSources: () => kb.store.knownSources(),
      indexedRoots: () => kb.store.indexedRoots(),
      findDocument: noting('findDocument', null),
      findByPath: noting('findByPath', []),
      listDocuments: noting('listDocuments', { documents: [], total: 0 }),
    };
    const looksFor = async (typed: string): Promise<string[]> => {
      asked.length = 0;
      await expect(requirePlace(store, typed, { scope: kb.ports })).rejects.toMatchObject({
        code: 'doc_not_found',
      });
      return [...new Set(asked)];
    };
    expect(await looksFor('x'.repeat(40_000))).toEqual([]);
    expect(await looksFor('x'.repeat(300))).toEqual(['findByPath']);
    expect(await looksFor('x.md')).toEqual(['findByPath', 'listDocuments']);
  });

  it('may be absolute, even through a link', async () => {
    const link = join(dirname(notes.root), 'link');
    symlinkSync(notes.root, link);
    expect(await found(notes, join(notes.root, 'projects/x.md'))).toBe('default projects/x.md');
    expect(await found(notes, join(link, 'projects/x.md:3'))).toBe('default projects/x.md 3-3');
    notes.cwd = join(link, 'projects');
    expect(await found(notes, './x.md')).toBe('default projects/x.md');
  });

  it('is looked up only in the source that is given with it', async () => {
    expect(await found(notes, 'projects/x.md', 'work')).toBe('work projects/x.md');
    expect(await found(notes, 'work:projects/x.md', 'work')).toBe('work projects/x.md');
    expect(await found(notes, 'work:plan.md', 'default')).toBe(null);
  });

  it.each([
    ['projects/y.md', 'projects/x.md'],
    ['plam.md', 'work:plan.md'],
    ['work:projects/z.md', 'work:projects/x.md'],
    ['facad', 'facade'],
  ])('that is mistyped, as in %s, is answered with the nearest one', async (typed, meant) => {
    await expect(requirePlace(notes.store, typed)).rejects.toMatchObject({
      code: 'doc_not_found',
      hint: `did you mean ${meant}?`,
    });
  });

  it.each([
    ['a.md:0', /a\.md:0" is not a range of lines: lines are counted from 1/],
    ['a.md:3-2', /is not a range of lines: the range ends before it starts/],
    ['work:plan.md:0-4', /is not a range of lines/],
  ])('with an invalid range of lines, as in %s, is not reported as a missing document', async (typed, message) => {
    await expect(requirePlace(notes.store, typed, { scope: notes.ports })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message) as string,
    });
    await expect(requirePlace(notes.store, `absent/${typed}`)).rejects.toMatchObject({ code: 'doc_not_found' });
  });

  it('resolves to one document, or to an error with suggestions', async () => {
    const failing = async (typed: string) => requirePlace(notes.store, typed, { scope: notes.ports });
    await expect(failing('projects/x.md')).rejects.toMatchObject({
      code: 'invalid_input',
      details: { allowed: ['default:projects/x.md', 'work:projects/x.md'] },
    });
    await expect(failing('drafts/plan.md')).rejects.toMatchObject({
      code: 'doc_not_found',
      hint: 'did you mean work:plan.md?',
    });
    await expect(requirePlace(notes.store, 'plan.md', { scope: notes.ports, source: 'default' })).rejects.toMatchObject(
      {
        code: 'doc_not_found',
        hint: 'it is in the source work',
      },
    );
    await expect(failing('a.md#L0')).rejects.toMatchObject({ code: 'invalid_input', details: { field: 'uri' } });
    await expect(failing('/etc/passwd')).rejects.toMatchObject({ code: 'invalid_input', details: { field: 'path' } });
    await expect(failing('p.pdf:1-2')).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('names a document where an id is wanted, even one that looks like an abbreviated id', async () => {
    const document = await notes.store.findDocument('default', 'facade');
    const id = document?.docId ?? '';
    for (const typed of ['facade', id, id.slice(0, 8)])
      expect(await documentIdOf(notes.store, typed, notes.ports)).toBe(id);
    await expect(documentIdOf(notes.store, 'decade', notes.ports)).rejects.toMatchObject({
      code: 'doc_not_found',
      message: 'there is no document decade',
    });
  });

  it.each([
    ['**/x.md', 'glob', ['projects/x.md', 'work:projects/x.md']],
    ['work:**', 'glob', ['work:a:b.md', 'work:plan.md', 'work:projects/x.md']],
    ['./*.md', 'glob', ['projects/C%23 tips 50%25.md', 'projects/x.md']],
    ['../?.md', 'glob', ['a.md']],
    ['projects', 'folder', ['projects/C%23 tips 50%25.md', 'projects/x.md', 'work:projects/x.md']],
    ['.', 'folder', ['projects/C%23 tips 50%25.md', 'projects/x.md']],
    ['x.md', 'document', ['projects/x.md']],
    ['nothing/*', 'glob', []],
  ])('%s is a %s of %j', async (typed, kind, uris) => {
    const named = await nameDocuments(notes.ports, typed);
    expect([named.kind, named.documents.map(({ uri }) => uri)]).toEqual([kind, uris]);
  });
});

const IDS = [
  'abcdef00000000000000000000000001',
  'abcdef00000000000000000000000002',
  'fedcba98765432100123456789abcdef',
];
const store = {
  findIds: async (_: string, prefix: string, limit: number): Promise<readonly string[]> =>
    IDS.filter((id) => id.startsWith(prefix)).slice(0, limit),
};

describe('resolveId', () => {
  it.each([
    ['fedcba', IDS[2]],
    [' FEDCBA98 ', IDS[2]],
    [IDS[0] ?? '', IDS[0]],
  ])('completes %j', async (text, id) => {
    expect(await resolveId(store, 'chunk', text)).toBe(id);
  });

  it('lists ambiguous ids', async () => {
    await expect(resolveId(store, 'document', 'abcdef')).rejects.toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        details: { field: 'doc_id', value: 'abcdef', allowed: IDS.slice(0, 2), suggestion: null },
      }),
    );
  });

  it('says which kind of id is unknown', async () => {
    await expect(resolveId(store, 'chunk', '123456')).rejects.toThrow(
      expect.objectContaining({ code: 'chunk_not_found', details: { chunk_id: '123456' } }),
    );
    await expect(resolveId(store, 'document', '123456')).rejects.toThrow(
      expect.objectContaining({ code: 'doc_not_found', details: { doc_id: '123456', path: null } }),
    );
  });

  it.each(['abcde', '', 'notes/a.md', 'abcdeg', '%', 'a'.repeat(33)])('rejects %j', async (text) => {
    await expect(resolveId(store, 'chunk', text)).rejects.toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});
