import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { showPassages } from '../../src/search/show-passages.ts';
import { sampleWrite } from '@kebab/testing';
import { itemAt } from '../kb/item-at.ts';
import { openForTests } from '../kb/open-for-tests.ts';
import { imageWrite, pagedWrite } from '../fetch/picture-kb.ts';
import type { KnowledgeBase } from '../kb/knowledge-base.ts';

describe('passages of hits', () => {
  const open = openForTests();
  const CODE = 'first\n\nfunction f() {\n\treturn backoff;\n}\n\nlast\n';

  const shown = async (
    kb: KnowledgeBase,
    query: string,
    request: { path?: string; at?: number; context?: number } = {},
  ) => {
    const { path = 'a.md', at = 0, context } = request;
    const document = await kb.store.findDocument('default', path);
    if (document === null) throw new Error(`there is no ${path}`);
    const chunks = await kb.store.listChunks(document.docId);
    const [passage] = await showPassages(kb.ports, { query, chunkIds: [chunks[at]?.chunkId ?? ''], context });
    if (passage === undefined) throw new Error('there is no passage');
    return passage;
  };

  it('are the lines of the file with their numbers and the matches of the query', async () => {
    const kb = await open();
    await kb.add('a.md', CODE);
    const { lines, file } = await shown(kb, 'backoffs', { at: 1 });
    expect(file).toBe(join(kb.root, 'a.md'));
    expect(lines).toEqual([
      { text: 'function f() {', matches: [], number: 3, isInside: true },
      { text: '\treturn backoff;', matches: [{ start: 8, end: 15, of: 'backoff' }], number: 4, isInside: true },
      { text: '}', matches: [], number: 5, isInside: true },
    ]);
  });

  it('have the requested number of context lines, as far as they exist', async () => {
    const kb = await open();
    await kb.add('a.md', CODE);
    const { lines } = await shown(kb, 'x', { at: 1, context: 2 });
    expect(lines.map(({ number, isInside }) => `${number}${isInside ? '' : '*'}`)).toEqual([
      '1*',
      '2*',
      '3',
      '4',
      '5',
      '6*',
      '7*',
    ]);
    await expect(shown(kb, 'x', { context: 5000 })).rejects.toMatchObject({ code: 'invalid_input' });
  });

  it('are in NFC, so that matches are where the text is shown', async () => {
    const kb = await open();
    await kb.add('a.md', 'Cafe\u0301 한국'.normalize('NFD'));
    const { lines } = await shown(kb, 'café 한국');
    expect(lines).toMatchObject([
      {
        text: 'Café 한국',
        matches: [
          { start: 0, end: 4 },
          { start: 5, end: 7 },
        ],
      },
    ]);
  });

  it('are one text when a document has no lines', async () => {
    const kb = await open();
    await kb.commit(pagedWrite('p.pdf', ['- a\n- b\nthree.']));
    await kb.commit(imageWrite('b.png', ['words']));
    expect((await shown(kb, 'b', { path: 'p.pdf' })).lines).toMatchObject([{ text: '• a • b', number: null }]);
    expect((await shown(kb, 'words', { path: 'b.png' })).lines).toMatchObject([{ text: 'words', number: null }]);
  });

  it('contain the relevant part of a very long line', async () => {
    const kb = await open();
    const { document, chunks } = sampleWrite('a.md', `${'word '.repeat(2000)}needle ${'word '.repeat(2000)}`);
    const start = 'word '.length * 2000;
    const part = { ...itemAt(chunks, 0), start, end: start + 11, text: 'needle word' };
    await kb.commit({ ...sampleWrite('a.md', document.text), chunks: [part] });
    expect((await shown(kb, 'needle')).lines).toEqual([
      {
        text: 'needle word',
        matches: [{ start: 0, end: 6, of: 'needl' }],
        number: 1,
        isInside: true,
        bytesBefore: start,
      },
    ]);
  });

  it('are omitted when they no longer exist', async () => {
    const kb = await open();
    await kb.add('a.md', CODE);
    expect(await showPassages(kb.ports, { query: 'x', chunkIds: ['f'.repeat(32)] })).toEqual([]);
  });
});
