import { describe, expect, it } from 'vitest';
import type { PictureRequest } from '../../src/contracts/extractor.ts';
import { pagesReadByOcr } from '../../src/documents/document-facts.ts';
import { PictureNotes } from '../../src/ingest/pictures/picture-notes.ts';

/** The history that an ingest writes for a document with these pages read by OCR. */
function historyOf(pages: readonly (number | null)[]) {
  const notes = new PictureNotes();
  for (const page of pages) {
    const picture: PictureRequest = { id: page === null ? 'image' : `page=${page}`, page, uses: ['ocr'] };
    notes.applied('ocr', picture, { agent: 'reader@1', isFresh: true });
  }
  return notes.events({ at: new Date(0), agent: 'pdf@1' });
}

describe('pagesReadByOcr', () => {
  it.each([
    { pages: [], read: [] },
    { pages: [3], read: [3] },
    { pages: [7, 1, 2, 3, 10, 12], read: [1, 2, 3, 7, 10, 12] },
    { pages: [null], read: [] },
    { pages: [2, null], read: [2] },
  ])('reads back $pages', ({ pages, read }) => {
    expect([...pagesReadByOcr(historyOf(pages))]).toEqual(read);
  });

  it('excludes pages with a warning', () => {
    expect(pagesReadByOcr([{ kind: 'warning', note: 'ocr_failed: page 3: it was dark' }]).size).toBe(0);
  });
});
