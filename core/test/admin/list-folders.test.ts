import { describe, expect, it } from 'vitest';
import type { ListPage } from '../../src/admin/list-docs.ts';
import { listFolders } from '../../src/admin/list-folders.ts';
import type { DocumentRow, DocumentStore } from '../../src/contracts/document-store.ts';
import { DocListBriefSchema } from '../../src/wire/inspect.ts';
import type { DocListBrief } from '../../src/wire/index.ts';
import { openForTests } from '../kb/open-for-tests.ts';

const WORDS = ['client', 'parser', 'reader', 'writer', 'token', 'query', 'buffer', 'stream', 'schema', 'config'];

function wordsOf(count: number, seed: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => WORDS[(seed + at * 7) % WORDS.length] ?? '');
}

/** Trees that cost very different numbers of characters, by the number of files. */
const TREES: Readonly<Record<string, (at: number, count: number) => string>> = {
  'of a usual repository': (at) => `src/${WORDS[at % 10]}/part-${at % 40}/${wordsOf(2, at).join('-')}-${at}.ts`,
  'of names of a hundred characters': (at) => `docs/${WORDS[at % 10]}/${wordsOf(14, at).join('-')}-${at}.md`,
  'of one file a folder, ten folders deep': (at) => `${wordsOf(10, at).join('/')}/folder-${at}/file.md`,
  'of one folder': (at) => `notes/${wordsOf(3, at).join('-')}-${at}.md`,
  'without folders': (at) => `${wordsOf(3, at).join('-')}-${at}.md`,
  'of a thousand folders at the root': (at) => `project-${at % 1000}/${wordsOf(3, at).join('-')}-${at}.md`,
};

describe('listFolders', () => {
  const open = openForTests();
  const pagesOf = async (paths: readonly string[], page: ListPage = {}): Promise<readonly DocListBrief[]> => {
    const { ports } = await open();
    const rows = paths.toSorted().map((workspacePath) => ({ sourceId: 'default', workspacePath }) as DocumentRow);
    const store: Partial<DocumentStore> = {
      corpusRevision: () => Promise.resolve(1),
      listDocuments: (_filters, { offset, limit }) =>
        Promise.resolve({ documents: rows.slice(offset, offset + limit), total: rows.length }),
    };
    const documents = { ...ports.documents, read: () => Promise.resolve(store as DocumentStore) };
    const pages: DocListBrief[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const one = await listFolders({ ...ports, documents }, {}, { ...page, cursor });
      pages.push(DocListBriefSchema.parse(one));
      cursor = one.next_cursor;
    }
    return pages;
  };
  const countOf = (pages: readonly DocListBrief[]): number =>
    pages
      .flatMap(({ folders }) => folders)
      .reduce((sum, { files, documents = 0 }) => sum + files.length + documents, 0);

  describe.each(Object.entries(TREES))('a tree %s', (_what, pathAt) => {
    it.each([2000, 10_000])('covers each of %i files once, in pages within their budget', async (count) => {
      const paths = Array.from({ length: count }, (_, at) => pathAt(at, count));
      const pages = await pagesOf(paths, { maxTokens: 10_000 });
      expect(countOf(pages)).toBe(count);
      for (const page of pages) expect(JSON.stringify(page.folders).length).toBeLessThanOrEqual(40_000);
    });
  });

  it.each(Object.entries(TREES).filter(([, pathAt]) => pathAt(0, 2).includes('/')))(
    'takes at most 20,000 tokens for 2,000 files of a tree %s',
    async (_what, pathAt) => {
      const paths = Array.from({ length: 2000 }, (_, at) => pathAt(at, 2000));
      const pages = await pagesOf(paths, { maxTokens: 10_000 });
      expect(JSON.stringify(pages).length / 4).toBeLessThanOrEqual(20_000);
    },
  );

  it('names every file where the names are few enough', async () => {
    const [page] = await pagesOf(['a/b/one.md', 'a/b/two.md', 'a/three.md', 'four.md']);
    expect(page).toMatchObject({
      folders: [
        { folder: 'a/b/', files: ['one.md', 'two.md'] },
        { folder: 'a/', files: ['three.md'] },
        { folder: '', files: ['four.md'] },
      ],
      total: 4,
      next_cursor: null,
    });
  });

  it('folds what does not fit, nearest the root first, and unfolds it for a limit', async () => {
    const long = (at: number): string => `${'long-name-'.repeat(20)}${at}.md`;
    const paths = Array.from({ length: 900 }, (_, at) => (at < 3 ? `a/${long(at)}` : `b/${long(at)}`));
    const [page] = await pagesOf(paths, { maxTokens: 1000 });
    expect(page?.folders).toEqual([
      { folder: 'a/', files: [long(0), long(1), long(2)] },
      { folder: 'b/', files: [], documents: 897 },
    ]);
    const limited = await pagesOf(paths, { limit: 450 });
    expect(limited.flatMap(({ folders }) => folders.flatMap(({ files }) => files))).toHaveLength(900);
  });
});
