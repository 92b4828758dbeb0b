import { describe, expect, it } from 'vitest';
import { markUnread, unmark } from '../../../src/ingest/pictures/unread-marker.ts';

describe('the mark of documents whose pictures wait to be read', () => {
  it.each([[[]], [['ocr']], [['caption']], [['caption', 'ocr']]] as const)('comes off again: %s', (unread) => {
    const marked = markUnread('image-v1+0f3c9a5d1b7e2468', unread);
    expect(unmark(marked)).toEqual({ fingerprint: 'image-v1+0f3c9a5d1b7e2468', unread });
    expect(marked === 'image-v1+0f3c9a5d1b7e2468').toBe(unread.length === 0);
  });

  it('does not depend on the order of what waits', () => {
    expect(markUnread('x', ['ocr', 'caption'])).toBe(markUnread('x', ['caption', 'ocr']));
  });
});
