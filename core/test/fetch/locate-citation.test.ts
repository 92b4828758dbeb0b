import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CitedQuery } from '../../src/domain/query.ts';
import { locateCitation } from '../../src/fetch/locate-citation.ts';
import { OpenSchema } from '../../src/wire/fetch.ts';
import { itemAt } from '../kb/item-at.ts';
import type { KnowledgeBase, KnowledgeBaseOptions } from '../kb/knowledge-base.ts';
import { openForTests } from '../kb/open-for-tests.ts';
import { sampleWrite } from '@kebab/testing';
import { imageWrite, pagedWrite } from './picture-kb.ts';

const TEXT = '# One\n\nfirst\n\nsecond\nand more\n';

describe('locateCitation', () => {
  const open = openForTests();

  async function locate(kb: KnowledgeBase, query: CitedQuery | string) {
    const asked = typeof query === 'string' ? ({ kind: 'uri', uri: query } as const) : query;
    return OpenSchema.parse(await locateCitation(kb.ports, asked));
  }

  async function openWithFiles(options?: KnowledgeBaseOptions) {
    const kb = await open(options);
    const note = await kb.add('notes/a b.md', TEXT);
    for (const write of [pagedWrite('a.pdf', ['one', 'two']), imageWrite('b.png', ['words'])]) {
      kb.putFile(write.document.workspacePath, write.document.text);
      await kb.commit(write);
    }
    return { kb, note };
  }

  it.each([
    ['notes/a b.md#L5-L6', 'notes/a b.md', { line: 5, page: null }],
    ['notes/a b.md', 'notes/a b.md', { line: null, page: null }],
    ['a.pdf#p=2', 'a.pdf', { line: null, page: 2 }],
    ['b.png#xywh=1,2,3,4', 'b.png', { line: null, page: null }],
    ['b.png#caption', 'b.png', { line: null, page: null }],
    ['b.png#L1', 'b.png', { line: null, page: null }],
  ])('finds %s', async (uri, path, position) => {
    const { kb } = await openWithFiles();
    const found = { schema_version: 'open.v1', path: join(kb.root, path), ...position, uri, freshness: 'fresh' };
    expect(await locate(kb, uri)).toEqual(found);
  });

  it('finds the first line of a chunk', async () => {
    const { kb, note } = await openWithFiles();
    const { chunkId } = itemAt(note.chunks, 2);
    expect(await locate(kb, { kind: 'chunk', chunkId })).toMatchObject({ line: 5, uri: 'notes/a b.md#L5-L6' });
  });

  it('reports the former path of a deleted file, and that a file changed', async () => {
    const { kb } = await openWithFiles();
    rmSync(join(kb.root, 'a.pdf'));
    kb.putFile('notes/a b.md', `new\n${TEXT}`);
    expect(await locate(kb, 'a.pdf#p=1')).toMatchObject({ path: join(kb.root, 'a.pdf'), freshness: 'deleted' });
    expect(await locate(kb, 'notes/a b.md#L1')).toMatchObject({ freshness: 'changed' });
  });

  it('finds only places that documents have', async () => {
    const { kb } = await openWithFiles();
    await expect(locate(kb, 'z.md')).rejects.toMatchObject({ code: 'doc_not_found', details: { path: 'z.md' } });
    await expect(locate(kb, 'a.pdf#p=3')).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'a.pdf has 2 pages, no page 3',
      details: { field: 'uri' },
    });
    await expect(locate(kb, 'notes/a b.md#L900')).rejects.toMatchObject({
      code: 'invalid_input',
      message: 'notes/a b.md has 6 lines, no line 900',
    });
    await expect(locate(kb, '../z.md')).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('requires a source for a path in several sources', async () => {
    const sources = (root: string) =>
      JSON.stringify([
        { id: 'other', root },
        { id: 'mail', root: 'imap:', connector: 'x' },
      ]);
    const { kb } = await openWithFiles({ env: { KEBAB_WORKSPACE_SOURCES: sources('/elsewhere') } });
    for (const sourceId of ['other', 'mail', 'dropped'])
      await kb.commit(sampleWrite('notes/a b.md', TEXT, { sourceId }));
    await expect(locate(kb, 'notes/a b.md')).rejects.toMatchObject({
      code: 'invalid_input',
      details: {
        field: 'source',
        allowed: ['default', 'dropped', 'mail', 'other'].map((id) => `${id}:notes/a b.md`),
      },
    });
    const uri = 'other:notes/a b.md#L1';
    expect(await locate(kb, uri)).toMatchObject({ path: '/elsewhere/notes/a b.md', line: 1, uri });
    const inSource = (source: string): CitedQuery => ({ kind: 'uri', uri: 'notes/a b.md#L1', source });
    expect(await locate(kb, inSource('other'))).toMatchObject({ path: '/elsewhere/notes/a b.md' });
    for (const source of ['mail', 'dropped'])
      await expect(locate(kb, inSource(source))).rejects.toMatchObject({
        code: 'invalid_input',
        details: {
          field: 'source',
          value: source,
        },
        hint: expect.stringContaining('kebab fetch'),
      });
  });
});
